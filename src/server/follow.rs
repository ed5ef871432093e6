//! `GET /v1/sessions/{id}/events`: the events of a session as they happen.

use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use schemars::JsonSchema;
use serde::Deserialize;

use super::app::blocking;
use super::extract::Params;
use super::guard::stream_permit;
use super::problem::Problem;
use super::stream;
use super::tenant::Tenant;

/// The parameters of a stream of events.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct EventParams {
    /// The id of the event after which to begin, for clients that cannot send `Last-Event-ID`.
    after: Option<u64>,
}

/// Answers with the stream of the events of a session.
pub(super) async fn events(
    app: Tenant,
    Path(id): Path<String>,
    Params(params): Params<EventParams>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let tenant = app.clone();
    let (path, _) = blocking(move || tenant.session(&id)).await?;
    let last = headers.get("last-event-id");
    let last = last.and_then(|id| id.to_str().ok()?.parse().ok());
    let position = last.or(params.after).unwrap_or(0);
    // Held as long as the stream is open, unlike that of the guard.
    let permit = stream_permit(&app)?;
    let follower = app.follower(path, position);
    Ok(stream::events(follower, permit).into_response())
}
