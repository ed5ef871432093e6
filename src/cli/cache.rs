//! `research cache`: shows or clears the cache of web pages and search results.

use std::fs::{DirEntry, Metadata};

use anyhow::{Context, Result};
use clap::Args;
use schemars::schema_for;
use walkdir::WalkDir;

use super::help::Group;
use super::questions;
use super::words::count;
use super::{Action, Command, Exit, Program, arguments};
use crate::run::fetching;
use crate::web::CacheContents;

/// The beginning of the names of indexes of documents, in the directory of the cache.
const INDEX: &str = "documents-";

/// `research cache`.
pub(super) const COMMAND: Command = Command {
    name: "cache",
    about: "Show or clear the cache of web pages and search results",
    group: Group::Setup,
    examples: &[
        ("Show the cache", "research cache"),
        (
            "Empty it without a question",
            "research cache --clear --yes",
        ),
    ],
    results: &[("cache", || schema_for!(CacheContents))],
    define: |command, _| CacheArgs::augment_args(command),
    action: Action::WithSettings(|program, matches| cache(program, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct CacheArgs {
    /// Remove everything from the cache of the web; asks first on a terminal
    #[arg(long)]
    clear: bool,

    /// Do not ask
    #[arg(short, long, requires = "clear")]
    yes: bool,

    /// Show what would be removed, without removing it
    #[arg(short = 'n', long, requires = "clear")]
    dry_run: bool,
}

fn cache(program: &Program<'_>, arguments: &CacheArgs) -> Result<Exit> {
    let cache = fetching::cache(&program.settings);
    let cache = cache.context("there is no cache directory; set search.cache_dir")?;
    let clears = arguments.clear && !arguments.dry_run;
    let before = cache.contents();
    let question = format!("remove {}? [y/N]", amount(&before));
    if clears && !arguments.yes && !questions::confirm(program.output, &question)? {
        program.output.remark("nothing was removed");
        return Ok(Exit::Complete);
    }
    // `clear` returns the figures of the removed entries: both cases print the same.
    let contents = if clears { cache.clear()? } else { before };
    if program.output.json {
        return program.output.value(&contents);
    }
    program
        .output
        .text(&match (arguments.clear, arguments.dry_run) {
            (true, true) => format!("would remove {}\n", amount(&contents)),
            (true, false) => format!("removed {}\n", amount(&contents)),
            (false, _) => summary(&contents) + &indexes(program),
        })
}

/// The entries of the cache, their size and their folder.
fn amount(contents: &CacheContents) -> String {
    let folder = contents.folder.display();
    let entries = count(contents.answers, "entry");
    format!("{entries}, {}, from {folder}", mebibytes(contents.bytes))
}

/// The number and size of the indexes of documents, which are beside the cache of the web.
fn indexes(program: &Program<'_>) -> String {
    let Some(directory) = program.settings.cache_dir() else {
        return String::new();
    };
    let entries = directory.read_dir().into_iter().flatten().flatten();
    let is_index = |entry: &DirEntry| entry.file_name().to_string_lossy().starts_with(INDEX);
    let indexes: Vec<DirEntry> = entries.filter(is_index).collect();
    let files = indexes.iter().flat_map(|index| WalkDir::new(index.path()));
    let sizes = files.filter_map(|file| file.ok()?.metadata().ok());
    let bytes = sizes.filter(Metadata::is_file).map(|file| file.len()).sum();
    format!(
        "{} of documents with an index, {}, in {}\n",
        count(indexes.len(), "set"),
        mebibytes(bytes),
        directory.display()
    )
}

fn summary(contents: &CacheContents) -> String {
    let folder = contents.folder.display();
    let entries = count(contents.answers, "entry");
    let size = mebibytes(contents.bytes);
    let max = mebibytes(contents.max_bytes);
    let oldest = contents.oldest.map_or(String::new(), |oldest| {
        let oldest = oldest.format("%Y-%m-%d %H:%M");
        format!(", the least recently used one from {oldest}")
    });
    format!("{entries}, {size} of at most {max}{oldest}, in {folder}\n")
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
