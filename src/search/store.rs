//! Segments as bytes: how they are written down, checked and read back.
//!
//! A file that does not say what it should is an error, whoever wrote it. Refuses to know when one
//! is made or dropped.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::record::{Segment, Span};
use crate::platform::read_exact_at;

/// The first bytes of every file here. The number goes up with the format.
const MARK: &[u8; 8] = b"rsearch1";

/// Mark, length of the head, checksum of the head.
const PREFIX: usize = 8 + 8 + 4;

/// A head that claims to be larger is none.
const MAX_HEAD: u64 = 8 << 30;

/// A segment and where its texts are.
pub(super) struct Part {
    pub(super) segment: Segment,
    texts: Texts,
}

enum Texts {
    Memory(Vec<u8>),
    File {
        file: File,
        /// Where the head ends.
        start: u64,
        /// Of the head.
        checksum: u32,
    },
}

/// A head and what follows it as the bytes of a file, and the head's checksum.
pub(super) fn framed(head: &impl Serialize, rest: &[u8]) -> Result<(Vec<u8>, u32)> {
    let head = postcard::to_stdvec(head)?;
    let mut bytes = Vec::with_capacity(PREFIX + head.len() + rest.len());
    bytes.extend_from_slice(MARK);
    bytes.extend_from_slice(&(head.len() as u64).to_le_bytes());
    let checksum = crc32fast::hash(&head);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes.extend_from_slice(&head);
    bytes.extend_from_slice(rest);
    Ok((bytes, checksum))
}

/// The head of a file, its checksum, and where it ends.
pub(super) fn head<T: DeserializeOwned>(file: &mut File) -> Result<(T, u32, u64)> {
    let size = file.metadata()?.len();
    let mut prefix = [0; PREFIX];
    file.read_exact(&mut prefix)?;
    let [mark, length, checksum] = [&prefix[..8], &prefix[8..16], &prefix[16..]];
    ensure!(mark == MARK, "not a file of this index");
    let length = u64::from_le_bytes(length.try_into()?);
    let end = length.saturating_add(PREFIX as u64);
    ensure!(length <= MAX_HEAD && end <= size, "the file is cut short");
    let mut bytes = vec![0; usize::try_from(length)?];
    file.read_exact(&mut bytes)?;
    let found = crc32fast::hash(&bytes);
    ensure!(checksum == found.to_le_bytes(), "the file is damaged");
    let (head, rest) = postcard::take_from_bytes(&bytes)?;
    ensure!(rest.is_empty(), "the file holds more than it should");
    Ok((head, found, end))
}

impl Part {
    /// A segment that was just made.
    pub(super) fn fresh(segment: Segment, texts: Vec<u8>) -> Self {
        Self {
            segment,
            texts: Texts::Memory(texts),
        }
    }

    /// The segment in a file whose head has this checksum.
    pub(super) fn open(path: &Path, checksum: u32) -> Result<Self> {
        let mut file = File::open(path)?;
        let (segment, found, end): (Segment, u32, u64) = head(&mut file)?;
        let texts = file.metadata()?.len() - end;
        ensure!(
            found == checksum && segment.is_sound(texts),
            "the segment is damaged"
        );
        Ok(Self {
            segment,
            texts: Texts::File {
                file,
                start: end,
                checksum,
            },
        })
    }

    /// Brings it into a file, which `write` makes of its checksum and its bytes.
    pub(super) fn settle(
        &mut self,
        write: impl FnOnce(u32, &[u8]) -> Result<PathBuf>,
    ) -> Result<u32> {
        let texts = match &self.texts {
            Texts::File { checksum, .. } => return Ok(*checksum),
            Texts::Memory(texts) => texts,
        };
        let (bytes, checksum) = framed(&self.segment, texts)?;
        let start = (bytes.len() - texts.len()) as u64;
        let file = File::open(write(checksum, &bytes)?)?;
        self.texts = Texts::File {
            file,
            start,
            checksum,
        };
        Ok(checksum)
    }

    /// The text at a place, if it is still what was put there.
    pub(super) fn text(&self, span: Span) -> Result<String> {
        let length = usize::try_from(span.length)?;
        let bytes = match &self.texts {
            Texts::Memory(texts) => {
                let start = usize::try_from(span.start)?;
                let bytes = texts.get(start..).and_then(|rest| rest.get(..length));
                bytes.context("the text is cut short")?.to_vec()
            }
            Texts::File { file, start, .. } => {
                let mut bytes = vec![0; length];
                read_exact_at(file, &mut bytes, start.saturating_add(span.start))?;
                bytes
            }
        };
        ensure!(
            crc32fast::hash(&bytes) == span.checksum,
            "the text is damaged"
        );
        Ok(String::from_utf8(bytes)?)
    }
}
