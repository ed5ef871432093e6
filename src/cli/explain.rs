//! `research explain` and `research run --dry-run`: what would run and why, one line a decision.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use super::calls::money;
use super::exit::{self, Exit};
use super::status::expected;
use super::{Action, Command, Program};
use crate::model::Forecast;
use crate::pipeline::{Engine, Next, Pipeline, Plan, Reason, Request};
use crate::run::{self, BackendConfig, Overrides, Shared};
use crate::session;
use crate::stage::SearchForecast;

/// `research explain`.
pub(super) const COMMAND: Command = Command {
    name: "explain",
    about: "Show what would run in a session, and why",
    define: Command::no_arguments,
    action: Action::WithSession(|program, path, _| explain(program, path)),
};

fn explain(program: &Program<'_>, path: &Path) -> Result<Exit> {
    let session = session::read(path)?;
    let answers = BackendConfig::from_settings(&program.settings).map_err(exit::usage)?;
    let overrides = Overrides::default();
    let settings = &program.settings;
    let shared = Shared::default();
    let pipeline = run::pipeline(path, &session, settings, overrides, &answers, shared)?;
    print(
        program,
        path,
        &pipeline,
        &Request::default(),
        Foreseen::default(),
    )
}

/// What a dry run foresees of one round.
#[derive(Default, Serialize)]
pub(super) struct Foreseen {
    /// The calls of models, if these would answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) forecast: Option<Forecast>,
    /// The searches of each plan, if the web would be searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) searches: Option<SearchForecast>,
}

/// A plan, for other programs.
#[derive(Serialize)]
struct Explanation {
    session: String,
    round: u32,
    stages: Vec<Decided>,
    next: String,
    nothing_to_do: bool,
    #[serde(flatten)]
    foreseen: Foreseen,
}

/// What is decided of one stage.
#[derive(Serialize)]
struct Decided {
    stage: String,
    gate: String,
    runs: bool,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<Changed>,
    outdated: Vec<String>,
}

/// The file that changed.
#[derive(Serialize)]
struct Changed {
    file: String,
    was: String,
    is: Option<String>,
}

/// Prints what would happen in the session at `path`.
pub(super) fn print(
    program: &Program<'_>,
    path: &Path,
    pipeline: &Pipeline,
    request: &Request,
    mut foreseen: Foreseen,
) -> Result<Exit> {
    let plan = Engine::default().plan(path, pipeline, request)?;
    if plan.stages.first().is_some_and(|line| line.reason.skips()) {
        foreseen.searches = None;
    }
    let explanation = Explanation {
        foreseen,
        ..explanation(path, &plan)
    };
    if program.output.json {
        return program.output.value(&explanation);
    }
    let mut text = format!("{}, round {}\n", explanation.session, explanation.round);
    for decided in &explanation.stages {
        let mark = if decided.runs { "run " } else { "keep" };
        let _ = writeln!(
            text,
            "  {mark}  {:<9} {:<14} {}",
            decided.stage, decided.gate, decided.reason
        );
        if let Some(Changed { file, was, is }) = &decided.changed {
            let is = is.as_deref().unwrap_or("gone");
            let _ = writeln!(
                text,
                "        {file}\n          was {was}\n          is  {is}"
            );
        }
        for difference in &decided.outdated {
            let _ = writeln!(
                text,
                "        outdated: {difference} (--refresh makes it again)"
            );
        }
    }
    let _ = writeln!(text, "next: {}", explanation.next);
    if let Some(searches) = &explanation.foreseen.searches {
        let _ = writeln!(
            text,
            "search: at most {} queries to each of {}, {}",
            searches.queries,
            searches.services.join(", "),
            money(Some(searches.cost_usd))
        );
    }
    if let Some(forecast) = &explanation.foreseen.forecast {
        text.push_str(&table(forecast));
    }
    program.output.text(&text)
}

/// A forecast, one line an agent.
fn table(forecast: &Forecast) -> String {
    let mut text = "forecast for one round:\n".to_owned();
    for line in &forecast.agents {
        let _ = writeln!(
            text,
            "  {:<12} {:>3} calls  {:>7} in {:>6} out  {}  {}",
            line.agent,
            line.calls,
            line.input_tokens,
            line.output_tokens,
            money(line.cost_usd),
            line.model
        );
    }
    let _ = writeln!(text, "  all          {}", expected(forecast));
    text
}

fn explanation(path: &Path, plan: &Plan) -> Explanation {
    let stages = plan.stages.iter().map(|line| Decided {
        stage: line.stage.clone(),
        gate: line.gate.clone(),
        runs: !line.reason.skips(),
        reason: line.reason.to_string(),
        changed: match &line.reason {
            Reason::Stale {
                input,
                recorded,
                found,
            } => Some(Changed {
                file: input.clone(),
                was: recorded.to_string(),
                is: found.as_ref().map(ToString::to_string),
            }),
            _ => None,
        },
        outdated: line.recipe_changes.clone(),
    });
    Explanation {
        session: path.display().to_string(),
        round: plan.round,
        stages: stages.collect(),
        next: next(plan),
        nothing_to_do: plan.next == Next::Nothing,
        foreseen: Foreseen::default(),
    }
}

fn next(plan: &Plan) -> String {
    match &plan.next {
        Next::FinishMove(aside) => {
            format!("finish moving {} to {}", aside.files.join(", "), aside.to)
        }
        Next::Supersede { files, reason } => format!("move aside {} ({reason})", files.join(", ")),
        Next::SendBack { round, reason, .. } => {
            format!("move round {round} aside and begin the next ({reason})")
        }
        Next::RunStage(place) => format!("run {}", plan.stages[*place].stage),
        Next::Render(place) => format!("render again what {} holds", plan.stages[*place].gate),
        Next::Publish(best) => format!("publish the report of round {}", best.round),
        Next::Stop(problem) => format!("stop: {problem}"),
        Next::Nothing => "nothing to do".to_owned(),
    }
}
