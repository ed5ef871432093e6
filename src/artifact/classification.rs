//! `research/classification.json`: the coordinator's classification of the topic.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plan::Facet;
use super::session::Depth;

/// The classification of a topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Classification {
    /// The number of its aspects.
    pub complexity: Complexity,
    /// The kind of answer that it asks for.
    pub kind: Kind,
    /// The things compared, for a comparison; else empty.
    pub sides: Vec<String>,
    /// The aspect that it asks for before all others.
    // The name of the field in the file cannot change: sessions of older versions contain it.
    #[serde(rename = "asked")]
    pub requested_facet: Facet,
    /// The significant words of the topic, stemmed, each once, in order, without those that only
    /// name the aspect.
    pub terms: Vec<String>,
    /// Pairs of adjacent words of the topic, stemmed, such as `never type`.
    pub phrases: Vec<String>,
    /// Its relation to an earlier session.
    pub follow_up_type: FollowUpType,
    /// `true` if it asks what people think or have experienced: then a post answers it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks_for_opinions: bool,
    /// `true` if it needs no research: a greeting, plain arithmetic, or a direct answer was
    /// requested.
    pub is_simple_query: bool,
    /// The model's answer from its own knowledge, which the report gives if no source answers, and
    /// marks as such.
    pub direct_response: Option<String>,
    /// `true` if it can be read in more than one way.
    pub is_ambiguous: bool,
    /// The questions to the user, if it is ambiguous.
    pub clarifying_questions: Vec<String>,
    /// The depth that fits; `auto` leaves it to the complexity.
    pub recommended_depth: Depth,
    /// The reasons.
    pub reasoning: String,
}

impl Classification {
    /// The depth of a session: its own, else the recommended one, else that of the complexity.
    pub fn resolve_depth(&self, depth: Depth) -> Depth {
        [depth, self.recommended_depth]
            .into_iter()
            .find(|depth| *depth != Depth::Auto)
            .unwrap_or_else(|| self.complexity.depth())
    }
}

/// The complexity of a topic.
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

impl Complexity {
    /// The depth that fits.
    pub fn depth(self) -> Depth {
        match self {
            Self::Simple => Depth::Quick,
            Self::Moderate => Depth::Standard,
            Self::Complex => Depth::Deep,
        }
    }
}

/// The kind of answer that a topic asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A definition, a mechanism, a cause.
    Explanation,
    /// Yes or no, with the reasons for each.
    Decision,
    /// Two or more things side by side.
    Comparison,
    /// A chronology or an inventory: one entry for each document, in order of date.
    Chronicle,
}

/// The relation of a topic to an earlier session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FollowUpType {
    /// It is independent of earlier sessions.
    #[default]
    NewTopic,
    /// It asks for a clarification of an earlier answer.
    Clarification,
    /// It builds on the findings of an earlier session.
    ComplexFollowUp,
}
