//! Carries out steps of a plan: search, choose, store what was read, write the finding.
//!
//! Sources and passages are numbered in the order of the steps, whatever was kept from an earlier run, so that a resumed
//! session ends with the same names.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::{Context as _, Result};

use super::{Context, inner, kept};
use crate::agent::{Candidate, Researcher, ResearcherInput, ResearcherOutput, TermWeight};
use crate::artifact::documents::{Documents, TopicTerm};
use crate::artifact::plan::PlanStep;
use crate::artifact::session::Depth;
use crate::artifact::source::{Credibility, Passage, Source};
use crate::artifact::step::{HitRecord, SearchRecord};
use crate::artifact::{self, Artifact, Classification, StepFinding};
use crate::pipeline::{Digest, Stage, Workspace};
use crate::search::{Hit, Library, LibraryDocument};
use crate::text::{self, Block, BlockKind};

const DOCUMENTS: &str = "research/documents.json";

/// Parts of documents that one search may bring.
const HITS: usize = 80;

/// Documents that a search's record names.
const RECORDED: usize = 10;

/// A topic of which no document holds more than this share, by weight, is not what the documents are about (a prototype
/// abstained below 0.65; lower here, since short topics have few terms).
const ABSTAIN: f64 = 0.5;

pub(super) struct Steps<'a> {
    stage: &'a dyn Stage,
    context: &'a Context,
    workspace: &'a Workspace,
    terms: Vec<String>,
    depth: Depth,
    library: Option<Arc<Library>>,
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
            terms: classification.terms.clone(),
            depth,
            library: None,
            documents: None,
            sources: Vec::new(),
            passages: Vec::new(),
            findings: BTreeMap::new(),
        }
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

    /// Does these steps, and returns what was observed, by step.
    pub(super) async fn work(
        &mut self,
        batch: &[PlanStep],
        plan: &str,
    ) -> Result<BTreeMap<String, String>> {
        let mut observations = BTreeMap::new();
        for step in batch {
            self.workspace
                .tell(self.stage, format!("step {}", step.id))?;
            let name = Self::file(&step.id);
            let finding = match kept::<StepFinding>(self.workspace, self.stage, &name)? {
                Some(finding) => self.known(finding)?,
                None => self.find(step, &name, plan).await?,
            };
            observations.insert(step.id.clone(), finding.observation.clone());
            self.findings.insert(step.id.clone(), finding);
        }
        Ok(observations)
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
                let source =
                    super::load(self.workspace, self.stage.name(), &name).with_context(|| {
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

    async fn find(&mut self, step: &PlanStep, name: &str, plan: &str) -> Result<StepFinding> {
        self.documents().await?;
        let library = self.library()?;
        let terms: Vec<TermWeight> = self
            .terms
            .iter()
            .map(|term| weigh(&library, term))
            .collect();
        let search = Search::run(&library, &step.queries, &terms)?;
        let input = ResearcherInput {
            step: step.clone(),
            candidates: search
                .candidates
                .iter()
                .map(|found| found.candidate.clone())
                .collect(),
            terms,
            documents: library.documents.len(),
            limit: self.context.settings.limits(self.depth).passages_per_step,
        };
        let output = self.context.judge.ask::<Researcher>(&input).await?;
        let passages = self.store(&search, &output)?;
        let finding = StepFinding {
            step: step.id.clone(),
            searches: search.records,
            passages,
            observation: output.observation,
        };
        let make = async || Ok(finding);
        inner(self.workspace, self.stage, name, &[plan.to_owned()], make).await
    }

    /// Stores the sources of what was chosen, whole, and numbers the passages.
    fn store(&mut self, search: &Search, output: &ResearcherOutput) -> Result<Vec<Passage>> {
        let mut passages = Vec::new();
        for chosen in &output.chosen {
            let Some(found) = search.candidates.get(chosen.candidate) else {
                continue;
            };
            let source = self.source(found.candidate.document)?;
            let same = |known: &&Passage| {
                known.source == source
                    && known.start == found.range.start
                    && known.end == found.range.end
            };
            let passage = match self.passages.iter().find(same) {
                Some(known) => known.clone(),
                None => Passage {
                    id: format!("P{}", self.passages.len() + 1),
                    source,
                    start: found.range.start,
                    end: found.range.end,
                    quote: found.candidate.sentence.clone(),
                    headings: found.headings.clone(),
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
        let source = Source {
            id: format!("S{}", self.sources.len() + 1),
            locator: found.locator.clone(),
            title: found.title.clone(),
            author: found.author.clone(),
            date: found.date.clone(),
            kind: format!("{:?}", found.kind).to_lowercase(),
            bytes: text.len(),
            credibility: credibility(found),
            sha256,
        };
        self.write_source(&source, text)?;
        let id = source.id.clone();
        self.sources.push(source);
        Ok(id)
    }

    /// Writes a source, its text first. One that a killed run wrote is kept; another one under its name is moved aside.
    fn write_source(&self, source: &Source, text: &str) -> Result<()> {
        let [json, markdown] = ["json", "md"].map(|kind| format!("sources/{}.{kind}", source.id));
        if let Some(bytes) = self.workspace.read(&markdown)?
            && bytes != text.as_bytes()
        {
            self.workspace
                .set_aside(&markdown, "another source has taken its number")?;
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
                    .set_aside(&json, "another source has taken its number")?,
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
            terms: self.terms.iter().map(count).collect(),
        })
    }

    /// The documents and their index, opened when a step first needs them.
    fn library(&mut self) -> Result<Arc<Library>> {
        if let Some(library) = &self.library {
            return Ok(library.clone());
        }
        self.workspace.tell(self.stage, "reading the documents")?;
        let context = self.context;
        let cache = context.settings.cache_dir();
        let library =
            context
                .libraries
                .open(&context.documents, &context.reader, cache.as_deref())?;
        self.library = Some(library.clone());
        Ok(library)
    }
}

fn weigh(library: &Library, term: &str) -> TermWeight {
    TermWeight {
        term: term.to_owned(),
        weight: library.weight(term),
    }
}

/// What a local document is trusted before looking at what it says: the default of document 001, more if it says who wrote
/// it and when.
fn credibility(found: &LibraryDocument) -> Credibility {
    let mut score: f64 = 0.5;
    let mut reasons = vec!["a document of yours".to_owned()];
    if found.author.is_some() {
        score += 0.1;
        reasons.push("names its author".to_owned());
    }
    if found.date.is_some() {
        score += 0.1;
        reasons.push("is dated".to_owned());
    }
    Credibility { score, reasons }
}

/// What the searches of one step found.
struct Search {
    records: Vec<SearchRecord>,
    candidates: Vec<Sentence>,
}

/// A sentence that was found, and where it stands.
struct Sentence {
    candidate: Candidate,
    range: std::ops::Range<usize>,
    headings: Vec<String>,
}

impl Search {
    fn run(library: &Library, queries: &[String], terms: &[TermWeight]) -> Result<Self> {
        let mut records = Vec::new();
        let mut best: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for query in queries {
            let mut hits = library.search(query, HITS)?;
            // What repeats another document word for word is no second source.
            hits.retain(|hit| library.documents[hit.document].duplicate_of.is_none());
            for hit in &hits {
                let score = best.entry((hit.document, hit.block)).or_default();
                *score = score.max(hit.own);
            }
            records.push(record(library, query, &hits));
        }
        let candidates = if is_silent(library, best.keys().map(|(document, _)| *document), terms) {
            Vec::new()
        } else {
            sentences(library, &best, terms)?
        };
        Ok(Self {
            records,
            candidates,
        })
    }
}

fn record(library: &Library, query: &str, hits: &[Hit]) -> SearchRecord {
    let mut seen = BTreeSet::new();
    let first = hits.iter().filter(|hit| seen.insert(hit.document));
    SearchRecord {
        query: query.to_owned(),
        hits: first
            .take(RECORDED)
            .map(|hit| HitRecord {
                locator: library.documents[hit.document].locator.clone(),
                title: library.documents[hit.document].title.clone(),
                score: (hit.score * 1000.0).round() / 1000.0,
            })
            .collect(),
    }
}

/// Whether no document holds enough of the topic to be about it.
fn is_silent(
    library: &Library,
    documents: impl Iterator<Item = usize>,
    terms: &[TermWeight],
) -> bool {
    let share = |place: usize| share(terms, |term| library.holds(place, term));
    documents.map(share).fold(0.0, f64::max) < ABSTAIN
}

/// The share of the terms, by weight, that are there.
fn share(terms: &[TermWeight], is_there: impl Fn(&str) -> bool) -> f64 {
    let all: f64 = terms.iter().map(|term| term.weight).sum();
    let there = terms.iter().filter(|term| is_there(&term.term));
    if all > 0.0 {
        there.map(|term| term.weight).sum::<f64>() / all
    } else {
        0.0
    }
}

/// Every sentence of the parts found, with how much its document is about the topic: 0.6 of how well its best part matched
/// and 0.4 of how much of the topic its title holds.
fn sentences(
    library: &Library,
    best: &BTreeMap<(usize, usize), f64>,
    terms: &[TermWeight],
) -> Result<Vec<Sentence>> {
    let mut of_document: BTreeMap<usize, f64> = BTreeMap::new();
    for ((document, _), score) in best {
        let top = of_document.entry(*document).or_default();
        *top = top.max(*score);
    }
    let mut found = Vec::new();
    for ((place, number), score) in best {
        let title = &library.documents[*place].title;
        let content = library.content(*place)?;
        let block = &content.blocks[*number];
        let titled = share(terms, |term| library.title_holds(*place, term));
        let headings: Vec<String> = block.headings.to_vec();
        let is_lead = is_lead(&content.blocks, *number);
        for range in text::sentences(&content.text, block.range.clone()) {
            let mut around = vec![title.clone()];
            around.extend(headings.iter().cloned());
            found.push(Sentence {
                candidate: Candidate {
                    document: *place,
                    start: range.start,
                    sentence: content.text[range.clone()].to_owned(),
                    headings: around,
                    match_score: *score,
                    about: 0.6 * of_document[place] + 0.4 * titled,
                    is_lead,
                },
                headings: headings.clone(),
                range,
            });
        }
    }
    Ok(found)
}

/// Whether a part is the document's first paragraph, or stands under a heading that promises a summary.
fn is_lead(blocks: &[Block], number: usize) -> bool {
    let mut paragraphs = blocks.iter().map(|block| block.kind);
    let first = paragraphs.position(|kind| kind == BlockKind::Paragraph);
    let summaries = [
        "summary",
        "abstract",
        "overview",
        "introduction",
        "in brief",
    ];
    let heading = blocks[number].headings.last();
    first == Some(number)
        || heading.is_some_and(|heading| summaries.contains(&heading.to_lowercase().as_str()))
}
