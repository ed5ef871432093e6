//! The evidence of a session: the sources that are quoted and the passages quoted from them.
//!
//! Sources and passages are numbered in the order of the steps, whatever an earlier run finished,
//! so that a resumed session ends with the same names.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context as _, Result};

use super::corpus::Corpus;
use super::credibility::{SourceFacts, credibility};
use super::tools::Material;
use super::web::{self, pages_of};
use crate::agent::Selected;
use crate::artifact::source::{Passage, Source};
use crate::artifact::stored;
use crate::artifact::{self, Artifact, StepFinding};
use crate::pipeline::{Digest, Manifest, SUPERSEDED};
use crate::search::{Library, SearchableDocument};
use crate::stage::stage_run::{StageRun, load};
use crate::text;
use crate::web::detect_prompt_injection;

/// The sources and passages of a session.
pub(super) struct Evidence<'a> {
    run: StageRun<'a>,
    sources: Vec<Source>,
    passages: Vec<Passage>,
}

impl<'a> Evidence<'a> {
    /// No evidence yet.
    pub(super) fn new(run: StageRun<'a>) -> Self {
        Self {
            run,
            sources: Vec::new(),
            passages: Vec::new(),
        }
    }

    /// The passages, by number.
    pub(super) fn passages(&self) -> &[Passage] {
        &self.passages
    }

    /// Returns the titles of the sources, by number.
    pub(super) fn titles(&self) -> Vec<String> {
        let sources = self.sources.iter();
        sources.map(|source| source.title.clone()).collect()
    }

    /// A sentence for the report on each document that is quoted and gives orders to language
    /// models. The pages among the sources are named by the web search.
    pub(super) fn orders(&self) -> Vec<String> {
        let documents = self
            .sources
            .iter()
            .filter(|source| source.read_at.is_none());
        let orders = documents.filter_map(|source| {
            let words = source.prompt_injection.as_deref()?;
            Some(web::orders_limit(&source.locator, words))
        });
        orders.collect()
    }

    /// Returns the sources and the passages, by number.
    pub(super) fn into_parts(self) -> (Vec<Source>, Vec<Passage>) {
        (self.sources, self.passages)
    }

    /// Adds the passages of a finding of an earlier run, and their sources.
    pub(super) fn restore(&mut self, finding: &StepFinding) -> Result<()> {
        for passage in &finding.passages {
            // A source keeps the number that the earlier run gave it, since passages refer to it.
            if self
                .sources
                .iter()
                .all(|source| source.id != passage.source)
            {
                let name = record_file(&passage.source);
                let (workspace, stage) = (self.run.workspace, self.run.stage.name());
                let source = load(workspace, stage, &name).with_context(|| {
                    format!(
                        "step {} needs a source; run again with --from {stage} if it is lost",
                        finding.step
                    )
                })?;
                self.sources.push(source);
            }
            self.add(passage);
        }
        Ok(())
    }

    fn add(&mut self, passage: &Passage) {
        if !self.passages.iter().any(|other| other.id == passage.id) {
            self.passages.push(passage.clone());
        }
    }

    /// Writes the full text of each source of the selected quotations, and numbers the passages;
    /// `None` for a quotation that is not there.
    pub(super) fn record(
        &mut self,
        corpus: &Corpus<'_>,
        materials: &[Material],
        selected: &[Selected],
    ) -> Result<Vec<Option<Passage>>> {
        let quote = |own: &Selected| self.quote(corpus, materials, own);
        selected.iter().map(quote).collect()
    }

    fn quote(
        &mut self,
        corpus: &Corpus<'_>,
        materials: &[Material],
        selected: &Selected,
    ) -> Result<Option<Passage>> {
        let Some(Material {
            open, retrieval, ..
        }) = materials.get(selected.retrieval)
        else {
            return Ok(None);
        };
        let library = &*open.library;
        let (Some(first), Some(last)) = (
            retrieval.sentences.get(selected.first),
            retrieval.sentences.get(selected.last),
        ) else {
            return Ok(None);
        };
        let document = retrieval.documents[first.candidate.document].index;
        let (start, end) = (first.range.start + selected.skip, last.range.end);
        let content = library.content(document)?;
        // Byte offsets that are not character boundaries come from a damaged answer.
        let Some(quote) = content.text.get(start..end) else {
            return Ok(None);
        };
        let source = self.source(corpus, library, document)?;
        // Steps that select the same words share a passage, and with it a citation.
        let same = self
            .passages
            .iter()
            .find(|other| other.source == source && other.start == start && other.end == end);
        let passage = match same {
            Some(passage) => passage.clone(),
            None => Passage {
                id: format!("P{}", self.passages.len() + 1),
                page: page(&self.sources, &source, start),
                source,
                start,
                end,
                line: Some(text::line_number(&content.text, start)),
                quote: quote.to_owned(),
                columns: text::tables::columns_of_row(&content.text, start..end),
                headings: first.candidate.headings.to_vec(),
                relevance: selected.relevance,
            },
        };
        self.add(&passage);
        Ok(Some(passage))
    }

    /// Returns the id of a document's source, which is written on first use.
    fn source(
        &mut self,
        corpus: &Corpus<'_>,
        library: &Library,
        document: usize,
    ) -> Result<String> {
        let content = library.content(document)?;
        let text = &content.text;
        // Sources with the same text are the same source, whatever their addresses.
        let sha256 = Digest::of(text);
        if let Some(source) = self.sources.iter().find(|source| source.sha256 == sha256) {
            return Ok(source.id.clone());
        }
        let id = format!("S{}", self.sources.len() + 1);
        let source = source_of(self.run, corpus, &library.documents[document], (id, text));
        write_source(self.run, &source, text)?;
        let id = source.id.clone();
        self.sources.push(source);
        Ok(id)
    }
}

/// Returns a document as the source of this id, with its text.
pub(super) fn source_of(
    run: StageRun<'_>,
    corpus: &Corpus<'_>,
    document: &SearchableDocument,
    (id, text): (String, &str),
) -> Source {
    let page = corpus.page_of(document);
    let facts = SourceFacts::of(document, page);
    let sha256 = Digest::of(text);
    // The stored text of an earlier session has the name that it had there.
    let stored = stored::stored_source(document.path()).filter(|stored| stored.sha256 == sha256);
    let (locator, title) = match stored {
        Some(stored) => (stored.locator, stored.title),
        None => {
            let locator = page.map_or(&document.locator, |page| &page.url);
            (locator.clone(), document.title.clone())
        }
    };
    Source {
        id,
        locator,
        title,
        author: document.author.clone(),
        date: document.date.clone(),
        status: document.status.clone(),
        publication: document.publication.clone(),
        kind: page
            .and_then(|page| page.kind.clone())
            .unwrap_or_else(|| document.kind.name.to_owned()),
        bytes: text.len(),
        pages: page.map_or_else(|| document.pages.clone(), |page| pages_of(text, page)),
        read_at: page.map(|page| page.read_at.clone()),
        prompt_injection: match page {
            Some(page) => page.prompt_injection.clone(),
            None => detect_prompt_injection(text),
        },
        credibility: credibility(&facts, &run.context.settings.credibility),
        sha256,
    }
}

/// Returns the page of a byte of a source, if that has pages.
pub(super) fn page(sources: &[Source], id: &str, at: usize) -> Option<usize> {
    let source = sources.iter().find(|source| source.id == id)?;
    source.pages.page(at)
}

/// Writes a source. If a killed run wrote the same source, it is reused; a different source of the
/// same number is superseded.
pub(super) fn write_source(run: StageRun<'_>, source: &Source, text: &str) -> Result<()> {
    let workspace = run.workspace;
    let json = record_file(&source.id);
    let markdown = format!("sources/{}.md", source.id);
    let reason = "another source has taken its number";
    if let Some(bytes) = workspace.read(&markdown)?
        && bytes != text.as_bytes()
    {
        workspace.supersede(&markdown, reason)?;
    }
    if let Some(bytes) = workspace.read(&json)? {
        let is_same = artifact::parse::<Artifact<Source>>(&bytes)
            .is_ok_and(|written| written.content == *source);
        if is_same && workspace.read(&markdown)?.is_some() {
            return Ok(());
        }
        workspace.supersede(&json, reason)?;
    }
    // The text goes first: a source that has its JSON file is complete.
    workspace.write(&markdown, text.as_bytes())?;
    run.write_checkpoint(&json, &documents_of_sources(run)?, source)
}

/// The file that records a source, beside its text.
fn record_file(source: &str) -> String {
    format!("sources/{source}.json")
}

/// The file that says of which documents a source is that is written now, if others were researched
/// before: then it may have the number of another text, which a finding of those may quote.
fn documents_of_sources(run: StageRun<'_>) -> Result<Vec<String>> {
    let superseded = fs::read_dir(run.workspace.root().join(SUPERSEDED));
    let mut superseded = superseded.into_iter().flatten().flatten();
    let had_others = superseded.any(|moved| moved.path().join(Manifest::FILE).is_file());
    let has_documents = had_others && run.workspace.read(Manifest::FILE)?.is_some();
    let file = has_documents.then(|| Manifest::FILE.to_owned());
    Ok(file.into_iter().collect())
}

/// `true` if the sources that a finding quotes were written from other documents than it: their
/// numbers may be those of other texts now.
pub(super) fn quotes_replaced_sources(run: StageRun<'_>, finding: &StepFinding) -> Result<bool> {
    let sources: BTreeSet<&String> = finding.passages.iter().map(|own| &own.source).collect();
    for source in sources {
        let Some(bytes) = run.workspace.read(&record_file(source))? else {
            continue;
        };
        let written = artifact::parse::<Artifact<Source>>(&bytes).ok();
        let documents = written.and_then(|own| own.provenance.inputs.get(Manifest::FILE).cloned());
        if documents.is_some() && documents != finding.manifest {
            return Ok(true);
        }
    }
    Ok(false)
}
