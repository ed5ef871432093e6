//! The overview of a session as a whole, computed from its files and not stored.

use schemars::JsonSchema;
use serde::Serialize;

use super::session::State;
use super::{Analysis, Report, Research};

/// A session as a whole, computed from its files for other programs.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Overview {
    /// The session's name.
    pub id: String,
    /// The topic.
    pub topic: String,
    /// Its state.
    pub status: State,
    /// The round that is published or being made.
    pub round: u32,
    /// Stage 1, if there.
    pub research: Option<Research>,
    /// Stage 2, if there.
    pub analysis: Option<Analysis>,
    /// Stage 3, if there.
    pub report: Option<Report>,
    /// The time at which it was opened, RFC 3339.
    pub started_at: String,
    /// The time of the last review, RFC 3339, if the session is complete.
    pub completed_at: Option<String>,
}
