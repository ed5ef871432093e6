//! `research/background.json`: what a first look at the documents and the web shows, before the
//! plan. Nothing of it is read or quoted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A first look before the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Background {
    /// The search queries.
    pub queries: Vec<String>,
    /// The results, query by query, best first.
    pub results: Vec<BackgroundResult>,
}

/// One result of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BackgroundResult {
    /// `documents`, or the search service.
    pub origin: String,
    /// The title of the document or page.
    pub title: String,
    /// Its date, if it has one.
    pub date: Option<String>,
    /// An excerpt, if the search gives one.
    pub snippet: Option<String>,
}

impl Background {
    /// Its file.
    pub const FILE: &'static str = "research/background.json";
}
