//! What would run, and why, and what it would take: before anything is spent.

use std::path::Path as FilePath;

use axum::Json;
use axum::extract::Path;
use schemars::JsonSchema;
use serde::Serialize;

use super::app::blocking;
use super::ask::Ask;
use super::extract::JsonBody;
use super::problem::Problem;
use super::tenant::Tenant;
use crate::artifact::Session;
use crate::inspect::{StageDecision, decisions, with_quoted_first};
use crate::model::Forecast;
use crate::pipeline::{Engine, Next, Request};
use crate::run::{self, BackendConfig, Overrides, Shared};
use crate::stage::SearchForecast;
use crate::web::ProviderTable;

/// What would run in a session, and what a round of it would take.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Explanation {
    /// The name of the session.
    pub(super) session: String,
    /// `true` if it exists.
    pub(super) exists: bool,
    /// The round that is published or being made.
    pub(super) round: u32,
    /// The decision on each stage.
    pub(super) stages: Vec<StageDecision>,
    /// `true` if everything is up to date.
    pub(super) nothing_to_do: bool,
    /// The model calls, if there is a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) forecast: Option<Forecast>,
    /// The web searches of each plan, if the web would be searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) searches: Option<SearchForecast>,
}

/// `POST /v1/forecasts`: the plan and the forecast of a question. Nothing is written.
pub(super) async fn forecast(
    app: Tenant,
    JsonBody(ask): JsonBody<Ask>,
) -> Result<Json<Explanation>, Problem> {
    blocking(move || forecast_of(&app, &ask).map(Json)).await
}

pub(super) fn forecast_of(app: &Tenant, ask: &Ask) -> Result<Explanation, Problem> {
    let prepared = app.prepare(ask)?;
    let session = app.draft(&prepared)?;
    let is_offline = ask.offline;
    explain(app, &prepared.location.path, &session, is_offline)
}

/// `GET /v1/sessions/{id}/plan`.
pub(super) async fn plan(
    app: Tenant,
    Path(id): Path<String>,
) -> Result<Json<Explanation>, Problem> {
    blocking(move || {
        let (path, session) = app.session(&id)?;
        explain(&app, &path, &session, false).map(Json)
    })
    .await
}

/// What would run in the session at `path`, which need not exist.
pub(super) fn explain(
    app: &Tenant,
    path: &FilePath,
    session: &Session,
    is_offline: bool,
) -> Result<Explanation, Problem> {
    let backend = if is_offline {
        BackendConfig::default()
    } else {
        app.backend.clone()
    };
    let has_model = backend.models().is_some();
    let settings = &app.settings;
    let searches = if is_offline || session.search.is_empty() {
        None
    } else {
        let expected = run::expected_searches(settings, session, has_model);
        SearchForecast::of(session, &ProviderTable::load()?, expected)?
    };
    let (overrides, shared) = (Overrides::default(), Shared::default());
    let pipeline = run::pipeline(path, session, settings, overrides, &backend, shared)?;
    let plan = Engine::default().plan(path, &pipeline, &Request::default())?;
    let plan = with_quoted_first(path, plan);
    let is_researched = plan
        .stages
        .first()
        .is_some_and(|stage| stage.reason.skips());
    Ok(Explanation {
        session: session.id.clone(),
        exists: path.exists(),
        round: plan.round,
        stages: decisions(&plan),
        nothing_to_do: plan.next == Next::Nothing,
        forecast: backend.forecast(settings, session, path)?,
        // Only the first stage searches.
        searches: searches.filter(|_| !is_researched),
    })
}
