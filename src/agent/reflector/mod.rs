//! The reflector decides after each batch of steps: continue, adjust the plan, or complete.

mod model;

use super::definition::Agent;
use crate::artifact::plan::StepStatus;
use crate::artifact::reflections::{Reflection, ReflectionDecision};
use crate::model::{Phase, Tier};
use crate::text::{self, counted};

/// The reflector.
pub struct Reflector;

/// The reflector's input.
#[derive(Debug, Clone)]
pub struct ReflectorInput {
    /// The topic.
    pub topic: String,
    /// The steps of the plan, in order.
    pub steps: Vec<StepReport>,
    /// The steps of the last batch that were completed, by id.
    pub last_batch: Vec<String>,
    /// The titles of the sources that are quoted so far.
    pub sources: Vec<String>,
    /// The least number of steps, or 0 if it is not enforced.
    pub min_steps: usize,
    /// The terms of the topic that matter and that no passage contains so far.
    pub uncovered: Vec<String>,
    /// The questions that findings raised, which a further plan may take up.
    pub follow_up: Vec<String>,
    /// `true` if the plan may be adjusted.
    pub may_adjust: bool,
    /// `true` if a model is asked also when no step is pending.
    pub reflects_at_end: bool,
}

/// A step of the plan, and what it found.
#[derive(Debug, Clone)]
pub struct StepReport {
    /// The step.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its progress.
    pub status: StepStatus,
    /// Its finding in one sentence, and the statements of the researcher.
    pub findings: Vec<String>,
    /// The number of its passages.
    pub passages: usize,
}

impl ReflectorInput {
    /// The completed steps, in order.
    pub fn completed(&self) -> impl DoubleEndedIterator<Item = &StepReport> {
        let steps = self.steps.iter();
        steps.filter(|step| step.status == StepStatus::Completed)
    }

    /// The number of steps that are pending.
    pub fn pending(&self) -> usize {
        let is_pending = |step: &&StepReport| {
            matches!(step.status, StepStatus::Pending | StepStatus::InProgress)
        };
        self.steps.iter().filter(is_pending).count()
    }

    /// `true` if a step found anything.
    fn has_passages(&self) -> bool {
        self.completed().any(|step| step.passages > 0)
    }

    /// `true` if the steps of the last batch found nothing.
    fn has_found_nothing_more(&self) -> bool {
        let last = |step: &&StepReport| self.last_batch.contains(&step.id);
        !self.last_batch.is_empty() && self.completed().filter(last).all(|step| step.passages == 0)
    }
}

impl Agent for Reflector {
    type Input = ReflectorInput;
    type Output = Reflection;
    const NAME: &'static str = "reflector";
    const TIER: Tier = Tier::Simple;
    const PHASE: Phase = Phase::Gathering;
    const PROMPT: &'static str = include_str!("../../../prompts/reflector.md");

    fn rule(input: &ReflectorInput) -> Reflection {
        let pending = input.pending();
        let enough_steps = input.completed().count() >= input.min_steps;
        // Missing terms are worth a new plan only if there are findings at all: otherwise the
        // documents do not cover the topic.
        let adjusts =
            pending == 0 && input.has_passages() && !input.uncovered.is_empty() && input.may_adjust;
        let (decision, reasoning) = if adjusts {
            let uncovered = input.uncovered.iter();
            let terms = uncovered.map(|term| as_written(&input.topic, term));
            let terms = terms.collect::<Vec<_>>().join(", ");
            (
                ReflectionDecision::Adjust,
                format!("no passage speaks of: {terms}"),
            )
        } else if pending == 0 && !input.follow_up.is_empty() {
            let questions = counted(input.follow_up.len(), "question");
            (
                ReflectionDecision::Continue,
                format!("the findings raise {questions}"),
            )
        } else if pending == 0 {
            (
                ReflectionDecision::Complete,
                "every step is done".to_owned(),
            )
        } else if enough_steps && input.has_found_nothing_more() {
            (
                ReflectionDecision::Complete,
                "the last steps found nothing".to_owned(),
            )
        } else {
            (
                ReflectionDecision::Continue,
                format!(
                    "{} {} left",
                    counted(pending, "step"),
                    if pending == 1 { "is" } else { "are" }
                ),
            )
        };
        Reflection {
            after: input.completed().map(|step| step.id.clone()).collect(),
            suggested_changes: adjusts.then(|| input.uncovered.clone()),
            decision,
            reasoning,
        }
    }
}

/// The first word of the topic with this stem; the stem itself if there is none.
fn as_written<'a>(topic: &'a str, term: &'a str) -> &'a str {
    let mut words = text::words(topic).map(|word| word.text);
    words
        .find(|word| text::terms(word).iter().any(|stem| stem == term))
        .unwrap_or(term)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(passages: &[usize], pending: usize) -> ReflectorInput {
        let report = |index: usize, passages: usize, status: StepStatus| StepReport {
            id: index.to_string(),
            title: format!("Research {index}"),
            status,
            findings: Vec::new(),
            passages,
        };
        let done = passages.iter().enumerate();
        let done = done.map(|(index, passages)| report(index, *passages, StepStatus::Completed));
        let pending = (0..pending).map(|index| report(100 + index, 0, StepStatus::Pending));
        ReflectorInput {
            topic: "Do heat pumps work?".to_owned(),
            steps: done.chain(pending).collect(),
            last_batch: vec![(passages.len() - 1).to_string()],
            sources: Vec::new(),
            min_steps: 1,
            uncovered: Vec::new(),
            follow_up: Vec::new(),
            may_adjust: true,
            reflects_at_end: true,
        }
    }

    fn decide(input: &ReflectorInput) -> ReflectionDecision {
        Reflector::rule(input).decision
    }

    #[test]
    fn completes_when_a_batch_finds_nothing_but_not_before_min_steps() {
        let with_min = |passages: &[usize], pending: usize, min_steps: usize| {
            decide(&ReflectorInput {
                min_steps,
                ..input(passages, pending)
            })
        };
        assert_eq!(with_min(&[3, 0], 2, 3), ReflectionDecision::Continue);
        assert_eq!(with_min(&[3, 1, 0], 2, 3), ReflectionDecision::Complete);
        assert_eq!(with_min(&[3, 1, 1], 2, 3), ReflectionDecision::Continue);
        assert_eq!(with_min(&[3], 0, 1), ReflectionDecision::Complete);
    }

    #[test]
    fn adjusts_the_plan_for_an_uncovered_term() {
        let uncovered = |passages: &[usize]| {
            decide(&ReflectorInput {
                uncovered: vec!["noise".to_owned()],
                ..input(passages, 0)
            })
        };
        assert_eq!(uncovered(&[3]), ReflectionDecision::Adjust);
        assert_eq!(uncovered(&[0]), ReflectionDecision::Complete);
    }

    #[test]
    fn continues_with_the_questions_that_findings_raise() {
        let raised = ReflectorInput {
            follow_up: vec!["How loud is it at night?".to_owned()],
            ..input(&[3], 0)
        };
        assert_eq!(decide(&raised), ReflectionDecision::Continue);
    }
}
