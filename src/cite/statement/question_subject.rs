//! The subject of a question, by which two statements are recognised as answers to it.

use super::super::alignment::has_word;
use super::{ContentWord, Statement};

/// The share of the words of a question that two statements share, so that both answer it, and the
/// least number of these.
const ASKED_SHARE: f64 = 0.75;
const ASKED_WORDS: u32 = 2;

/// The least number of words of a question that two statements both have, so that they say the same
/// thing whatever else they say.
const STATED_WORDS: usize = 3;

/// What a question asks about, to tell whether two statements both answer it.
#[derive(Debug, Clone, Default)]
pub struct QuestionSubject {
    subject: Statement,
    counted: Statement,
    /// The unit that is counted; empty if it is a thing.
    unit: String,
}

impl QuestionSubject {
    /// What is asked about, by the words of the subject and by the word for what is counted, which
    /// is empty if nothing is.
    pub fn parse(subject: &str, counted: &str) -> Self {
        Self {
            // The first word of a sentence has a capital whatever it is.
            subject: Statement::parse(&format!("of {subject}")),
            counted: Statement::parse(counted),
            unit: Statement::parse(&format!("2 {counted}"))
                .figures
                .first()
                .map_or_else(String::new, |figure| figure.unit.clone()),
        }
    }

    /// `true` if two statements share enough words of the subject to be answers to one question.
    pub fn is_answered_by(&self, one: &Statement, other: &Statement) -> bool {
        let has = |statement: &Statement, stem: &str| {
            let mut words = statement.words.iter();
            words.any(|own| own.stem == stem)
        };
        let stems = self.subject.words.iter().map(|word| word.stem.as_str());
        let (all, shared) = stems.fold((0_u32, 0_u32), |(all, shared), stem| {
            let is_shared = has(one, stem) && has(other, stem);
            (all + 1, shared + u32::from(is_shared))
        });
        let counts = |statement: &Statement| {
            let mut words = self.counted.words.iter();
            !self.counted.words.is_empty() && words.all(|word| has_word(&statement.words, word))
        };
        // "How many employees has the pool?": the pool alone, with its employees, is enough.
        let least = if counts(one) && counts(other) {
            1
        } else {
            ASKED_WORDS
        };
        shared >= least && f64::from(shared) >= ASKED_SHARE * f64::from(all)
    }

    /// `true` if a statement has all words of what is counted of a named thing: "Vera, the big one,
    /// holds 220 litres" of "How many litres does Vera hold?", or of any thing, if they are many.
    pub(in crate::cite) fn is_stated_by(&self, statement: &Statement) -> bool {
        let has_all =
            |words: &[ContentWord]| words.iter().all(|own| has_word(&statement.words, own));
        let mut figures = statement.figures.iter();
        let has_unit = !self.unit.is_empty() && figures.any(|own| own.unit == self.unit);
        let is_counted = has_unit || !self.counted.words.is_empty() && has_all(&self.counted.words);
        let subject = &self.subject.words;
        let is_named = subject.len() >= ASKED_WORDS as usize
            && subject.iter().any(|word| word.is_name)
            && is_counted;
        let is_told =
            subject.len() >= STATED_WORDS && (is_counted || self.counted.words.is_empty());
        has_all(subject) && (is_named || is_told)
    }
}
