//! `research rename`: gives a session another name.

use std::path::Path;

use anyhow::{Result, anyhow};
use clap::Args;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

use super::help::Group;
use super::{Action, Command, Exit, Program, arguments, exit};
use crate::pipeline::{Busy, Disk};
use crate::session;

/// `research rename`.
pub(super) const COMMAND: Command = Command {
    name: "rename",
    about: "Give a session another name",
    group: Group::Sessions,
    examples: &[(
        "Give a session a name of your own",
        "research rename 3fa9c1 houses",
    )],
    results: &[("rename", || schema_for!(Renamed))],
    define: |command, _| RenameArgs::augment_args(command).after_help(HELP),
    action: Action::WithSession(|program, path, matches| {
        rename(program, path, &arguments(matches)?)
    }),
};

const HELP: &str = "A session with a name of yours is found by that name alone: the same topic \
    without --session begins another one.";

#[derive(Debug, Args)]
struct RenameArgs {
    /// New name: letters, digits, - _ and .
    name: String,
}

/// The renamed session, for other programs.
#[derive(Serialize, JsonSchema)]
struct Renamed {
    from: String,
    to: String,
}

fn rename(program: &Program<'_>, path: &Path, arguments: &RenameArgs) -> Result<Exit> {
    if let Some(follower) = session::followers(path)?.first() {
        return Err(exit::usage(anyhow!(
            "{follower} follows {} by its name, and would lose its sources",
            path.display()
        )));
    }
    let renamed = session::rename(path, &arguments.name, &Disk::default(), program.clock);
    let renamed = renamed.map_err(|error| {
        if error.is::<Busy>() {
            error
        } else {
            exit::usage(error)
        }
    })?;
    let (from, to) = (path.display().to_string(), renamed.display().to_string());
    if program.output.json {
        return program.output.value(&Renamed { from, to });
    }
    program.output.text(&format!("{from} is now {to}\n"))?;
    program.output.remark(&format!(
        "the links of a report that was saved elsewhere lead to {from}; to save it again: \
         research export {} --output FILE",
        arguments.name
    ));
    Ok(Exit::Complete)
}
