//! The documents, what is known of them, and how they answer a query.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};

use super::cache::{self, Collected};
use super::duplicates;
use super::entities::Names;
use super::feedback::Neighbours;
use super::index::Index;
use super::language::Language;
use super::lexicon::Lexicon;
use super::passages::{self, Content, Matched};
use super::question::Question;
use super::rank::{self, Ranked, Ranking};
use super::record::{self, Record, Span};
use super::store::Part;
use crate::artifact::documents;
use crate::artifact::research::Failure;
use crate::read::{Kind, Reader, walk};
use crate::text;

/// Texts that are kept in memory once they were asked for, in bytes.
const KEPT_BYTES: usize = 32 << 20;

/// A document that can be searched.
#[derive(Debug, Clone, PartialEq)]
pub struct LibraryDocument {
    /// Its path below the folder that was searched.
    pub locator: String,
    /// Its title.
    pub title: String,
    /// What the file was.
    pub kind: Kind,
    /// Its author or authors, as written.
    pub author: Option<String>,
    /// Its date in ISO 8601 as far as it is given.
    pub date: Option<String>,
    /// Bytes of its clean text.
    pub bytes: u64,
    /// The first document that says nearly the same, word for word: the two are one source.
    pub duplicate_of: Option<usize>,
    path: PathBuf,
    language: Language,
    part: usize,
    text: Span,
}

impl LibraryDocument {
    /// Its file: the root as it was named, and the way down from it.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A part of a document that a query found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Place of the document in [`Library::documents`].
    pub document: usize,
    /// Place of the block in [`Content::blocks`] that it is, or is a piece of.
    pub block: usize,
    /// Its first byte in [`Content::text`].
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// How well it answers by itself and by its document, 0 to 1, comparable within one search.
    pub score: f64,
    /// How well it matches by itself, as a share of the best match.
    pub own: f64,
}

/// Documents and their index.
pub struct Library {
    /// By locator.
    pub documents: Vec<LibraryDocument>,
    /// What could not be read.
    pub failures: Vec<Failure>,
    /// Documents that were read and indexed when this was opened; all others were known from
    /// before.
    pub indexed: usize,
    /// Why the cache could not be used, if it could not.
    pub problem: Option<String>,
    languages: Vec<Language>,
    index: Index,
    names: Names,
    neighbours: Neighbours,
    lexicon: Lexicon,
    parts: Vec<Part>,
    reader: Reader,
    kept: Mutex<BTreeMap<usize, Arc<Content>>>,
}

impl Library {
    /// Opens the documents below `roots`. What has not changed since an earlier opening is taken
    /// from the folder `cache`, if one is given. A document that cannot be read is kept as a
    /// failure.
    ///
    /// # Errors
    /// When a root does not exist or cannot be listed.
    pub fn open(roots: &[PathBuf], reader: &Reader, cache: Option<&Path>) -> Result<Self> {
        let walked = walk(roots, &reader.kinds)?;
        let collected = cache::collect(roots, walked, reader, cache);
        let Collected {
            mut parts,
            documents,
            failures,
            read,
            problem,
        } = collected;
        let segments: Vec<_> = parts.iter().map(|part| &part.segment).collect();
        let places: Vec<_> = documents.iter().map(|one| (one.part, one.record)).collect();
        let index = Index::new(&segments, &places);
        let records: Vec<&Record> = places
            .iter()
            .map(|(part, record)| &segments[*part].records[*record])
            .collect();
        let sketches: Vec<&[u32]> = records
            .iter()
            .map(|record| record.sketch.as_slice())
            .collect();
        let originals = duplicates::originals(&sketches);
        let mut names = Names::default();
        let mut languages = vec![Language::default()];
        for (place, record) in records.iter().enumerate() {
            names.add(place, &documents[place].found.name, &record.aliases);
            languages.push(record.language);
        }
        languages.sort_unstable();
        languages.dedup();
        let documents: Vec<LibraryDocument> = documents
            .into_iter()
            .zip(records.iter().zip(originals))
            .map(|(located, (record, duplicate_of))| LibraryDocument {
                locator: located.found.name,
                title: record.title.clone(),
                kind: record.kind,
                author: record.author.clone(),
                date: record.date.clone(),
                bytes: record.text.length,
                duplicate_of,
                path: located.found.path,
                language: record.language,
                part: located.part,
                text: record.text,
            })
            .collect();
        // What the index has taken over need not be held twice.
        for part in &mut parts {
            part.segment = record::Segment::default();
        }
        Ok(Self {
            neighbours: Neighbours::new(documents.len()),
            documents,
            failures,
            indexed: read,
            problem,
            languages,
            index,
            names,
            lexicon: Lexicon::default(),
            parts,
            reader: reader.clone(),
            kept: Mutex::default(),
        })
    }

    /// The text of a document and its parts.
    ///
    /// # Errors
    /// When the text was lost and the file does not hold it any more.
    pub fn content(&self, document: usize) -> Result<Arc<Content>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(content) = kept.get(&document) {
            return Ok(content.clone());
        }
        let found = &self.documents[document];
        let text = self.text(found)?;
        let content = Content::new(found.kind, found.title.clone(), found.language, text);
        let content = Arc::new(content);
        let held: usize = kept.values().map(|content| content.text.len()).sum();
        if held + content.text.len() > KEPT_BYTES {
            kept.clear();
        }
        kept.insert(document, content.clone());
        Ok(content)
    }

    /// The text that was indexed: as it was put away, or as the file still holds it.
    fn text(&self, document: &LibraryDocument) -> Result<String> {
        let put_away = self.parts[document.part].text(document.text);
        let Err(problem) = put_away else {
            return put_away;
        };
        let changed = || {
            format!(
                "{} has changed while it was used; run again",
                document.locator
            )
        };
        let read = self.reader.read(&document.path).with_context(changed)?;
        let is_same = crc32fast::hash(read.text.as_bytes()) == document.text.checksum
            && read.text.len() as u64 == document.text.length;
        ensure!(is_same, "{} ({problem:#})", changed());
        Ok(read.text)
    }

    /// The best documents for a query, best first, at most `limit`, ties by place.
    ///
    /// # Errors
    /// When a document that the query names cannot be read any more.
    pub fn rank(&self, query: &str, limit: usize) -> Result<Vec<Ranked>> {
        let question = Question::new(query, &self.languages, &self.index);
        self.ranked(&question, limit)
    }

    /// The best documents by BM25 alone: what [`Library::rank`] is measured against.
    pub fn rank_plain(&self, query: &str, limit: usize) -> Vec<Ranked> {
        let question = Question::new(query, &self.languages, &self.index);
        rank::ordered(&self.index.scores(&question.terms), limit)
    }

    fn ranked(&self, question: &Question, limit: usize) -> Result<Vec<Ranked>> {
        let ranking = Ranking {
            index: &self.index,
            names: &self.names,
            neighbours: &self.neighbours,
            lexicon: &self.lexicon,
            content: &|document| self.content(document),
        };
        ranking.rank(question, limit)
    }

    /// The best parts for a query, best first, at most `limit`, ties by place.
    ///
    /// # Errors
    /// When a document that was found cannot be read any more.
    pub fn search(&self, query: &str, limit: usize) -> Result<Vec<Hit>> {
        Ok(passages::hits(&self.matched(query, limit)?, limit))
    }

    /// The best part of each document in the order of [`Library::rank`], then other parts, best
    /// first, at most `limit` in all.
    ///
    /// # Errors
    /// When a document that was found cannot be read any more.
    pub fn results(&self, query: &str, limit: usize) -> Result<Vec<Hit>> {
        Ok(passages::results(&self.matched(query, limit)?, limit))
    }

    /// The best documents for a query and how well their passages match, enough for so many
    /// passages.
    fn matched(&self, query: &str, limit: usize) -> Result<Vec<(Ranked, Vec<Matched>)>> {
        let question = Question::new(query, &self.languages, &self.index);
        let ranked = self.ranked(&question, passages::documents(limit))?;
        let query = passages::Query::new(&question, &self.index, &self.lexicon);
        let mut found = Vec::with_capacity(ranked.len());
        for ranked in ranked {
            let matched = self.content(ranked.document)?.matched(&query);
            found.push((ranked, matched));
        }
        Ok(found)
    }

    /// In how many documents a term of [`text::terms`] stands.
    pub fn document_frequency(&self, term: &str) -> usize {
        let terms = self.numbers(term);
        match terms.as_slice() {
            [] => 0,
            [one] => self.index.frequency(*one),
            _ => {
                let holds =
                    |place: &usize| terms.iter().any(|term| self.index.holds(*place, *term));
                (0..self.documents.len()).filter(holds).count()
            }
        }
    }

    /// Whether a document holds a term.
    pub fn holds(&self, document: usize, term: &str) -> bool {
        let mut terms = self.numbers(term).into_iter();
        terms.any(|term| self.index.holds(document, term))
    }

    /// Whether the title of a document holds a term.
    pub fn title_holds(&self, document: usize, term: &str) -> bool {
        text::terms(&self.documents[document].title)
            .iter()
            .any(|own| own == term)
    }

    /// How much a term tells, see [`documents::weight`].
    pub fn weight(&self, term: &str) -> f64 {
        documents::weight(self.documents.len(), self.document_frequency(term))
    }

    /// The index's terms for a stem of [`text::stem`].
    fn numbers(&self, stem: &str) -> Vec<u32> {
        let terms = self
            .languages
            .iter()
            .flat_map(|language| language.terms_of(stem));
        let mut numbers: Vec<u32> = terms.filter_map(|term| self.index.term(&term)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(files: &[(&str, &str)]) -> Library {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Library::open(
            &[folder.path().to_owned()],
            &Reader::new("/nonexistent"),
            None,
        )
        .unwrap()
    }

    #[test]
    fn the_paragraph_that_speaks_of_it_comes_first() {
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
        assert!(library.title_holds(0, "pump") && !library.title_holds(0, "wheel"));
    }

    #[test]
    fn chinese_is_found_by_its_characters() {
        let library = library(&[
            ("a.md", "# 热泵\n\n热泵可以在旧房子里使用。\n"),
            ("b.md", "# 蜜蜂\n\n蜜蜂酿蜜。\n"),
        ]);
        let hits = library.search("热泵好吗？", 5).unwrap();
        assert_eq!(library.documents[hits[0].document].locator, "a.md");
    }

    #[test]
    fn what_a_named_document_mentions_comes_after_it() {
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
    fn what_cannot_be_read_is_named_without_its_folder() {
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
