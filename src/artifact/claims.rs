//! `claims.json`: the writer's draft, sentence by sentence, before any claim is checked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A draft of the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// The report's title.
    pub title: String,
    /// The summary: ids of claims.
    pub summary: Vec<String>,
    /// The sections, in order.
    pub sections: Vec<DraftSection>,
    /// Pairs of claims that contradict each other.
    pub disagreements: Vec<Disagreement>,
    /// Every claim, in the order of first use.
    pub claims: Vec<Claim>,
}

/// A part of the draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DraftSection {
    /// Its heading.
    pub heading: String,
    /// Ids of claims, in order.
    pub claims: Vec<String>,
}

/// Two claims that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Disagreement {
    /// The difference, for display.
    pub difference: String,
    /// One side.
    pub one: String,
    /// The other side.
    pub other: String,
}

/// One checkable sentence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// `C1`, `C2`, …
    pub id: String,
    /// The sentence.
    pub text: String,
    /// The passages that support it, best first.
    pub citations: Vec<Citation>,
    /// The confidence, 0 to 1, of the insight that it comes from.
    pub confidence: f64,
}

/// A claim's link to a passage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Citation {
    /// The source.
    pub source: String,
    /// The passage in `research.json`.
    pub passage: String,
    /// First byte in the source's text, from 0.
    // Bytes, not characters: checking and slicing need no scan of the text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The text of that range, exactly.
    pub quote: String,
}
