//! Executes the steps of a plan: search, ask the researcher to select quotations, commit the
//! finding.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Result;
use futures::future::join_all;
use tracing::{Instrument as _, Span};

use super::analysis_step;
use super::corpus::Corpus;
use super::evidence::Evidence;
use super::retrieval::{Retrieval, SearchResults, Subject};
use crate::agent::{Researcher, ResearcherInput, ResearcherOutput, TermWeight};
use crate::answering::Question;
use crate::artifact::plan::{Facet, PlanStep, StepType};
use crate::artifact::session::Depth;
use crate::artifact::step::SearchRecord;
use crate::artifact::{Classification, StepFinding};
use crate::model::BudgetExhausted;
use crate::search::Library;
use crate::stage::stage_run::StageRun;
use crate::text;

/// The state of a step before the call of the researcher.
enum StepState {
    /// The finding of an earlier run.
    Cached(StepFinding),
    /// The input of a step that needs the researcher.
    Prepared(Box<StepInput>),
    /// The finding of a step that needs no researcher: of analysis, or of a search that failed.
    Made(StepFinding),
}

/// The retrieved documents and search results of a step, and the researcher's input made from them.
struct StepInput {
    retrieval: Arc<Retrieval>,
    searches: Vec<SearchRecord>,
    input: ResearcherInput,
    /// The moment at which the step was begun.
    assigned_at: String,
}

/// Returns the file of a step's finding.
pub(super) fn finding_file(step: &str) -> String {
    format!("research/steps/{step}.json")
}

/// Executes the steps of a session.
pub(super) struct StepRunner<'a> {
    run: StageRun<'a>,
    classification: Classification,
    /// The maximum number of passages that a step contributes, corroboration aside.
    passages_per_step: usize,
    findings: BTreeMap<String, StepFinding>,
}

impl<'a> StepRunner<'a> {
    /// The runner of a session's steps.
    pub(super) fn new(run: StageRun<'a>, classification: &Classification, depth: Depth) -> Self {
        Self {
            run,
            classification: classification.clone(),
            passages_per_step: run.context.settings.limits(depth).passages_per_step,
            findings: BTreeMap::new(),
        }
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
        corpus: &mut Corpus<'_>,
        evidence: &mut Evidence<'_>,
    ) -> Result<Option<BudgetExhausted>> {
        // One span per step, entered for its search, its call and its commit: the steps of a batch
        // interleave.
        let spans: Vec<Span> = batch
            .iter()
            .map(|step| tracing::info_span!("step", id = step.id))
            .collect();
        let mut states = Vec::with_capacity(batch.len());
        for (step, span) in batch.iter().zip(&spans) {
            self.run.progress(format!("step {}", step.id))?;
            states.push(span.in_scope(|| self.begin_step(step, corpus, evidence))?);
        }
        // The calls for all steps run concurrently, and all are awaited even if one fails: each may
        // have been paid for, and must reach the journal.
        let run = self.run;
        let answers = states.iter().zip(&spans).map(async |(state, span)| {
            let StepState::Prepared(prepared) = state else {
                return Ok(None);
            };
            let answer = run.ask::<Researcher>(&prepared.input);
            answer.instrument(span.clone()).await.map(Some)
        });
        let answers = join_all(answers).await;
        // Findings are committed in the order of the steps, so that the numbers of sources and
        // passages do not depend on the order in which answers arrive.
        for (((step, span), state), answer) in batch.iter().zip(spans).zip(states).zip(answers) {
            let _entered = span.enter();
            let answer = match answer {
                Err(error) => return Ok(Some(error.downcast()?)),
                Ok(answer) => answer,
            };
            let finding = match (state, answer) {
                (StepState::Cached(finding), _) => {
                    evidence.restore(&finding)?;
                    finding
                }
                (StepState::Prepared(prepared), Some(output)) => {
                    self.commit(step, *prepared, output, plan, corpus, evidence)?
                }
                (StepState::Made(finding), _) => {
                    self.write(&finding, plan, corpus)?;
                    finding
                }
                (StepState::Prepared(_), None) => continue,
            };
            self.findings.insert(step.id.clone(), finding);
        }
        Ok(None)
    }

    /// Reads the finding of a step that an earlier run completed, or else searches for the step.
    fn begin_step(
        &self,
        step: &PlanStep,
        corpus: &mut Corpus<'_>,
        evidence: &Evidence<'_>,
    ) -> Result<StepState> {
        if let Some(finding) = self.run.read_checkpoint(&finding_file(&step.id))? {
            tracing::debug!("checkpoint hit");
            return Ok(StepState::Cached(finding));
        }
        if step.step_type == StepType::Analysis {
            return Ok(StepState::Made(self.analyse(step, evidence)));
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

    /// Searches for a step, and prepares the input of the researcher.
    fn prepare(
        &self,
        step: &PlanStep,
        library: &Library,
        corpus: &mut Corpus<'_>,
    ) -> Result<StepInput> {
        let subject = self.subject(library, step);
        let retrieval = corpus.retrieve(&subject)?;
        let results = SearchResults::of(library, &step.queries)?;
        tracing::debug!(
            queries = step.queries.len(),
            documents = retrieval.documents.len(),
            sentences = retrieval.sentences.len(),
            "searched"
        );
        let input = ResearcherInput {
            step: step.clone(),
            topic: subject.words.clone(),
            requested_facet: self.classification.requested_facet,
            terms: subject.terms,
            required_term: required_term(step),
            documents: retrieval.documents.clone(),
            candidates: retrieval.candidates(&results),
            answers: retrieval.answers.ranked.clone(),
            confidence: retrieval.answers.confidence,
            documents_searched: library.documents.len(),
            limit: self.passages_per_step,
        };
        Ok(StepInput {
            retrieval,
            searches: results.records,
            input,
            assigned_at: self.run.workspace.now(),
        })
    }

    /// Writes the sources, the passages and the finding of a step.
    fn commit(
        &self,
        step: &PlanStep,
        prepared: StepInput,
        output: ResearcherOutput,
        plan: &str,
        corpus: &mut Corpus<'_>,
        evidence: &mut Evidence<'_>,
    ) -> Result<StepFinding> {
        // The finding is written last: a step that has its file is complete, its sources included.
        let finding = StepFinding {
            assigned_at: Some(prepared.assigned_at),
            searches: prepared.searches,
            passages: evidence.record(corpus, &prepared.retrieval, &output)?,
            nearest: if output.selected.is_empty() && step.facet == Facet::Overview {
                prepared.retrieval.nearest(&*corpus.library()?)
            } else {
                Vec::new()
            },
            observation: output.observation,
            confidence: output.confidence,
            ..StepFinding::empty(&step.id, &self.run.workspace.now())
        };
        self.write(&finding, plan, corpus)?;
        Ok(finding)
    }

    /// Returns the finding of a step that failed.
    fn failure(&self, step: &PlanStep, problem: &str) -> StepFinding {
        StepFinding {
            observation: format!("The step failed: {problem}."),
            problem: Some(problem.to_owned()),
            ..StepFinding::empty(&step.id, &self.run.workspace.now())
        }
    }

    /// Returns the finding of a step of analysis, from the passages found so far.
    fn analyse(&self, step: &PlanStep, evidence: &Evidence<'_>) -> StepFinding {
        let material = analysis_step::material(step, &self.findings, evidence.passages());
        let (passages, observation) =
            analysis_step::select(step, &material, self.passages_per_step);
        StepFinding {
            passages,
            observation,
            ..StepFinding::empty(&step.id, &self.run.workspace.now())
        }
    }

    /// Writes a finding as a checkpoint that was made from a plan and the pages.
    fn write(&self, finding: &StepFinding, plan: &str, corpus: &Corpus<'_>) -> Result<()> {
        let mut inputs = vec![plan.to_owned()];
        inputs.extend_from_slice(corpus.page_files());
        self.run
            .write_checkpoint(&finding_file(&finding.step), &inputs, finding)
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
        let (terms, phrases) = if matches!(step.facet, Facet::Side | Facet::Aspect) {
            (text::terms(&words), Vec::new())
        } else {
            let topic = &self.classification;
            (topic.terms.clone(), topic.phrases.clone())
        };
        let terms = terms.into_iter().map(|term| TermWeight {
            weight: library.weight(&term),
            term,
        });
        let question = Question::parse(&words);
        let (cited, question) = match library.cited(&words) {
            Some((documents, rest)) => (documents, question.without_name(&rest)),
            None => (Vec::new(), question),
        };
        Subject {
            cited,
            question,
            words,
            terms: terms.collect(),
            phrases,
        }
    }
}

/// Returns the stemmed term that every quotation must contain, for a step about a single term.
fn required_term(step: &PlanStep) -> Option<String> {
    let word = step.queries.first().filter(|_| step.facet == Facet::Term);
    word.and_then(|word| text::terms(word).into_iter().next())
}
