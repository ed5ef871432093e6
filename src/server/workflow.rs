//! The small interface of programs that want a report and no more: health, a run from question to
//! report in one request, the graph of the pipeline.

use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::app::{App, blocking, wait};
use super::ask::Ask;
use super::extract::JsonBody;
use super::files::linked_report;
use super::list::Latest;
use super::metrics::Exposition;
use super::problem::Problem;
use super::tenant::Tenant;
use crate::artifact::Research;
use crate::artifact::session::State as SessionState;
use crate::inspect::{self, Graph};
use crate::pipeline::read_events;
use crate::run::artifacts::content;
use crate::run::fetching::comma_separated;

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
    /// The number of sessions that run here, where they are all yours.
    #[serde(skip_serializing_if = "Option::is_none")]
    running: Option<usize>,
    /// The number of sessions that wait for a run here, where they are all yours.
    #[serde(skip_serializing_if = "Option::is_none")]
    queued: Option<usize>,
}

/// A question to be answered in one request.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RunRequest {
    /// The question.
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
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
    /// The published report, as Markdown with links to the files of the session on this server.
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
    let is_shared = app.identity.is_none();
    if *app.is_ending.borrow() || queued >= app.settings.server.max_queued {
        let detail = "no run can be taken now; try again later";
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail));
    }
    Ok(Json(Ready {
        status: "ready",
        running: is_shared.then_some(running),
        queued: is_shared.then_some(queued),
    }))
}

/// `POST /run`: researches a question and returns the report. The run goes on if the client goes
/// away.
pub(super) async fn run(
    app: Tenant,
    JsonBody(request): JsonBody<RunRequest>,
) -> Result<Json<RunReply>, Problem> {
    let ask = request.ask()?;
    let starting = app.clone();
    let started = blocking(move || starting.start(&ask)).await?;
    wait(started.ended).await?;
    blocking(move || reply(&app, &started.path).map(Json)).await
}

impl RunRequest {
    /// The question that it asks.
    ///
    /// # Errors
    /// When it asks nothing, or for too many rounds.
    pub(super) fn ask(self) -> Result<Ask, Problem> {
        if self.query.trim().is_empty() {
            let detail = "the query is empty; ask something";
            return Err(Problem::of_field("query", detail));
        }
        if !(1..=10).contains(&self.max_iterations) {
            let detail = "max_iterations has to be between 1 and 10";
            return Err(Problem::of_field("max_iterations", detail));
        }
        Ok(Ask {
            topic: self.query,
            max_rounds: Some(self.max_iterations),
            offline: self.mock,
            no_clarify: true,
            ..Ask::default()
        })
    }
}

/// What came of the session at `path`.
///
/// # Errors
/// When it has no report.
pub(super) fn reply(app: &Tenant, path: &Path) -> Result<RunReply, Problem> {
    let status = inspect::status(path, &app.settings)?;
    let research: Option<Research> = content(path, "research.json");
    let events = read_events(path);
    Ok(RunReply {
        final_output: linked_report(path)?,
        message_count: events.iter().filter(|one| one.event.is_of_stage()).count(),
        research_count: research.map_or(0, |research| research.findings.len()),
        iteration_count: status.round,
        task_id: status.id,
        query: status.topic,
        status: status.state,
    })
}

/// `GET /metrics`. Where there are owners, it is for those of `server.operators`: it counts the
/// sessions of all.
pub(super) async fn metrics(app: Tenant, headers: HeaderMap) -> Result<Response, Problem> {
    let operators = comma_separated(&app.settings.server.operators);
    let is_operator = |owner: &str| operators.iter().any(|own| own == owner);
    if !app.owner().is_none_or(is_operator) {
        let detail = "the metrics are for the owners of server.operators";
        return Err(Problem::new(StatusCode::NOT_FOUND, detail));
    }
    let format = Exposition::of_request(&headers);
    blocking(move || {
        let mut states = Vec::new();
        for tenant in app.all() {
            for (path, session) in Latest::read(&tenant)?.sessions {
                let status = inspect::summary(&path, session, &app.settings);
                states.push(status.map_or(SessionState::Broken, |status| status.state));
            }
        }
        Ok(app.metrics.answer(format, app.queue.lengths(), &states))
    })
    .await
}

/// `GET /graph`.
pub(super) async fn graph(app: Tenant) -> Result<Json<Graph>, Problem> {
    blocking(move || Ok(Json(inspect::graph(None, &app.settings)?))).await
}
