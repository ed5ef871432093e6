//! `research diff`: compares two rounds of a session, or two sessions.

use std::path::Path;

use anyhow::{Result, anyhow};
use clap::Args;

use super::exit::{self, Exit};
use super::help::Group;
use super::round::{Round, Rounds};
use super::{Action, Command, Program, arguments};
use crate::artifact::Review;
use crate::export::difference::{self, Side};

/// `research diff`.
pub(super) const COMMAND: Command = Command {
    name: "diff",
    about: "Compare two rounds of a session, or two sessions",
    group: Group::Sessions,
    examples: &[(
        "Compare the claims of two sessions",
        "research diff first second",
    )],
    define: |command, _| DiffArgs::augment_args(command),
    action: Action::WithSession(|program, path, matches| diff(program, path, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct DiffArgs {
    /// Earlier round, or another session; by default the last round but one
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
            sessions(program, arguments, path, &other)
        }
        Some(Ok(round)) => rounds(program, arguments, path, Some(round)),
        None => rounds(program, arguments, path, None),
    }
}

/// Compares two rounds of a session.
fn rounds(
    program: &Program<'_>,
    arguments: &DiffArgs,
    path: &Path,
    from: Option<u32>,
) -> Result<Exit> {
    let rounds = Rounds::of(program, path)?;
    let to = arguments.other.unwrap_or_else(|| rounds.last());
    let Some(from) = from.or(to.checked_sub(1)).filter(|from| *from > 0) else {
        return Err(exit::usage(anyhow!(
            "{} has only one round; name another session to compare it with",
            path.display()
        )));
    };
    let (before, after) = (rounds.read(from)?, rounds.read(to)?);
    // The later round results from the reviews of the earlier round and those between the two.
    let between: Vec<Round> = (from..to)
        .map(|round| rounds.read(round))
        .collect::<Result<_>>()?;
    let reviews: Vec<&Review> = between
        .iter()
        .filter_map(|round| round.review.as_ref())
        .collect();
    let sides = [&before, &after].map(|round| side(path, round));
    print(program, arguments, &sides, &reviews)
}

/// Compares the published rounds of two sessions.
fn sessions(
    program: &Program<'_>,
    arguments: &DiffArgs,
    path: &Path,
    other: &Path,
) -> Result<Exit> {
    let mut both = Vec::new();
    for path in [path, other] {
        let rounds = Rounds::of(program, path)?;
        both.push((
            path,
            rounds.read(rounds.published.unwrap_or_else(|| rounds.last()))?,
        ));
    }
    let sides: Vec<Side<'_>> = both.iter().map(|(path, round)| side(path, round)).collect();
    print(program, arguments, &sides, &[])
}

fn side<'a>(path: &Path, round: &'a Round) -> Side<'a> {
    let id = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy();
    Side {
        name: format!("{id}, round {}", round.number),
        report: &round.report,
        review: round.review.as_ref(),
    }
}

fn print(
    program: &Program<'_>,
    arguments: &DiffArgs,
    sides: &[Side<'_>],
    between: &[&Review],
) -> Result<Exit> {
    let [from, to] = sides else {
        return Err(anyhow!("two sides are compared, not {}", sides.len()));
    };
    if arguments.text {
        return program.output.text(&difference::unified(from, to));
    }
    let difference = difference::compare(from, to, between);
    if program.output.json {
        return program.output.value(&difference);
    }
    program.output.text(&difference::text(&difference))
}
