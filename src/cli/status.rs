//! `research status`: the state of a session, or of all sessions and running batches.

use std::fmt::Write;

use anyhow::Result;
use clap::Args;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

use super::calls::figures;
use super::command::SESSION_HELP;
use super::export;
use super::help::Group;
use super::list::{Filter, lines, statuses};
use super::terminal::colored_state;
use super::watch::watch;
use super::words::{count, money, truncated};
use super::{Action, Command, Exit, Program, arguments};
use crate::artifact::session::State;
use crate::inspect::{self, Activity, RunningBatch, Status, Tasks, Totals, running_batches};
use crate::model::Forecast;
use crate::pipeline::{score_text, to_the_second};
use crate::text::without_controls;

/// `research status`.
pub(super) const COMMAND: Command = Command {
    name: "status",
    about: "Show the state of a session, or of all sessions",
    group: Group::Sessions,
    examples: &[
        ("Show a session", "research status last"),
        (
            "Follow one that another process runs",
            "research status last --watch",
        ),
        ("Show all sessions and batches", "research status"),
    ],
    results: &[
        ("status", || schema_for!(WithTasks<'_>)),
        ("statuses", || schema_for!(All)),
        #[cfg(feature = "nats")]
        ("queue", || schema_for!(crate::queue::QueueStatus)),
    ],
    define: |command, _| StatusArgs::augment_args(command),
    action: Action::WithSettings(|program, matches| status(program, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct StatusArgs {
    #[arg(help = SESSION_HELP)]
    session: Option<String>,

    /// Follow the session until the process that works on it ends; with --json, print its events as
    /// lines of JSON
    #[arg(long, requires = "session")]
    watch: bool,

    /// Show the queue: topics that wait, that workers have, and that failed for the last time; by
    /// default the one of `queue.url` of the settings
    #[cfg(feature = "nats")]
    #[arg(long, value_name = "URL", num_args = 0..=1, conflicts_with = "session")]
    queue: Option<Option<String>>,
}

/// The maximum number of documents that are named as not read. Chosen by hand.
const NAMED_DOCUMENTS: usize = 6;

fn status(program: &Program<'_>, arguments: &StatusArgs) -> Result<Exit> {
    #[cfg(feature = "nats")]
    if let Some(url) = &arguments.queue {
        return super::queue_status::queue(program, url.as_deref());
    }
    let Some(reference) = &arguments.session else {
        return all(program);
    };
    let path = program.find(reference)?;
    if arguments.watch {
        watch(program, &path)?;
    }
    let status = inspect::status(&path, &program.settings)?;
    if program.output.json && arguments.watch {
        return program.output.line(&EndOfStream { result: &status });
    }
    if program.output.json {
        let tasks = inspect::tasks(&path);
        let status = &status;
        return program.output.value(&WithTasks { status, tasks });
    }
    program.output.styled(&printed(&status))
}

/// The status of a session as lines for people.
fn printed(status: &Status) -> String {
    let mut text = format!("{}\n", without_controls(&status.id));
    let _ = writeln!(text, "  topic    {}", truncated(&status.topic, 200));
    let _ = writeln!(text, "  state    {}", state(status));
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:<8} {}", without_controls(value));
    };
    line("round", &status.round.to_string());
    if let Some(score) = status.score {
        line("score", &score_text(score));
    }
    line("started", &to_the_second(&status.started_at));
    line("path", &status.path);
    if let Some(reason) = &status.reason {
        line("reason", reason);
    }
    if let Some(spent) = &status.spent {
        line("spent", &spending(spent, status.possibly_billed));
    }
    if let Some(forecast) = &status.forecast {
        line("forecast", &expected(forecast));
    }
    if let Some(problem) = &status.problem {
        line("problem", problem);
    }
    if let Some(waits_for) = &status.waits_for {
        // Questions beyond the first are on lines of their own, indented.
        line("waits", &waits_for.replace('\n', "\n           "));
    }
    if let Some(running) = &status.running {
        line("running", &running.by);
        for (name, doing) in [("stage", &running.stage), ("step", &running.step)] {
            if let Some(Activity { what, since }) = doing {
                line(name, &format!("{}, since {since}", truncated(what, 200)));
            }
        }
    }
    let not_read = status.not_read.iter();
    for remark in not_read.clone().take(NAMED_DOCUMENTS) {
        line("not read", remark);
    }
    let others = not_read.len().saturating_sub(NAMED_DOCUMENTS);
    if others > 0 {
        line("not read", &format!("{others} more; --json names them"));
    }
    for file in &status.edited {
        line("edited", &format!("{file}: {}", export::about_edited(file)));
    }
    for claim in &status.altered {
        line("altered", &format!("changed by hand, not checked: {claim}"));
    }
    if let Some(hint) = &status.hint {
        line("next", hint);
    }
    text
}

/// What was spent, and the tries besides that may have been billed.
fn spending(spent: &Totals, possibly_billed: Option<usize>) -> String {
    let calls = count(spent.calls, "call");
    let tries = possibly_billed.map_or(String::new(), |tries| {
        let tries = count(tries, "call");
        format!("; {tries} more may have been billed: no reply was received")
    });
    format!("{calls:<9} {}{tries}", figures(spent))
}

/// The status of a session with the steps of its plan, for other programs.
#[derive(Serialize, JsonSchema)]
struct WithTasks<'a> {
    #[serde(flatten)]
    status: &'a Status,
    #[serde(flatten)]
    tasks: Tasks,
}

/// The last line of a stream of events.
#[derive(Serialize, JsonSchema)]
pub(super) struct EndOfStream<'a, T> {
    pub(super) result: &'a T,
}

/// All sessions and running batches, for other programs.
#[derive(Serialize, JsonSchema)]
struct All {
    /// The running batches.
    runners: Vec<RunningBatch>,
    sessions: Vec<Status>,
}

/// Prints the state of all sessions, and the progress of the batches that work on them.
fn all(program: &Program<'_>) -> Result<Exit> {
    let all = All {
        runners: running_batches(program.output_dir()),
        sessions: statuses(program, &Filter::default())?,
    };
    if program.output.json {
        return program.output.value(&all);
    }
    let mut text = String::new();
    for runner in &all.runners {
        let topics = match runner.topics {
            Some(topics) => format!("{} of {}", runner.finished, count(topics, "topic")),
            None => count(runner.finished, "topic"),
        };
        let _ = writeln!(text, "batch: {topics}, {}", without_controls(&runner.by));
    }
    text.push_str(&lines(&all.sessions, program.clock.now()));
    program.output.styled(&text)
}

/// The forecast of a round as a line.
pub(super) fn expected(forecast: &Forecast) -> String {
    format!(
        "{:<9} {:>7} in {:>6} out  {}, one round",
        count(forecast.calls, "call"),
        forecast.input_tokens,
        forecast.output_tokens,
        money(forecast.cost_usd)
    )
}

fn state(status: &Status) -> String {
    // No evidence explains the low score, so the score is not mentioned.
    let remark = match (status.state, status.below_threshold) {
        (State::Complete, _) if status.without_sources => " (without sources)",
        (State::Complete, _) if !status.altered.is_empty() => " (changed by hand)",
        (State::Complete, _) if status.not_answered => " (not answered as asked)",
        (State::Complete, true) => " (below threshold)",
        _ => "",
    };
    format!("{}{remark}", colored_state(status.state, 0))
}
