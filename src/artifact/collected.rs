//! `research/web-1.json`: what a plan's queries found on the web, and which pages were read. The pages themselves lie in
//! `research/pages`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What was looked for on the web, and found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Collected {
    /// Every query to every service.
    pub searches: Vec<WebSearch>,
    /// The pages that were tried, best first.
    pub pages: Vec<PageRecord>,
}

/// One query to one service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WebSearch {
    /// The service.
    pub service: String,
    /// The query.
    pub query: String,
    /// How many addresses it gave.
    pub hits: usize,
    /// Why it gave none, if it failed.
    pub problem: Option<String>,
}

/// A page that was tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageRecord {
    /// Where it was found, after all redirects; where it was looked for if it could not be read.
    pub url: String,
    /// The file in `research/pages` with its clean text, if it was read.
    pub file: Option<String>,
    /// What it was before it became text.
    pub kind: Option<String>,
    /// When it was read, RFC 3339.
    pub read_at: String,
    /// What in it gives orders to a language model, if something does.
    pub speaks_to_models: Option<String>,
    /// Why it could not be read, if it could not.
    pub problem: Option<String>,
}
