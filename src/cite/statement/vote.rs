//! Votes: the words by which what is put to a vote succeeds or fails. Of a motion, "failed", "was
//! lost" and "did not pass" say the same; of a pump they do not.

use super::lexicon::BE;

/// What is put to a vote, and the words by which it succeeds or fails; closed lists, written by
/// hand.
pub(in crate::cite) const PUT_TO_VOTE: &[&str] =
    &["motion", "proposal", "application", "request", "amendment"];
pub(in crate::cite) const SUCCEEDS: &[&str] = &[
    "adopted", "carried", "passed", "approved", "accepted", "granted",
];
pub(in crate::cite) const FAILS: &[&str] = &[
    "failed", "rejected", "lost", "defeated", "refused", "declined",
];

/// Forms of these behind "did", and "fails".
const PRESENT: &[(&str, bool)] = &[("pass", true), ("fail", false), ("fails", false)];

/// The words that stand for all by which a motion succeeds or fails.
const ADOPTED: &str = "adopt";
const REJECTED: &str = "reject";

/// The word that a verb is read as in a sentence on a motion; `None` for any other.
pub(in crate::cite) fn reading(folded: &str) -> Option<&'static str> {
    let present = PRESENT.iter().find(|(word, _)| *word == folded);
    let succeeds = match present {
        Some((_, succeeds)) => Some(*succeeds),
        None if SUCCEEDS.contains(&folded) => Some(true),
        None => FAILS.contains(&folded).then_some(false),
    };
    let word = |succeeds: bool| if succeeds { ADOPTED } else { REJECTED };
    succeeds.map(word)
}

/// The number of words before a verb by which a motion succeeds among which it is left open; and
/// words for that: "will be carried".
const BEFORE: usize = 3;
const OPEN: &[&str] = &[
    "will", "would", "shall", "should", "may", "might", "could", "must", "if", "not",
];

/// Words behind such a verb, besides a number, that show it to be no attribute: "adopted by".
const BEHIND: &[&str] = &["by", "unanimously", "with"];

/// `true` for the words of a sentence that says that a motion was carried, and of none that it
/// failed: "Motion to sell the mill: carried 5 to 2". "The adopted plan" says nothing of it.
pub(in crate::cite) fn is_carried(tokens: &[&str], follows_mark: impl Fn(usize) -> bool) -> bool {
    let motion = tokens.iter().position(|token| PUT_TO_VOTE.contains(token));
    let Some(motion) = motion else { return false };
    let is_outcome = |at: usize| {
        let before = &tokens[at.saturating_sub(BEFORE)..at];
        let is_end = tokens.get(at + 1).is_none_or(|next| {
            BEHIND.contains(next) || next.starts_with(|c: char| c.is_ascii_digit())
        });
        let is_passive = before.last().is_some_and(|last| BE.contains(last));
        let is_open = before.iter().any(|token| OPEN.contains(token));
        SUCCEEDS.contains(&tokens[at])
            && (follows_mark(at) || (is_passive || is_end) && !is_open)
            && !matches!(before, [.., "to", "be"])
    };
    let fails = tokens.iter().any(|token| FAILS.contains(token));
    !fails && (motion + 1..tokens.len()).any(is_outcome)
}

/// `true` for "failed" that denies no other verb, as "failed to" does: it says what happened.
pub(in crate::cite) fn is_failure(folded: &str, next: Option<&str>) -> bool {
    matches!(folded, "fail" | "fails" | "failed") && next != Some("to")
}

#[cfg(test)]
mod tests {
    use crate::artifact::verification::Verdict;
    use crate::cite::support;

    #[test]
    fn a_motion_that_failed_was_rejected() {
        let rejected = "The motion was rejected by 15 votes to 8.";
        let adopted = "The motion was adopted by 15 votes to 8.";
        for (claim, passage, verdict) in [
            (
                "The motion failed by 15 votes to 8.",
                rejected,
                Verdict::Supported,
            ),
            (
                "The motion was lost by 15 votes to 8.",
                rejected,
                Verdict::Supported,
            ),
            ("The motion did not pass.", rejected, Verdict::Supported),
            (
                "The motion was rejected.",
                "The motion failed.",
                Verdict::Supported,
            ),
            (
                "The motion passed by 15 votes to 8.",
                rejected,
                Verdict::Contradicted,
            ),
            (
                "The motion failed by 15 votes to 8.",
                adopted,
                Verdict::Contradicted,
            ),
            ("The motion did not pass.", adopted, Verdict::Contradicted),
            (
                "The pump failed to start.",
                "The pump started.",
                Verdict::Contradicted,
            ),
        ] {
            let support = support(claim, passage);
            assert_eq!(support.verdict, verdict, "{claim} {support:?}");
        }
    }
}
