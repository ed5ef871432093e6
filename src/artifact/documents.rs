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
    /// How much a term of the topic tells, see [`weight`].
    pub fn weight(&self, term: &str) -> f64 {
        let mut terms = self.terms.iter();
        let found = terms.find(|found| found.term == term);
        weight(self.searched, found.map_or(0, |found| found.documents))
    }

    /// Whether a term can tell one document from another: it stands in some, but not in most (a
    /// prototype over design documents counted those in more than 60 % for little).
    pub fn tells(&self, term: &str) -> bool {
        let mut terms = self.terms.iter();
        terms
            .find(|found| found.term == term)
            .is_some_and(|found| found.documents > 0 && found.documents * 10 <= self.searched * 6)
    }
}

/// How much a term tells, 0 to 1: ln(1 + N / (1 + n)) / ln(1 + N) for a term in n of N documents.
/// Unlike the weight of BM25 it leaves something to a term that most documents hold, as in a folder
/// on one subject.
pub fn weight(all: usize, with: usize) -> f64 {
    let (all, with) = (all as f64, with as f64);
    (1.0 + all / (1.0 + with)).ln() / (1.0 + all.max(1.0)).ln()
}
