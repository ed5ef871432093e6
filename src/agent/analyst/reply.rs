//! Replies: what a passage says to a question that yes or no answers. "Yes, until noon" below the
//! heading "Can I deploy on Friday?" and "never on a Friday" elsewhere contradict each other, and
//! share no statement that could be compared.

use crate::answering::{AnswerType, Question};
use crate::artifact::source::Passage;
use crate::text;

/// The number of words before a term of the question within which a negation is on it: "never on a
/// Friday". Chosen by hand.
const REACH: usize = 3;

/// Words that negate the words after them.
const NEGATIONS: [&str; 7] = [
    "never",
    "not",
    "no",
    "cannot",
    "without",
    "nobody",
    "forbidden",
];

/// Words that permit: what only happened is no rule.
const PERMISSIONS: [&str; 7] = [
    "allowed",
    "can",
    "free",
    "may",
    "permitted",
    "possible",
    "welcome",
];

/// What a passage says to a question.
#[derive(Debug, PartialEq)]
pub(super) struct Reply {
    is_yes: bool,
    /// `true` if its heading asks the question, so that it says so in any words.
    is_below_question: bool,
}

impl Reply {
    /// The reply of a passage; `None` if the question is no such question, or the passage does not
    /// have all that it asks about.
    pub(super) fn of(question: &Question, passage: &Passage) -> Option<Self> {
        let is_on_all = |text: &str| question.met(text).len() == question.terms.len();
        if question.answer_type != AnswerType::YesNo || question.terms.is_empty() {
            return None;
        }
        let heading = passage.headings.last();
        let asks = heading.is_some_and(|heading| heading.ends_with('?') && is_on_all(heading));
        if asks && let Some(is_yes) = text::reply(&passage.quote) {
            return Some(Self {
                is_yes,
                is_below_question: true,
            });
        }
        let is_negated = is_negated(question, &passage.quote);
        let replies = is_negated || permits(&passage.quote);
        (replies && is_on_all(&passage.quote)).then_some(Self {
            is_yes: !is_negated,
            is_below_question: false,
        })
    }

    /// `true` if two replies exclude each other. One of them has to be given as a reply.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        self.is_yes != other.is_yes && (self.is_below_question || other.is_below_question)
    }

    /// "yes" or "no".
    pub(super) fn word(&self) -> &'static str {
        if self.is_yes { "yes" } else { "no" }
    }
}

/// `true` if a text permits something.
fn permits(quote: &str) -> bool {
    let mut words = text::words(quote).map(|word| text::fold(word.text));
    words.any(|word| PERMISSIONS.contains(&word.as_str()))
}

/// `true` if a text negates a term of a question.
fn is_negated(question: &Question, quote: &str) -> bool {
    let words = text::folded(quote);
    let is_negation = |word: &String| NEGATIONS.contains(&word.as_str()) || word.ends_with("n't");
    words.iter().enumerate().any(|(at, word)| {
        let before = &words[at.saturating_sub(REACH)..at];
        before.iter().any(is_negation) && !question.met(word).is_empty()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(heading: &str, quote: &str) -> Option<Reply> {
        let passage = Passage {
            id: "P1".to_owned(),
            source: "S1".to_owned(),
            start: 0,
            end: quote.len(),
            line: None,
            page: None,
            quote: quote.to_owned(),
            columns: Vec::new(),
            headings: vec![heading.to_owned()],
            relevance: 1.0,
        };
        Reply::of(&Question::parse("Can I deploy on a Friday?"), &passage)
    }

    #[test]
    fn a_reply_below_the_question_contradicts_a_rule_elsewhere() {
        let yes = reply("Can I deploy on Friday?", "Yes, until noon.").expect("a reply");
        let rule = |quote: &str| reply("Some things people ask about", quote);
        let never = rule("Deploys: any weekday until 16:00, never on a Friday.").expect("a reply");
        let always = rule("Deploys are welcome on any day, also on a Friday.").expect("a reply");
        assert!(yes.excludes(&never) && never.excludes(&yes));
        assert!(!yes.excludes(&always));
        // Neither is given as a reply, so that both may be on something else.
        assert!(!always.excludes(&never));
        assert_eq!(rule("Deploys take ten minutes."), None);
    }
}
