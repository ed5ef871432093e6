//! Ingestion: files are read and analysed by several threads and handed to tantivy's writer.
//!
//! The order in which they arrive there decides nothing: documents are identified by their ids, and
//! ranked by name where scores are equal.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::Result;
use tantivy::TantivyDocument;

use super::aliases;
use super::chunks;
use super::corpus::{Corpus, Until};
use super::manifest::{DocumentRecord, FileEntry, Outcome};
use super::near_duplicates;
use super::schema::{self, Fields, Indexed};
use super::tally::{Source, Tallier};
use super::writer::Writer;
use crate::pipeline::{Interrupted, Stamp};
use crate::read::{Document, OUT_OF_TIME, ReadError, Reader, Signature, SourceFile, is_own_report};
use crate::text::{self, Word};

/// A thread is started for this many files; for fewer its start costs more than it saves. Chosen by
/// hand.
const FILES_OF_THREAD: usize = 16;

/// The average bytes of a word with what stands behind it, at least.
const WORD_BYTES: usize = 5;

/// The reason why a report is not read, behind its name.
const OWN_REPORT: &str =
    "is a report of this program: what it quotes is evidence, and it is none of its own";

/// Documents are handed to the writer by so many, since each time may wake its thread. Chosen by
/// hand.
const HANDED_OVER: usize = 32;

/// Puts documents into an index.
pub(super) struct Ingester<'a> {
    /// The reader, which gives documents up at the deadline.
    reader: Reader,
    /// Threads that read and analyse, at most.
    threads: usize,
    until: Until<'a>,
    writer: &'a Writer,
    fields: Fields,
    /// The id of the first file; the others follow.
    first_id: u64,
}

/// A thread that reads and analyses.
#[derive(Default)]
struct Worker {
    /// Its own, so that the cache of stems needs no lock.
    tallier: Tallier,
    /// The documents that the writer does not have yet.
    documents: Vec<TantivyDocument>,
}

impl<'a> Ingester<'a> {
    /// An ingester that gives ids from `first_id` on.
    pub(super) fn new(corpus: Corpus<'a>, writer: &'a Writer, first_id: u64) -> Self {
        let (_, fields) = schema::schema();
        Self {
            reader: Reader {
                deadline: corpus.until.deadline,
                ..corpus.reader.clone()
            },
            threads: corpus.threads,
            until: corpus.until,
            writer,
            fields,
            first_id,
        }
    }

    /// Reads files and adds those that are documents to the index. Returns an entry for each, in
    /// their order.
    ///
    /// # Errors
    /// [`Interrupted`], which is looked for before each file, and those of the index.
    pub(super) fn ingest(&self, files: &[SourceFile]) -> Result<Vec<FileEntry>> {
        let threads = self
            .threads_for(files)
            .min(files.len() / FILES_OF_THREAD)
            .max(1);
        // Each thread takes the next file, so that a large one delays no other.
        let next = AtomicUsize::new(0);
        let work = || -> Result<Vec<(usize, FileEntry)>> {
            let mut worker = Worker::default();
            let mut entries = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(file) = files.get(number) else {
                    self.writer.add(worker.documents)?;
                    return Ok(entries);
                };
                if self.until.interrupted.load(Ordering::SeqCst) {
                    return Err(Interrupted.into());
                }
                let entry = if self.until.is_over() {
                    not_begun(file)
                } else {
                    self.ingest_one(number, file, &mut worker)?
                };
                entries.push((number, entry));
            }
        };
        let mut entries = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut entries: Vec<(usize, FileEntry)> = work()?;
            for other in others {
                let result = other.join();
                entries.extend(result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Result::<_>::Ok(entries)
        })?;
        entries.sort_unstable_by_key(|(number, _)| *number);
        Ok(entries.into_iter().map(|(_, entry)| entry).collect())
    }

    /// The number of threads for which there is work, at most. Text is read and analysed about as
    /// fast as tantivy's thread writes it: with a core for each of our threads and none for that
    /// one, indexing took a sixth longer (`benches/indexing.rs`). Other formats take longer to
    /// read.
    fn threads_for(&self, files: &[SourceFile]) -> usize {
        let is_text = |file: &SourceFile| {
            let kind = self.reader.kinds.by_extension(&file.path);
            kind.is_some_and(|kind| matches!(kind.signature, Signature::None | Signature::AnyText))
        };
        if files.iter().all(is_text) {
            self.threads.saturating_sub(1)
        } else {
            self.threads
        }
    }

    /// Adds documents that another index has read, with the texts that it stores, under the ids
    /// from `next_id` on. Returns their entries, and those of failures as they are.
    pub(super) fn restore(
        &self,
        unchanged: Vec<(FileEntry, String)>,
        mut next_id: u64,
    ) -> tantivy::Result<Vec<FileEntry>> {
        let mut worker = Worker::default();
        let mut entries = Vec::with_capacity(unchanged.len());
        for (entry, text) in unchanged {
            let outcome = match entry.outcome {
                Outcome::Document(record) => {
                    let document = record.into_document(text);
                    let record = self.add(next_id, document, &entry.name, &mut worker)?;
                    next_id += 1;
                    Outcome::Document(record)
                }
                failure @ Outcome::Failure(_) => failure,
            };
            entries.push(FileEntry { outcome, ..entry });
        }
        self.writer.add(worker.documents)?;
        Ok(entries)
    }

    fn ingest_one(
        &self,
        number: usize,
        file: &SourceFile,
        worker: &mut Worker,
    ) -> tantivy::Result<FileEntry> {
        // Stat, read, stat: a file that changes meanwhile is read again next time.
        let before = Stamp::settled(&file.path);
        let read = self.reader.read(&file.path);
        let after = Stamp::of_file(&file.path);
        // Another attempt may fare better where the system or a child process failed.
        let is_final = !read.as_ref().is_err_and(ReadError::is_transient);
        let stamp = match (before, after) {
            (Ok(before), Ok(after)) if is_final && before == after && !after.is_racy() => {
                Some(after)
            }
            _ => None,
        };
        let outcome = match read {
            Ok(document) if is_own_report(&document) => {
                Outcome::Failure(format!("{} {OWN_REPORT}", file.name))
            }
            Ok(document) => {
                let id = self.first_id + number as u64;
                Outcome::Document(self.add(id, document, &file.name, worker)?)
            }
            Err(error) => {
                Outcome::Failure(without_path(&error.to_string(), &file.path, &file.name))
            }
        };
        Ok(FileEntry {
            name: file.name.clone(),
            stamp,
            outcome,
        })
    }

    fn add(
        &self,
        id: u64,
        document: Document,
        name: &str,
        worker: &mut Worker,
    ) -> tantivy::Result<DocumentRecord> {
        let tallier = &mut worker.tallier;
        let blocks = chunks::blocks(document.kind, &document.text);
        // As many as there are in English: a vector that grows is copied several times.
        let mut words: Vec<Word<'_>> = Vec::with_capacity(document.text.len() / WORD_BYTES);
        words.extend(text::signs::words(&document.text));
        let (language, analyzed) = tallier.analyzer.text(&document.text, &words);
        let source = Source {
            title: &document.title,
            text: &document.text,
            blocks: &blocks,
            language,
        };
        let vector = tallier.vector(source, &words, &analyzed);
        let hashes: Vec<u64> = analyzed.iter().map(|word| word.hash).collect();
        let indexed = Indexed {
            id,
            counts: &vector.counts,
            aliases: &aliases::keys(&document, &blocks, name),
            sketch: &near_duplicates::sketch(&hashes),
            fingerprints: &near_duplicates::fingerprints(
                &hashes,
                further_lines(&document.text, &words),
            ),
            text: &document.text,
        };
        let terms = &tallier.analyzer.terms;
        worker.documents.push(self.fields.document(&indexed, terms));
        if worker.documents.len() == HANDED_OVER {
            self.writer.add(std::mem::take(&mut worker.documents))?;
        }
        Ok(DocumentRecord {
            id,
            length: vector.length(),
            passages: vector.passages,
            bytes: document.text.len() as u64,
            checksum: crc32fast::hash(document.text.as_bytes()),
            title: document.title,
            kind: document.kind,
            author: document.author,
            date: document.date,
            status: Some(document.status)
                .filter(|status| !status.is_empty())
                .map(Box::new),
            publication: Some(document.publication)
                .filter(|own| !own.is_empty())
                .map(Box::new),
            language,
            pages: document.pages,
            is_cut: document.is_cut,
            duplicate_of: None,
            repeats: None,
        })
    }
}

/// The numbers of the words with which the second line with words begins, the third and so on.
fn further_lines(text: &str, words: &[Word<'_>]) -> impl Iterator<Item = usize> {
    let pairs = words.windows(2).enumerate();
    pairs.filter_map(|(number, pair)| {
        let between = text.get(pair[0].range.start..pair[1].range.start)?;
        between.contains('\n').then_some(number + 1)
    })
}

/// The entry of a file for which there was no time; another time it is read.
fn not_begun(file: &SourceFile) -> FileEntry {
    FileEntry {
        name: file.name.clone(),
        stamp: None,
        outcome: Outcome::Failure(format!("{}: {OUT_OF_TIME}", file.name)),
    }
}

/// An error without the absolute path in it, so that what is written does not depend on where the
/// documents are.
pub(in crate::search) fn without_path(problem: &str, path: &Path, name: &str) -> String {
    problem.replace(&path.display().to_string(), name)
}
