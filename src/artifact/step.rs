//! `research/steps/<step>.json`: what one step of the plan found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::source::Passage;

/// The finding of one step, with its searches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepFinding {
    /// The step.
    pub step: String,
    /// The searches made, in order.
    pub searches: Vec<SearchRecord>,
    /// What was found, best first.
    pub passages: Vec<Passage>,
    /// The finding in one sentence about it, not of it.
    pub observation: String,
}

/// One search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchRecord {
    /// What was searched for.
    pub query: String,
    /// The documents found, best first.
    pub hits: Vec<HitRecord>,
}

/// One document found by a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HitRecord {
    /// Where it is: a path below the folder that was searched, or a URL.
    pub locator: String,
    /// Its title.
    pub title: String,
    /// The score of its best passage (BM25), rounded to three places.
    pub score: f64,
}
