//! Understands the topic: what kind of answer it asks for, how much there is to it, and whether it is clear.

use std::collections::BTreeSet;

use super::{Agent, Tier};
use crate::artifact::Classification;
use crate::artifact::classification::{Complexity, FollowUpType, Kind};
use crate::artifact::session::Depth;
use crate::text;

/// Terms beyond this many say nothing new about what a topic is; a whole document may be passed as a topic.
const MAX_TERMS: usize = 40;

/// First words of a question that is answered by yes or no.
const DECISION_WORDS: [&str; 14] = [
    "should", "shall", "do", "does", "did", "is", "are", "was", "were", "can", "could", "will",
    "would", "must",
];

/// The coordinator.
pub struct Coordinator;

/// What the coordinator sees.
#[derive(Debug, Clone)]
pub struct CoordinatorInput {
    /// The topic, with the person's answer to an earlier question if there is one.
    pub topic: String,
    /// How many questions it may ask.
    pub max_questions: usize,
}

impl Agent for Coordinator {
    type Input = CoordinatorInput;
    type Output = Classification;
    const NAME: &'static str = "coordinator";
    const TIER: Tier = Tier::Simple;
    const PROMPT: &'static str = include_str!("../../prompts/coordinator.md");

    fn rule(input: &CoordinatorInput) -> Classification {
        let terms = distinct_terms(&input.topic);
        let sides = sides(&input.topic);
        let kind = kind(&input.topic, &sides);
        let complexity = complexity(kind, terms.len());
        let is_ambiguous = terms.is_empty();
        let question =
            "Which subject do you want to know about? The topic holds no word to look for.";
        Classification {
            complexity,
            kind,
            reasoning: format!("{} content words, read as {kind:?}", terms.len()).to_lowercase(),
            sides,
            terms,
            follow_up_type: FollowUpType::NewTopic,
            is_simple_query: false,
            direct_response: None,
            is_ambiguous,
            clarifying_questions: std::iter::repeat_n(
                question.to_owned(),
                usize::from(is_ambiguous),
            )
            .take(input.max_questions)
            .collect(),
            recommended_depth: match complexity {
                Complexity::Simple => Depth::Quick,
                Complexity::Moderate => Depth::Standard,
                Complexity::Complex => Depth::Deep,
            },
        }
    }
}

fn distinct_terms(topic: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let terms = text::terms(topic).into_iter();
    terms
        .filter(|term| seen.insert(term.clone()))
        .take(MAX_TERMS)
        .collect()
}

fn kind(topic: &str, sides: &[String]) -> Kind {
    if !sides.is_empty() {
        return Kind::Comparison;
    }
    let first = text::words(topic).next().map(|word| text::fold(word.text));
    match first {
        Some(word) if DECISION_WORDS.contains(&word.as_str()) => Kind::Decision,
        _ => Kind::Explanation,
    }
}

fn complexity(kind: Kind, terms: usize) -> Complexity {
    match (kind, terms) {
        (Kind::Comparison, _) | (_, 9..) => Complexity::Complex,
        (Kind::Explanation, 0..=1) => Complexity::Simple,
        _ => Complexity::Moderate,
    }
}

/// The things compared in `A vs B`, `compare A with B`, `difference between A and B`. Both must name something.
fn sides(topic: &str) -> Vec<String> {
    let topic = topic.trim().trim_end_matches(['?', '.', '!']);
    let lower = topic.to_lowercase();
    if lower.len() != topic.len() {
        // Lower case moved the bytes: too rare a topic to guess at.
        return Vec::new();
    }
    let after = |marker: &str| lower.find(marker).map(|at| at + marker.len());
    let (start, separators): (usize, &[&str]) = if let Some(at) = after("difference between ") {
        (at, &[" and "])
    } else if let Some(at) = after("differences between ") {
        (at, &[" and "])
    } else if let Some(at) = after("compare ") {
        (at, &[" with ", " to ", " and ", " against "])
    } else {
        (0, &[" versus ", " vs. ", " vs "])
    };
    let (Some(body), Some(lower_body)) = (topic.get(start..), lower.get(start..)) else {
        return Vec::new();
    };
    let found = separators
        .iter()
        .find_map(|mark| Some((lower_body.find(mark)?, mark.len())));
    let Some((at, length)) = found else {
        return Vec::new();
    };
    let sides = [&body[..at], &body[at + length..]].map(|side| side.trim().to_owned());
    if sides.iter().all(|side| !text::terms(side).is_empty()) {
        sides.to_vec()
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classify(topic: &str) -> Classification {
        Coordinator::rule(&CoordinatorInput {
            topic: topic.to_owned(),
            max_questions: 3,
        })
    }

    #[test]
    fn kinds_of_question() {
        assert_eq!(classify("Do heat pumps work?").kind, Kind::Decision);
        assert_eq!(classify("How do heat pumps work?").kind, Kind::Explanation);
        let compared = classify("What is the difference between gas boilers and heat pumps?");
        assert_eq!(compared.kind, Kind::Comparison);
        assert_eq!(compared.sides, ["gas boilers", "heat pumps"]);
        assert_eq!(classify("R290 vs R32").sides, ["R290", "R32"]);
        assert_eq!(classify("R290 vs ").kind, Kind::Explanation);
    }

    #[test]
    fn a_topic_without_words_is_asked_about() {
        for topic in ["?", "", "the of", "…\n…"] {
            let found = classify(topic);
            assert!(found.is_ambiguous, "{topic:?}");
            assert_eq!(found.clarifying_questions.len(), 1);
        }
        assert!(!classify("热泵").is_ambiguous);
    }
}
