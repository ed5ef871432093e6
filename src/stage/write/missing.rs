//! What a claim lacks of a question: its verb alone, the thing asked about, what is counted.

use crate::answering::Question;
use crate::artifact::claims::Claim;
use crate::text;

/// The number of terms of a question that says enough without its verb. Chosen by hand.
const MANY_TERMS: usize = 4;

/// `true` if a claim answers a question of many terms and lacks none but its verb: "When will the
/// statement for 2024 arrive?" is answered by when it will be sent.
pub(super) fn says_all_else(question: &Question, claim: &Claim, missing: &[&String]) -> bool {
    let [only] = missing else {
        return false;
    };
    question.terms.len() >= MANY_TERMS
        && question.has_type(&claim.text)
        && question.ends_with_verb(only)
}

/// `true` if the missing terms have the thing of which a question asks whether there is one.
pub(super) fn lacks_thing(question: &Question, missing: &[&String]) -> bool {
    let thing = question.thing_in_question();
    let thing = thing.map(|term| text::stem(&term.word));
    thing.is_some_and(|thing| missing.contains(&&thing))
}

/// `true` if a claim counts other things than a question does, and has no word for those: lorries
/// for "How many jobs?"
pub(super) fn lacks_counted(question: &Question, claim: &Claim, missing: &[&String]) -> bool {
    let counted = text::stem(&text::fold(question.counted_word()));
    missing.contains(&&counted) && !question.is_counted_in(&claim.text)
}
