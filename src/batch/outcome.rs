//! The outcomes of the topics of a batch, and their counts.

use anyhow::Error;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::BudgetExhausted;
use crate::pipeline::{Busy, InputRequired, Interrupted};

/// The outcome of a topic of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The report is published.
    Complete,
    /// The report is published, but no round reached the threshold.
    BelowThreshold,
    /// The report is published and says that it does not answer its topic as asked, whatever its
    /// score.
    NotAnswered,
    /// The report is published, and claims of it were changed by hand since they were checked.
    Altered,
    /// The report is published and says that the documents are silent.
    NoEvidence,
    /// The run stopped where `--until` says.
    Stopped,
    /// The topic would run (`--dry-run`).
    WouldRun,
    /// The list has the topic a second time.
    Duplicate,
    /// Another process works on the session.
    InUse,
    /// The coordinator waits for an answer.
    NeedsClarification,
    /// The budget of the session or of the batch is exhausted; it can be resumed.
    Exhausted,
    /// The run was interrupted.
    Interrupted,
    /// The run failed.
    Failed,
}

impl Outcome {
    /// Its description, for people.
    pub fn description(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::BelowThreshold => "below threshold",
            Self::NotAnswered => "not answered",
            Self::Altered => "changed by hand",
            Self::NoEvidence => "no evidence",
            Self::Stopped => "stopped as asked",
            Self::WouldRun => "would run",
            Self::Duplicate => "duplicate",
            Self::InUse => "in use",
            Self::NeedsClarification => "not clear",
            Self::Exhausted => "budget exhausted",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }

    /// Returns `true` if the report is published.
    pub fn is_published(self) -> bool {
        matches!(
            self,
            Self::Complete
                | Self::BelowThreshold
                | Self::NotAnswered
                | Self::Altered
                | Self::NoEvidence
        )
    }
}

impl From<&Error> for Outcome {
    /// The outcome of a run that ended with this error.
    fn from(error: &Error) -> Self {
        // `is` looks through added context, such as the name of the failed stage.
        if error.is::<Busy>() {
            Self::InUse
        } else if error.is::<BudgetExhausted>() {
            Self::Exhausted
        } else if error.is::<Interrupted>() {
            Self::Interrupted
        } else if error.is::<InputRequired>() {
            Self::NeedsClarification
        } else {
            Self::Failed
        }
    }
}

/// A topic of a batch and its outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// The number of its line in the list, from 1.
    pub line: u64,
    /// The topic; the text of the line if it could not be parsed.
    pub topic: String,
    /// The name of its session, if it was determined.
    pub session: Option<String>,
    /// The path of that session, which a topic that would run may not have yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The outcome.
    #[serde(rename = "ending")]
    pub outcome: Outcome,
    /// `true` if this batch did anything for it.
    pub made: bool,
    /// The score of the published round, 0 to 1.
    pub score: Option<f64>,
    /// The reason for which it would run, or did not end well; or how often rules answered in place
    /// of a model.
    pub reason: Option<String>,
}

impl Entry {
    /// The entry of a topic for which nothing was done.
    pub(super) fn new(line: u64, topic: String, outcome: Outcome) -> Self {
        Self {
            line,
            topic,
            session: None,
            path: None,
            outcome,
            made: false,
            score: None,
            reason: None,
        }
    }
}

/// The number of topics of a batch by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Summary {
    /// The number of all topics.
    pub topics: u64,
    /// See [`Outcome::Complete`].
    pub complete: u64,
    /// See [`Outcome::BelowThreshold`].
    pub below_threshold: u64,
    /// See [`Outcome::NotAnswered`].
    pub not_answered: u64,
    /// See [`Outcome::Altered`].
    pub altered: u64,
    /// See [`Outcome::NoEvidence`].
    pub no_evidence: u64,
    /// See [`Outcome::Stopped`].
    pub stopped: u64,
    /// See [`Outcome::WouldRun`].
    pub would_run: u64,
    /// See [`Outcome::Duplicate`].
    pub duplicate: u64,
    /// See [`Outcome::InUse`].
    pub in_use: u64,
    /// See [`Outcome::NeedsClarification`].
    pub needs_clarification: u64,
    /// See [`Outcome::Exhausted`].
    pub exhausted: u64,
    /// See [`Outcome::Interrupted`].
    pub interrupted: u64,
    /// See [`Outcome::Failed`].
    pub failed: u64,
    /// The number of all topics for which there was nothing to do.
    pub nothing_to_do: u64,
    /// `true` if the end of the list was reached.
    #[serde(rename = "whole_list")]
    pub reached_end: bool,
}

impl Summary {
    pub(super) fn count(&mut self, entry: &Entry) {
        self.topics += 1;
        *match entry.outcome {
            Outcome::Complete => &mut self.complete,
            Outcome::BelowThreshold => &mut self.below_threshold,
            Outcome::NotAnswered => &mut self.not_answered,
            Outcome::Altered => &mut self.altered,
            Outcome::NoEvidence => &mut self.no_evidence,
            Outcome::Stopped => &mut self.stopped,
            Outcome::WouldRun => &mut self.would_run,
            Outcome::Duplicate => &mut self.duplicate,
            Outcome::InUse => &mut self.in_use,
            Outcome::NeedsClarification => &mut self.needs_clarification,
            Outcome::Exhausted => &mut self.exhausted,
            Outcome::Interrupted => &mut self.interrupted,
            Outcome::Failed => &mut self.failed,
        } += 1;
        // What fails, waits or is in use has something left to do, though nothing was made.
        let is_done = entry.outcome.is_published() || entry.outcome == Outcome::Stopped;
        self.nothing_to_do += u64::from(is_done && !entry.made);
    }
}
