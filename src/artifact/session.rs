//! `session.json`: what was asked, once. And the states that a session goes through, computed from
//! its files.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Analysis, Report, Research};
use crate::pipeline::Version;

/// What was asked. Written when the session is opened and never changed by the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// The version of this file's shape.
    pub version: Version<1>,
    /// The name of the session's directory.
    pub id: String,
    /// What the person wants researched, word for word.
    pub topic: String,
    /// Which agents run.
    pub mode: Mode,
    /// How much is done; `auto` leaves it to the coordinator.
    pub depth: Depth,
    /// Files and directories to read: absolute, or relative to the session's directory.
    pub documents: Vec<String>,
    /// The services by which the web is searched; `auto` leaves the choice to the program. None:
    /// the web is not searched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub search: Vec<String>,
    /// The hosts that may be read, such as `*.gov`; with `!` in front, those that may not. None:
    /// any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub domains: Vec<String>,
    /// The score from which a round is accepted, 0 to 1.
    pub threshold: f64,
    /// How many rounds of analysis, writing and review at most.
    pub max_rounds: u32,
    /// Whether the coordinator may ask back.
    pub clarify: bool,
    /// Whom the session belongs to.
    pub owner: String,
    /// The last messages of the session that this one follows, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
    /// When it was opened, RFC 3339.
    pub started_at: String,
}

/// Which agents run at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// All of them.
    DeepResearch,
}

/// How much is done.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Depth {
    /// As the coordinator recommends.
    Auto,
    /// 1–3 steps.
    #[serde(alias = "light")]
    Quick,
    /// 3–6 steps.
    #[serde(alias = "medium")]
    Standard,
    /// 5–10 steps.
    #[serde(alias = "extended")]
    Deep,
}

/// The state of a session, as its files show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum State {
    /// Asked, not begun.
    Pending,
    /// `research.json` is being made.
    Researching,
    /// `analysis.json` is being made.
    Analyzing,
    /// `report.json` is being made.
    Writing,
    /// `review.json` is being made.
    Reviewing,
    /// `final_report.md` is there.
    Complete,
    /// The last run gave up. A new run starts again from what is there.
    Failed,
}

impl State {
    /// All states, in the order in which a session goes through them.
    pub const ALL: [Self; 7] = [
        Self::Pending,
        Self::Researching,
        Self::Analyzing,
        Self::Writing,
        Self::Reviewing,
        Self::Complete,
        Self::Failed,
    ];

    /// Whether a run may take a session from this state to `next`. A round sent back goes from
    /// `Reviewing` to `Analyzing`, or to `Researching` when the review needs more research.
    pub fn may_become(self, next: Self) -> bool {
        use State::{Analyzing, Complete, Failed, Pending, Researching, Reviewing, Writing};
        matches!(
            (self, next),
            (Pending, Researching)
                | (Researching, Analyzing)
                | (Analyzing, Writing)
                | (Writing, Reviewing)
                | (Reviewing, Complete | Analyzing | Researching)
                | (
                    Pending | Researching | Analyzing | Writing | Reviewing,
                    Failed
                )
        )
    }

    /// Whether a run ends here.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Complete | Self::Failed)
    }
}

impl fmt::Display for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Pending => "PENDING",
            Self::Researching => "RESEARCHING",
            Self::Analyzing => "ANALYZING",
            Self::Writing => "WRITING",
            Self::Reviewing => "REVIEWING",
            Self::Complete => "COMPLETE",
            Self::Failed => "FAILED",
        })
    }
}

/// A session as a whole, computed from its files for other programs.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Overview {
    /// The session's name.
    pub id: String,
    /// What was asked.
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
    /// When it was opened, RFC 3339.
    pub started_at: String,
    /// When the last review was made, RFC 3339, if the session is complete.
    pub completed_at: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_designed_transitions_are_allowed() {
        let mut allowed = Vec::new();
        for from in State::ALL {
            for to in State::ALL {
                if from.may_become(to) {
                    allowed.push(format!("{from}>{to}"));
                }
                assert!(!(from.is_terminal() && from.may_become(to)));
            }
        }
        assert_eq!(
            allowed,
            [
                "PENDING>RESEARCHING",
                "PENDING>FAILED",
                "RESEARCHING>ANALYZING",
                "RESEARCHING>FAILED",
                "ANALYZING>WRITING",
                "ANALYZING>FAILED",
                "WRITING>REVIEWING",
                "WRITING>FAILED",
                "REVIEWING>RESEARCHING",
                "REVIEWING>ANALYZING",
                "REVIEWING>COMPLETE",
                "REVIEWING>FAILED",
            ]
        );
    }
}
