//! What is so without a thing: the answer to what happens if that is left out.

use std::sync::LazyLock;

use super::super::question::Question;
use crate::text::{Keywords, LazyKeywords, folded};

/// Participles of what is left out.
const LEFT_OUT: &[&str] = &["dropped", "excluded", "ignored", "omitted", "removed"];

/// The number of words behind "without" among which its object is.
const WITHOUT_WORDS: usize = 4;

static WITHOUT_KEYWORDS: LazyKeywords = LazyLock::new(|| Keywords::new(["without"]));

impl Question {
    /// `true` if it asks what happens if something is left out, and a sentence begins with what is
    /// so without that: "Without T07 the catch is 20 300 tonnes."
    pub fn is_without_in(&self, sentence: &str) -> bool {
        let question = self.wording.words();
        let mut pairs = question.windows(2);
        let is_left_out = pairs.any(|pair| pair == ["left", "out"])
            || question.iter().any(|word| LEFT_OUT.contains(word));
        let words = folded(sentence);
        let is_first = words.first().is_some_and(|word| word == "without");
        let behind = words.iter().skip(1).take(WITHOUT_WORDS);
        let is_behind = |name: &str| behind.clone().any(|word| word == name);
        let mut names = self.terms.iter().filter(|term| term.is_name);
        is_left_out && is_first && names.any(|name| is_behind(&name.word))
    }

    /// `true` if it asks what something is, and a sentence is on what goes without it, which is an
    /// exception: "without notice" tells no period of notice.
    pub fn is_left_out_in(&self, sentence: &str) -> bool {
        if !WITHOUT_KEYWORDS.are_in(sentence) {
            return false;
        }
        let words = folded(sentence);
        let is_without = |pair: &[String]| {
            let stem = self.language.stem(&pair[1], &pair[1]);
            let mut terms = self.terms.iter().filter(|term| term.stem == stem);
            pair[0] == "without" && terms.any(|term| self.is_asked_for(term))
        };
        words.windows(2).any(is_without) && !self.wording.words().contains(&"without")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_says_what_is_so_without_what_is_left_out() {
        let question = Question::parse("What happens to the advice if transect T07 is left out?");
        assert!(question.is_without_in("Without T07 the catch is 20 300 tonnes."));
        assert!(!question.is_without_in("The run without T07 is finished."));
        // The second of two names.
        let question = Question::parse("What does Tveit say if transect T07 is left out?");
        assert!(question.is_without_in("Without T07 the catch is 20 300 tonnes."));
        let question = Question::parse("What is the notice period of the lease?");
        assert!(question.is_left_out_in("It may be ended without notice for good cause."));
        assert!(!question.is_left_out_in("It may be ended at six months' notice without fee."));
        let question = Question::parse("What happened to transect T07?");
        assert!(!question.is_without_in("Without T07 the catch is 20 300 tonnes."));
    }
}
