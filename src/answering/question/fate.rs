//! The fate of a document: whether a question asks what became of one, "Was the proposal
//! accepted?", and whether a sentence says what became of its own, "This proposal was withdrawn".
//!
//! The sentence shares hardly a word with the question, and stands far from those that repeat what
//! was proposed. The lists are English: the stages of proposals, decisions and rules.

use super::super::vocabulary::words_have;
use crate::text::{self, Language, folded};

/// Participles for what became of a document.
const FATES: &[&str] = &[
    "abandoned",
    "accepted",
    "adopted",
    "approved",
    "cancelled",
    "canceled",
    "declined",
    "deprecated",
    "dropped",
    "implemented",
    "merged",
    "obsoleted",
    "postponed",
    "ratified",
    "rejected",
    "repealed",
    "replaced",
    "retired",
    "retracted",
    "revoked",
    "stabilised",
    "stabilized",
    "superceded",
    "superseded",
    "withdrawn",
];

/// Those of them, and their verbs, that tell what or who ended a document: "Which policy replaced
/// it?"
const ENDS: &[&str] = &[
    "obsoleted",
    "repealed",
    "replaced",
    "replaces",
    "retracted",
    "revoked",
    "superceded",
    "superseded",
    "supersedes",
    "withdrawn",
    "withdrew",
];

/// Those of them that end a document for what is wrong with it.
pub(in crate::answering) const ENDED: &[&str] = &["rescinded", "retracted", "revoked", "withdrawn"];

/// Other words for it, in what somebody decided.
const DECIDED: &[&str] = &[
    "obsolete",
    "reject",
    "retract",
    "retraction",
    "withdraw",
    "withdrawal",
    "withdrew",
];

/// What documents are called that have a fate.
const DOCUMENTS: &[&str] = &[
    "adr",
    "amendment",
    "decision",
    "directive",
    "document",
    "draft",
    "guideline",
    "motion",
    "pep",
    "plan",
    "policy",
    "proposal",
    "recommendation",
    "resolution",
    "rfc",
    "rule",
    "rules",
    "specification",
    "standard",
];

/// Phrases that ask for the fate of whatever they name.
const PHRASES: &[&str] = &[
    "became of",
    "become of",
    "fate of",
    "happened to",
    "happened with",
    "still active",
    "still current",
    "still in force",
    "still planned",
    "still valid",
];

/// Words of a question that only ask for the fate.
const ASKING: &[&str] = &[
    "active",
    "became",
    "become",
    "current",
    "fate",
    "force",
    "happened",
    "planned",
    "still",
    "ultimately",
    "valid",
];

/// The auxiliary verbs before a participle.
const AUXILIARIES: &[&str] = &["is", "was", "has", "been", "were"];

/// Words that begin another clause, in which a fate is not said.
const CONDITIONS: &[&str] = &[
    "after", "before", "if", "once", "that", "this", "unless", "until", "when", "which",
];

/// The value of a sentence with a word for a fate that is not said of "this document".
const OF_ANOTHER: f64 = 0.1;

/// `true` for a question in a language that asks what became of a document.
pub(in crate::answering) fn asks_for_fate(question: &str, language: Language) -> bool {
    if language != Language::default() {
        return false;
    }
    let words = folded(question);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let is_subject = has(DOCUMENTS);
    let begins = |list: &[&str]| {
        words
            .first()
            .is_some_and(|first| list.contains(&first.as_str()))
    };
    // "Which plan was approved?" asks for the plan.
    let asks_for_stage = begins(&["did", "has", "have", "is", "was", "were"]) && has(FATES)
        || begins(&["what", "which", "who"]) && has(ENDS);
    is_subject && (asks_for_stage || words_have(&words, PHRASES))
}

/// `true` for a folded word that only asks for the fate.
pub(in crate::answering) fn is_word_for_fate(folded: &str) -> bool {
    FATES.contains(&folded) || ASKING.contains(&folded)
}

/// The degree to which a sentence says what became of its document, 0 to 1.
pub(in crate::answering) fn degree(sentence: &str) -> f64 {
    let words = folded(sentence);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let has_fate = words
        .iter()
        .any(|word| FATES.contains(word) || DECIDED.contains(word));
    let is_of_this =
        text::is_end_stamp(sentence) || (0..words.len()).any(|at| says_fate_of_this(&words, at));
    match (has_fate, is_of_this) {
        (false, _) => 0.0,
        (true, true) => 1.0,
        (true, false) => OF_ANOTHER,
    }
}

/// The maximum number of words from the verb to "this document". Chosen by hand.
const PART_WORDS: usize = 4;

/// The maximum number of words from "this document" to the verb, and from there to the word for its
/// fate. Chosen by hand.
const MAX_WORDS_BETWEEN: usize = 7;

/// `true` if "this document" begins at a word and is said to have met its fate: "this RFC was later
/// withdrawn", "decided to retract this RFC", but not "if this RFC is accepted".
fn says_fate_of_this(words: &[&str], at: usize) -> bool {
    let is_document = words[at] == "this"
        && words
            .get(at + 1)
            .is_some_and(|noun| DOCUMENTS.contains(noun));
    let before = at.checked_sub(1).map(|before| words[before]);
    if !is_document || before.is_some_and(|before| CONDITIONS.contains(&before)) {
        return false;
    }
    // "To retract this RFC", "to withdraw a part of this RFC".
    let is_ended = words[at.saturating_sub(PART_WORDS)..at]
        .iter()
        .any(|verb| DECIDED.contains(verb));
    let mut after = words[at + 2..].iter();
    let is_subject = after
        .by_ref()
        .take(MAX_WORDS_BETWEEN)
        .take_while(|word| !CONDITIONS.contains(word))
        .any(|word| AUXILIARIES.contains(word));
    let mut rest = after.take(MAX_WORDS_BETWEEN);
    is_ended || is_subject && rest.any(|word| FATES.contains(word) || *word == "obsolete")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_for_the_fate_of_a_document_is_told_from_others() {
        for (question, expected) in [
            ("Is the arrow syntax (RFC 1228) still planned?", true),
            ("What happened to the proposal on late fees?", true),
            ("Was the motion on dogs accepted?", true),
            ("Which policy replaced the one of 2021?", true),
            ("Which plan was approved for the roof?", false),
            ("Why was the proposal rejected?", false),
            ("Was the pump replaced?", false),
            ("What happened to the pump?", false),
        ] {
            assert_eq!(
                asks_for_fate(question, Language::default()),
                expected,
                "{question}"
            );
        }
    }

    #[test]
    fn sentence_says_what_became_of_its_document() {
        assert_eq!(
            degree("This RFC was previously approved, but later withdrawn"),
            1.0
        );
        assert_eq!(degree("The team decided to retract this RFC."), 1.0);
        assert_eq!(degree("They decided to withdraw a part of this RFC."), 1.0);
        assert_eq!(degree("Much of this RFC was stabilized."), 1.0);
        assert_eq!(degree("A node is dropped; this RFC is not."), OF_ANOTHER);
        assert_eq!(
            degree("Add to this RFC from RFC 8, if this RFC is accepted."),
            OF_ANOTHER
        );
        assert_eq!(degree("WITHDRAWN 11 March 2024."), 1.0);
        assert_eq!(degree("An earlier proposal was rejected."), OF_ANOTHER);
        assert_eq!(degree("This RFC proposes an arrow."), 0.0);
    }
}
