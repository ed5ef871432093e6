//! `research verify`: checks every quotation of a session against the stored texts.

use std::path::Path;

use anstyle::AnsiColor;
use anyhow::Result;
use schemars::schema_for;

use super::help::Group;
use super::terminal::colored;
use super::words::count;
use super::{Action, Command, Exit, Program};
use crate::inspect::{self, VerifyReport};

/// `research verify`.
pub(super) const COMMAND: Command = Command {
    name: "verify",
    about: "Check every quotation of a session against the stored texts",
    group: Group::Sessions,
    examples: &[(
        "Check every quotation against the stored sources",
        "research verify last",
    )],
    results: &[("verify", || schema_for!(VerifyReport))],
    define: Command::no_arguments,
    action: Action::WithSession(|program, path, _| verify(program, path)),
};

/// Fails if a single quotation does not match.
fn verify(program: &Program<'_>, path: &Path) -> Result<Exit> {
    let verified = inspect::verify(path)?;
    // The exit code is the same with `--json`: scripts read it, not the text.
    let exit = if verified.problems.is_empty() {
        Exit::Complete
    } else {
        Exit::Failed
    };
    if program.output.json {
        program.output.value(&verified)?;
        return Ok(exit);
    }
    for problem in &verified.problems {
        program.output.complaint(problem);
    }
    let color = if exit == Exit::Complete {
        AnsiColor::Green
    } else {
        AnsiColor::Red
    };
    program.output.styled(&format!(
        "checked {} of {} in {}: {}\n",
        count(verified.quotations, "quotation"),
        count(verified.claims, "claim"),
        count(verified.sources, "source"),
        colored(&count(verified.problems.len(), "problem"), color)
    ))?;
    Ok(exit)
}
