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

/// `true` if a sentence, which is of no earlier document, says that the number of another one is
/// wrong, or is of a notice on its document and says otherwise.
pub(super) fn corrects_value(later: DatedSentence<'_>, earlier: DatedSentence<'_>) -> bool {
    let is_denied = || text::corrects(later.text, earlier.text) && may_correct(later, earlier);
    let is_of_notice = || {
        text::is_correction_of(later.title, earlier.title)
            && text::says_otherwise(later.text, earlier.text)
    };
    !is_of_earlier(later, earlier) && (is_of_notice() || is_denied())
}

/// The number that a sentence, which is of no earlier document, says is right, and the wrong one
/// that another one gives.
pub(in crate::agent) fn corrected_number(
    later: DatedSentence<'_>,
    earlier: DatedSentence<'_>,
) -> Option<[String; 2]> {
    let is_of_notice = text::is_correction_of(later.title, earlier.title);
    let is_possible =
        || !is_of_earlier(later, earlier) && (is_of_notice || may_correct(later, earlier));
    text::corrected_number(later.text, earlier.text, is_of_notice).filter(|_| is_possible())
}

/// `true` unless a sentence is of a notice on another document, or has no word of another one
/// beside numbers. What number it is on may be said in its title alone.
fn may_correct(later: DatedSentence<'_>, earlier: DatedSentence<'_>) -> bool {
    let newer = [later.text, later.title].join("\n");
    !text::corrects_another(later.title, earlier.title)
        && text::shared_beside_numbers(&newer, earlier.text) > 0
}

/// `true` if the document of the one sentence is older than that of the other.
fn is_of_earlier(one: DatedSentence<'_>, other: DatedSentence<'_>) -> bool {
    let dates = one.date.zip(other.date);
    dates.is_some_and(|(one, other)| one < other && !other.starts_with(one))
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
        && are_of_one_size(later.text, earlier.text)
        && !are_of_other_rates(later.text, earlier.text)
}

/// `true` if a sentence, with the heading above it, has the last word of what a row is on, "room"
/// of "Community room", "City" of "Lind City 3", and with its title most words of it: in a document
/// on something, not every sum is its price.
fn is_on_item(row: &str, sentence: DatedSentence<'_>) -> bool {
    let item = text::tables::record_fields(row.trim()).next();
    let item = item.map_or(Vec::new(), |(_, value)| text::terms(value));
    let near = [sentence.text, sentence.heading.unwrap_or_default()].join("\n");
    let own = text::terms(&[&near, sentence.title].join("\n"));
    let shared = item.iter().filter(|term| own.contains(term)).count();
    let is_word = |term: &&String| term.contains(char::is_alphabetic);
    let noun = item.iter().rev().find(is_word);
    noun.is_some_and(|noun| text::terms(&near).contains(noun)) && 2 * shared >= item.len()
}

/// The factor by which the prices of a thing differ at most. Chosen by hand.
const FACTOR: f64 = 10.0;

/// `true` if a number of a text is of the size of one of another one, in the same unit: the recall
/// of a bicycle costs more than a bicycle.
fn are_of_one_size(one: &str, other: &str) -> bool {
    let others = text::quantities(other);
    text::quantities(one).iter().any(|own| {
        let mut others = others.iter().filter(|other| other.unit == own.unit);
        let is_near = |other: &text::Quantity| {
            let (less, more) = (own.value.min(other.value), own.value.max(other.value));
            more <= FACTOR * less
        };
        own.unit != "year" && others.any(is_near)
    })
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
    if !text::tables::is_record(row) {
        return true;
    }
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
    values.any(is_named)
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
