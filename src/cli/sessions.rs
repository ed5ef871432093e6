//! `research status`, `list` and `show`: what sessions there are and what they hold.

use std::fmt::Write;
use std::path::{Component, Path};

use anyhow::{Context as _, Result, anyhow};
use serde::Serialize;

use super::Program;
use super::calls::{figures, money};
use super::exit::{self, Exit};
use crate::model::Forecast;
use crate::pipeline::{read_file, read_text};
use crate::run::{self, Doing, Runner, Status, runners};
use crate::session;

/// Characters of a topic that a list shows.
const SHOWN: usize = 60;

/// What one session, or each, has come to.
pub(super) fn status(program: &Program<'_>, reference: Option<&str>) -> Result<Exit> {
    let Some(reference) = reference else {
        return all(program);
    };
    let path = program.find(reference)?;
    let status = run::status(&path, &program.settings)?;
    if program.output.json {
        return program.output.value(&status);
    }
    let mut text = format!("{}\n", status.id);
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:<8} {value}");
    };
    line("topic", &shortened(&status.topic, 200));
    line("state", &state(&status));
    line("round", &status.round.to_string());
    if let Some(score) = status.score {
        line("score", &format!("{score:.2}"));
    }
    line("started", &status.started_at);
    line("path", &status.path);
    if let Some(spent) = &status.spent {
        let calls = format!("{} calls", spent.calls);
        line("spent", &format!("{calls:<9} {}", figures(spent)));
    }
    if let Some(forecast) = &status.forecast {
        line("forecast", &expected(forecast));
    }
    if let Some(problem) = &status.problem {
        line("problem", problem);
    }
    if let Some(waits_for) = &status.waits_for {
        line("waits", &waits_for.replace('\n', "\n           "));
    }
    if let Some(running) = &status.running {
        line("running", &running.by);
        for (name, doing) in [("stage", &running.stage), ("step", &running.step)] {
            if let Some(Doing { what, since }) = doing {
                line(name, &format!("{}, since {since}", shortened(what, 200)));
            }
        }
    }
    program.output.text(&text)
}

/// All sessions and what is at work on them.
#[derive(Serialize)]
struct All {
    /// Batches that are at work.
    runners: Vec<Runner>,
    sessions: Vec<Status>,
}

/// What all sessions have come to, and how far the batches are that work on them.
fn all(program: &Program<'_>) -> Result<Exit> {
    let all = All {
        runners: runners(program.output_dir()),
        sessions: statuses(program)?,
    };
    if program.output.json {
        return program.output.value(&all);
    }
    let mut text = String::new();
    for runner in &all.runners {
        let finished = runner.finished;
        let of = runner
            .topics
            .map_or(String::new(), |topics| format!(" of {topics}"));
        let _ = writeln!(text, "batch: {finished}{of} topics, {}", runner.by);
    }
    text.push_str(&lines(&all.sessions));
    program.output.text(&text)
}

/// A forecast on one line: of one round.
pub(super) fn expected(forecast: &Forecast) -> String {
    format!(
        "{:<9} {:>7} in {:>6} out  {}, one round",
        format!("{} calls", forecast.calls),
        forecast.input_tokens,
        forecast.output_tokens,
        money(forecast.cost_usd)
    )
}

fn state(status: &Status) -> String {
    let remark = match (status.no_evidence, status.below_threshold) {
        (true, _) => " (no evidence)",
        (_, true) => " (below threshold)",
        _ => "",
    };
    format!("{}{remark}", status.state)
}

/// One line a session; with `--json`, one object a session.
pub(super) fn list(program: &Program<'_>) -> Result<Exit> {
    let all = statuses(program)?;
    if program.output.json {
        return program.output.value(&all);
    }
    program.output.text(&lines(&all))
}

/// What each session has come to. One that cannot be read is told, and the others are still listed.
fn statuses(program: &Program<'_>) -> Result<Vec<Status>> {
    let mut all = Vec::new();
    for id in session::ids(program.output_dir())? {
        match run::status(&program.output_dir().join(&id), &program.settings) {
            Ok(status) => all.push(status),
            Err(error) => program.output.complaint(&format!("{error:#}")),
        }
    }
    if all.is_empty() && !program.output.json {
        program.output.remark(&format!(
            "no session in {} yet",
            program.output_dir().display()
        ));
    }
    Ok(all)
}

fn lines(all: &[Status]) -> String {
    let width = all.iter().map(|status| status.id.len()).max().unwrap_or(0);
    let mut text = String::new();
    for status in all {
        let topic = shortened(&status.topic, SHOWN);
        let _ = write!(text, "{:<width$}  {:<11}  {topic}", status.id, status.state);
        if let Some(running) = &status.running {
            let doing = running.step.as_ref().or(running.stage.as_ref());
            let doing = doing.map_or(String::new(), |doing| format!(": {}", doing.what));
            let _ = write!(text, "  (running{})", shortened(&doing, SHOWN));
        }
        text.push('\n');
    }
    text
}

/// The first characters of a topic, on one line.
pub(super) fn shortened(topic: &str, limit: usize) -> String {
    let line = topic.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= limit {
        return line;
    }
    let start: String = line.chars().take(limit - 1).collect();
    format!("{start}…")
}

/// A session's report, or another of its files; with `--json` and no file, the session as a whole.
pub(super) fn show(program: &Program<'_>, reference: &str, file: Option<&str>) -> Result<Exit> {
    let path = program.find(reference)?;
    let Some(file) = file else {
        if program.output.json {
            return program
                .output
                .value(&run::overview(&path, &program.settings)?);
        }
        return program.output.text(&report(&path)?);
    };
    let is_inside = Path::new(file)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if !is_inside {
        return Err(exit::usage(anyhow!(
            "{file:?} is not a file inside the session"
        )));
    }
    let full = path.join(file);
    let real = full
        .canonicalize()
        .with_context(|| format!("failed to read {}", full.display()))?;
    if !real.starts_with(path.canonicalize()?) {
        return Err(exit::usage(anyhow!(
            "{} is a link out of the session",
            full.display()
        )));
    }
    let bytes = read_file(&full).with_context(|| format!("failed to read {}", full.display()))?;
    program.output.bytes(&bytes)
}

/// The published report, or the current round's.
fn report(path: &Path) -> Result<String> {
    run::published(path).or_else(|error| {
        let draft = read_text(&path.join("report.md"));
        draft.map_err(|_| {
            error.context("the session has no report yet; go on with: research run --resume")
        })
    })
}
