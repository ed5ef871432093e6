//! `analysis.json`, the gate of stage 2: the analysis of the findings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plan::Facet;
use super::source::Credibility;

/// The analysis of the findings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Analysis {
    /// The topic.
    pub topic: String,
    /// The insights that answer it best, by id, best first.
    pub summary: Vec<String>,
    /// The statements of the sources, in the order of the plan.
    pub insights: Vec<Insight>,
    /// Phrases that the passages share.
    pub themes: Vec<Theme>,
    /// Aspects without evidence in the sources.
    pub gaps: Vec<String>,
    /// Contradictions between sources.
    pub contradictions: Vec<Contradiction>,
    /// Insights in which a source recommends something, by id.
    pub recommendations: Vec<String>,
    /// The credibility of each source, after comparing them.
    pub credibility: Vec<SourceCredibility>,
    /// Sources, themes and insights, and the relations between them.
    pub knowledge_graph: KnowledgeGraph,
}

/// One statement of the sources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Insight {
    /// `I1`, `I2`, …
    pub id: String,
    /// The step that led to it.
    pub step: String,
    /// The aspect of the topic.
    pub facet: Facet,
    /// The passage that says it.
    pub passage: String,
    /// Passages of other sources that say something similar.
    pub agreeing: Vec<String>,
    /// The confidence, 0 to 1, from the relevance and the number of sources that agree.
    pub confidence: f64,
}

/// A phrase that several sources share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Theme {
    /// The phrase.
    pub phrase: String,
    /// The sources that use it.
    pub sources: Vec<String>,
}

/// Two passages that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contradiction {
    /// The kind of difference.
    pub kind: ContradictionKind,
    /// The difference, for display: `3.1 against 31`.
    pub difference: String,
    /// The passage of one side.
    pub one: String,
    /// The passage of the other side.
    pub other: String,
    /// Passages of further sources that say the same as `one`, if that settles which side is right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settled_by: Vec<String>,
}

impl Contradiction {
    /// `true` if it is between these two passages, in either order.
    pub fn is_between(&self, left: &str, right: &str) -> bool {
        // A contradiction is symmetric.
        (self.one == left && self.other == right) || (self.one == right && self.other == left)
    }

    /// `true` if it casts doubt on a passage: on both sides, unless other sources settle which is
    /// right; on none of two proposals.
    pub fn disputes(&self, passage: &str) -> bool {
        let is_settled = !self.settled_by.is_empty();
        self.kind != ContradictionKind::Proposal
            && (self.other == passage || self.one == passage && !is_settled)
    }
}

/// The kind of difference between two passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContradictionKind {
    /// A number of the same unit.
    Number,
    /// A number that is ten times another of the same thing, or more: one of them is a mistake.
    Implausible,
    /// The year of an event.
    Date,
    /// A state: accepted or rejected, required or optional.
    Status,
    /// One passage asserts something that the other negates.
    Negation,
    /// Two proposals for the same thing.
    Proposal,
}

/// The credibility of a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceCredibility {
    /// The source.
    pub source: String,
    /// The score and its reasons.
    pub credibility: Credibility,
}

/// A graph of sources, themes and insights.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnowledgeGraph {
    /// Ids of sources and insights, and phrases of themes.
    pub nodes: Vec<String>,
    /// The relations between the nodes.
    pub edges: Vec<Edge>,
}

/// One connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// The node that it starts from.
    pub from: String,
    /// `states`, `agrees`, `mentions`, `contradicts`.
    pub relation: String,
    /// The node that it points to.
    pub to: String,
}
