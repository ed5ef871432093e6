//! `research/plan-N.json`: the steps by which a topic is researched.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A research plan. A later iteration keeps the completed steps of the previous plan and adds new
/// steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// A UUID (version 8, RFC 9562) made from the topic and the iteration.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The reasons for these steps.
    pub thought: String,
    /// The steps, in the order in which they are done.
    pub steps: Vec<PlanStep>,
    /// `true` if analysis may start without any step.
    pub has_enough_context: bool,
    /// The number of the plan in its session, from 1.
    pub iteration: u32,
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanStep {
    /// The step's name, which is also the name of its file.
    pub id: String,
    /// The aspect of the topic that it covers, as a heading.
    pub title: String,
    /// The information to look for.
    pub description: String,
    /// The role of its findings in the report.
    pub facet: Facet,
    /// The type of step.
    pub step_type: StepType,
    /// Where it searches.
    #[serde(default, skip_serializing_if = "Task::is_web")]
    pub task: Task,
    /// `true` if it needs a search.
    pub needs_search: bool,
    /// The search queries.
    pub queries: Vec<String>,
    /// 1 is first, 10 last.
    pub priority: u32,
    /// The steps whose findings it needs: it begins when none of them is pending.
    pub dependencies: Vec<String>,
    /// Its progress.
    pub status: StepStatus,
    /// Its finding, described in one sentence.
    pub observation: Option<String>,
    /// The sub-agent to whom it is delegated, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
}

/// The aspect of a topic that a step covers.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Facet {
    /// Statements on the topic itself: the sentences that answer it as a question.
    Overview,
    /// One of the things compared.
    Side,
    /// A further question of a compound question.
    Question,
    /// The mechanism.
    How,
    /// Reasons and benefits.
    Why,
    /// Costs, risks and drawbacks.
    Costs,
    /// Other options.
    Alternatives,
    /// Measurements and dates.
    Figures,
    /// Recommendations.
    Recommendations,
    /// An entry for each document on the topic.
    Entries,
    /// Questions that the documents leave open.
    Open,
    /// A single word of the topic that was not covered yet.
    Term,
    /// Any other aspect, which its title names.
    Aspect,
}

/// The type of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum StepType {
    /// It searches and reads.
    Research,
    /// It works on the findings so far.
    Analysis,
}

/// Where a step searches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// The documents and the web, for facts.
    #[default]
    Web,
    /// The social services alone, for what people think.
    Social,
}

impl Task {
    /// `true` for the web.
    pub fn is_web(&self) -> bool {
        *self == Self::Web
    }
}

/// The progress of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum StepStatus {
    /// Not begun.
    Pending,
    /// Begun.
    InProgress,
    /// Done.
    Completed,
    /// Not needed any more.
    Skipped,
    /// Not completed, for the reason in its finding.
    Failed,
}

impl Plan {
    /// The steps that are done.
    pub fn completed_steps(&self) -> impl Iterator<Item = &PlanStep> {
        let steps = self.steps.iter();
        steps.filter(|step| step.status == StepStatus::Completed)
    }

    /// The steps that are still to be done.
    pub fn pending_steps(&self) -> impl Iterator<Item = &PlanStep> {
        let steps = self.steps.iter();
        steps.filter(|step| step.is_pending())
    }

    /// Returns the steps to be done next, at most `limit`: those that need none of the others, by
    /// priority.
    ///
    /// An analysis that names no dependency needs every pending search. Steps that wait for each
    /// other (a plan may be edited by hand) are done one by one, in the order of the plan.
    pub fn next_steps(&self, limit: usize) -> Vec<PlanStep> {
        let pending: Vec<&PlanStep> = self.pending_steps().collect();
        let needs = |step: &PlanStep, other: &PlanStep| match step.step_type {
            StepType::Analysis if step.dependencies.is_empty() => {
                other.step_type == StepType::Research
            }
            _ => step.dependencies.contains(&other.id),
        };
        let is_ready = |step: &PlanStep| !pending.iter().any(|other| needs(step, other));
        let mut next: Vec<PlanStep> = pending
            .iter()
            .filter(|step| is_ready(step))
            .map(|step| (*step).clone())
            .collect();
        if next.is_empty() {
            next.extend(pending.first().map(|step| (*step).clone()));
        }
        next.sort_by_key(|step| step.priority);
        next.truncate(limit.max(1));
        next
    }
}

impl StepStatus {
    /// `true` if a step was worked on to its end, with or without success.
    pub fn is_done(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }
}

impl PlanStep {
    /// A step that looks for statements on a topic itself, and is of no plan.
    pub fn of_topic(topic: &str) -> Self {
        Self {
            id: "topic".to_owned(),
            title: topic.to_owned(),
            description: String::new(),
            facet: Facet::Overview,
            step_type: StepType::Research,
            task: Task::Web,
            needs_search: true,
            queries: vec![topic.to_owned()],
            priority: 1,
            dependencies: Vec::new(),
            status: StepStatus::Pending,
            observation: None,
            agent: None,
        }
    }

    /// Its title without the verb, as a heading.
    pub fn heading(&self) -> &str {
        let verbs = ["Research ", "Analyse "];
        let mut headings = verbs
            .iter()
            .filter_map(|verb| self.title.strip_prefix(verb));
        headings.next().unwrap_or(&self.title)
    }

    /// `true` if it is still to be done.
    pub fn is_pending(&self) -> bool {
        matches!(self.status, StepStatus::Pending | StepStatus::InProgress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(id: &str, priority: u32, dependencies: &[&str]) -> PlanStep {
        PlanStep {
            id: id.to_owned(),
            title: id.to_owned(),
            description: String::new(),
            facet: Facet::Aspect,
            step_type: StepType::Research,
            task: Task::Web,
            needs_search: true,
            queries: vec![id.to_owned()],
            priority,
            dependencies: dependencies.iter().map(|id| (*id).to_owned()).collect(),
            status: StepStatus::Pending,
            observation: None,
            agent: None,
        }
    }

    fn next(steps: &[PlanStep], limit: usize) -> Vec<String> {
        let plan = Plan {
            id: String::new(),
            title: String::new(),
            thought: String::new(),
            steps: steps.to_vec(),
            has_enough_context: false,
            iteration: 1,
        };
        let next = plan.next_steps(limit).into_iter();
        next.map(|step| step.id).collect()
    }

    #[test]
    fn independent_steps_are_next_by_priority() {
        let mut steps = [step("a", 2, &[]), step("b", 1, &["a"]), step("c", 1, &[])];
        assert_eq!(next(&steps, 3), ["c", "a"]);
        assert_eq!(next(&steps, 1), ["c"]);
        steps[0].status = StepStatus::Failed;
        assert_eq!(next(&steps, 3), ["b", "c"]);
    }

    #[test]
    fn analysis_waits_for_every_search() {
        let mut analysis = step("b", 1, &[]);
        analysis.step_type = StepType::Analysis;
        let mut steps = [step("a", 2, &[]), analysis];
        assert_eq!(next(&steps, 3), ["a"]);
        steps[0].status = StepStatus::Completed;
        assert_eq!(next(&steps, 3), ["b"]);
    }

    #[test]
    fn steps_that_wait_for_each_other_are_done_one_by_one() {
        let steps = [
            step("a", 2, &["b"]),
            step("b", 1, &["a"]),
            step("c", 1, &["c"]),
        ];
        assert_eq!(next(&steps, 3), ["a"]);
    }
}
