//! The stage research: classify the topic, plan, execute the steps, reflect, and assemble the
//! findings.
//!
//! The loop is that of a planning agent: a plan has steps, which are executed in batches; after
//! each batch the reflector decides whether to continue, to stop, or to make a new plan.

pub(super) mod again;
mod analysis_step;
mod answers;
mod background;
mod classification;
mod corpus;
mod credibility;
mod direct;
mod earlier;
mod evidence;
mod limits;
mod plans;
mod reflections;
mod retrieval;
mod social;
mod step;
mod todo;
mod tools;
mod turns;
pub(super) mod web;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::Result;
use futures::future::join;

use super::context::Context;
use super::definition::StageInfo;
use super::event_text::serialized;
use super::past_rounds::{past_reviews, review_of};
use super::stage_run::{SESSION, StageRun, header};
use crate::agent::{
    Agent as _, AgentInfo, Background, Coordinator, Planner, Reflector, ReflectorInput, Researcher,
    Social, StepReport, known_before_plan,
};
use crate::artifact::classification::Kind;
use crate::artifact::plan::{PlanStep, StepStatus};
use crate::artifact::reflections::{Reflection, ReflectionDecision};
use crate::artifact::research::Finding;
use crate::artifact::review::NoteRequest;
use crate::artifact::session::{Depth, Mode, State};
use crate::artifact::{self, Classification, Collected, Plan, Research, Review, Session};
use crate::config::DepthSettings;
use crate::model::BudgetExhausted;
use crate::pipeline::{Digest, Event, ExternalFile, Manifest, PastRound};
use crate::read::walk;
use crate::text;
use crate::web::{WebError, is_social};
use classification::{CLASSIFICATION, Topic, classify};
use corpus::Corpus;
use evidence::Evidence;
use plans::{PlanRequest, plan_file};
use reflections::ReflectionLog;
use step::{StepRunner, finding_file};
use todo::todo;
use web::WebJournal;

/// The definition of this stage.
pub(super) const INFO: StageInfo = StageInfo {
    name: "research",
    gate: "research.json",
    intermediates: &["research", "sources"],
    renderings: &[],
    agents: &[
        AgentInfo::of::<Coordinator>(),
        AgentInfo::of::<Background>(),
        AgentInfo::of::<Planner>(),
        AgentInfo::of::<Researcher>(),
        AgentInfo::of::<Reflector>(),
        AgentInfo::of::<Social>(),
    ],
    state: State::Researching,
    starts_round: false,
    sends_back: &[],
    inputs,
    external_files,
    fetched: web::fetched,
    configuration,
    check: header::<Research>,
    run: |run| Box::pin(research(run)),
    render: |_| Ok(()),
};

/// Verbs that say nothing without their subject: a topic that they stand in is not about them
/// (chosen by hand, from topics of questions).
const BARE_VERBS: &str = "affect allow apply become cause change come compare give go happen help \
    keep know make mean need take use want work";

/// The plan as a checklist in Markdown.
const TODO: &str = "research/todo.md";

/// `true` if `error` means that the web, or a service that searches it, did not give what was
/// asked for.
pub fn is_of_the_web(error: &anyhow::Error) -> bool {
    error.is::<WebError>() || error.is::<web::SearchFailed>()
}

fn inputs(past: &[PastRound]) -> Vec<String> {
    let sent_here: Vec<PastRound> = sent_to_research(past).cloned().collect();
    [SESSION, Manifest::FILE]
        .map(str::to_owned)
        .into_iter()
        .chain(past_reviews(&sent_here))
        .collect()
}

fn external_files(context: &Context) -> Result<Option<Vec<ExternalFile>>> {
    let roots = context.searched();
    let listing = walk(&roots, &context.reader.kinds)?;
    let files = listing.files.into_iter().map(|file| ExternalFile {
        name: file.name,
        path: file.path,
    });
    Ok(Some(files.collect()))
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

/// What a session searches, and with what.
struct Scope<'a> {
    corpus: Corpus<'a>,
    journal: Arc<WebJournal<'a>>,
    steps: StepRunner<'a>,
}

impl<'a> Scope<'a> {
    /// The scope of a session; for a clarification, the sources of the earlier one alone.
    fn new(
        run: StageRun<'a>,
        session: &Session,
        classification: &Classification,
        depth: Depth,
        is_clarification: bool,
    ) -> Result<Self> {
        let documents = earlier::documents(run, is_clarification);
        let mut corpus = Corpus::new(run, &session.topic, classification, documents);
        let pages = earlier::pages(run, session)?;
        if !pages.is_empty() {
            corpus.add_pages(earlier::pages_file(), &pages);
        }
        let mut searched = session.clone();
        // Offline, a clarification goes without the web whether it is answered or not.
        let has_web = run.context.web_client.is_some() || run.context.replay.is_some();
        let clarifies = earlier::is_clarification(session, classification);
        if is_clarification || clarifies && !has_web {
            searched.search.clear();
        }
        let journal = Arc::new(WebJournal::new(run, searched));
        Ok(Self {
            corpus,
            steps: StepRunner::new(run, journal.clone(), classification, depth)?,
            journal,
        })
    }

    /// `true` if a rule finds an answer in the corpus.
    fn answers(&mut self) -> Result<bool> {
        self.steps.answers_topic(&mut self.corpus)
    }
}

/// Opens the documents of a session while a model classifies its topic. Those of a session that
/// follows another depend on the classification.
fn open_ahead(run: StageRun<'_>, session: &Session) {
    let is_asked = run.context.backend.has_model(Coordinator::NAME)
        && matches!(run.workspace.read(CLASSIFICATION), Ok(None));
    if is_asked && session.follows.is_none() {
        corpus::open_ahead(run, &session.topic, &earlier::documents(run, false));
    }
}

/// The loop over plans and batches of steps, with its state.
struct ResearchLoop<'a> {
    run: StageRun<'a>,
    session: Session,
    topic: Topic,
    depth: Depth,
    journal: Arc<WebJournal<'a>>,
    steps: StepRunner<'a>,
    corpus: Corpus<'a>,
    evidence: Evidence<'a>,
    reflections: ReflectionLog<'a>,
    /// The number of plans for questions that findings raised.
    follow_up_plans: u32,
    /// The questions that a plan has taken up.
    planned_questions: BTreeSet<String>,
    /// The steps that a later plan has replaced: their findings are not used.
    replaced_steps: BTreeSet<String>,
    /// The sentence about why research stopped early, if it did.
    stopped_early: Option<String>,
    /// The words of the topic that were searched in another spelling.
    respelled: BTreeMap<String, String>,
    /// The sentences about parts of the web that were not searched or not read.
    web_limits: Vec<String>,
}

impl<'a> ResearchLoop<'a> {
    async fn begin(run: StageRun<'a>) -> Result<Self> {
        let bytes = run.workspace.read_required(SESSION)?;
        let session: Session =
            artifact::parse(&bytes).map_err(|error| run.unreadable(SESSION, &error))?;
        let opened = async { open_ahead(run, &session) };
        let (topic, ()) = join(classify(run, &session), opened).await;
        let mut topic = topic?;
        let opened = if topic.classification.is_simple_query {
            None
        } else {
            corpus::opened(run, earlier::documents(run, false))
        };
        let respelled = opened.as_ref().map_or_else(BTreeMap::new, |(_, open)| {
            corpus::respelled(&open.library, &topic.text)
        });
        topic.respell(&respelled);
        let classification = &topic.classification;
        let depth = classification.resolve_depth(session.depth);
        run.report(Event::Classified {
            kind: serialized(&classification.kind),
            depth: serialized(&depth),
        })?;
        let clarifies = earlier::is_clarification(&session, classification);
        let mut scope = Scope::new(run, &session, classification, depth, clarifies)?;
        if clarifies && !scope.answers()? {
            run.progress("the earlier session does not answer this: searching anew")?;
            scope = Scope::new(run, &session, classification, depth, false)?;
        }
        if let Some(opened) = &opened {
            scope.corpus.take_over(opened);
        }
        let Scope {
            corpus,
            journal,
            steps,
        } = scope;
        Ok(Self {
            steps,
            journal,
            corpus,
            evidence: Evidence::new(run),
            reflections: ReflectionLog::read(run)?,
            run,
            session,
            topic,
            depth,
            follow_up_plans: 0,
            planned_questions: BTreeSet::new(),
            replaced_steps: BTreeSet::new(),
            stopped_early: None,
            web_limits: Vec::new(),
            respelled,
        })
    }

    /// Executes the first plan and, for each round that was sent back, a further plan.
    ///
    /// A resumed session repeats this: plans, findings and reflections are checkpoints.
    async fn finish(mut self) -> Result<Research> {
        if self.topic.classification.is_simple_query {
            return Ok(direct::unresearched(self.session, self.topic, self.depth));
        }
        let mut plan = self.first_plan().await?;
        plan = self.execute(plan).await?;
        let sent_here: Vec<PastRound> = sent_to_research(self.run.workspace.past())
            .cloned()
            .collect();
        for round in sent_here {
            let request = PlanRequest {
                wanted: requested_terms(&review_of(self.run.workspace, &round)?),
                inputs: vec![round.decision],
                max_steps: limits::for_review(self.max_steps()?, &plan),
                ..PlanRequest::default()
            };
            plan = self.next_plan(Some(&plan), request).await?;
            plan = self.execute(plan).await?;
        }
        // Its last content is durable before the gate, since nothing writes it after that.
        self.run.workspace.write(TODO, todo(&plan).as_bytes())?;
        self.require_a_completed_step(&plan)?;
        let social = social::opinions(self.run, &self.topic, &self.corpus).await?;
        self.into_research(plan, social)
    }

    /// Returns the first plan.
    ///
    /// # Errors
    /// [`crate::pipeline::InputRequired`] when it waits for the approval of the user.
    async fn first_plan(&self) -> Result<Plan> {
        let looked = if self.limits().background {
            background::look_around(self.run, &self.topic, &self.corpus, &self.journal).await?
        } else {
            None
        };
        let (classification, messages) = (&self.topic.classification, &self.session.messages);
        let request = PlanRequest {
            max_steps: self.max_steps()?,
            background: known_before_plan(classification, messages, looked.as_ref()),
            inputs: Vec::from_iter(looked.map(|_| artifact::Background::FILE.to_owned())),
            ..PlanRequest::default()
        };
        let plan = self.next_plan(None, request).await?;
        if self.run.context.approve_plan {
            plans::require_approval(self.run, &plan)?;
        }
        Ok(plan)
    }

    /// Returns the plan after another one, as it was requested.
    async fn next_plan(&self, plan: Option<&Plan>, request: PlanRequest) -> Result<Plan> {
        let request = PlanRequest {
            passages: self.evidence.passages().len(),
            agents: self.journal.offered()?.agents,
            is_social: self.searches_posts()?,
            ..request
        };
        let next = plans::next_plan(self.run, &self.topic, plan, request).await?;
        self.update_todo(&next)?;
        Ok(next)
    }

    /// Returns `true` if a social service is among those of the session, or the topic asks for
    /// opinions and the web is searched. Offline only the services count that the session names: a
    /// plan that stands needs no others.
    fn searches_posts(&self) -> Result<bool> {
        let services = if self.journal.is_offline() {
            self.journal.session().search.clone()
        } else {
            self.journal.services()?
        };
        let asks = self.topic.classification.asks_for_opinions && !services.is_empty();
        Ok(asks || services.iter().any(|service| is_social(service)))
    }

    /// The maximum number of steps of the first plan. The steps of a model cost calls: it plans
    /// fewer where a depth wants that.
    fn max_steps(&self) -> Result<usize> {
        let limits = self.limits();
        if !self.run.context.backend.has_model(Planner::NAME) {
            return Ok(limits.max_steps);
        }
        let compares = self.topic.classification.kind == Kind::Comparison;
        Ok(limits.planned_steps(compares, self.searches_posts()?))
    }

    /// The amount of work at the depth of the session.
    fn limits(&self) -> &DepthSettings {
        self.run.context.settings.limits(self.depth)
    }

    /// Searches the web for a plan, if this session does so.
    async fn search_web(&mut self, plan: &Plan) -> Result<()> {
        if self.journal.session().search.is_empty() {
            return Ok(());
        }
        let (pages, reads_threads) = (self.corpus.pages(), self.corpus.reads_threads());
        let collected = web::collect(self.run, &self.journal, plan, pages, reads_threads).await;
        let collected = match collected {
            Err(error) => return self.end_web_search(error),
            Ok(collected) => collected,
        };
        self.corpus
            .add_pages(Collected::file(plan.iteration), &collected.pages);
        for limit in web::limits(&collected) {
            if !self.web_limits.contains(&limit) {
                self.web_limits.push(limit);
            }
        }
        // Silence of pages that nobody read is none.
        if web::none_in_time(self.corpus.pages())
            && !self.session.has_sources()
            && let Err(exhausted) = self.run.context.backend.check_time()
        {
            return self.stop_early(exhausted);
        }
        Ok(())
    }

    /// Ends research after a web search that failed, unless mode simple can stand in for it.
    fn end_web_search(&mut self, error: anyhow::Error) -> Result<()> {
        let may_fall_back = self.may_fall_back() && is_of_the_web(&error);
        if !may_fall_back {
            if self.goes_on_by_rule() && (is_of_the_web(&error) || error.is::<BudgetExhausted>()) {
                let limit = format!("The web was not searched: {error:#}.");
                self.web_limits.push(limit);
                return Ok(());
            }
            return self.stop_early(error.downcast()?);
        }
        self.stopped_early = Some(format!(
            "The web search failed, so that mode simple answered: {error:#}."
        ));
        Ok(())
    }

    /// `true` if mode simple can stand in for the web search of mode web_search: it has a direct
    /// answer, or sources to answer from.
    fn may_fall_back(&self) -> bool {
        let is_answered = self.topic.classification.direct_response.is_some();
        self.session.mode == Mode::WebSearch && (is_answered || self.session.has_sources())
    }

    /// Executes the pending steps of a plan in batches, with a reflection after each, until the
    /// plan is complete, or the planner, the reflector or the budget ends it.
    async fn execute(&mut self, mut plan: Plan) -> Result<Plan> {
        self.begin_plan(&mut plan).await?;
        loop {
            // The status of steps is in memory only, not in the plan's file: a resumed run makes
            // the same batches again, and reads the checkpoints of their findings.
            let mut batch = plan.next_steps(self.concurrent_steps());
            if batch.is_empty() || self.stopped_early.is_some() {
                self.skip_pending(&mut plan)?;
                return Ok(plan);
            }
            if let Err(exhausted) = self.fit_budget(&mut batch)?
                && !self.goes_on_by_rule()
            {
                self.stop_early(exhausted)?;
                continue;
            }
            set_in_progress(&mut plan, &batch);
            self.update_todo(&plan)?;
            let name = plan_file(plan.iteration);
            let exhausted = self
                .steps
                .run_batch(&batch, &name, &mut self.corpus, &mut self.evidence)
                .await?;
            // Before the budget ends the batch, so that completed steps count in any case.
            self.complete(&mut plan);
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

    /// Searches the web for a new plan, unless the planner finds that there is enough already.
    async fn begin_plan(&mut self, plan: &mut Plan) -> Result<()> {
        if plan.has_enough_context {
            self.run.progress("the planner has enough for a report")?;
            self.skip_pending(plan)?;
        }
        if plan.pending_steps().any(|step| step.needs_search) {
            self.search_web(plan).await?;
        }
        Ok(())
    }

    /// Sets the status and the observation of the steps that have a finding.
    fn complete(&self, plan: &mut Plan) {
        for step in plan.steps.iter_mut().filter(|step| step.is_pending()) {
            if let Some(finding) = self.steps.finding(&step.id) {
                step.status = match finding.problem {
                    Some(_) => StepStatus::Failed,
                    None => StepStatus::Completed,
                };
                step.observation = Some(finding.observation.clone());
            }
        }
    }

    /// Applies the decision of a reflection to a plan.
    async fn follow(&mut self, reflection: Reflection, plan: &mut Plan) -> Result<()> {
        let continues = reflection.decision == ReflectionDecision::Continue;
        if continues && plan.pending_steps().next().is_some() {
            return Ok(());
        }
        let questions = self.open_questions(plan)?;
        self.skip_pending(plan)?;
        let wanted = match reflection.decision {
            ReflectionDecision::Complete => return Ok(()),
            ReflectionDecision::Adjust => reflection.suggested_changes.unwrap_or_default(),
            ReflectionDecision::Continue => Vec::new(),
        };
        self.follow_up_plans += u32::from(continues && !questions.is_empty());
        self.planned_questions.extend(questions.iter().cloned());
        let request = PlanRequest {
            wanted: wanted.into_iter().chain(questions).collect(),
            reasoning: reflection.reasoning,
            max_steps: limits::for_reflection(self.max_steps()?, plan),
            ..PlanRequest::default()
        };
        let may_plan = request.max_steps > 0 && !request.wanted.is_empty();
        if !may_plan {
            return Ok(());
        }
        match self.next_plan(Some(plan), request).await {
            Err(error) => self.stop_early(error.downcast()?),
            Ok(mut next) => {
                self.begin_plan(&mut next).await?;
                let settings = &self.run.context.settings.agents.planner;
                let replaces = reflection.decision == ReflectionDecision::Adjust
                    && !settings.preserve_completed_steps;
                if replaces && next.pending_steps().next().is_some() {
                    self.replaced_steps = plan.steps.iter().map(|step| step.id.clone()).collect();
                }
                *plan = next;
                Ok(())
            }
        }
    }

    /// Returns the questions that findings raise and no plan has taken up yet, if a further plan
    /// may take them up.
    fn open_questions(&self, plan: &Plan) -> Result<Vec<String>> {
        let settings = &self.run.context.settings.agents.researcher;
        if self.follow_up_plans >= settings.max_researcher_iterations
            || !self.takes_up_questions()
            || limits::for_reflection(self.max_steps()?, plan) == 0
        {
            return Ok(Vec::new());
        }
        let mut open: Vec<String> = Vec::new();
        let findings = plan.completed_steps();
        let findings = findings.filter_map(|step| self.steps.finding(&step.id));
        for question in findings.flat_map(|finding| &finding.follow_up) {
            let question = text::one_line(question);
            if !open.contains(&question) && !self.planned_questions.contains(&question) {
                open.push(question);
            }
        }
        Ok(open)
    }

    /// `true` if questions that findings raise may lead to a further plan.
    fn takes_up_questions(&self) -> bool {
        self.limits().reflection || !self.run.context.backend.has_model(Reflector::NAME)
    }

    /// `true` if the time is over before anything was found, and there are documents in which rules
    /// can search for it.
    fn goes_on_by_rule(&self) -> bool {
        self.evidence.passages().is_empty()
            && self.session.has_sources()
            && self.run.context.backend.check_time().is_err()
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
        if self.evidence.passages().is_empty() && !self.may_fall_back() {
            return Err(exhausted.into());
        }
        let BudgetExhausted { limit, .. } = exhausted;
        self.run.progress(format!(
            "research stopped: the budget of {limit} is used up"
        ))?;
        self.stopped_early = Some(match self.session.mode {
            Mode::WebSearch => format!(
                "The web search was ended by its limit of {limit}, so that mode simple answered, \
                 from what had been found by then."
            ),
            Mode::Simple | Mode::DeepResearch => format!(
                "Research stopped early, so that what was found could be analysed, written and \
                 reviewed within the budget of {limit}."
            ),
        });
        Ok(())
    }

    async fn reflect(&mut self, plan: &Plan, batch: &[PlanStep]) -> Result<Reflection> {
        let input = self.reflector_input(plan, batch)?;
        let reflection = self
            .reflections
            .reflect(plan.iteration, batch, &input)
            .await?;
        tracing::debug!(
            plan = plan.iteration,
            decision = ?reflection.decision,
            pending = input.pending(),
            uncovered = input.uncovered.len(),
            "reflected"
        );
        Ok(reflection)
    }

    fn reflector_input(&mut self, plan: &Plan, batch: &[PlanStep]) -> Result<ReflectorInput> {
        let settings = &self.run.context.settings;
        let depth = settings.limits(self.depth);
        let enforce = settings.agents.reflector.enforce_min_steps;
        // Plans for follow-up questions have a limit of their own.
        let plans = plan.iteration.saturating_sub(self.follow_up_plans);
        let is_completed = |step: &&PlanStep| {
            let finding = self.steps.finding(&step.id);
            finding.is_some_and(|finding| finding.problem.is_none())
        };
        let last_batch = batch.iter().filter(is_completed);
        Ok(ReflectorInput {
            topic: self.topic.text.clone(),
            steps: plan.steps.iter().map(|step| self.report(step)).collect(),
            last_batch: last_batch.map(|step| step.id.clone()).collect(),
            sources: self.evidence.titles(),
            min_steps: if enforce { depth.min_steps } else { 0 },
            follow_up: self.open_questions(plan)?,
            may_adjust: plans < settings.agents.planner.max_plan_iterations
                && limits::for_reflection(self.max_steps()?, plan) > 0,
            reflects_at_end: depth.reflection,
            uncovered: self.uncovered()?,
        })
    }

    /// Returns a step with what it found, for the reflector.
    fn report(&self, step: &PlanStep) -> StepReport {
        let finding = self.steps.finding(&step.id);
        let statements = finding.into_iter().flat_map(|finding| &finding.statements);
        let statements = statements.map(|statement| statement.text.clone());
        StepReport {
            id: step.id.clone(),
            title: step.title.clone(),
            status: step.status,
            findings: step.observation.iter().cloned().chain(statements).collect(),
            passages: finding.map_or(0, |finding| finding.passages.len()),
        }
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
        let bare_verbs: Vec<String> = BARE_VERBS.split(' ').map(text::stem).collect();
        let terms = self.topic.classification.terms.iter();
        Ok(terms
            .filter(|term| documents.is_discriminative(term) && !covered.contains(*term))
            .filter(|term| !bare_verbs.contains(term))
            .cloned()
            .collect())
    }

    /// Skips the steps that are still pending.
    fn skip_pending(&self, plan: &mut Plan) -> Result<()> {
        for step in plan.steps.iter_mut().filter(|step| step.is_pending()) {
            step.status = StepStatus::Skipped;
            let step = step.id.clone();
            self.run.report(Event::StepSkipped { step })?;
        }
        Ok(())
    }

    /// Writes the list of steps as they are now, without flushing: people alone read it, and the
    /// next step writes it anew.
    fn update_todo(&self, plan: &Plan) -> Result<()> {
        let workspace = self.run.workspace;
        workspace.write_unflushed(TODO, todo(plan).as_bytes())
    }

    /// Returns a sentence about each step that failed.
    fn failures(&self, plan: &Plan) -> Vec<String> {
        let failed = plan.steps.iter().filter_map(|step| {
            let problem = self.steps.finding(&step.id)?.problem.as_ref()?;
            Some(format!("{} failed: {problem}.", step.title))
        });
        failed.collect()
    }

    /// Fails if there were steps and every one of them failed. Their findings are superseded, so
    /// that a resumed session tries again.
    fn require_a_completed_step(&self, plan: &Plan) -> Result<()> {
        let failures = self.failures(plan);
        if failures.is_empty() || plan.completed_steps().next().is_some() {
            return Ok(());
        }
        let failed = |step: &&PlanStep| step.status == StepStatus::Failed;
        for step in plan.steps.iter().filter(failed) {
            let reason = "no step was completed";
            self.run
                .workspace
                .supersede(&finding_file(&step.id), reason)?;
        }
        anyhow::bail!("every step failed: {}", failures.join(" "))
    }

    /// Assembles the content of the gate.
    fn into_research(mut self, plan: Plan, social: Option<artifact::Social>) -> Result<Research> {
        let documents = self.corpus.documents()?;
        let mut findings = Vec::new();
        let mut queries: Vec<String> = Vec::new();
        let mut nearest = Vec::new();
        let is_replaced = |step: &&PlanStep| self.replaced_steps.contains(&step.id);
        for step in plan.completed_steps().filter(|step| !is_replaced(step)) {
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
                margin: finding.margin,
                passages: passages.map(|passage| passage.id.clone()).collect(),
            });
        }
        let failures = self.failures(&plan);
        let social_limits = social.as_ref().map(|social| social.limits.clone());
        let social_limits = social_limits.unwrap_or_default();
        if self.session.mode == Mode::WebSearch
            && self.stopped_early.is_none()
            && let Err(exhausted) = self.run.context.backend.check_time()
        {
            self.stop_early(exhausted)?;
        }
        let orders = self.evidence.orders();
        let (sources, passages) = self.evidence.into_parts();
        Ok(Research {
            nearest,
            social,
            topic: self.topic.title,
            classification: self.topic.classification,
            depth: self.depth,
            plan,
            search_queries: queries,
            findings,
            passages,
            sources,
            documents,
            respelled: self.respelled,
            limits: self
                .stopped_early
                .into_iter()
                .chain(failures)
                .chain(self.web_limits)
                .chain(orders)
                .chain(self.steps.web_limits().iter().cloned())
                .chain(social_limits)
                .collect(),
        })
    }
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

fn set_in_progress(plan: &mut Plan, batch: &[PlanStep]) {
    for step in &mut plan.steps {
        if batch.iter().any(|other| other.id == step.id) {
            step.status = StepStatus::InProgress;
        }
    }
}
