//! Misstatements: what a text says that itself or another one got wrong, and what is right: "We
//! wrote 18 euros; the correct figure is 12 euros", "Please do not use the sentence about pumps".

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::text::keywords::{Keywords, LazyKeywords};
use crate::text::numbers::{Quantity, quantities};
use crate::text::sentences::sentences;
use crate::text::words::{fold, is_stop_word, stem, words};

/// The authors of a text, their verbs of saying, and words for what is right; closed lists, written
/// by hand, in English and German.
const AUTHORS: [&str; 4] = ["i", "we", "ich", "wir"];
const SAID: [&str; 16] = [
    "announced",
    "gave",
    "given",
    "listed",
    "printed",
    "published",
    "quoted",
    "reported",
    "said",
    "stated",
    "wrote",
    "written",
    "nannten",
    "schrieb",
    "schrieben",
    "sagten",
];
const RIGHT: [&str; 9] = [
    "actual",
    "correct",
    "right",
    "true",
    "korrekt",
    "korrekte",
    "richtig",
    "richtige",
    "richtigen",
];
const BEFORE_RIGHT: [&str; 2] = ["should", "must"];
const IS: [&str; 9] = [
    "is", "was", "are", "were", "be", "read", "ist", "sind", "waren",
];

/// The keywords of a misstatement: it has one of each.
static SAID_KEYWORDS: LazyKeywords = LazyLock::new(|| Keywords::new(SAID));
static RIGHT_KEYWORDS: LazyKeywords =
    LazyLock::new(|| Keywords::new(RIGHT.into_iter().chain(BEFORE_RIGHT)));

/// The number of words behind a word for what is right among which its verb is: "the correct figure
/// for the year is". Chosen by hand.
const RIGHT_WORDS: usize = 6;

/// `false` for a text that does not say that its authors gave a number.
pub(super) fn may_tell_statement(text: &str) -> bool {
    SAID_KEYWORDS.are_in(text)
}

/// The number that a sentence says that its authors gave, and the right one, which has the same
/// unit or none: 18 and 12 in "We wrote 18 euros; the correct figure is 12 euros".
pub fn misstated(sentence: &str) -> Option<(Quantity, Quantity)> {
    if !may_tell_statement(sentence) || !RIGHT_KEYWORDS.are_in(sentence) {
        return None;
    }
    let words: Vec<(usize, String)> = words(sentence)
        .map(|word| (word.range.start, fold(word.text)))
        .collect();
    let is = |list: &[&str], at: usize| {
        let word = words.get(at).map(|(_, word)| word.as_str());
        word.is_some_and(|word| list.contains(&word))
    };
    // "We have wrongly written" has words between the two.
    let is_said = |at: &usize| {
        let by_authors = is(&AUTHORS, *at) && (1..4).any(|next| is(&SAID, at + next));
        // "The number was wrongly given as 9."
        let said = (1..3).map(|next| at + next).find(|at| is(&SAID, *at));
        by_authors || is(&IS, *at) && said.is_some_and(|said| is(&["as"], said + 1))
    };
    let said = (0..words.len()).find(is_said)?;
    let is_right = |at: &usize| {
        let mut verbs = (1..=RIGHT_WORDS).map(|next| at + next);
        is(&RIGHT, *at) && verbs.any(|verb| is(&IS, verb))
            || is(&BEFORE_RIGHT, *at) && is(&IS, at + 1)
    };
    let right = (said..words.len()).find(is_right)?;
    let (said, right) = (words[said].0, words[right].0);
    let is_size = |own: &Quantity| own.unit != "year";
    let numbers = quantities(sentence);
    let mut numbers = numbers.into_iter().filter(is_size);
    let wrong = numbers.find(|own| (said..right).contains(&own.range.start))?;
    let mut right = numbers.find(|own| own.range.start > right)?;
    if right.unit.is_empty() {
        right.unit.clone_from(&wrong.unit);
    }
    let is_other = right.unit == wrong.unit && right.value.total_cmp(&wrong.value).is_ne();
    is_other.then_some((wrong, right))
}

/// `true` if the authors of a text speak of themselves.
pub(super) fn is_of_authors(text: &str) -> bool {
    words(text).any(|word| AUTHORS.contains(&&*fold(word.text)))
}

/// Verbs of what is not to be done with a statement that is wrong, and words for a statement;
/// closed lists, written by hand.
const USES: [&str; 5] = ["use", "quote", "cite", "repeat", "reuse"];
const STATEMENTS: [&str; 8] = [
    "claim",
    "line",
    "passage",
    "phrase",
    "quotation",
    "quote",
    "sentence",
    "statement",
];

/// The keywords of a request not to use a statement: it has one of each.
static NOT_KEYWORDS: LazyKeywords =
    LazyLock::new(|| Keywords::new(["not", "don't", "don\u{2019}t"]));
static STATEMENT_KEYWORDS: LazyKeywords = LazyLock::new(|| Keywords::new(STATEMENTS));

/// The number of words behind such a verb among which is the word for a statement.
const USED_WORDS: usize = 3;

/// The least number of words of a statement that a request names, so that it is known again.
const NAMED: usize = 2;

/// `true` if a sentence asks not to use the statement that another one makes, whose words it names:
/// "Please do not use the sentence about cutting the costs of the pumps."
pub fn asks_not_to_use(sentence: &str, other: &str) -> bool {
    let Some(named) = unusable_statement(sentence) else {
        return false;
    };
    let stated = stems(words(other).map(|word| fold(word.text)));
    let shared = named.intersection(&stated).count();
    // Who said it is mostly named otherwise: "the minister".
    shared >= NAMED && 3 * shared >= 2 * named.len() && unusable_statement(other).is_none()
}

/// `true` if a sentence asks not to use a statement any more, and says what it is about.
pub fn asks_not_to_use_statement(sentence: &str) -> bool {
    unusable_statement(sentence).is_some()
}

/// The stems of what a sentence of a text asks not to use any more, if it is a statement.
fn unusable_statement(text: &str) -> Option<BTreeSet<String>> {
    if !NOT_KEYWORDS.are_in(text) || !STATEMENT_KEYWORDS.are_in(text) {
        return None;
    }
    let mut sentences = sentences(text, 0..text.len()).into_iter();
    sentences.find_map(|range| unusable_in(&text[range]))
}

fn unusable_in(sentence: &str) -> Option<BTreeSet<String>> {
    let words: Vec<String> = words(sentence).map(|word| fold(word.text)).collect();
    let is_request = |own: &[String]| {
        let is_negated = own[1] == "not" && own[0] == "do" || own[1] == "don't";
        is_negated && USES.contains(&own[2].as_str())
    };
    let verb = words.windows(3).position(is_request)? + 3;
    let mut used = (verb..words.len()).take(USED_WORDS);
    let noun = used.find(|at| STATEMENTS.contains(&words[*at].as_str()))?;
    // What the statement is about is behind who said it.
    let behind = &words[noun + 1..];
    let is_about = |word: &String| matches!(word.as_str(), "about" | "on" | "that" | "saying");
    let about = behind.iter().position(is_about)?;
    Some(stems(behind[about + 1..].iter().cloned()))
}

/// The stems of folded words that mean something.
fn stems(words: impl Iterator<Item = String>) -> BTreeSet<String> {
    let words = words.filter(|word| !is_stop_word(word) && word != "either" && word != "anymore");
    words.map(|word| stem(&word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_that_was_given_and_the_right_one_differ() {
        for (sentence, expected) in [
            (
                "We wrote 18 million euros per year; the correct figure is 12 million euros.",
                Some((18e6, 12e6)),
            ),
            (
                "I said 40 kWh, but it should be 46 kWh.",
                Some((40.0, 46.0)),
            ),
            (
                "We wrote that it costs 40 euros; the right price is 30.",
                Some((40.0, 30.0)),
            ),
            (
                "The number of falls was given as 9. The correct number is 4.",
                Some((9.0, 4.0)),
            ),
            ("We wrote 18 letters to the 12 councils.", None),
            ("We wrote 40 euros, and the correct length is 3 m.", None),
            ("The correct figure is 12 million euros.", None),
        ] {
            let values = misstated(sentence).map(|(wrong, right)| (wrong.value, right.value));
            assert_eq!(values, expected, "{sentence}");
        }
    }

    #[test]
    fn a_statement_that_is_not_to_be_used_is_known_by_its_words() {
        let request = "Please do not use the sentence of the mayor about halving the water losses.";
        assert!(asks_not_to_use(
            request,
            "\"We will halve water losses,\" said Ms Ash."
        ));
        let with_reason = [request, "The plan gives no such number of losses."].join(" ");
        assert!(asks_not_to_use(
            &with_reason,
            "\"We will halve water losses,\" said Ms Ash."
        ));
        assert!(!asks_not_to_use(request, "Water is sold by the litre."));
        assert!(!asks_not_to_use(
            "Please do not use the pump.",
            "The pump is old."
        ));
    }
}
