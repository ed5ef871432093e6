//! The pipeline of a session, made from its terms and the settings.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use serde::Serialize;

use super::backend::BackendConfig;
use super::mode::settings_of;
use super::reader::reader;
use crate::artifact::Session;
use crate::artifact::session::Mode;
use crate::config::Settings;
use crate::extension::Extensions;
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
    let replay = backend.replayed().map(Path::to_owned);
    // The rules run no tool, and a replay has what the tools returned.
    let extensions = match backend.models().filter(|_| replay.is_none()) {
        Some(_) => Extensions::load()?,
        None => Extensions::default(),
    };
    let backend = backend.backend(session, settings)?;
    let deadline = backend.gathering_deadline();
    let max_rounds = overrides.max_rounds.unwrap_or(session.max_rounds);
    let context = Context {
        threshold: overrides.threshold.unwrap_or(session.threshold),
        max_rounds: match session.mode {
            Mode::Simple | Mode::WebSearch => 1,
            Mode::DeepResearch => max_rounds,
        },
        clarify: session.clarify && !overrides.no_clarify,
        approve_plan: overrides.approve_plan,
        documents: session::documents(path, session),
        inherited: session::inherited(path, session),
        settings: settings_of(settings, session.mode),
        reader: reader(settings)?,
        libraries: shared.libraries,
        extensions,
        // What is under way on the web ends with the time for gathering.
        web_client: shared.web.map(|web| Arc::new(web.until(deadline))),
        replay,
        backend,
    };
    Ok(stage::pipeline(STAGES, context))
}
