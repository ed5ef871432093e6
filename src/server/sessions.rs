//! Sessions as resources: start, show, resume, approve, answer, cancel, and what can be computed
//! from one.

use std::path::{Path as FilePath, PathBuf};

use axum::Json;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::app::blocking;
use super::ask::{Ask, RunTerms};
use super::extract::{JsonBody, Params};
use super::problem::Problem;
use super::tenant::Tenant;
use crate::artifact::Session;
use crate::export::difference::Difference;
use crate::inspect::{self, Comparison, Graph, Spending, Status, Tasks, VerifyReport};
use crate::pipeline::{Digest, Disk, Lock, Request};
use crate::run;
use crate::session;
use crate::stage::{self, STAGES};

/// The result of a handler.
type Reply<T> = Result<Json<T>, Problem>;

/// A session.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SessionView {
    /// Its status, computed from its files.
    pub(super) status: Status,
    /// The number of runs before its own, if it waits for one on this server.
    #[serde(skip_serializing_if = "Option::is_none")]
    queued: Option<usize>,
    /// `true` if its run was cancelled on this server and has not stopped yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    stopping: bool,
    /// The questions that it waits with.
    #[serde(skip_serializing_if = "Option::is_none")]
    questions: Option<Vec<String>>,
}

impl SessionView {
    pub(super) fn of(app: &Tenant, path: &FilePath) -> Result<Self, Problem> {
        // Before the status: a run that ends in between is seen to stop, and not to go on.
        let stopping = app.queue.is_stopping(path);
        let status = inspect::status(path, &app.settings)?;
        Ok(Self {
            stopping,
            ..Self::by_status(app, path, status)
        })
    }

    /// The session at `path` with this status.
    pub(super) fn by_status(app: &Tenant, path: &FilePath, status: Status) -> Self {
        Self {
            queued: app.queue.position(path),
            stopping: app.queue.is_stopping(path),
            questions: run::questions(path),
            status,
        }
    }

    /// `true` if it waits for a run here, or runs anywhere.
    pub(super) fn is_live(&self, app: &Tenant, path: &FilePath) -> bool {
        self.status.running.is_some() || app.queue.has(path)
    }
}

/// `POST /v1/sessions`: opens the session of a question and puts its run into the queue. The same
/// question is the same session.
pub(super) async fn start(
    app: Tenant,
    headers: HeaderMap,
    JsonBody(ask): JsonBody<Ask>,
) -> Result<Response, Problem> {
    let key = headers.get("idempotency-key").map(HeaderValue::as_bytes);
    let key = key.map(|key| (app.scoped(key), Digest::of_value(&ask)));
    blocking(move || {
        if let Some((key, body)) = &key
            && app
                .idempotency
                .body_of(key)
                .is_some_and(|other| other != *body)
        {
            let detail = "this idempotency key was used for another question; choose a new one";
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail));
        }
        let started = app.start(&ask)?;
        if let Some((key, body)) = key {
            app.idempotency.remember(key, body);
        }
        let view = SessionView::of(&app, &started.path)?;
        let location = format!("/v1/sessions/{}", started.id);
        let status = if started.is_new {
            StatusCode::CREATED
        } else {
            StatusCode::OK
        };
        let mut response = (status, Json(view)).into_response();
        if let Ok(location) = HeaderValue::from_str(&location) {
            response.headers_mut().insert(header::LOCATION, location);
        }
        Ok(response)
    })
    .await
}

/// `GET /v1/sessions/{id}`.
pub(super) async fn show(app: Tenant, Path(id): Path<String>) -> Reply<SessionView> {
    blocking(move || SessionView::of(&app, &app.session(&id)?.0).map(Json)).await
}

/// The terms of a further run of a session. What is left out is as in its first run.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Resume {
    /// The stage from which everything is made again; existing files are moved aside.
    from: Option<String>,
    /// The stage after which the run stops.
    until: Option<String>,
    /// `true` to make again what was made with another prompt, model or configuration.
    refresh: bool,
    /// `true` to leave documents that have changed as they were read.
    frozen: bool,
    /// `true` to use no model and no network.
    offline: bool,
    /// The review score from which a round is accepted.
    #[schemars(range(min = 0.0, max = 1.0))]
    threshold: Option<f64>,
    /// The maximum number of rounds.
    #[schemars(range(min = 1, max = 100))]
    max_rounds: Option<u32>,
    /// `true` to ask no clarifying questions.
    no_clarify: bool,
    /// `true` to stop after the first plan, for approval.
    approve_plan: bool,
    /// The maximum cost in US dollars; 0 for no limit.
    #[schemars(range(min = 0.0))]
    max_cost_usd: Option<f64>,
    /// The maximum number of tokens; 0 for no limit.
    max_tokens: Option<u64>,
    /// The time limit in seconds; 0 for no limit.
    timeout_seconds: Option<u64>,
}

impl Resume {
    fn terms(self, app: &Tenant) -> Result<RunTerms, Problem> {
        for (field, name) in [("from", &self.from), ("until", &self.until)] {
            let names = stage::names(STAGES);
            if let Some(name) = name
                && !names.contains(&name.as_str())
            {
                let detail = format!("there is no stage {name:?}");
                return Err(Problem::of_field(field, detail));
            }
        }
        let ask = Ask {
            offline: self.offline,
            threshold: self.threshold,
            max_rounds: self.max_rounds,
            no_clarify: self.no_clarify,
            approve_plan: self.approve_plan,
            max_cost_usd: self.max_cost_usd,
            max_tokens: self.max_tokens,
            timeout_seconds: self.timeout_seconds,
            ..Ask::default()
        };
        ask.check_terms()?;
        ask.check_limit(&app.backend, &app.settings)?;
        let request = Request {
            from: self.from,
            until: self.until,
            refresh: self.refresh,
            frozen: self.frozen,
            ..Request::default()
        };
        let position = |name: &Option<String>| {
            STAGES
                .iter()
                .position(|own| Some(own.name) == name.as_deref())
        };
        if let (Some(from), Some(until)) = (position(&request.from), position(&request.until))
            && from > until
        {
            return Err(Problem::of_field(
                "until",
                "it is before the stage to begin from",
            ));
        }
        Ok(RunTerms {
            request,
            ..ask.run_terms(ask.settings(&app.settings))
        })
    }
}

/// Nothing; an object without fields.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Nothing {}

/// The answer to the questions of a session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    /// The answer.
    #[schemars(length(min = 1))]
    text: String,
}

/// `POST /v1/sessions/{id}/resume`: goes on with a session.
pub(super) async fn resume(
    app: Tenant,
    Path(id): Path<String>,
    JsonBody(resume): JsonBody<Resume>,
) -> Result<Response, Problem> {
    blocking(move || {
        let (path, session) = app.session(&id)?;
        let terms = resume.terms(&app)?;
        accepted(&app, path, session, terms)
    })
    .await
}

/// `POST /v1/sessions/{id}/approve`: carries out the plan that a session waits with.
pub(super) async fn approve(
    app: Tenant,
    Path(id): Path<String>,
    JsonBody(Nothing {}): JsonBody<Nothing>,
) -> Result<Response, Problem> {
    blocking(move || approve_plan(&app, &id)).await
}

/// `true` if the session at `path` waits for the approval of its plan.
///
/// # Errors
/// When it cannot be read.
pub(super) fn waits_with_plan(app: &Tenant, path: &FilePath) -> Result<bool, Problem> {
    let status = inspect::status(path, &app.settings)?;
    Ok(status.waits_for.is_some() && run::questions(path).is_none())
}

pub(super) fn approve_plan(app: &Tenant, id: &str) -> Result<Response, Problem> {
    let (path, session) = app.session(id)?;
    if !waits_with_plan(app, &path)? {
        let detail = "the session has no plan that waits for approval";
        return Err(Problem::new(StatusCode::CONFLICT, detail));
    }
    let terms = RunTerms::of_session(&session, &app.settings).approved();
    accepted(app, path, session, terms)
}

/// `POST /v1/sessions/{id}/answer`: answers the questions that a session waits with.
pub(super) async fn answer(
    app: Tenant,
    Path(id): Path<String>,
    JsonBody(answer): JsonBody<Answer>,
) -> Result<Response, Problem> {
    blocking(move || answer_questions(&app, &id, &answer.text)).await
}

pub(super) fn answer_questions(app: &Tenant, id: &str, text: &str) -> Result<Response, Problem> {
    let (path, session) = app.session(id)?;
    write_answer(app, &path, text)?;
    let terms = RunTerms::of_session(&session, &app.settings);
    accepted(app, path, session, terms)
}

/// Writes the answer to the questions that the session at `path` waits with.
///
/// # Errors
/// When the answer is empty, or the session waits with none.
pub(super) fn write_answer(app: &Tenant, path: &FilePath, text: &str) -> Result<(), Problem> {
    if text.trim().is_empty() {
        return Err(Problem::of_field("text", "the answer is empty"));
    }
    if run::questions(path).is_none() {
        let detail = "the session waits with no question";
        return Err(Problem::new(StatusCode::CONFLICT, detail));
    }
    Ok(run::answer(path, text.trim(), app.clock)?)
}

fn accepted(
    app: &Tenant,
    path: PathBuf,
    session: Session,
    terms: RunTerms,
) -> Result<Response, Problem> {
    app.enqueue(path.clone(), session, terms)?;
    let view = SessionView::of(app, &path)?;
    Ok((StatusCode::ACCEPTED, Json(view)).into_response())
}

/// `POST /v1/sessions/{id}/cancel`: stops a run at the next safe point; it can be resumed.
pub(super) async fn cancel(
    app: Tenant,
    Path(id): Path<String>,
    JsonBody(Nothing {}): JsonBody<Nothing>,
) -> Result<Response, Problem> {
    blocking(move || cancel_run(&app, &id)).await
}

pub(super) fn cancel_run(app: &Tenant, id: &str) -> Result<Response, Problem> {
    let (path, _) = app.session(id)?;
    if !app.queue.cancel(&path) {
        let detail = if Lock::is_locked(&path) {
            "another process runs the session; stop it there"
        } else {
            "the session does not run"
        };
        return Err(Problem::new(StatusCode::CONFLICT, detail));
    }
    let view = SessionView::of(app, &path)?;
    Ok((StatusCode::ACCEPTED, Json(view)).into_response())
}

/// `DELETE /v1/sessions/{id}`: removes a session with all of its files.
pub(super) async fn remove(app: Tenant, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    blocking(move || {
        let (path, _) = app.session(&id)?;
        if app.queue.has(&path) {
            let detail = "the session is running; cancel the run first";
            return Err(Problem::new(StatusCode::CONFLICT, detail));
        }
        if let Some(follower) = session::followers(&path)?.first() {
            let detail = format!("{follower} follows it and reads its sources; remove that first");
            return Err(Problem::new(StatusCode::CONFLICT, detail));
        }
        session::remove(&path, &Disk::default(), app.clock)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// `GET /v1/sessions/{id}/tasks`: the steps of the plan with their agents and progress.
pub(super) async fn tasks(app: Tenant, Path(id): Path<String>) -> Reply<Tasks> {
    blocking(move || Ok(Json(inspect::tasks(&app.session(&id)?.0)))).await
}

/// `GET /v1/sessions/{id}/verification`.
pub(super) async fn verify(app: Tenant, Path(id): Path<String>) -> Reply<VerifyReport> {
    blocking(move || {
        let (path, _) = app.session(&id)?;
        if !path.join("research.json").exists() {
            let detail = "nothing was researched yet, so there is nothing to verify";
            return Err(Problem::new(StatusCode::CONFLICT, detail));
        }
        Ok(Json(inspect::verify(&path)?))
    })
    .await
}

/// `GET /v1/sessions/{id}/calls`.
pub(super) async fn calls(app: Tenant, Path(id): Path<String>) -> Reply<Spending> {
    blocking(move || Ok(Json(inspect::spending(&app.session(&id)?.0)?))).await
}

/// `GET /v1/sessions/{id}/graph`.
pub(super) async fn graph(app: Tenant, Path(id): Path<String>) -> Reply<Graph> {
    blocking(move || {
        let (path, _) = app.session(&id)?;
        Ok(Json(inspect::graph(Some(&path), &app.settings)?))
    })
    .await
}

/// The parameters of a comparison.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct DiffParams {
    /// The earlier round.
    pub(super) from: Option<u32>,
    /// The later round.
    pub(super) to: Option<u32>,
    /// Another session, instead of rounds.
    pub(super) with: Option<String>,
}

/// `GET /v1/sessions/{id}/diff`.
pub(super) async fn diff(
    app: Tenant,
    Path(id): Path<String>,
    Params(params): Params<DiffParams>,
) -> Reply<Difference> {
    blocking(move || Ok(Json(compare(&app, &id, &params)?.difference()))).await
}

pub(super) fn compare(app: &Tenant, id: &str, params: &DiffParams) -> Result<Comparison, Problem> {
    let (path, _) = app.session(id)?;
    let Some(other) = &params.with else {
        return Ok(Comparison::of_rounds(
            &path,
            &app.settings,
            params.from,
            params.to,
        )?);
    };
    if params.from.is_some() || params.to.is_some() {
        let detail = "name two rounds, or another session, not both";
        return Err(Problem::of_field("with", detail));
    }
    let (other, _) = app.session(other)?;
    Ok(Comparison::of_sessions(&path, &other, &app.settings)?)
}
