//! Sessions as resources: start, list, show, resume, approve, answer, cancel, and what can be
//! computed from one.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::app::{App, blocking};
use super::ask::{Ask, RunTerms};
use super::extract::{JsonBody, Params};
use super::files;
use super::problem::Problem;
use crate::artifact::Session;
use crate::artifact::session::State as SessionState;
use crate::export::FORMATS;
use crate::export::Kind;
use crate::export::citation::Style;
use crate::export::difference::Difference;
use crate::inspect::{self, Comparison, ExportOptions, Graph, Spending, Status, VerifyReport};
use crate::pipeline::{Digest, Lock, Request};
use crate::run;
use crate::session;
use crate::stage::{self, STAGES};

/// The result of a handler.
type Reply<T> = Result<Json<T>, Problem>;

/// A session.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SessionView {
    /// Its status, computed from its files.
    status: Status,
    /// The number of runs before its own, if it waits for one on this server.
    #[serde(skip_serializing_if = "Option::is_none")]
    queued: Option<usize>,
    /// The questions that it waits with.
    #[serde(skip_serializing_if = "Option::is_none")]
    questions: Option<Vec<String>>,
}

impl SessionView {
    pub(super) fn of(app: &App, path: &std::path::Path) -> Result<Self, Problem> {
        let status = inspect::status(path, &app.settings)?;
        Ok(Self {
            queued: app.queue.position(&status.id),
            questions: run::questions(path),
            status,
        })
    }

    /// `true` if it waits for a run here, or runs anywhere.
    pub(super) fn is_live(&self, app: &App) -> bool {
        self.status.running.is_some() || app.queue.has(&self.status.id)
    }
}

/// The parameters of the list of sessions.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ListParams {
    /// Only sessions in this state.
    state: Option<SessionState>,
    /// Only sessions whose topic contains this text.
    topic: Option<String>,
    /// Only sessions after this one, as `next` of the page before names it.
    after: Option<String>,
    /// The maximum number of sessions.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
}

/// A page of the list of sessions.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SessionList {
    /// The sessions, the latest names first.
    sessions: Vec<SessionView>,
    /// The value of `after` for the next page, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// The sessions that cannot be read, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<String>,
}

/// `GET /v1/sessions`.
pub(super) async fn list(
    State(app): State<Arc<App>>,
    Params(params): Params<ListParams>,
) -> Reply<SessionList> {
    blocking(move || page(&app, &params).map(Json)).await
}

pub(super) fn page(app: &App, params: &ListParams) -> Result<SessionList, Problem> {
    let limit = params.limit.unwrap_or(20);
    if !(1..=100).contains(&limit) {
        return Err(Problem::of_field(
            "limit",
            "limit has to be between 1 and 100",
        ));
    }
    let mut list = SessionList {
        sessions: Vec::new(),
        next: None,
        problems: Vec::new(),
    };
    let mut ids = session::ids(app.output_dir())?;
    ids.retain(|id| params.after.as_ref().is_none_or(|after| id < after));
    let topic = params.topic.as_deref().map(str::to_lowercase);
    while let Some(id) = ids.pop() {
        let view = app
            .session(&id)
            .and_then(|(path, _)| SessionView::of(app, &path));
        match view {
            Ok(view) => {
                let is_wanted = params.state.is_none_or(|state| state == view.status.state)
                    && topic
                        .as_ref()
                        .is_none_or(|words| view.status.topic.to_lowercase().contains(words));
                list.sessions.extend(is_wanted.then_some(view));
            }
            // An unreadable session must not hide the others.
            Err(problem) => list.problems.push(format!("{id}: {}", problem.detail)),
        }
        if list.sessions.len() == limit {
            list.next = (!ids.is_empty()).then_some(id);
            break;
        }
    }
    Ok(list)
}

/// `POST /v1/sessions`: opens the session of a question and puts its run into the queue. The same
/// question is the same session.
pub(super) async fn start(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    JsonBody(ask): JsonBody<Ask>,
) -> Result<Response, Problem> {
    let key = headers.get("idempotency-key").map(HeaderValue::as_bytes);
    let key = key.map(|key| (key.to_owned(), Digest::of_value(&ask)));
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
        let prepared = app.prepare(&ask)?;
        let is_new = !prepared.location.exists;
        let session = app.open(&prepared)?;
        let path = prepared.location.path;
        app.enqueue(path.clone(), session, prepared.terms)?;
        if let Some((key, body)) = key {
            app.idempotency.remember(key, body);
        }
        let view = SessionView::of(&app, &path)?;
        let location = format!("/v1/sessions/{}", view.status.id);
        let status = if is_new {
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
pub(super) async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Reply<SessionView> {
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
    fn terms(self, app: &App) -> Result<RunTerms, Problem> {
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
    State(app): State<Arc<App>>,
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
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    JsonBody(Nothing {}): JsonBody<Nothing>,
) -> Result<Response, Problem> {
    blocking(move || approve_plan(&app, &id)).await
}

pub(super) fn approve_plan(app: &Arc<App>, id: &str) -> Result<Response, Problem> {
    let (path, session) = app.session(id)?;
    let status = inspect::status(&path, &app.settings)?;
    if status.waits_for.is_none() || run::questions(&path).is_some() {
        let detail = "the session has no plan that waits for approval";
        return Err(Problem::new(StatusCode::CONFLICT, detail));
    }
    accepted(app, path, session, RunTerms::default())
}

/// `POST /v1/sessions/{id}/answer`: answers the questions that a session waits with.
pub(super) async fn answer(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    JsonBody(answer): JsonBody<Answer>,
) -> Result<Response, Problem> {
    blocking(move || answer_questions(&app, &id, &answer.text)).await
}

pub(super) fn answer_questions(app: &Arc<App>, id: &str, text: &str) -> Result<Response, Problem> {
    let (path, session) = app.session(id)?;
    if text.trim().is_empty() {
        return Err(Problem::of_field("text", "the answer is empty"));
    }
    if run::questions(&path).is_none() {
        let detail = "the session waits with no question";
        return Err(Problem::new(StatusCode::CONFLICT, detail));
    }
    run::answer(&path, text.trim(), app.clock)?;
    accepted(app, path, session, RunTerms::default())
}

fn accepted(
    app: &Arc<App>,
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
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    JsonBody(Nothing {}): JsonBody<Nothing>,
) -> Result<Response, Problem> {
    blocking(move || cancel_run(&app, &id)).await
}

pub(super) fn cancel_run(app: &Arc<App>, id: &str) -> Result<Response, Problem> {
    let (path, _) = app.session(id)?;
    if !app.queue.cancel(id) {
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

/// `GET /v1/sessions/{id}/verification`.
pub(super) async fn verify(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Reply<VerifyReport> {
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
pub(super) async fn calls(State(app): State<Arc<App>>, Path(id): Path<String>) -> Reply<Spending> {
    blocking(move || Ok(Json(inspect::spending(&app.session(&id)?.0)?))).await
}

/// `GET /v1/sessions/{id}/graph`.
pub(super) async fn graph(State(app): State<Arc<App>>, Path(id): Path<String>) -> Reply<Graph> {
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
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Params(params): Params<DiffParams>,
) -> Reply<Difference> {
    blocking(move || Ok(Json(compare(&app, &id, &params)?.difference()))).await
}

pub(super) fn compare(app: &App, id: &str, params: &DiffParams) -> Result<Comparison, Problem> {
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

/// The media type of an export.
fn media_type(extension: &str) -> &'static str {
    match extension {
        "html" => "text/html; charset=utf-8",
        "pdf" => "application/pdf",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "bib" => "application/x-bibtex; charset=utf-8",
        "ris" => "application/x-research-info-systems; charset=utf-8",
        extension => files::media_type(extension),
    }
}

/// The parameters of an export.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ExportParams {
    /// The format: `markdown`, `html`, `json` …; by default the first.
    format: Option<String>,
    /// The part of the report.
    kind: Kind,
    /// The citation style of the references.
    citations: Option<Style>,
    /// The round; by default the published one.
    round: Option<u32>,
}

/// `GET /v1/sessions/{id}/export`.
pub(super) async fn export(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Params(params): Params<ExportParams>,
) -> Result<Response, Problem> {
    blocking(move || {
        let (path, _) = app.session(&id)?;
        let name = params.format.as_deref().unwrap_or(FORMATS[0].name);
        let usable = FORMATS.iter().filter(|format| format.missing.is_none());
        let names: Vec<&str> = usable.clone().map(|format| format.name).collect();
        let format = usable.clone().find(|format| format.name == name);
        let format = format.ok_or_else(|| {
            let detail = format!(
                "there is no format {name:?}; there are {}",
                names.join(", ")
            );
            Problem::of_field("format", detail)
        })?;
        let options = ExportOptions {
            kind: params.kind,
            style: params.citations,
            round: params.round,
            base: format!("/v1/sessions/{id}/files/"),
        };
        let exported = inspect::export(&path, &app.settings, format, options)?;
        let headers = [
            (
                header::CONTENT_TYPE,
                media_type(format.extension).to_owned(),
            ),
            (
                header::CONTENT_DISPOSITION,
                format!(
                    "attachment; filename=\"{}.{}\"",
                    id.replace('"', ""),
                    format.extension
                ),
            ),
        ];
        Ok((headers, exported.bytes).into_response())
    })
    .await
}
