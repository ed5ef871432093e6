//! The coordinator's model side. The terms to search for are taken from the topic by the rule (the
//! plain code that stands in for a model, in `mod.rs`).

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::line;
use super::super::definition::{Agent, DepthShape, INSTRUCTION_TOKENS, ModelAgent, SessionView};
use super::{Coordinator, CoordinatorInput};
use crate::artifact::Classification;
use crate::artifact::classification::{Complexity, FollowUpType, Kind};
use crate::artifact::session::Depth;
use crate::model::CallEstimate;
use crate::text;

/// The maximum length of a clarifying question or a reason, in characters.
const SENTENCE_CHARACTERS: usize = 300;

/// The maximum length of a side of a comparison, in characters: a name, not an answer.
const SIDE: usize = 80;

/// The maximum number of sides.
const SIDES: usize = 6;

/// The maximum length of a direct answer, in characters (chosen by hand: about 250 words).
const RESPONSE_CHARACTERS: usize = 1500;

/// Words of a topic that asks to compare. Small models take aspects of a thing for sides.
const COMPARING_WORDS: [&str; 12] = [
    "compare",
    "compared",
    "comparison",
    "versus",
    "vs",
    "difference",
    "differences",
    "differ",
    "better",
    "best",
    "than",
    "or",
];

/// The classification of the topic.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct CoordinatorAnswer {
    /// The reason for this classification, in one sentence of at most 20 words.
    reasoning: String,
    /// Its complexity.
    complexity: Complexity,
    /// The kind of answer that it asks for.
    kind: Kind,
    /// The names of the things compared, for a comparison; else empty.
    #[schemars(length(max = 6))]
    sides: Vec<String>,
    /// Its relation to the earlier messages.
    #[serde(default)]
    follow_up_type: FollowUpType,
    /// `true` if no source is needed to answer it.
    #[serde(default)]
    is_simple_query: bool,
    /// The direct answer, where one is wanted; else empty.
    #[serde(default)]
    direct_response: String,
    /// `true` if it can be read in ways that would lead to different research.
    is_ambiguous: bool,
    /// The clarifying questions, if so; else empty.
    #[schemars(length(max = 3))]
    clarifying_questions: Vec<String>,
    /// The depth that fits; auto leaves it to the complexity.
    recommended_depth: Depth,
}

impl ModelAgent for Coordinator {
    type Answer = CoordinatorAnswer;
    const OUTPUT_TOKENS: u32 = 800;

    fn expected(_shape: DepthShape) -> CallEstimate {
        CallEstimate {
            calls: 1,
            input_tokens: INSTRUCTION_TOKENS + 80,
            output_tokens: 110,
        }
    }

    fn context(input: &CoordinatorInput, _items: usize) -> Context {
        json!({
            "topic": input.topic,
            "max_questions": input.max_questions,
            "messages": input.messages,
            "answers_directly": input.mode.answers_directly(),
        })
    }

    fn fit_schema(input: &CoordinatorInput, schema: &mut Context) {
        let properties = schema["properties"].as_object_mut();
        if let Some(properties) = properties.filter(|_| input.messages.is_empty()) {
            properties.shift_remove("follow_up_type");
        }
    }

    fn validate(
        input: &CoordinatorInput,
        _items: usize,
        answer: CoordinatorAnswer,
        left_out: &mut Vec<String>,
    ) -> Result<Classification, String> {
        // Terms and phrases come from the rule: a search for words that the model invented would be
        // on another topic.
        let by_rule = Coordinator::rule(input);
        let (is_simple_query, direct_response) = directly(input, &by_rule, &answer, left_out)?;
        let (kind, sides) = kind_and_sides(input, &by_rule, &answer, left_out);
        let mut questions: Vec<String> = answer
            .clarifying_questions
            .iter()
            .map(|question| line(question, SENTENCE_CHARACTERS))
            .filter(|question| !question.is_empty())
            .collect();
        questions.truncate(input.max_questions);
        // A topic without a term is ambiguous, whatever the model says: nothing can be searched.
        if by_rule.is_ambiguous && questions.is_empty() {
            questions.clone_from(&by_rule.clarifying_questions);
        }
        let is_ambiguous = by_rule.is_ambiguous || (answer.is_ambiguous && !questions.is_empty());
        Ok(Classification {
            complexity: answer.complexity,
            kind,
            sides,
            follow_up_type: if input.messages.is_empty() {
                FollowUpType::NewTopic
            } else {
                answer.follow_up_type
            },
            is_ambiguous,
            clarifying_questions: if is_ambiguous { questions } else { Vec::new() },
            is_simple_query,
            direct_response,
            recommended_depth: answer.recommended_depth,
            reasoning: line(&answer.reasoning, SENTENCE_CHARACTERS),
            ..by_rule
        })
    }

    fn preview(session: &SessionView<'_>) -> Result<Option<CoordinatorInput>> {
        let limits = &session.settings.agents.coordinator;
        Ok(Some(CoordinatorInput {
            topic: session.session.topic.clone(),
            max_questions: limits.max_clarifying_questions,
            messages: session.session.messages.clone(),
            mode: session.session.mode,
            has_sources: session.session.has_sources(),
        }))
    }
}

/// The kind of answer and the things compared: a comparison needs two of them, else the rule's
/// kind counts.
fn kind_and_sides(
    input: &CoordinatorInput,
    by_rule: &Classification,
    answer: &CoordinatorAnswer,
    left_out: &mut Vec<String>,
) -> (Kind, Vec<String>) {
    let mut sides: Vec<String> = answer
        .sides
        .iter()
        .filter(|side| side.chars().count() <= SIDE)
        .map(|side| line(side, SIDE))
        .filter(|side| !text::terms(side).is_empty())
        .filter(|side| asks_to_compare(&input.topic) || is_in(side, &by_rule.terms))
        .collect();
    sides.truncate(SIDES);
    let kind = match answer.kind {
        Kind::Comparison if sides.len() < 2 => by_rule.kind,
        kind => kind,
    };
    match (kind, sides.len()) {
        (Kind::Comparison, 0..2) => sides.clone_from(&by_rule.sides),
        (Kind::Comparison, _) => {}
        _ => sides.clear(),
    }
    if kind != answer.kind {
        left_out.push("a comparison needs two sides".to_owned());
    }
    (kind, sides)
}

/// `true` if a topic asks to compare: only then may its sides be things that it does not name.
fn asks_to_compare(topic: &str) -> bool {
    let mut words = text::words(topic).map(|word| text::fold(word.text));
    words.any(|word| COMPARING_WORDS.contains(&word.as_str()))
}

/// `true` if a topic of these terms names a side.
fn is_in(side: &str, terms: &[String]) -> bool {
    text::terms(side).iter().all(|term| terms.contains(term))
}

/// Decides whether research is skipped, and which direct answer is kept. In deep research a direct
/// answer is only taken for small talk: a question about facts needs sources, whatever the model
/// says of it.
fn directly(
    input: &CoordinatorInput,
    by_rule: &Classification,
    answer: &CoordinatorAnswer,
    left_out: &mut Vec<String>,
) -> Result<(bool, Option<String>), String> {
    let response = line(&answer.direct_response, RESPONSE_CHARACTERS);
    let response = Some(response).filter(|response| !response.is_empty());
    if input.mode.answers_directly() {
        if response.is_none() && by_rule.is_simple_query {
            return Err("direct_response is empty: answer the topic in it".to_owned());
        }
        return Ok((by_rule.is_simple_query, response));
    }
    let is_simple = answer.is_simple_query && response.is_some();
    if is_simple && !by_rule.is_simple_query {
        left_out.push("the direct answer to a topic that needs sources".to_owned());
    }
    let is_simple = is_simple && by_rule.is_simple_query;
    Ok((is_simple, response.filter(|_| is_simple)))
}
