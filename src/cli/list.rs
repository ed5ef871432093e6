//! `research list`: the sessions, one line each.

use std::fmt::Write;

use anyhow::Result;

use super::help::Group;
use super::words::truncated;
use super::{Action, Command, Exit, Program};
use crate::inspect::{self, Status};
use crate::session;

/// `research list`.
pub(super) const COMMAND: Command = Command {
    name: "list",
    about: "List the sessions",
    group: Group::Sessions,
    examples: &[
        ("List the sessions", "research list"),
        ("Their ids, for a script", "research list --json"),
    ],
    define: Command::no_arguments,
    action: Action::WithSettings(|program, _| list(program)),
};

/// The longest topic or activity that a line shows, in characters.
const SHOWN_CHARACTERS: usize = 60;

fn list(program: &Program<'_>) -> Result<Exit> {
    let statuses = statuses(program)?;
    if program.output.json {
        return program.output.value(&statuses);
    }
    program.output.text(&lines(&statuses))
}

/// The status of every session. A session that cannot be read is reported and left out.
pub(super) fn statuses(program: &Program<'_>) -> Result<Vec<Status>> {
    let mut statuses = Vec::new();
    for id in session::ids(program.output_dir())? {
        match inspect::status(&program.output_dir().join(&id), &program.settings) {
            Ok(status) => statuses.push(status),
            // An unreadable session must not hide the others.
            Err(error) => program.output.complaint(&format!("{error:#}")),
        }
    }
    if statuses.is_empty() && !program.output.json {
        let directory = program.output_dir().display();
        program
            .output
            .remark(&format!("no sessions in {directory} yet"));
    }
    Ok(statuses)
}

/// One line per session, in columns.
pub(super) fn lines(statuses: &[Status]) -> String {
    let width = statuses.iter().map(|status| status.id.len()).max();
    let width = width.unwrap_or(0);
    let mut text = String::new();
    for status in statuses {
        let topic = truncated(&status.topic, SHOWN_CHARACTERS);
        let _ = write!(text, "{:<width$}  {:<11}  {topic}", status.id, status.state);
        if let Some(running) = &status.running {
            // A step says more than the stage that it belongs to.
            let doing = running.step.as_ref().or(running.stage.as_ref());
            let doing = doing.map_or(String::new(), |doing| format!(": {}", doing.what));
            let _ = write!(text, "  (running{})", truncated(&doing, SHOWN_CHARACTERS));
        }
        text.push('\n');
    }
    text
}
