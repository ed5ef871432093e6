//! Top-k selection among the scores of all documents.

/// A document and how well it answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    /// The number of the document in [`crate::search::Library::documents`].
    pub document: usize,
    /// Comparable within one ranking: 2 to 3 for a document that the query names, 1 to 2 for one
    /// that those mention, up to 1 for any other.
    pub score: f64,
}

/// The documents with the highest scores above 0, best first, ties by number.
pub(in crate::search) fn top_k(scores: &[f64], k: usize) -> Vec<usize> {
    let order = |a: &usize, b: &usize| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b));
    let k = k.min(scores.len());
    let mut best: Vec<usize> = Vec::with_capacity(2 * k);
    let mut least = 0.0;
    for (document, score) in scores.iter().enumerate() {
        // An equal score comes too late: ties go to the lower number.
        if *score <= least {
            continue;
        }
        best.push(document);
        // Quickselect each time there are twice as many as needed: amortised O(n) for all
        // documents, O(k log k) for the best.
        if k > 0 && best.len() >= 2 * k {
            best.select_nth_unstable_by(k - 1, order);
            best.truncate(k);
            least = scores[best[k - 1]];
        }
    }
    best.sort_unstable_by(order);
    best.truncate(k);
    best
}

/// The highest score, or 1 if there is none above 0.
pub(in crate::search) fn maximum(scores: &[f64]) -> f64 {
    let maximum = scores.iter().copied().fold(0.0, f64::max);
    if maximum > 0.0 { maximum } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn top_k_is_the_beginning_of_the_sorted_documents() {
        // Scores repeat, rise and fall, so that ties meet the threshold in any order.
        let scores: Vec<f64> = (0..500_u32).map(|n| f64::from(n * n % 31)).collect();
        let mut sorted: Vec<usize> = (0..scores.len()).filter(|n| scores[*n] > 0.0).collect();
        sorted.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        for k in [0, 1, 2, 7, 50, 499, 500, usize::MAX] {
            let expected = &sorted[..k.min(sorted.len())];
            assert_eq!(top_k(&scores, k), expected, "{k}");
        }
        assert_eq!(top_k(&[0.0, 0.0], 1), Vec::<usize>::new());
    }
}
