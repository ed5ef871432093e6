//! The coordinator classifies the topic: the kind of answer that it asks for, its complexity, its
//! terms, its relation to an earlier session, and whether it is ambiguous or needs no research.

mod ellipsis;
mod follow_up;
mod model;
mod opinions;
mod small_talk;

use std::collections::BTreeSet;

use super::definition::Agent;
use crate::answering::Question;
use crate::artifact::Classification;
use crate::artifact::classification::{Complexity, Kind};
use crate::artifact::plan::Facet;
use crate::artifact::session::Mode;
use crate::model::{Phase, Tier};
use crate::text::{self, Language};

pub use follow_up::{ANSWER_PREFIX, QUESTION_PREFIX, in_full};

/// The maximum number of terms of a topic (chosen by hand): a whole document may be passed as the
/// topic, and further terms add nothing to the subject.
const MAX_TERMS: usize = 40;

/// First words of a yes-or-no question.
const DECISION_WORDS: [&str; 14] = [
    "should", "shall", "do", "does", "did", "is", "are", "was", "were", "can", "could", "will",
    "would", "must",
];

/// The coordinator.
pub struct Coordinator;

/// The coordinator's input.
#[derive(Debug, Clone, Default)]
pub struct CoordinatorInput {
    /// The topic, followed by the user's answer to a clarifying question if there is one.
    pub topic: String,
    /// The maximum number of clarifying questions.
    pub max_questions: usize,
    /// The last messages of the session that this session follows up, oldest first.
    pub messages: Vec<String>,
    /// The mode of the session.
    pub mode: Mode,
    /// `true` if there are documents to search, or an earlier session.
    pub has_sources: bool,
}

impl CoordinatorInput {
    /// The topic in full: followed by the last question of the earlier session if it refers back
    /// to it.
    pub fn resolved_topic(&self) -> String {
        follow_up::resolved(&self.topic, &self.messages)
    }

    /// `true` if the topic needs no research: nothing is to be searched in this mode, or no source
    /// answers such a topic.
    fn is_simple(&self) -> bool {
        let is_searched = self.mode != Mode::Simple || self.has_sources;
        !is_searched || small_talk::is_small_talk(&self.topic)
    }
}

impl Agent for Coordinator {
    type Input = CoordinatorInput;
    type Output = Classification;
    const NAME: &'static str = "coordinator";
    const TIER: Tier = Tier::Simple;
    const PHASE: Phase = Phase::Gathering;
    const PROMPT: &'static str = include_str!("../../../prompts/coordinator.md");

    fn rule(input: &CoordinatorInput) -> Classification {
        let topic = &input.resolved_topic();
        let sides = sides(topic);
        let kind = kind(topic, &sides);
        let requested = requested_facet(topic, kind);
        let terms = distinct_terms(topic, kind, requested);
        let complexity = complexity(kind, terms.len());
        // The only ambiguity that a rule can detect: no content word, so nothing to search for.
        let is_simple_query = input.is_simple();
        let is_ambiguous = terms.is_empty() && !is_simple_query;
        let question =
            "Which subject do you want to know about? The topic holds no word to look for.";
        Classification {
            complexity,
            kind,
            reasoning: format!("{} content words, read as {kind:?}", terms.len()).to_lowercase(),
            sides,
            requested_facet: requested,
            phrases: phrases(topic, &terms),
            terms,
            follow_up_type: follow_up::follow_up_type(&input.topic, &input.messages),
            asks_for_opinions: opinions::are_requested(topic),
            is_simple_query,
            direct_response: None,
            is_ambiguous,
            clarifying_questions: std::iter::repeat_n(
                question.to_owned(),
                usize::from(is_ambiguous),
            )
            .take(input.max_questions)
            .collect(),
            recommended_depth: complexity.depth(),
        }
    }
}

/// The content words of a topic, each once. Frame words, which only name the kind of answer, are
/// left out: no sentence that answers contains them.
fn distinct_terms(topic: &str, kind: Kind, requested: Facet) -> Vec<String> {
    let signs = text::signs::isolated(topic).map(str::to_owned);
    let all: Vec<String> = text::terms(topic).into_iter().chain(signs).collect();
    let frame = frame(kind, requested, opinions::are_requested(topic));
    let question = Question::parse(topic);
    // Once: it reads the whole topic, which may be as long as a document.
    let is_ideographic = question.is_ideographic();
    let is_content = |term: &String| {
        let mut terms = question.terms.iter();
        let is_sign = !term.contains(char::is_alphanumeric);
        // Ideographs are content as part of a pair that is: "谁" (who) is in none.
        let is_part = |word: &str| is_ideographic && word.contains(term.as_str());
        is_sign || terms.any(|own| text::stem(&own.word) == *term || is_part(&own.word))
    };
    let content: Vec<String> = all
        .iter()
        .filter(|term| !frame.contains(term) && is_content(term))
        .cloned()
        .collect();
    let mut seen = BTreeSet::new();
    // A topic of frame words alone ("How does it work?") keeps them.
    let mut distinct = if content.is_empty() { all } else { content };
    distinct.retain(|term| seen.insert(term.clone()));
    distinct.truncate(MAX_TERMS);
    distinct
}

/// The frame words of a kind of answer and an aspect, stemmed.
fn frame(kind: Kind, requested: Facet, asks_for_opinions: bool) -> Vec<String> {
    let words_of_opinion = if asks_for_opinions {
        opinions::WORDS
    } else {
        ""
    };
    let of_kind = match kind {
        Kind::Comparison => "difference differ compare comparison versus vs",
        Kind::Chronicle => CHRONICLE_WORDS,
        Kind::Explanation | Kind::Decision => "",
    };
    of_kind
        .split(' ')
        .chain(aspect_words(requested).split(' '))
        .chain(words_of_opinion.split(' '))
        .map(text::stem)
        .collect()
}

/// Words of a topic that ask for a chronicle.
const CHRONICLE_WORDS: &str = "change evolve evolution history timeline chronology time made make";

/// Words of a topic that ask for an aspect.
fn aspect_words(facet: Facet) -> &'static str {
    match facet {
        Facet::How => "work works function mechanism way",
        Facet::Why => "reason reasons motivation rationale benefit advantage purpose",
        Facet::Costs => {
            "drawback downside shortcoming weakness disadvantage risk cost problem limitation con"
        }
        Facet::Alternatives => "alternative option substitute",
        Facet::Recommendations => "policy recommendation guideline advice practice best",
        Facet::Overview
        | Facet::Side
        | Facet::Question
        | Facet::Figures
        | Facet::Entries
        | Facet::Open
        | Facet::Term
        | Facet::Aspect => "",
    }
}

/// The aspect that a topic asks for: the aspect that it names, else that of its question word.
fn requested_facet(topic: &str, kind: Kind) -> Facet {
    if kind == Kind::Chronicle {
        return Facet::Entries;
    }
    // "What does it cost?" asks for a number, not for drawbacks. The words below are English: the
    // Spanish "con" is not that of "pros and cons".
    let question = Question::parse(topic);
    if question.answer_type.is_factual() || question.language != Language::default() {
        return Facet::Overview;
    }
    let terms = text::terms(topic);
    // In order of precedence: "the best alternative" asks for alternatives, not for advice.
    let named = [
        Facet::Costs,
        Facet::Alternatives,
        Facet::Recommendations,
        Facet::Why,
    ];
    let names = |facet: &Facet| {
        let mut words = aspect_words(*facet).split(' ').map(text::stem);
        words.any(|word| terms.contains(&word))
    };
    if let Some(facet) = named.into_iter().find(names) {
        return facet;
    }
    let words = text::folded(topic);
    if let Some(facet) = facet_of_faults(&words) {
        return facet;
    }
    match words.first().map(String::as_str) {
        // The question word decides only if no aspect is named.
        Some("how") => Facet::How,
        Some("why") => Facet::Why,
        _ if words.iter().any(|word| word == "why") => Facet::Why,
        _ => Facet::Overview,
    }
}

/// The aspect that a question for what is wrong with a thing asks for: what was wrong with a thing
/// is why there is another one now. `None` of any other question.
fn facet_of_faults(words: &[String]) -> Option<Facet> {
    let mut triples = words.windows(3);
    let words = triples.find(|words| words[1] == "wrong" && words[2] == "with")?;
    match words[0].as_str() {
        "is" | "are" => Some(Facet::Costs),
        "was" | "were" => Some(Facet::Why),
        _ => None,
    }
}

/// The phrases of a topic: bigrams without stop words, of which at least one word is a term.
fn phrases(topic: &str, terms: &[String]) -> Vec<String> {
    let words: Vec<String> = text::words(topic)
        .map(|word| text::stem(&text::fold(word.text)))
        .collect();
    let mut phrases = Vec::new();
    for pair in words.windows(2) {
        let phrase = pair.join(" ");
        // The name of a sign ("question mark") is a single term, not a phrase of two.
        let is_one_term = text::terms(&phrase).len() < 2;
        let is_phrase = pair.iter().any(|word| terms.contains(word))
            && pair.iter().all(|word| !text::is_stop_word(word))
            && !is_one_term;
        if is_phrase && !phrases.contains(&phrase) && phrases.len() < MAX_TERMS {
            phrases.push(phrase);
        }
    }
    phrases
}

/// The kind of answer that a topic asks for, by its sides and its question word.
fn kind(topic: &str, sides: &[String]) -> Kind {
    if !sides.is_empty() {
        return Kind::Comparison;
    }
    let words = text::folded(topic);
    let over_time = words
        .windows(2)
        .any(|pair| pair[0] == "over" && pair[1] == "time");
    let chronicle = ["history", "timeline", "chronology", "evolution", "evolve"];
    let names_chronicle = words.iter().any(|word| chronicle.contains(&word.as_str()));
    if over_time || names_chronicle {
        return Kind::Chronicle;
    }
    let names = |word: &str| words.iter().any(|own| own == word);
    if names("pros") && names("cons") || names("advantages") && names("disadvantages") {
        return Kind::Decision;
    }
    match words.first() {
        Some(word) if DECISION_WORDS.contains(&word.as_str()) => Kind::Decision,
        _ => Kind::Explanation,
    }
}

/// The complexity by the number of terms; the limits were chosen by hand.
fn complexity(kind: Kind, terms: usize) -> Complexity {
    match (kind, terms) {
        (Kind::Comparison, _) | (_, 9..) => Complexity::Complex,
        (Kind::Explanation, 0..=1) => Complexity::Simple,
        _ => Complexity::Moderate,
    }
}

/// The things compared in `A vs B`, `compare A with B`, `difference between A and B`. Both must
/// name something.
fn sides(topic: &str) -> Vec<String> {
    let topic = topic.trim().trim_end_matches(['?', '.', '!']);
    let lower = topic.to_lowercase();
    if lower.len() != topic.len() {
        // Lower-casing moved the byte offsets (as it does with "İ"): too rare to be worth a
        // mapping.
        return Vec::new();
    }
    let after = |marker: &str| lower.find(marker).map(|at| at + marker.len());
    // The opening words decide which separators count: "and" separates sides after "difference
    // between" only.
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
    let separator = separators
        .iter()
        .find_map(|mark| Some((lower_body.find(mark)?, mark.len())));
    let Some((at, length)) = separator else {
        return Vec::new();
    };
    let [first, second] = [&body[..at], &body[at + length..]].map(str::trim);
    // "In Alba" is the place of one side if the other has one too.
    let second = if first.contains(" in ") {
        second
    } else {
        without_circumstance(second)
    };
    let sides = [first.to_owned(), completed(first, second)];
    let [own, other] = [&sides[0], &sides[1]].map(|side| text::terms(side));
    // "Types that implement Unpin versus types that don't" has one side with words of its own.
    let says_nothing = own.is_empty() || other.iter().all(|term| own.contains(term));
    if says_nothing {
        Vec::new()
    } else {
        sides.to_vec()
    }
}

/// The second side of a comparison without the place of both: "a static" of "the difference between
/// a const and a static in Rust".
fn without_circumstance(side: &str) -> &str {
    let thing = side.rsplit_once(" in ").map(|(thing, _)| thing);
    thing
        .filter(|thing| !text::terms(thing).is_empty())
        .unwrap_or(side)
}

/// The second side of a comparison: "the prices of 2025", if "2025" is said after "the prices of
/// 2024".
fn completed(first: &str, second: &str) -> String {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    match first.rsplit_once(' ') {
        Some((thing, last)) if is_number(last) && is_number(second) => format!("{thing} {second}"),
        _ => second.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::classification::FollowUpType;

    fn classify(topic: &str) -> Classification {
        Coordinator::rule(&CoordinatorInput {
            topic: topic.to_owned(),
            max_questions: 3,
            ..CoordinatorInput::default()
        })
    }

    #[test]
    fn kind_follows_from_the_question_word() {
        assert_eq!(classify("Do heat pumps work?").kind, Kind::Decision);
        assert_eq!(classify("How do heat pumps work?").kind, Kind::Explanation);
        let compared = classify("What is the difference between gas boilers and heat pumps?");
        assert_eq!(compared.kind, Kind::Comparison);
        assert_eq!(compared.sides, ["gas boilers", "heat pumps"]);
        assert_eq!(classify("R290 vs R32").sides, ["R290", "R32"]);
        let sides = classify("What is the difference between a const and a static in Rust?").sides;
        assert_eq!(sides, ["a const", "a static"]);
        let sides = classify("Rents in Alba versus rents in Bern").sides;
        assert_eq!(sides, ["Rents in Alba", "rents in Bern"]);
        let one = classify("How does Pin act for types that move versus types that don't?").sides;
        assert!(one.is_empty(), "{one:?}");
        let years = classify("Compare the rents of 2024 and 2025").sides;
        assert_eq!(years, ["the rents of 2024", "the rents of 2025"]);
        assert_eq!(classify("R290 vs ").kind, Kind::Explanation);
    }

    #[test]
    fn frame_words_are_not_terms_of_the_topic() {
        let drawbacks = classify("What are the drawbacks of specialization?");
        assert_eq!(drawbacks.requested_facet, Facet::Costs);
        for (topic, facet) in [
            ("What was wrong with the old scheme?", Facet::Why),
            ("What is wrong with the new scheme?", Facet::Costs),
        ] {
            assert_eq!(classify(topic).requested_facet, facet, "{topic}");
        }
        assert_eq!(drawbacks.terms, ["specialization"]);
        let never = classify("Should there be a never type?");
        assert_eq!(never.phrases, ["never typ"]);
        let changes = classify("Which changes were made to closures over time?");
        assert_eq!(changes.kind, Kind::Chronicle);
        assert_eq!(changes.terms, ["closur"]);
        assert_eq!(classify("How does it work?").terms, ["work"]);
    }

    #[test]
    fn a_topic_without_terms_is_ambiguous() {
        for topic in ["?", "", "the of", "…\n…"] {
            let classification = classify(topic);
            assert!(classification.is_ambiguous, "{topic:?}");
            assert_eq!(classification.clarifying_questions.len(), 1);
        }
        assert!(!classify("热泵").is_ambiguous);
    }

    #[test]
    fn small_talk_needs_no_research_and_is_not_ambiguous() {
        let classification = classify("What is 2 + 2?");
        assert!(classification.is_simple_query && !classification.is_ambiguous);
        assert!(!classify("Do heat pumps work?").is_simple_query);
    }

    #[test]
    fn mode_simple_searches_only_what_it_is_given() {
        let input = |has_sources| CoordinatorInput {
            topic: "Do heat pumps work?".to_owned(),
            mode: Mode::Simple,
            has_sources,
            ..CoordinatorInput::default()
        };
        assert!(Coordinator::rule(&input(false)).is_simple_query);
        assert!(!Coordinator::rule(&input(true)).is_simple_query);
    }

    #[test]
    fn a_topic_that_refers_back_takes_the_terms_of_the_last_question() {
        let classification = Coordinator::rule(&CoordinatorInput {
            topic: "Why is that?".to_owned(),
            messages: vec!["Asked: Do heat pumps work?".to_owned()],
            ..CoordinatorInput::default()
        });
        assert_eq!(classification.follow_up_type, FollowUpType::Clarification);
        assert_eq!(classification.terms, ["heat", "pump"]);
    }
}
