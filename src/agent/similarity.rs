//! The similarity of sentences, by the cosine of their terms.

/// The least cosine of the terms of two sentences that count as similar. Set by hand on the shipped
/// example (`examples/heat-pumps`).
pub(super) const SIMILAR: f64 = 0.6;

/// `true` if two lists have at least this many terms in common.
pub(super) fn shares(terms: &[String], other: &[String], least: usize) -> bool {
    // Stops at the least number: a sentence has few terms, so a linear search is the fastest.
    other
        .iter()
        .filter(|term| terms.contains(term))
        .take(least)
        .count()
        == least
}
