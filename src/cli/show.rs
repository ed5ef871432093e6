//! `research show`: the report of a session, or any of its files.

use std::io;
use std::path::{Component, Path};

use anyhow::{Context as _, Result, anyhow};
use clap::Args;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;
use serde::de::IgnoredAny;

use super::exit::{self, Exit};
use super::help::Group;
use super::links::rebased;
use super::{Action, Command, Program, arguments};
use crate::artifact::Overview;
use crate::artifact::session::State;
use crate::inspect;
use crate::pipeline::{read_file, read_text};
use crate::stage::PUBLICATION;

/// `research show`.
pub(super) const COMMAND: Command = Command {
    name: "show",
    about: "Print the report of a session, or another of its files",
    group: Group::Sessions,
    examples: &[
        ("Print the report of the last session", "research show last"),
        ("Print another file", "research show last analysis.json"),
    ],
    results: &[
        ("show", || schema_for!(Overview)),
        ("shown_file", || schema_for!(ShownFile<'_>)),
    ],
    define: |command, _| ShowArgs::augment_args(command),
    action: Action::WithSession(|program, path, matches| show(program, path, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct ShowArgs {
    /// File of the session, such as `analysis.json`
    #[arg(value_name = "SESSION_FILE")]
    file: Option<String>,
}

/// A file of a session that is not JSON, for programs.
#[derive(Debug, Serialize, JsonSchema)]
struct ShownFile<'a> {
    /// Its name in the session.
    file: &'a str,
    /// Its text.
    text: &'a str,
}

/// Prints the report or a file; with `--json` and no file, an overview of the session.
fn show(program: &Program<'_>, path: &Path, arguments: &ShowArgs) -> Result<Exit> {
    let Some(file) = &arguments.file else {
        if program.output.json {
            return program
                .output
                .value(&inspect::overview(path, &program.settings)?);
        }
        let report = rebased(&report(path)?, path, None)?;
        remark_if_edited(program, path, PUBLICATION);
        let exit = program.output.report(&report)?;
        remark_on_state(program, path)?;
        return Ok(exit);
    };
    // Path traversal is refused twice: `..` in the name here, a link out of the session below.
    let is_inside = Path::new(file)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if !is_inside {
        return Err(exit::usage(anyhow!("{file:?} is not inside the session")));
    }
    let full = path.join(file);
    let real = full.canonicalize().map_err(|error| {
        if error.kind() != io::ErrorKind::NotFound {
            return anyhow!(error).context(format!("failed to read {}", full.display()));
        }
        let files = files(path);
        let likely = files.iter().find(|name| name.starts_with(file.as_str()));
        let tip = match likely {
            Some(name) => format!("did you mean {name:?}?"),
            None => format!("there are {}", files.join(", ")),
        };
        exit::usage(anyhow!("there is no {file} in {}; {tip}", path.display()))
    })?;
    if !real.starts_with(path.canonicalize()?) {
        return Err(exit::usage(anyhow!(
            "{} is a link out of the session",
            full.display()
        )));
    }
    let bytes = read_file(&full).with_context(|| format!("failed to read {}", full.display()))?;
    remark_if_edited(program, path, file);
    if program.output.json && serde_json::from_slice::<IgnoredAny>(&bytes).is_err() {
        let text = &String::from_utf8_lossy(&bytes);
        return program.output.value(&ShownFile { file, text });
    }
    program.output.bytes(&bytes)
}

/// Says that a file which is printed was changed by hand, if it was made from others.
fn remark_if_edited(program: &Program<'_>, path: &Path, file: &str) {
    if inspect::edited_renderings(path)
        .iter()
        .any(|own| own == file)
    {
        let file = path.join(file);
        let remark = format!("{} was changed by hand since it was made", file.display());
        program.output.complaint(&remark);
    }
}

/// Says why the report that is printed is not up to date, or its session broken, if that is so, and
/// how to make it again.
fn remark_on_state(program: &Program<'_>, path: &Path) -> Result<()> {
    let status = inspect::status(path, &program.settings)?;
    let what = match status.state {
        State::Outdated => "this report is not up to date",
        State::Broken => "the session of this report is broken",
        _ => return Ok(()),
    };
    let next = status
        .hint
        .map(|hint| format!("; to make it again: {hint}"));
    let reason = status.reason.or(status.problem).unwrap_or_default();
    let next = next.unwrap_or_default();
    program.output.remark(&format!("{what}: {reason}{next}"));
    Ok(())
}

/// The names of the files of a session at its top, and of its directories with a slash behind.
fn files(path: &Path) -> Vec<String> {
    let entries = path.read_dir().into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| {
            let slash = if entry.path().is_dir() { "/" } else { "" };
            format!("{}{slash}", entry.file_name().to_string_lossy())
        })
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.sort();
    names
}

/// `true` if a file could not be read because there is none.
fn is_missing(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// The published report, or that of the current round.
fn report(path: &Path) -> Result<String> {
    inspect::published_report(path).or_else(|error| {
        // A session that is not complete has the report of its current round.
        let draft = path.join("report.md");
        read_text(&draft).map_err(|problem| {
            if problem.kind() == io::ErrorKind::NotFound && is_missing(&error) {
                return anyhow!(
                    "the session has no report yet; to resume it: research run --resume {}",
                    path.display()
                );
            }
            anyhow!(problem).context(format!("failed to read {}", draft.display()))
        })
    })
}
