//! The overview of a session, computed from its files and never stored.

use schemars::JsonSchema;
use serde::Serialize;

use super::session::State;
use super::{Analysis, Report, Research};

/// An overview of a session for other programs.
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
    /// The result of the stage research, if it exists.
    pub research: Option<Research>,
    /// The result of the stage analysis, if it exists.
    pub analysis: Option<Analysis>,
    /// The result of the stage write, if it exists.
    pub report: Option<Report>,
    /// The time at which it was opened, RFC 3339.
    pub started_at: String,
    /// The time of the last review, RFC 3339, if the session is complete.
    pub completed_at: Option<String>,
}
