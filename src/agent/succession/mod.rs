//! Succession: the later of two statements on what a question asks, of which one corrects the
//! other. A later date alone makes no correction: two authors may differ at any time. One that
//! names what it replaces needs no date.

mod amendment;
mod decision;
mod event;
mod field;
mod numbered;
mod office;
mod phrases;
mod preprint;
mod value;
mod withdrawal;

use std::collections::BTreeSet;

use self::amendment::amends_document;
pub(super) use self::amendment::{gives_new_text, replaces_clause};
pub use self::amendment::{is_amendment_of, names_amendment};
use self::decision::decides_anew;
pub(super) use self::event::{day_to_come, decides_otherwise, gives_time};
use self::event::{decides_item_again, happened, is_now, switches};
pub(super) use self::numbered::{ends, revokes_numbered};
use self::office::changes_office;
pub(super) use self::office::goes_on;
pub(super) use self::phrases::DatedSentence;
use self::phrases::{meets_all, names, share_most, shared_terms, shares_half, shares_more_than};
pub(super) use self::preprint::replaces_preprint;
pub(super) use self::value::corrected_number;
use self::value::{
    asks_not_to_use, corrects_value, enacts, lists_anew, may_change_row, states_new,
};
use self::withdrawal::{abolishes, grants, is_withdrawn, retracts};
use super::edition::{have_one_title, year_of_title};
use crate::answering::{AnswerType, Question, QuestionTerm};
use crate::cite::{self, QuestionSubject, Statements};
use crate::text::{self, folded};

/// Words with which a sentence corrects what was said before, in English, German and Spanish;
/// closed lists, written by hand.
const CORRECTIONS: &str = "postponed, rescheduled, adjourned, deferred, delayed, moved to, moved \
    from, put off, brought forward, changed to, changed from, corrected, correction, revised, \
    cancelled, canceled, called off, replaced by, raised to, lowered to, extended to, \
    extended until, extend the, extends the, prolonged until, \
    verschoben, verlegt, vorverlegt, vertagt, korrigiert, berichtigt, geandert, abgesagt, \
    aplazado, aplazada, pospuesto, pospuesta, corregido, corregida, cancelado, cancelada";

/// The number of words before a correction among which its subject is.
const SUBJECT_WORDS: usize = 8;

/// `true` if a sentence supersedes another one as an answer to a question: it is of a later
/// document, and says that it changes the fact that is asked for, that it happened or is so now,
/// or says the same with another value in a document of the same title. Or it says that it replaces
/// what the other one says, or who takes or leaves the office, and is of no earlier document.
pub(super) fn supersedes(
    question: &Question,
    later: DatedSentence<'_>,
    earlier: DatedSentence<'_>,
) -> bool {
    numbered::revokes(later, earlier)
        || corrects_value(later, earlier)
        || may_be_superseded(question, earlier.text) && supersedes_fact(question, later, earlier)
}

/// [`supersedes`] for an earlier sentence that may be superseded.
pub(super) fn supersedes_fact(
    question: &Question,
    later: DatedSentence<'_>,
    earlier: DatedSentence<'_>,
) -> bool {
    let is_of_other_year = || question.is_on_year_of(later.text, later.heading.unwrap_or_default());
    if !may_change_row(later.text, earlier.text)
        || text::ends_itself(later.text)
        || is_of_other_year()
    {
        return false;
    }
    let is_of_matter = || are_of_one_matter(later.text, earlier.text);
    let is_later = later.date.zip(earlier.date).is_some_and(|(one, other)| {
        // A year is neither before nor after a day in it.
        one > other && !one.starts_with(other)
    });
    let date = earlier.date.or_else(|| year_of_title(earlier.title));
    let is_earlier = later
        .date
        .zip(date)
        .is_some_and(|(one, other)| one < other && !other.starts_with(one));
    is_later
        && (is_of_matter() && corrects(question, later.text, earlier.text)
            || restores(question, later.text, earlier.text)
            || overrules(question, later, earlier)
            || amends(question, later, earlier)
            || revises_forecast(question, later, earlier)
            || renews(question, later, earlier)
            || enacts(question, later, earlier)
            || lists_anew(question, later, earlier)
            || happened(question, later, earlier)
            || decides_item_again(question, later, earlier)
            || switches(question, later, earlier)
            || is_now(question, later.text, earlier.text)
            || grants(question, later.text, earlier.text)
            || restates(question, later, earlier))
        || !is_earlier
            && (replaces(question, later.text, earlier.text)
                && is_on_thing(question, later, earlier)
                || is_withdrawn(question, later.text, earlier.text)
                || amends_document(question, later, earlier)
                || rectifies(question, later.text, earlier.text)
                || cite::gives_right_value(later.text, earlier.text)
                || retracts(later.text, earlier.text)
                || asks_not_to_use(question, later.text, earlier.text))
        || (is_later || is_before(earlier, later))
            && (is_of_matter()
                && (decides_anew(question, later.text, earlier.text)
                    || changes_office(question, later.text, earlier.text))
                || abolishes(question, later.text, earlier.text))
}

/// `true` if a sentence gives the fact that is asked for, and of the thing itself. What is said of
/// another thing stays so, "The teaching pool stays at 31 degrees", and what gives no day is no
/// earlier one.
pub(super) fn may_be_superseded(question: &Question, earlier: &str) -> bool {
    let is_fact = match question.answer_type {
        AnswerType::Date => gives_time(earlier),
        own => !own.is_factual() || question.is_answered_by_type(earlier),
    };
    is_fact && !question.is_of_others(earlier)
}

/// The least number of terms that two sentences on one matter share. Chosen by hand.
const SHARED_TERMS: usize = 2;

/// `true` if two sentences begin with the same thing, or share more than a single word: "The board
/// decides in June" is no matter of who was elected to the board.
fn are_of_one_matter(one: &str, other: &str) -> bool {
    let first = |text| text::terms(text).into_iter().next();
    let (shared, fewer) = shared_terms(one, other);
    first(one) == first(other) || shared >= SHARED_TERMS.min(fewer)
}

/// `true` if a document without a date is taken for earlier than a dated one: unless its sentence
/// has a year of its own, which is not before that date.
fn is_before(undated: DatedSentence<'_>, dated: DatedSentence<'_>) -> bool {
    let years = |text| text::words(text).filter_map(|word| word.text.parse::<u16>().ok());
    let last = years(undated.text)
        .filter(|year| (1900..2100).contains(year))
        .max();
    let year = dated.date.and_then(|date| date.get(..4)?.parse().ok());
    undated.date.is_none() && year.is_some_and(|year| last.is_none_or(|last| last < year))
}

/// `true` if a sentence says that something was wrong, and then as much of what is asked as the
/// other one: "We gave the wrong winner: the first of 2024 was Ann."
fn rectifies(question: &Question, later: &str, earlier: &str) -> bool {
    let is_of_question = 2 * question.met(earlier).len() > question.terms.len();
    text::admits_error(later)
        && !text::admits_error(earlier)
        && is_of_question
        && meets_all(question, earlier, &question.met(later))
}

/// `true` if a sentence says that what another one says is no longer so: it names as replaced what
/// the other one states, and both meet the same word of the question.
fn replaces(question: &Question, later: &str, earlier: &str) -> bool {
    let Some(old) = text::replaced(later).filter(|_| applies_to(later, earlier)) else {
        return false;
    };
    let stated = folded(earlier);
    // "Thursday" is also said by "on Thursdays".
    let states = |word: &String| stated.contains(word) || stated.contains(&format!("{word}s"));
    // "The members elected Ann against Bob" stays so, though "Ann succeeded Bob".
    let is_told = names(later).any(|name| {
        let name = text::fold(name);
        !old.contains(&name) && stated.contains(&name)
    });
    // A row with the rents of both years states the new one, too.
    let words = folded(later).into_iter();
    let after_old = words.skip_while(|word| !old.contains(word));
    let mut new = after_old
        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()) && !old.contains(word));
    let is_value = old
        .iter()
        .any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let has_new = is_value
        && (new.next().is_some_and(|word| stated.contains(&word))
            || states_new(later, &old, &stated));
    old.iter().all(states)
        && field::is_of_column(later, earlier, &old)
        && !is_told
        && !has_new
        && !text::is_of_some_only(later, earlier)
        && text::replaced(earlier).is_none_or(|other| other != old)
        && shares_more_than(question, &old, later, earlier)
}

/// `true` unless the title of a sentence has a word of the question that another one has neither
/// itself nor in its title: what is changed there is so of another thing.
fn is_on_thing(question: &Question, later: DatedSentence<'_>, earlier: DatedSentence<'_>) -> bool {
    let met = question.met(&[later.text, later.title].join("\n"));
    let mut own = question.met(earlier.title).into_iter();
    own.all(|term| met.contains(&term))
}

/// `true` if a sentence says that it replaces what was said on the day of the other one's document,
/// and is on the same thing: "This replaces the decision of 17 June".
fn overrules(question: &Question, later: DatedSentence<'_>, earlier: DatedSentence<'_>) -> bool {
    let day = text::replaced_day(later.text).filter(|_| !numbered::is_other(later, earlier));
    let is_of_day = day.zip(earlier.date).is_some_and(|(day, date)| {
        let day_of_date = date.get(5..10);
        day_of_date == Some(day.as_str())
    });
    // Minutes of that day have decisions on other things, and say more than what was decided.
    is_of_day
        && (text::is_decision(earlier.text) || share_most(later.text, earlier.text))
        && shares_half(question, later.text, earlier.text)
}

/// `true` if a sentence says that it changes the part of a document that the other one is of, and
/// is on the same thing: "This replaces the second sentence of section 5 of the house rules".
fn amends(question: &Question, later: DatedSentence<'_>, earlier: DatedSentence<'_>) -> bool {
    let changes = |own: &str| {
        let part = text::ChangedPart::of_any(own).filter(|part| {
            !part.document.is_empty() || is_amendment_of(later.title, earlier.title)
        });
        part.zip(earlier.heading).is_some_and(|(part, heading)| {
            part.is_under(heading, earlier.title)
                && if part.paragraph.is_some() || part.is_inner() && part.document.is_empty() {
                    // What is beside it stays, and shares words of the question with it.
                    share_most(own, earlier.text)
                } else {
                    shares_half(question, later.text, earlier.text)
                }
        })
    };
    let sentences = text::sentences(later.text, 0..later.text.len());
    sentences
        .into_iter()
        .any(|range| changes(&later.text[range]))
}

/// `true` if two sentences meet the same word of a question.
fn shares_subject(question: &Question, one: &str, other: &str) -> bool {
    let met = question.met(other);
    let mut own = question.met(one).into_iter();
    own.any(|term| met.iter().any(|other| other.stem == term.stem))
}

/// Words of a correction before a new value: somebody who "moved to Portugal" corrects nothing.
const BEFORE_VALUES: &str = "moved to, changed to, raised to, lowered to, extended to";

/// `true` unless a sentence says to what something moved or was changed, and that is no answer of
/// the type that is asked for.
fn has_new_value(question: &Question, sentence: &str) -> bool {
    let words: Vec<text::Word<'_>> = text::words(sentence).collect();
    let folded = folded(sentence);
    let Some(at) = text::first_phrase(&folded, BEFORE_VALUES) else {
        return true;
    };
    let value = words
        .get(at + 2)
        .map_or(sentence.len(), |word| word.range.start);
    question.answer_type != AnswerType::Person && question.is_answered_by_type(&sentence[value..])
}

fn corrects(question: &Question, later: &str, earlier: &str) -> bool {
    let has_type =
        |sentence| question.answer_type.is_factual() && question.is_answered_by_type(sentence);
    if !has_new_value(question, later) || !applies_to(later, earlier) {
        return false;
    }
    corrected(later).is_some_and(|subject| {
        corrected(earlier).is_none_or(|other| other != subject)
            && shares_subject(question, &subject, earlier)
            && is_on_head(question, &subject, earlier)
            && has_type(later)
            && has_type(earlier)
    })
}

/// `true` unless a subject is a part or an affair of something, "the purchase of a pool cover", and
/// neither the question nor a sentence has a word for that.
fn is_on_head(question: &Question, subject: &str, earlier: &str) -> bool {
    let Some((head, _)) = subject.split_once(" of ") else {
        return true;
    };
    let mut words = head.rsplit(' ').filter(|word| !text::is_stop_word(word));
    words.next().is_none_or(|head| {
        !question.met(head).is_empty() || folded(earlier).iter().any(|word| word == head)
    })
}

/// Where something is decided, and the number of words among which it stands behind "during".
const MEETINGS: &[&str] = &["assembly", "conference", "meeting", "session"];
const FIRST_WORDS: usize = 5;

/// `true` if a sentence says what is so for a while: "During the holidays it opens at 9 instead of
/// 8".
fn is_for_a_time(sentence: &str) -> bool {
    let words = folded(sentence);
    let begins = |first: &str| words.first().is_some_and(|word| word == first);
    // "During the meeting the board set the fee" is no time in which it is so.
    let mut first = words.iter().take(FIRST_WORDS);
    let is_meeting = first.any(|word| MEETINGS.contains(&word.as_str()));
    begins("until") || begins("while") || begins("during") && !is_meeting
}

/// `true` unless a sentence says what is so for a while alone, or on other days than another one.
fn applies_to(later: &str, earlier: &str) -> bool {
    !is_for_a_time(later)
        && !are_of_other_days(later, earlier)
        && !text::denies_other_unit(later, earlier)
}

/// `true` if two sentences each name days of the week, and none in common.
fn are_of_other_days(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(days);
    !one.is_empty() && !other.is_empty() && one.is_disjoint(&other)
}

/// The days of the week that a sentence names, by their numbers from Monday.
fn days(sentence: &str) -> BTreeSet<usize> {
    let words = folded(sentence);
    // "Wednesday 1 July" is a date, and "from Monday to Friday" names two of its days alone.
    let of_word = |word: &String| match word.as_str() {
        "weekdays" => 0..5,
        "weekends" => 5..7,
        word => {
            let day = word.strip_suffix('s').unwrap_or_default();
            let day = text::WEEKDAYS.iter().position(|own| *own == day);
            day.map_or(0..0, |day| day..day + 1)
        }
    };
    words.iter().flat_map(of_word).collect()
}

/// `true` if a sentence says that something is again as it was before what another one says
/// changed it: "It stays open until 21:00 again" of "It closes at 20:00 instead of 21:00".
fn restores(question: &Question, later: &str, earlier: &str) -> bool {
    let (words, stated) = (folded(later), folded(earlier));
    let instead = text::first_phrase(&stated, "instead of");
    let old = instead
        .and_then(|at| stated.get(at + 2..))
        .unwrap_or_default();
    let old: Vec<&String> = old
        .iter()
        .take_while(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    !old.is_empty()
        && words.iter().any(|word| word == "again")
        && old.iter().all(|word| words.contains(word))
        && !are_of_other_days(later, earlier)
        && shares_half(question, later, earlier)
        && question.met(later).len() > 1
}

/// Corrections whose object is corrected, unless a form of "be" makes it their subject.
const ACTIVE: &[&str] = &[
    "postponed",
    "rescheduled",
    "adjourned",
    "deferred",
    "delayed",
    "cancelled",
    "canceled",
    "extend",
    "extends",
];

/// What the first correction in a text is of, by [`corrected_in`] the first sentence with one; if
/// that names nothing, "It was postponed", by the sentence before it, too.
fn corrected(text: &str) -> Option<String> {
    let sentences = text::sentences(text, 0..text.len());
    let mut numbered = sentences.iter().enumerate();
    numbered.find_map(|(number, range)| {
        let subject = corrected_in(&text[range.clone()])?;
        let names = |subject: &str| subject.split(' ').any(|word| !text::is_stop_word(word));
        let before = number.checked_sub(1).map(|before| sentences[before].start);
        match before.filter(|_| !names(&subject)) {
            Some(start) => corrected_in(&text[start..range.end]),
            None => Some(subject),
        }
    })
}

/// What the first correction in a sentence is of: the words before it, or those behind it in "The
/// partners postponed the decision"; `None` if it corrects nothing.
fn corrected_in(sentence: &str) -> Option<String> {
    let words = folded(sentence);
    // What "can be postponed" is not, and what "had been raised" was raised before something else.
    let is_change = |at: &usize| {
        let before = &words[at.saturating_sub(2)..*at];
        before.last().is_none_or(|word| word != "be") && before != ["had", "been"]
    };
    let at = text::first_phrase(&words, CORRECTIONS).filter(is_change)?;
    let before = at
        .checked_sub(1)
        .map_or("", |before| words[before].as_str());
    let is_passive = matches!(before, "is" | "are" | "was" | "were" | "been" | "" | "and");
    if ACTIVE.contains(&words[at].as_str()) && !is_passive {
        let end = words.len().min(at + 1 + SUBJECT_WORDS);
        return Some(words[at + 1..end].join(" "));
    }
    Some(words[at.saturating_sub(SUBJECT_WORDS)..at].join(" "))
}

/// `true` if a sentence of a later document of one title says that something is so from now on, and
/// has all words of a question that another one has.
fn renews(question: &Question, later: DatedSentence<'_>, earlier: DatedSentence<'_>) -> bool {
    let met = question.met(later.text);
    // The days on which something is are what changes.
    let is_day = |term: &QuestionTerm| text::WEEKDAYS.contains(&term.word.trim_end_matches('s'));
    let mut of_earlier = question.met(earlier.text).into_iter();
    text::is_onward(later.text)
        && have_one_title(later.title, earlier.title)
        && !met.is_empty()
        && of_earlier.all(|term| met.contains(&term) || is_day(term))
        && question.is_answered_by_type(later.text)
}

/// `true` if two documents of one title tell of two periods, and the one is later.
pub(super) fn is_of_later_period(later: DatedSentence<'_>, earlier: DatedSentence<'_>) -> bool {
    let dates = later.date.zip(earlier.date);
    dates.is_some_and(|(later, earlier)| later > earlier)
        && text::is_of_period(later.title)
        && have_one_title(later.title, earlier.title)
}

/// `true` if a question asks for one of two documents of one title: "What was the margin in Q1?"
/// does not ask for that of the last quarter, nor "in May" for what is in October.
pub(super) fn asks_for_edition(question: &Question, title: &str, other: &str) -> bool {
    let met = question.met(other);
    let mut own = question.met(title).into_iter();
    // "May" is mostly a verb, and no term of a question.
    let mut months = text::words(&question.text)
        .filter(|word| word.text.starts_with(char::is_uppercase))
        .map(|word| text::fold(word.text))
        .filter(|word| text::MONTHS.contains(&word.as_str()));
    let names = |title: &str, month: &str| folded(title).iter().any(|word| word == month);
    have_one_title(title, other)
        && (own.any(|term| !met.contains(&term))
            || months.any(|month| names(title, &month) && !names(other, &month)))
}

/// `true` if a sentence changes a forecast, and another one expects the same thing of the question.
fn revises_forecast(
    question: &Question,
    later: DatedSentence<'_>,
    earlier: DatedSentence<'_>,
) -> bool {
    let with_title = [later.text, later.title].join("\n");
    text::revises_forecast(later.text)
        && text::is_forecast(earlier.text)
        && shares_subject(question, later.text, earlier.text)
        && meets_all(question, earlier.text, &question.met(&with_title))
}

fn restates(question: &Question, later: DatedSentence<'_>, earlier: DatedSentence<'_>) -> bool {
    // What held in one quarter is not what holds in the next, and each item of a list has its own
    // number.
    !text::is_of_period(later.title)
        && question.answer_type != AnswerType::List
        && have_one_title(later.title, earlier.title)
        && !asks_for_edition(question, earlier.title, later.title)
        && (text::differing_numbers(&[later.text, earlier.text]).is_some()
            || contradicts(question, later.text, earlier.text))
}

/// `true` if a sentence of a text, or its main clause, contradicts one of another text.
fn contradicts(question: &Question, one: &str, other: &str) -> bool {
    let subject = QuestionSubject::parse(&question.subject_words(), question.counted_word());
    let assertions = |text| {
        let sentences = Statements::parse(text);
        let clauses = cite::main_statements(text);
        sentences.iter().cloned().chain(clauses).collect::<Vec<_>>()
    };
    let others = assertions(other);
    let mut own = assertions(one).into_iter();
    own.any(|own| {
        let mut others = others.iter();
        others.any(|other| own.contrast_as_answers(other, &subject).is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence<'a>(date: &'a str, text: &'a str) -> DatedSentence<'a> {
        DatedSentence {
            text,
            title: "Notes",
            date: Some(date),
            heading: None,
        }
    }

    #[test]
    fn who_takes_over_an_office_corrects_nobody_but_the_predecessor() {
        let question = Question::parse("Who is the safeguarding officer?");
        let now = "Bea is now safeguarding officer. She takes over from Ruth Pike.";
        let later = sentence("2026-05-07", now);
        for (text, is_corrected) in [
            ("Name: Bea Lockwood; Role: safeguarding officer.", false),
            ("Name: Ann Lockwood; Role: safeguarding officer.", false),
            ("The safeguarding officer is Ruth Pike.", true),
        ] {
            let earlier = sentence("2026-01-01", text);
            assert_eq!(
                supersedes(&question, later, earlier),
                is_corrected,
                "{text}"
            );
        }
    }

    #[test]
    fn somebody_who_moved_away_corrects_nothing() {
        let later = "Oliver had led the hall for eleven years and has moved to Portugal.";
        let later = sentence("2025-03", later);
        for (question, earlier) in [
            (
                "Who is the hall manager?",
                "The committee elected Petra Lindqvist as hall manager from 1 March 2025.",
            ),
            (
                "How many members does the hall have?",
                "Tom Okafor reported that the hall had 812 members at the end of 2024.",
            ),
        ] {
            let question = Question::parse(question);
            let earlier = sentence("2025-02-12", earlier);
            assert!(!supersedes(&question, later, earlier));
        }
    }

    #[test]
    fn a_correction_that_gives_the_right_number_is_confirmed_by_a_later_one() {
        let question = Question::parse("What is the ridership for 2024?");
        let read = "The ridership for 2024 must read 22.8 million, not 23.8 million.";
        let later = sentence("2025-05-14", read);
        let wrong = sentence("2025-03-12", "The ridership for 2024 was 23.8 million.");
        assert!(supersedes(&question, later, wrong));
        let right = "I said that the ridership for 2024 was 23.8 million. It was 22.8 million.";
        assert!(!supersedes(&question, later, sentence("2025-03-19", right)));
    }

    #[test]
    fn a_later_note_corrects_an_earlier_one_of_the_same_thing() {
        let question = Question::parse("When is the installation of the pump?");
        let first = sentence("2026-05-02", "The installation of the pump is on 14 May.");
        let moved = "The installation is postponed to 21 May, because the fuse box is late.";
        assert!(supersedes(&question, sentence("2026-05-09", moved), first));
        for (date, text) in [
            ("2026-05-01", moved),
            ("2026", moved),
            (
                "2026-05-09",
                "The concert in the park is postponed to 21 May.",
            ),
            ("2026-05-09", "The installation is postponed."),
            ("2026-05-09", "The installation needs 21 metres of pipe."),
        ] {
            assert!(
                !supersedes(&question, sentence(date, text), first),
                "{text}"
            );
        }
    }

    #[test]
    fn a_purchase_that_is_postponed_corrects_nothing_else_of_what_it_is_for() {
        let question = Question::parse("When is the pool closed?");
        let days = sentence(
            "2025-06-02",
            "The pool is closed on 24, 25 and 31 December.",
        );
        let cover = "The purchase of a pool cover is postponed to 2026.";
        assert!(!supersedes(&question, sentence("2025-07-25", cover), days));
        let question = Question::parse("When is the purchase of the cover?");
        let planned = sentence(
            "2025-06-02",
            "The purchase of the cover is planned for 2025.",
        );
        let later = sentence("2025-07-25", cover);
        assert!(supersedes(&question, later, planned));
    }

    #[test]
    fn what_is_abolished_ends_what_was_said_of_it() {
        let question = Question::parse("What does the evening ticket cost?");
        let price = sentence(
            "2024-02-15",
            "The evening ticket, from 18:00, costs 3.50 euros.",
        );
        for (text, ends) in [
            (
                "The council decides: The evening ticket is abolished.",
                true,
            ),
            ("Evening tickets are no longer sold.", true),
            ("The voucher of the evening ticket is abolished.", false),
            ("The season ticket is abolished.", false),
            ("The evening ticket is not valid on Sundays.", false),
        ] {
            let later = sentence("2025-03-20", text);
            assert_eq!(supersedes(&question, later, price), ends, "{text}");
            assert!(!supersedes(&question, price, later), "{text}");
        }
    }

    #[test]
    fn a_sentence_that_names_what_it_replaces_needs_no_date() {
        let question = Question::parse("Who is the lead?");
        let of = |text| DatedSentence {
            text,
            title: "Notes",
            date: None,
            heading: None,
        };
        let earlier = of("The lead is Ann.");
        let later = of("Since May Bob has been the lead in place of Ann.");
        assert!(supersedes(&question, later, earlier));
        assert!(!supersedes(&question, earlier, later));
        let other = of("Bob is the lead in place of Carl.");
        assert!(!supersedes(&question, other, earlier));
        let before = sentence("2024-05-02", later.text);
        let now = sentence("2026-05-02", earlier.text);
        assert!(!supersedes(&question, before, now));
    }

    #[test]
    fn a_decision_that_names_the_day_of_what_it_replaces_supersedes_that() {
        let question = Question::parse("Are we staying with Datadog?");
        let stay = "DECISION: we stay with Datadog and renew for 12 months.";
        let leave = "DECISION (replaces the one of 17 June): we do not renew Datadog.";
        let later = sentence("2025-08-26", leave);
        for (date, expected) in [("2025-06-17", true), ("2025-06-18", false), ("2025", false)] {
            assert_eq!(supersedes(&question, later, sentence(date, stay)), expected);
        }
        let other = sentence("2025-06-17", "DECISION: we upgrade to Postgres 16.");
        assert!(!supersedes(&question, later, other));
    }

    #[test]
    fn what_is_so_for_a_while_or_on_other_days_supersedes_nothing() {
        let question = Question::parse("When do we close on Sundays?");
        let winter = "Until they are filled, the pool closes at 20:00 on Sundays instead of 21:00.";
        let again = "The pool therefore stays open until 21:00 on Sundays again.";
        let weekdays = "The pool opens at 09:00 instead of 08:00 on weekdays.";
        let holidays = "During the holidays, the pool closes at 19:00 instead of 21:00.";
        let supersedes = |later: &str, earlier: &str| {
            let mut later = sentence("2025-06-10", later);
            later.title = "Minutes of June";
            super::supersedes(&question, later, sentence("2025-01-14", earlier))
        };
        assert!(supersedes(again, winter));
        let restaurant = "The pool restaurant was full until 21:00 again.";
        assert!(!supersedes(restaurant, winter));
        assert!(!supersedes(weekdays, again) && !supersedes(holidays, again));
    }

    #[test]
    fn a_revoked_decision_is_superseded_on_its_own_subject_alone() {
        let later = "It is decided to raise the main pool to 27 degrees again. The decision of 14 \
                     January 2025 is thereby revoked.";
        let later = sentence("2025-06-10", later);
        for (question, earlier, is_superseded) in [
            (
                "How warm is the main pool?",
                "It is decided to set the main pool to 26 degrees from 1 February 2025.",
                true,
            ),
            (
                "How warm is the main pool?",
                "The teaching pool stays at 31 degrees.",
                false,
            ),
            (
                "When does the pool close on Sundays?",
                "The pool closes at 20:00 on Sundays.",
                false,
            ),
        ] {
            let question = Question::parse(question);
            let mut earlier = sentence("2025-01-14", earlier);
            earlier.title = "Minutes of January";
            assert_eq!(
                supersedes(&question, later, earlier),
                is_superseded,
                "{}",
                earlier.text
            );
        }
    }

    #[test]
    fn an_election_is_not_superseded_by_who_won_it() {
        let question = Question::parse("Who was elected chair in 2023?");
        let of = |text| DatedSentence {
            text,
            title: "Notes",
            date: None,
            heading: None,
        };
        let election = of("In 2023 the members elected Ann Berg as chair against Bob Wilk.");
        let later = of("Since March 2023 Ann Berg has been the chair in place of Bob Wilk.");
        assert!(!supersedes(&question, later, election));
    }

    #[test]
    fn an_appointment_and_a_rule_in_force_come_before_what_they_end() {
        let question = Question::parse("Who is the head lifeguard?");
        let earlier = sentence("2025-03-01", "Gwen Ashby is the head lifeguard.");
        let text = "The board appointed Paula Reyes as head lifeguard; she follows Gwen Ashby.";
        let later = sentence("2026-05-04", text);
        assert!(supersedes(&question, later, earlier));
        assert!(!supersedes(&question, earlier, later));
        let other = sentence("2026-05-04", "The board appointed Paula Reyes as cashier.");
        assert!(!supersedes(&question, other, earlier));

        let undated = DatedSentence {
            date: None,
            ..earlier
        };
        let text = "Since 1 September 2026 Gwen Ashby has been the head lifeguard.";
        let newer = DatedSentence { text, ..undated };
        assert!(!supersedes(&question, later, newer));
        let text = "Photographs need the consent of the head lifeguard.";
        assert!(!supersedes(
            &question,
            later,
            DatedSentence { text, ..undated }
        ));
        let text = "Gwen Ashby will step down as head lifeguard on 30 April.";
        let leaves = sentence("2026-02-10", text);
        assert!(supersedes(&question, leaves, undated));
        assert!(!supersedes(&question, undated, leaves));

        let question = Question::parse("How often are the filters backwashed?");
        let text = "The filters are backwashed every two weeks (superseded by the new rule).";
        let earlier = sentence("2025-03-01", text);
        let later = sentence("2026-05-04", "The filters are backwashed every week.");
        assert!(supersedes(&question, later, earlier));
        assert!(!supersedes(&question, earlier, later));
        let other = sentence("2026-05-04", "The filters are blue.");
        assert!(!supersedes(&question, other, earlier));
    }

    #[test]
    fn who_takes_an_office_does_not_end_what_is_said_of_the_same_or_of_others() {
        let text =
            "Priya Nair becomes clinical director from 1 April 2025. She succeeds Ruth Odell.";
        let later = sentence("2025-03-12", text);
        let of = |text| DatedSentence {
            text,
            title: "Our team",
            date: None,
            heading: None,
        };
        let question = Question::parse("Who is the clinical director?");
        for earlier in [
            "Name: Priya Nair; Role: Partner, clinical director; Days: Monday to Friday.",
            "1. Stop the clinic. 2. Inform the clinical director.",
            "Joanna Pike runs the free weight clinic for dogs on Saturdays.",
        ] {
            assert!(!supersedes(&question, later, of(earlier)), "{earlier}");
        }
        let earlier = "Name: Ruth Odell; Role: Partner, clinical director; Days: Monday.";
        assert!(supersedes(&question, later, of(earlier)));
        let question = Question::parse("On which days does Ruth Odell work?");
        let days = "Name: Ruth Odell; Role: Surgeon; Days: Monday and Wednesday.";
        assert!(!supersedes(&question, later, of(days)));
        let question = Question::parse("When is the next meeting of the partners?");
        let postponed = "The partners postponed the decision on a branch in Stoke Abbey to 2026.";
        let adopted = sentence(
            "2025-03-12",
            "The partners adopted the rules on 12 March 2025.",
        );
        assert!(!supersedes(
            &question,
            sentence("2025-09-10", postponed),
            adopted
        ));
    }

    #[test]
    fn a_later_edition_gives_another_value_and_another_document_another_view() {
        let question = Question::parse("How large may the setback be?");
        let first = sentence("2026-06-03", "The night setback is at most 5 °C.");
        let later = sentence("2026-06-10", "The night setback is at most 2 °C.");
        assert!(supersedes(&question, later, first));
        let other = DatedSentence {
            title: "Another view",
            ..later
        };
        assert!(!supersedes(&question, other, first));
    }
}
