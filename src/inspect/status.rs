//! The status of a session: its state, score and costs, computed from its files by a plan.

use std::path::Path;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::running::{Running, running};
use super::spending::{Totals, forecast, spending};
use crate::artifact::report::ReportOutcome;
use crate::artifact::session::State;
use crate::artifact::{Report, Research, Review, Session};
use crate::config::Settings;
use crate::model::Forecast;
use crate::pipeline::{Engine, Event, Lock, Outcome, Plan, Request, read_events};
use crate::run::artifacts::content;
use crate::run::{self, BackendConfig, Overrides, Shared};
use crate::session;
use crate::stage::{self, STAGES};

/// The status of a session.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Status {
    /// The session's name.
    pub id: String,
    /// Its directory.
    pub path: String,
    /// The topic.
    pub topic: String,
    /// Its state, computed from its files.
    pub state: State,
    /// The round that is published or being made.
    pub round: u32,
    /// The score of that round, 0 to 1, once reviewed.
    pub score: Option<f64>,
    /// `true` if the published round is below the threshold.
    pub below_threshold: bool,
    /// `true` if the documents are silent on the topic.
    pub no_evidence: bool,
    /// `true` if a model answered from its own knowledge.
    pub without_sources: bool,
    /// The time at which it was opened, RFC 3339.
    pub started_at: String,
    /// The process that works on it now, and its activity.
    pub running: Option<Running>,
    /// The error of the last run, if it failed: for display only.
    pub problem: Option<String>,
    /// The question to the user with which the last run ended, if it did: for display only.
    pub waits_for: Option<String>,
    /// The totals of its model calls, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent: Option<Totals>,
    /// The forecast for a round, if there are model calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forecast: Option<Forecast>,
}

/// Plans the session at `path` and reads its status.
///
/// # Errors
/// When it cannot be read.
pub fn status(path: &Path, settings: &Settings) -> Result<Status> {
    let session = session::read(path)?;
    let plan = plan(path, &session, settings)?;
    status_by(path, session, settings, &plan)
}

/// The published round of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedRound {
    /// The number, from 1.
    pub number: u32,
    /// `true` if it is below the threshold.
    pub is_below_threshold: bool,
}

/// The published round of the session at `path`, if the session is complete. It needs none of the
/// records of calls and costs.
///
/// # Errors
/// When the session cannot be read.
pub fn published_round(path: &Path, settings: &Settings) -> Result<Option<PublishedRound>> {
    let plan = plan(path, &session::read(path)?, settings)?;
    let best = plan.best.as_ref();
    let published = PublishedRound {
        number: best.map_or(plan.round, |best| best.round),
        is_below_threshold: best.is_some_and(|best| best.below_threshold),
    };
    Ok((stage::state(STAGES, path, &plan) == State::Complete).then_some(published))
}

pub(super) fn plan(path: &Path, session: &Session, settings: &Settings) -> Result<Plan> {
    let pipeline = run::pipeline(
        path,
        session,
        settings,
        Overrides::default(),
        &BackendConfig::default(),
        Shared::default(),
    )?;
    Engine::default().plan(path, &pipeline, &Request::default())
}

/// `true` if nobody works on the session at `path` and its last run neither finished nor failed nor
/// waits for the user: it was interrupted or killed, or it never began.
///
/// # Errors
/// When the session cannot be read.
pub fn is_interrupted(path: &Path, settings: &Settings) -> Result<bool> {
    let last = read_events(path).pop();
    let is_over = last.is_some_and(|last| {
        matches!(
            last.event,
            Event::RunFinished | Event::StageFailed { .. } | Event::StageWaits { .. }
        )
    });
    // The log is advice: a session without a readable one is planned.
    let is_idle = !is_over && !Lock::is_locked(path);
    Ok(is_idle && !plan(path, &session::read(path)?, settings)?.complete)
}

/// Reads the status of the session at `path` after a run, by the last plan of that run.
///
/// # Errors
/// When it cannot be read.
pub fn status_after(path: &Path, settings: &Settings, outcome: &Outcome) -> Result<Status> {
    status_by(path, session::read(path)?, settings, &outcome.plan)
}

fn status_by(path: &Path, session: Session, settings: &Settings, plan: &Plan) -> Result<Status> {
    let running = running(path);
    // A run that is in progress, or ended with a published report, has no problem to show.
    let last = read_events(path)
        .pop()
        .filter(|_| running.is_none() && !plan.complete);
    let (problem, waits_for) = match last.map(|last| last.event) {
        Some(Event::StageFailed { stage, problem }) => (Some(format!("{stage}: {problem}")), None),
        Some(Event::StageWaits { message, .. }) => (None, Some(message)),
        _ => (None, None),
    };
    // The best round may be an earlier one in `rounds/N/`; before any decision, the current files
    // are those of the current round.
    let best = plan.best.as_ref();
    let directory = best.map_or("", |best| best.directory.as_str());
    let review: Option<Review> = content(path, &format!("{directory}review.json"));
    let report: Option<Report> = content(path, &format!("{directory}report.json"));
    let outcome = report.map(|report| report.outcome);
    let spending = spending(path)?;
    // Only the forecast needs this large file, and without model calls there is no forecast.
    let research: Option<Research> = if spending.calls.is_empty() {
        None
    } else {
        content(path, "research.json")
    };
    Ok(Status {
        forecast: forecast(&session, research.as_ref(), &spending, settings),
        spent: (!spending.calls.is_empty()).then_some(spending.total),
        state: match problem {
            Some(_) => State::Failed,
            None => stage::state(STAGES, path, plan),
        },
        id: session.id,
        path: path.display().to_string(),
        topic: session.topic,
        round: best.map_or(plan.round, |best| best.round),
        score: review.map(|review| review.score),
        below_threshold: best.is_some_and(|best| best.below_threshold),
        no_evidence: outcome == Some(ReportOutcome::NoEvidence),
        without_sources: outcome == Some(ReportOutcome::Direct),
        started_at: session.started_at,
        running,
        problem,
        waits_for,
    })
}
