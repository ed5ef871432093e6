//! `research/documents.json`: what was there to be searched.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::research::Failure;

/// What was there to be searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Documents {
    /// How many documents.
    pub searched: usize,
    /// What could not be read, and why.
    pub failures: Vec<Failure>,
    /// The terms of the topic, in its order.
    pub terms: Vec<TopicTerm>,
}

/// A term of the topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TopicTerm {
    /// The term, stemmed.
    pub term: String,
    /// In how many documents it stands.
    pub documents: usize,
}

impl Documents {
    /// Whether a term can tell one document from another: it stands in some, but not in most (a prototype over design
    /// documents counted those in more than 60 % for little).
    pub fn tells(&self, term: &str) -> bool {
        let mut terms = self.terms.iter();
        terms
            .find(|found| found.term == term)
            .is_some_and(|found| found.documents > 0 && found.documents * 10 <= self.searched * 6)
    }
}
