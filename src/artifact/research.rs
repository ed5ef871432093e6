//! `research.json`, the gate of stage 1: what was found, and where.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::session::Depth;
use super::source::{Passage, Source};
use super::{Classification, Documents, Plan};

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Research {
    /// What was asked.
    pub topic: String,
    /// How it was understood.
    pub classification: Classification,
    /// How much was done.
    pub depth: Depth,
    /// The last plan, with what became of each step.
    pub plan: Plan,
    /// Every query, in order, each once.
    pub search_queries: Vec<String>,
    /// What each step found.
    pub findings: Vec<Finding>,
    /// The passages that show it.
    pub passages: Vec<Passage>,
    /// What was read; the texts are in `sources/`.
    pub sources: Vec<Source>,
    /// What was there to be searched.
    pub documents: Documents,
    /// Why less was gathered than planned, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
}

/// What one step found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// `F1`, `F2`, …
    pub id: String,
    /// The step.
    pub step: String,
    /// The finding in one sentence about it.
    pub observation: String,
    /// The passages that show it, best first.
    pub passages: Vec<String>,
}

/// Something that was tolerated; it is named in the report's limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// What: a file or a URL.
    pub locator: String,
    /// Why.
    pub problem: String,
}

impl Research {
    /// The passage of this id.
    pub fn passage(&self, id: &str) -> Option<&Passage> {
        self.passages.iter().find(|passage| passage.id == id)
    }

    /// The source of this id.
    pub fn source(&self, id: &str) -> Option<&Source> {
        self.sources.iter().find(|source| source.id == id)
    }
}
