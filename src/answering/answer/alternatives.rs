//! Questions that ask to decide: between two things, "Should the queue be a database or a
//! broker?", and for the least version, "What is the minimum Postgres version?".

use super::super::question::Question;
use crate::text::{self, folded};

/// Verbs and nouns of what was decided or is recommended, folded, in English and German.
const DECIDED: &[&str] = &[
    "adopted",
    "agreed",
    "chose",
    "chosen",
    "decided",
    "decision",
    "opted",
    "picked",
    "prefer",
    "recommend",
    "recommended",
    "recommends",
    "selected",
    "beschlossen",
    "empfehlen",
    "empfiehlt",
    "entschieden",
    "gewahlt",
];

/// Words between the thing that was chosen and the other one, folded.
const OVER: &[&str] = &["instead", "not", "over", "rather", "statt", "anstelle"];

/// Words that leave open which of two things is meant, folded.
const OPEN: &[&str] = &[
    "considered",
    "either",
    "may",
    "might",
    "propose",
    "proposed",
    "proposes",
    "suggested",
    "undecided",
    "whether",
    "ob",
];

/// The number of words behind a decision among which what was chosen is. Chosen by hand.
const BEHIND_DECISION: usize = 4;

/// Words that ask for the least of something, folded.
const LEAST: &[&str] = &["lowest", "minimal", "minimum", "oldest", "mindestens"];

/// Words that only say of what kind a version is, folded.
const OF_VERSION: &[&str] = &["required", "supported", "version", "versions"];

/// What a least version is said with, in lower case.
const AT_LEAST: &[&str] = &[
    "or above",
    "or higher",
    "or later",
    "or newer",
    "at least",
    "minimum",
    "no older than",
    "mindestens",
    "oder höher",
    "oder neuer",
];

impl Question {
    /// The stems of the last word of the one thing and of the first of the other one between which
    /// it asks to decide: "database", "broker".
    fn alternatives(&self) -> Option<[String; 2]> {
        let words = folded(&self.text);
        let is_or = |word: &String| matches!(word.as_str(), "or" | "oder");
        let mut places = (0..words.len()).filter(|at| is_or(&words[*at]));
        let at = places.next().filter(|_| places.next().is_none())?;
        let is_of_thing = |word: &&String| !text::is_stop_word(word);
        let one = words[..at].iter().rev().find(is_of_thing)?;
        let other = words[at + 1..].iter().find(is_of_thing)?;
        let is_number = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
        // "Is it 5 or 6 days?" asks for a number.
        let is_yes_no = [
            "is", "are", "was", "were", "do", "does", "did", "should", "shall", "ist",
        ];
        let asks = words
            .first()
            .is_some_and(|first| is_yes_no.contains(&first.as_str()));
        let stems = [one, other].map(|word| text::stem(word));
        let is_apart = stems[0] != stems[1] && !is_number(one) && !is_number(other);
        (asks && is_apart && self.text.trim_end().ends_with('?')).then_some(stems)
    }

    /// If it asks to decide between two things, `true` for a sentence that does: one that chooses
    /// or recommends one of them, "We chose a broker over a database".
    pub fn is_decided_in(&self, sentence: &str) -> Option<bool> {
        let [one, other] = self.alternatives()?;
        let words = folded(sentence);
        let is_open = words.iter().any(|word| OPEN.contains(&word.as_str()));
        if is_open || sentence.trim_end().ends_with('?') {
            return Some(false);
        }
        let stems: Vec<String> = words.iter().map(|word| text::stem(word)).collect();
        let position = |stem: &String| stems.iter().position(|own| own == stem);
        let decided = words
            .iter()
            .position(|word| DECIDED.contains(&word.as_str()));
        let is_decided = match (position(&one), position(&other)) {
            (Some(one), Some(other)) => {
                let between = &words[one.min(other) + 1..one.max(other)];
                let is_apart = between.iter().any(|word| OVER.contains(&word.as_str()));
                let is_joined = between
                    .iter()
                    .any(|word| matches!(word.as_str(), "or" | "oder"));
                is_apart || decided.is_some() && !is_joined
            }
            (Some(own), None) | (None, Some(own)) => {
                decided.is_some_and(|at| own > at && own - at <= BEHIND_DECISION)
            }
            (None, None) => false,
        };
        Some(is_decided)
    }

    /// `true` if it asks to decide between two things, and a sentence leaves that open: it names
    /// both or none of them. For what should be, also one of which it says something else.
    pub fn is_left_open_in(&self, sentence: &str) -> bool {
        let Some([one, other]) = self.alternatives() else {
            return false;
        };
        let words = folded(sentence);
        let has = |stem: &String| words.iter().any(|word| text::stem(word) == *stem);
        let is_on_one = has(&one) != has(&other);
        let asks_what_should_be = folded(&self.text)
            .first()
            .is_some_and(|own| own == "should");
        self.is_decided_in(sentence) == Some(false) && (!is_on_one || asks_what_should_be)
    }

    /// If it asks for the least version of something, `true` for a sentence that gives it: "It
    /// requires Postgres 14 or later".
    pub fn has_least_version(&self, sentence: &str) -> Option<bool> {
        let own = folded(&self.text);
        let names = |list: &[&str]| own.iter().any(|word| list.contains(&word.as_str()));
        if !names(LEAST) || !names(OF_VERSION) {
            return None;
        }
        let mut things = self.terms.iter().filter(|term| {
            let is_frame = |list: &[&str]| list.contains(&term.word.as_str());
            !is_frame(LEAST) && !is_frame(OF_VERSION)
        });
        let words = folded(sentence);
        let is_number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
        // The number stands right behind the thing, or behind "version".
        let is_versioned = |stem: &str| {
            words.windows(2).any(|pair| {
                let is_thing = text::stem(&pair[0]) == stem || pair[0] == "version";
                is_thing && is_number(&pair[1])
            })
        };
        let is_named = |stem: &str| words.iter().any(|word| text::stem(word) == stem);
        let lower = sentence.to_lowercase();
        let is_least = AT_LEAST.iter().any(|words| lower.contains(words));
        let has_things = things.all(|term| is_named(&term.stem) && is_versioned(&term.stem));
        Some(is_least && has_things && words.iter().any(is_number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decision_between_two_things_is_told_from_what_is_said_of_them() {
        let question = Question::parse("Should the queue be a database or a broker?");
        for (sentence, expected) in [
            (
                "We chose a broker over a database table for the queue.",
                true,
            ),
            ("The team recommends a broker.", true),
            ("The queue is a broker, not a database.", true),
            ("The queue may be a database or a broker.", false),
            ("A database is simple to run.", false),
            ("Ann proposed a broker instead of a database.", false),
            ("Whether a broker is better was not decided.", false),
            ("It was decided to move the nodes of the broker.", false),
        ] {
            assert_eq!(
                question.is_decided_in(sentence),
                Some(expected),
                "{sentence}"
            );
        }
        for other in [
            "What is a broker?",
            "Is it 5 or 6 days?",
            "Is a broker used?",
        ] {
            let question = Question::parse(other);
            assert_eq!(
                question.is_decided_in("We chose a broker."),
                None,
                "{other}"
            );
        }
        let is_it = Question::parse("Is the house heated by a heat pump or a boiler?");
        assert!(is_it.is_left_open_in("Is it a heat pump or a boiler?"));
        assert!(!is_it.is_left_open_in("The house is heated by a heat pump."));
    }

    #[test]
    fn least_version_is_that_of_the_thing() {
        let question = Question::parse("What is the minimum Postgres version?");
        for (sentence, expected) in [
            ("The service requires Postgres 14 or later.", true),
            ("At least Postgres 14 is needed.", true),
            ("Postgres 16 is what we run in production.", false),
            ("The minimum memory is 4 GB.", false),
            ("Postgres needs at least 3 nodes.", false),
        ] {
            assert_eq!(
                question.has_least_version(sentence),
                Some(expected),
                "{sentence}"
            );
        }
        let other = Question::parse("What is the minimum size?");
        assert_eq!(other.has_least_version("At least 3 cm."), None);
    }
}
