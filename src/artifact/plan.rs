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
    /// `true` if it needs a search.
    pub needs_search: bool,
    /// The search queries.
    pub queries: Vec<String>,
    /// 1 is first, 10 last.
    pub priority: u32,
    /// The steps that must be done before.
    pub dependencies: Vec<String>,
    /// Its progress.
    pub status: StepStatus,
    /// Its finding, described in one sentence.
    pub observation: Option<String>,
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
        steps.filter(|step| matches!(step.status, StepStatus::Pending | StepStatus::InProgress))
    }
}
