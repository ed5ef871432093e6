//! Outcomes: whether a sentence states what came of a study, or only what was studied.
//!
//! In the literature this is argumentative zoning (Teufel and Moens, "Summarizing Scientific
//! Articles", 2002): of an abstract, "an investigation was made of …" is the aim, "it was found
//! that …" the outcome. Only the outcome answers. The lists are English and were collected by hand
//! from abstracts on aerodynamics.

use super::super::question::Question;
use super::super::question::literature::{DONE, STUDIED, STUDIES};
use super::super::vocabulary::words_have;
use crate::text::{Language, folded};

/// The value of a sentence that states an outcome; one that only names a study has -1.
const STATED: f64 = 0.25;

/// Phrases before an outcome.
const OUTCOMES: &[&str] = &[
    "found that",
    "was found",
    "were found",
    "is found",
    "are found",
    "found to",
    "results show",
    "results showed",
    "results indicate",
    "results indicated",
    "show that",
    "shows that",
    "showed that",
    "shown that",
    "is shown",
    "shown to",
    "indicate that",
    "indicates that",
    "indicated that",
    "concluded",
    "concludes",
    "conclusion",
    "conclusions",
    "demonstrated",
    "demonstrates",
    "established that",
    "reveal",
    "reveals",
    "revealed",
    "observed that",
    "observed to",
    "suggests that",
    "resulted in",
    "results in",
    "appeared to",
    "appears that",
    "predicts that",
    "turns out",
    "turned out",
    "confirms",
    "confirmed",
];

/// Phrases of an aim.
const AIMS: &[&str] = &[
    "investigation of",
    "study of",
    "an analysis of",
    "to determine",
    "purpose of",
    "objective",
    "aim of",
    "object of",
    "paper presents",
    "paper describes",
    "paper discusses",
    "paper deals",
    "paper considers",
    "paper gives",
    "paper is",
    "report presents",
    "report describes",
    "report gives",
    "attempt is made",
];

/// Auxiliary verbs of the passive voice.
const AUXILIARIES: &[&str] = &["is", "are", "was", "were", "been", "be"];

/// Words between an auxiliary verb and its participle.
const ADVERBS: &[&str] = &[
    "also", "then", "briefly", "further", "first", "next", "now", "here", "fully", "being",
];

impl Question {
    /// A positive value for a sentence that states an outcome, -1 for one that only names what was
    /// studied, 0 for any other, and for one with the fact that is asked for: "A tunnel is
    /// described that runs for 180 ms".
    pub(in crate::answering) fn outcome(&self, sentence: &str, has_type: bool) -> f64 {
        if self.language != Language::default() {
            return 0.0;
        }
        let words = folded(sentence);
        if words_have(&words, OUTCOMES) {
            STATED
        } else if has_type && self.answer_type.is_factual() {
            0.0
        } else if names_study(&words) || words_have(&words, AIMS) {
            -1.0
        } else {
            0.0
        }
    }
}

/// Verbs with which authors say what they studied.
const OF_AUTHORS: &[&str] = &[
    "analysed",
    "analyzed",
    "examined",
    "investigated",
    "reviewed",
    "studied",
    "surveyed",
];

impl Question {
    /// `true` if it asks what happens to a thing, and a sentence only says that it was studied: "We
    /// reviewed 61 studies of used batteries."
    pub fn asks_more_than_study(&self, sentence: &str) -> bool {
        let words = folded(sentence);
        let is_of_authors =
            |pair: &[String]| pair[0] == "we" && OF_AUTHORS.contains(&pair[1].as_str());
        self.asks_what_happens()
            && !words_have(&words, OUTCOMES)
            && (names_study(&words) || words.windows(2).any(is_of_authors))
    }
}

/// `true` if words say that something was studied, or that a study was made.
fn names_study(words: &[String]) -> bool {
    let is = |list: &[&str], at: usize| {
        words
            .get(at)
            .is_some_and(|word| list.contains(&word.as_str()))
    };
    (0..words.len())
        .filter(|at| is(AUXILIARIES, *at))
        .any(|at| {
            let verb = at + 1 + usize::from(is(ADVERBS, at + 1));
            let is_of_study = || {
                words[..at]
                    .iter()
                    .any(|word| STUDIES.contains(&word.as_str()))
            };
            is(STUDIED, verb) || is(DONE, verb) && is_of_study()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcome_is_told_from_the_study_that_it_came_of() {
        let question = Question::parse("Does cooling the surface delay transition?");
        for (sentence, expected) in [
            ("An investigation was made of the effect of cooling.", -1.0),
            ("The effect of surface cooling is also studied.", -1.0),
            ("Tests were then conducted with a cooled surface.", -1.0),
            ("It was found that cooling delays transition.", STATED),
            (
                "The tests that were made show that cooling delays it.",
                STATED,
            ),
            ("Cooling delays transition.", 0.0),
            (
                "The test is discussed, with the conclusion that it failed.",
                STATED,
            ),
            ("It bends more if the plate is treated as a beam.", 0.0),
            ("The decision was made in March.", 0.0),
        ] {
            assert_eq!(question.outcome(sentence, false), expected, "{sentence}");
        }
    }
}
