//! `analysis.json`, the gate of the stage analysis: the analysis of the findings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plan::Facet;
use super::source::Credibility;
use super::step::FoundStatement;
use super::verification::Verdict;

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
    /// The summary in the analyst's words; none by rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summary_statements: Vec<FoundStatement>,
    /// The conclusion.
    #[serde(default, skip_serializing_if = "Conclusion::is_empty")]
    pub conclusion: Conclusion,
    /// The credibility of each source, after comparing them.
    pub credibility: Vec<SourceCredibility>,
    /// The entities that the passages name, and the relations between them.
    pub knowledge_graph: KnowledgeGraph,
}

/// The conclusion: insights, and with a model one to three sentences in its words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Conclusion {
    /// The insights that it rests on, by id: those that recommend something, else the best one.
    pub insights: Vec<String>,
    /// The sentences, each with the passages that show it; none by rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<FoundStatement>,
}

impl Conclusion {
    /// Returns `true` if nothing is concluded.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
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
    /// The words of this passage, for people who read or edit the file: what counts is the id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// Passages of other sources that say something similar.
    pub agreeing: Vec<String>,
    /// The confidence, 0 to 1: by rule from the relevance and the number of sources that agree;
    /// that of a model is lowered if its words are not fully supported.
    pub confidence: f64,
    /// The statement in the analyst's words; none by rule, whose statement is the passage itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The passages that the words need besides `passage`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<String>,
    /// The verdict of the support check on the words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The sources behind it, compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corroboration: Option<Corroboration>,
}

/// The cross-reference of an insight: how many sources say it, and how much that is worth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Corroboration {
    /// The number of independent sources that say it: of one author, or without authors of one
    /// host, only one counts.
    pub sources: usize,
    /// The strength, 0 to 1, from the credibility of these sources.
    pub strength: f64,
    /// `true` if another source contradicts it.
    pub contradicted: bool,
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
    /// What one passage affirms and the other denies, in words of both, or the question to which
    /// they reply yes and no; empty for any other difference.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub denied: String,
    /// The value that each side gives, one's first, with its unit; none for any other difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<[String; 2]>,
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
    /// A name: two persons in one office.
    Name,
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
    /// The kind of source; `None` if nothing tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<SourceCategory>,
    /// The reliability, from the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reliability: Option<Reliability>,
}

/// The kind of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceCategory {
    /// A public body, a standard, or a proposal for one.
    Official,
    /// An article of science.
    Research,
    /// The documentation of a product.
    Documentation,
    /// A newspaper, an agency, a broadcaster.
    News,
    /// An encyclopaedia.
    Encyclopaedia,
    /// A forum, a social network, a mailing list.
    Discussion,
    /// A blog.
    Blog,
    /// The notes of a person.
    Notes,
    /// A table or another collection of data.
    Data,
}

impl SourceCategory {
    /// The words in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Official => "official document",
            Self::Research => "research",
            Self::Documentation => "documentation",
            Self::News => "news",
            Self::Encyclopaedia => "encyclopaedia",
            Self::Discussion => "mail or forum",
            Self::Blog => "blog",
            Self::Notes => "notes",
            Self::Data => "data",
        }
    }
}

/// The reliability of a source, in three steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reliability {
    /// A score of 0.7 or more.
    High,
    /// A score of 0.4 or more.
    Medium,
    /// A lower score.
    Low,
}

impl Reliability {
    /// The reliability of a source with this credibility. Chosen by hand: a listed publisher or an
    /// author and a date make 0.7, an anonymous thread stays below 0.4.
    pub fn of(score: f64) -> Self {
        match score {
            0.7.. => Self::High,
            0.4.. => Self::Medium,
            _ => Self::Low,
        }
    }
}

/// A graph of entities and the relations between them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnowledgeGraph {
    /// The entities, the most often named first.
    #[serde(default)]
    pub entities: Vec<Entity>,
    /// The relations, those that a verb states first.
    #[serde(default)]
    pub relations: Vec<Relation>,
    /// Ids of sources and insights, in sessions of older versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<String>,
    /// The relations between `nodes`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<Edge>,
}

/// Something that the passages name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entity {
    /// `E1`, `E2`, …
    pub id: String,
    /// Its name, as a passage writes it.
    pub name: String,
    /// Its kind.
    pub kind: EntityKind,
    /// The passages that name it.
    pub passages: Vec<String>,
}

/// The kind of an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EntityKind {
    /// A proper name.
    Name,
    /// A name of initials.
    Acronym,
    /// A name with a number, such as a version or the number of a document.
    Version,
    /// A document that is itself a source.
    Document,
    /// An identifier in code.
    Code,
    /// A year.
    Date,
    /// A common term.
    Concept,
}

/// A relation between two entities.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// The entity that it starts from.
    pub from: String,
    /// The relation, as in `replaces`; [`Relation::CO_MENTION`] if a sentence only names both.
    pub relation: String,
    /// The entity that it points to.
    pub to: String,
    /// The passages that show it; their number is its weight.
    pub passages: Vec<String>,
}

impl Relation {
    /// The relation of two entities that a sentence names together.
    pub const CO_MENTION: &str = "named with";

    /// `true` if a passage says how the two are related, not only that both are there.
    pub fn is_stated(&self) -> bool {
        self.relation != Self::CO_MENTION
    }
}

/// A connection between [`KnowledgeGraph::nodes`].
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reliability_has_three_steps() {
        assert_eq!(Reliability::of(1.0), Reliability::High);
        assert_eq!(Reliability::of(0.5), Reliability::Medium);
        assert_eq!(Reliability::of(0.1), Reliability::Low);
    }
}
