//! `research cache`: shows or clears the cache of web pages and search results.

use anyhow::{Context, Result};
use clap::Args;

use super::words::count;
use super::{Action, Command, Exit, Program, arguments};
use crate::run::fetching;
use crate::web::CacheContents;

/// `research cache`.
pub(super) const COMMAND: Command = Command {
    name: "cache",
    about: "Show or clear the cache of web pages and search results",
    define: |command, _| CacheArgs::augment_args(command),
    action: Action::WithSettings(|program, matches| cache(program, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct CacheArgs {
    /// Remove everything from the cache
    #[arg(long)]
    clear: bool,
}

fn cache(program: &Program<'_>, arguments: &CacheArgs) -> Result<Exit> {
    let cache = fetching::cache(&program.settings);
    let cache = cache.context("there is no cache directory; set search.cache_dir")?;
    // `clear` returns the figures of the removed entries: both cases print the same.
    let contents = if arguments.clear {
        cache.clear()?
    } else {
        cache.contents()
    };
    if program.output.json {
        return program.output.value(&contents);
    }
    program.output.text(&summary(&contents, arguments.clear))
}

fn summary(contents: &CacheContents, cleared: bool) -> String {
    let folder = contents.folder.display();
    let entries = count(contents.answers, "entry");
    let size = mebibytes(contents.bytes);
    if cleared {
        return format!("removed {entries}, {size}, from {folder}\n");
    }
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
