//! The corpus of one session: its documents and the web pages that were read for it, as one library
//! that is opened when a step first needs it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;

use super::reading::{Reading, Subject};
use super::web::PAGES;
use crate::artifact::collected::PageRecord;
use crate::artifact::documents::{Documents, TopicTerm};
use crate::search::{Library, SearchableDocument};
use crate::stage::libraries::Open;
use crate::stage::stage_run::{SESSION, StageRun};

/// The checkpoint of what there was to be searched.
const DOCUMENTS: &str = "research/documents.json";

/// The corpus of one session.
pub(super) struct Corpus<'a> {
    run: StageRun<'a>,
    /// The terms of the topic.
    terms: Vec<String>,
    /// The web pages that were read for this session.
    pages: Vec<PageRecord>,
    /// The files that record these pages.
    page_files: Vec<String>,
    /// The library of documents and pages, once opened.
    open: Option<Open>,
    /// The readings made so far, by subject: most steps have the topic for theirs.
    readings: BTreeMap<String, Arc<Reading>>,
    /// The count of the documents, once made.
    documents: Option<Documents>,
}

impl<'a> Corpus<'a> {
    /// The corpus of a session, without any web page yet.
    pub(super) fn new(run: StageRun<'a>, terms: &[String]) -> Self {
        Self {
            run,
            terms: terms.to_vec(),
            pages: Vec::new(),
            page_files: Vec::new(),
            open: None,
            readings: BTreeMap::new(),
            documents: None,
        }
    }

    /// Adds web pages, and the file that records them: from here on they are searched too.
    pub(super) fn add_pages(&mut self, file: String, pages: &[PageRecord]) {
        self.page_files.push(file);
        self.pages.extend_from_slice(pages);
        // The library and what was read of it lack the new pages.
        self.open = None;
        self.readings.clear();
    }

    /// The web pages that were read, or tried, for this session.
    pub(super) fn pages(&self) -> &[PageRecord] {
        &self.pages
    }

    /// The files that record these pages.
    pub(super) fn page_files(&self) -> &[String] {
        &self.page_files
    }

    /// Returns the record of the web page that a document is, if it is one.
    pub(super) fn page_of(&self, document: &SearchableDocument) -> Option<&PageRecord> {
        self.pages
            .iter()
            .find(|page| self.page_path(page).as_deref() == Some(document.path()))
    }

    /// Returns the path of a page's text, if the page was read.
    fn page_path(&self, page: &PageRecord) -> Option<PathBuf> {
        let file = page.file.as_ref()?;
        Some(self.run.workspace.root().join(format!("{PAGES}/{file}")))
    }

    /// Returns how many documents there were to be searched, counted once in a session.
    pub(super) fn documents(&mut self) -> Result<Documents> {
        if let Some(documents) = &self.documents {
            return Ok(documents.clone());
        }
        // The library is opened only if there is no checkpoint: opening it reads every document.
        let documents = match self.run.read_checkpoint(DOCUMENTS)? {
            Some(documents) => documents,
            None => {
                let counted = self.count()?;
                let inputs = [SESSION.to_owned()];
                self.run.write_checkpoint(DOCUMENTS, &inputs, &counted)?;
                counted
            }
        };
        self.documents = Some(documents.clone());
        Ok(documents)
    }

    fn count(&mut self) -> Result<Documents> {
        let library = self.library()?;
        let terms = self.terms.iter().map(|term| TopicTerm {
            term: term.clone(),
            documents: library.document_frequency(term),
        });
        Ok(Documents {
            searched: library.documents.len(),
            failures: library.failures.clone(),
            terms: terms.collect(),
        })
    }

    /// Returns the library of documents and pages, opened if it is not yet.
    pub(super) fn library(&mut self) -> Result<Arc<Library>> {
        Ok(self.open()?.library)
    }

    /// Returns the sentences that can be quoted on a subject.
    pub(super) fn reading(&mut self, subject: &Subject) -> Result<Arc<Reading>> {
        if let Some(reading) = self.readings.get(&subject.words) {
            return Ok(reading.clone());
        }
        let reading = Arc::new(Reading::of(&self.open()?, subject)?);
        self.readings.insert(subject.words.clone(), reading.clone());
        Ok(reading)
    }

    fn open(&mut self) -> Result<Open> {
        if let Some(open) = &self.open {
            return Ok(open.clone());
        }
        self.run.progress("reading the documents")?;
        let context = self.run.context;
        // Each page by itself: other files in their folder were not read for this session.
        let pages: Vec<PathBuf> = self
            .pages
            .iter()
            .filter_map(|page| self.page_path(page))
            .collect();
        // An index that holds a session's own pages is of no use to other sessions.
        let cache = context.settings.cache_dir().filter(|_| pages.is_empty());
        let roots = [context.documents.clone(), pages].concat();
        let open = context
            .libraries
            .open(&roots, &context.reader, cache.as_deref())?;
        Ok(self.open.insert(open).clone())
    }
}
