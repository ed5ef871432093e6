//! Questions for those who may do something.

use super::super::question::Question;
use super::super::question::answer_type::AnswerType;
use crate::text::{self, Language};

/// Words with which a sentence says who may do something, beside those of rules.
const ENTITLED: &[&str] = &["eligible", "entitled", "qualify", "qualifies"];

/// Auxiliary verbs with which a sentence says what somebody may do.
const AUXILIARIES: &[&str] = &["can", "may", "must"];

/// The number of words behind such a verb among which the deed is: "can also freely apply". Chosen
/// by hand.
const DEED_WORDS: usize = 3;

impl Question {
    /// `true` if it asks what has to be: "What temperature must food be served at?"
    pub fn asks_what_must_be(&self) -> bool {
        let words = self.wording.words();
        self.is_english() && self.answer_type != AnswerType::YesNo && words.contains(&"must")
    }

    /// `true` if it asks who may do or have something: "Who may use the van?"
    pub fn asks_who_may(&self) -> bool {
        let words = self.wording.words();
        self.answer_type == AnswerType::Person
            && matches!(words[..], ["who", "may" | "can" | "must", ..])
    }

    /// `true` if it asks who may do something, and a sentence says it: by a rule, or by the deed
    /// that it asks for, "Schools can apply".
    pub fn is_permitted_in(&self, sentence: &str) -> bool {
        let stem = |word: &str| Language::default().stem(word, word);
        let words = text::folded(sentence);
        let deed = self.wording.words().get(2).map(|deed| stem(deed));
        let does = |at: usize| {
            let mut behind = words[at + 1..].iter().take(DEED_WORDS);
            AUXILIARIES.contains(&words[at].as_str()) && behind.any(|word| Some(stem(word)) == deed)
        };
        let is_entitled = |word: &String| ENTITLED.contains(&word.as_str());
        self.asks_who_may()
            && (self.is_rule(sentence)
                || words.iter().any(is_entitled)
                || (0..words.len()).any(does))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_may_do_something_is_told_by_the_deed_or_a_rule() {
        let question = Question::parse("Who can apply for the bursary?");
        for (sentence, is_permitted) in [
            ("Schools in the county can apply.", true),
            ("Clubs are eligible from the second year.", true),
            ("Only residents may hold it.", true),
            ("The bursary was a gift of the mill.", false),
            ("The committee can meet in June.", false),
        ] {
            assert_eq!(
                question.is_permitted_in(sentence),
                is_permitted,
                "{sentence}"
            );
        }
    }
}
