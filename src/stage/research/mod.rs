//! Stage 1: understand the topic, plan, look into each step, reflect, and put together what was
//! found.

mod credibility;
pub(super) mod libraries;
mod reading;
mod step;
pub(super) mod web;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::Result;
use futures::future::BoxFuture;

use super::context::Context;
use super::definition::StageInfo;
use super::past_rounds::{past_reviews, review_of};
use super::{header, inner, write_gate};
use crate::agent::{
    AgentInfo, Coordinator, CoordinatorInput, Planner, PlannerInput, Reflector, ReflectorInput,
    Researcher,
};
use crate::artifact::plan::{PlanStep, StepStatus};
use crate::artifact::reflections::{Reflection, ReflectionDecision};
use crate::artifact::research::Finding;
use crate::artifact::review::NoteRequest;
use crate::artifact::session::{Depth, State};
use crate::artifact::{
    self, Artifact, Clarification, Classification, Collected, Plan, Research, Review, Session,
};
use crate::model::BudgetExhausted;
use crate::pipeline::{Header, InputRequired, PastRound, Recipe, Stage, Unreadable, Workspace};
use crate::text;
use step::Steps;

/// The definition of this stage.
pub(super) const INFO: StageInfo = StageInfo {
    name: "research",
    gate: "research.json",
    work: &["research", "sources"],
    agents: &[
        AgentInfo::of::<Coordinator>(),
        AgentInfo::of::<Planner>(),
        AgentInfo::of::<Researcher>(),
        AgentInfo::of::<Reflector>(),
    ],
    state: State::Researching,
    starts_round: false,
    sends_back: &[],
    build: |context| Box::new(ResearchStage(context)),
};

const SESSION: &str = "session.json";
const CLASSIFICATION: &str = "research/classification.json";
const CLARIFICATION: &str = "research/clarification.json";
const REFLECTIONS: &str = "research/reflections.jsonl";
const TODO: &str = "research/todo.md";

struct ResearchStage(Arc<Context>);

impl Stage for ResearchStage {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn gate(&self) -> &'static str {
        INFO.gate
    }

    fn intermediates(&self) -> &'static [&'static str] {
        INFO.work
    }

    fn renderings(&self) -> &'static [&'static str] {
        &[]
    }

    fn inputs(&self, past: &[PastRound]) -> Vec<String> {
        let asked: Vec<PastRound> = sent_to_research(past).cloned().collect();
        std::iter::once(SESSION.to_owned())
            .chain(past_reviews(&asked))
            .collect()
    }

    fn recipe(&self) -> Recipe {
        let settings = &self.0.settings;
        self.0.judge.recipe(
            INFO.agents,
            &(&settings.agents, &settings.depth, &settings.read),
        )
    }

    fn check(&self, bytes: &[u8]) -> Result<Header, serde_json::Error> {
        header::<Research>(bytes, |_| (None, None))
    }

    fn run<'a>(&'a self, workspace: &'a Workspace) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let research = Gathering::begin(self, workspace).await?.gather().await?;
            write_gate(workspace, self, research)
        })
    }
}

fn sent_to_research(past: &[PastRound]) -> impl Iterator<Item = &PastRound> {
    past.iter().filter(|round| round.from == INFO.name)
}

/// What a run of the stage carries along.
struct Gathering<'a> {
    stage: &'a ResearchStage,
    workspace: &'a Workspace,
    session: Session,
    /// The topic, with the answer to what was asked back.
    question: String,
    classification: Classification,
    depth: Depth,
    steps: Steps<'a>,
    reflections: Vec<Artifact<Reflection>>,
    batches: usize,
    /// Why gathering stopped before it was done, if it did.
    stopped: Option<String>,
    /// What of the web was not heard or not read.
    silent: Vec<String>,
}

impl<'a> Gathering<'a> {
    async fn begin(stage: &'a ResearchStage, workspace: &'a Workspace) -> Result<Self> {
        let bytes = workspace.read_required(SESSION)?;
        let session: Session = artifact::parse(&bytes).map_err(|error| {
            Unreadable::new(workspace.root().join(SESSION), stage.name(), &error)
        })?;
        let question = question(stage, workspace, &session)?;
        let classification = classify(stage, workspace, &session).await?;
        workspace.report_progress(
            stage,
            format!("{:?} question", classification.kind).to_lowercase(),
        )?;
        let depth = match session.depth {
            Depth::Auto => classification.recommended_depth,
            chosen => chosen,
        };
        Ok(Self {
            steps: Steps::new(stage, &stage.0, workspace, &classification, depth),
            reflections: read_reflections(stage, workspace)?,
            stage,
            workspace,
            session,
            question,
            classification,
            depth,
            batches: 0,
            stopped: None,
            silent: Vec::new(),
        })
    }

    async fn gather(mut self) -> Result<Research> {
        let mut plan = self.plan(1, &[], Vec::new(), Vec::new()).await?;
        plan = self.work_through(plan).await?;
        let asked: Vec<PastRound> = sent_to_research(self.workspace.past()).cloned().collect();
        for round in asked {
            let review = review_of(self.workspace, &round)?;
            let wanted = wanted_terms(&review);
            plan = self
                .plan(
                    plan.iteration + 1,
                    &plan.steps,
                    wanted,
                    vec![round.decision],
                )
                .await?;
            plan = self.work_through(plan).await?;
        }
        self.write_todo(&plan)?;
        self.research(plan).await
    }

    /// The plan of this number, kept or made.
    async fn plan(
        &self,
        iteration: u32,
        done: &[PlanStep],
        wanted: Vec<String>,
        asked_by: Vec<String>,
    ) -> Result<Plan> {
        let context = &self.stage.0;
        let input = PlannerInput {
            topic: self.question.clone(),
            classification: self.classification.clone(),
            iteration,
            max_steps: context.settings.limits(self.depth).max_steps,
            max_queries: context.settings.agents.researcher.max_search_queries,
            completed: done.to_vec(),
            wanted,
        };
        let completed = done
            .iter()
            .filter(|step| step.status == StepStatus::Completed);
        let mut inputs = vec![CLASSIFICATION.to_owned()];
        inputs.extend(completed.map(|step| Steps::file(&step.id)));
        inputs.extend(asked_by);
        let name = Self::plan_file(iteration);
        let make = async || {
            let judge = &context.judge;
            judge
                .ask::<Planner>(self.workspace, self.stage, &input)
                .await
        };
        let plan: Plan = inner(self.workspace, self.stage, &name, &inputs, make).await?;
        check_step_names(
            &plan,
            &self.workspace.root().join(name).display().to_string(),
        )?;
        self.write_todo(&plan)?;
        self.workspace.report_progress(
            self.stage,
            format!("plan {iteration}: {} steps", plan.steps.len()),
        )?;
        Ok(plan)
    }

    fn plan_file(iteration: u32) -> String {
        format!("research/plan-{iteration}.json")
    }

    /// Brings in what the web has on a plan, if this session searches it.
    async fn collect(&mut self, plan: &Plan) -> Result<()> {
        if self.session.search.is_empty() {
            return Ok(());
        }
        let context = &self.stage.0;
        let known = self.steps.pages();
        let collected = web::collect(
            self.stage,
            context,
            self.workspace,
            &self.session,
            plan,
            known,
        );
        let collected = match collected.await {
            Err(error) => return self.stop(error.downcast::<BudgetExhausted>()?),
            collected => collected?,
        };
        self.steps
            .add(Collected::file(plan.iteration), &collected.pages);
        for limit in told(&collected) {
            if !self.silent.contains(&limit) {
                self.silent.push(limit);
            }
        }
        Ok(())
    }

    /// Does the plan's open steps batch by batch, reflecting after each.
    async fn work_through(&mut self, mut plan: Plan) -> Result<Plan> {
        self.collect(&plan).await?;
        loop {
            let mut batch: Vec<PlanStep> =
                plan.pending_steps().take(self.at_once()).cloned().collect();
            if batch.is_empty() || self.stopped.is_some() {
                skip_the_rest(&mut plan);
                return Ok(plan);
            }
            if let Err(exhausted) = self.affordable(&mut batch)? {
                self.stop(exhausted)?;
                continue;
            }
            let name = Self::plan_file(plan.iteration);
            let (observations, exhausted) = self.steps.work(&batch, &name).await?;
            complete(&mut plan, &observations);
            if let Some(exhausted) = exhausted {
                self.stop(exhausted)?;
                continue;
            }
            let reflection = match self.reflect(&plan, &batch).await {
                Err(error) => {
                    self.stop(error.downcast::<BudgetExhausted>()?)?;
                    continue;
                }
                reflected => reflected?,
            };
            match reflection.decision {
                ReflectionDecision::Continue => {}
                ReflectionDecision::Complete => skip_the_rest(&mut plan),
                ReflectionDecision::Adjust => {
                    let wanted = reflection.suggested_changes.unwrap_or_default();
                    skip_the_rest(&mut plan);
                    let next = plan.iteration + 1;
                    match self.plan(next, &plan.steps, wanted, Vec::new()).await {
                        Err(error) => self.stop(error.downcast::<BudgetExhausted>()?)?,
                        planned => {
                            plan = planned?;
                            self.collect(&plan).await?;
                        }
                    }
                }
            }
        }
    }

    fn at_once(&self) -> usize {
        let researcher = &self.stage.0.settings.agents.researcher;
        researcher.max_concurrent_research_units
    }

    /// Leaves as many steps in a batch as the budget allows.
    fn affordable(&self, batch: &mut Vec<PlanStep>) -> Result<Result<(), BudgetExhausted>> {
        loop {
            let judge = &self.stage.0.judge;
            match judge.can_afford::<Researcher>(self.workspace, batch.len())? {
                Err(_) if batch.len() > 1 => drop(batch.pop()),
                decided => return Ok(decided),
            }
        }
    }

    /// Gathering ends here: what was gathered is written up. Without anything there is nothing to
    /// write up.
    fn stop(&mut self, exhausted: BudgetExhausted) -> Result<()> {
        if self.steps.passages().is_empty() {
            return Err(exhausted.into());
        }
        let BudgetExhausted(limit) = exhausted;
        self.workspace.report_progress(
            self.stage,
            format!("gathering stops: {limit} are the budget"),
        )?;
        self.stopped = Some(format!(
            "Gathering stopped early, so that what was found could be analysed, written and reviewed within {limit}."
        ));
        Ok(())
    }

    async fn reflect(&mut self, plan: &Plan, batch: &[PlanStep]) -> Result<Reflection> {
        let settings = &self.stage.0.settings;
        let limits = settings.limits(self.depth);
        let enforce = settings.agents.reflector.enforce_min_steps;
        let done: Vec<(String, usize)> = plan
            .completed_steps()
            .map(|step| (step.id.clone(), self.steps.passages_of(&step.id)))
            .collect();
        let input = ReflectorInput {
            last_batch: batch.len(),
            pending: plan.pending_steps().count(),
            min_steps: if enforce { limits.min_steps } else { 0 },
            uncovered: self.uncovered().await?,
            may_adjust: plan.iteration < settings.agents.planner.max_plan_iterations,
            done,
        };
        let place = self.batches;
        self.batches += 1;
        if let Some(kept) = self.kept_reflection(place, &input)? {
            return Ok(kept);
        }
        let judge = &self.stage.0.judge;
        let reflection = judge
            .ask::<Reflector>(self.workspace, self.stage, &input)
            .await?;
        let inputs: Vec<String> = batch.iter().map(|step| Steps::file(&step.id)).collect();
        let provenance = self.workspace.provenance_of(self.stage, &inputs)?;
        let line = Artifact::new(provenance, self.workspace.now(), reflection.clone());
        self.reflections.push(line);
        self.write_reflections()?;
        Ok(reflection)
    }

    /// The reflection at this place, if it was made on the same steps.
    fn kept_reflection(
        &mut self,
        place: usize,
        input: &ReflectorInput,
    ) -> Result<Option<Reflection>> {
        let Some(line) = self.reflections.get(place) else {
            return Ok(None);
        };
        let after = input.done.iter().map(|(step, _)| step);
        if line.content.after.iter().eq(after) && self.workspace.is_fresh(&line.provenance)? {
            return Ok(Some(line.content.clone()));
        }
        self.workspace
            .supersede(REFLECTIONS, "the steps reflected on have changed")?;
        self.reflections.truncate(place);
        Ok(None)
    }

    fn write_reflections(&self) -> Result<()> {
        let mut text = Vec::new();
        for line in &self.reflections {
            serde_json::to_writer(&mut text, line)?;
            text.push(b'\n');
        }
        self.workspace.write(REFLECTIONS, &text)
    }

    /// The telling terms of the topic that no passage holds so far.
    async fn uncovered(&mut self) -> Result<Vec<String>> {
        let documents = self.steps.documents().await?;
        let passages = self.steps.passages();
        let said: BTreeSet<String> = passages
            .iter()
            .flat_map(|passage| text::terms(&passage.quote))
            .collect();
        let terms = self.classification.terms.iter();
        Ok(terms
            .filter(|term| documents.tells(term) && !said.contains(*term))
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
        self.workspace.write(TODO, text.as_bytes())
    }

    async fn research(mut self, plan: Plan) -> Result<Research> {
        let documents = self.steps.documents().await?;
        let mut findings = Vec::new();
        let mut queries: Vec<String> = Vec::new();
        for step in plan.completed_steps() {
            let Some(found) = self.steps.finding(&step.id) else {
                continue;
            };
            for search in &found.searches {
                if !queries.contains(&search.query) {
                    queries.push(search.query.clone());
                }
            }
            findings.push(Finding {
                id: format!("F{}", findings.len() + 1),
                step: step.id.clone(),
                observation: found.observation.clone(),
                passages: found
                    .passages
                    .iter()
                    .map(|passage| passage.id.clone())
                    .collect(),
            });
        }
        Ok(Research {
            topic: self.session.topic,
            classification: self.classification,
            depth: self.depth,
            plan,
            search_queries: queries,
            findings,
            passages: self.steps.passages(),
            sources: self.steps.into_sources(),
            documents,
            limits: self.stopped.into_iter().chain(self.silent).collect(),
        })
    }
}

async fn classify(
    stage: &ResearchStage,
    workspace: &Workspace,
    session: &Session,
) -> Result<Classification> {
    let clarification = answered(stage, workspace)?;
    let answer = clarification
        .as_ref()
        .and_then(|found| found.answer.clone());
    let coordinator = &stage.0.settings.agents.coordinator;
    let input = CoordinatorInput {
        topic: question(stage, workspace, session)?,
        max_questions: coordinator.max_clarifying_questions,
        messages: session.messages.clone(),
    };
    let mut inputs = vec![SESSION.to_owned()];
    inputs.extend(answer.is_some().then(|| CLARIFICATION.to_owned()));
    let judge = &stage.0.judge;
    let make = async || judge.ask::<Coordinator>(workspace, stage, &input).await;
    let classification: Classification = match &answer {
        // An answer that came after the classification makes that one stale.
        Some(_) => reclassified(stage, workspace, &inputs, make).await?,
        None => inner(workspace, stage, CLASSIFICATION, &inputs, make).await?,
    };
    let asks = coordinator.enable_clarification && stage.0.clarify && answer.is_none();
    if !classification.is_ambiguous || !asks || classification.clarifying_questions.is_empty() {
        return Ok(classification);
    }
    let questions = classification.clarifying_questions.clone();
    let ask = async || {
        Ok(Clarification {
            questions: questions.clone(),
            answer: None,
        })
    };
    let asked = inner(workspace, stage, CLARIFICATION, &[SESSION.to_owned()], ask).await?;
    let file = workspace.root().join(CLARIFICATION);
    Err(InputRequired(format!(
        "the topic is not clear: {}\nwrite the answer into {} as \"answer\" and resume, or resume with --no-clarify",
        asked.questions.join(" "),
        file.display()
    ))
    .into())
}

/// The topic, with the answer to what was asked back if there is one.
fn question(stage: &ResearchStage, workspace: &Workspace, session: &Session) -> Result<String> {
    let answer = answered(stage, workspace)?.and_then(|found| found.answer);
    Ok(match answer {
        Some(answer) => format!("{}\n{answer}", session.topic),
        None => session.topic.clone(),
    })
}

fn answered(stage: &ResearchStage, workspace: &Workspace) -> Result<Option<Clarification>> {
    crate::stage::kept(workspace, stage, CLARIFICATION)
}

async fn reclassified(
    stage: &ResearchStage,
    workspace: &Workspace,
    inputs: &[String],
    make: impl AsyncFnOnce() -> Result<Classification>,
) -> Result<Classification> {
    if let Some(bytes) = workspace.read(CLASSIFICATION)? {
        let found: Artifact<Classification> = artifact::parse(&bytes).map_err(|error| {
            Unreadable::new(workspace.root().join(CLASSIFICATION), stage.name(), &error)
        })?;
        if !found.provenance.inputs.contains_key(CLARIFICATION) {
            workspace.supersede(CLASSIFICATION, "the person answered a question")?;
        }
    }
    inner(workspace, stage, CLASSIFICATION, inputs, make).await
}

/// What of the web was not heard or not read, and what in it was not followed, in sentences.
fn told(collected: &Collected) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for search in &collected.searches {
        if let Some(problem) = &search.problem {
            let sentence = format!("Not searched: {}: {problem}.", search.service);
            if !told
                .iter()
                .any(|one| one.starts_with(&format!("Not searched: {}:", search.service)))
            {
                told.push(sentence);
            }
        }
    }
    for page in &collected.pages {
        if let Some(problem) = &page.problem {
            told.push(format!("Not read: {problem}."));
        }
        if let Some(words) = &page.speaks_to_models {
            told.push(format!(
                "{} gives orders to language models (“{words}”); they were taken as text.",
                page.url
            ));
        }
    }
    told
}

fn wanted_terms(review: &Review) -> Vec<String> {
    let notes = review.notes.iter();
    notes
        .filter_map(|note| match &note.request {
            NoteRequest::Research { term } => Some(term.clone()),
            _ => None,
        })
        .collect()
}

/// Step names become file names, and a plan may have been edited, or come from a stranger.
fn check_step_names(plan: &Plan, file: &str) -> Result<()> {
    let mut seen = BTreeSet::new();
    for step in &plan.steps {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let fits = !step.id.is_empty() && step.id.len() <= 64 && step.id.chars().all(is_name);
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

fn skip_the_rest(plan: &mut Plan) {
    for step in &mut plan.steps {
        if matches!(step.status, StepStatus::Pending | StepStatus::InProgress) {
            step.status = StepStatus::Skipped;
        }
    }
}

fn read_reflections(
    stage: &ResearchStage,
    workspace: &Workspace,
) -> Result<Vec<Artifact<Reflection>>> {
    let bytes = workspace.read(REFLECTIONS)?.unwrap_or_default();
    let lines = bytes.split(|byte| *byte == b'\n').enumerate();
    lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| {
            let file = workspace
                .root()
                .join(format!("{REFLECTIONS}:{}", number + 1));
            artifact::parse(line)
                .map_err(|error| Unreadable::new(file, stage.name(), &error).into())
        })
        .collect()
}
