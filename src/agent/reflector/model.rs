//! The reflector's model side. The least number of steps and the maximum number of plans are
//! enforced by code.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::line;
use super::super::definition::{Agent, DepthShape, INSTRUCTION_TOKENS, ModelAgent};
use super::{Reflector, ReflectorInput};
use crate::artifact::reflections::{Reflection, ReflectionDecision};
use crate::model::CallEstimate;
use crate::text;

/// The maximum length of a reason, in characters.
const SENTENCE_CHARACTERS: usize = 300;

/// The maximum number of changes; each change becomes a step.
const CHANGES: usize = 3;

/// The reflection.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ReflectorAnswer {
    /// The reason, in one sentence of at most 20 words.
    reasoning: String,
    /// The decision.
    decision: ReflectionDecision,
    /// For ADJUST: what else to research, each in a few words; else empty.
    suggested_changes: Vec<String>,
}

impl ModelAgent for Reflector {
    type Answer = ReflectorAnswer;
    const OUTPUT_TOKENS: u32 = 600;

    fn expected(shape: DepthShape) -> CallEstimate {
        CallEstimate {
            calls: shape.steps.div_ceil(shape.concurrent_steps.max(1)),
            input_tokens: INSTRUCTION_TOKENS,
            output_tokens: 80,
        }
    }

    fn about(input: &ReflectorInput) -> String {
        input
            .done
            .last()
            .map_or_else(String::new, |(step, _)| format!("after {step}"))
    }

    fn context(input: &ReflectorInput, _items: usize) -> Context {
        json!({
            "done": input.done,
            "pending": input.pending,
            "min_steps": input.min_steps,
            "uncovered": input.uncovered,
            "may_adjust": input.may_adjust,
        })
    }

    fn validate(
        input: &ReflectorInput,
        _items: usize,
        answer: ReflectorAnswer,
        left_out: &mut Vec<String>,
    ) -> Result<Reflection, String> {
        let by_rule = Reflector::rule(input);
        let changes = changes(input, &answer.suggested_changes);
        // A model may neither stop before the least number of steps nor adjust forever.
        let too_early = input.done.len() < input.min_steps && input.pending > 0;
        let decision = match answer.decision {
            ReflectionDecision::Adjust if !input.may_adjust => {
                left_out.push("ADJUST is not possible any more".to_owned());
                by_rule.decision
            }
            ReflectionDecision::Adjust if changes.is_empty() => {
                return Err("ADJUST needs at least one entry in suggested_changes".to_owned());
            }
            ReflectionDecision::Complete if too_early => {
                left_out.push(format!(
                    "COMPLETE comes after {} steps at least",
                    input.min_steps
                ));
                ReflectionDecision::Continue
            }
            ReflectionDecision::Continue if input.pending == 0 => ReflectionDecision::Complete,
            decided => decided,
        };
        let adjusts = decision == ReflectionDecision::Adjust;
        Ok(Reflection {
            after: by_rule.after,
            decision,
            reasoning: line(&answer.reasoning, SENTENCE_CHARACTERS),
            suggested_changes: if !adjusts {
                None
            } else if changes.is_empty() {
                by_rule.suggested_changes
            } else {
                Some(changes)
            },
        })
    }
}

/// The suggested changes, each as the term that a quotation must contain: an uncovered term, else
/// the last term, which is the head of most English noun phrases.
fn changes(input: &ReflectorInput, suggested: &[String]) -> Vec<String> {
    let mut changes: Vec<String> = Vec::new();
    for change in suggested {
        let terms = text::terms(change);
        let uncovered = terms.iter().find(|term| input.uncovered.contains(term));
        if let Some(term) = uncovered.or(terms.last())
            && !changes.contains(term)
        {
            changes.push(term.clone());
        }
    }
    changes.truncate(CHANGES);
    changes
}
