//! Similarity of two lists of terms: the cosine of their count vectors, and their overlap.

use std::collections::{BTreeMap, BTreeSet};

/// The cosine of the angle between the term counts of `a` and `b`: 1 for the same terms in the same
/// proportions, 0 for none in common or an empty side.
pub fn cosine(a: &[String], b: &[String]) -> f64 {
    let (a, b) = (counts(a), counts(b));
    let dot: f64 = a
        .iter()
        .filter_map(|(term, count)| b.get(term).map(|other| count * other))
        .sum();
    let norms = norm(&a) * norm(&b);
    if norms > 0.0 {
        // Rounding may lead to a value above 1, which is no cosine.
        (dot / norms).min(1.0)
    } else {
        0.0
    }
}

/// The number of distinct terms that `a` and `b` share.
pub fn overlap(a: &[String], b: &[String]) -> usize {
    let a: BTreeSet<&String> = a.iter().collect();
    let b: BTreeSet<&String> = b.iter().collect();
    a.intersection(&b).count()
}

/// The number of occurrences of each term, in the order of the terms: floating-point sums over it
/// are the same in every run.
fn counts(terms: &[String]) -> BTreeMap<&str, f64> {
    let mut counts = BTreeMap::new();
    for term in terms {
        *counts.entry(term.as_str()).or_insert(0.0) += 1.0;
    }
    counts
}

/// The Euclidean norm.
fn norm(counts: &BTreeMap<&str, f64>) -> f64 {
    counts
        .values()
        .map(|count| count * count)
        .sum::<f64>()
        .sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn cosine_is_one_for_the_same_and_zero_for_nothing_shared() {
        assert!((cosine(&list("a b b"), &list("b a b")) - 1.0).abs() < 1e-12);
        assert!((cosine(&list("a b"), &list("b c")) - 0.5).abs() < 1e-12);
        assert!(cosine(&list("a"), &list("b")).abs() < 1e-12);
        assert!(cosine(&[], &list("b")).abs() < 1e-12);
    }

    #[test]
    fn overlap_counts_distinct_terms() {
        assert_eq!(overlap(&list("a a b c"), &list("a b b d")), 2);
    }
}
