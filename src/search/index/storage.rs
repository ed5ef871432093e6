//! Where an index is kept: a folder of the cache for each list of roots, and how it is brought up
//! to date with the files.
//!
//! Readers take no lock: they open what manifest and stat data say is whole. Only who finds
//! something changed takes the folder's lock, looks again, and lets tantivy add, delete and merge.
//! A small index is one file, the manifest with tantivy's files in it, and is loaded into memory.
//! The index is a cache: one that does not check is built anew, and where it cannot be written, it
//! is built in memory with the same answers.

use std::cmp::Reverse;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use foldhash::HashMap;
use tantivy::Term;
use tantivy::directory::{Directory, MmapDirectory, RamDirectory};
use tracing::debug;
use walkdir::WalkDir;

use super::corpus::Corpus;
use super::ingest::Ingester;
use super::manifest::{DocumentRecord, FileEntry, IndexFiles, Manifest, Outcome};
use super::schema::{self, Property};
use super::writer::Writer;
use super::{Index, near_duplicates};
use crate::pipeline::{Digest, Disk, Lock, Stamp};
use crate::read::SourceFile;
use crate::search::cached::PREFIX;

/// Documents of at most so many bytes make a small index: its files are packed into the manifest,
/// and it is written anew from the texts that it stores when a document changes. Chosen by hand:
/// the cost of one change grows with this size, that of tantivy's incremental commit hardly does.
const SMALL_BYTES: u64 = 128 << 10;

/// Documents of at most so many bytes are indexed in memory without tantivy's threads and their
/// tables, such as the pages of a session: for 20 pages those took 9 MiB of memory
/// (`benches/online.rs`). The limit was chosen by hand.
const MEMORY_BYTES: u64 = 8 << 20;

/// An index, and the files that it covers.
pub(in crate::search) struct Opened {
    pub(in crate::search) index: Index,
    /// By name, one for each file.
    pub(in crate::search) entries: Vec<FileEntry>,
    /// The number of documents that were read, not taken from the cache.
    pub(in crate::search) read: usize,
    /// The reason if the cache could not be used.
    pub(in crate::search) problem: Option<String>,
}

/// Opens the index of a corpus, and brings it up to date with its files.
///
/// # Errors
/// When the index can be built neither in the cache nor in memory.
pub(in crate::search) fn open(corpus: Corpus<'_>, cache: Option<&Path>) -> Result<Opened> {
    let stamps = corpus.stamps();
    let problem = match cache.map(|cache| open_on_disk(cache, corpus, &stamps)) {
        Some(Ok(opened)) => return Ok(opened),
        Some(Err(error)) => {
            let problem = format!("{error:#}");
            debug!(problem, "the index cache cannot be used");
            Some(problem)
        }
        None => None,
    };
    // The same code over another directory of tantivy's, so the answers are the same bytes.
    let updated = rebuild(None, corpus, &stamps, MEMORY_BYTES, || {
        Ok(RamDirectory::create().into())
    })?;
    Ok(updated.opened(problem))
}

fn open_on_disk(cache: &Path, corpus: Corpus<'_>, stamps: &[Option<Stamp>]) -> Result<Opened> {
    let folder = Folder::of(cache, corpus)?;
    match folder.load(corpus.files, stamps) {
        Ok(opened) => {
            debug!(documents = opened.index.len(), "index cache hit");
            return Ok(opened);
        }
        Err(error) => debug!(reason = format!("{error:#}"), "index cache miss"),
    }
    let _lock = Lock::acquire(&folder.path, true, "the documents were opened")?;
    // Another process may have done the work meanwhile.
    if let Ok(opened) = folder.load(corpus.files, stamps) {
        return Ok(opened);
    }
    folder.update(corpus, stamps)
}

/// The folder in the cache of the index of these roots.
///
/// # Errors
/// When a root does not exist.
pub fn folder(cache: &Path, roots: &[PathBuf]) -> io::Result<PathBuf> {
    // The hash of the canonical roots, so that the folder is the same from any directory.
    let mut key = String::new();
    for root in roots {
        let real = root.canonicalize()?;
        key.push_str(&Digest::of(real.as_os_str().as_encoded_bytes()).to_string());
    }
    Ok(cache.join(format!("{PREFIX}{}", Digest::of(&key).short())))
}

/// The folder of one list of roots.
struct Folder {
    path: PathBuf,
    /// The build of this program and the reader's limits, on which an index depends as well.
    program: String,
}

impl Folder {
    fn of(cache: &Path, corpus: Corpus<'_>) -> Result<Self> {
        let path = folder(cache, corpus.roots)?;
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
        let index = match &manifest.index {
            IndexFiles::Packed(files) => {
                let directory = RamDirectory::create();
                for (name, bytes) in files {
                    directory.atomic_write(Path::new(name), bytes)?;
                }
                tantivy::Index::open(directory)?
            }
            IndexFiles::Mapped(opstamp, _) => {
                let index = tantivy::Index::open_in_dir(&self.path)?;
                ensure!(index.load_metas()?.opstamp == *opstamp, "another commit");
                index
            }
        };
        let (schema, _) = schema::schema();
        ensure!(index.schema() == schema, "another schema");
        Ok(index)
    }

    /// Brings the index up to date, or builds it anew if what is there does not check.
    fn update(&self, corpus: Corpus<'_>, stamps: &[Option<Stamp>]) -> Result<Opened> {
        let present = Manifest::load(&self.path, &self.program).and_then(|manifest| {
            let index = self.tantivy(&manifest)?;
            Ok((manifest, index))
        });
        let is_small = is_small(stamps);
        if let Err(error) = &present {
            debug!(reason = format!("{error:#}"), "the index is built anew");
        }
        let updated = match present {
            Ok((manifest, index))
                if !is_small && matches!(manifest.index, IndexFiles::Mapped(..)) =>
            {
                amend(&index, manifest, corpus, stamps)?
            }
            present => rebuild(present.ok(), corpus, stamps, SMALL_BYTES, || {
                self.clear()?;
                Ok(MmapDirectory::open(&self.path)?.into())
            })?,
        };
        let index = if is_small {
            self.clear()?;
            packed(&updated.tantivy)?
        } else {
            self.mapped(&updated.tantivy)?
        };
        // The manifest is written last: a crash before leaves one that does not check, and the next
        // process builds the index anew.
        let manifest = Manifest {
            program: self.program.clone(),
            index,
            ..updated.manifest
        };
        manifest.save(&self.path)?;
        Ok(Updated {
            manifest,
            ..updated
        }
        .opened(None))
    }

    /// Removes what is there.
    fn clear(&self) -> Result<()> {
        for entry in WalkDir::new(&self.path).min_depth(1).max_depth(1) {
            let entry = entry?;
            let path = entry.path();
            // The lock is held, and stays what other processes wait for.
            if entry.file_type().is_file() && !path.ends_with(".lock") {
                std::fs::remove_file(path)
                    .with_context(|| format!("failed to remove {}", path.display()))?;
            }
        }
        Ok(())
    }

    /// The commit and the stat data of its files.
    fn mapped(&self, index: &tantivy::Index) -> Result<IndexFiles> {
        let metas = index.load_metas()?;
        let files = names(index, &metas)?.into_iter().map(|name| {
            let stamp = Stamp::of_file(&self.path.join(&name))?;
            Ok((name, stamp))
        });
        Ok(IndexFiles::Mapped(
            metas.opstamp,
            files.collect::<Result<_>>()?,
        ))
    }
}

/// The bytes of the files of an index in memory.
fn packed(index: &tantivy::Index) -> Result<IndexFiles> {
    let files = names(index, &index.load_metas()?)?.into_iter().map(|name| {
        let bytes = index.directory().atomic_read(Path::new(&name))?;
        Ok((name, bytes))
    });
    Ok(IndexFiles::Packed(files.collect::<Result<_>>()?))
}

/// `true` if these files make a small index.
fn is_small(stamps: &[Option<Stamp>]) -> bool {
    size(stamps) <= SMALL_BYTES
}

fn size(stamps: &[Option<Stamp>]) -> u64 {
    stamps.iter().flatten().map(Stamp::size).sum()
}

/// An index that was brought up to date.
struct Updated {
    tantivy: tantivy::Index,
    index: Index,
    manifest: Manifest,
    read: usize,
}

impl Updated {
    /// Opens what was written. `entries` begin with those of the unchanged files.
    fn new(
        tantivy: tantivy::Index,
        mut entries: Vec<FileEntry>,
        next_id: u64,
        read: usize,
        documents_changed: bool,
    ) -> Result<Self> {
        debug!(files = entries.len(), read, "index updated");
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        let index = Index::open(&tantivy, &entries)?;
        // Near-duplicates depend on which documents there are and on their order, on nothing else.
        if documents_changed {
            mark_near_duplicates(&index, &mut entries)?;
        }
        Ok(Self {
            tantivy,
            index,
            manifest: Manifest {
                next_id,
                entries,
                ..Manifest::default()
            },
            read,
        })
    }

    fn opened(self, problem: Option<String>) -> Opened {
        Opened {
            index: self.index,
            entries: self.manifest.entries,
            read: self.read,
            problem,
        }
    }
}

/// Writes a new index, with the texts of an old one for the files that have not changed: one of at
/// most `single_bytes` as a single segment in memory, any other where `directory` says.
fn rebuild(
    old: Option<(Manifest, tantivy::Index)>,
    corpus: Corpus<'_>,
    stamps: &[Option<Stamp>],
    single_bytes: u64,
    directory: impl FnOnce() -> Result<Box<dyn Directory>>,
) -> Result<Updated> {
    // A text that the old index has lost is reason to read all files again.
    let (unchanged, fresh) = old
        .and_then(|(manifest, index)| unchanged(manifest, &index, corpus, stamps).ok())
        .unwrap_or_else(|| (Vec::new(), corpus.files.to_vec()));
    let bytes = size(stamps);
    let writer = if bytes <= single_bytes {
        Writer::single(bytes)?
    } else {
        Writer::create(directory()?, bytes)?
    };
    let ingester = Ingester::new(corpus, &writer, 0);
    let mut entries = ingester.ingest(&fresh)?;
    let read = entries.iter().filter_map(FileEntry::document).count();
    let next_id = corpus.files.len() as u64;
    entries.extend(ingester.restore(unchanged, fresh.len() as u64)?);
    Updated::new(writer.commit()?, entries, next_id, read, true)
}

/// The entries and texts of the files that have not changed, and the files to be read again.
type Unchanged = (Vec<(FileEntry, String)>, Vec<SourceFile>);

/// Compares a corpus with the manifest of an old index.
fn unchanged(
    manifest: Manifest,
    index: &tantivy::Index,
    corpus: Corpus<'_>,
    stamps: &[Option<Stamp>],
) -> Result<Unchanged> {
    let index = Index::open(index, &manifest.entries)?;
    let numbers: HashMap<u64, usize> = manifest
        .entries
        .iter()
        .filter_map(FileEntry::document)
        .enumerate()
        .map(|(number, document)| (document.id, number))
        .collect();
    let changes = Changes::of(manifest.entries, corpus.files, stamps);
    let mut unchanged = Vec::with_capacity(changes.unchanged.len());
    for entry in changes.unchanged {
        let text = match entry.document() {
            Some(document) => {
                let text = index.text(numbers[&document.id])?;
                ensure!(document.is_text(&text), "{} is damaged", entry.name);
                text
            }
            None => String::new(),
        };
        unchanged.push((entry, text));
    }
    Ok((unchanged, changes.fresh))
}

/// Adds what is new among the files to an index and deletes what is gone or has changed.
fn amend(
    index: &tantivy::Index,
    manifest: Manifest,
    corpus: Corpus<'_>,
    stamps: &[Option<Stamp>],
) -> Result<Updated> {
    let (_, fields) = schema::schema();
    let changes = Changes::of(manifest.entries, corpus.files, stamps);
    let mut entries = changes.unchanged;
    let mut next_id = manifest.next_id;
    let mut read = 0;
    if !changes.fresh.is_empty() || !changes.deleted.is_empty() {
        let bytes = changes
            .fresh
            .iter()
            .filter_map(|file| Some(std::fs::metadata(&file.path).ok()?.len()))
            .sum();
        let writer = Writer::open(index.clone(), bytes)?;
        // A changed document is deleted under its old id and added under a new one.
        for id in &changes.deleted {
            let term = Property::Id.term(&id.to_string());
            writer.delete(Term::from_field_text(fields.properties, &term));
        }
        let fresh = Ingester::new(corpus, &writer, next_id).ingest(&changes.fresh)?;
        read = fresh.iter().filter_map(FileEntry::document).count();
        entries.extend(fresh);
        next_id += changes.fresh.len() as u64;
        writer.commit()?;
    }
    let documents_changed = read > 0 || !changes.deleted.is_empty();
    Updated::new(index.clone(), entries, next_id, read, documents_changed)
}

/// The names of the files of a commit, sorted.
fn names(index: &tantivy::Index, metas: &tantivy::IndexMeta) -> Result<Vec<String>> {
    let mut names = vec!["meta.json".to_owned()];
    // Tantivy lists files that a segment may have: one without deletions has no list of them.
    for file in metas.list_segment_files() {
        if index.directory().exists(&file)? {
            names.push(file.to_string_lossy().into_owned());
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// The differences between an index and the files.
struct Changes {
    unchanged: Vec<FileEntry>,
    /// The files to read: new ones and changed ones.
    fresh: Vec<SourceFile>,
    /// The ids of documents that are gone or changed.
    deleted: Vec<u64>,
}

impl Changes {
    /// Compares entries and files, both sorted by name, in one pass.
    fn of(entries: Vec<FileEntry>, files: &[SourceFile], stamps: &[Option<Stamp>]) -> Self {
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

    fn delete(&mut self, entry: &FileEntry) {
        self.deleted
            .extend(entry.document().map(|document| document.id));
    }
}

/// Finds the near-duplicates and the repetitions among all documents: which one counts as the
/// original depends on all of them. The sketches are columns of the index, so no text is read.
fn mark_near_duplicates(index: &Index, entries: &mut [FileEntry]) -> Result<()> {
    let documents = entries
        .iter_mut()
        .filter_map(|entry| match &mut entry.outcome {
            Outcome::Document(document) => Some(document),
            Outcome::Failure(_) => None,
        });
    let mut documents: Vec<&mut DocumentRecord> = documents.collect();
    // Of several versions the one in force counts, and the last of these.
    let is_not_in_force = |document: &DocumentRecord| {
        let status = document.status.as_ref();
        status.is_some_and(|status| status.is_not_in_force())
    };
    let mut order: Vec<usize> = (0..documents.len()).collect();
    order.sort_by_key(|number| {
        let document = &documents[*number];
        (is_not_in_force(document), Reverse(document.date.clone()))
    });
    let (hashes, ends) = index.sketches()?;
    let originals = near_duplicates::originals(&in_order(&hashes, &ends, &order));
    let (fingerprints, ends) = index.fingerprints()?;
    let repeated = near_duplicates::repeated(&in_order(&fingerprints, &ends, &order));
    for ((number, original), repeated) in order.iter().zip(originals).zip(repeated) {
        let own = &mut documents[*number];
        own.duplicate_of = original.map(|original| order[original] as u32);
        own.repeats = repeated.map(|repeated| order[repeated] as u32);
    }
    Ok(())
}

/// The values of each document, of all which end where it is said, in another order of documents.
fn in_order<'a, T>(values: &'a [T], ends: &[usize], order: &[usize]) -> Vec<&'a [T]> {
    let start = |number: &usize| number.checked_sub(1).map_or(0, |before| ends[before]);
    let of = |number: &usize| &values[start(number)..ends[*number]];
    order.iter().map(of).collect()
}
