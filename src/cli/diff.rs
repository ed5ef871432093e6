//! `research diff`: compares two rounds of a session, or two sessions.

use std::path::Path;

use anyhow::{Result, anyhow};
use clap::Args;
use schemars::schema_for;

use super::exit::{self, Exit};
use super::help::Group;
use super::{Action, Command, Program, arguments};
use crate::export::difference;
use crate::inspect::Comparison;

/// `research diff`.
pub(super) const COMMAND: Command = Command {
    name: "diff",
    about: "Compare two rounds of a session, or two sessions",
    group: Group::Sessions,
    examples: &[(
        "Compare the claims of two sessions",
        "research diff first second",
    )],
    results: &[("diff", || schema_for!(difference::Difference))],
    define: |command, _| DiffArgs::augment_args(command),
    action: Action::WithSession(|program, path, matches| diff(program, path, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct DiffArgs {
    /// Earlier round, or another session; by default the last round but one, or the report that the
    /// only round replaced
    #[arg(value_name = "ROUND|SESSION")]
    one: Option<String>,

    /// Later round; by default the last one
    #[arg(value_name = "ROUND")]
    other: Option<u32>,

    /// Print a unified diff of the two reports
    #[arg(long, conflicts_with = "json")]
    text: bool,
}

/// Exits with 0 whether or not there are differences.
fn diff(program: &Program<'_>, path: &Path, arguments: &DiffArgs) -> Result<Exit> {
    let first = arguments.one.as_deref();
    // A number is a round, anything else the name of a session.
    match first.map(str::parse::<u32>) {
        Some(Err(_)) if arguments.other.is_some() => Err(exit::usage(anyhow!(
            "name two rounds, or another session, not both"
        ))),
        Some(Err(_)) => {
            let other = program.find(first.unwrap_or_default())?;
            let both = Comparison::of_sessions(path, &other, &program.settings)?;
            print(program, arguments, &both)
        }
        from => {
            let from = from.and_then(Result::ok);
            let to = arguments.other;
            let both = Comparison::of_rounds(path, &program.settings, from, to)?;
            print(program, arguments, &both)
        }
    }
}

fn print(program: &Program<'_>, arguments: &DiffArgs, both: &Comparison) -> Result<Exit> {
    if arguments.text {
        return program.output.text(&both.unified());
    }
    let difference = both.difference();
    if program.output.json {
        return program.output.value(&difference);
    }
    program.output.text(&difference::text(&difference))
}
