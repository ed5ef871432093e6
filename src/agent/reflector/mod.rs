//! Decides after each batch of steps whether to go on, to plan again, or to stop.

mod model;

use super::definition::Agent;
use crate::artifact::reflections::{Reflection, ReflectionDecision};
use crate::model::{Phase, Tier};

/// The reflector.
pub struct Reflector;

/// What the reflector sees.
#[derive(Debug, Clone)]
pub struct ReflectorInput {
    /// The steps that are done, in order, and how many passages each found.
    pub done: Vec<(String, usize)>,
    /// How many of them were in the last batch.
    pub last_batch: usize,
    /// How many steps are still to be done.
    pub pending: usize,
    /// The least number of steps, or 0 if it is not enforced.
    pub min_steps: usize,
    /// The terms of the topic that no passage holds so far.
    pub uncovered: Vec<String>,
    /// Whether another plan may be made.
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
        let found: usize = input.done.iter().map(|(_, passages)| passages).sum();
        let last: usize = input
            .done
            .iter()
            .rev()
            .take(input.last_batch)
            .map(|(_, passages)| passages)
            .sum();
        let enough_steps = input.done.len() >= input.min_steps;
        let adjusts =
            input.pending == 0 && found > 0 && !input.uncovered.is_empty() && input.may_adjust;
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
        } else if enough_steps && last == 0 {
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
        found: &[usize],
        pending: usize,
        min_steps: usize,
        uncovered: &[&str],
    ) -> ReflectionDecision {
        let done = found.iter().enumerate();
        Reflector::rule(&ReflectorInput {
            done: done
                .map(|(place, found)| (place.to_string(), *found))
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
    fn it_stops_when_steps_find_nothing_but_not_before_the_least_number() {
        assert_eq!(decide(&[3, 0], 2, 3, &[]), ReflectionDecision::Continue);
        assert_eq!(decide(&[3, 1, 0], 2, 3, &[]), ReflectionDecision::Complete);
        assert_eq!(decide(&[3, 1, 1], 2, 3, &[]), ReflectionDecision::Continue);
        assert_eq!(decide(&[3], 0, 1, &[]), ReflectionDecision::Complete);
    }

    #[test]
    fn it_plans_again_for_a_term_that_nothing_speaks_of() {
        assert_eq!(decide(&[3], 0, 1, &["noise"]), ReflectionDecision::Adjust);
        assert_eq!(decide(&[0], 0, 1, &["noise"]), ReflectionDecision::Complete);
    }
}
