//! The library: documents, their index, and the answers to queries over them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use schemars::JsonSchema;
use serde::Serialize;

use super::contents::Contents;
use super::document::SearchableDocument;
use super::index::analyzer::Term;
use super::index::corpus::{Corpus, Until};
use super::index::storage::{self, Opened};
use super::index::{Index, Outcome, without_path};
use super::query::Query;
use super::query::entities;
use super::query::feedback::{Neighbours, Ranking};
use super::query::passages::{self, Content, Hit, PassageQuery, ScoredDocument};
use super::query::rank;
use super::query::top_k::Ranked;
use super::superseded;
use crate::artifact::documents::{self, PassedOver};
use crate::artifact::research::Failure;
use crate::artifact::source::DocumentStatus;
use crate::read::{ReadError, Reader, omission, walk};
use crate::text::{Language, line_number};

/// The number of unreadable files that an error names; chosen by hand.
const NAMED_FAILURES: usize = 5;

/// Documents and their index.
pub struct Library {
    /// By locator.
    pub documents: Vec<SearchableDocument>,
    /// The files and folders that could not be read, or not whole.
    pub failures: Vec<Failure>,
    /// The files that were passed over, as their kind is not read.
    pub passed_over: PassedOver,
    /// The number of documents that were read and indexed when this was opened; all others were in
    /// the index.
    pub indexed: usize,
    /// The reason if the cache could not be used.
    pub problem: Option<String>,
    pub(super) languages: Vec<Language>,
    pub(super) index: Index,
    neighbours: Neighbours,
    reader: Reader,
    contents: Mutex<Contents>,
}

/// A passage that answers a query.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Passage {
    /// Its place among the results, from 1.
    pub rank: usize,
    /// The score, 0 to 1; above it, the query names the document.
    pub score: f64,
    /// The document.
    pub file: String,
    /// The title of the document.
    pub title: String,
    /// The author, if it names one.
    pub author: Option<String>,
    /// The date, if it states one.
    pub date: Option<String>,
    /// The status of the document, if it states one.
    pub status: Option<DocumentStatus>,
    /// The file that this file nearly duplicates.
    pub duplicate_of: Option<String>,
    /// The headings above the passage, outermost first.
    pub headings: Vec<String>,
    /// The offset of its first byte in the clean text, as `research read` prints it.
    pub start: usize,
    /// The offset after its last byte.
    pub end: usize,
    /// The line of its first byte in the clean text, from 1.
    pub line: usize,
    /// The page of its first byte in a PDF, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
    /// The words.
    pub text: String,
}

impl Library {
    /// Opens the documents below `roots`. What has not changed since an earlier opening is taken
    /// from the index in the folder `cache`, if one is given. A document that cannot be read
    /// becomes a failure.
    ///
    /// # Errors
    /// When a root does not exist or cannot be listed, or no index can be built.
    pub fn open(roots: &[PathBuf], reader: &Reader, cache: Option<&Path>) -> Result<Self> {
        let goes_on = AtomicBool::new(false);
        Self::open_until(Until::interrupted(&goes_on), roots, reader, cache)
    }

    /// [`Library::open`], which stops before the next document once it is interrupted; after the
    /// deadline, each that is left becomes a failure.
    ///
    /// # Errors
    /// Also [`crate::pipeline::Interrupted`].
    pub fn open_until(
        until: Until<'_>,
        roots: &[PathBuf],
        reader: &Reader,
        cache: Option<&Path>,
    ) -> Result<Self> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self::open_with(roots, reader, cache, (threads, until))
    }

    /// [`Library::open_until`] with at most so many threads that read files.
    fn open_with(
        roots: &[PathBuf],
        reader: &Reader,
        cache: Option<&Path>,
        (threads, until): (usize, Until<'_>),
    ) -> Result<Self> {
        let listing = walk(roots, &reader.kinds)?;
        let corpus = Corpus {
            roots,
            files: &listing.files,
            reader,
            threads,
            until,
        };
        let Opened {
            index,
            entries,
            read,
            problem,
        } = storage::open(corpus, cache)?;
        let mut failures: Vec<Failure> = listing
            .failures
            .iter()
            .map(|failure| walk_failure(roots, failure))
            .collect();
        let mut languages = vec![Language::default()];
        let mut documents = Vec::with_capacity(entries.len());
        for (file, entry) in listing.files.into_iter().zip(entries) {
            match entry.outcome {
                Outcome::Failure(problem) => failures.push(Failure {
                    locator: file.name,
                    problem,
                }),
                Outcome::Document(record) => {
                    if record.is_cut {
                        failures.push(Failure {
                            problem: omission(&file.name, record.bytes),
                            locator: file.name.clone(),
                        });
                    }
                    if !languages.contains(&record.language) {
                        languages.push(record.language);
                    }
                    documents.push(SearchableDocument::of(file, record));
                }
            }
        }
        mark_superseded(&mut documents, &index);
        failures.sort_by(|a, b| a.locator.cmp(&b.locator));
        languages.sort_unstable();
        Ok(Self {
            documents,
            failures,
            passed_over: listing.passed_over,
            indexed: read,
            problem,
            languages,
            index,
            neighbours: Neighbours::default(),
            reader: reader.clone(),
            contents: Mutex::default(),
        })
    }

    /// Checks that there is anything to search below `roots`.
    ///
    /// # Errors
    /// When no document could be read: what the roots hold instead, and why it was not read.
    pub fn require_documents(&self, roots: &[PathBuf]) -> Result<(), ReadError> {
        if roots.is_empty() || !self.documents.is_empty() {
            return Ok(());
        }
        let mut problems: Vec<String> = self
            .failures
            .iter()
            .take(NAMED_FAILURES)
            .map(|failure| failure.problem.clone())
            .collect();
        let others = self.failures.len() - problems.len();
        if others > 0 {
            problems.push(format!("{others} more could not be read"));
        }
        Err(ReadError::no_documents(roots, problems, &self.passed_over))
    }

    /// The text of a document and its parts.
    ///
    /// # Errors
    /// When the text was lost and the file does not hold it any more.
    pub fn content(&self, document: usize) -> Result<Arc<Content>> {
        let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hit) = contents.get(document) {
            return Ok(hit);
        }
        let text = self.text(document)?;
        let SearchableDocument {
            kind,
            title,
            language,
            ..
        } = &self.documents[document];
        let content = Content::new(kind, title.clone(), *language, text);
        let content = Arc::new(content);
        // The lock is held while a text is loaded, so that no two threads load the same one.
        contents.insert(document, content.clone());
        Ok(content)
    }

    /// The text that was indexed: as the index stores it, or as the file still holds it.
    fn text(&self, document: usize) -> Result<String> {
        let indexed = &self.documents[document];
        let is_indexed = |text: &str| {
            let checksum = crc32fast::hash(text.as_bytes());
            text.len() as u64 == indexed.bytes && checksum == indexed.checksum
        };
        // A damaged block of the store is no reason to fail while the file is as it was.
        let stored = self.index.text(document);
        if let Ok(text) = &stored
            && is_indexed(text)
        {
            return stored;
        }
        let changed = || {
            let file = &indexed.locator;
            format!("{file} has changed while it was used; run again")
        };
        let read = self.reader.read(&indexed.path).with_context(changed)?;
        ensure!(is_indexed(&read.text), changed());
        Ok(read.text)
    }

    /// The best documents for a query, best first, at most `limit`, ties by number.
    ///
    /// # Errors
    /// When a document that the query names cannot be read any more.
    pub fn rank(&self, query: &str, limit: usize) -> Result<Vec<Ranked>> {
        self.ranked(&self.query(query), limit)
    }

    /// The same, where a repetition is stood for by its original: a hundred copies would
    /// otherwise leave no room for it.
    ///
    /// # Errors
    /// As [`Library::rank`].
    pub fn rank_originals(&self, query: &str, limit: usize) -> Result<Vec<Ranked>> {
        Ok(self.originals(self.rank(query, limit)?))
    }

    /// The originals of ranked documents, each once.
    fn originals(&self, mut ranked: Vec<Ranked>) -> Vec<Ranked> {
        let mut seen = HashSet::new();
        ranked.retain_mut(|own| {
            let document = &self.documents[own.document];
            own.document = document.repeats.unwrap_or(own.document);
            seen.insert(own.document)
        });
        ranked
    }

    /// The document of this library that replaces another one, by its status; `None` if none does.
    pub fn successor(&self, document: usize) -> Option<usize> {
        let SearchableDocument { status, title, .. } = &self.documents[document];
        let name = status.superseded_by.as_deref()?;
        let documents = || self.documents.iter();
        let of_title = documents().map(|own| &*own.title);
        let successor = entities::document_of_name(&self.index, name)
            .or_else(|| superseded::edition_named(of_title, title, name))
            .or_else(|| superseded::named_beside(&named(&self.documents), document, name))
            .or_else(|| documents().position(|own| own.locator == name));
        successor.filter(|successor| *successor != document)
    }

    /// The documents that a query names by number, as in "RFC 2094", and its other words; `None` if
    /// it names none.
    pub fn cited(&self, query: &str) -> Option<(Vec<usize>, String)> {
        let query = self.query(query);
        let citations = entities::citations(&query, &self.index);
        let is_named = |number: usize| {
            citations
                .iter()
                .any(|name| (name.start..name.end).contains(&number))
        };
        let rest: Vec<&str> = query
            .words
            .iter()
            .enumerate()
            .filter(|(number, _)| !is_named(*number))
            .map(|(_, word)| word.text.as_str())
            .collect();
        let documents: Vec<usize> = citations
            .iter()
            .flat_map(|name| name.documents.iter().copied())
            .collect();
        (!documents.is_empty()).then(|| (documents, rest.join(" ")))
    }

    /// The best documents by BM25 alone: what [`Library::rank`] is measured against.
    pub fn rank_plain(&self, query: &str, limit: usize) -> Vec<Ranked> {
        rank::ranked(&self.index.scores(&self.query(query).terms), limit)
    }

    fn query(&self, query: &str) -> Query {
        Query::new(query, &self.languages, &self.index)
    }

    fn ranked(&self, query: &Query, limit: usize) -> Result<Vec<Ranked>> {
        let ranking = Ranking {
            index: &self.index,
            neighbours: &self.neighbours,
            content: &|document| self.content(document),
        };
        ranking.rank(query, limit)
    }

    /// The best passages for a query, best first, at most `limit`, ties by position.
    ///
    /// # Errors
    /// When a document that was ranked cannot be read any more.
    pub fn search(&self, query: &str, limit: usize) -> Result<Vec<Hit>> {
        let scored = self.scored(query, limit, |ranked| self.originals(ranked))?;
        Ok(passages::hits_by_score(&scored, limit))
    }

    /// The best passage of each document in the order of [`Library::rank`], in which what is not in
    /// force yields, then other passages, best first, at most `limit` in all.
    ///
    /// # Errors
    /// When a document that was ranked cannot be read any more.
    pub fn results(&self, query: &str, limit: usize) -> Result<Vec<Hit>> {
        let mut scored = self.scored(query, limit, |ranked| ranked)?;
        for ScoredDocument { ranked, .. } in &mut scored {
            // A document that the query names scores above 1, and stays where it is.
            if ranked.score <= 1.0 {
                ranked.score *= self.documents[ranked.document].in_force_share();
            }
        }
        scored.sort_by(|a, b| b.ranked.score.total_cmp(&a.ranked.score));
        Ok(passages::hits_by_document(&scored, limit))
    }

    /// The passages of [`Library::results`], for people and other programs.
    ///
    /// # Errors
    /// When a document that was ranked cannot be read any more.
    pub fn passages(&self, query: &str, limit: usize) -> Result<Vec<Passage>> {
        let hits = self.results(query, limit)?;
        let passages = (1..).zip(&hits);
        passages
            .map(|(rank, hit)| self.passage(rank, hit))
            .collect()
    }

    fn passage(&self, rank: usize, hit: &Hit) -> Result<Passage> {
        let document = &self.documents[hit.document];
        let content = self.content(hit.document)?;
        let original = document.duplicate_of.map(|index| &self.documents[index]);
        Ok(Passage {
            rank,
            // Three decimals: further digits are noise of floating-point sums.
            score: (hit.score * 1000.0).round() / 1000.0,
            file: document.locator.clone(),
            title: document.title.clone(),
            author: document.author.clone(),
            date: document.date.clone(),
            status: Some(document.status.clone()).filter(|status| !status.is_empty()),
            duplicate_of: original.map(|original| original.locator.clone()),
            headings: content.blocks[hit.block].headings.to_vec(),
            start: hit.start,
            end: hit.end,
            line: line_number(&content.text, hit.start),
            page: document.pages.page(hit.start),
            text: content.text[hit.start..hit.end].to_owned(),
        })
    }

    /// The best documents for a query, of them those that are `chosen`, and the scores of their
    /// passages, enough for so many hits.
    fn scored(
        &self,
        query: &str,
        limit: usize,
        chosen: impl Fn(Vec<Ranked>) -> Vec<Ranked>,
    ) -> Result<Vec<ScoredDocument>> {
        let query = self.query(query);
        let ranked = chosen(self.ranked(&query, passages::documents_to_score(limit))?);
        let query = PassageQuery::new(&query, &self.index);
        let mut scored = Vec::with_capacity(ranked.len());
        for ranked in ranked {
            let content = self.content(ranked.document)?;
            scored.push(ScoredDocument {
                ranked,
                passages: content.score(&query),
                content,
            });
        }
        Ok(scored)
    }

    /// The document frequency of a term of [`crate::text::terms()`].
    pub fn document_frequency(&self, term: &str) -> usize {
        match self.terms(term).as_slice() {
            [] => 0,
            [one] => self.index.frequency(*one),
            several => self.index.frequency_of_any(several),
        }
    }

    /// `true` for a term that half of a large collection has.
    pub fn is_common(&self, term: &str) -> bool {
        documents::is_common(self.document_frequency(term), self.documents.len())
    }

    /// `true` if a document contains a term.
    pub fn holds(&self, document: usize, term: &str) -> bool {
        self.terms(term)
            .into_iter()
            .any(|term| self.index.contains(document, term))
    }

    /// The language of most of a document's words.
    pub fn language(&self, document: usize) -> Language {
        self.documents[document].language
    }

    /// The inverse passage frequency of a stem of [`Language::stem`], as BM25 has it; of a pair of
    /// ideographs, which are indexed one by one, that of the rarer.
    pub fn passage_idf(&self, stem: &str) -> f64 {
        let idf = |stem: &str| match self.index.term(stem) {
            Some(term) => self.index.idf_of_passages(term),
            None => self.index.idf_of_unknown(),
        };
        if stem.is_ascii() || self.index.term(stem).is_some() {
            return idf(stem);
        }
        let characters: Vec<String> = stem.chars().map(String::from).collect();
        match characters.as_slice() {
            [one, other] => idf(one).max(idf(other)),
            _ => idf(stem),
        }
    }

    /// The idf weight of a term, see [`documents::idf_weight`].
    pub fn weight(&self, term: &str) -> f64 {
        documents::idf_weight(self.documents.len(), self.document_frequency(term))
    }

    /// The terms of the index for a stem of [`crate::text::stem`].
    pub(super) fn terms(&self, stem: &str) -> Vec<Term> {
        let mut terms: Vec<Term> = self
            .languages
            .iter()
            .flat_map(|language| language.terms_of(stem))
            .filter_map(|term| self.index.term(&term))
            .collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    }
}

/// What the documents are called by.
fn named(documents: &[SearchableDocument]) -> Vec<superseded::Named<'_>> {
    let named = documents.iter().map(|own| superseded::Named {
        title: &own.title,
        status: &own.status,
        date: own.date.as_deref(),
        doi: own.publication.doi.as_deref(),
        locator: &own.locator,
    });
    named.collect()
}

/// Marks the documents that others say are retracted, or in force say that they replace.
fn mark_superseded(documents: &mut [SearchableDocument], index: &Index) {
    for (number, notice) in superseded::retracted(&named(documents)) {
        documents[number].status.retract_by(&notice);
    }
    for (number, successor) in superseded::replaced(&named(documents), index) {
        documents[number].status.supersede_by(&successor);
    }
}

/// The failure to list a folder, named below its root.
fn walk_failure(roots: &[PathBuf], failure: &ReadError) -> Failure {
    let path = failure.path();
    let below = roots.iter().find_map(|root| path.strip_prefix(root).ok());
    // A root that is gone has its own name.
    let below = below.filter(|below| !below.as_os_str().is_empty());
    let below = below.or_else(|| path.file_name().map(Path::new));
    let locator = below.unwrap_or(path).display().to_string();
    Failure {
        problem: without_path(&failure.to_string(), path, &locator),
        locator,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    fn library(files: &[(&str, &str)]) -> Library {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Library::open(&[folder.path().to_owned()], &Reader::in_process(), None).unwrap()
    }

    #[test]
    fn best_passage_comes_first() {
        let pumps = "# Pumps\n\nA heat pump moves heat.\n\nA bicycle has two wheels.\n";
        let library = library(&[("a.md", pumps), ("b.md", "# Bees\n\nBees make honey.\n")]);
        let hits = library.search("How many wheels has a bicycle?", 5).unwrap();
        let best = hits[0];
        assert_eq!(library.documents[best.document].locator, "a.md");
        let content = library.content(best.document).unwrap();
        assert_eq!(
            &content.text[best.start..best.end],
            "A bicycle has two wheels."
        );
        assert_eq!(content.blocks[best.block].range, best.start..best.end);
        assert!(library.search("what is the", 5).unwrap().is_empty());
        assert_eq!(library.document_frequency(&text::stem("wheels")), 1);
        assert!(library.holds(0, "bicycl") && !library.holds(1, "bicycl"));
    }

    #[test]
    fn index_stores_term_vectors() {
        let text = "# Red pumps\n\nA pump is red, and pumps hum.\n";
        let library = library(&[("a.md", text), ("b.md", "# Bees\n\nBees hum.\n")]);
        let vector = library.index.frequencies(0).unwrap().into_iter();
        let vector = vector.map(|(term, count)| (library.index.text_of(term), count));
        // The title counts three times, of which the heading is one.
        let expected = [("red", 4), ("pump", 5), ("hum", 1)];
        let expected = expected.map(|(term, count)| (term.to_owned(), count));
        assert_eq!(vector.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn chinese_is_searched_by_characters() {
        let library = library(&[
            ("a.md", "# 热泵\n\n热泵可以在旧房子里使用。\n"),
            ("b.md", "# 蜜蜂\n\n蜜蜂酿蜜。\n"),
        ]);
        let hits = library.search("热泵好吗？", 5).unwrap();
        assert_eq!(library.documents[hits[0].document].locator, "a.md");
    }

    #[test]
    fn entity_links_come_first_then_their_mentions() {
        let library = library(&[
            (
                "a.md",
                "# Red River\n\nRed River is a film. It was directed by Ann Howe in one summer.\n",
            ),
            (
                "b.md",
                "# Ann Howe\n\nAnn Howe came into the world in Perth.\n",
            ),
            (
                "c.md",
                "# Directors\n\nA director of a film is born to it; each film has a director.\n",
            ),
        ]);
        let ranked = library
            .rank("Where was the director of the film Red River born?", 3)
            .unwrap();
        let names: Vec<_> = ranked
            .iter()
            .map(|one| library.documents[one.document].locator.as_str())
            .collect();
        assert_eq!(names, ["a.md", "b.md", "c.md"]);
        assert_eq!(library.rank_plain("director of the film", 1)[0].document, 2);
    }

    #[test]
    fn document_is_superseded_by_one_that_says_so() {
        let library = library(&[
            ("0003-use-a.md", "# 3. Use A\n\n## Status\n\nAccepted\n"),
            (
                "0005-use-b.md",
                "# 5. Use B\n\n## Status\n\nAccepted\n\nSupersedes [3. Use A](0003-use-a.md)\n",
            ),
            ("pep-0007.txt", "PEP: 7\nTitle: C\nStatus: Final\n"),
            (
                "pep-0009.txt",
                "PEP: 9\nTitle: D\nStatus: Draft\nReplaces: 7\n",
            ),
            ("rfc2.txt", "Request for Comments: 2\n\nE is sent.\n"),
            (
                "rfc4.txt",
                "Request for Comments: 4\nObsoletes: 2, 3, 4\n\nF is sent.\n",
            ),
            ("tools.md", "# Tool policy (2021)\n\nTools are lent.\n"),
            (
                "tools2.md",
                "# Tool policy (2025)\n\nIt replaces the tool policy of 2021.\n",
            ),
            (
                "cold2.md",
                "---\nstatus: superseded by version 3 of 2 March 2026\n---\n\n# Cold chain, \
                 version 2\n\nIt is read daily.\n",
            ),
            (
                "cold3.md",
                "# Cold chain, version 3\n\nCommunity Hospital\nEffective from 2 March \
                 2026. Replaces version 2 of 14 May 2023.\n",
            ),
            (
                "stock3.md",
                "# Stock policy, 2023 edition\n\nIt is counted.\n",
            ),
            (
                "stock5.md",
                "# Stock policy, 2025 edition\n\nApproved on 6 October 2025. This edition replaces \
                 the 2023 edition.\n",
            ),
        ]);
        let remarks: Vec<_> = library
            .documents
            .iter()
            .map(|document| document.status.remark())
            .collect();
        let by = |title: &str| Some(format!("superseded by {title}"));
        // A draft replaces nothing yet.
        let expected = [
            by("5. Use B"),
            None,
            by("version 3"),
            None,
            None,
            Some("draft".to_owned()),
            by(&library.documents[7].title),
            None,
            by("Stock policy, 2025 edition"),
            None,
            by("Tool policy (2025)"),
            None,
        ];
        assert_eq!(remarks, expected);
        let successors = [2, 8, 10].map(|replaced| library.successor(replaced));
        assert_eq!(successors, [Some(3), Some(9), Some(11)]);
        let date = library.documents[3].date.as_deref();
        assert_eq!(date, Some("2026-03-02"));
    }

    #[test]
    fn document_of_the_same_title_is_named_by_what_tells_it_apart() {
        let first = "# Policy\n\nEdition 1, in force from 1 March 2019\n\nIt is warm.\n";
        let second =
            "# Policy\n\nEdition 2 of 2024. This edition replaces edition 1.\n\nIt is cold.\n";
        let library = library(&[("a.md", first), ("b.md", second)]);
        let remark = library.documents[0].status.remark();
        assert_eq!(remark.as_deref(), Some("superseded by that of 2024"));
        assert_eq!(library.successor(0), Some(1));
    }

    /// All that a library answers, as text.
    fn answers(library: &Library) -> String {
        let mut answers = format!("{:?}\n", library.failures);
        for document in &library.documents {
            let original = document.duplicate_of;
            answers += &format!("{} {} {original:?}\n", document.locator, document.title);
        }
        for query in [
            "granite crane of the quarry",
            "Works 7",
            "boat tickets",
            "clay 31",
        ] {
            answers += &format!("{:?}\n", library.results(query, 50).unwrap());
            answers += &format!("{:?}\n", library.rank(query, 200).unwrap());
        }
        let terms = ["granit", "boat", "7"];
        answers + &format!("{:?}", terms.map(|term| library.document_frequency(term)))
    }

    fn write_works(docs: &Path, numbers: impl Iterator<Item = usize>) {
        for number in numbers {
            let subject = ["granite and a crane", "boat tickets", "clay, washed"][number % 3];
            let other = number * number % 17;
            let text = format!(
                "# Works {number}\n\nThe quarry {other} has {subject}.\n\n\
                 Part {other} of it sells {subject} to Works {}.\n",
                number % 11
            );
            std::fs::write(docs.join(format!("{number:03}.md")), text).unwrap();
        }
    }

    #[test]
    fn an_interruption_ends_the_reading_of_documents_before_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        let docs = folder.path().join("docs");
        std::fs::create_dir(&docs).unwrap();
        write_works(&docs, 0..3);
        let cache = folder.path().join("cache");
        let open = |is_interrupted, cache| {
            let interrupted = AtomicBool::new(is_interrupted);
            let roots = std::slice::from_ref(&docs);
            let until = Until::interrupted(&interrupted);
            Library::open_until(until, roots, &Reader::in_process(), cache)
        };
        for cache in [None, Some(cache.as_path())] {
            let error = open(true, cache).err().unwrap();
            assert!(error.is::<crate::pipeline::Interrupted>(), "{error:#}");
            // Nothing of it stays that could be taken for the documents.
            assert_eq!(open(false, cache).unwrap().documents.len(), 3);
            // What was read before is not read again.
            assert_eq!(open(true, cache).is_ok(), cache.is_some());
        }
    }

    #[test]
    fn answers_depend_on_documents_alone() {
        assert_answers_alike(None);
        let large = format!("Nothing of the sort.\n{}", "\n".repeat(200_000));
        assert_answers_alike(Some(&large));
    }

    /// Opens documents in several ways, besides a large one that makes an index that is not small.
    fn assert_answers_alike(large: Option<&str>) {
        let folder = tempfile::tempdir().unwrap();
        let docs = folder.path().join("docs");
        std::fs::create_dir(&docs).unwrap();
        let goes_on = AtomicBool::new(false);
        let open = |cache: Option<&str>, threads| {
            let cache = cache.map(|name| folder.path().join(name));
            let reader = Reader::in_process();
            let roots = std::slice::from_ref(&docs);
            Library::open_with(
                roots,
                &reader,
                cache.as_deref(),
                (threads, Until::interrupted(&goes_on)),
            )
            .unwrap()
        };
        if let Some(text) = large {
            std::fs::write(docs.join("large.md"), text).unwrap();
        }
        // Text alone would leave the second thread to tantivy.
        let page = "<html><body><p>The crane of the quarry lifts granite.</p></body></html>";
        std::fs::write(docs.join("page.html"), page).unwrap();
        // Piece by piece, the later documents first, with changes and deletions between.
        write_works(&docs, 60..150);
        std::fs::write(docs.join("gone.md"), "# Works 7\n\nGranite of Works 8.\n").unwrap();
        std::fs::write(
            docs.join("003.md"),
            "# Boat\n\nA crane, before it changed.\n",
        )
        .unwrap();
        open(Some("pieces"), 2);
        std::fs::remove_file(docs.join("gone.md")).unwrap();
        for end in [20, 40, 50, 55, 58, 59, 60] {
            write_works(&docs, 0..end);
            assert_eq!(open(Some("pieces"), 1).problem, None);
        }
        let pieces = open(Some("pieces"), 1);
        let documents = 151 + usize::from(large.is_some());
        assert_eq!((pieces.indexed, pieces.documents.len()), (0, documents));
        let expected = answers(&pieces);
        for (cache, threads) in [(None, 1), (None, 2), (Some("one"), 1), (Some("two"), 2)] {
            assert_eq!(
                answers(&open(cache, threads)),
                expected,
                "{cache:?} {threads}"
            );
        }
        assert_eq!(answers(&open(Some("two"), 1)), expected);
    }

    #[test]
    fn failure_names_the_file_without_its_folder() {
        let library = library(&[("a.md", "# A\n\nSome text.\n"), ("b.txt", "a\0b")]);
        let failure = &library.failures[0];
        assert_eq!(
            (library.failures.len(), failure.locator.as_str()),
            (1, "b.txt")
        );
        let problem = &failure.problem;
        assert!(problem.starts_with("b.txt is not text"), "{problem}");
    }
}
