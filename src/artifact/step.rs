//! `research/steps/<step>.json`: the finding of one step of the plan.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::documents::NearestDocument;
use super::source::Passage;
use crate::pipeline::Digest;

/// The finding of one step, with its searches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepFinding {
    /// The step.
    pub step: String,
    /// The agent that worked on it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub agent: String,
    /// The moment at which it was given the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assigned_at: Option<String>,
    /// The moment at which the step was completed, or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<String>,
    /// The reason for its failure, if the step failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The digest of the manifest of the documents from which it was made, if it was made from
    /// documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<Digest>,
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
    /// The turns of a researcher with a model, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<TurnRecord>,
    /// Questions that the finding raises and that are worth a step of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub follow_up: Vec<String>,
    /// The probability that the first passage answers the topic, 0 to 1, as a rule estimates it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The margin of the best answer, as the rule ranks sentences: its score minus that of the
    /// tenth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
}

impl StepFinding {
    /// The finding of a step about which nothing is known yet, begun and completed at a moment.
    pub fn empty(step: &str, moment: &str) -> Self {
        Self {
            step: step.to_owned(),
            agent: "researcher".to_owned(),
            assigned_at: Some(moment.to_owned()),
            completed_at: Some(moment.to_owned()),
            problem: None,
            manifest: None,
            searches: Vec::new(),
            passages: Vec::new(),
            nearest: Vec::new(),
            observation: String::new(),
            statements: Vec::new(),
            turns: Vec::new(),
            follow_up: Vec::new(),
            confidence: None,
            margin: None,
        }
    }

    /// `true` if another finding of the step says the same, whenever it was made. Searches,
    /// relevance and margin are no part of what it says: they depend on all documents, also on
    /// those that say nothing here.
    pub fn says_the_same(&self, other: &Self) -> bool {
        let unranked = |passage: &Passage| Passage {
            relevance: 0.0,
            // Findings of older versions have none.
            line: None,
            page: None,
            ..passage.clone()
        };
        let essence = |finding: &Self| Self {
            assigned_at: None,
            completed_at: None,
            manifest: None,
            searches: Vec::new(),
            margin: None,
            passages: finding.passages.iter().map(unranked).collect(),
            ..finding.clone()
        };
        essence(self) == essence(other)
    }
}

/// A turn of a researcher.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnRecord {
    /// What the researcher knew and what it missed, in its own words.
    pub thought: String,
    /// What it did.
    pub action: TurnAction,
    /// What came of it, in a sentence.
    pub outcome: String,
}

/// What a researcher did in a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TurnAction {
    /// It searched.
    Search {
        /// The query.
        query: String,
        /// The service; all of them if there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        service: Option<String>,
    },
    /// It read these documents or pages, by path or address.
    Read(Vec<String>),
    /// It read on in this document or page.
    Open(String),
    /// It ran a tool of the user's; the locator of its result.
    Tool(String),
    /// It thought.
    Think,
    /// It finished.
    Finish,
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
