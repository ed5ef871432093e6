//! A document that can be searched.

use std::path::{Path, PathBuf};

use super::index::DocumentRecord;
use crate::artifact::source::{DocumentStatus, PageStarts, Publication};
use crate::read::{Kind, SourceFile};
use crate::text::Language;

/// The share of its score that a draft, or a withdrawn or superseded document, keeps: it yields to
/// one in force that answers about as well (chosen by hand).
const NOT_IN_FORCE_SHARE: f64 = 0.85;

/// A document that can be searched.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchableDocument {
    /// Its path below the folder that was searched.
    pub locator: String,
    /// Its title.
    pub title: String,
    /// The kind of the file.
    pub kind: Kind,
    /// Its author or authors, as written.
    pub author: Option<String>,
    /// Its date in ISO 8601 as far as it is given.
    pub date: Option<String>,
    /// Its status by its own header or a notice at its top.
    pub status: DocumentStatus,
    /// Where it was published, by its own header.
    pub publication: Publication,
    /// Bytes of its clean text.
    pub bytes: u64,
    /// Where its pages begin in that.
    pub pages: PageStarts,
    /// `true` if more text follows, which is not read.
    pub is_cut: bool,
    /// The first document of nearly the same words, which may differ in a number or a name.
    pub duplicate_of: Option<usize>,
    /// The first document that says the same in the same words: the two are one source.
    pub repeats: Option<usize>,
    pub(super) path: PathBuf,
    pub(super) language: Language,
    pub(super) checksum: u32,
}

impl SearchableDocument {
    /// The document of a file by its record in the index.
    pub(super) fn of(file: SourceFile, record: DocumentRecord) -> Self {
        Self {
            locator: file.name,
            title: record.title,
            kind: record.kind,
            author: record.author,
            date: record.date,
            status: record.status.map(|status| *status).unwrap_or_default(),
            publication: record.publication.map(|own| *own).unwrap_or_default(),
            bytes: record.bytes,
            pages: record.pages,
            is_cut: record.is_cut,
            duplicate_of: record.duplicate_of.map(|number| number as usize),
            repeats: record.repeats.map(|number| number as usize),
            path: file.path,
            language: record.language,
            checksum: record.checksum,
        }
    }

    /// Its file: the root as it was named, and the way down from it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The share of its score that it keeps by its status: 1 if it is in force.
    pub fn in_force_share(&self) -> f64 {
        if self.status.is_not_in_force() {
            NOT_IN_FORCE_SHARE
        } else {
            1.0
        }
    }
}
