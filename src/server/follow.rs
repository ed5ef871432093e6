//! `GET /v1/sessions/{id}/events`: the events of a session as they happen.

use std::path::Path as FilePath;
use std::sync::Arc;

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use schemars::JsonSchema;
use serde::Deserialize;

use super::app::blocking;
use super::extract::Params;
use super::guard::stream_permit;
use super::problem::Problem;
use super::stream::{self, IsLive};
use super::tenant::Tenant;
use crate::pipeline::Lock;

/// The parameters of a stream of events.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct EventParams {
    /// The id of the event after which to begin, for clients that cannot send `Last-Event-ID`.
    after: Option<u64>,
}

/// Answers with the stream of the events of a session, which ends when nothing runs there any more;
/// with no content if a client that has seen all of them asks for more then.
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
    let is_live = is_live(&app, &path);
    // A browser that comes back for more would do so for ever (`EventSource`).
    if position > 0 && position == stream::length_of(&path) && !is_live() {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    // Held as long as the stream is open, unlike that of the guard.
    let permit = stream_permit(&app)?;
    let follower = app.follower(path, position);
    Ok(stream::events(follower, is_live, permit).into_response())
}

/// Tells whether a run of the session at `path` waits or lasts, here or in another process.
fn is_live(app: &Tenant, path: &FilePath) -> IsLive {
    let (app, path) = (app.clone(), path.to_owned());
    Arc::new(move || app.queue.has(&path) || Lock::is_locked(&path))
}
