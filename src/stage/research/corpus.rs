//! The corpus of a session: its documents and the web pages that were read for it, as a single
//! library that is opened when a step first needs it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;

use super::retrieval::{Retrieval, Subject};
use super::web::PAGES;
use crate::artifact::collected::PageRecord;
use crate::artifact::documents::{Documents, TopicTerm};
use crate::artifact::{self, Classification};
use crate::pipeline::{Event, Manifest};
use crate::search::{Library, SearchableDocument};
use crate::stage::libraries::Open;
use crate::stage::stage_run::{SESSION, StageRun};
use crate::text::{self, Language};

/// The checkpoint of the documents that were searched.
const DOCUMENTS: &str = "research/documents.json";

/// The maximum number of documents that are named as not read.
const NAMED_FAILURES: usize = 5;

/// The corpus of a session.
#[derive(Clone)]
pub(super) struct Corpus<'a> {
    run: StageRun<'a>,
    /// The documents to search, besides web pages.
    roots: Vec<PathBuf>,
    topic: String,
    /// The terms of the topic.
    terms: Vec<String>,
    /// `true` if posts answer the topic, since it asks for opinions; else threads are no documents.
    reads_threads: bool,
    /// The web pages that were read for this session.
    pages: Vec<PageRecord>,
    /// The files that record these pages.
    page_files: Vec<String>,
    /// The library of documents and pages, once opened.
    open: Option<Open>,
    /// A cache of retrievals, by subject: most steps share the topic as their subject.
    retrievals: BTreeMap<String, Arc<Retrieval>>,
    /// The count of the documents, once made.
    documents: Option<Documents>,
}

/// The maximum number of documents that are opened before it is certain that they are needed
/// (chosen by hand: they are read for the first time in less time than a model takes to answer).
const MAX_OPENED_AHEAD: usize = 500;

/// The sentences of the retrievals that are cached. One that does not fit empties the cache. Chosen
/// by hand: some 30 MiB, and far more than retrievals from documents of common lengths have.
const CACHED_SENTENCES: usize = 100_000;

/// Opens the library of these documents into the cache of libraries while a model classifies the
/// topic, and warms it by a search. An error is left to the step that needs the library.
pub(super) fn open_ahead(run: StageRun<'_>, topic: &str, documents: &[PathBuf]) {
    let (context, workspace) = (run.context, run.workspace);
    let manifest = workspace.read_required(Manifest::FILE).ok();
    let manifest = manifest.and_then(|bytes| artifact::parse::<Manifest>(&bytes).ok());
    let is_small = manifest.is_some_and(|own| (1..=MAX_OPENED_AHEAD).contains(&own.files.len()));
    if is_small && !documents.is_empty() {
        let cache = context.settings.cache_dir();
        let libraries = &context.libraries;
        let opened = libraries.open(run.until(), documents, &context.reader, cache.as_deref());
        // The first search of a library makes what the others share.
        drop(opened.map(|open| open.library.search(topic, 1)));
    }
}

/// The library of the documents that a topic is compared with before it is researched, and their
/// roots; `None` if they cannot be opened, which is left to the step that needs them.
pub(super) fn opened(run: StageRun<'_>, documents: Vec<PathBuf>) -> Option<(Vec<PathBuf>, Open)> {
    if documents.is_empty() {
        return None;
    }
    let context = run.context;
    let cache = context.settings.cache_dir();
    let libraries = &context.libraries;
    let opened = libraries.open(run.until(), &documents, &context.reader, cache.as_deref());
    Some((documents, opened.ok()?))
}

/// The words of a topic that no document of a library has, each as the documents write it.
pub(super) fn respelled(library: &Library, topic: &str) -> BTreeMap<String, String> {
    if !library.has_language_of(topic) {
        return BTreeMap::new();
    }
    let language = Language::of_question(topic);
    let words = text::words(topic).map(|word| word.text);
    let words = words.filter(|word| !language.is_stop_word(&text::fold(word)));
    let respelled = |word: &str| Some((word.to_owned(), library.respelled(word)?));
    words.filter_map(respelled).collect()
}

impl<'a> Corpus<'a> {
    /// The corpus of a session, before any web page is added.
    pub(super) fn new(
        run: StageRun<'a>,
        topic: &str,
        classification: &Classification,
        documents: Vec<PathBuf>,
    ) -> Self {
        Self {
            run,
            topic: topic.to_owned(),
            reads_threads: classification.asks_for_opinions,
            roots: documents,
            terms: classification.terms.clone(),
            pages: Vec::new(),
            page_files: Vec::new(),
            open: None,
            retrievals: BTreeMap::new(),
            documents: None,
        }
    }

    /// Takes over the library of these roots, if it is the one of the corpus: a run whose time is
    /// over would not read the documents a second time.
    pub(super) fn take_over(&mut self, (roots, open): &(Vec<PathBuf>, Open)) {
        if self.pages.is_empty() && *roots == self.roots {
            self.open = Some(open.clone());
        }
    }

    /// Adds web pages, which are searched from now on, and the file that records them.
    pub(super) fn add_pages(&mut self, file: String, pages: &[PageRecord]) {
        self.page_files.push(file);
        self.pages.extend_from_slice(pages);
        // The open library, its retrievals and the count lack the new pages.
        self.open = None;
        self.retrievals.clear();
        self.documents = None;
    }

    /// The documents to search, besides web pages.
    pub(super) fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// The web pages that were read, or tried, for this session.
    pub(super) fn pages(&self) -> &[PageRecord] {
        &self.pages
    }

    /// The files that record these pages.
    pub(super) fn page_files(&self) -> &[String] {
        &self.page_files
    }

    /// `true` if a page is a document: a thread only is if posts answer the topic.
    pub(super) fn holds(&self, page: &PageRecord) -> bool {
        self.reads_threads || !page.is_thread
    }

    /// `true` if threads are documents.
    pub(super) fn reads_threads(&self) -> bool {
        self.reads_threads
    }

    /// Returns the record of a document that is a web page.
    pub(super) fn page_of(&self, document: &SearchableDocument) -> Option<&PageRecord> {
        self.pages.iter().find(|page| self.is_page(page, document))
    }

    /// `true` if a document is this page.
    pub(super) fn is_page(&self, page: &PageRecord, document: &SearchableDocument) -> bool {
        self.page_path(page).as_deref() == Some(document.path())
    }

    /// Opens a page that was read, as a library of its own.
    pub(super) fn open_page(&self, page: &PageRecord) -> Result<Open> {
        let path = self.page_path(page).into_iter().collect::<Vec<_>>();
        Open::new(self.run.until(), &path, &self.run.context.reader, None)
    }

    /// Returns the path of a page's text, if the page was read.
    fn page_path(&self, page: &PageRecord) -> Option<PathBuf> {
        let file = page.file.as_ref()?;
        Some(self.run.workspace.root().join(format!("{PAGES}/{file}")))
    }

    /// Returns the number of documents to search, counted once per session.
    pub(super) fn documents(&mut self) -> Result<Documents> {
        if let Some(documents) = &self.documents {
            return Ok(documents.clone());
        }
        // The library is opened only if there is no checkpoint: opening it reads every document.
        let counted = if self.pages.is_empty() {
            self.run.read_checkpoint(DOCUMENTS)?
        } else {
            // A checkpoint may be of the documents before these pages were read.
            None
        };
        let documents = match counted {
            Some(documents) => documents,
            None => {
                let counted = self.count()?;
                let mut inputs = [SESSION, Manifest::FILE].map(str::to_owned).to_vec();
                inputs.extend(self.page_files.iter().cloned());
                self.run.write_checkpoint(DOCUMENTS, &inputs, &counted)?;
                counted
            }
        };
        self.documents = Some(documents.clone());
        Ok(documents)
    }

    fn count(&mut self) -> Result<Documents> {
        let library = self.library()?;
        let context = self.run.context;
        if self.pages.is_empty() && context.web_client.is_none() {
            library.require_documents(&self.roots)?;
        }
        // A word of another language is none that is misspelt.
        let has_language = library.has_language_of(&self.topic);
        let terms = self.terms.iter().map(|term| TopicTerm {
            term: term.clone(),
            documents: library.document_frequency(term),
            similar: library.similar_word(term).filter(|_| has_language),
        });
        // The report names a page by its address, and says what is not read of it.
        let is_page = |name: &str| {
            let mut pages = self.pages.iter();
            pages.any(|page| page.cut_at.is_some() && page.file.as_deref() == Some(name))
        };
        let mut failures = library.failures.clone();
        failures.retain(|failure| !is_page(&failure.locator));
        let documents = Documents {
            searched: library.documents.len(),
            failures,
            passed_over: library.passed_over.clone(),
            other_languages: library.other_languages(&self.topic),
            near_languages: library.near_languages(&self.topic)?,
            terms: terms.collect(),
        };
        self.report_skipped(&documents)?;
        Ok(documents)
    }

    /// Reports the documents that were not read, or not to their end: the answer may be in one of
    /// them.
    fn report_skipped(&self, documents: &Documents) -> Result<()> {
        let passed_over = usize::from(documents.passed_over.files > 0);
        let remarks = documents.not_read(NAMED_FAILURES);
        let failures = remarks.len() - passed_over;
        for (number, remark) in remarks.into_iter().enumerate() {
            let remark = if number < failures {
                format!("not read: {remark}")
            } else {
                remark
            };
            self.run.report(Event::DocumentsSkipped { remark })?;
        }
        Ok(())
    }

    /// Returns the library of documents and pages, opened on first use.
    pub(super) fn library(&mut self) -> Result<Arc<Library>> {
        Ok(self.open()?.library)
    }

    /// Retrieves the documents on a subject, once per subject.
    pub(super) fn retrieve(&mut self, subject: &Subject) -> Result<Arc<Retrieval>> {
        if let Some(retrieval) = self.retrievals.get(&subject.words) {
            return Ok(retrieval.clone());
        }
        let retrieval = Arc::new(Retrieval::of(&self.open()?, subject)?);
        let cached = self.retrievals.values().map(|own| own.sentences.len());
        if cached.sum::<usize>() + retrieval.sentences.len() > CACHED_SENTENCES {
            self.retrievals.clear();
        }
        self.retrievals
            .insert(subject.words.clone(), retrieval.clone());
        Ok(retrieval)
    }

    /// Retrieves what the documents that answer a topic best say on another subject; if none does,
    /// the documents on that subject.
    pub(super) fn retrieve_beside(
        &mut self,
        topic: &Subject,
        subject: &Subject,
    ) -> Result<Arc<Retrieval>> {
        let documents = self.retrieve(topic)?.leading();
        if documents.is_empty() {
            return self.retrieve(subject);
        }
        Ok(Arc::new(Retrieval::within(
            &self.open()?,
            subject,
            documents,
        )?))
    }

    /// Opens the library of documents and pages, with their sentences.
    pub(super) fn open(&mut self) -> Result<Open> {
        if let Some(open) = &self.open {
            return Ok(open.clone());
        }
        self.run.progress("reading the documents")?;
        let context = self.run.context;
        // Page by page: their folder may contain files that were not read for this session.
        let pages: Vec<PathBuf> = self
            .pages
            .iter()
            .filter(|page| self.holds(page))
            .filter_map(|page| self.page_path(page))
            .collect();
        // An index that holds a session's own pages is of no use to other sessions.
        let cache = context.settings.cache_dir().filter(|_| pages.is_empty());
        let roots = [self.roots.clone(), pages].concat();
        let open =
            context
                .libraries
                .open(self.run.until(), &roots, &context.reader, cache.as_deref())?;
        Ok(self.open.insert(open).clone())
    }
}
