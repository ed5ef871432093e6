//! Where an index is kept: a folder of the cache for each list of roots, and how it is brought up
//! to date with the files.
//!
//! Readers take no lock: they open what manifest and stat data say is whole. Only who finds
//! something changed takes the folder's lock, looks again, and lets tantivy add, delete and merge.
//! The index is a cache: one that does not check is built anew, and where it cannot be written, it
//! is built in memory with the same answers.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use tantivy::indexer::LogMergePolicy;
use tantivy::{IndexSettings, IndexWriter, Term};

use super::ingest::Ingester;
use super::manifest::{Entry, Manifest, Outcome};
use super::schema;
use super::{Index, near_duplicates};
use crate::pipeline::{Digest, Disk, Lock, Stamp};
use crate::read::{Reader, SourceFile};

/// Memory of tantivy's writer, in bytes: its least, and what pays for many documents. A segment is
/// written when it is used up.
const MIN_WRITER_BYTES: usize = 15_000_000;
const MAX_WRITER_BYTES: usize = 400_000_000;

/// So many segments of like size are merged into one. Chosen by hand: each segment costs every
/// query a lookup of its terms.
const MERGED_SEGMENTS: usize = 5;

/// A segment of which this share is deleted is written anew.
const MAX_DELETED: f32 = 0.5;

/// An index, and the files that it covers.
pub(in crate::search) struct Opened {
    pub(in crate::search) index: Index,
    /// By name, one for each file.
    pub(in crate::search) entries: Vec<Entry>,
    /// The number of documents that were read, not taken from the cache.
    pub(in crate::search) read: usize,
    /// The reason if the cache could not be used.
    pub(in crate::search) problem: Option<String>,
}

/// The documents that an index is built of.
#[derive(Clone, Copy)]
pub(in crate::search) struct Corpus<'a> {
    pub(in crate::search) roots: &'a [PathBuf],
    /// The files below the roots, sorted by name.
    pub(in crate::search) files: &'a [SourceFile],
    pub(in crate::search) reader: &'a Reader,
    /// The number of threads that read files, at most.
    pub(in crate::search) threads: usize,
}

/// Opens the index of a corpus, and brings it up to date with its files.
///
/// # Errors
/// When the index can be built neither in the cache nor in memory.
pub(in crate::search) fn open(corpus: Corpus<'_>, cache: Option<&Path>) -> Result<Opened> {
    let stamps = corpus.stamps();
    let problem = match cache.map(|cache| open_on_disk(cache, corpus, &stamps)) {
        Some(Ok(opened)) => return Ok(opened),
        Some(Err(error)) => Some(format!("{error:#}")),
        None => None,
    };
    // The same code over another directory of tantivy's, so the answers are the same bytes.
    let (schema, _) = schema::schema();
    let index = tantivy::Index::create_in_ram(schema);
    let mut manifest = Manifest::default();
    let read = update(&index, &mut manifest, corpus, &stamps)?;
    Ok(Opened {
        index: Index::open(&index, &manifest.entries)?,
        entries: manifest.entries,
        read,
        problem,
    })
}

fn open_on_disk(cache: &Path, corpus: Corpus<'_>, stamps: &[Option<Stamp>]) -> Result<Opened> {
    let folder = Folder::of(cache, corpus)?;
    if let Ok(opened) = folder.load(corpus.files, stamps) {
        return Ok(opened);
    }
    let _lock = Lock::acquire(&folder.path, true, "the documents were opened")?;
    // Another process may have done the work meanwhile.
    if let Ok(opened) = folder.load(corpus.files, stamps) {
        return Ok(opened);
    }
    folder.update(corpus, stamps)
}

impl Corpus<'_> {
    /// The stat data of the files.
    fn stamps(&self) -> Vec<Option<Stamp>> {
        self.files
            .iter()
            .map(|file| Stamp::of_file(&file.path).ok())
            .collect()
    }
}

/// The folder of one list of roots.
struct Folder {
    path: PathBuf,
    /// The build of this program and the reader's limits, on which an index depends as well.
    program: String,
}

impl Folder {
    fn of(cache: &Path, corpus: Corpus<'_>) -> Result<Self> {
        // The hash of the canonical roots, so that the folder is the same from any directory.
        let mut key = String::new();
        for root in corpus.roots {
            let real = root.canonicalize()?;
            key.push_str(&Digest::of(real.as_os_str().as_encoded_bytes()).to_string());
        }
        let path = cache.join(format!("documents-{}", Digest::of(&key).short()));
        Disk::default().create_cache(&path)?;
        let build = std::env::current_exe().and_then(|program| Stamp::of_file(&program));
        let build = build.map(|stamp| format!("{stamp:?}")).unwrap_or_default();
        let version = env!("CARGO_PKG_VERSION");
        Ok(Self {
            path,
            program: format!("{version} {build} {}", corpus.reader.max_bytes),
        })
    }

    /// The index, if it is whole and no file has changed.
    fn load(&self, files: &[SourceFile], stamps: &[Option<Stamp>]) -> Result<Opened> {
        let manifest = Manifest::load(&self.path, &self.program)?;
        ensure!(manifest.is_fresh(files, stamps), "documents have changed");
        let index = self.tantivy(&manifest)?;
        Ok(Opened {
            index: Index::open(&index, &manifest.entries)?,
            entries: manifest.entries,
            read: 0,
            problem: None,
        })
    }

    /// Tantivy's index as the manifest describes it.
    fn tantivy(&self, manifest: &Manifest) -> Result<tantivy::Index> {
        let index = tantivy::Index::open_in_dir(&self.path)?;
        let (schema, _) = schema::schema();
        ensure!(index.schema() == schema, "another schema");
        let opstamp = index.load_metas()?.opstamp;
        ensure!(opstamp == manifest.opstamp, "another commit");
        Ok(index)
    }

    /// Brings the index up to date, or builds it anew if what is there does not check.
    fn update(&self, corpus: Corpus<'_>, stamps: &[Option<Stamp>]) -> Result<Opened> {
        let present = Manifest::load(&self.path, &self.program).and_then(|manifest| {
            let index = self.tantivy(&manifest)?;
            Ok((manifest, index))
        });
        let (mut manifest, tantivy) = match present {
            Ok(present) => present,
            Err(_) => (Manifest::default(), self.create()?),
        };
        self.program.clone_into(&mut manifest.program);
        let read = update(&tantivy, &mut manifest, corpus, stamps)?;
        // The manifest is written last: a crash before leaves one that does not check, and the next
        // process builds the index anew.
        let index = Index::open(&tantivy, &manifest.entries)?;
        manifest.opstamp = tantivy.load_metas()?.opstamp;
        manifest.index_files = self.index_files(&tantivy)?;
        manifest.save(&self.path)?;
        Ok(Opened {
            index,
            entries: manifest.entries,
            read,
            problem: None,
        })
    }

    /// An empty index in place of what is there.
    fn create(&self) -> Result<tantivy::Index> {
        for entry in std::fs::read_dir(&self.path)? {
            let path = entry?.path();
            // The lock is held, and stays what other processes wait for.
            if path.is_file() && !path.ends_with(".lock") {
                std::fs::remove_file(&path)
                    .with_context(|| format!("failed to remove {}", path.display()))?;
            }
        }
        let (schema, _) = schema::schema();
        let settings = IndexSettings {
            // Most indexes are small, and a thread for LZ4 would be started for each.
            docstore_compress_dedicated_thread: false,
            ..IndexSettings::default()
        };
        let builder = tantivy::Index::builder().schema(schema).settings(settings);
        Ok(builder.create_in_dir(&self.path)?)
    }

    /// The stat data of the files of the present commit: a segment's files begin with its id.
    fn index_files(&self, index: &tantivy::Index) -> Result<Vec<(String, Stamp)>> {
        let ids = index.searchable_segment_ids()?;
        let segments: Vec<String> = ids
            .iter()
            .map(tantivy::index::SegmentId::uuid_string)
            .collect();
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&self.path)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let belongs = |id: &String| name.starts_with(id.as_str());
            if name == "meta.json" || segments.iter().any(belongs) {
                files.push((name, Stamp::of_file(&entry.path())?));
            }
        }
        files.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        Ok(files)
    }
}

/// Adds what is new among the files to the index and deletes what is gone or has changed. Returns
/// how many documents were read.
fn update(
    index: &tantivy::Index,
    manifest: &mut Manifest,
    corpus: Corpus<'_>,
    stamps: &[Option<Stamp>],
) -> Result<usize> {
    let (_, fields) = schema::schema();
    let changes = Changes::of(std::mem::take(&mut manifest.entries), corpus.files, stamps);
    let mut entries = changes.unchanged;
    if !changes.fresh.is_empty() || !changes.deleted.is_empty() {
        schema::register(index);
        let writer = writer(index, &changes.fresh)?;
        // A changed document is deleted under its old id and added under a new one.
        for id in &changes.deleted {
            writer.delete_term(Term::from_field_u64(fields.id, *id));
        }
        let ingester = Ingester {
            reader: corpus.reader,
            threads: corpus.threads,
            writer: &writer,
            fields,
            first_id: manifest.next_id,
        };
        entries.extend(ingester.ingest(&changes.fresh)?);
        manifest.next_id += changes.fresh.len() as u64;
        commit(writer)?;
    }
    let read = entries[entries.len() - changes.fresh.len()..]
        .iter()
        .filter_map(Entry::document)
        .count();
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    // Near-duplicates depend on which documents there are and on their order, on nothing else.
    if read > 0 || !changes.deleted.is_empty() {
        mark_near_duplicates(index, &mut entries)?;
    }
    manifest.entries = entries;
    Ok(read)
}

fn writer(index: &tantivy::Index, fresh: &[SourceFile]) -> tantivy::Result<IndexWriter> {
    let bytes: u64 = fresh
        .iter()
        .filter_map(|file| Some(std::fs::metadata(&file.path).ok()?.len()))
        .sum();
    // The postings of small documents take several times their texts in memory. With less, a first
    // indexing would write many segments, only to merge them.
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    let budget = bytes
        .saturating_mul(4)
        .clamp(MIN_WRITER_BYTES, MAX_WRITER_BYTES);
    // One thread writes segments; reading and analysing, which take longer, have their own.
    let writer = index.writer_with_num_threads(1, budget)?;
    let mut policy = LogMergePolicy::default();
    policy.set_min_num_segments(MERGED_SEGMENTS);
    policy.set_del_docs_ratio_before_merge(MAX_DELETED);
    writer.set_merge_policy(Box::new(policy));
    Ok(writer)
}

/// Commits, merges, and removes the files that are not needed any more.
fn commit(mut writer: IndexWriter) -> tantivy::Result<()> {
    writer.commit()?;
    writer.wait_merging_threads()
}

/// The differences between an index and the files.
struct Changes {
    unchanged: Vec<Entry>,
    /// The files to read: new ones and changed ones.
    fresh: Vec<SourceFile>,
    /// The ids of documents that are gone or changed.
    deleted: Vec<u64>,
}

impl Changes {
    /// Compares entries and files, both sorted by name, in one pass.
    fn of(entries: Vec<Entry>, files: &[SourceFile], stamps: &[Option<Stamp>]) -> Self {
        let mut changes = Self {
            unchanged: Vec::with_capacity(entries.len()),
            fresh: Vec::new(),
            deleted: Vec::new(),
        };
        // A merge join: what is skipped on the left is gone, what has no partner on the right is
        // new.
        let mut entries = entries.into_iter().peekable();
        for (file, stamp) in files.iter().zip(stamps) {
            while let Some(gone) = entries.next_if(|entry| entry.name < file.name) {
                changes.delete(&gone);
            }
            match entries.next_if(|entry| entry.name == file.name) {
                Some(entry) if entry.is_unchanged(stamp.as_ref()) => changes.unchanged.push(entry),
                changed => {
                    changed.iter().for_each(|entry| changes.delete(entry));
                    changes.fresh.push(file.clone());
                }
            }
        }
        entries.for_each(|gone| changes.delete(&gone));
        changes
    }

    fn delete(&mut self, entry: &Entry) {
        self.deleted
            .extend(entry.document().map(|document| document.id));
    }
}

/// Finds the near-duplicates among all documents: which one counts as the original depends on all
/// of them. The sketches are columns of the index, so no text is read for it.
fn mark_near_duplicates(index: &tantivy::Index, entries: &mut [Entry]) -> Result<()> {
    let opened = Index::open(index, entries)?;
    let (hashes, ends) = opened.sketches()?;
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let sketches: Vec<&[u32]> = starts
        .zip(&ends)
        .map(|(start, end)| &hashes[start..*end])
        .collect();
    let originals = near_duplicates::originals(&sketches);
    let documents = entries
        .iter_mut()
        .filter_map(|entry| match &mut entry.outcome {
            Outcome::Document(document) => Some(document),
            Outcome::Failure(_) => None,
        });
    for (document, original) in documents.zip(originals) {
        document.duplicate_of = original.map(|number| number as u32);
    }
    Ok(())
}
