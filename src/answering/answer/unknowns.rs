//! Questions for what is not known, and the sentences that say of something that it is not.

use super::super::question::Question;
use super::super::vocabulary::words_have;
use crate::text;

/// Phrases with which one asks for what is not known; a closed list, written by hand.
const ASKING: &[&str] = &[
    "do not know",
    "not clear",
    "not known",
    "not understood",
    "still not know",
    "uncertain",
    "unclear",
    "unknown",
    "we not know",
];

/// Phrases with which a sentence says that something is not known; a closed list, written by hand.
const NOT_KNOWN: &[&str] = &[
    "cannot be said",
    "do not know",
    "does not know",
    "has yet to be",
    "has not been studied",
    "have not been studied",
    "is an open question",
    "not clear",
    "not known",
    "not understood",
    "not yet known",
    "nobody knows",
    "remains to be",
    "uncertain",
    "unclear",
    "undetermined",
    "unknown",
    "was not studied",
    "were not studied",
];

/// Phrases with which a sentence says that there was nothing to know it by.
const NO_DATA: &[&str] = &["no data", "no evidence", "no study has", "no trial has"];

impl Question {
    /// `true` if it asks what is not known: "What is still unclear about the leak?"
    pub fn asks_what_is_unknown(&self) -> bool {
        let words = self.wording.words();
        let asks = matches!(words.first(), Some(&("what" | "which")));
        asks && self.is_english() && self.wording.has(ASKING)
    }

    /// The degree to which a sentence says of something that it is not known, 0 to 1: less where it
    /// only says that there were no data; 0 if that is not asked for.
    pub fn unknown_in(&self, sentence: &str) -> f64 {
        if !self.asks_what_is_unknown() {
            return 0.0;
        }
        let words = text::folded(sentence);
        if words_have(&words, NOT_KNOWN) {
            1.0
        } else if words_have(&words, NO_DATA) {
            0.5
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_said_so() {
        let question = Question::parse("What is not known about the leak?");
        assert_eq!(question.unknown_in("Where the leak began is unknown."), 1.0);
        assert_eq!(question.unknown_in("There were no data on the valve."), 0.5);
        assert_eq!(question.unknown_in("The leak began at the valve."), 0.0);
        let question = Question::parse("Is the cause of the leak unknown?");
        assert_eq!(question.unknown_in("Where the leak began is unknown."), 0.0);
    }
}
