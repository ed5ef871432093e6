//! A run of a pipeline, as a span of the diagnostics.

use std::path::Path;

use anyhow::Result;
use tracing::{Instrument as _, info_span};

use crate::pipeline::{Engine, Outcome, Pipeline, Request};

/// Runs the pipeline of the session at `path`, within the span `run` that names the session.
///
/// # Errors
/// As [`Engine::run`].
pub async fn execute(
    engine: &Engine,
    path: &Path,
    pipeline: &Pipeline,
    request: &Request,
) -> Result<Outcome> {
    let id = path.file_name().unwrap_or_default().to_string_lossy();
    let span = info_span!("run", session = %id);
    engine.run(path, pipeline, request).instrument(span).await
}
