//! The coordinator, answered by a model. The words to look for are taken from the topic by code.

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

/// Characters of a question back, or of a reason.
const SENTENCE: usize = 300;

/// Characters of one of the things compared: it is a name, not an answer.
const SIDE: usize = 80;

/// Things compared at most.
const SIDES: usize = 6;

/// How the topic is understood.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct CoordinatorAnswer {
    /// Why, in one sentence of at most 20 words.
    reasoning: String,
    /// How much there is to it.
    complexity: Complexity,
    /// What kind of answer it asks for.
    kind: Kind,
    /// The names of the things compared, for a comparison; else empty.
    sides: Vec<String>,
    /// How it relates to the earlier messages; new_topic if there are none.
    follow_up_type: FollowUpType,
    /// Whether it can be read in ways that would lead to different research.
    is_ambiguous: bool,
    /// What to ask back, if so; else empty.
    clarifying_questions: Vec<String>,
    /// The depth that fits.
    recommended_depth: RecommendedDepth,
}

/// How much to do.
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
        let by_rule = Coordinator::rule(input);
        let named = answer
            .sides
            .iter()
            .filter(|side| side.chars().count() <= SIDE);
        let named = named.map(|side| line(side, SIDE));
        let mut sides: Vec<String> = named.filter(|side| !text::terms(side).is_empty()).collect();
        sides.truncate(SIDES);
        // What compares fewer than two things is what the words of the topic say.
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
        let questions = answer.clarifying_questions.iter();
        let mut questions: Vec<String> = questions
            .map(|question| line(question, SENTENCE))
            .filter(|question| !question.is_empty())
            .collect();
        questions.truncate(input.max_questions);
        // A topic without a word to look for is not clear, whatever is said of it.
        if by_rule.is_ambiguous && questions.is_empty() {
            questions.clone_from(&by_rule.clarifying_questions);
        }
        let is_ambiguous = by_rule.is_ambiguous || (answer.is_ambiguous && !questions.is_empty());
        Ok(Classification {
            complexity: answer.complexity,
            kind,
            sides,
            follow_up_type: match input.messages.is_empty() {
                true => FollowUpType::NewTopic,
                false => answer.follow_up_type,
            },
            is_ambiguous,
            clarifying_questions: if is_ambiguous { questions } else { Vec::new() },
            recommended_depth: match answer.recommended_depth {
                RecommendedDepth::Quick => Depth::Quick,
                RecommendedDepth::Standard => Depth::Standard,
                RecommendedDepth::Deep => Depth::Deep,
            },
            reasoning: line(&answer.reasoning, SENTENCE),
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
