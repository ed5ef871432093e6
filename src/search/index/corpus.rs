//! The corpus of an index: the files below the roots of a library, and the reader of them.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::pipeline::Stamp;
use crate::read::{Reader, SourceFile};

/// The documents that an index is built of.
#[derive(Clone, Copy)]
pub(in crate::search) struct Corpus<'a> {
    pub(in crate::search) roots: &'a [PathBuf],
    /// The files below the roots, sorted by name.
    pub(in crate::search) files: &'a [SourceFile],
    pub(in crate::search) reader: &'a Reader,
    /// The number of threads that read files, at most.
    pub(in crate::search) threads: usize,
    /// `true` as soon as nothing more is to be read.
    pub(in crate::search) interrupted: &'a AtomicBool,
}

impl Corpus<'_> {
    /// The stat data of the files.
    pub(super) fn stamps(&self) -> Vec<Option<Stamp>> {
        self.files
            .iter()
            .map(|file| Stamp::of_file(&file.path).ok())
            .collect()
    }
}
