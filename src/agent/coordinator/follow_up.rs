//! The relation of a topic to an earlier session, by the words that they share.

use std::collections::BTreeSet;

use crate::artifact::classification::FollowUpType;
use crate::text;

/// The beginning of a message that is a question of the user.
pub const QUESTION_PREFIX: &str = "Asked: ";

/// The beginning of a message that is the answer to it.
pub const ANSWER_PREFIX: &str = "Answered: ";

/// Words that refer to what was said before.
const REFERRING: [&str; 18] = [
    "it", "its", "that", "this", "those", "these", "they", "them", "their", "he", "his", "him",
    "she", "her", "one", "ones", "former", "latter",
];

/// The maximum number of words of a short question (chosen by hand).
const SHORT_WORDS: usize = 8;

/// The number of content words of its own up to which a pronoun of a question refers to earlier
/// messages and not to the question itself, as in "Is it true that bees dance?" (chosen by hand).
const REFERRING_TERMS: usize = 1;

/// The relation of a topic to the messages of an earlier session.
pub(super) fn follow_up_type(topic: &str, messages: &[String]) -> FollowUpType {
    if messages.is_empty() {
        return FollowUpType::NewTopic;
    }
    let own: BTreeSet<String> = text::terms(topic).into_iter().collect();
    let known: BTreeSet<String> = messages
        .iter()
        .flat_map(|message| text::terms(message))
        .collect();
    let shared = own.intersection(&known).count();
    let is_short = text::words(topic).count() <= SHORT_WORDS;
    // Most of a short question's words were said before: it asks what was meant by them.
    if is_short && (refers_back(topic) || 2 * shared > own.len()) {
        FollowUpType::Clarification
    } else if shared > 0 || refers_back(topic) {
        FollowUpType::ComplexFollowUp
    } else {
        FollowUpType::NewTopic
    }
}

/// `true` if a topic cannot be understood without what was said before.
fn refers_back(topic: &str) -> bool {
    let own = text::terms(topic).len();
    let mut words = text::words(topic).map(|word| text::fold(word.text));
    let refers = words.any(|word| REFERRING.contains(&word.as_str()));
    own == 0 || refers && own <= REFERRING_TERMS
}

/// The topic in full: followed by the last question of the earlier session if it refers back to it.
pub(super) fn resolved(topic: &str, messages: &[String]) -> String {
    let question = messages
        .iter()
        .rev()
        .find_map(|message| message.strip_prefix(QUESTION_PREFIX));
    match question {
        Some(question) if refers_back(topic) => format!("{topic}\n{question}"),
        _ => topic.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages() -> Vec<String> {
        vec![
            "Asked: Do heat pumps work in old houses?".to_owned(),
            "Answered: An old house is not a problem for a heat pump.".to_owned(),
        ]
    }

    #[test]
    fn shared_words_and_pronouns_decide() {
        for (topic, expected) in [
            ("Why is that?", FollowUpType::Clarification),
            ("And then?", FollowUpType::Clarification),
            ("What is a heat pump?", FollowUpType::Clarification),
            ("What does it cost?", FollowUpType::Clarification),
            (
                "How do subsidies for heat pumps compare between Norway and Germany?",
                FollowUpType::ComplexFollowUp,
            ),
            ("Is it true that bees dance?", FollowUpType::NewTopic),
            ("How do bees dance?", FollowUpType::NewTopic),
        ] {
            assert_eq!(follow_up_type(topic, &messages()), expected, "{topic}");
        }
        let new = follow_up_type("Why is that?", &[]);
        assert_eq!(new, FollowUpType::NewTopic);
    }

    #[test]
    fn a_topic_that_refers_back_brings_the_question_along() {
        let resolved = |topic| resolved(topic, &messages());
        assert_eq!(
            resolved("Why is that?"),
            "Why is that?\nDo heat pumps work in old houses?"
        );
        assert_eq!(resolved("How do bees dance?"), "How do bees dance?");
    }
}
