//! BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009).

/// The saturation of term frequency, k1, at its usual value; tuning did not help
/// (`benches/retrieval.rs`).
const K1: f64 = 1.2;

/// The share of the length norm, b, at its usual value; tuning did not help either.
const B: f64 = 0.75;

/// The length norm: k1 · (1 − b + b · length / average).
pub(in crate::search) fn norm(length: f64, average: f64) -> f64 {
    K1 * (1.0 - B + B * length / average.max(1.0))
}

/// The inverse document frequency of a term that `with` of `all` contain.
pub(in crate::search) fn idf(with: usize, all: usize) -> f64 {
    let (with, all) = (with as f64, all as f64);
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
}

/// The saturation of a term frequency.
pub(in crate::search) fn saturation(frequency: u32, norm: f64) -> f64 {
    let frequency = f64::from(frequency);
    frequency * (K1 + 1.0) / (frequency + norm)
}

/// The score of a text that is no document of the index, such as a passage, by `(frequency,
/// weight)` of the terms, its length, and the average length of its like.
pub(in crate::search) fn score(
    terms: impl Iterator<Item = (u32, f64)>,
    length: f64,
    average: f64,
) -> f64 {
    let norm = norm(length, average);
    terms
        .map(|(frequency, weight)| weight * saturation(frequency, norm))
        .sum()
}
