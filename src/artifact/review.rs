//! `review.json`, the gate of the stage review: the score of the round, and the notes on it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The review of a round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// The score, 0 to 1: the weighted mean of the criteria.
    pub score: f64,
    /// The score from which a round is accepted.
    pub threshold: f64,
    /// The decision on the round.
    pub decision: ReviewDecision,
    /// The components of the score.
    pub criteria: Vec<Criterion>,
    /// The notes on changes to make; input of the next round.
    pub notes: Vec<Note>,
}

/// The decision on a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewDecision {
    /// It is published.
    Accept,
    /// Analysis runs again with the notes.
    Revise,
    /// More steps are researched first.
    NeedsResearch,
    /// It is below the threshold, but no note could improve it: the best round is published.
    Settle,
}

/// One criterion and its score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    /// Its name.
    pub name: String,
    /// 0 to 1.
    pub score: f64,
    /// Its weight in the mean.
    pub weight: f64,
    /// The counts behind the score.
    pub reason: String,
}

/// A change to make in the next round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// The criterion that it would improve.
    pub criterion: String,
    /// The request.
    pub request: NoteRequest,
    /// The request as a sentence.
    pub text: String,
}

/// The request of a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoteRequest {
    /// Use more passages of this step.
    Widen {
        /// The step.
        step: String,
    },
    /// Use a passage that mentions this term.
    Cover {
        /// The term: a single word stemmed, several words as they are.
        term: String,
    },
    /// Research this term on its own.
    Research {
        /// The term: a single word stemmed, several words as they are.
        term: String,
    },
    /// Do not use the passage of this claim.
    Drop {
        /// The passage.
        passage: String,
    },
}
