//! The small interface of programs that want a report and no more: health, a run from question to
//! report in one request, the graph of the pipeline.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::app::{App, blocking, wait};
use super::ask::Ask;
use super::extract::JsonBody;
use super::problem::Problem;
use crate::artifact::Research;
use crate::artifact::session::State as SessionState;
use crate::inspect::{self, Graph};
use crate::pipeline::read_events;
use crate::run::artifacts::content;

/// The health of the server.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Health {
    /// `healthy`.
    status: &'static str,
    /// The version of the program.
    version: &'static str,
}

/// The readiness of the server for runs.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Ready {
    /// `ready`.
    status: &'static str,
    /// The number of sessions that run here.
    running: usize,
    /// The number of sessions that wait for a run here.
    queued: usize,
}

/// A question to be answered in one request.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RunRequest {
    /// The question.
    #[schemars(length(min = 1))]
    query: String,
    /// The maximum number of rounds.
    #[serde(default = "default_iterations")]
    #[schemars(range(min = 1, max = 10))]
    max_iterations: u32,
    /// `true` to use no model and no network: the agents follow their rules.
    #[serde(default)]
    mock: bool,
}

fn default_iterations() -> u32 {
    3
}

/// The report that answers a question.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RunReply {
    /// The name of the session.
    task_id: String,
    /// The question.
    query: String,
    /// The state of the session.
    status: SessionState,
    /// The published report, as Markdown.
    final_output: String,
    /// The number of messages that the stages have reported.
    message_count: usize,
    /// The number of the published round.
    iteration_count: u32,
    /// The number of findings.
    research_count: usize,
}

/// `GET /health`.
pub(super) async fn health() -> Json<Health> {
    Json(Health {
        status: "healthy",
        version: env!("CARGO_PKG_VERSION"),
    })
}

/// `GET /ready`.
pub(super) async fn ready(State(app): State<Arc<App>>) -> Result<Json<Ready>, Problem> {
    let (running, queued) = app.queue.lengths();
    if *app.is_ending.borrow() || queued >= app.settings.server.max_queued {
        let detail = format!("no run can be taken: {running} are running, {queued} are waiting");
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail));
    }
    Ok(Json(Ready {
        status: "ready",
        running,
        queued,
    }))
}

/// `POST /run`: researches a question and returns the report. The run goes on if the client goes
/// away.
pub(super) async fn run(
    State(app): State<Arc<App>>,
    JsonBody(request): JsonBody<RunRequest>,
) -> Result<Json<RunReply>, Problem> {
    if request.query.trim().is_empty() {
        return Err(Problem::of_field(
            "query",
            "the query is empty; ask something",
        ));
    }
    if !(1..=10).contains(&request.max_iterations) {
        let detail = "max_iterations has to be between 1 and 10";
        return Err(Problem::of_field("max_iterations", detail));
    }
    let ask = Ask {
        topic: request.query,
        max_rounds: Some(request.max_iterations),
        offline: request.mock,
        no_clarify: true,
        ..Ask::default()
    };
    let starting = app.clone();
    let (path, ended) = blocking(move || {
        let prepared = starting.prepare(&ask)?;
        let session = starting.open(&prepared)?;
        let path = prepared.location.path;
        let ended = starting.enqueue(path.clone(), session, prepared.terms)?;
        Ok((path, ended))
    })
    .await?;
    wait(ended).await?;
    blocking(move || {
        let status = inspect::status(&path, &app.settings)?;
        let research: Option<Research> = content(&path, "research.json");
        let events = read_events(&path);
        Ok(Json(RunReply {
            final_output: inspect::published_report(&path)?,
            message_count: events.iter().filter(|one| one.event.is_of_stage()).count(),
            research_count: research.map_or(0, |research| research.findings.len()),
            iteration_count: status.round,
            task_id: status.id,
            query: status.topic,
            status: status.state,
        }))
    })
    .await
}

/// `GET /graph`.
pub(super) async fn graph(State(app): State<Arc<App>>) -> Result<Json<Graph>, Problem> {
    blocking(move || Ok(Json(inspect::graph(None, &app.settings)?))).await
}
