//! Which documents hold which terms, and BM25 over that.
//!
//! Everything here is a function of the documents there are, whatever was there before them:
//! statistics are exact and sums are taken in the order of the terms. Refuses to know words, files
//! and passages.

use super::record::{Count, Segment};

/// The parameters of BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009;
/// tuning them did not help).
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// A term and how much it counts in a query.
pub(super) type Weighted = (u32, f64);

/// The inverted and the forward index.
pub(super) struct Index {
    /// Sorted by bytes, so that a term's number says nothing of the order in which documents came.
    terms: Vec<String>,
    /// By term: document and times.
    postings: Rows<(u32, u32)>,
    /// By document: its counts, by term.
    vectors: Rows<Count>,
    /// By term: documents that mostly capitalise it, and passages that hold it.
    capitals: Vec<u32>,
    in_passages: Vec<u32>,
    /// All passages, and their terms altogether.
    passages: (u64, u64),
    /// By document: k1 · (1 − b + b · length / average length).
    norms: Vec<f64>,
}

/// Rows of different lengths.
struct Rows<T> {
    ends: Vec<usize>,
    cells: Vec<T>,
}

impl<T> Rows<T> {
    fn row(&self, number: usize) -> &[T] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.ends
            .get(number)
            .map_or(&[], |end| &self.cells[start..*end])
    }
}

impl Index {
    /// The index of documents, each given as the place of its segment and of its record there.
    pub(super) fn new(segments: &[&Segment], documents: &[(usize, usize)]) -> Self {
        let terms = dictionary(segments);
        let places: Vec<Vec<u32>> = segments
            .iter()
            .map(|segment| places(&terms, segment))
            .collect();
        let mut vectors = Rows {
            ends: Vec::new(),
            cells: Vec::new(),
        };
        let mut lengths = Vec::with_capacity(documents.len());
        let mut passages = (0, 0);
        for (segment, record) in documents {
            let record = &segments[*segment].records[*record];
            let place = |count: &Count| Count {
                term: places[*segment][count.term as usize],
                ..*count
            };
            vectors.cells.extend(record.counts.iter().map(place));
            vectors.ends.push(vectors.cells.len());
            lengths.push(f64::from(record.length));
            passages.0 += u64::from(record.passages.0);
            passages.1 += u64::from(record.passages.1);
        }
        let average = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        let norm = |length: &f64| K1 * (1.0 - B + B * length / average.max(1.0));
        let postings = inverted(&vectors, terms.len());
        let (mut capitals, mut in_passages) = (vec![0; terms.len()], vec![0; terms.len()]);
        for count in &vectors.cells {
            capitals[count.term as usize] += u32::from(count.capital);
            in_passages[count.term as usize] += count.passages;
        }
        Self {
            norms: lengths.iter().map(norm).collect(),
            terms,
            postings,
            vectors,
            capitals,
            in_passages,
            passages,
        }
    }

    /// The number of documents.
    pub(super) fn len(&self) -> usize {
        self.norms.len()
    }

    /// The number of a term, if a document holds it.
    pub(super) fn term(&self, term: &str) -> Option<u32> {
        let found = self
            .terms
            .binary_search_by(|known| known.as_str().cmp(term));
        found.ok().map(|place| place as u32)
    }

    /// In how many documents a term stands.
    pub(super) fn frequency(&self, term: u32) -> usize {
        self.postings.row(term as usize).len()
    }

    /// The weight of BM25 for a term: more for one that fewer documents hold.
    pub(super) fn idf(&self, term: u32) -> f64 {
        idf(self.frequency(term), self.len())
    }

    /// The weight of BM25 for a term among passages.
    pub(super) fn idf_of_passages(&self, term: u32) -> f64 {
        let with = u64::from(self.in_passages[term as usize]);
        idf(with as usize, self.passages.0 as usize)
    }

    /// The average length of a passage, in terms.
    pub(super) fn passage_length(&self) -> f64 {
        self.passages.1 as f64 / self.passages.0.max(1) as f64
    }

    /// Whether most documents that hold a term capitalise it: a name.
    pub(super) fn is_name(&self, term: u32) -> bool {
        2 * self.capitals[term as usize] as usize > self.frequency(term)
    }

    /// The counts of a document, by term.
    pub(super) fn counts(&self, document: usize) -> &[Count] {
        self.vectors.row(document)
    }

    /// The length of a document, in terms, titles and headings weighted.
    pub(super) fn length(&self, document: usize) -> f64 {
        self.counts(document)
            .iter()
            .map(|count| f64::from(count.times))
            .sum()
    }

    /// Whether a document holds a term.
    pub(super) fn holds(&self, document: usize, term: u32) -> bool {
        let counts = self.counts(document);
        counts
            .binary_search_by_key(&term, |count| count.term)
            .is_ok()
    }

    /// Every document's BM25 for a query, 0 for one that holds nothing of it.
    pub(super) fn scores(&self, query: &[Weighted]) -> Vec<f64> {
        let mut scores = vec![0.0; self.len()];
        for (term, weight) in query {
            let weight = weight * self.idf(*term);
            for (document, times) in self.postings.row(*term as usize) {
                let document = *document as usize;
                scores[document] += weight * saturated(*times, self.norms[document]);
            }
        }
        scores
    }
}

/// BM25's weight of a term that stands in `with` of `all`.
pub(super) fn idf(with: usize, all: usize) -> f64 {
    let (with, all) = (with as f64, all as f64);
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
}

fn saturated(times: u32, norm: f64) -> f64 {
    let times = f64::from(times);
    times * (K1 + 1.0) / (times + norm)
}

/// BM25 of a text beside the index, such as a passage, for a query whose terms have these weights:
/// `(times, weight)` pairs, its length, and the average length of its like.
pub(super) fn score(terms: impl Iterator<Item = (u32, f64)>, length: f64, average: f64) -> f64 {
    let norm = K1 * (1.0 - B + B * length / average.max(1.0));
    terms
        .map(|(times, weight)| weight * saturated(times, norm))
        .sum()
}

/// The terms of all segments, each once.
fn dictionary(segments: &[&Segment]) -> Vec<String> {
    let mut terms: Vec<String> = segments
        .iter()
        .flat_map(|segment| segment.terms.iter().cloned())
        .collect();
    if segments.len() > 1 {
        terms.sort_unstable();
        terms.dedup();
    }
    terms
}

/// Where the terms of a segment stand in a dictionary that holds them all; both are sorted.
fn places(dictionary: &[String], segment: &Segment) -> Vec<u32> {
    let mut place = 0;
    let mut found = Vec::with_capacity(segment.terms.len());
    for term in &segment.terms {
        while dictionary.get(place).is_some_and(|known| known < term) {
            place += 1;
        }
        found.push(place as u32);
    }
    found
}

fn inverted(vectors: &Rows<Count>, terms: usize) -> Rows<(u32, u32)> {
    let mut ends = vec![0; terms];
    for count in &vectors.cells {
        ends[count.term as usize] += 1;
    }
    let mut sum = 0;
    for end in &mut ends {
        (*end, sum) = (sum, sum + *end);
    }
    // Each row's start moves to its end as the row is filled.
    let mut cells = vec![(0, 0); vectors.cells.len()];
    for document in 0..vectors.ends.len() {
        for count in vectors.row(document) {
            let end = &mut ends[count.term as usize];
            cells[*end] = (document as u32, count.times);
            *end += 1;
        }
    }
    Rows { ends, cells }
}
