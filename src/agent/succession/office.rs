//! Changes of office: who takes one, and who leaves it.

use std::sync::LazyLock;

use super::phrases::{meets_all, names};
use crate::answering::{AnswerType, Question};
use crate::text::{self, LazyPhrases, Phrases, folded};

/// Words with which somebody leaves an office; a closed list, written by hand.
static DEPARTURES: LazyPhrases = LazyLock::new(|| {
    Phrases::new(
        "step down, steps down, stepped down, stepping down, resign, resigns, resigned, retires, \
         retired, will retire, leaves office, left office",
    )
});

/// `true` if a sentence gives the office that a question asks for to somebody else, or says that
/// who holds it leaves.
pub(super) fn changes_office(question: &Question, later: &str, earlier: &str) -> bool {
    if question.answer_type != AnswerType::Person {
        return false;
    }
    let appoints = text::appoints(later) || text::holds_since(later);
    let ends = DEPARTURES.are_in(later);
    // Who leaves has a successor at last: "He will retire in August."
    let leaves = DEPARTURES.are_in(earlier);
    if !appoints && !ends || leaves && (!appoints || text::appoints(earlier)) {
        return false;
    }
    let met = question.met(later);
    // "It needs the consent of the secretary" names nobody.
    let is_held = names(earlier).next().is_some();
    let is_same = || names(earlier).any(|name| leaver(later).is_none_or(|own| own == name));
    // "Joanna runs the clinic" is of no clinical director.
    let is_of_office = 2 * question.met(earlier).len() > met.len();
    let stated = folded(earlier);
    let is_kept = text::appointed(later)
        .iter()
        .any(|name| stated.contains(name));
    // "She takes over from Ruth Pike" says nothing of anybody else who holds it.
    let is_of_others = text::replaced(later)
        .is_some_and(|predecessor| !predecessor.iter().any(|name| stated.contains(name)));
    let is_kept = is_kept || is_of_others;
    appoints
        && is_held
        && is_of_office
        && !is_kept
        && meets_all(question, earlier, &met)
        && names_others(later, earlier)
        || ends && !met.is_empty() && is_same()
}

/// The last name before the words with which somebody leaves: "Frey" in "Ann took over from Hans
/// Frey, who retired". The first of the sentence may be any word.
fn leaver(sentence: &str) -> Option<&str> {
    let words: Vec<text::Word<'_>> = text::words(sentence).collect();
    let at = DEPARTURES.position_in(sentence)?;
    let mut before = words[..at.min(words.len())].iter().rev();
    before
        .find(|word| names(sentence).any(|name| name == word.text))
        .map(|word| word.text)
}

/// `true` if a sentence says that somebody leaves an office, and the next one who takes it.
pub(in crate::agent) fn goes_on(sentence: &str, next: &str) -> bool {
    DEPARTURES.are_in(sentence) && text::appoints(next)
}

/// `true` if a sentence has a capitalised word, behind its first, that another one has not.
fn names_others(one: &str, other: &str) -> bool {
    let stated: Vec<&str> = text::words(other).map(|word| word.text).collect();
    names(one).any(|name| !stated.contains(&name))
}
