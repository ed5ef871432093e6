//! The tasks of a session: the steps of its latest plan with their progress, computed from the
//! plan, the findings and the event log, for display only.

use std::collections::BTreeSet;
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::running::running;
use crate::artifact::plan::{PlanStep, StepStatus, Task as SearchTask};
use crate::artifact::{Plan, Research, StepFinding};
use crate::pipeline::{Event, read_events};
use crate::run::artifacts::content;

/// The tasks of a session.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Tasks {
    /// The steps of the latest plan, in its order; none before there is a plan.
    pub tasks: Vec<Task>,
    /// The time of the latest event, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<String>,
}

/// A step of the plan.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Task {
    /// The step.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The agent that works on it.
    pub agent: String,
    /// Its progress.
    pub status: StepStatus,
    /// 1 is first, 10 last.
    pub priority: u32,
    /// The steps whose findings it needs.
    pub dependencies: Vec<String>,
    /// The moment at which it was begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assigned_at: Option<String>,
    /// The moment at which it was completed, or failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<String>,
    /// The reason for its failure, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Returns the tasks of the session at `path`.
pub fn tasks(path: &Path) -> Tasks {
    let log = read_events(path);
    let (mut begun, mut skipped) = (BTreeSet::new(), BTreeSet::new());
    for entry in &log {
        match &entry.event {
            // A step that an earlier process began is no longer worked on.
            Event::RunStarted { .. } => begun.clear(),
            Event::StepStarted { step, .. } => drop(begun.insert(step.as_str())),
            Event::StepSkipped { step } => drop(skipped.insert(step.as_str())),
            _ => {}
        }
    }
    if running(path).is_none() {
        begun.clear();
    }
    let plan = latest_plan(path);
    let steps = plan.into_iter().flat_map(|plan| plan.steps);
    let task = |step: PlanStep| {
        let finding = content(path, &format!("research/steps/{}.json", step.id));
        let status = match &finding {
            Some(StepFinding { problem: None, .. }) => StepStatus::Completed,
            Some(_) => StepStatus::Failed,
            None if begun.contains(step.id.as_str()) => StepStatus::InProgress,
            None if skipped.contains(step.id.as_str()) => StepStatus::Skipped,
            // A gate says what has become of its steps.
            None => step.status,
        };
        Task::of(step, status, finding)
    };
    Tasks {
        tasks: steps.map(task).collect(),
        updated_at: log.last().map(|entry| entry.at.clone()),
    }
}

/// The plan of the gate, or else the last one on disk.
fn latest_plan(path: &Path) -> Option<Plan> {
    let gate = content(path, "research.json").map(|research: Research| research.plan);
    let plans = (1..).map_while(|number| content(path, &format!("research/plan-{number}.json")));
    gate.or_else(|| plans.last())
}

impl Task {
    fn of(step: PlanStep, status: StepStatus, finding: Option<StepFinding>) -> Self {
        let planned = match step.task {
            SearchTask::Social => "social".to_owned(),
            SearchTask::Web => step.agent.unwrap_or_else(|| "researcher".to_owned()),
        };
        let agent = finding.as_ref().map(|finding| finding.agent.clone());
        Self {
            agent: agent.filter(|name| !name.is_empty()).unwrap_or(planned),
            assigned_at: finding.as_ref().and_then(|own| own.assigned_at.clone()),
            completed_at: finding.as_ref().and_then(|own| own.completed_at.clone()),
            problem: finding.and_then(|finding| finding.problem),
            id: step.id,
            title: step.title,
            status,
            priority: step.priority,
            dependencies: step.dependencies,
        }
    }
}
