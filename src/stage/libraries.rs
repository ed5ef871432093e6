//! The LRU cache of open libraries, shared by all sessions of a process, so that documents are
//! opened and split into sentences only once.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::Result;

use super::sentences::Sentences;
use crate::pipeline::{Digest, Manifest, Workspace, read_file};
use crate::read::Reader;
use crate::search::{Library, Until};

/// The capacity of the cache, in libraries; beyond it, LRU eviction closes the least recently used
/// one. Chosen by hand.
const CAPACITY: usize = 4;

/// The LRU cache of open libraries. The first session that needs a library opens it, and the others
/// wait for it.
#[derive(Clone, Default)]
pub struct Libraries {
    /// The entries, least recently used first.
    entries: Arc<Mutex<Vec<CachedLibrary>>>,
}

/// A cache entry: its key, and the library.
struct CachedLibrary {
    key: Key,
    library: LazyLibrary,
}

/// The roots of a library, and the digest of the manifest with the digests of its files: a process
/// that lives long opens documents anew that have changed.
#[derive(PartialEq, Eq)]
struct Key {
    roots: Vec<PathBuf>,
    manifest: Option<Digest>,
}

/// A library that its first user opens; `None` until then.
type LazyLibrary = Arc<Mutex<Option<Open>>>;

/// An open library and the sentences of its documents.
#[derive(Clone)]
pub(super) struct Open {
    pub(super) library: Arc<Library>,
    pub(super) sentences: Arc<Sentences>,
}

impl Open {
    /// Opens the library of these roots, with its index in `cache`, unless the run of the workspace
    /// is interrupted; documents for which there is no time until a deadline are failures.
    pub(super) fn new(
        (workspace, deadline): (&Workspace, Option<Instant>),
        roots: &[PathBuf],
        reader: &Reader,
        cache: Option<&Path>,
    ) -> Result<Self> {
        let until = Until {
            interrupted: workspace.interruption(),
            deadline,
        };
        let library = Library::open_until(until, roots, reader, cache)?;
        let library = Arc::new(library);
        Ok(Self {
            sentences: Arc::default(),
            library,
        })
    }

    /// The library for a session, with the sentences that it shares with others, or none yet.
    fn for_session(&self) -> Self {
        let is_shared = Sentences::are_shared(&self.library);
        Self {
            library: self.library.clone(),
            sentences: if is_shared {
                self.sentences.clone()
            } else {
                Arc::default()
            },
        }
    }
}

impl Libraries {
    /// The library of these roots for the session of a workspace, whose manifest has the digests
    /// of their files; opened with its index in `cache` on a cache miss.
    pub(super) fn open(
        &self,
        (workspace, deadline): (&Workspace, Option<Instant>),
        roots: &[PathBuf],
        reader: &Reader,
        cache: Option<&Path>,
    ) -> Result<Open> {
        // Only this entry is locked while its library opens: others can be opened meanwhile.
        let entry = self.entry(workspace, roots);
        let mut entry = entry.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = &*entry {
            return Ok(open.for_session());
        }
        let open = Open::new((workspace, deadline), roots, reader, cache)?;
        if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            // It may lack documents, which other sessions have the time for.
            return Ok(open);
        }
        Ok(entry.insert(open).for_session())
    }

    /// Returns the entry of these roots, new on a cache miss, as the most recently used one.
    fn entry(&self, workspace: &Workspace, roots: &[PathBuf]) -> LazyLibrary {
        // Canonical paths: each session names the same documents relative to its own directory.
        let roots = roots
            .iter()
            .map(|root| fs::canonicalize(root).unwrap_or_else(|_| root.clone()))
            .collect();
        let manifest = read_file(&workspace.root().join(Manifest::FILE)).ok();
        let key = Key {
            roots,
            manifest: manifest.map(Digest::of),
        };
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let library = match entries.iter().position(|entry| entry.key == key) {
            Some(hit) => entries.remove(hit).library,
            None => LazyLibrary::default(),
        };
        // What was opened before the documents changed is of use to no later session.
        entries.retain(|entry| entry.key.roots != key.roots);
        entries.push(CachedLibrary {
            key,
            library: library.clone(),
        });
        evict_lru(&mut entries);
        library
    }
}

/// LRU eviction: removes the least recently used entry, which is the first, if the cache is over
/// its capacity. Sessions that use its library keep it open.
fn evict_lru(entries: &mut Vec<CachedLibrary>) {
    if entries.len() > CAPACITY {
        entries.remove(0);
    }
}
