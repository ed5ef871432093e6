//! The corpus of an index: the files below the roots of a library, and the reader of them.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

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
    /// When nothing more is to be read.
    pub(in crate::search) until: Until<'a>,
}

/// The end of the time in which documents are read.
#[derive(Clone, Copy)]
pub struct Until<'a> {
    /// `true` as soon as nothing more is to be done at all.
    pub interrupted: &'a AtomicBool,
    /// The moment from which on no other document is begun, and one that a child process reads is
    /// given up, if there is one.
    pub deadline: Option<Instant>,
}

impl<'a> Until<'a> {
    /// No end until a flag is set.
    pub fn interrupted(interrupted: &'a AtomicBool) -> Self {
        Self {
            interrupted,
            deadline: None,
        }
    }

    /// `true` if no other document is to be begun.
    pub(super) fn is_over(&self) -> bool {
        let now = Instant::now();
        self.deadline.is_some_and(|deadline| deadline <= now)
    }
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
