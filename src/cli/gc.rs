//! `research gc`: removes what no session needs any more.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

use super::command::SESSION_HELP;
use super::help::Group;
use super::questions::consent;
use super::words::{count, size};
use super::{Action, Command, Exit, Program, arguments};
use crate::pipeline::{Busy, Disk};
use crate::run::fetching;
use crate::{search, session};

/// `research gc`.
pub(super) const COMMAND: Command = Command {
    name: "gc",
    about: "Remove superseded files of sessions, and on request the caches",
    group: Group::Sessions,
    examples: &[
        (
            "Say what would be removed, and how many bytes it takes",
            "research gc --dry-run",
        ),
        (
            "Remove everything that can be made again",
            "research gc --yes --caches",
        ),
    ],
    results: &[("gc", || schema_for!(Garbage))],
    define: |command, _| GcArgs::augment_args(command).after_help(HELP),
    action: Action::WithSettings(|program, matches| gc(program, &arguments(matches)?)),
};

const HELP: &str = "Superseded are the files that a run has replaced: earlier reports and \
    research, also those that you had edited. Rounds that a review sent back stay, since the best \
    one may be among them.";

#[derive(Debug, Args)]
struct GcArgs {
    #[arg(value_name = "SESSION", help = format!("{SESSION_HELP}; by default all"))]
    sessions: Vec<String>,

    /// Also clear the caches of web pages and of the indexes of documents
    #[arg(long)]
    caches: bool,

    /// Show what would be removed
    #[arg(short = 'n', long)]
    dry_run: bool,

    /// Do not ask
    #[arg(short, long, conflicts_with = "dry_run")]
    yes: bool,
}

/// Directories to be removed, or removed.
#[derive(Serialize, JsonSchema)]
struct Garbage {
    removed: bool,
    entries: Vec<Entry>,
    bytes: u64,
}

#[derive(Serialize, JsonSchema)]
struct Entry {
    path: PathBuf,
    bytes: u64,
}

fn gc(program: &Program<'_>, arguments: &GcArgs) -> Result<Exit> {
    let output_dir = program.output_dir();
    let sessions: Vec<PathBuf> = if arguments.sessions.is_empty() {
        let ids = session::ids(output_dir)?;
        let layout = session::Layout::of(output_dir);
        ids.iter().map(|id| layout.path(id)).collect()
    } else {
        let named = arguments.sessions.iter();
        named
            .map(|name| program.find(name))
            .collect::<Result<_>>()?
    };
    let mut entries = session::leftovers(output_dir, &sessions)?;
    let web = fetching::cache(&program.settings).filter(|_| arguments.caches);
    let web_contents = web.as_ref().map(|cache| cache.contents());
    if let Some(contents) = web_contents.filter(|contents| contents.bytes > 0) {
        entries.push((contents.folder.clone(), contents.bytes));
    }
    let cache_dir = program.settings.cache_dir().filter(|_| arguments.caches);
    entries.extend(
        cache_dir
            .iter()
            .flat_map(|folder| search::cached_indexes(folder)),
    );
    let mut garbage = Garbage {
        removed: false,
        bytes: entries.iter().map(|(_, bytes)| bytes).sum(),
        entries: entries
            .into_iter()
            .map(|(path, bytes)| Entry { path, bytes })
            .collect(),
    };
    let total = format!(
        "{}, {}",
        count(garbage.entries.len(), "entry"),
        size(garbage.bytes)
    );
    if garbage.entries.is_empty() || arguments.dry_run {
        return print(program, &garbage, &format!("{total}: nothing was removed"));
    }
    let question = format!("{}remove {total}?", lines(&garbage));
    if !consent(program.output, arguments.yes, &question)? {
        program.output.remark("nothing was removed");
        return Ok(Exit::Complete);
    }
    for Entry { path, .. } in &garbage.entries {
        let of_web = web
            .as_ref()
            .filter(|cache| cache.contents().folder == *path);
        match of_web {
            Some(cache) => cache.clear().map(|_| ())?,
            None => remove(program, path)?,
        }
    }
    garbage.removed = true;
    print(program, &garbage, &format!("removed {total}"))
}

/// Removes a directory; a session in which a process has begun to work is left as it is.
fn remove(program: &Program<'_>, path: &Path) -> Result<()> {
    match session::remove_leftover(path, &Disk::default(), program.clock) {
        Err(error) if error.is::<Busy>() => {
            program.output.complaint(&format!("not removed: {error:#}"));
            Ok(())
        }
        removed => removed,
    }
}

fn lines(garbage: &Garbage) -> String {
    let line = |Entry { path, bytes }: &Entry| format!("{:>9}  {}\n", size(*bytes), path.display());
    garbage.entries.iter().map(line).collect()
}

fn print(program: &Program<'_>, garbage: &Garbage, summary: &str) -> Result<Exit> {
    if program.output.json {
        return program.output.value(garbage);
    }
    program
        .output
        .text(&format!("{}{summary}\n", lines(garbage)))
}
