//! Sufficiency: "too few for a comparison" says that they are not enough for one.

use super::super::alignment::Alignment;
use super::super::restatement::{Difference, Objection};
use super::super::statement::Statement;
use super::super::statement::lexicon;
use super::super::statement::opposites::{self, Kind};

/// Adjectives behind "too" by which something is not enough; a closed list, written by hand.
const LITTLE: &[&str] = &[
    "few", "little", "small", "short", "low", "weak", "thin", "narrow", "light", "slow", "late",
];

/// The number of words before a word for what is enough among which its negation is.
const NEGATED: usize = 2;

/// The objection to a claim that calls enough what its sentence calls too little, or the reverse.
pub(super) fn objection(there: &Alignment<'_>) -> Option<Objection> {
    let (is_enough, word) = sufficiency(there.one)?;
    let (is_other_enough, other) = sufficiency(there.other)?;
    let difference = Difference::Opposite(word, other);
    (is_enough != is_other_enough).then(|| Objection::contradiction(difference))
}

/// `true` if both say that there is enough of something, or that there is too little, and only one
/// of them by a negation: "not enough" is "too few". A negation of anything else is none of these.
pub(super) fn agree(there: &Alignment<'_>) -> bool {
    let (claimed, own) = (sufficiency(there.one), sufficiency(there.other));
    let are_same = claimed
        .zip(own)
        .is_some_and(|((one, _), (other, _))| one == other);
    are_same && is_by_negation(there.one) != is_by_negation(there.other)
}

/// `true` if a statement negates a word for what is enough or too little.
fn is_by_negation(statement: &Statement) -> bool {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    (0..tokens.len()).any(|at| is_sufficiency(tokens[at]) && is_negated(&tokens, at))
}

/// `true` if a word is negated right before it.
fn is_negated(tokens: &[&str], at: usize) -> bool {
    let before = &tokens[at.saturating_sub(NEGATED)..at];
    before.iter().any(|token| lexicon::is_negation(token))
}

/// `true` for a word for what is enough, `false` for what is not; `None` for any other.
fn is_enough(folded: &str) -> Option<bool> {
    opposites::side(Kind::Amount, folded)
}

/// `true` if a word of a claim says how much there is in view of what is needed.
pub(super) fn is_sufficiency(folded: &str) -> bool {
    is_enough(folded).is_some() || LITTLE.contains(&folded)
}

/// `true` if a statement calls something enough, `false` if too little, with its words; `None` if
/// it says neither, or both.
fn sufficiency(statement: &Statement) -> Option<(bool, String)> {
    let tokens: Vec<&str> = statement.normal.split(' ').collect();
    let mut said = (0..tokens.len()).filter_map(|at| {
        let is_negated = is_negated(&tokens, at);
        let words = |from: usize| tokens[from..=at].join(" ");
        match is_enough(tokens[at]) {
            Some(true) => {
                let from = if is_negated { at - 1 } else { at };
                Some((!is_negated, words(from)))
            }
            Some(false) => Some((is_negated, words(at))),
            None => {
                let is_too = at > 0 && tokens[at - 1] == "too" && !is_negated;
                let is_little = is_too && LITTLE.contains(&tokens[at]);
                is_little.then(|| (false, words(at - 1)))
            }
        }
    });
    let first = said.next()?;
    said.all(|other| other.0 == first.0).then_some(first)
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn too_few_are_not_enough() {
        let few = "Twelve pumps are too few for a reliable comparison of products.";
        let enough = "Twelve pumps are not too few; they are enough for a reliable comparison.";
        for (claim, passage, verdict) in [
            (
                "Twelve pumps are enough for a reliable comparison.",
                few,
                Verdict::Contradicted,
            ),
            (
                "Twelve pumps are sufficient for a reliable comparison.",
                few,
                Verdict::Contradicted,
            ),
            // Not said in these words, but no contradiction.
            (
                "Twelve pumps are not enough for a reliable comparison.",
                few,
                Verdict::Partial,
            ),
            (
                "Twelve pumps are too few for a reliable comparison.",
                few,
                Verdict::Supported,
            ),
            (
                "Twelve pumps are enough for a reliable comparison.",
                enough,
                Verdict::Supported,
            ),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, verdict, "{claim} {support:?}");
        }
    }

    #[test]
    fn enough_in_both_is_no_reason_for_another_negation() {
        for (claim, passage) in [
            (
                "The gains in share were not greatly helped by the fact that several smaller \
                 markets had grown large enough.",
                "The gains in share were greatly helped by the fact that several smaller markets \
                 had grown large enough.",
            ),
            (
                "The test is not fast but has a small probability of error, and another test is \
                 correct in time but too slow.",
                "The test is fast but has a small probability of error, and another test is \
                 correct in time but too slow.",
            ),
        ] {
            let support = support(claim, passage);
            assert_eq!(
                support.verdict,
                Verdict::Contradicted,
                "{claim} {support:?}"
            );
        }
    }
}
