//! `research/documents.json`: the documents that were searched.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The number of documents from which a collection is large: below it mostly all are on topic, from
/// it on most are about something else. Chosen by hand.
pub const LARGE_COLLECTION: usize = 100;

/// `true` for a word that at least half of the documents of a large collection have, of so many:
/// what all of it is on, such as Rust among the proposals for it.
pub fn is_common(having: usize, documents: usize) -> bool {
    documents >= LARGE_COLLECTION && 2 * having >= documents
}

/// The documents that were searched.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Documents {
    /// The number of documents.
    pub searched: usize,
    /// The files that could not be read, with the errors.
    pub failures: Vec<Failure>,
    /// The files that were passed over, as their kind is not read.
    #[serde(default, skip_serializing_if = "PassedOver::is_empty")]
    pub passed_over: PassedOver,
    /// The numbers of documents in languages other than that of the topic, by the English name of
    /// the language: the words of the topic are hardly in them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other_languages: BTreeMap<String, usize>,
    /// Those of them that have a word of the topic all the same, alone or in a compound.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub near_languages: BTreeMap<String, usize>,
    /// The terms of the topic, in its order.
    pub terms: Vec<TopicTerm>,
}

/// The number of passed-over files that are named; chosen by hand.
const NAMED_FILES: usize = 5;

/// The files in folders that were passed over, as their kind is not read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PassedOver {
    /// The number of files.
    pub files: usize,
    /// The names of the first ones.
    pub names: BTreeSet<String>,
}

impl PassedOver {
    /// Returns `true` if no file was passed over.
    pub fn is_empty(&self) -> bool {
        self.files == 0
    }

    /// Adds a file.
    pub fn add(&mut self, name: String) {
        self.files += 1;
        self.names.insert(name);
        if self.names.len() > NAMED_FILES {
            self.names.pop_last();
        }
    }
}

/// A clause on these files: `2 files were passed over, as their kind is not read: a.bin, b.bin`.
impl fmt::Display for PassedOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let verb = if self.files == 1 {
            "file was passed over, as its"
        } else {
            "files were passed over, as their"
        };
        let more = if self.files > names.len() {
            ", …"
        } else {
            ""
        };
        write!(
            f,
            "{} {verb} kind is not read: {}{more}",
            self.files,
            names.join(", ")
        )
    }
}

/// A failure that did not stop the research; the limits of the report mention it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// A file or a URL.
    pub locator: String,
    /// The error.
    pub problem: String,
}

/// A document that does not answer, but is nearest to the topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NearestDocument {
    /// A path below the folder that was searched, or a URL.
    pub locator: String,
    /// Its title.
    pub title: String,
    /// Its sentence that is nearest to the topic.
    pub sentence: String,
}

/// A term of the topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TopicTerm {
    /// The term, stemmed.
    pub term: String,
    /// The number of documents that contain it (document frequency).
    pub documents: usize,
    /// A word of the documents that it may be a misspelling of, if none contains it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similar: Option<String>,
}

/// The largest share of the documents that may contain a discriminative term. Chosen by hand: in a
/// collection of design documents, terms in more than 60 % of them were hardly discriminative.
const MAX_SHARE_PERCENT: usize = 60;

/// The question whether other words were meant than those of some terms; `None` if none is similar.
pub fn did_you_mean(terms: &[&TopicTerm]) -> Option<String> {
    meant(terms.iter().filter_map(|term| term.similar.as_ref()))
}

/// The question whether these words were meant; `None` without any.
pub fn meant<'a>(words: impl Iterator<Item = &'a String>) -> Option<String> {
    let words: Vec<String> = words.map(|word| format!("“{word}”")).collect();
    (!words.is_empty()).then(|| format!("Did you mean {}?", words.join(", ")))
}

impl Documents {
    /// The documents that were not read at all, of which the answer may be in one, so many of them
    /// by name: those that could not be read, with the errors, and those that were passed over.
    pub fn not_read(&self, named: usize) -> Vec<String> {
        let failures = self.failures.iter().take(named);
        let mut remarks: Vec<String> = failures.map(|own| own.problem.clone()).collect();
        let others = self.failures.len() - remarks.len();
        match others {
            0 => {}
            1 => remarks.push("1 more document".to_owned()),
            _ => remarks.push(format!("{others} more documents")),
        }
        if self.passed_over.files > 0 {
            remarks.push(self.passed_over.to_string());
        }
        remarks
    }

    /// The idf weight of a term of the topic, see [`idf_weight`].
    pub fn weight(&self, term: &str) -> f64 {
        idf_weight(self.searched, self.document_frequency(term))
    }

    /// `true` if a term is discriminative: some documents contain it, but not most of them.
    pub fn is_discriminative(&self, term: &str) -> bool {
        let frequency = self.document_frequency(term);
        // In integers, so that the limit is exact.
        frequency > 0 && frequency * 100 <= self.searched * MAX_SHARE_PERCENT
    }

    /// The question whether other words were meant, for terms of the topic that no document
    /// contains: "Did you mean “treasurer”?".
    pub fn similar_words(&self) -> Option<String> {
        did_you_mean(&self.terms.iter().collect::<Vec<_>>())
    }

    fn document_frequency(&self, term: &str) -> usize {
        let mut terms = self.terms.iter();
        terms
            .find(|entry| entry.term == term)
            .map_or(0, |entry| entry.documents)
    }
}

/// The inverse document frequency (idf, as in tf-idf) of a term, scaled to 0 to 1: ln(1 + N / (1 +
/// n)) / ln(1 + N) for a term in n of N documents. Unlike the idf of BM25 it leaves some weight to
/// a term that most documents contain, as in a folder on one subject.
pub fn idf_weight(documents: usize, holding: usize) -> f64 {
    // The 1 added to n avoids a division by zero for a term in no document; `max(1.0)` avoids ln(1)
    // = 0 as the divisor where no documents were searched.
    let (documents, holding) = (documents as f64, holding as f64);
    (1.0 + documents / (1.0 + holding)).ln() / (1.0 + documents.max(1.0)).ln()
}
