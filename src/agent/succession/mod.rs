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
#[cfg(test)]
mod tests;
mod value;
mod withdrawal;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use self::amendment::amends_document;
pub(super) use self::amendment::{gives_new_text, replaces_clause};
pub use self::amendment::{is_amendment_of, names_amendment};
use self::decision::decides_anew;
pub(super) use self::event::{day_to_come, decides_otherwise, gives_time};
use self::event::{decides_item_again, happened, is_now, switches};
pub(super) use self::numbered::{NoLonger, revokes_numbered};
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
use crate::text::{self, Keywords, LazyKeywords, LazyPhrases, Phrases, folded};

/// Words with which a sentence corrects what was said before, in English, German and Spanish;
/// closed lists, written by hand.
static CORRECTIONS: LazyPhrases = LazyLock::new(|| {
    Phrases::new(
        "postponed, rescheduled, adjourned, deferred, delayed, moved to, moved from, put off, \
         brought forward, changed to, changed from, corrected, correction, revised, cancelled, \
         canceled, called off, replaced by, raised to, lowered to, extended to, extended until, \
         extend the, extends the, prolonged until, \
         verschoben, verlegt, vorverlegt, vertagt, korrigiert, berichtigt, geandert, abgesagt, \
         aplazado, aplazada, pospuesto, pospuesta, corregido, corregida, cancelado, cancelada",
    )
});

/// The number of words before a correction among which its subject is.
const SUBJECT_WORDS: usize = 8;

/// An answer to a question that later sentences are compared with.
#[derive(Debug, Clone, Copy)]
pub(super) struct EarlierAnswer<'a> {
    sentence: DatedSentence<'a>,
    /// `true` if it [`may_be_superseded`].
    is_fact: bool,
}

impl<'a> EarlierAnswer<'a> {
    pub(super) fn new(question: &Question, sentence: DatedSentence<'a>) -> Self {
        let is_fact = may_be_superseded(question, sentence.text);
        Self { sentence, is_fact }
    }

    /// `true` if another sentence supersedes it: it is of a later document, and says that it
    /// changes the fact that is asked for, that it happened or is so now, or says the same with
    /// another value in a document of the same title. Or it says that it replaces what this one
    /// says, or who takes or leaves the office, and is of no earlier document.
    pub(super) fn is_superseded_by(&self, question: &Question, later: DatedSentence<'_>) -> bool {
        numbered::revokes(later, self.sentence)
            || corrects_value(later, self.sentence)
            || self.is_fact && supersedes_fact(question, later, self.sentence)
    }
}

/// `true` if a sentence supersedes an earlier one that may be superseded.
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
        && (corrects(question, later.text, earlier.text) && is_of_matter()
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
            && ((decides_anew(question, later.text, earlier.text)
                || changes_office(question, later.text, earlier.text))
                && is_of_matter()
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
    let is_of_question = || 2 * question.met(earlier).len() > question.terms.len();
    text::admits_error(later)
        && !text::admits_error(earlier)
        && is_of_question()
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
    let sentences = || text::sentences(later.text, 0..later.text.len());
    text::ChangedPart::may_be_in(later.text)
        && sentences()
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
static BEFORE_VALUES: LazyPhrases =
    LazyLock::new(|| Phrases::new("moved to, changed to, raised to, lowered to, extended to"));

/// `true` unless a sentence says to what something moved or was changed, and that is no answer of
/// the type that is asked for.
fn has_new_value(question: &Question, sentence: &str) -> bool {
    let Some(at) = BEFORE_VALUES.position_in(sentence) else {
        return true;
    };
    let value = text::words(sentence).nth(at + 2);
    let value = value.map_or(sentence.len(), |word| word.range.start);
    question.answer_type != AnswerType::Person && question.is_answered_by_type(&sentence[value..])
}

fn corrects(question: &Question, later: &str, earlier: &str) -> bool {
    let has_type =
        |sentence| question.answer_type.is_factual() && question.is_answered_by_type(sentence);
    if !CORRECTIONS.may_be_in(later)
        || !has_new_value(question, later)
        || !applies_to(later, earlier)
    {
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

static AGAIN_KEYWORDS: LazyKeywords = LazyLock::new(|| Keywords::new(["again"]));

/// `true` if a sentence says that something is again as it was before what another one says
/// changed it: "It stays open until 21:00 again" of "It closes at 20:00 instead of 21:00".
fn restores(question: &Question, later: &str, earlier: &str) -> bool {
    if !AGAIN_KEYWORDS.are_in(later) {
        return false;
    }
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
    if !CORRECTIONS.may_be_in(text) {
        return None;
    }
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
    let at = CORRECTIONS.position_in(sentence)?;
    let words = folded(sentence);
    // What "can be postponed" is not, and what "had been raised" was raised before something else.
    let before = &words[at.saturating_sub(2)..at];
    let is_change = before.last().is_none_or(|word| word != "be") && before != ["had", "been"];
    if !is_change {
        return None;
    }
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
    if !text::is_onward(later.text) || !have_one_title(later.title, earlier.title) {
        return false;
    }
    let met = question.met(later.text);
    // The days on which something is are what changes.
    let is_day = |term: &QuestionTerm| text::WEEKDAYS.contains(&term.word.trim_end_matches('s'));
    let mut of_earlier = question.met(earlier.text).into_iter();
    !met.is_empty()
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
