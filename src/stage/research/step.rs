//! Carries out steps of a plan: search, choose, store what was read, write the finding.
//!
//! Sources and passages are numbered in the order of the steps, whatever was kept from an earlier
//! run, so that a resumed session ends with the same names.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use futures::future::join_all;

use super::credibility::{Known, Thread, credibility};
use super::libraries::Open;
use super::reading::{Reading, Searches, Subject};
use super::web::PAGES;
use crate::agent::{Researcher, ResearcherInput, ResearcherOutput, TermWeight};
use crate::artifact::collected::PageRecord;
use crate::artifact::documents::{Documents, TopicTerm};
use crate::artifact::plan::{Facet, PlanStep};
use crate::artifact::session::Depth;
use crate::artifact::source::{Passage, Source};
use crate::artifact::step::SearchRecord;
use crate::artifact::{self, Artifact, Classification, StepFinding};
use crate::model::BudgetExhausted;
use crate::pipeline::{Digest, Stage, Workspace};
use crate::search::{Library, LibraryDocument};
use crate::stage::{Context, inner, kept};
use crate::text;

const DOCUMENTS: &str = "research/documents.json";

/// How far a step of a batch is before the researcher is asked.
enum Begun {
    Known(StepFinding),
    Found(Box<Looked>),
}

/// What a step has read and searched, and what the researcher is asked about it.
struct Looked {
    reading: Arc<Reading>,
    records: Vec<SearchRecord>,
    input: ResearcherInput,
}

pub(super) struct Steps<'a> {
    stage: &'a dyn Stage,
    context: &'a Context,
    workspace: &'a Workspace,
    classification: Classification,
    depth: Depth,
    /// What was read, by subject: most steps have the topic for theirs.
    readings: BTreeMap<String, Arc<Reading>>,
    open: Option<Open>,
    /// The pages of the web that were read for this session.
    pages: Vec<PageRecord>,
    /// Where it is written down what the web was searched for.
    collected: Vec<String>,
    documents: Option<Documents>,
    sources: Vec<Source>,
    passages: Vec<Passage>,
    findings: BTreeMap<String, StepFinding>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(
        stage: &'a dyn Stage,
        context: &'a Context,
        workspace: &'a Workspace,
        classification: &Classification,
        depth: Depth,
    ) -> Self {
        Self {
            stage,
            context,
            workspace,
            classification: classification.clone(),
            depth,
            readings: BTreeMap::new(),
            open: None,
            pages: Vec::new(),
            collected: Vec::new(),
            documents: None,
            sources: Vec::new(),
            passages: Vec::new(),
            findings: BTreeMap::new(),
        }
    }

    /// Takes in what was collected on the web: from here on it is searched too.
    pub(super) fn add(&mut self, file: String, pages: &[PageRecord]) {
        self.collected.push(file);
        self.pages.extend_from_slice(pages);
        self.open = None;
        self.readings.clear();
    }

    pub(super) fn pages(&self) -> &[PageRecord] {
        &self.pages
    }

    pub(super) fn file(step: &str) -> String {
        format!("research/steps/{step}.json")
    }

    pub(super) fn finding(&self, step: &str) -> Option<&StepFinding> {
        self.findings.get(step)
    }

    pub(super) fn passages_of(&self, step: &str) -> usize {
        self.finding(step)
            .map_or(0, |finding| finding.passages.len())
    }

    pub(super) fn passages(&self) -> Vec<Passage> {
        self.passages.clone()
    }

    pub(super) fn into_sources(self) -> Vec<Source> {
        self.sources
    }

    /// Does these steps, and returns what was observed, by step; and whether the budget ended
    /// before they did.
    pub(super) async fn work(
        &mut self,
        batch: &[PlanStep],
        plan: &str,
    ) -> Result<(BTreeMap<String, String>, Option<BudgetExhausted>)> {
        let mut begun = Vec::new();
        for step in batch {
            self.workspace
                .report_progress(self.stage, format!("step {}", step.id))?;
            begun.push(match self.kept_or_not(step)? {
                Some(finding) => Begun::Known(finding),
                None => Begun::Found(Box::new(self.search(step).await?)),
            });
        }
        let (context, workspace, stage) = (self.context, self.workspace, self.stage);
        let chosen = begun.iter().map(async |begun| match begun {
            Begun::Known(_) => Ok(None),
            Begun::Found(looked) => {
                let judge = &context.judge;
                let chosen = judge.ask::<Researcher>(workspace, stage, &looked.input);
                chosen.await.map(Some)
            }
        });
        // All are waited for, also if one fails: each may have been paid for.
        let chosen = join_all(chosen).await;
        let mut observations = BTreeMap::new();
        for ((step, begun), chosen) in batch.iter().zip(begun).zip(chosen) {
            let chosen = match chosen {
                // What was done before it counts, in the order of the steps.
                Err(error) => {
                    return Ok((observations, Some(error.downcast::<BudgetExhausted>()?)));
                }
                Ok(chosen) => chosen,
            };
            let finding = match (begun, chosen) {
                (Begun::Known(finding), _) => self.known(finding)?,
                (Begun::Found(looked), Some(chosen)) => {
                    self.settle(step, *looked, chosen, plan).await?
                }
                (Begun::Found(_), None) => continue,
            };
            observations.insert(step.id.clone(), finding.observation.clone());
            self.findings.insert(step.id.clone(), finding);
        }
        Ok((observations, None))
    }

    fn kept_or_not(&self, step: &PlanStep) -> Result<Option<StepFinding>> {
        kept::<StepFinding>(self.workspace, self.stage, &Self::file(&step.id))
    }

    /// Takes in a finding that an earlier run wrote, with its sources.
    fn known(&mut self, finding: StepFinding) -> Result<StepFinding> {
        for passage in &finding.passages {
            if !self
                .sources
                .iter()
                .any(|source| source.id == passage.source)
            {
                let name = format!("sources/{}.json", passage.source);
                let source = crate::stage::load(self.workspace, self.stage.name(), &name)
                    .with_context(|| {
                        format!(
                            "step {} needs it; run again with --from research",
                            finding.step
                        )
                    })?;
                self.sources.push(source);
            }
            self.remember(passage);
        }
        Ok(finding)
    }

    fn remember(&mut self, passage: &Passage) {
        if !self.passages.iter().any(|known| known.id == passage.id) {
            self.passages.push(passage.clone());
        }
    }

    async fn search(&mut self, step: &PlanStep) -> Result<Looked> {
        self.documents().await?;
        let library = self.library()?;
        let subject = self.subject(&library, step);
        let reading = self.reading(&subject)?;
        let searches = Searches::run(&library, &step.queries)?;
        let input = ResearcherInput {
            step: step.clone(),
            kind: self.classification.kind,
            terms: subject.terms,
            required_term: wanted(step),
            documents: reading.documents.clone(),
            candidates: reading.candidates(&searches),
            best_document_coverage: reading.best_document_coverage,
            best_sentence_coverage: reading.best_sentence_coverage,
            documents_searched: library.documents.len(),
            limit: self.context.settings.limits(self.depth).passages_per_step,
        };
        Ok(Looked {
            reading,
            records: searches.records,
            input,
        })
    }

    /// Writes down what a step has come to.
    async fn settle(
        &mut self,
        step: &PlanStep,
        looked: Looked,
        output: ResearcherOutput,
        plan: &str,
    ) -> Result<StepFinding> {
        let passages = self.store(&looked.reading, &output)?;
        let finding = StepFinding {
            step: step.id.clone(),
            searches: looked.records,
            passages,
            observation: output.observation,
        };
        let make = async || Ok(finding);
        let name = Self::file(&step.id);
        let mut inputs = vec![plan.to_owned()];
        inputs.extend(self.collected.iter().cloned());
        inner(self.workspace, self.stage, &name, &inputs, make).await
    }

    /// What a step looks for: the topic, or one side or word of it.
    fn subject(&self, library: &Library, step: &PlanStep) -> Subject {
        // A word by itself is no subject: it is looked for in what is on the topic.
        let query = match step.facet {
            Facet::Term => step.queries.last(),
            _ => step.queries.first(),
        };
        let about = query.cloned().unwrap_or_default();
        let (terms, phrases) = match step.facet {
            Facet::Side => (text::terms(&about), Vec::new()),
            _ => {
                let classification = &self.classification;
                (classification.terms.clone(), classification.phrases.clone())
            }
        };
        let weigh = |term: &String| TermWeight {
            term: term.clone(),
            weight: library.weight(term),
        };
        Subject {
            words: about,
            terms: terms.iter().map(weigh).collect(),
            phrases,
        }
    }

    fn reading(&mut self, subject: &Subject) -> Result<Arc<Reading>> {
        if let Some(reading) = self.readings.get(&subject.words) {
            return Ok(reading.clone());
        }
        let reading = Arc::new(Reading::of(&self.open()?, subject)?);
        self.readings.insert(subject.words.clone(), reading.clone());
        Ok(reading)
    }

    /// Stores the sources of what was chosen, whole, and numbers the passages.
    fn store(&mut self, reading: &Reading, output: &ResearcherOutput) -> Result<Vec<Passage>> {
        let library = self.library()?;
        let mut passages = Vec::new();
        for chosen in &output.selected {
            let (Some(first), Some(last)) = (
                reading.sentences.get(chosen.first),
                reading.sentences.get(chosen.last),
            ) else {
                continue;
            };
            let document = reading.documents[first.candidate.document].index;
            let (start, end) = (first.range.start + chosen.skip, last.range.end);
            let content = library.content(document)?;
            let Some(quote) = content.text.get(start..end) else {
                continue;
            };
            let source = self.source(document)?;
            let same = |known: &&Passage| {
                known.source == source && known.start == start && known.end == end
            };
            let passage = match self.passages.iter().find(same) {
                Some(known) => known.clone(),
                None => Passage {
                    id: format!("P{}", self.passages.len() + 1),
                    source,
                    start,
                    end,
                    quote: quote.to_owned(),
                    headings: first.candidate.headings.to_vec(),
                    relevance: chosen.relevance,
                },
            };
            self.remember(&passage);
            passages.push(passage);
        }
        Ok(passages)
    }

    /// The source for a document, written if this is its first use.
    fn source(&mut self, document: usize) -> Result<String> {
        let library = self.library()?;
        let found = &library.documents[document];
        let content = library.content(document)?;
        let text = &content.text;
        let sha256 = Digest::of(text);
        if let Some(known) = self.sources.iter().find(|known| known.sha256 == sha256) {
            return Ok(known.id.clone());
        }
        let page = self.page_of(found);
        let known = Known {
            url: page.map(|page| page.url.as_str()),
            has_author: found.author.is_some(),
            has_date: found.date.is_some(),
            thread: page.and_then(|page| Thread::of(page, found.date.as_deref())),
            speaks_to_models: page.is_some_and(|page| page.speaks_to_models.is_some()),
        };
        let source = Source {
            id: format!("S{}", self.sources.len() + 1),
            locator: page.map_or(&found.locator, |page| &page.url).clone(),
            title: found.title.clone(),
            author: found.author.clone(),
            date: found.date.clone(),
            kind: page
                .and_then(|page| page.kind.clone())
                .unwrap_or_else(|| found.kind.name.to_owned()),
            bytes: text.len(),
            read_at: page.map(|page| page.read_at.clone()),
            speaks_to_models: page.and_then(|page| page.speaks_to_models.clone()),
            credibility: credibility(&known, &self.context.settings.credibility),
            sha256,
        };
        self.write_source(&source, text)?;
        let id = source.id.clone();
        self.sources.push(source);
        Ok(id)
    }

    /// The page of the web that a document is, if it is one.
    fn page_of(&self, found: &LibraryDocument) -> Option<&PageRecord> {
        let is_it = |page: &&PageRecord| self.place(page).as_deref() == Some(found.path());
        self.pages.iter().find(is_it)
    }

    /// Where the text of a page is, if it was read.
    fn place(&self, page: &PageRecord) -> Option<PathBuf> {
        let file = page.file.as_ref()?;
        Some(self.workspace.root().join(format!("{PAGES}/{file}")))
    }

    /// Writes a source, its text first. One that a killed run wrote is kept; another one under its
    /// name is moved aside.
    fn write_source(&self, source: &Source, text: &str) -> Result<()> {
        let [json, markdown] = ["json", "md"].map(|kind| format!("sources/{}.{kind}", source.id));
        if let Some(bytes) = self.workspace.read(&markdown)?
            && bytes != text.as_bytes()
        {
            self.workspace
                .supersede(&markdown, "another source has taken its number")?;
        }
        if let Some(bytes) = self.workspace.read(&json)? {
            match artifact::parse::<Artifact<Source>>(&bytes) {
                Ok(known)
                    if known.content == *source && self.workspace.read(&markdown)?.is_some() =>
                {
                    return Ok(());
                }
                _ => self
                    .workspace
                    .supersede(&json, "another source has taken its number")?,
            }
        }
        self.workspace.write(&markdown, text.as_bytes())?;
        let provenance = self.workspace.provenance_of(self.stage, &[])?;
        let artifact = Artifact::new(provenance, self.workspace.now(), source);
        self.workspace.write(&json, &artifact::to_bytes(&artifact)?)
    }

    /// What there is to be searched, counted once.
    pub(super) async fn documents(&mut self) -> Result<Documents> {
        if let Some(documents) = &self.documents {
            return Ok(documents.clone());
        }
        let known = kept::<Documents>(self.workspace, self.stage, DOCUMENTS)?;
        let documents = match known {
            Some(documents) => documents,
            None => {
                let counted = self.count()?;
                let make = async || Ok(counted);
                inner(
                    self.workspace,
                    self.stage,
                    DOCUMENTS,
                    &["session.json".to_owned()],
                    make,
                )
                .await?
            }
        };
        self.documents = Some(documents.clone());
        Ok(documents)
    }

    fn count(&mut self) -> Result<Documents> {
        let library = self.library()?;
        let count = |term: &String| TopicTerm {
            term: term.clone(),
            documents: library.document_frequency(term),
        };
        Ok(Documents {
            searched: library.documents.len(),
            failures: library.failures.clone(),
            terms: self.classification.terms.iter().map(count).collect(),
        })
    }

    /// The documents and their index, opened when a step first needs them.
    fn library(&mut self) -> Result<Arc<Library>> {
        Ok(self.open()?.library)
    }

    fn open(&mut self) -> Result<Open> {
        if let Some(open) = &self.open {
            return Ok(open.clone());
        }
        self.workspace
            .report_progress(self.stage, "reading the documents")?;
        let context = self.context;
        // Each page by itself: what else lies beside them was not read for this session.
        let pages: Vec<PathBuf> = self.pages.iter().filter_map(|it| self.place(it)).collect();
        // An index with a session's own pages in it is of no use to others.
        let cache = context.settings.cache_dir().filter(|_| pages.is_empty());
        let roots = [context.documents.clone(), pages].concat();
        let libraries = &context.libraries;
        let open = libraries.open(&roots, &context.reader, cache.as_deref())?;
        Ok(self.open.insert(open).clone())
    }
}

/// The word that a step is about, stemmed.
fn wanted(step: &PlanStep) -> Option<String> {
    let word = step.queries.first().filter(|_| step.facet == Facet::Term);
    word.and_then(|word| text::terms(word).into_iter().next())
}
