//! The manifest of an index on disk: which files it covers, by their stat data, and what of each
//! document is needed before any text is.
//!
//! One file, written after the index that it describes, and checked before either is trusted: its
//! checksum, the program that wrote it, and the stat data of tantivy's files. Those of a small
//! index are in the manifest itself. What does not check is an error, and the index is built anew.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::artifact::source::{DocumentStatus, PageStarts, Publication};
use crate::pipeline::{Disk, Stamp};
use crate::read::{Document, Kind, SourceFile};
use crate::text::Language;

/// The name of the manifest in the folder of the index.
const NAME: &str = "manifest";

/// The first bytes of a manifest. The number goes up with the format.
const MAGIC: &[u8; 8] = b"rsearch7";

/// Magic and CRC-32 of the rest.
const HEADER_BYTES: usize = 8 + 4;

/// The files of an index and the state of tantivy's files.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// The program that wrote it: another build may read or count otherwise.
    pub(super) program: String,
    pub(super) index: IndexFiles,
    /// The next free id of a document.
    pub(super) next_id: u64,
    /// By name.
    pub(super) entries: Vec<FileEntry>,
}

/// Tantivy's files, by name.
#[derive(Serialize, Deserialize)]
pub(super) enum IndexFiles {
    /// A small index: their bytes, which the checksum of the manifest covers.
    Packed(Vec<(String, Vec<u8>)>),
    /// Beside the manifest: the commit of tantivy's index and the stat data of each.
    Mapped(u64, Vec<(String, Stamp)>),
}

impl Default for IndexFiles {
    fn default() -> Self {
        Self::Packed(Vec::new())
    }
}

/// A file below the roots.
#[derive(Clone, Serialize, Deserialize)]
pub(in crate::search) struct FileEntry {
    pub(in crate::search) name: String,
    /// The stat data of the file; `None` if it has to be read again.
    pub(in crate::search) stamp: Option<Stamp>,
    pub(in crate::search) outcome: Outcome,
}

/// The outcome of reading a file.
#[derive(Clone, Serialize, Deserialize)]
pub(in crate::search) enum Outcome {
    Document(DocumentRecord),
    Failure(String),
}

/// A document of the index.
#[derive(Clone, Serialize, Deserialize)]
pub(in crate::search) struct DocumentRecord {
    pub(in crate::search) id: u64,
    /// The sum of its term frequencies.
    pub(in crate::search) length: u32,
    /// The number of its passages, and of terms in them.
    pub(in crate::search) passages: (u32, u32),
    /// The length of its text in bytes, and the CRC-32 of these.
    pub(in crate::search) bytes: u64,
    pub(in crate::search) checksum: u32,
    pub(in crate::search) title: String,
    pub(in crate::search) kind: Kind,
    pub(in crate::search) author: Option<String>,
    pub(in crate::search) date: Option<String>,
    /// Its status, if it states any: few documents do.
    pub(in crate::search) status: Option<Box<DocumentStatus>>,
    /// Where it was published, if it states that.
    pub(in crate::search) publication: Option<Box<Publication>>,
    pub(in crate::search) language: Language,
    pub(in crate::search) pages: PageStarts,
    /// `true` if more text follows, which was not read.
    pub(in crate::search) is_cut: bool,
    /// The first document that it nearly repeats, by number among the documents.
    pub(in crate::search) duplicate_of: Option<u32>,
    /// The first document that says the same in the same words.
    pub(in crate::search) repeats: Option<u32>,
}

impl Manifest {
    /// `true` if it covers exactly these files, none of which has changed since.
    pub(super) fn is_fresh(&self, files: &[SourceFile], stamps: &[Option<Stamp>]) -> bool {
        let unchanged = |((entry, file), stamp): ((&FileEntry, &SourceFile), &Option<Stamp>)| {
            entry.name == file.name && entry.is_unchanged(stamp.as_ref())
        };
        // Both are sorted by name, so one pass in step finds any difference.
        self.entries.len() == files.len()
            && self.entries.iter().zip(files).zip(stamps).all(unchanged)
    }

    /// Writes the manifest into the folder of its index, whole or not at all.
    pub(super) fn save(&self, folder: &Path) -> Result<()> {
        // The checksum stands before what it covers, so its place is filled in at the end.
        let mut bytes = Vec::from(MAGIC);
        bytes.extend_from_slice(&[0; 4]);
        let mut bytes = postcard::to_extend(self, bytes)?;
        let checksum = crc32fast::hash(&bytes[HEADER_BYTES..]);
        bytes[MAGIC.len()..HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
        let path = folder.join(NAME);
        Disk::default()
            .write_cache(&path, bytes.as_slice())
            .with_context(|| format!("failed to write {}", path.display()))
    }

    /// The manifest in the folder of an index, if this program wrote it and nothing has touched the
    /// index since.
    pub(super) fn load(folder: &Path, program: &str) -> Result<Self> {
        let bytes = std::fs::read(folder.join(NAME))?;
        ensure!(bytes.len() > HEADER_BYTES, "the manifest is cut short");
        let (header, body) = bytes.split_at(HEADER_BYTES);
        ensure!(header.starts_with(MAGIC), "not a manifest of this index");
        let checksum = crc32fast::hash(body).to_le_bytes();
        ensure!(header.ends_with(&checksum), "the manifest is damaged");
        let manifest: Self = postcard::from_bytes(body)?;
        ensure!(manifest.program == program, "another build wrote the index");
        // Tantivy's files have CRCs of their own, but to check them would read the whole index:
        // stat data tell as much about a file that something wrote to.
        if let IndexFiles::Mapped(_, files) = &manifest.index {
            for (name, stamp) in files {
                let current = Stamp::of_file(&folder.join(name))?;
                ensure!(current == *stamp, "{name} has changed since it was written");
            }
        }
        Ok(manifest)
    }
}

impl DocumentRecord {
    /// The document as it was read, with a text that is checked against the record.
    pub(super) fn into_document(self, text: String) -> Document {
        Document {
            title: self.title,
            text,
            kind: self.kind,
            author: self.author,
            date: self.date,
            language: None,
            url: None,
            pages: self.pages,
            is_cut: self.is_cut,
            status: self.status.map(|status| *status).unwrap_or_default(),
            publication: self.publication.map(|own| *own).unwrap_or_default(),
        }
    }

    /// `true` if a text is the one that was indexed.
    pub(in crate::search) fn is_text(&self, text: &str) -> bool {
        text.len() as u64 == self.bytes && crc32fast::hash(text.as_bytes()) == self.checksum
    }
}

impl FileEntry {
    /// The document, if reading the file gave one.
    pub(super) fn document(&self) -> Option<&DocumentRecord> {
        match &self.outcome {
            Outcome::Document(document) => Some(document),
            Outcome::Failure(_) => None,
        }
    }

    /// `true` if the file is still as it was read.
    pub(super) fn is_unchanged(&self, stamp: Option<&Stamp>) -> bool {
        self.stamp.is_some() && self.stamp.as_ref() == stamp
    }
}
