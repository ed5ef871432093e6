//! `research.json`, the gate of the stage research: the findings, passages and sources.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::documents::NearestDocument;
use super::session::Depth;
use super::source::{Passage, Source};
use super::step::FoundStatement;
use super::{Claims, Classification, Documents, Plan, Social};

pub use super::documents::Failure;

/// The result of the research.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Research {
    /// The topic.
    pub topic: String,
    /// Its classification.
    pub classification: Classification,
    /// The depth of the research.
    pub depth: Depth,
    /// The last plan, with the final status of each step.
    pub plan: Plan,
    /// Every query, in order, each once.
    pub search_queries: Vec<String>,
    /// The finding of each step.
    pub findings: Vec<Finding>,
    /// The passages behind the findings.
    pub passages: Vec<Passage>,
    /// The sources; their texts are in `sources/`.
    pub sources: Vec<Source>,
    /// The documents that were searched.
    pub documents: Documents,
    /// The documents nearest to the topic, if none answers it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<NearestDocument>,
    /// The posts of people and what they think, if threads were read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub social: Option<Social>,
    /// Words of the topic that no document has, each with the words that were searched for in its
    /// place.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub respelled: BTreeMap<String, String>,
    /// The reasons why less was gathered than planned, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
}

/// The finding of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// `F1`, `F2`, …
    pub id: String,
    /// The step.
    pub step: String,
    /// A description of the finding in one sentence.
    pub observation: String,
    /// The passages that show it, best first.
    pub passages: Vec<String>,
    /// The statements of the researcher, each with the passages that show it; none by rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<FoundStatement>,
    /// The probability that the first passage answers the topic, 0 to 1, as a rule estimates it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The margin of the best answer, as the rule ranks sentences: its score minus that of the
    /// tenth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
}

impl Research {
    /// The research with what was found for the sentences of a draft.
    #[must_use]
    pub fn with_draft(mut self, draft: &Claims) -> Self {
        self.sources.extend_from_slice(&draft.sources);
        self.passages.extend_from_slice(&draft.passages);
        self
    }

    /// `true` if nothing was found for a step, or the confidence in what was found is below a
    /// threshold.
    pub fn is_in_doubt(&self, step: &str, threshold: f64) -> bool {
        let finding = self.findings.iter().find(|own| own.step == step);
        finding.is_none_or(|own| {
            let is_doubtful = own.confidence.is_some_and(|own| own < threshold);
            own.passages.is_empty() || is_doubtful
        })
    }

    /// The passage of this id.
    pub fn passage(&self, id: &str) -> Option<&Passage> {
        self.passages.iter().find(|passage| passage.id == id)
    }

    /// The source of this id.
    pub fn source(&self, id: &str) -> Option<&Source> {
        self.sources.iter().find(|source| source.id == id)
    }
}
