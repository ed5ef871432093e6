//! The features of a sentence as an answer, and the signals of silence.

/// The number of features of a sentence.
const FEATURES: usize = 24;

/// The features of a sentence, in the order of [`WEIGHTS`].
pub(in crate::answering) type Features = [f64; FEATURES];

/// The weights of the features. The first thirteen were learnt by pairwise logistic regression (the
/// sentence with the annotated answer minus another candidate of the same question) on half of the
/// English questions of XQuAD; the others, which those questions do not need, were set by hand.
const WEIGHTS: Features = [
    1.3,  // coverage by the sentence
    1.5,  // coverage by sentence, neighbours and title
    0.8,  // coverage by the paragraph
    1.2,  // coverage by the document
    1.8,  // BM25 of the document
    1.5,  // BM25 of the paragraph
    1.7,  // BM25 of the sentence
    0.6,  // neighbouring words of the question
    1.0,  // answer type
    0.3,  // answer type times coverage
    0.4,  // length
    0.2,  // coverage of the question by the title
    0.6,  // coverage of the title by the question
    1.5,  // begins with the thing
    0.7,  // lead
    1.5,  // expected unit
    0.8,  // heading of the answer type
    1.5,  // neighbouring words of a subject
    -2.5, // on a kind of the thing
    3.0,  // in the section that the question names
    2.5,  // coverage of the other words where paragraph and title have the names
    2.0,  // outcome of a study
    1.2,  // identifiers as they are written
    8.0,  // fate of the document
];

/// The signals from which the confidence is computed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::answering) struct Signals {
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
    pub(in crate::answering) fn values(&self) -> [f64; 6] {
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
pub(in crate::answering) fn score(features: &Features) -> f64 {
    WEIGHTS
        .iter()
        .zip(features)
        .map(|(weight, value)| weight * value)
        .sum()
}
