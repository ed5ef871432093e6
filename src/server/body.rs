//! The body of a request, which is read whole before a handler sees it: bounded in size and time.

use std::time::Duration;

use axum::body::{Body, HttpBody as _};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use futures::StreamExt as _;
use tokio::time::timeout;

use super::problem::Problem;
use crate::config::ServerSettings;
use crate::text::counted;

/// How many times the limit is read of a body that is too large, so that its sender reads the
/// answer instead of failing to write (chosen by hand; nginx calls it a lingering close).
const LINGERING: usize = 16;

/// Reads the body of a request into memory.
///
/// # Errors
/// When the body is too large, does not come in time, or ends too early.
pub(super) async fn read(request: &mut Request, server: &ServerSettings) -> Result<(), Problem> {
    let max_bytes = server.max_kibibytes << 10;
    let limit = Duration::from_secs(server.read_timeout_seconds);
    let body = std::mem::take(request.body_mut());
    // A client that expects to be asked for its body has not sent any of it yet.
    let expects = request.headers().contains_key(header::EXPECT);
    if expects && body.size_hint().lower() > max_bytes as u64 {
        return Err(too_large(server));
    }
    let bytes = timeout(limit, collect(body, max_bytes)).await;
    let bytes = bytes.map_err(|_| {
        let seconds = counted(limit.as_secs() as usize, "second");
        let detail = format!("the body did not come within {seconds}; send it again");
        Problem::new(StatusCode::REQUEST_TIMEOUT, detail)
    })?;
    let bytes = bytes.map_err(|error| {
        let detail = format!("the body could not be read: {error}");
        Problem::new(StatusCode::BAD_REQUEST, detail)
    })?;
    *request.body_mut() = Body::from(bytes.ok_or_else(|| too_large(server))?);
    Ok(())
}

fn too_large(server: &ServerSettings) -> Problem {
    let detail = format!(
        "the body is larger than {} KiB, the limit of this server (server.max_kibibytes)",
        server.max_kibibytes
    );
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
}

/// The bytes of a body; `None` if there are more than `max_bytes`.
async fn collect(body: Body, max_bytes: usize) -> Result<Option<Vec<u8>>, axum::Error> {
    let mut bytes = Vec::new();
    let mut length = 0;
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk?;
        length += chunk.len();
        if length <= max_bytes {
            bytes.extend_from_slice(&chunk);
        } else if length > max_bytes.saturating_mul(LINGERING) {
            break;
        }
    }
    Ok((length <= max_bytes).then_some(bytes))
}
