//! Executes the steps of a plan: search, let the researcher take its turns, commit the finding.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Result;
use futures::future::join_all;
use tracing::{Instrument as _, Span};

use super::analysis_step;
use super::corpus::Corpus;
use super::evidence::{Evidence, quotes_replaced_sources};
use super::retrieval::{Retrieval, SearchResults, Subject};
use super::social;
use super::tools::{Material, Tools};
use super::turns::{TurnLimits, take_turns};
use super::web::{self, WebJournal};
use crate::agent::{Agent as _, Researcher, ResearcherInput, ResearcherOutput, Social};
use crate::answering::{DOUBT_THRESHOLD, Question};
use crate::artifact::collected::PageRecord;
use crate::artifact::documents::LARGE_COLLECTION;
use crate::artifact::plan::{Facet, PlanStep, StepType, Task};
use crate::artifact::session::Depth;
use crate::artifact::source::Passage;
use crate::artifact::step::{FoundStatement, SearchRecord, TurnAction, TurnRecord};
use crate::artifact::{Classification, Collected, StepFinding};
use crate::extension::SubAgent;
use crate::model::BudgetExhausted;
use crate::pipeline::{Digest, Event, Manifest};
use crate::search::Library;
use crate::stage::event_text::event_text;
use crate::stage::stage_run::StageRun;
use crate::text;

/// The state of a step before its researcher is asked.
enum StepState<'a> {
    /// The finding of an earlier run.
    Cached(StepFinding),
    /// A step that needs the researcher.
    Prepared(Box<Prepared<'a>>),
    /// A step that searches for posts, begun at this moment with these pages.
    Social(String, Vec<PageRecord>),
    /// A step of analysis with its material.
    Analysis(Vec<Passage>),
    /// The finding of a step that needs no researcher any more.
    Made(StepFinding),
}

/// The retrieval of a step, and the researcher's input made from it.
struct Prepared<'a> {
    retrieval: Arc<Retrieval>,
    searches: Vec<SearchRecord>,
    input: ResearcherInput,
    /// The corpus as it was before the batch.
    corpus: Corpus<'a>,
    /// The moment at which the step was begun.
    assigned_at: String,
}

/// What a step came to.
struct Worked {
    assigned_at: String,
    /// The researcher, or the sub-agent that stood in for it.
    agent: String,
    output: ResearcherOutput,
    turns: Vec<TurnRecord>,
    materials: Vec<Material>,
    searches: Vec<SearchRecord>,
    /// The step's own searches of the web and the pages that it read.
    collected: Collected,
}

/// Returns the file of a step's finding.
pub(super) fn finding_file(step: &str) -> String {
    format!("research/steps/{step}.json")
}

/// The event of a step that has its finding.
fn step_finished(finding: &StepFinding, reused: bool) -> Event {
    let step = finding.step.clone();
    if let Some(problem) = &finding.problem {
        let problem = event_text(problem);
        return Event::StepFailed { step, problem };
    }
    let read = finding.turns.iter().map(|turn| match &turn.action {
        TurnAction::Read(pages) => pages.len(),
        _ => 0,
    });
    Event::StepFinished {
        step,
        searches: finding.searches.len(),
        pages: read.sum(),
        passages: finding.passages.len(),
        reused,
    }
}

/// Executes the steps of a session.
pub(super) struct StepRunner<'a> {
    run: StageRun<'a>,
    journal: Arc<WebJournal<'a>>,
    classification: Classification,
    /// The maximum number of passages that a step contributes, corroboration aside.
    passages_per_step: usize,
    turns: TurnLimits,
    findings: BTreeMap<String, StepFinding>,
    /// The digest of the manifest of the documents.
    manifest: Option<Digest>,
    /// The sentences about parts of the web that steps of their own did not reach.
    web_limits: Vec<String>,
}

impl<'a> StepRunner<'a> {
    /// The runner of a session's steps.
    pub(super) fn new(
        run: StageRun<'a>,
        journal: Arc<WebJournal<'a>>,
        classification: &Classification,
        depth: Depth,
    ) -> Result<Self> {
        let settings = &run.context.settings;
        let limits = settings.limits(depth);
        let manifest = run.workspace.read(Manifest::FILE)?;
        Ok(Self {
            manifest: manifest.map(Digest::of),
            run,
            journal,
            classification: classification.clone(),
            passages_per_step: if run.context.backend.has_model(Researcher::NAME) {
                limits.passages_of_model()
            } else {
                limits.passages_per_step
            },
            turns: TurnLimits {
                mode: limits.researcher,
                searches: settings.agents.researcher.max_searches,
                calls: limits.tool_calls_per_step,
            },
            findings: BTreeMap::new(),
            web_limits: Vec::new(),
        })
    }

    /// The sentences about searches and pages of single steps that failed.
    pub(super) fn web_limits(&self) -> &[String] {
        &self.web_limits
    }

    /// The finding of a step, if the step is complete.
    pub(super) fn finding(&self, step: &str) -> Option<&StepFinding> {
        self.findings.get(step)
    }

    /// Executes a batch of steps of the plan in file `plan`, and returns an error if the budget was
    /// exhausted before the end of the batch. A step whose search fails is a finding with a
    /// problem, and the others go on.
    pub(super) async fn run_batch(
        &mut self,
        batch: &[PlanStep],
        plan: &str,
        corpus: &mut Corpus<'a>,
        evidence: &mut Evidence<'_>,
    ) -> Result<Option<BudgetExhausted>> {
        // One span per step, entered for its search, its call and its commit: the steps of a batch
        // interleave.
        let spans: Vec<Span> = batch
            .iter()
            .map(|step| tracing::info_span!("step", id = step.id))
            .collect();
        let (mut states, out_of_time) = self.begin_batch(batch, &spans, corpus, evidence)?;
        // All steps of the batch begin with these pages, whatever is resumed.
        let mut inputs = vec![plan.to_owned()];
        inputs.extend_from_slice(corpus.page_files());
        // The steps are worked on concurrently, and all are awaited even if one fails: their calls
        // may have been paid for, and must reach the journal.
        let begun = batch.iter().zip(&mut states).zip(&spans);
        let works = begun.map(async |((step, state), span)| {
            let work = async {
                match state {
                    StepState::Prepared(prepared) => self.work(prepared).await.map(Some),
                    StepState::Social(assigned_at, pages) => {
                        self.search_posts(step, assigned_at, pages).await.map(Some)
                    }
                    StepState::Analysis(material) => {
                        *state = StepState::Made(self.analyse(step, material).await?);
                        Ok(None)
                    }
                    StepState::Cached(_) | StepState::Made(_) => Ok(None),
                }
            };
            work.instrument(span.clone()).await
        });
        let works = join_all(works).await;
        // Findings are committed in the order of the steps, so that the numbers of sources and
        // passages do not depend on the order in which answers arrive.
        for (((step, span), state), work) in batch.iter().zip(spans).zip(states).zip(works) {
            let work = match work {
                Err(error) => return Ok(Some(error.downcast()?)),
                Ok(work) => work,
            };
            let reused = matches!(state, StepState::Cached(_));
            let finding = match (state, work) {
                (StepState::Cached(finding), _) => {
                    let restored = self.restore_pages(&finding, plan, corpus);
                    restored.instrument(span.clone()).await?;
                    evidence.restore(&finding)?;
                    finding
                }
                (StepState::Prepared(_) | StepState::Social(..), Some(work)) => {
                    let _entered = span.enter();
                    self.commit(step, work, inputs.clone(), corpus, evidence)?
                }
                (StepState::Made(finding), _) => self.write(finding, &inputs)?,
                _ => continue,
            };
            // A finding of other documents is one that was kept.
            let reused = reused || !self.is_current(&finding);
            self.run.workspace.log(step_finished(&finding, reused));
            self.findings.insert(step.id.clone(), finding);
        }
        Ok(out_of_time)
    }

    /// Begins the steps of a batch, up to the first for which there is no time: then also says so.
    /// Where nothing was found yet, the first is begun in any case, since rules answer it at once.
    fn begin_batch(
        &self,
        batch: &[PlanStep],
        spans: &[Span],
        corpus: &mut Corpus<'a>,
        evidence: &Evidence<'_>,
    ) -> Result<(Vec<StepState<'a>>, Option<BudgetExhausted>)> {
        let mut states = Vec::with_capacity(batch.len());
        for (step, span) in batch.iter().zip(spans) {
            let is_first = states.is_empty() && evidence.passages().is_empty();
            if let Err(exhausted) = self.run.context.backend.check_time()
                && !is_first
                && self.finding_of_earlier_run(step)?.is_none()
            {
                return Ok((states, Some(exhausted)));
            }
            let state = span.in_scope(|| self.begin_step(step, corpus, evidence))?;
            if matches!(state, StepState::Prepared(_) | StepState::Analysis(_)) {
                let (step, title) = (step.id.clone(), event_text(&step.title));
                self.run.report(Event::StepStarted { step, title })?;
            }
            states.push(state);
        }
        Ok((states, None))
    }

    /// Works on a step: the rule finishes at once, a model takes its turns.
    async fn work(&self, prepared: &mut Prepared<'a>) -> Result<Worked> {
        let Prepared {
            retrieval,
            searches,
            input,
            corpus,
            assigned_at,
        } = prepared;
        if !self.run.context.backend.is_models() {
            let turn = self.run.ask::<Researcher>(input).await?;
            return Ok(Worked {
                assigned_at: assigned_at.clone(),
                agent: Researcher::NAME.to_owned(),
                output: turn.output(),
                turns: Vec::new(),
                materials: vec![Material::new(corpus.open()?, retrieval.clone())],
                searches: searches.clone(),
                collected: Collected::default(),
            });
        }
        self.grant(input)?;
        let (step, agent) = (&input.step, input.agent.as_ref());
        let mut tools = Tools::new(
            &self.journal,
            corpus.clone(),
            step,
            agent,
            retrieval.clone(),
        )?;
        let (output, turns) = take_turns(self.run, input, &mut tools, self.turns).await?;
        let (materials, own_searches, collected) = tools.into_parts();
        Ok(Worked {
            assigned_at: assigned_at.clone(),
            agent: match &input.agent {
                Some(agent) => agent.name.clone(),
                None => Researcher::NAME.to_owned(),
            },
            output,
            turns,
            materials,
            searches: searches.iter().cloned().chain(own_searches).collect(),
            collected,
        })
    }

    /// Grants a researcher the tools of the sub-agent to whom its step is delegated, else all.
    fn grant(&self, input: &mut ResearcherInput) -> Result<()> {
        let offered = self.journal.offered()?;
        let name = input.step.agent.as_ref();
        let mut agents = offered.agents.iter();
        // A plan may be edited by hand: an agent that there is not is none.
        let agent = agents.find(|agent| Some(&agent.name) == name).cloned();
        input.tools = offered.tools_of(agent.as_ref());
        let session = self.journal.session();
        let date = session.started_at.split('T').next().unwrap_or_default();
        input.agent = agent
            .map(|agent| {
                let prompt = agent.instructions(date, &session.topic)?;
                anyhow::Ok(SubAgent { prompt, ..agent })
            })
            .transpose()?;
        Ok(())
    }

    /// Searches the social services for a step: its posts are judged with all others, see
    /// [`super::social::opinions`].
    async fn search_posts(
        &self,
        step: &PlanStep,
        assigned_at: &str,
        pages: &[PageRecord],
    ) -> Result<Worked> {
        let collected = social::search(self.run, &self.journal, step, pages).await?;
        Ok(Worked {
            assigned_at: assigned_at.to_owned(),
            agent: Social::NAME.to_owned(),
            output: ResearcherOutput {
                observation: social::observation(&collected),
                ..ResearcherOutput::default()
            },
            turns: Vec::new(),
            materials: Vec::new(),
            searches: Vec::new(),
            collected,
        })
    }

    /// Adds the pages that a step read in an earlier run.
    async fn restore_pages(
        &mut self,
        finding: &StepFinding,
        plan: &str,
        corpus: &mut Corpus<'_>,
    ) -> Result<()> {
        if finding.turns.is_empty() && finding.agent != Social::NAME {
            return Ok(());
        }
        let file = Collected::file_of_step(&finding.step);
        let session = self.journal.session();
        let inputs = [plan.to_owned()];
        let restored = web::restore(self.run, session, &file, &inputs, corpus.pages()).await?;
        if let Some(collected) = restored {
            self.add_pages(file, &collected, corpus);
        }
        Ok(())
    }

    /// Adds the pages of a step to the corpus, and what failed to the limits.
    fn add_pages(&mut self, file: String, collected: &Collected, corpus: &mut Corpus<'_>) {
        let new = web::distinct(collected.pages.clone(), corpus.pages());
        corpus.add_pages(file, &new);
        for limit in web::limits(collected) {
            if !self.web_limits.contains(&limit) {
                self.web_limits.push(limit);
            }
        }
    }

    /// Reads the finding of a step that an earlier run completed, if it still holds.
    fn finding_of_earlier_run(&self, step: &PlanStep) -> Result<Option<StepFinding>> {
        let finding: Option<StepFinding> = self.run.read_checkpoint(&finding_file(&step.id))?;
        Ok(match finding.filter(|finding| self.is_current(finding)) {
            Some(finding) if !quotes_replaced_sources(self.run, &finding)? => Some(finding),
            _ => None,
        })
    }

    /// Reads the finding of a step that an earlier run completed, or else searches for the step.
    fn begin_step(
        &self,
        step: &PlanStep,
        corpus: &mut Corpus<'a>,
        evidence: &Evidence<'_>,
    ) -> Result<StepState<'a>> {
        if let Some(finding) = self.finding_of_earlier_run(step)? {
            tracing::debug!("checkpoint hit");
            return Ok(StepState::Cached(finding));
        }
        if step.step_type == StepType::Analysis {
            let material = analysis_step::material(step, &self.findings, evidence.passages());
            return Ok(StepState::Analysis(material));
        }
        if step.task == Task::Social {
            let now = self.run.workspace.now();
            return Ok(StepState::Social(now, corpus.pages().to_vec()));
        }
        // Counted at the first step: pages that later plans add are not included. Without a library
        // every step would fail, so that the stage does.
        corpus.documents()?;
        let library = corpus.library()?;
        Ok(match self.prepare(step, &library, corpus) {
            Ok(prepared) => StepState::Prepared(Box::new(prepared)),
            Err(error) => StepState::Made(self.failure(step, &format!("{error:#}"))),
        })
    }

    /// `true` if the rule finds an answer to the topic in a corpus: what it quotes has all words of
    /// the question, with the titles of the documents, and is no doubtful answer.
    pub(super) fn answers_topic(&self, corpus: &mut Corpus<'a>) -> Result<bool> {
        let library = corpus.library()?;
        let topic = &self.journal.session().topic;
        let step = PlanStep::of_topic(topic);
        let input = self.prepare(&step, &library, corpus)?.input;
        let output = Researcher::rule(&input).output();
        let quoted = output
            .selected
            .iter()
            .flat_map(|own| &input.candidates[own.first..=own.last]);
        let words = quoted.flat_map(|own| {
            let mut documents = input.documents.iter();
            let document = documents.find(|other| other.index == own.document);
            [
                &*own.sentence,
                document.map_or("", |document| &document.title),
            ]
        });
        let words: Vec<&str> = words.collect();
        let is_sure = output.confidence.is_none_or(|own| own >= DOUBT_THRESHOLD);
        let is_met = || Question::parse(topic).share_met(&words.join("\n")) >= 1.0;
        Ok(!words.is_empty() && is_sure && is_met())
    }

    /// Searches for a step, and prepares the input of the researcher.
    fn prepare(
        &self,
        step: &PlanStep,
        library: &Library,
        corpus: &mut Corpus<'a>,
    ) -> Result<Prepared<'a>> {
        let subject = self.subject(library, step);
        // "…, and how does the later one avoid it?" is on what the first question is on, which a
        // sentence of another document of many is only by chance.
        let retrieval =
            if step.facet == Facet::Question && library.documents.len() >= LARGE_COLLECTION {
                let topic = PlanStep::of_topic(&self.journal.session().topic);
                corpus.retrieve_beside(&self.subject(library, &topic), &subject)?
            } else {
                corpus.retrieve(&subject)?
            };
        let results = SearchResults::of(library, &step.queries)?;
        tracing::debug!(
            queries = step.queries.len(),
            documents = retrieval.documents.len(),
            sentences = retrieval.sentences.len(),
            "searched"
        );
        let input = ResearcherInput {
            step: step.clone(),
            research_topic: self.journal.session().topic.clone(),
            topic: subject.words.clone(),
            requested_facet: match step.facet {
                Facet::Question => Facet::Overview,
                _ => self.classification.requested_facet,
            },
            terms: subject.terms,
            required_term: required_term(step),
            documents: retrieval.documents.clone(),
            candidates: retrieval.candidates(&results),
            answers: retrieval.answers.ranked.clone(),
            confidence: retrieval.answers.confidence,
            margin: retrieval.answers.margin,
            documents_searched: library.documents.len(),
            limit: self.passages_per_step,
            transcript: None,
            tools: Vec::new(),
            agent: None,
        };
        Ok(Prepared {
            retrieval,
            searches: results.records,
            input,
            assigned_at: self.run.workspace.now(),
            corpus: corpus.clone(),
        })
    }

    /// Writes the sources, the passages and the finding of a step that is made from `inputs`.
    fn commit(
        &mut self,
        step: &PlanStep,
        work: Worked,
        mut inputs: Vec<String>,
        corpus: &mut Corpus<'_>,
        evidence: &mut Evidence<'_>,
    ) -> Result<StepFinding> {
        if work.collected != Collected::default() {
            let file = Collected::file_of_step(&step.id);
            // The same file is not written again: the finding is made from it.
            if self.run.read_checkpoint(&file)?.as_ref() != Some(&work.collected) {
                self.run
                    .write_checkpoint(&file, &inputs[..1], &work.collected)?;
            }
            self.add_pages(file.clone(), &work.collected, corpus);
            inputs.push(file);
        }
        let output = work.output;
        let recorded = evidence.record(corpus, &work.materials, &output.selected)?;
        let is_silent = output.selected.is_empty() && step.facet == Facet::Overview;
        // The finding is written last: a step that has its file is complete, its sources included.
        let finding = StepFinding {
            assigned_at: Some(work.assigned_at),
            searches: work.searches,
            statements: statements(&output.statements, &recorded),
            passages: recorded.into_iter().flatten().collect(),
            nearest: match work.materials.first().filter(|_| is_silent) {
                Some(own) => own.retrieval.nearest(&own.open.library),
                None => Vec::new(),
            },
            observation: output.observation,
            turns: work.turns,
            follow_up: output.follow_up,
            confidence: output.confidence,
            margin: output.margin,
            agent: work.agent,
            ..StepFinding::empty(&step.id, &self.run.workspace.now())
        };
        self.write(finding, &inputs)
    }

    /// Returns the finding of a step that failed.
    fn failure(&self, step: &PlanStep, problem: &str) -> StepFinding {
        StepFinding {
            observation: format!("The step failed: {problem}."),
            problem: Some(problem.to_owned()),
            ..StepFinding::empty(&step.id, &self.run.workspace.now())
        }
    }

    /// Returns the finding of a step of analysis. Where no model finds anything, the rule selects.
    async fn analyse(&self, step: &PlanStep, material: &[Passage]) -> Result<StepFinding> {
        let empty = StepFinding::empty(&step.id, &self.run.workspace.now());
        let limit = self.passages_per_step;
        let session = self.journal.session();
        let input = analysis_step::question(step, session, material, limit);
        let output = self.run.ask::<Researcher>(&input).await?.output();
        let (passages, statements) = analysis_step::evidence(&output, material);
        if passages.is_empty() {
            let (passages, observation) = analysis_step::select(step, material, limit);
            return Ok(StepFinding {
                passages,
                observation,
                ..empty
            });
        }
        Ok(StepFinding {
            passages,
            statements,
            observation: output.observation,
            follow_up: output.follow_up,
            ..empty
        })
    }

    /// `true` if a finding was made from the documents as they are now, or from none.
    fn is_current(&self, finding: &StepFinding) -> bool {
        finding.manifest.is_none() || finding.manifest == self.manifest
    }

    /// Writes a finding as a checkpoint that was made from `inputs`: a plan and the pages. An
    /// earlier finding that says the same from other documents is kept, so that nothing that was
    /// made from it is made again (ninja's `restat`).
    fn write(&self, mut finding: StepFinding, inputs: &[String]) -> Result<StepFinding> {
        if finding.agent != Social::NAME {
            finding.manifest.clone_from(&self.manifest);
        }
        let name = finding_file(&finding.step);
        if let Some(earlier) = self.run.read_checkpoint::<StepFinding>(&name)? {
            if earlier.says_the_same(&finding) {
                return Ok(earlier);
            }
            let reason = format!("{name}: the documents have changed");
            self.run.workspace.supersede(&name, &reason)?;
        }
        self.run.write_checkpoint(&name, inputs, &finding)?;
        Ok(finding)
    }

    /// Returns the subject of a step: the topic, a side of a comparison, or an aspect in words.
    fn subject(&self, library: &Library, step: &PlanStep) -> Subject {
        // A single term is too little for a subject. Such a step searches the documents on the
        // topic, which is its last query, for the term.
        let query = match step.facet {
            Facet::Term => step.queries.last(),
            _ => step.queries.first(),
        };
        let words = query.cloned().unwrap_or_default();
        let (terms, phrases) =
            if matches!(step.facet, Facet::Side | Facet::Question | Facet::Aspect) {
                (text::terms(&words), Vec::new())
            } else {
                let topic = &self.classification;
                (topic.terms.clone(), topic.phrases.clone())
            };
        Subject::new(library, &words, terms, phrases)
    }
}

/// Returns the statements whose passages are there.
fn statements(
    statements: &[(String, Vec<usize>)],
    recorded: &[Option<Passage>],
) -> Vec<FoundStatement> {
    let attributed = statements.iter().map(|(text, quotations)| FoundStatement {
        text: text.clone(),
        passages: quotations
            .iter()
            .filter_map(|index| recorded.get(*index)?.as_ref())
            .map(|passage| passage.id.clone())
            .collect(),
    });
    attributed.filter(|own| !own.passages.is_empty()).collect()
}

/// Returns the stemmed term that every quotation must contain, for a step about a single term.
fn required_term(step: &PlanStep) -> Option<String> {
    let word = step.queries.first().filter(|_| step.facet == Facet::Term);
    word.and_then(|word| text::terms(word).into_iter().next())
}
