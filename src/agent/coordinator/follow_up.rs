//! The relation of a topic to an earlier session, by the words that they share.

use std::collections::BTreeSet;

use super::ellipsis::{self, is_elliptic, named, only_year, whole_question};
use crate::answering::{AnswerType, Question};
use crate::artifact::classification::FollowUpType;
use crate::text;

/// The beginning of a message that is a question of the user.
pub const QUESTION_PREFIX: &str = "Asked: ";

/// The beginning of a message that is the answer to it.
pub const ANSWER_PREFIX: &str = "Answered: ";

/// Words that refer to what was said before, in English and German.
const REFERRING: [&str; 27] = [
    "it", "its", "that", "this", "those", "these", "they", "them", "their", "he", "his", "him",
    "she", "her", "one", "ones", "former", "latter", "das", "dies", "es", "er", "ihn", "ihm",
    "davon", "daran", "dagegen",
];

/// The number of content words of an elliptic question (chosen by hand).
const ELLIPTIC_TERMS: usize = 2;

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
    // "And the radiators?" asks about something new, if nothing was said of them.
    let is_new = is_elliptic(topic) && shared < own.len() || varies(topic, messages);
    // Most of a short question's words were said before: it asks what was meant by them.
    if is_short && !is_new && (refers_back(topic) || 2 * shared > own.len()) {
        FollowUpType::Clarification
    } else if shared > 0 || refers_back(topic) {
        FollowUpType::ComplexFollowUp
    } else {
        FollowUpType::NewTopic
    }
}

/// `true` if a topic asks the last question again of something else, which was not spoken of: "How
/// many keys are there?" after "How many locks are there?"
fn varies(topic: &str, messages: &[String]) -> bool {
    let Some(question) = last_question(messages) else {
        return false;
    };
    let begin = |text: &str| text::folded(text).into_iter().next();
    let [own, before] = [topic, question]
        .map(|text| -> BTreeSet<String> { text::terms(text).into_iter().collect() });
    let new = own.difference(&before).count();
    begin(topic) == begin(question)
        && (1..=ELLIPTIC_TERMS).contains(&new)
        && !own.is_disjoint(&before)
        && !before.is_subset(&own)
}

/// `true` if a topic cannot be understood without what was said before.
fn refers_back(topic: &str) -> bool {
    // By the stop words of its own language.
    let own = text::terms(topic)
        .len()
        .min(Question::parse(topic).terms.len());
    let words = text::folded(topic);
    let refers = words.iter().any(|word| REFERRING.contains(&word.as_str()));
    let is_of_two = text::phrase(&words, "of the two").is_some();
    own == 0
        || refers && own <= REFERRING_TERMS
        || is_of_two
        || own <= ELLIPTIC_TERMS && is_elliptic(topic)
}

/// The last question of an earlier session with what a further question names in the place of what
/// it named: "How much was it in 2023?" for "What about 2023?" after "How much was it in 2022?",
/// "How much is it for children?" for "And for children?"; `None` for any other.
pub fn in_full(topic: &str, messages: &[String]) -> Option<String> {
    let question = last_question(messages)?;
    of_year(topic, question).or_else(|| ellipsis::in_full(topic, question))
}

/// A question of the year that a further question names and nothing else.
fn of_year(topic: &str, question: &str) -> Option<String> {
    let (year, old) = (only_year(topic)?, only_year(question)?);
    let terms = Question::parse(topic).terms;
    let names_year_alone = terms.iter().all(|term| term.word == topic[year.clone()]);
    let full = [&question[..old.start], &topic[year], &question[old.end..]].concat();
    (names_year_alone && full != question).then_some(full)
}

/// The last question of an earlier session.
fn last_question(messages: &[String]) -> Option<&str> {
    let mut messages = messages.iter().rev();
    messages.find_map(|message| message.strip_prefix(QUESTION_PREFIX))
}

/// The topic in full: followed by the last question of the earlier session if it refers back to it.
/// "And the radiators?" is on these, and on what a question with yes or no was on; after any other,
/// "And for children?" asks for the same.
pub(super) fn resolved(topic: &str, messages: &[String]) -> String {
    let Some(question) = last_question(messages).filter(|_| refers_back(topic)) else {
        return topic.to_owned();
    };
    let before = Question::parse(question);
    let terms = before.terms.iter().map(|term| term.written.as_str());
    let terms = terms.collect::<Vec<_>>().join(" ");
    let topic = whole_question(topic).unwrap_or(topic);
    match named(topic) {
        Some(named) if before.answer_type == AnswerType::YesNo => format!("{named}, {terms}"),
        None if !text::terms(topic).is_empty() => {
            // Of two questions in one text the first alone counts, if it has a word of its own.
            let subject = before.subject().map(|term| term.written.as_str());
            let thing = ellipsis::thing(question).or(subject).unwrap_or(&terms);
            let topic = topic.trim_end_matches(|c: char| c.is_whitespace() || c == '?');
            format!("{topic}: {thing}?")
        }
        _ => format!("{topic}\n{question}"),
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
            ("And the radiators?", FollowUpType::ComplexFollowUp),
            ("And the old house?", FollowUpType::Clarification),
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
        assert_eq!(
            resolved("What about new houses?"),
            "new houses, heat pumps old houses"
        );
        let fee = ["Asked: How much is the fee for adults?".to_owned()];
        assert_eq!(
            super::resolved("And for children?", &fee),
            "And for children?\nHow much is the fee for adults?"
        );
        assert_eq!(
            super::resolved("Who decided it?", &fee),
            "Who decided it: the fee?"
        );
    }

    #[test]
    fn a_whole_question_behind_and_is_on_the_thing_before() {
        let sold = ["Asked: How many boats did Lark sell in 2025?".to_owned()];
        for (topic, expected) in [
            ("And how much did it earn?", "how much did it earn: Lark?"),
            ("How much did it earn?", "How much did it earn: Lark?"),
        ] {
            assert_eq!(super::resolved(topic, &sold), expected);
        }
        let compared = ["Asked: Compare the Lark with the Ister".to_owned()];
        assert_eq!(
            super::resolved("Which of the two is quieter?", &compared),
            "Which of the two is quieter: Lark Ister?"
        );
        let effect = ["Asked: What is the effect of zinc on colds?".to_owned()];
        assert_eq!(
            in_full("And the cough?", &effect).as_deref(),
            Some("What is the effect of zinc on the cough?")
        );
    }

    #[test]
    fn a_year_alone_is_that_of_the_question_before() {
        let messages = ["Asked: What was the mean in 2022?".to_owned()];
        let in_full = |topic| in_full(topic, &messages);
        for topic in ["What about 2023?", "And in 2023?", "Und wie war es 2023?"] {
            assert_eq!(
                in_full(topic).as_deref(),
                Some("What was the mean in 2023?"),
                "{topic}"
            );
        }
        assert_eq!(in_full("Who was mayor in 2023?"), None);
        assert_eq!(in_full("What about 2022?"), None);
    }
}
