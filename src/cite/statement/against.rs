//! "Against" as a denial: who advises against a thing does not advise it, and who does it against
//! the advice does not follow that.

use super::lexicon;

/// Verbs that "against" turns round as it does those of advice; a closed list, written by hand.
const WARNINGS: &[&str] = &[
    "advises",
    "counsel",
    "counselled",
    "warn",
    "warned",
    "warns",
];

/// The number of words before "against" among which the verb is: "advised strongly against".
const TO_AGAINST: usize = 2;

/// What is done against, if it is not followed; a closed list, written by hand.
const GUIDANCE: &[&str] = &[
    "advice",
    "guidelines",
    "instructions",
    "orders",
    "recommendation",
    "recommendations",
    "wish",
    "wishes",
];

/// `true` for "against" in "against the advice of the office", and for "contrary" to it.
pub(super) fn is_against_guidance(words: &[&str], at: usize) -> bool {
    let mut follows = words[at + 1..].iter().take(TO_AGAINST + 1);
    matches!(words[at], "against" | "contrary") && follows.any(|word| GUIDANCE.contains(word))
}

/// `true` for "against" in "advised against it".
pub(super) fn advises_against(words: &[&str], at: usize) -> bool {
    let mut before = words[..at].iter().rev().take(TO_AGAINST);
    words[at] == "against" && before.any(|word| lexicon::is_advice(word) || WARNINGS.contains(word))
}
