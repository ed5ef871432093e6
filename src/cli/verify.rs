//! `research verify`: checks every quotation of sessions against the stored texts.

use std::path::{Path, PathBuf};

use anstyle::AnsiColor;
use anyhow::Result;
use clap::Args;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

use super::command::SESSION_HELP;
use super::help::Group;
use super::terminal::colored;
use super::words::count;
use super::{Action, Command, Exit, Program, arguments};
use crate::artifact::session::State;
use crate::inspect::{self, VerifyReport};

/// `research verify`.
pub(super) const COMMAND: Command = Command {
    name: "verify",
    about: "Check every quotation of a session against the stored texts",
    group: Group::Sessions,
    examples: &[
        (
            "Check every quotation against the stored sources",
            "research verify last",
        ),
        (
            "Check those of all sessions with a report",
            "research verify --all",
        ),
    ],
    results: &[
        ("verify", || schema_for!(VerifyReport)),
        ("verify_all", || schema_for!(Vec<VerifiedSession>)),
    ],
    define: |command, _| VerifyArgs::augment_args(command),
    action: Action::WithSettings(|program, matches| {
        let arguments: VerifyArgs = arguments(matches)?;
        match arguments.session {
            Some(session) => verify(program, &program.find(&session)?),
            None => verify_all(program, &program.published()?),
        }
    }),
};

#[derive(Debug, Args)]
struct VerifyArgs {
    #[arg(value_name = "SESSION", required_unless_present = "all", help = SESSION_HELP)]
    session: Option<String>,

    /// All sessions with a published report
    #[arg(long, conflicts_with = "session")]
    all: bool,
}

/// The checks of one of several sessions.
#[derive(Serialize, JsonSchema)]
struct VerifiedSession {
    session: String,
    path: String,
    #[serde(flatten)]
    report: VerifyReport,
}

/// Fails if a single quotation of a session does not match. One that cannot be read has this as its
/// problem, and the others are checked all the same.
fn verify_all(program: &Program<'_>, paths: &[PathBuf]) -> Result<Exit> {
    let (mut sessions, mut total) = (Vec::new(), VerifyReport::default());
    for path in paths {
        let session = path.file_name().unwrap_or_default().to_string_lossy();
        let report = verified(program, path).unwrap_or_else(|error| VerifyReport {
            problems: vec![format!("{error:#}")],
            ..VerifyReport::default()
        });
        total.quotations += report.quotations;
        total.claims += report.claims;
        total.sources += report.sources;
        let problems = report.problems.iter();
        total
            .problems
            .extend(problems.map(|problem| format!("{session}: {problem}")));
        sessions.push(VerifiedSession {
            session: session.into_owned(),
            path: path.display().to_string(),
            report,
        });
    }
    if program.output.json {
        program.output.value(&sessions)?;
        return Ok(exit_of(&total));
    }
    if paths.is_empty() {
        let directory = program.output_dir().display();
        let nothing = format!("no session in {directory} has a report yet");
        program.output.remark(&nothing);
        return Ok(Exit::Complete);
    }
    print(
        program,
        &total,
        &format!(" of {}", count(paths.len(), "session")),
    )
}

/// Fails if a single quotation does not match.
fn verify(program: &Program<'_>, path: &Path) -> Result<Exit> {
    let verified = verified(program, path)?;
    if program.output.json {
        program.output.value(&verified)?;
        return Ok(exit_of(&verified));
    }
    print(program, &verified, "")
}

/// The checks of a session; a file that keeps it from going on is a problem, too.
fn verified(program: &Program<'_>, path: &Path) -> Result<VerifyReport> {
    let mut verified = inspect::verify(path)?;
    let status = inspect::status(path, &program.settings)?;
    // What is missing, the checks have named already.
    let is_named = inspect::lost_texts(path).is_some();
    let broken = status
        .problem
        .filter(|_| status.state == State::Broken && !is_named);
    verified.problems.extend(broken);
    Ok(verified)
}

/// The exit code, which is the same with `--json`: scripts read it, not the text.
fn exit_of(verified: &VerifyReport) -> Exit {
    if verified.problems.is_empty() {
        Exit::Complete
    } else {
        Exit::Failed
    }
}

/// Prints the problems, and below them the numbers of the checks.
fn print(program: &Program<'_>, verified: &VerifyReport, of_sessions: &str) -> Result<Exit> {
    for problem in &verified.problems {
        program.output.complaint(problem);
    }
    let exit = exit_of(verified);
    let color = if exit == Exit::Complete {
        AnsiColor::Green
    } else {
        AnsiColor::Red
    };
    program.output.styled(&format!(
        "checked {} of {} in {}{of_sessions}: {}\n",
        count(verified.quotations, "quotation"),
        count(verified.claims, "claim"),
        count(verified.sources, "source"),
        colored(&count(verified.problems.len(), "problem"), color)
    ))?;
    Ok(exit)
}
