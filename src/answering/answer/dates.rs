//! Dates, hours and ages in sentences.

use super::super::question::answer_type::AnswerType;
use super::super::question::wording::Wording;
use super::super::question::{Question, QuestionTerm};
use super::super::vocabulary::words_have;
use super::quantity::{DURATIONS, folded_words};
use super::type_words::RULES;
use crate::text::{self, folded};

/// `true` for a sentence on what is so in a case.
pub(in crate::answering) fn is_conditional(sentence: &str) -> bool {
    words_have(&folded(sentence), &["if", "unless"])
}

/// Words with which a sentence says in which case something is so.
const CASES: &[&str] = &[
    "after", "before", "during", "if", "outside", "unless", "until", "when", "while", "within",
];

/// `true` if a question asks when something may or must be done, and a sentence says it.
pub(in crate::answering) fn rules_case(question: &Wording, sentence: &str) -> bool {
    question.asks_when_ruled() && is_rule_for_case(sentence)
        || question.asks_when_ruled_in_german() && is_german_rule_for_case(sentence)
}

/// `true` for a rule that says when it applies: "Spraying is forbidden when the wind is strong".
fn is_rule_for_case(sentence: &str) -> bool {
    let words = folded(sentence);
    words_have(&words, RULES) && words_have(&words, CASES)
}

/// Words of German rules that say when something is allowed or has to be done, folded; a closed
/// list, written by hand.
const GERMAN_CASES: &[&str] = &[
    "innerhalb",
    "sofort",
    "sobald",
    "spatestens",
    "fruhestens",
    "erst nach",
    "ab dem",
    "binnen",
];

/// `true` for a German sentence that says when something may or must be done: "Sie stehen innerhalb
/// von drei Tagen auf".
fn is_german_rule_for_case(sentence: &str) -> bool {
    words_have(&folded(sentence), GERMAN_CASES)
}

/// `true` if a text has a time of the day: `13:30`, `5 pm`, "noon".
fn has_time_of_day(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let is_clock = text.match_indices(':').any(|(at, _)| {
        at > 0 && is_digit(at - 1) && is_digit(at + 1) && is_digit(at + 2) && !is_digit(at + 3)
    });
    let words = folded(text);
    let is_half_day = words.windows(2).any(|pair| {
        pair[0].bytes().all(|byte| byte.is_ascii_digit()) && matches!(pair[1].as_str(), "am" | "pm")
    });
    is_clock || is_half_day || words_have(&words, &["noon", "midnight"])
}

/// Words with which a sentence says that something is open for months: "open from May".
const OPENINGS: &[&str] = &[
    "open", "opens", "opened", "opening", "close", "closes", "closed", "closing", "hours",
];

/// `true` if a sentence says on which days or at which hours something is, or in which months.
pub(in crate::answering) fn gives_hours(sentence: &str) -> bool {
    let words = folded(sentence);
    let is_weekday = |word: &String| text::WEEKDAYS.contains(&word.trim_end_matches('s'));
    let has_month = || {
        text::words(sentence).any(|word| {
            let is_name = word.text.starts_with(char::is_uppercase);
            is_name && text::MONTHS.contains(&text::fold(word.text).as_str())
        })
    };
    has_time_of_day(sentence)
        || words.iter().any(is_weekday)
        || words_have(&words, OPENINGS) && has_month()
}

/// Verbs of an end, which the day of it needs no word for; a closed list, written by hand.
const ENDS: &[&str] = &[
    "end", "ends", "expire", "expires", "finish", "finishes", "stop", "stops",
];

impl Question {
    /// `true` if it asks by when something has to be done: "When must the form be sent?"
    pub fn asks_for_deadline(&self) -> bool {
        let must = ["must", "due", "should"];
        self.answer_type == AnswerType::Date
            && self.is_english()
            && self.wording.words().iter().any(|word| must.contains(word))
    }

    /// `true` if it asks when something ends: "When does the contract expire?"
    pub fn asks_when_it_ends(&self) -> bool {
        let is_end = |term: &QuestionTerm| self.is_verb_of_end(term);
        self.answer_type == AnswerType::Date && self.terms.iter().any(is_end)
    }

    /// `true` for a term that is a verb of an end.
    pub fn is_verb_of_end(&self, term: &QuestionTerm) -> bool {
        ENDS.contains(&term.word.as_str())
    }

    /// `true` if it asks when something happened, or since when it is so: not "When does it start?"
    pub fn asks_when_it_happened(&self) -> bool {
        let mut first = self.wording.words().into_iter().take(2);
        let is_past = |word| matches!(word, "did" | "was" | "were" | "has" | "have" | "since");
        self.answer_type == AnswerType::Date && first.any(is_past)
    }
}

pub(in crate::answering) fn has_new_date(sentence: &str, question: &str) -> bool {
    let question_words = folded_words(question);
    let asks_for_day = question_words.contains("date") || question_words.contains("dates");
    if !asks_for_day && has_time_of_day(sentence) {
        return true;
    }
    text::words(sentence)
        .filter(|word| {
            let word = text::fold(word.text);
            // "On Saturday" gives no other day than "on Saturdays".
            !question_words.contains(&word) && !question_words.contains(&format!("{word}s"))
        })
        .any(|word| {
            let digits = word.text.trim_end_matches('s');
            let is_year = is_year(digits, &sentence[..word.range.start]);
            let folded = text::fold(word.text);
            // "may" is mostly a verb.
            let is_month = text::MONTHS.contains(&folded.as_str())
                && word.text.starts_with(char::is_uppercase);
            is_year
                || is_month
                || text::WEEKDAYS.contains(&folded.trim_end_matches('s'))
                || matches!(
                    folded.as_str(),
                    "century" | "centuries" | "bc" | "decade" | "weeks" | "days" | "months"
                )
        })
}

/// `true` for a number of four digits, or one of three behind "in" or "AD": 165 mm is no year.
fn is_year(digits: &str, before: &str) -> bool {
    let before = before.split_whitespace().next_back().unwrap_or_default();
    let is_early = || matches!(text::fold(before).as_str(), "in" | "ad" | "year" | "since");
    digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits.len() == 4 || digits.len() == 3 && is_early())
}

/// The age up to which people are.
const OLDEST: u32 = 120;

/// `true` if a sentence says of which age somebody is: "from 8 to 15", "aged 16 or over".
pub(in crate::answering) fn gives_age(sentence: &str) -> bool {
    let words = folded(sentence);
    let age = |word: Option<&String>| word.and_then(|own| own.parse().ok());
    let is_age = |word| age(word).is_some_and(|age: u32| age <= OLDEST);
    (0..words.len())
        .filter(|at| is_age(words.get(*at)))
        .any(|at| {
            let before = at.checked_sub(1).map_or("", |before| &words[before]);
            let next = words.get(at + 1).map_or("", String::as_str);
            let is_range = matches!(next, "to" | "and") && is_age(words.get(at + 2));
            let counts_another = next.ends_with('s') && next != "years";
            let is_bound = matches!(before, "under" | "over" | "aged" | "age")
                || matches!(before, "least" | "minimum") && !counts_another;
            let goes_on = words.get(at + 2).map_or("", String::as_str);
            let is_open = matches!(next, "or" | "and")
                && matches!(goes_on, "over" | "under" | "older" | "younger" | "above");
            is_range || is_bound || is_open
        })
}

/// `true` for the folded name of a day of the week or of a month.
pub(in crate::answering) fn is_time(folded: &str) -> bool {
    text::WEEKDAYS.contains(&folded.trim_end_matches('s')) || text::MONTHS.contains(&folded)
}

/// Adverbs that say how often something is.
const FREQUENCIES: &[&str] = &[
    "hourly",
    "daily",
    "nightly",
    "weekly",
    "fortnightly",
    "monthly",
    "quarterly",
    "yearly",
    "annually",
    "biweekly",
];

/// Nouns behind a period for what comes again after it: "a three-year cadence".
const RETURNS: &[&str] = &["basis", "cycle", "cycles", "rhythm", "schedule"];

/// The number of words from "every" to the period: "every two or three years".
const EVERY_WORDS: usize = 5;

/// `true` if a sentence says how often something is: "every two weeks", "daily", "on Fridays", "a
/// three-year cadence", "at intervals of 30 minutes", but not "once it is done".
pub(in crate::answering) fn has_frequency(sentence: &str) -> bool {
    let words = folded(sentence);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_period = |word: &&str| DURATIONS.iter().any(|unit| word.starts_with(unit));
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_day = |word: &str| {
        word.strip_suffix('s')
            .is_some_and(|day| text::WEEKDAYS.contains(&day))
    };
    // "The interval is one hour by day."
    let is_interval = |word: &&str| matches!(*word, "cadence" | "interval" | "intervals");
    let is_named = words.iter().any(is_interval) && words.iter().any(is_period);
    is_named
        || (0..words.len()).any(|at| {
            let next = words.get(at + 1).copied().unwrap_or_default();
            let behind = &words[at + 1..words.len().min(at + EVERY_WORDS)];
            match words[at] {
                // "For every 1 kW" is a ratio.
                "every" | "each" if at > 0 && words[at - 1] == "for" && is_number(next) => false,
                // "Every 50 cycles" counts what comes again.
                "every" if is_number(next) => behind.len() > 1,
                "every" | "each" | "per" => behind.iter().any(is_period),
                "once" | "twice" | "times" => {
                    matches!(next, "a" | "an" | "each" | "every" | "in" | "per")
                }
                word => {
                    FREQUENCIES.contains(&word)
                        || is_day(word)
                        || is_period(&word) && RETURNS.contains(&next)
                }
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequency_is_told_by_a_period_that_comes_again() {
        for (sentence, expected) in [
            ("Editions are released on a three-year cadence.", true),
            ("A new one comes every two or three years.", true),
            ("Call at intervals of 30 minutes.", true),
            ("A check is made every 50 cycles.", true),
            ("Every 12th member has a key.", false),
            ("It gives 4 kW for every 1 kW of electricity.", false),
            ("The interval is one hour by day.", true),
            ("The bin is emptied twice a month, on Fridays.", true),
            ("The bin is emptied weekly.", true),
            ("The path is used exactly once; then it is closed.", false),
            ("We adopt it once they are available.", false),
            ("It is named after the year in which it occurs.", false),
            ("The work takes three years.", false),
        ] {
            assert_eq!(has_frequency(sentence), expected, "{sentence}");
        }
    }
}
