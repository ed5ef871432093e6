//! Changes of office: who takes one, and who leaves it.

use super::phrases::{first_of, folded, has_one_of, meets_all, names};
use crate::answering::{AnswerType, Question};
use crate::text;

/// Words with which somebody takes an office; a closed list, written by hand.
const APPOINTMENTS: &str = "appointed, appoints, elected, elects, hired, succeeds, succeeded, \
    takes over, took over, takes office, took office, becomes, became";

/// Words with which somebody leaves an office; a closed list, written by hand.
const DEPARTURES: &str = "step down, steps down, stepped down, stepping down, resign, resigns, \
    resigned, retires, retired, will retire, leaves office, left office";

/// Words with which somebody holds an office.
const HOLDINGS: &str = "has been, is";

/// Titles before a name.
const TITLES: [&str; 4] = ["mr", "mrs", "ms", "dr"];

/// `true` if a sentence gives the office that a question asks for to somebody else, or says that
/// who holds it leaves.
pub(super) fn changes_office(question: &Question, later: &str, earlier: &str) -> bool {
    let appoints = has_one_of(later, APPOINTMENTS) || holds_since(later);
    let ends = has_one_of(later, DEPARTURES);
    let is_change = question.answer_type == AnswerType::Person && (appoints || ends);
    // Who leaves has a successor at last: "He will retire in August."
    let leaves = has_one_of(earlier, DEPARTURES);
    if !is_change || leaves && (!appoints || has_one_of(earlier, APPOINTMENTS)) {
        return false;
    }
    let met = question.met(later);
    // "It needs the consent of the secretary" names nobody.
    let is_held = names(earlier).next().is_some();
    let is_same = || names(earlier).any(|name| names(later).any(|own| own == name));
    // "Joanna runs the clinic" is of no clinical director.
    let is_of_office = 2 * question.met(earlier).len() > met.len();
    let stated = folded(earlier);
    let is_kept = appointed(later).iter().any(|name| stated.contains(name));
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

/// `true` if a sentence says since when somebody holds an office: "Ann has been the caretaker since
/// May".
fn holds_since(sentence: &str) -> bool {
    let words = folded(sentence);
    let holds = first_of(&words, HOLDINGS);
    holds.is_some_and(|at| words[at..].iter().any(|word| word == "since"))
}

/// The folded names of who takes an office: those right behind "appointed", or else those before
/// the word for it.
fn appointed(sentence: &str) -> Vec<String> {
    let words: Vec<&str> = text::words(sentence).map(|word| word.text).collect();
    let folded = folded(sentence);
    let Some(at) = first_of(&folded, APPOINTMENTS).or_else(|| first_of(&folded, HOLDINGS)) else {
        return Vec::new();
    };
    let is_name = |word: &&&str| {
        word.starts_with(char::is_uppercase) && !TITLES.contains(&text::fold(word).as_str())
    };
    let behind: Vec<&&str> = words[at + 1..].iter().take_while(is_name).collect();
    let names = if behind.is_empty() {
        words[..at].iter().rev().take_while(is_name).collect()
    } else {
        behind
    };
    let names: Vec<String> = names.into_iter().map(|name| text::fold(name)).collect();
    if names.iter().any(|name| PRONOUNS.contains(&name.as_str())) {
        // "Bea is now the secretary. She takes over …"
        return words
            .iter()
            .take_while(is_name)
            .map(|name| text::fold(name))
            .collect();
    }
    names
}

/// Pronouns for who was named before.
const PRONOUNS: [&str; 3] = ["he", "she", "they"];

/// `true` if a sentence says that somebody leaves an office, and the next one who takes it.
pub(in crate::agent) fn goes_on(sentence: &str, next: &str) -> bool {
    has_one_of(sentence, DEPARTURES) && has_one_of(next, APPOINTMENTS)
}

/// `true` if a sentence has a capitalised word, behind its first, that another one has not.
fn names_others(one: &str, other: &str) -> bool {
    let stated: Vec<&str> = text::words(other).map(|word| word.text).collect();
    names(one).any(|name| !stated.contains(&name))
}
