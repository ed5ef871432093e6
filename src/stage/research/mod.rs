//! Stage 1, research: classify the topic, plan, execute the steps, reflect, and assemble the
//! findings.
//!
//! The loop is that of a planning agent: a plan has steps, which are executed in batches; after
//! each batch the reflector decides whether to continue, to stop, or to make a new plan.

mod answers;
mod classification;
mod corpus;
mod credibility;
mod evidence;
mod reflections;
mod retrieval;
mod step;
pub(super) mod web;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use super::context::Context;
use super::definition::StageInfo;
use super::past_rounds::{past_reviews, review_of};
use super::stage_run::{SESSION, StageRun, header};
use crate::agent::{
    AgentInfo, Coordinator, Planner, PlannerInput, Reflector, ReflectorInput, Researcher,
};
use crate::artifact::plan::{PlanStep, StepStatus};
use crate::artifact::reflections::{Reflection, ReflectionDecision};
use crate::artifact::research::Finding;
use crate::artifact::review::NoteRequest;
use crate::artifact::session::{Depth, State};
use crate::artifact::{self, Collected, Plan, Research, Review, Session};
use crate::model::BudgetExhausted;
use crate::pipeline::{Digest, PastRound};
use crate::text;
use classification::{CLASSIFICATION, Topic, classify};
use corpus::Corpus;
use evidence::Evidence;
use reflections::ReflectionLog;
use step::{StepRunner, finding_file};

/// The definition of this stage.
pub(super) const INFO: StageInfo = StageInfo {
    name: "research",
    gate: "research.json",
    intermediates: &["research", "sources"],
    renderings: &[],
    agents: &[
        AgentInfo::of::<Coordinator>(),
        AgentInfo::of::<Planner>(),
        AgentInfo::of::<Researcher>(),
        AgentInfo::of::<Reflector>(),
    ],
    state: State::Researching,
    starts_round: false,
    sends_back: &[],
    inputs,
    configuration,
    check: header::<Research>,
    run: |run| Box::pin(research(run)),
    render: |_| Ok(()),
};

/// The plan as a checklist in Markdown.
const TODO: &str = "research/todo.md";

fn inputs(past: &[PastRound]) -> Vec<String> {
    let sent_here: Vec<PastRound> = sent_to_research(past).cloned().collect();
    std::iter::once(SESSION.to_owned())
        .chain(past_reviews(&sent_here))
        .collect()
}

fn configuration(context: &Context) -> Digest {
    let settings = &context.settings;
    Digest::of_value(&(&settings.agents, &settings.depth, &settings.read))
}

async fn research(run: StageRun<'_>) -> Result<()> {
    let research = ResearchLoop::begin(run).await?.finish().await?;
    run.write_gate(research)
}

/// The rounds that their review sent back to research.
fn sent_to_research(past: &[PastRound]) -> impl Iterator<Item = &PastRound> {
    past.iter().filter(|round| round.from == INFO.name)
}

/// The loop over plans and batches of steps, with its state.
struct ResearchLoop<'a> {
    run: StageRun<'a>,
    session: Session,
    topic: Topic,
    depth: Depth,
    steps: StepRunner<'a>,
    corpus: Corpus<'a>,
    evidence: Evidence<'a>,
    reflections: ReflectionLog<'a>,
    /// The sentence about why research stopped early, if it did.
    stopped_early: Option<String>,
    /// The sentences about parts of the web that were not searched or not read.
    web_limits: Vec<String>,
}

impl<'a> ResearchLoop<'a> {
    async fn begin(run: StageRun<'a>) -> Result<Self> {
        let bytes = run.workspace.read_required(SESSION)?;
        let session: Session =
            artifact::parse(&bytes).map_err(|error| run.unreadable(SESSION, &error))?;
        let topic = classify(run, &session).await?;
        let classification = &topic.classification;
        run.progress(format!("{:?} question", classification.kind).to_lowercase())?;
        let depth = match session.depth {
            Depth::Auto => classification.recommended_depth,
            depth => depth,
        };
        Ok(Self {
            steps: StepRunner::new(run, classification, depth),
            corpus: Corpus::new(run, &classification.terms),
            evidence: Evidence::new(run),
            reflections: ReflectionLog::read(run)?,
            run,
            session,
            topic,
            depth,
            stopped_early: None,
            web_limits: Vec::new(),
        })
    }

    /// Executes the first plan and, for each round that was sent back, a further plan.
    ///
    /// A resumed session repeats this: plans, findings and reflections are checkpoints.
    async fn finish(mut self) -> Result<Research> {
        let mut plan = self.plan(1, &[], Vec::new(), Vec::new()).await?;
        plan = self.execute(plan).await?;
        let sent_here: Vec<PastRound> = sent_to_research(self.run.workspace.past())
            .cloned()
            .collect();
        for round in sent_here {
            let terms = requested_terms(&review_of(self.run.workspace, &round)?);
            let next = plan.iteration + 1;
            plan = self
                .plan(next, &plan.steps, terms, vec![round.decision])
                .await?;
            plan = self.execute(plan).await?;
        }
        self.write_todo(&plan)?;
        self.into_research(plan)
    }

    /// Returns the plan of this number, made for the terms that were `requested` by the review in
    /// `requested_by` or by the reflector.
    async fn plan(
        &self,
        iteration: u32,
        done: &[PlanStep],
        requested: Vec<String>,
        requested_by: Vec<String>,
    ) -> Result<Plan> {
        let settings = &self.run.context.settings;
        let input = PlannerInput {
            topic: self.topic.text.clone(),
            classification: self.topic.classification.clone(),
            iteration,
            max_steps: settings.limits(self.depth).max_steps,
            max_queries: settings.agents.researcher.max_search_queries,
            completed: done.to_vec(),
            wanted: requested,
        };
        let completed = done
            .iter()
            .filter(|step| step.status == StepStatus::Completed);
        let mut inputs = vec![CLASSIFICATION.to_owned()];
        inputs.extend(completed.map(|step| finding_file(&step.id)));
        inputs.extend(requested_by);
        let name = plan_file(iteration);
        let ask = async || self.run.ask::<Planner>(&input).await;
        let plan: Plan = self.run.checkpoint(&name, &inputs, ask).await?;
        let path = self.run.workspace.root().join(name);
        check_step_names(&plan, &path.display().to_string())?;
        self.write_todo(&plan)?;
        let steps = text::counted(plan.steps.len(), "step");
        self.run.progress(format!("plan {iteration}: {steps}"))?;
        Ok(plan)
    }

    /// Searches the web for a plan, if this session does so.
    async fn search_web(&mut self, plan: &Plan) -> Result<()> {
        if self.session.search.is_empty() {
            return Ok(());
        }
        let collected = web::collect(self.run, &self.session, plan, self.corpus.pages()).await;
        let collected = match collected {
            Err(error) => return self.stop_early(error.downcast()?),
            Ok(collected) => collected,
        };
        self.corpus
            .add_pages(Collected::file(plan.iteration), &collected.pages);
        for limit in web::limits(&collected) {
            if !self.web_limits.contains(&limit) {
                self.web_limits.push(limit);
            }
        }
        Ok(())
    }

    /// Executes the pending steps of a plan in batches, with a reflection after each, until the
    /// plan is complete, or the reflector or the budget ends it.
    async fn execute(&mut self, mut plan: Plan) -> Result<Plan> {
        self.search_web(&plan).await?;
        loop {
            // The status of steps is in memory only, not in the plan's file: a resumed run makes
            // the same batches again, and reads the checkpoints of their findings.
            let mut batch: Vec<PlanStep> = plan
                .pending_steps()
                .take(self.concurrent_steps())
                .cloned()
                .collect();
            if batch.is_empty() || self.stopped_early.is_some() {
                skip_pending(&mut plan);
                return Ok(plan);
            }
            if let Err(exhausted) = self.fit_budget(&mut batch)? {
                self.stop_early(exhausted)?;
                continue;
            }
            let name = plan_file(plan.iteration);
            let (observations, exhausted) = self
                .steps
                .run_batch(&batch, &name, &mut self.corpus, &mut self.evidence)
                .await?;
            // Before the budget ends the batch, so that completed steps count in any case.
            complete(&mut plan, &observations);
            if let Some(exhausted) = exhausted {
                self.stop_early(exhausted)?;
                continue;
            }
            match self.reflect(&plan, &batch).await {
                Err(error) => self.stop_early(error.downcast()?)?,
                Ok(reflection) => self.follow(reflection, &mut plan).await?,
            }
        }
    }

    /// Applies the decision of a reflection to a plan.
    async fn follow(&mut self, reflection: Reflection, plan: &mut Plan) -> Result<()> {
        match reflection.decision {
            ReflectionDecision::Continue => {}
            ReflectionDecision::Complete => skip_pending(plan),
            ReflectionDecision::Adjust => {
                let requested = reflection.suggested_changes.unwrap_or_default();
                skip_pending(plan);
                let next = plan.iteration + 1;
                match self.plan(next, &plan.steps, requested, Vec::new()).await {
                    Err(error) => self.stop_early(error.downcast()?)?,
                    Ok(next) => {
                        *plan = next;
                        self.search_web(plan).await?;
                    }
                }
            }
        }
        Ok(())
    }

    fn concurrent_steps(&self) -> usize {
        let researcher = &self.run.context.settings.agents.researcher;
        researcher.max_concurrent_research_units
    }

    /// Shortens a batch to the steps that the budget can afford; the error if it affords none.
    fn fit_budget(&self, batch: &mut Vec<PlanStep>) -> Result<Result<(), BudgetExhausted>> {
        loop {
            let backend = &self.run.context.backend;
            match backend.can_afford::<Researcher>(self.run.workspace, batch.len())? {
                Err(_) if batch.len() > 1 => drop(batch.pop()),
                decided => return Ok(decided),
            }
        }
    }

    /// Ends research early, so that the findings are written up. Without any passage there is
    /// nothing to write up, and the stage fails.
    fn stop_early(&mut self, exhausted: BudgetExhausted) -> Result<()> {
        if self.evidence.passages().is_empty() {
            return Err(exhausted.into());
        }
        let BudgetExhausted(limit) = exhausted;
        self.run.progress(format!(
            "research stopped: the budget of {limit} is used up"
        ))?;
        self.stopped_early = Some(format!(
            "Research stopped early, so that what was found could be analysed, written and \
             reviewed within the budget of {limit}."
        ));
        Ok(())
    }

    async fn reflect(&mut self, plan: &Plan, batch: &[PlanStep]) -> Result<Reflection> {
        let settings = &self.run.context.settings;
        let limits = settings.limits(self.depth);
        let enforce = settings.agents.reflector.enforce_min_steps;
        let done: Vec<(String, usize)> = plan
            .completed_steps()
            .map(|step| {
                let finding = self.steps.finding(&step.id);
                let passages = finding.map_or(0, |finding| finding.passages.len());
                (step.id.clone(), passages)
            })
            .collect();
        let input = ReflectorInput {
            last_batch: batch.len(),
            pending: plan.pending_steps().count(),
            min_steps: if enforce { limits.min_steps } else { 0 },
            uncovered: self.uncovered()?,
            may_adjust: plan.iteration < settings.agents.planner.max_plan_iterations,
            done,
        };
        let reflection = self.reflections.reflect(batch, &input).await?;
        tracing::debug!(
            plan = plan.iteration,
            decision = ?reflection.decision,
            pending = input.pending,
            uncovered = input.uncovered.len(),
            "reflected"
        );
        Ok(reflection)
    }

    /// Returns the discriminative terms of the topic that no passage contains so far.
    fn uncovered(&mut self) -> Result<Vec<String>> {
        // Only discriminative terms, by document frequency: a term that almost every document
        // contains need not be in a passage.
        let documents = self.corpus.documents()?;
        let covered: BTreeSet<String> = self
            .evidence
            .passages()
            .iter()
            .flat_map(|passage| text::terms(&passage.quote))
            .collect();
        let terms = self.topic.classification.terms.iter();
        Ok(terms
            .filter(|term| documents.is_discriminative(term) && !covered.contains(*term))
            .cloned()
            .collect())
    }

    fn write_todo(&self, plan: &Plan) -> Result<()> {
        let mut text = format!("# {}\n\n", plan.title);
        for step in &plan.steps {
            let (mark, note) = match step.status {
                StepStatus::Completed => ("x", step.observation.as_deref().unwrap_or_default()),
                StepStatus::Skipped => ("-", "Skipped."),
                StepStatus::Pending | StepStatus::InProgress => (" ", ""),
            };
            let line = format!("- [{mark}] {}: {}. {note}", step.id, step.title);
            text.push_str(line.trim_end());
            text.push('\n');
        }
        self.run.workspace.write(TODO, text.as_bytes())
    }

    /// Assembles the content of the gate.
    fn into_research(mut self, plan: Plan) -> Result<Research> {
        let documents = self.corpus.documents()?;
        let mut findings = Vec::new();
        let mut queries: Vec<String> = Vec::new();
        let mut nearest = Vec::new();
        for step in plan.completed_steps() {
            let Some(finding) = self.steps.finding(&step.id) else {
                continue;
            };
            for search in &finding.searches {
                if !queries.contains(&search.query) {
                    queries.push(search.query.clone());
                }
            }
            nearest.extend(finding.nearest.iter().cloned());
            let passages = finding.passages.iter();
            findings.push(Finding {
                id: format!("F{}", findings.len() + 1),
                step: step.id.clone(),
                observation: finding.observation.clone(),
                statements: finding.statements.clone(),
                confidence: finding.confidence,
                passages: passages.map(|passage| passage.id.clone()).collect(),
            });
        }
        let (sources, passages) = self.evidence.into_parts();
        Ok(Research {
            nearest,
            topic: self.session.topic,
            classification: self.topic.classification,
            depth: self.depth,
            plan,
            search_queries: queries,
            findings,
            passages,
            sources,
            documents,
            limits: self
                .stopped_early
                .into_iter()
                .chain(self.web_limits)
                .collect(),
        })
    }
}

/// Returns the file of the plan of this number.
fn plan_file(iteration: u32) -> String {
    format!("research/plan-{iteration}.json")
}

/// Returns the terms that a review wants researched.
fn requested_terms(review: &Review) -> Vec<String> {
    let notes = review.notes.iter();
    notes
        .filter_map(|note| match &note.request {
            NoteRequest::Research { term } => Some(term.clone()),
            _ => None,
        })
        .collect()
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

fn complete(plan: &mut Plan, observations: &BTreeMap<String, String>) {
    for step in &mut plan.steps {
        if let Some(observation) = observations.get(&step.id) {
            step.status = StepStatus::Completed;
            step.observation = Some(observation.clone());
        }
    }
}

fn skip_pending(plan: &mut Plan) {
    for step in &mut plan.steps {
        if matches!(step.status, StepStatus::Pending | StepStatus::InProgress) {
            step.status = StepStatus::Skipped;
        }
    }
}
