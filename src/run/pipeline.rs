//! The pipeline of a session, made from its terms and the settings.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use serde::Serialize;

use super::backend::BackendConfig;
use super::reader::reader;
use crate::artifact::Session;
use crate::config::Settings;
use crate::pipeline::Pipeline;
use crate::session;
use crate::stage::{self, Context, Libraries, STAGES};
use crate::web::WebClient;

/// The terms of a session that a run overrides, for this run only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Overrides {
    /// The score from which a round is accepted, 0 to 1.
    pub threshold: Option<f64>,
    /// The maximum number of rounds.
    pub max_rounds: Option<u32>,
    /// `true` if the coordinator must not ask clarifying questions.
    pub no_clarify: bool,
    /// `true` if the run stops after the first plan, for the user to approve or edit it.
    pub approve_plan: bool,
}

/// The resources that all sessions of a process share. The default shares nothing and has no web.
#[derive(Clone, Default)]
pub struct Shared {
    /// The cache of open document libraries.
    pub libraries: Libraries,
    /// The web client; `None` where the web must not be used.
    pub web: Option<Arc<WebClient>>,
}

/// Builds the pipeline of the session at `path`.
///
/// # Errors
/// When the path of this program, which reads PDFs as a child process, is unknown, or the journal
/// to be replayed cannot be read.
pub fn pipeline(
    path: &Path,
    session: &Session,
    settings: &Settings,
    overrides: Overrides,
    backend: &BackendConfig,
    shared: Shared,
) -> Result<Pipeline> {
    let context = Context {
        threshold: overrides.threshold.unwrap_or(session.threshold),
        max_rounds: overrides.max_rounds.unwrap_or(session.max_rounds),
        clarify: session.clarify && !overrides.no_clarify,
        approve_plan: overrides.approve_plan,
        documents: session::documents(path, session),
        settings: settings.clone(),
        reader: reader(settings)?,
        libraries: shared.libraries,
        web_client: shared.web,
        backend: backend.backend(session, settings)?,
    };
    Ok(stage::pipeline(STAGES, context))
}
