//! The plans of a session: the first one, which the user may want to approve, and those that
//! reflections, reviews and findings ask for. Each is a checkpoint that a person may edit.

use std::collections::BTreeSet;

use anyhow::Result;

use super::classification::{CLASSIFICATION, Topic};
use super::step::finding_file;
use crate::agent::{Planner, PlannerInput};
use crate::artifact::plan::PlanStep;
use crate::artifact::{Collected, Plan};
use crate::extension::SubAgent;
use crate::pipeline::{Event, InputRequired, PlannedStep};
use crate::stage::event_text::event_text;
use crate::stage::stage_run::StageRun;

/// The request for a plan.
#[derive(Debug, Default)]
pub(super) struct PlanRequest {
    /// The aspects to research besides, each in words; none for the first plan.
    pub(super) wanted: Vec<String>,
    /// The reasons of the reflection that wants them.
    pub(super) reasoning: String,
    /// The files that it was made from, besides the findings.
    pub(super) inputs: Vec<String>,
    /// The maximum number of new steps.
    pub(super) max_steps: usize,
    /// The number of passages found so far.
    pub(super) passages: usize,
    /// What is known before the first plan.
    pub(super) background: String,
    /// The sub-agents to whom steps can be delegated.
    pub(super) agents: Vec<SubAgent>,
    /// `true` if people's posts are searched, or the topic asks for them.
    pub(super) is_social: bool,
}

/// Returns the file of the plan of this number.
pub(super) fn plan_file(iteration: u32) -> String {
    format!("research/plan-{iteration}.json")
}

/// Returns the plan after another one, as it was requested.
pub(super) async fn next_plan(
    run: StageRun<'_>,
    topic: &Topic,
    plan: Option<&Plan>,
    request: PlanRequest,
) -> Result<Plan> {
    let iteration = plan.map_or(0, |plan| plan.iteration) + 1;
    let completed = plan.map_or_else(Vec::new, |plan| plan.steps.clone());
    let is_done = |step: &&PlanStep| step.status.is_done();
    let findings = completed.iter().filter(is_done);
    let mut inputs = vec![CLASSIFICATION.to_owned()];
    inputs.extend(findings.map(|step| finding_file(&step.id)));
    inputs.extend(request.inputs);
    let input = PlannerInput {
        topic: topic.text.clone(),
        classification: topic.classification.clone(),
        iteration,
        max_steps: request.max_steps,
        max_queries: run.context.settings.agents.researcher.max_search_queries,
        completed,
        passages: request.passages,
        wanted: request.wanted,
        reasoning: request.reasoning,
        background: request.background,
        agents: request.agents,
        is_social: request.is_social,
    };
    let name = plan_file(iteration);
    let ask = async || run.ask::<Planner>(&input).await;
    let next: Plan = run.checkpoint(&name, &inputs, ask).await?;
    let path = run.workspace.root().join(name);
    check_step_names(&next, &path.display().to_string())?;
    let steps = next.steps.iter().map(|step| PlannedStep {
        step: step.id.clone(),
        title: event_text(&step.title),
    });
    run.report(Event::Planned {
        plan: iteration,
        steps: steps.collect(),
    })?;
    Ok(next)
}

/// Waits for the user's approval of the first plan, unless it is being carried out already.
///
/// # Errors
/// [`InputRequired`] if the plan waits.
pub(super) fn require_approval(run: StageRun<'_>, plan: &Plan) -> Result<()> {
    let findings = plan.steps.iter().map(|step| finding_file(&step.id));
    for file in findings.chain([Collected::file(plan.iteration)]) {
        if run.workspace.read(&file)?.is_some() {
            return Ok(());
        }
    }
    let file = run.workspace.root().join(plan_file(1));
    let waits = InputRequired(format!(
        "the plan waits for your approval: edit, remove or add steps in {} as you like, then \
         resume",
        file.display()
    ));
    Err(waits.into())
}

/// Checks the step names of a plan.
///
/// Step names become file names, and a plan may be edited by hand or come from an untrusted source:
/// this check prevents path traversal.
fn check_step_names(plan: &Plan, file: &str) -> Result<()> {
    let mut seen = BTreeSet::new();
    for step in &plan.steps {
        // No dots and slashes, and short enough for any file system.
        let fits = (1..=64).contains(&step.id.len())
            && step
                .id
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        anyhow::ensure!(
            fits && seen.insert(&step.id),
            "{file}: step id {:?} must be unique and made of at most 64 letters, digits, - and _",
            step.id
        );
    }
    Ok(())
}
