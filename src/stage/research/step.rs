//! Carries out steps of a plan: search, let the researcher choose, commit the finding.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Result;
use futures::future::join_all;
use tracing::{Instrument as _, Span};

use super::corpus::Corpus;
use super::evidence::Evidence;
use super::reading::{Reading, Searches, Subject};
use crate::agent::{Researcher, ResearcherInput, ResearcherOutput, TermWeight};
use crate::artifact::plan::{Facet, PlanStep};
use crate::artifact::session::Depth;
use crate::artifact::step::SearchRecord;
use crate::artifact::{Classification, StepFinding};
use crate::model::BudgetExhausted;
use crate::search::Library;
use crate::stage::stage_run::StageRun;
use crate::text;

/// The state of a step before the researcher is asked.
enum StepState {
    /// An earlier run finished it.
    Cached(StepFinding),
    /// The researcher is to be asked.
    Prepared(Box<StepInput>),
}

/// The searches of a step, and the question to the researcher that they make.
struct StepInput {
    reading: Arc<Reading>,
    searches: Vec<SearchRecord>,
    input: ResearcherInput,
}

/// Returns the file of a step's finding.
pub(super) fn finding_file(step: &str) -> String {
    format!("research/steps/{step}.json")
}

/// Carries out the steps of a session.
pub(super) struct StepRunner<'a> {
    run: StageRun<'a>,
    classification: Classification,
    /// The most passages that a step contributes, corroboration aside.
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

    /// The finding of a step, if the step is done.
    pub(super) fn finding(&self, step: &str) -> Option<&StepFinding> {
        self.findings.get(step)
    }

    /// Carries out a batch of steps of the plan in file `plan`, and returns the observation of
    /// each; with the error of the budget if that ended before the batch did.
    pub(super) async fn run_batch(
        &mut self,
        batch: &[PlanStep],
        plan: &str,
        corpus: &mut Corpus<'_>,
        evidence: &mut Evidence<'_>,
    ) -> Result<(BTreeMap<String, String>, Option<BudgetExhausted>)> {
        // One span a step, entered for its search, its question and its commit: steps of a batch
        // interleave.
        let spans: Vec<Span> = batch
            .iter()
            .map(|step| tracing::info_span!("step", id = step.id))
            .collect();
        let mut states = Vec::with_capacity(batch.len());
        for (step, span) in batch.iter().zip(&spans) {
            self.run.progress(format!("step {}", step.id))?;
            states.push(span.in_scope(|| self.begin_step(step, corpus))?);
        }
        // The researcher is asked about all steps at once, and all answers are waited for even if
        // one fails: each may have been paid for, and is in the journal then.
        let run = self.run;
        let answers = states.iter().zip(&spans).map(async |(state, span)| {
            let StepState::Prepared(prepared) = state else {
                return Ok(None);
            };
            let answer = run.ask::<Researcher>(&prepared.input);
            answer.instrument(span.clone()).await.map(Some)
        });
        let answers = join_all(answers).await;
        let mut observations = BTreeMap::new();
        // Findings are committed in the order of the steps, so that the numbers of sources and
        // passages do not depend on which answer came first.
        for (((step, span), state), answer) in batch.iter().zip(spans).zip(states).zip(answers) {
            let _entered = span.enter();
            let answer = match answer {
                Err(error) => return Ok((observations, Some(error.downcast()?))),
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
                (StepState::Prepared(_), None) => continue,
            };
            observations.insert(step.id.clone(), finding.observation.clone());
            self.findings.insert(step.id.clone(), finding);
        }
        Ok((observations, None))
    }

    /// Reads the finding of a step that an earlier run finished; else searches for the step.
    fn begin_step(&self, step: &PlanStep, corpus: &mut Corpus<'_>) -> Result<StepState> {
        if let Some(finding) = self.run.read_checkpoint(&finding_file(&step.id))? {
            tracing::debug!("checkpoint hit");
            return Ok(StepState::Cached(finding));
        }
        Ok(StepState::Prepared(Box::new(self.prepare(step, corpus)?)))
    }

    /// Searches for a step, and prepares the question to the researcher.
    fn prepare(&self, step: &PlanStep, corpus: &mut Corpus<'_>) -> Result<StepInput> {
        // Counted at the first step: the pages that later plans add are not in this number.
        corpus.documents()?;
        let library = corpus.library()?;
        let subject = self.subject(&library, step);
        let reading = corpus.reading(&subject)?;
        let searches = Searches::run(&library, &step.queries)?;
        tracing::debug!(
            queries = step.queries.len(),
            documents = reading.documents.len(),
            sentences = reading.sentences.len(),
            "searched"
        );
        let input = ResearcherInput {
            step: step.clone(),
            kind: self.classification.kind,
            terms: subject.terms,
            required_term: required_term(step),
            documents: reading.documents.clone(),
            candidates: reading.candidates(&searches),
            best_document_coverage: reading.best_document_coverage,
            best_sentence_coverage: reading.best_sentence_coverage,
            documents_searched: library.documents.len(),
            limit: self.passages_per_step,
        };
        Ok(StepInput {
            reading,
            searches: searches.records,
            input,
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
            step: step.id.clone(),
            searches: prepared.searches,
            passages: evidence.record(corpus, &prepared.reading, &output)?,
            observation: output.observation,
        };
        let mut inputs = vec![plan.to_owned()];
        inputs.extend_from_slice(corpus.page_files());
        self.run
            .write_checkpoint(&finding_file(&step.id), &inputs, &finding)?;
        Ok(finding)
    }

    /// Returns the subject of a step: the topic, or one side of it.
    fn subject(&self, library: &Library, step: &PlanStep) -> Subject {
        // A single term is no subject: it is looked for in what is about the topic, which is the
        // last query of such a step.
        let query = match step.facet {
            Facet::Term => step.queries.last(),
            _ => step.queries.first(),
        };
        let words = query.cloned().unwrap_or_default();
        let (terms, phrases) = if step.facet == Facet::Side {
            (text::terms(&words), Vec::new())
        } else {
            let topic = &self.classification;
            (topic.terms.clone(), topic.phrases.clone())
        };
        let terms = terms.into_iter().map(|term| TermWeight {
            weight: library.weight(&term),
            term,
        });
        Subject {
            words,
            terms: terms.collect(),
            phrases,
        }
    }
}

/// Returns the stemmed term that every quotation of a step must hold, if the step is about one.
fn required_term(step: &PlanStep) -> Option<String> {
    let word = step.queries.first().filter(|_| step.facet == Facet::Term);
    word.and_then(|word| text::terms(word).into_iter().next())
}
