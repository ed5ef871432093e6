//! Open libraries, shared by all sessions of one process: an LRU cache, so that the documents are
//! opened once and split into sentences once.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;

use super::sentences::Sentences;
use crate::read::Reader;
use crate::search::Library;

/// The number of open libraries; beyond it, LRU eviction closes the least recently used one. Chosen
/// by hand.
const MAX_OPEN: usize = 4;

/// Opened once and shared: the first caller opens a library, and the others wait for it.
#[derive(Clone, Default)]
pub struct Libraries {
    open: Arc<Mutex<Vec<Cached>>>,
}

/// The roots of a library and its slot.
type Cached = (Vec<PathBuf>, Slot);

/// A library once it is open.
type Slot = Arc<Mutex<Option<Open>>>;

/// A library and the sentences of its documents.
#[derive(Clone)]
pub(super) struct Open {
    pub(super) library: Arc<Library>,
    pub(super) sentences: Arc<Sentences>,
}

impl Libraries {
    /// The library of these roots, opened with its index in `cache` on a cache miss.
    pub(super) fn open(
        &self,
        roots: &[PathBuf],
        reader: &Reader,
        cache: Option<&Path>,
    ) -> Result<Open> {
        // Only the slot is locked while a library opens: other libraries can be opened meanwhile.
        let slot = self.slot(roots);
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = &*slot {
            return Ok(open.clone());
        }
        let library = Arc::new(Library::open(roots, reader, cache)?);
        let open = Open {
            sentences: Arc::new(Sentences::of(&library)),
            library,
        };
        Ok(slot.insert(open).clone())
    }

    fn slot(&self, roots: &[PathBuf]) -> Slot {
        // Each session names the same documents by a path from its own directory.
        let roots: Vec<PathBuf> = roots
            .iter()
            .map(|root| fs::canonicalize(root).unwrap_or_else(|_| root.clone()))
            .collect();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = match open.iter().position(|(other, _)| *other == roots) {
            Some(hit) => open.remove(hit).1,
            None => Slot::default(),
        };
        // The most recently used is last, so eviction takes the first.
        open.push((roots, slot.clone()));
        if open.len() > MAX_OPEN {
            open.remove(0);
        }
        slot
    }
}
