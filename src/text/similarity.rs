//! Similarity of two lists of terms: the cosine of their count vectors, and their overlap.

use std::collections::BTreeSet;

/// The number of occurrences of each term of a list, for comparing it with several others.
#[derive(Debug, Clone)]
pub struct TermCounts<'a> {
    /// In the order of the terms: floating-point sums over it are the same in every run.
    counts: Vec<(&'a str, f64)>,
    /// The Euclidean norm.
    norm: f64,
}

impl<'a> TermCounts<'a> {
    /// Counts the terms of a list.
    pub fn of(terms: &'a [String]) -> Self {
        let mut terms: Vec<&str> = terms.iter().map(String::as_str).collect();
        terms.sort_unstable();
        let equal = terms.chunk_by(|one, other| one == other);
        let counts: Vec<(&str, f64)> = equal.map(|equal| (equal[0], equal.len() as f64)).collect();
        let squares = counts.iter().map(|(_, count)| count * count);
        let norm = squares.sum::<f64>().sqrt();
        Self { counts, norm }
    }

    /// The cosine of the angle between two lists: 1 for the same terms in the same proportions, 0
    /// for none in common or an empty side.
    pub fn cosine(&self, other: &TermCounts<'_>) -> f64 {
        // A merge join: both sides are sorted.
        let mut others = other.counts.iter().peekable();
        let mut dot = 0.0;
        for (term, count) in &self.counts {
            while others.next_if(|(other, _)| other < term).is_some() {}
            if let Some((_, other)) = others.next_if(|(other, _)| other == term) {
                dot += count * other;
            }
        }
        let norms = self.norm * other.norm;
        if norms > 0.0 {
            // Rounding may lead to a value above 1, which is no cosine.
            (dot / norms).min(1.0)
        } else {
            0.0
        }
    }
}

/// The [`TermCounts::cosine`] of two lists of terms.
pub fn cosine(a: &[String], b: &[String]) -> f64 {
    TermCounts::of(a).cosine(&TermCounts::of(b))
}

/// The number of distinct terms that `a` and `b` share.
pub fn overlap(a: &[String], b: &[String]) -> usize {
    let a: BTreeSet<&String> = a.iter().collect();
    let b: BTreeSet<&String> = b.iter().collect();
    a.intersection(&b).count()
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
