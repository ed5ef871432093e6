//! Libraries that are open, so that all sessions of one process over the same documents read them
//! once, and take them apart once.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;

use super::sentences::Sentences;
use crate::read::Reader;
use crate::search::Library;

/// Libraries that are kept open; the one that was not asked for the longest goes first.
const KEPT: usize = 4;

/// Opened once and shared. Whoever asks first reads the documents, and the others wait for that.
#[derive(Clone, Default)]
pub struct Libraries {
    open: Arc<Mutex<Vec<Shelf>>>,
}

/// Documents, and their library once it was asked for.
type Shelf = (Vec<PathBuf>, Slot);

type Slot = Arc<Mutex<Option<Open>>>;

/// A library, and what its documents come apart into.
#[derive(Clone)]
pub(super) struct Open {
    pub(super) library: Arc<Library>,
    pub(super) sentences: Arc<Sentences>,
}

impl Libraries {
    /// The library of these documents, with what `cache` keeps of them.
    pub(super) fn open(
        &self,
        roots: &[PathBuf],
        reader: &Reader,
        cache: Option<&Path>,
    ) -> Result<Open> {
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
        // Each session names the same documents by way of its own directory.
        let real = |root: &PathBuf| fs::canonicalize(root).unwrap_or_else(|_| root.clone());
        let roots: Vec<PathBuf> = roots.iter().map(real).collect();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = match open.iter().position(|(other, _)| *other == roots) {
            Some(place) => open.remove(place).1,
            None => Slot::default(),
        };
        open.push((roots, slot.clone()));
        if open.len() > KEPT {
            open.remove(0);
        }
        slot
    }
}
