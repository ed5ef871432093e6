//! `research/steps/<step>.json`: the finding of one step of the plan.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::documents::NearestDocument;
use super::source::Passage;

/// The finding of one step, with its searches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepFinding {
    /// The step.
    pub step: String,
    /// The searches made, in order.
    pub searches: Vec<SearchRecord>,
    /// The passages, best first.
    pub passages: Vec<Passage>,
    /// The documents nearest to the topic, if none answers it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<NearestDocument>,
    /// A description of the finding in one sentence, not a quotation.
    pub observation: String,
    /// The statements of the researcher, each with the passages that show it; none by rule, whose
    /// finding is the passages themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<FoundStatement>,
    /// Questions that the finding raises and that are worth a step of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub follow_up: Vec<String>,
    /// The probability that the first passage answers the topic, 0 to 1, as a rule estimates it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

/// A statement of a researcher in its own words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundStatement {
    /// The statement, in one sentence.
    pub text: String,
    /// The passages that show it, by id; at least one.
    pub passages: Vec<String>,
}

/// One search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchRecord {
    /// The query.
    pub query: String,
    /// The hits, best first.
    pub hits: Vec<HitRecord>,
}

/// A document among the hits of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HitRecord {
    /// A path below the folder that was searched, or a URL.
    pub locator: String,
    /// Its title.
    pub title: String,
    /// The score of its best passage (BM25), rounded to three places.
    pub score: f64,
}
