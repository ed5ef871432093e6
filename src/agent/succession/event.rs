//! Events: when something happened, and what is so by now, where an earlier document announced it
//! or says what was so.

use std::sync::LazyLock;

use super::phrases::{DatedSentence, meets_all, shares_half};
use crate::answering::{AnswerType, Question};
use crate::read::dates;
use crate::text::{self, LazyPhrases, Phrases, folded};

/// `true` if it is asked when something happened, a sentence gives a day that was over when it was
/// written, and another one announces a day to come: "Tickets have been sold online since 14 July"
/// of "Tickets will be sold online from 1 July".
pub(super) fn happened(
    question: &Question,
    later: DatedSentence<'_>,
    earlier: DatedSentence<'_>,
) -> bool {
    if !question.asks_when_it_happened() {
        return false;
    }
    let is_open = |own| day_and_date(own).map(|(day, date)| is_to_come(&day, date));
    // What is to happen "if" something else does is not announced.
    let is_conditional = folded(earlier.text).iter().any(|word| word == "if");
    let met = question.met(later.text);
    let mut own = question.met(earlier.text);
    own.retain(|term| !term.is_name);
    let is_of_event = !own.is_empty() && own.iter().all(|term| met.contains(term));
    // Who was "Mayor from 1985" tells of no day after the announcement of 1987.
    let is_after = || {
        let day = day_and_date(later).zip(earlier.date);
        day.is_some_and(|((day, _), date)| is_to_come(&day, date) || date.starts_with(&day))
    };
    // What names the day itself, as in an amendment of it, announced it.
    let names_it = || {
        let day = day_and_date(later).and_then(|(day, _)| Some(day.get(5..10)?.to_owned()));
        day.is_some_and(|day| text::names_day(earlier.text, &day))
    };
    !is_conditional
        && is_of_event
        && is_open(later) == Some(false)
        && is_open(earlier) == Some(true)
        && is_after()
        && !names_it()
        && shares_half(question, later.text, earlier.text)
}

/// `true` if a sentence gives a day, a month, a year or an hour, and not only a period: "every
/// eight weeks".
pub(in crate::agent) fn gives_time(sentence: &str) -> bool {
    let is_time = |word: text::Word<'_>| {
        let folded = text::fold(word.text);
        // "May" is a month, and "may" is none.
        let is_name = word.text.starts_with(char::is_uppercase);
        let is_year = word.text.len() == 4 && word.text.bytes().all(|byte| byte.is_ascii_digit());
        let is_hour = word.text.contains(':') || matches!(&*folded, "am" | "pm" | "noon" | "a.m");
        is_year
            || is_hour
            || is_name && text::MONTHS.contains(&folded.as_str())
            || text::WEEKDAYS.contains(&folded.trim_end_matches('s'))
    };
    text::words(sentence).any(is_time)
}

/// `true` if a day is after a date: a day of its month is not after "2025-08".
fn is_to_come(day: &str, date: &str) -> bool {
    day > date && !day.starts_with(date)
}

/// The day that a sentence gives, as far as it is given, and the date of its document, whose year
/// is that of a day without one.
fn day_and_date(own: DatedSentence<'_>) -> Option<(String, &str)> {
    let date = own.date?;
    let of_year = || Some(format!("{}-{}", date.get(..4)?, text::first_day(own.text)?));
    let day = dates::written_date(own.text).or_else(of_year)?;
    Some((day, date))
}

/// Phrases of what is so by now.
static NOW: LazyPhrases = LazyLock::new(|| Phrases::new("is now, are now"));

/// `true` if a sentence says that something is so "now", and has all words of a question that
/// another one has, which are half of its own at least: "Card payment is now possible for any
/// amount".
pub(super) fn is_now(question: &Question, later: &str, earlier: &str) -> bool {
    if !NOW.are_in(later) {
        return false;
    }
    let of = |answer_type| question.answer_type == answer_type;
    // Who holds an office now may have held it before.
    let is_fact =
        of(AnswerType::YesNo) || question.answer_type.is_factual() && !of(AnswerType::Person);
    let met = question.met(later);
    // A sentence with a word or two of many is on something else.
    let is_on_same = 2 * question.met(earlier).len() >= met.len();
    is_fact
        && met.len() > 1
        && is_on_same
        && meets_all(question, earlier, &met)
        && question.is_answered_by_type(later)
        && (of(AnswerType::YesNo) || question.is_answered_by_type(earlier))
}

/// `true` if it is asked what was decided, and a sentence under the same heading of a later
/// document says that something is in the place of what another one names: "Scarves will be bought
/// instead of robes" of "The purchase of new robes was put off", both under "Robes".
pub(super) fn decides_item_again(
    question: &Question,
    later: DatedSentence<'_>,
    earlier: DatedSentence<'_>,
) -> bool {
    if !question.asks_for_decision() || !are_of_one_item(later, earlier) {
        return false;
    }
    let words = folded(later.text);
    let instead = IN_PLACE_OF.position_in(later.text);
    let mut old = words.iter().skip(instead.unwrap_or(words.len()));
    let old = old.find(|word| !text::is_stop_word(word) && !INSTEAD.contains(&word.as_str()));
    let mut stated = folded(earlier.text).into_iter();
    old.is_some_and(|old| stated.any(|word| text::stem(&word) == text::stem(old)))
        && !question.met(earlier.text).is_empty()
}

/// `true` for sentences under the same heading: of one item on the agendas of two meetings.
fn are_of_one_item(one: DatedSentence<'_>, other: DatedSentence<'_>) -> bool {
    let headings = one.heading.zip(other.heading);
    headings.is_some_and(|(one, other)| folded(one) == folded(other))
}

/// Phrases before whom one goes over to.
static SWITCHES: LazyPhrases = LazyLock::new(|| {
    Phrases::new("switch to, switched to, switches to, change to, changed to, changes to")
});

/// `true` if it is asked who does something, and a sentence under the same heading of a later
/// document says to whom one goes over, whom the other one does not name: "We switch to CanDo" of
/// "We go with Tin Brothers", both under "Canning".
pub(super) fn switches(
    question: &Question,
    later: DatedSentence<'_>,
    earlier: DatedSentence<'_>,
) -> bool {
    let at = SWITCHES.position_in(later.text);
    let new = at.and_then(|at| text::words(later.text).nth(at + 2));
    let is_new = |word: text::Word<'_>| {
        let mut stated = text::words(earlier.text);
        word.text.starts_with(char::is_uppercase) && !stated.any(|own| own.text == word.text)
    };
    question.answer_type == AnswerType::Person
        && are_of_one_item(later, earlier)
        && new.is_some_and(is_new)
}

/// Phrases before what something is in the place of.
static IN_PLACE_OF: LazyPhrases =
    LazyLock::new(|| Phrases::new("instead of, in place of, rather than"));

/// `true` if it is asked what was decided, and a sentence says that something is in the place of
/// something else.
pub(in crate::agent) fn decides_otherwise(question: &Question, sentence: &str) -> bool {
    question.asks_for_decision() && IN_PLACE_OF.are_in(sentence)
}

/// The words of the phrases before what something is in the place of.
const INSTEAD: [&str; 3] = ["instead", "place", "rather"];

/// The day from which what a sentence says is so, if that is after its date: "rises from 60 to 72
/// euros as from 1 January 2027".
pub(in crate::agent) fn day_to_come(sentence: DatedSentence<'_>) -> Option<String> {
    let date = sentence.date?;
    let mut places = sentence.text.match_indices("from ");
    places.find_map(|(at, from)| {
        let behind = &sentence.text[at + from.len()..];
        let end = text::words(behind).nth(DAY_WORDS - 1)?.range.end;
        dates::written_date(&behind[..end]).filter(|day| is_to_come(day, date))
    })
}

/// The number of words of a day: "1 January 2027".
const DAY_WORDS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_decided_for_a_later_day_is_so_from_then() {
        for (text, date, day) in [
            (
                "The fee rises from 60 to 72 euros as from 1 January 2027.",
                "2026-02-25",
                Some("2027-01-01"),
            ),
            (
                "The fee is 72 euros from 1 January 2027.",
                "2027-02-25",
                None,
            ),
            ("The fee rises from 60 to 72 euros.", "2026-02-25", None),
            (
                "The desk has been open from 5 August 2026.",
                "2026-08",
                None,
            ),
        ] {
            let title = "Minutes";
            let sentence = DatedSentence {
                text,
                title,
                date: Some(date),
                heading: None,
            };
            assert_eq!(day_to_come(sentence).as_deref(), day, "{text}");
        }
    }
}
