//! Votes: the words by which what is put to a vote succeeds or fails. Of a motion, "failed", "was
//! lost" and "did not pass" say the same; of a pump they do not.

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
