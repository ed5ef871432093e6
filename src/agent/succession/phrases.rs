//! The words of sentences by which one is known to correct another: phrases of a list, names, terms
//! of a question; and the sentences themselves.

use std::collections::BTreeSet;

use crate::answering::{Question, QuestionTerm};
use crate::text;

/// A sentence with its place in time.
#[derive(Debug, Clone, Copy)]
pub(in crate::agent) struct DatedSentence<'a> {
    pub(in crate::agent) text: &'a str,
    /// The title of its document.
    pub(in crate::agent) title: &'a str,
    /// The date of its document, as far as it is given.
    pub(in crate::agent) date: Option<&'a str>,
    /// The heading right above it.
    pub(in crate::agent) heading: Option<&'a str>,
}

/// The capitalised words of a text behind the first of each of its sentences and items, but for
/// stop words: "1. Stop the pump" names nobody.
pub(super) fn names(sentence: &str) -> impl Iterator<Item = &str> {
    let begins = |word: &text::Word<'_>| {
        let before = sentence[..word.range.start].trim_end();
        before.is_empty() || before.ends_with(['.', ':', '!', '?', '•'])
    };
    let words = text::words(sentence).filter(move |word| !begins(word));
    let words = words.map(|word| word.text);
    let is_name = |word: &&str| {
        word.starts_with(char::is_uppercase) && !text::is_stop_word(&text::fold(word))
    };
    words.filter(is_name)
}

/// `true` if a sentence meets terms of a question, and no others than some.
pub(super) fn meets_all(question: &Question, sentence: &str, terms: &[&QuestionTerm]) -> bool {
    let met = question.met(sentence);
    !met.is_empty() && met.iter().all(|term| terms.contains(term))
}

/// The number of terms that two sentences share, and that of the one with fewer.
pub(super) fn shared_terms(one: &str, other: &str) -> (usize, usize) {
    let [one, other] = [one, other].map(|text| BTreeSet::from_iter(text::terms(text)));
    (one.intersection(&other).count(), one.len().min(other.len()))
}

/// `true` if two sentences share more than half of the terms of the one with fewer.
pub(super) fn share_most(one: &str, other: &str) -> bool {
    let (shared, fewer) = shared_terms(one, other);
    2 * shared > fewer
}

/// `true` if a sentence meets half of the words of a question that another one meets.
pub(super) fn shares_half(question: &Question, one: &str, other: &str) -> bool {
    let (own, met) = (question.met(one), question.met(other));
    let shared = met.iter().filter(|term| own.contains(term)).count();
    shared > 0 && 2 * shared >= met.len()
}

/// `true` if two sentences meet the same word of a question beside the name of what is replaced:
/// what somebody else says of one who leaves an office, stays so.
pub(super) fn shares_more_than(
    question: &Question,
    old: &[String],
    one: &str,
    other: &str,
) -> bool {
    let met = question.met(other);
    let own = question.met(one).into_iter();
    let mut own = own.filter(|term| !old.contains(&term.word));
    own.any(|term| met.iter().any(|other| other.stem == term.stem))
}
