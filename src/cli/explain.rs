//! `research explain` and `research run --dry-run`: the plan of the engine, one line per decision.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

use super::args::AgeArgs;
use super::exit::{self, Exit};
use super::export::remark_edited;
use super::help::Group;
use super::resolve::{fetched_since, with_age_args};
use super::status::expected;
use super::words::{count, money};
use super::{Action, Command, Program, arguments};
use crate::config::BudgetSettings;
use crate::inspect::{ChangedInput, StageDecision, decisions, with_quoted_first};
use crate::model::Forecast;
use crate::pipeline::{Engine, Next, Pipeline, Plan, Request};
use crate::run::{self, BackendConfig, Overrides, Shared};
use crate::session;
use crate::stage::{ExpectedSearches, SearchForecast};

/// `research explain`.
pub(super) const COMMAND: Command = Command {
    name: "explain",
    about: "Show what would run in a session, and why",
    group: Group::Sessions,
    examples: &[(
        "Say what the next run would do to a session, and why",
        "research explain last",
    )],
    results: &[("explain", || schema_for!(Explanation))],
    define: |command, _| ExplainArgs::augment_args(command),
    action: Action::WithSession(|program, path, matches| {
        explain(program, path, &arguments(matches)?)
    }),
};

#[derive(Debug, Args)]
struct ExplainArgs {
    #[command(flatten)]
    age_args: AgeArgs,
}

fn explain(program: &Program<'_>, path: &Path, arguments: &ExplainArgs) -> Result<Exit> {
    let program = &with_age_args(program, &arguments.age_args)?;
    let session = session::read(path)?;
    remark_edited(program, path);
    let backend = BackendConfig::from_settings(&program.settings).map_err(exit::usage)?;
    let overrides = Overrides::default();
    let settings = &program.settings;
    // Neither web client nor lock: a plan only compares files with their recorded digests.
    let shared = Shared::default();
    let pipeline = run::pipeline(path, &session, settings, overrides, &backend, shared)?;
    let request = Request {
        fetched_since: fetched_since(program),
        ..Request::default()
    };
    print(program, path, &pipeline, &request, RoundForecast::default())
}

/// The forecast of a dry run for one round.
#[derive(Default, Serialize, JsonSchema)]
pub(super) struct RoundForecast {
    /// The model calls, if there is a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) forecast: Option<Forecast>,
    /// What the budget lacks for it, if it lacks anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shortage: Option<String>,
    /// The web searches of each plan, if the web would be searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) searches: Option<SearchForecast>,
}

/// What the budget lacks for a forecast, and how much is needed; `None` if it is enough.
pub(super) fn shortage(forecast: Option<&Forecast>, budget: &BudgetSettings) -> Option<String> {
    let forecast = forecast?;
    let (tokens, cost) = (forecast.needed_tokens, forecast.needed_usd);
    let (needed, option, limit) = match cost {
        // A limit of 0 means no limit.
        Some(usd) if budget.max_cost_usd > 0.0 && usd > budget.max_cost_usd => {
            let option = forecast.needed().max_cost();
            (money(cost), option, money(Some(budget.max_cost_usd)))
        }
        _ if budget.max_tokens > 0 && tokens > budget.max_tokens => {
            let option = forecast.needed().max_tokens();
            (
                count(tokens, "token"),
                option,
                count(budget.max_tokens, "token"),
            )
        }
        _ => return None,
    };
    Some(format!(
        "the budget of {limit} is less than the {needed} that a round may take: research may stop \
         early, if it can begin; {option} is enough"
    ))
}

/// The line on the budget that is enough for a forecast.
fn enough(forecast: &Forecast) -> String {
    let needed = forecast.needed();
    let cost = forecast.needed_usd.map(|_| needed.max_cost());
    let options = Vec::from_iter(cost.into_iter().chain([needed.max_tokens()]));
    format!(
        "{} is enough for a round, with what was spent so far",
        options.join(" or ")
    )
}

/// A plan, for other programs.
#[derive(Serialize, JsonSchema)]
struct Explanation {
    session: String,
    round: u32,
    stages: Vec<StageDecision>,
    next: String,
    nothing_to_do: bool,
    #[serde(flatten)]
    forecasts: RoundForecast,
}

/// Prints the plan of the engine for the session at `path`.
pub(super) fn print(
    program: &Program<'_>,
    path: &Path,
    pipeline: &Pipeline,
    request: &Request,
    mut forecasts: RoundForecast,
) -> Result<Exit> {
    let plan = Engine::default().plan(path, pipeline, request)?;
    let plan = with_quoted_first(path, plan);
    // Only the first stage searches: no search is expected if it is up to date.
    if plan.stages.first().is_some_and(|line| line.reason.skips()) {
        forecasts.searches = None;
    }
    let explanation = Explanation {
        forecasts,
        ..explanation(path, &plan)
    };
    if program.output.json {
        program.output.value(&explanation)?;
        return Ok(exit_of(&plan));
    }
    let stops = matches!(plan.next, Next::Stop(_) | Next::DocumentsGone);
    let mut text = format!("{}, round {}\n", explanation.session, explanation.round);
    for stage in &explanation.stages {
        // Nothing runs where the plan stops, also not what is out of date.
        let mark = if !stage.runs {
            "keep"
        } else if stops {
            "stop"
        } else {
            "run "
        };
        let _ = writeln!(
            text,
            "  {mark}  {:<9} {:<14} {}",
            stage.stage, stage.gate, stage.reason
        );
        for changed in stage.changed.iter().chain(&stage.documents) {
            text.push_str(&change(changed));
        }
        for difference in &stage.outdated {
            let _ = writeln!(
                text,
                "        outdated: {difference} (rerun with --refresh)"
            );
        }
    }
    if let Some(problem) = &plan.unlisted {
        let _ = writeln!(text, "the documents are not compared: {problem}");
    }
    let _ = writeln!(text, "next: {}", explanation.next);
    if let Some(searches) = &explanation.forecasts.searches {
        text.push_str(&of_searches(searches));
    }
    if let Some(forecast) = &explanation.forecasts.forecast {
        text.push_str(&table(forecast));
    }
    let shortage = explanation.forecasts.shortage.clone();
    if let Some(line) = shortage.or_else(|| explanation.forecasts.forecast.as_ref().map(enough)) {
        let _ = writeln!(text, "{line}");
    }
    program.output.text(&text)?;
    Ok(exit_of(&plan))
}

/// The lines on an input that has changed.
fn change(changed: &ChangedInput) -> String {
    let file = &changed.file;
    if let Some(now) = &changed.renamed_to {
        return format!("        {file} is {now} now\n");
    }
    let [was, is] = [&changed.was, &changed.is].map(|own| own.as_deref().unwrap_or("missing"));
    format!("        {file}\n          was {was}\n          is  {is}\n")
}

/// The line on the searches of a plan, without money if they cost none.
fn of_searches(searches: &SearchForecast) -> String {
    let each = if searches.services.len() > 1 {
        "each of "
    } else {
        ""
    };
    let cost = match searches.cost_usd {
        0.0 => String::new(),
        cost => format!(", {}", money(Some(cost))),
    };
    let (queries, services) = (queries(&searches.queries), searches.services.join(", "));
    format!("search: at most {queries} to {each}{services}{cost}\n")
}

/// The exit of a plan: failed if nothing can run until somebody mends a file.
fn exit_of(plan: &Plan) -> Exit {
    match plan.next {
        Next::Stop(_) => Exit::Failed,
        _ => Exit::Complete,
    }
}

/// The numbers of queries, by their reason.
fn queries(searches: &ExpectedSearches) -> String {
    let mut text = count(searches.queries, "query");
    for (number, reason) in [
        (searches.background, "before the plan"),
        (searches.turns, "in the researchers' turns"),
        (searches.posts, "for posts"),
    ] {
        if number > 0 {
            let _ = write!(text, ", {number} {reason}");
        }
    }
    text
}

/// A forecast with one line per agent.
fn table(forecast: &Forecast) -> String {
    let mut text = "forecast for one round:\n".to_owned();
    for line in &forecast.agents {
        let _ = writeln!(
            text,
            "  {:<12} {:>3} {:<5}  {:>7} in {:>6} out  {}  {}",
            line.agent,
            line.calls,
            if line.calls == 1 { "call" } else { "calls" },
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
    Explanation {
        session: path.display().to_string(),
        round: plan.round,
        stages: decisions(plan),
        next: next(plan),
        nothing_to_do: plan.next == Next::Nothing,
        forecasts: RoundForecast::default(),
    }
}

fn next(plan: &Plan) -> String {
    match &plan.next {
        Next::FinishMove(intent) => {
            format!("finish moving {} to {}", listed(&intent.files), intent.to)
        }
        Next::Supersede { files, reason } => format!("move aside {} ({reason})", listed(files)),
        Next::SendBack { round, reason, .. } => {
            format!("move round {round} aside and begin the next ({reason})")
        }
        Next::RunStage(index) => format!("run {}", plan.stages[*index].stage),
        Next::Render(index) => format!("render again from {}", plan.stages[*index].gate),
        Next::Publish(best) => format!("publish the report of round {}", best.round),
        Next::Stop(problem) => format!("stop: {problem}"),
        Next::DocumentsGone => "stop: none of the documents is left".to_owned(),
        Next::Nothing => "nothing to do".to_owned(),
    }
}

/// The first of some files, and how many more there are.
fn listed(files: &[String]) -> String {
    match files {
        [first, others @ ..] if others.len() > 1 => {
            format!("{first} and {} more files", others.len())
        }
        files => files.join(" and "),
    }
}
