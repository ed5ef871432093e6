//! `research rm`: removes sessions.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use clap::Args;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

use super::command::SESSION_HELP;
use super::help::Group;
use super::questions::consent;
use super::words::{count, size, truncated};
use super::{Action, Command, Exit, Program, arguments, exit};
use crate::pipeline::Disk;
use crate::session;

/// `research rm`.
pub(super) const COMMAND: Command = Command {
    name: "rm",
    about: "Remove sessions, with everything in their directories",
    group: Group::Sessions,
    examples: &[
        ("Remove a session, after a question", "research rm 3fa9c1"),
        (
            "Remove one without a question, in a script",
            "research rm old-houses --yes",
        ),
    ],
    results: &[("rm", || schema_for!(Removed))],
    define: |command, _| RmArgs::augment_args(command).after_help(HELP),
    action: Action::WithSettings(|program, matches| rm(program, &arguments(matches)?)),
};

const HELP: &str = "A session in which a process works is not removed, nor one that another \
    session follows, unless both are named.";

/// The longest topic of a question, in characters.
const TOPIC_CHARACTERS: usize = 60;

#[derive(Debug, Args)]
struct RmArgs {
    #[arg(value_name = "SESSION", required = true, help = SESSION_HELP)]
    sessions: Vec<String>,

    /// Show what would be removed, and remove nothing
    #[arg(short = 'n', long)]
    dry_run: bool,

    /// Do not ask
    #[arg(short, long, conflicts_with = "dry_run")]
    yes: bool,
}

/// The sessions that were removed, or in a dry run would be, for other programs.
#[derive(Serialize, JsonSchema)]
struct Removed {
    removed: Vec<String>,
    bytes: u64,
}

fn rm(program: &Program<'_>, arguments: &RmArgs) -> Result<Exit> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for reference in &arguments.sessions {
        let remnant = session::remnant(program.output_dir(), reference);
        let path = remnant.map_or_else(|| program.find(reference), Ok)?;
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    for path in &paths {
        require_no_follower(path, &paths)?;
    }
    let lines: Vec<String> = paths.iter().map(|path| line(path.as_path())).collect();
    let number = count(paths.len(), "session");
    if arguments.dry_run {
        return show(program, &paths, &lines);
    }
    let question = format!("{}\nremove {number}?", lines.join("\n"));
    if !consent(program.output, arguments.yes, &question)? {
        program.output.remark("nothing was removed");
        return Ok(Exit::Complete);
    }
    let mut removed = Removed {
        removed: Vec::new(),
        bytes: 0,
    };
    for path in &paths {
        removed.bytes += session::remove(path, &Disk::default(), program.clock)?;
        removed.removed.push(path.display().to_string());
    }
    if program.output.json {
        return program.output.value(&removed);
    }
    let size = size(removed.bytes);
    program.output.text(&format!("removed {number}, {size}\n"))
}

/// Shows what would be removed.
fn show(program: &Program<'_>, paths: &[PathBuf], lines: &[String]) -> Result<Exit> {
    if program.output.json {
        return program.output.value(&Removed {
            removed: paths
                .iter()
                .map(|path| path.display().to_string())
                .collect(),
            bytes: paths.iter().map(|path| session::size(path)).sum(),
        });
    }
    let number = count(paths.len(), "session");
    program
        .output
        .text(&format!("{}\nwould remove {number}\n", lines.join("\n")))
}

/// Refuses to remove a session while one that remains reads its sources.
fn require_no_follower(path: &Path, paths: &[PathBuf]) -> Result<()> {
    let is_removed = |id: &String| {
        let mut names = paths.iter().filter_map(|path| path.file_name());
        names.any(|name| name == id.as_str())
    };
    let mut followers = session::followers(path)?.into_iter();
    match followers.find(|id| !is_removed(id)) {
        None => Ok(()),
        Some(follower) => Err(exit::usage(anyhow!(
            "{follower} follows {} and reads its sources; remove both, or neither",
            path.display()
        ))),
    }
}

/// A session in the question.
fn line(path: &Path) -> String {
    let topic = session::read(path).map(|session| session.topic);
    let topic = topic.unwrap_or_else(|_| {
        let is_remnant = session::is_remnant(path);
        let remark = is_remnant.then_some("(no session any more)");
        remark.unwrap_or_default().to_owned()
    });
    format!(
        "{}  {}",
        path.display(),
        truncated(&topic, TOPIC_CHARACTERS)
    )
}
