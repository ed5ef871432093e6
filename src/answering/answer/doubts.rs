//! Doubts whether a sentence with words of a question answers it: it may be on what is done with
//! something else, on another amount, or compare nothing.

use super::super::question::answer_type::AnswerType;
use super::super::question::{Question, QuestionTerm};
use super::super::vocabulary::words_have;
use super::type_words::RULES;
use crate::text::{self, folded};

/// Verbs of a question that a rule on their object need not have, "Dogs are not allowed"; a closed
/// list, written by hand.
const ANY_DEED: &[&str] = &[
    "be", "bring", "come", "do", "enter", "expect", "get", "go", "have", "keep", "make", "need",
    "pay", "put", "see", "stay", "take", "use", "visit", "work",
];

/// Words of what is allowed or not, beside those of rules.
const GRANTED: &[&str] = &["accepted", "possible", "welcome", "can be"];

/// The length above which a word may be a comparative by its end.
const SHORTEST: usize = 4;

impl Question {
    /// `true` if a quotation, in its own words and with what stands around it, leaves open what the
    /// question asks, whatever words they share; in English alone.
    pub fn is_missed_by(&self, words: &str, around: &str) -> bool {
        self.is_english()
            && (self.lacks_deed(words, around)
                || self.lacks_object(around)
                || self.has_other_unit(words)
                || self.lacks_comparison(words))
    }

    /// `true` if it asks whether somebody may do something, "Can I install it myself?", and nothing
    /// around a quotation has a word for that, nor is it a rule.
    fn lacks_deed(&self, words: &str, around: &str) -> bool {
        let verb = self.wording.verb_of_permission();
        let verb = verb.filter(|verb| !ANY_DEED.contains(verb));
        let met = self.met(around);
        let is_lacking = |term: &QuestionTerm| verb == Some(&*term.word) && !met.contains(&term);
        let own = folded(words);
        let is_inability = own.iter().any(|word| word == "cannot");
        let is_rule = words_have(&own, GRANTED) || words_have(&own, RULES) && !is_inability;
        self.answer_type == AnswerType::YesNo && self.terms.iter().any(is_lacking) && !is_rule
    }

    /// `true` if yes or no is asked, and nothing around a quotation has any of the words that an
    /// answer cannot do without: "Can I keep my old radiators?"
    fn lacks_object(&self, around: &str) -> bool {
        let met = self.met(around);
        // "On a Tuesday" is answered by a rule for other days.
        let is_time = |word: &str| text::WEEKDAYS.contains(&word) || text::MONTHS.contains(&word);
        let essential = self.essential_terms();
        let mut essential = essential.filter(|term| !is_time(&term.word)).peekable();
        self.answer_type == AnswerType::YesNo
            && essential.peek().is_some()
            && essential.all(|term| !met.contains(&term))
    }

    /// `true` if a number of the question stands in a sentence with another unit: "15 %" for
    /// "at -15 degrees".
    fn has_other_unit(&self, words: &str) -> bool {
        let own = text::quantities(words);
        text::quantities(&self.text).iter().any(|amount| {
            let behind = self.text[amount.range.end..].trim_start();
            let unit = if behind.starts_with("degree") {
                "°C"
            } else {
                &*amount.unit
            };
            let mut equal = own
                .iter()
                .filter(|own| own.value.abs() == amount.value.abs())
                .peekable();
            let is_measured = !matches!(unit, "" | "year");
            is_measured
                && equal.peek().is_some()
                && equal.all(|own| !own.unit.is_empty() && own.unit != unit)
        })
    }

    /// `true` if it asks which of several is the most of something, "Which pump is the quietest?",
    /// and a sentence compares nothing.
    fn lacks_comparison(&self, words: &str) -> bool {
        let question = self.wording.words();
        let mut pairs = question.windows(2);
        let asks = question.first() == Some(&"which")
            && pairs.any(|pair| pair[0] == "the" && text::is_regular_superlative(pair[1]));
        let compares = |word: &String| {
            text::is_regular_superlative(word)
                || word.len() > SHORTEST && word.ends_with("er")
                || matches!(
                    word.as_str(),
                    "more" | "most" | "less" | "least" | "than" | "only" | "no" | "first" | "last"
                )
        };
        asks && !text::tables::is_record(words) && !folded(words).iter().any(compares)
    }
}
