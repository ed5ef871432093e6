//! The similarity of sentences, by their terms.

/// Two sentences with this cosine of their terms say the like (set on the shipped example; see
/// `examples/`).
pub(super) const ALIKE: f64 = 0.6;

/// `true` if two lists have at least this many terms in common.
pub(super) fn shares(one: &[String], other: &[String], least: usize) -> bool {
    let shared = other.iter().filter(|term| one.contains(term));
    shared.take(least).count() == least
}
