//! The reflector decides after each batch of steps: continue, adjust the plan, or complete.

mod model;

use super::definition::Agent;
use crate::artifact::reflections::{Reflection, ReflectionDecision};
use crate::model::{Phase, Tier};

/// The reflector.
pub struct Reflector;

/// The reflector's input.
#[derive(Debug, Clone)]
pub struct ReflectorInput {
    /// The completed steps, in order, each with its number of passages.
    pub done: Vec<(String, usize)>,
    /// The number of them in the last batch.
    pub last_batch: usize,
    /// The number of steps that are pending.
    pub pending: usize,
    /// The least number of steps, or 0 if it is not enforced.
    pub min_steps: usize,
    /// The terms of the topic that no passage contains so far.
    pub uncovered: Vec<String>,
    /// `true` if the plan may be adjusted.
    pub may_adjust: bool,
}

impl Agent for Reflector {
    type Input = ReflectorInput;
    type Output = Reflection;
    const NAME: &'static str = "reflector";
    const TIER: Tier = Tier::Simple;
    const PHASE: Phase = Phase::Gathering;
    const PROMPT: &'static str = include_str!("../../../prompts/reflector.md");

    fn rule(input: &ReflectorInput) -> Reflection {
        let all_passages: usize = input.done.iter().map(|(_, passages)| passages).sum();
        let last_passages: usize = input
            .done
            .iter()
            .rev()
            .take(input.last_batch)
            .map(|(_, passages)| passages)
            .sum();
        let enough_steps = input.done.len() >= input.min_steps;
        // Missing terms are worth a new plan only if there are findings at all: otherwise the
        // documents do not cover the topic.
        let adjusts = input.pending == 0
            && all_passages > 0
            && !input.uncovered.is_empty()
            && input.may_adjust;
        let (decision, reasoning) = if adjusts {
            let terms = input.uncovered.join(", ");
            (
                ReflectionDecision::Adjust,
                format!("no passage speaks of: {terms}"),
            )
        } else if input.pending == 0 {
            (
                ReflectionDecision::Complete,
                "every step is done".to_owned(),
            )
        } else if enough_steps && last_passages == 0 {
            (
                ReflectionDecision::Complete,
                "the last steps found nothing".to_owned(),
            )
        } else {
            (
                ReflectionDecision::Continue,
                format!("{} steps are left", input.pending),
            )
        };
        Reflection {
            after: input.done.iter().map(|(step, _)| step.clone()).collect(),
            suggested_changes: adjusts.then(|| input.uncovered.clone()),
            decision,
            reasoning,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(
        passages: &[usize],
        pending: usize,
        min_steps: usize,
        uncovered: &[&str],
    ) -> ReflectionDecision {
        let done = passages.iter().enumerate();
        Reflector::rule(&ReflectorInput {
            done: done
                .map(|(index, passages)| (index.to_string(), *passages))
                .collect(),
            last_batch: 1,
            pending,
            min_steps,
            uncovered: uncovered.iter().map(|term| (*term).to_owned()).collect(),
            may_adjust: true,
        })
        .decision
    }

    #[test]
    fn completes_when_a_batch_finds_nothing_but_not_before_min_steps() {
        assert_eq!(decide(&[3, 0], 2, 3, &[]), ReflectionDecision::Continue);
        assert_eq!(decide(&[3, 1, 0], 2, 3, &[]), ReflectionDecision::Complete);
        assert_eq!(decide(&[3, 1, 1], 2, 3, &[]), ReflectionDecision::Continue);
        assert_eq!(decide(&[3], 0, 1, &[]), ReflectionDecision::Complete);
    }

    #[test]
    fn adjusts_the_plan_for_an_uncovered_term() {
        assert_eq!(decide(&[3], 0, 1, &["noise"]), ReflectionDecision::Adjust);
        assert_eq!(decide(&[0], 0, 1, &["noise"]), ReflectionDecision::Complete);
    }
}
