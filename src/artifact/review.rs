//! `review.json`, the gate of stage 4: what the round is worth, and what should change.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The judgement on a round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// 0 to 1: the weighted mean of the criteria.
    pub score: f64,
    /// The score from which a round is accepted.
    pub threshold: f64,
    /// What is done with the round.
    pub decision: ReviewDecision,
    /// What the score is made up of.
    pub criteria: Vec<Criterion>,
    /// What should change. They are input of the next round.
    pub notes: Vec<Note>,
}

/// What is done with a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewDecision {
    /// It is published.
    Accept,
    /// Analysis runs again with the notes.
    Revise,
    /// More steps are researched first.
    NeedsResearch,
    /// It is below the threshold, but nothing is left to ask for: the best round is published.
    Settle,
}

/// One criterion and what it came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    /// Its name.
    pub name: String,
    /// 0 to 1.
    pub score: f64,
    /// Its weight in the mean.
    pub weight: f64,
    /// What was counted.
    pub reason: String,
}

/// One thing that should change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// The criterion that it would improve.
    pub criterion: String,
    /// What to do.
    pub request: NoteRequest,
    /// The same in a sentence.
    pub text: String,
}

/// What a note asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoteRequest {
    /// Use more of what this step found.
    Widen {
        /// The step.
        step: String,
    },
    /// Use a passage that speaks of this term.
    Cover {
        /// The term, stemmed.
        term: String,
    },
    /// Research this term by itself.
    Research {
        /// The term, stemmed.
        term: String,
    },
    /// Do without the passage of this claim.
    Drop {
        /// The passage.
        passage: String,
    },
}
