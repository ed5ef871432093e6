//! The features of a sentence as an answer, and the signals of silence.

/// The number of features of a sentence.
pub const FEATURES: usize = 18;

/// The features of a sentence, by the order of [`NAMES`].
pub type Features = [f64; FEATURES];

/// The names of the features.
pub const NAMES: [&str; FEATURES] = [
    "coverage by the sentence",
    "coverage by sentence, neighbours and title",
    "coverage by the paragraph",
    "coverage by the document",
    "BM25 of the document",
    "BM25 of the paragraph",
    "BM25 of the sentence",
    "neighbouring words of the question",
    "answer type",
    "answer type times coverage",
    "length",
    "coverage of the question by the title",
    "coverage of the title by the question",
    "begins with the thing",
    "lead",
    "expected unit",
    "heading of the answer type",
    "neighbouring words of a subject",
];

/// The weights of the features. The first thirteen were learnt by pairwise logistic regression (the
/// sentence with the annotated answer minus another candidate of the same question) on half of the
/// English questions of XQuAD; the others, which those questions do not need, were set by hand.
pub const WEIGHTS: Features = [
    1.3, 1.5, 0.8, 1.2, 1.8, 1.5, 1.7, 0.6, 0.7, 0.3, 0.4, 0.2, 0.6, 1.5, 0.7, 1.5, 0.8, 1.5,
];

/// The signals from which the confidence is computed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Signals {
    /// The coverage of the question by the best sentence.
    pub sentence: f64,
    /// The coverage by it, its neighbours and the title.
    pub neighbourhood: f64,
    /// The largest coverage by a paragraph.
    pub paragraph: f64,
    /// The largest coverage by a document.
    pub document: f64,
    /// The share of the names and numbers of the question near the sentence.
    pub names: f64,
    /// The BM25 score of the sentence over the sum of the idf of the question.
    pub bm25: f64,
}

impl Signals {
    /// The signals in the order of the weights.
    pub fn values(&self) -> [f64; 6] {
        [
            self.sentence,
            self.neighbourhood,
            self.paragraph,
            self.document,
            self.names,
            self.bm25,
        ]
    }
}

/// The score of a sentence.
pub(super) fn score(features: &Features) -> f64 {
    WEIGHTS
        .iter()
        .zip(features)
        .map(|(weight, value)| weight * value)
        .sum()
}
