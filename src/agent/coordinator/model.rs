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

/// The classification of the topic.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct CoordinatorAnswer {
    /// The reason, in one sentence of at most 20 words.
    reasoning: String,
    /// Its complexity.
    complexity: Complexity,
    /// The kind of answer that it asks for.
    kind: Kind,
    /// The names of the things compared, for a comparison; else empty.
    sides: Vec<String>,
    /// Its relation to the earlier messages; new_topic if there are none.
    follow_up_type: FollowUpType,
    /// `true` if it can be read in ways that would lead to different research.
    is_ambiguous: bool,
    /// The clarifying questions, if so; else empty.
    clarifying_questions: Vec<String>,
    /// The depth that fits.
    recommended_depth: RecommendedDepth,
}

/// A depth.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum RecommendedDepth {
    Quick,
    Standard,
    Deep,
}

impl ModelAgent for Coordinator {
    type Answer = CoordinatorAnswer;
    const OUTPUT_TOKENS: u32 = 800;

    fn expected(_shape: DepthShape) -> CallEstimate {
        CallEstimate {
            calls: 1,
            input_tokens: INSTRUCTION_TOKENS,
            output_tokens: 150,
        }
    }

    fn context(input: &CoordinatorInput, _items: usize) -> Context {
        json!({
            "topic": input.topic,
            "max_questions": input.max_questions,
            "messages": input.messages,
        })
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
        let mut sides: Vec<String> = answer
            .sides
            .iter()
            .filter(|side| side.chars().count() <= SIDE)
            .map(|side| line(side, SIDE))
            .filter(|side| !text::terms(side).is_empty())
            .collect();
        sides.truncate(SIDES);
        // A comparison needs two things; otherwise the rule's kind counts.
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
            recommended_depth: match answer.recommended_depth {
                RecommendedDepth::Quick => Depth::Quick,
                RecommendedDepth::Standard => Depth::Standard,
                RecommendedDepth::Deep => Depth::Deep,
            },
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
        }))
    }
}
