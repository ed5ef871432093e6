//! Questions that a whole list answers: for a procedure, whose steps are told in their order, and
//! for several things.

use super::answer_type::AnswerType;
use super::question::Question;
use super::vocabulary::words_have;
use crate::text::{self, folded};

/// Words for those who follow a procedure.
const SUBJECTS: &[&str] = &["i", "we", "you", "one", "they"];

/// Verbs before these words.
const AUXILIARIES: &[&str] = &[
    "do", "can", "could", "should", "must", "shall", "would", "may",
];

/// Phrases that ask for a procedure; a closed list, written by hand.
const PROCEDURES: &[&str] = &[
    "how to",
    "how is",
    "how are",
    "what to do",
    "which steps",
    "the steps",
    "the procedure",
    "to be done",
    "has to do",
];

impl Question {
    /// `true` if it asks for a procedure: "How do I restart the boiler?", "What must I do if …?",
    /// "What are the steps of …?"; in English alone.
    pub fn asks_for_steps(&self) -> bool {
        let words = folded(&self.text);
        let has_subject = |pair: &[String]| {
            AUXILIARIES.contains(&pair[0].as_str()) && SUBJECTS.contains(&pair[1].as_str())
        };
        let asks_how = words.first().is_some_and(|first| first == "how")
            && words.get(1..3).is_some_and(has_subject);
        let asks_what = words
            .windows(3)
            .any(|own| has_subject(own) && own[2] == "do");
        self.is_english() && (asks_how || asks_what || words_have(&words, PROCEDURES))
    }

    /// `true` if it asks for several things: "Which defects does the lift have?", "What were the
    /// findings?"; by the plural in English alone.
    pub fn asks_for_items(&self) -> bool {
        let words = folded(&self.text);
        let is_plural = |noun: &String| noun.ends_with('s') && !text::is_stop_word(noun);
        let asks_which = words
            .first()
            .is_some_and(|first| matches!(first.as_str(), "which" | "what"));
        let asks_what = words.len() > 2
            && words[0] == "what"
            && matches!(words[1].as_str(), "are" | "were")
            && matches!(words[2].as_str(), "the" | "our" | "its" | "their");
        let phrase = words
            .iter()
            .skip(3)
            .take_while(|word| !text::is_stop_word(word));
        self.answer_type == AnswerType::List
            || self.is_english() && asks_which && words.get(1).is_some_and(is_plural)
            || self.is_english() && asks_what && phrase.last().is_some_and(is_plural)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_procedure_is_asked_for() {
        for question in [
            "How do I restart the boiler?",
            "The pressure is too high, what should I do?",
            "What must we do if the standard is outside its limits?",
            "What are the steps of membrane filtration?",
            "How is the guard column replaced?",
        ] {
            assert!(Question::parse(question).asks_for_steps(), "{question}");
        }
        for (question, is_plural) in [
            ("Which defects does the lift have?", true),
            ("What were the main findings of the audit?", true),
            ("What are the opening hours?", true),
            ("What is the work of the auditors?", false),
            ("Which lift has defects?", false),
            ("What is a lift?", false),
        ] {
            let question = Question::parse(question);
            assert_eq!(question.asks_for_items(), is_plural, "{}", question.text);
        }
        for question in [
            "How does a heat pump work?",
            "How much do we pay the cleaners?",
            "Do we pay the cleaners?",
        ] {
            assert!(!Question::parse(question).asks_for_steps(), "{question}");
        }
    }
}
