//! Values: a later number of the same thing in a document of another title.

use std::collections::BTreeSet;

use super::phrases::{DatedSentence, meets_all, share_most, shares_more_than};
use crate::answering::Question;
use crate::cite::Statements;
use crate::text::{self, folded};

/// `true` if a sentence sets a value from now on, or in the place of an earlier decision, and
/// another one states another value of the same thing: "The set point is 84 °C with immediate
/// effect" of "We recommend 86 °C as the set point".
pub(super) fn enacts(
    question: &Question,
    later: DatedSentence<'_>,
    earlier: DatedSentence<'_>,
) -> bool {
    let is_enacted = text::is_onward(later.text) || text::ends_decision(later.text);
    is_enacted
        && share_most(later.text, earlier.text)
        && question.met(later.text).len() > 1
        && gives_other_value(later.text, earlier.text)
}

/// `true` if a sentence of a text gives another number of what one of another text gives.
fn gives_other_value(one: &str, other: &str) -> bool {
    let others = Statements::parse(other);
    let own = Statements::parse(one);
    own.iter().any(|own| {
        let mut others = others.iter();
        others.any(|other| own.has_other_number(other))
    })
}

/// `true` if a sentence asks not to use the number that another one gives: "Please do not use the
/// thickness of 9.4 mm for the girder."
pub(super) fn asks_not_to_use(question: &Question, later: &str, earlier: &str) -> bool {
    let number = text::unusable_number(later);
    number.is_some_and(|number| {
        folded(earlier).contains(&number)
            && text::unusable_number(earlier).is_none()
            && shares_more_than(question, &[number], later, earlier)
    })
}

/// `true` if a row of a table says from when its value is valid, and a sentence on the item that
/// it names gives another number of what is asked, for as much, and meets no other words of the
/// question: "Community room; Price EUR: 60; Valid from: 2025-01-01" of "The room costs 50 euros".
pub(super) fn lists_anew(
    question: &Question,
    later: DatedSentence<'_>,
    earlier: DatedSentence<'_>,
) -> bool {
    text::tables::valid_from(later.text).is_some()
        && is_on_item(later.text, earlier)
        && question.is_measured_in(later.text)
        && question.is_measured_in(earlier.text)
        && meets_all(question, earlier.text, &question.met(later.text))
        && gives_other_value(later.text, earlier.text)
        && !are_of_other_rates(later.text, earlier.text)
}

/// `true` if a sentence, with its heading and title, has most words of the first value of a row,
/// which names what the row is on.
fn is_on_item(row: &str, sentence: DatedSentence<'_>) -> bool {
    let item = text::tables::record_fields(row.trim()).next();
    let item = item.map_or(Vec::new(), |(_, value)| text::terms(value));
    let heading = sentence.heading.unwrap_or_default();
    let own = text::terms(&[sentence.text, heading, sentence.title].join("\n"));
    let shared = item.iter().filter(|term| own.contains(term)).count();
    shared > 0 && 2 * shared >= item.len()
}

/// `true` if two texts give amounts per different things: "per hour" and "per stay".
fn are_of_other_rates(one: &str, other: &str) -> bool {
    let rates = |text| {
        let words = folded(text);
        let pairs = words.windows(2).filter(|pair| pair[0] == "per");
        pairs.map(|pair| pair[1].clone()).collect::<BTreeSet<_>>()
    };
    let (one, other) = (rates(one), rates(other));
    !one.is_empty() && !other.is_empty() && one.is_disjoint(&other)
}

/// `true` unless a sentence is a row of a table that another one does not name: "Agreed to raise
/// the threshold from 5 to 15 minutes" says so of one alert of a list.
pub(super) fn may_change_row(later: &str, row: &str) -> bool {
    let (own, words) = (text::terms(later), folded(later));
    let is_named = |value: &str| {
        let mut terms = text::terms(value).into_iter();
        if value.contains(|c: char| c.is_ascii_digit()) {
            let value = folded(value);
            words.windows(value.len().max(1)).any(|own| own == value)
        } else {
            terms.any(|term| own.contains(&term))
        }
    };
    let mut values = text::tables::record_fields(row).map(|(_, value)| value);
    !text::tables::is_record(row) || values.any(is_named)
}

/// `true` if a text states the number that a sentence gives in the place of an old one, in the same
/// unit: "22.8 million, not 23.8 million".
pub(super) fn states_new(sentence: &str, old: &[String], stated: &[String]) -> bool {
    let words = folded(sentence);
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let pairs = || words.windows(2).filter(|pair| is_number(&pair[0]));
    let units: Vec<&String> = pairs()
        .filter(|pair| old.contains(&pair[0]))
        .map(|pair| &pair[1])
        .collect();
    let mut others = pairs().filter(|pair| !old.contains(&pair[0]));
    others.any(|pair| units.contains(&&pair[1]) && stated.contains(&pair[0]))
}
