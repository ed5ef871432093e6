//! The reflector's model side. The least number of steps and the maximum number of plans are
//! enforced by code; what it suggests is kept in its own words.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::line;
use super::super::definition::{Agent, DepthShape, INSTRUCTION_TOKENS, ModelAgent};
use super::{Reflector, ReflectorInput, as_written};
use crate::artifact::plan::StepStatus;
use crate::artifact::reflections::{Reflection, ReflectionDecision};
use crate::model::CallEstimate;
use crate::text;

/// The maximum length of a reason, in characters.
const SENTENCE_CHARACTERS: usize = 300;

/// The maximum length of a suggested change and of a title, in characters.
const CHANGE_CHARACTERS: usize = 200;

/// The maximum number of changes; each change becomes a step.
const CHANGES: usize = 3;

/// The maximum number of findings of a step in the prompt, and of titles of sources (chosen by
/// hand).
const FINDINGS: usize = 4;
const SOURCES: usize = 20;

/// The reflection.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ReflectorAnswer {
    /// What the topic asks for, what of it was found, and what is missing; at most 40 words.
    reasoning: String,
    /// The decision.
    decision: ReflectionDecision,
    /// For ADJUST: what else to research, each as a phrase that names its subject; else empty.
    #[schemars(length(max = 3))]
    #[serde(default)]
    suggested_changes: Vec<String>,
}

impl ModelAgent for Reflector {
    type Answer = ReflectorAnswer;
    const OUTPUT_TOKENS: u32 = 600;

    fn expected(shape: DepthShape) -> CallEstimate {
        CallEstimate {
            // One for each step, since steps are worked on one by one unless a topic compares
            // things; the last is only asked about where the depth says so.
            calls: shape
                .steps
                .saturating_sub(usize::from(!shape.reflects_at_end)),
            input_tokens: INSTRUCTION_TOKENS + 60 * shape.steps,
            output_tokens: 60,
        }
    }

    fn about(input: &ReflectorInput) -> String {
        input
            .completed()
            .next_back()
            .map_or_else(String::new, |step| format!("after {}", step.id))
    }

    fn is_question(input: &ReflectorInput) -> bool {
        input.reflects_at_end || input.pending() > 0
    }

    fn context(input: &ReflectorInput, _items: usize) -> Context {
        let steps = input.steps.iter().map(|step| {
            let findings = step.findings.iter().take(FINDINGS);
            let findings: Vec<String> = findings
                .map(|finding| line(finding, SENTENCE_CHARACTERS))
                .collect();
            json!({
                "id": step.id,
                "title": line(&step.title, CHANGE_CHARACTERS),
                "status": step.status,
                "is_completed": step.status == StepStatus::Completed,
                "findings": findings,
                "passages": step.passages,
            })
        });
        let sources = input.sources.iter().take(SOURCES);
        let uncovered = input.uncovered.iter();
        json!({
            "topic": input.topic,
            "steps": steps.collect::<Vec<Context>>(),
            "pending": input.pending(),
            "sources": sources.map(|title| line(title, CHANGE_CHARACTERS)).collect::<Vec<_>>(),
            "min_steps": input.min_steps,
            "uncovered": uncovered.map(|term| as_written(&input.topic, term)).collect::<Vec<_>>(),
            "follow_up": input.follow_up,
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
        let changes = changes(&answer.suggested_changes, left_out);
        let is_left = input.pending() > 0 || !input.follow_up.is_empty();
        // A model may neither stop before the least number of steps nor adjust forever.
        let too_early = input.completed().count() < input.min_steps;
        let ends = answer.decision != ReflectionDecision::Adjust && !is_left;
        if too_early && ends && input.may_adjust && input.has_passages() {
            return Err(format!(
                "COMPLETE comes after {} steps at least and none is left: ADJUST, and suggest what \
                 else the topic asks for",
                input.min_steps
            ));
        }
        let decision = match answer.decision {
            ReflectionDecision::Adjust if !input.may_adjust => {
                left_out.push("ADJUST is not possible any more".to_owned());
                by_rule.decision
            }
            ReflectionDecision::Adjust if changes.is_empty() => {
                return Err("ADJUST needs at least one entry in suggested_changes".to_owned());
            }
            ReflectionDecision::Complete if too_early && is_left => {
                left_out.push(format!(
                    "COMPLETE comes after {} steps at least",
                    input.min_steps
                ));
                ReflectionDecision::Continue
            }
            ReflectionDecision::Continue if !is_left => ReflectionDecision::Complete,
            decided => decided,
        };
        Ok(Reflection {
            after: by_rule.after,
            decision,
            reasoning: line(&answer.reasoning, SENTENCE_CHARACTERS),
            suggested_changes: (decision == ReflectionDecision::Adjust).then_some(changes),
        })
    }
}

/// The suggested changes, each as it is, those without a word aside.
fn changes(suggested: &[String], left_out: &mut Vec<String>) -> Vec<String> {
    let mut changes: Vec<String> = Vec::new();
    for change in suggested {
        let change = line(change, CHANGE_CHARACTERS);
        if text::terms(&change).is_empty() {
            left_out.push(format!("left out the change {change:?}: it names nothing"));
        } else if changes.len() == CHANGES {
            left_out.push(format!(
                "left out the change {change:?}: there are {CHANGES}"
            ));
        } else if !changes.contains(&change) {
            changes.push(change);
        }
    }
    changes
}
