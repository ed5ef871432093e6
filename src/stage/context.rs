//! The values with which a run's stages are built: settings, documents, the web, the backend.

use std::path::PathBuf;
use std::sync::Arc;

use super::libraries::Libraries;
use crate::agent::Backend;
use crate::artifact::stored::without_copies;
use crate::config::Settings;
use crate::extension::Extensions;
use crate::read::Reader;
use crate::web::WebClient;

/// The dependencies of the stages, besides the session's files.
pub struct Context {
    /// All settings.
    pub settings: Settings,
    /// The score from which a round is accepted in this run.
    pub threshold: f64,
    /// The largest number of rounds in this run.
    pub max_rounds: u32,
    /// `true` if the coordinator may ask back in this run.
    pub clarify: bool,
    /// `true` if this run stops after the first plan, for the user to approve or edit it.
    pub approve_plan: bool,
    /// The documents to search: files and directories.
    pub documents: Vec<PathBuf>,
    /// The documents of the session that it follows, which are searched unless the topic only asks
    /// for a clarification.
    pub inherited: Vec<PathBuf>,
    /// The reader of these documents.
    pub reader: Reader,
    /// The libraries that are open in this process, shared by its sessions.
    pub libraries: Libraries,
    /// The user's tools and sub-agents, for models.
    pub extensions: Extensions,
    /// The web client; `None` if the web is not to be used.
    pub web_client: Option<Arc<WebClient>>,
    /// The session whose journals of calls and of the web are replayed, if this is a replay.
    pub replay: Option<PathBuf>,
    /// The agents' rules (plain code), or the models that answer for the agents.
    pub backend: Backend,
}

impl Context {
    /// The documents to search, those of the session that it follows among them; without copies.
    pub(super) fn searched(&self) -> Vec<PathBuf> {
        without_copies(&self.documents, &self.inherited)
    }
}
