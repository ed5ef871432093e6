//! `research/classification.json`: how the coordinator understands the topic.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plan::Facet;
use super::session::Depth;

/// How the topic is understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Classification {
    /// How much there is to it.
    pub complexity: Complexity,
    /// What kind of answer it asks for.
    pub kind: Kind,
    /// The things compared, for a comparison; else empty.
    pub sides: Vec<String>,
    /// The aspect that it asks for before all others.
    pub asked: Facet,
    /// The words that carry the topic, stemmed, each once, in order, without those that only name
    /// the aspect.
    pub terms: Vec<String>,
    /// Pairs of words that stand side by side in the topic, stemmed, such as `never type`.
    pub phrases: Vec<String>,
    /// How it relates to an earlier session.
    pub follow_up_type: FollowUpType,
    /// Whether it can be answered without research.
    pub is_simple_query: bool,
    /// That answer.
    pub direct_response: Option<String>,
    /// Whether it can be read in more than one way.
    pub is_ambiguous: bool,
    /// What to ask back, if so.
    pub clarifying_questions: Vec<String>,
    /// The depth that fits.
    pub recommended_depth: Depth,
    /// Why.
    pub reasoning: String,
}

/// How much there is to a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Complexity {
    /// One aspect.
    Simple,
    /// A few aspects.
    Moderate,
    /// Many aspects, or several things compared.
    Complex,
}

/// What kind of answer a topic asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// What something is, how it works, why.
    Explanation,
    /// Yes or no, with reasons for both.
    Decision,
    /// Two or more things side by side.
    Comparison,
    /// What came when, or which there are: one entry for each document, in order of date.
    Chronicle,
}

/// How a topic relates to an earlier session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FollowUpType {
    /// It stands for itself.
    NewTopic,
    /// It asks what was meant.
    Clarification,
    /// It goes on from what was found.
    ComplexFollowUp,
}
