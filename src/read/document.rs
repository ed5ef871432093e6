//! A document as clean text, its kind, and the input that the reader of a kind gets.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::Path;

use serde::{Serialize, Serializer};

use super::error::ReadError;
use super::failure::Failure;
use super::{bytes, charset};
use crate::artifact::source::{DocumentStatus, PageStarts, Publication};
use crate::text::is_deceptive;

/// A kind of document: one `static` in the file that reads it, and one line in
/// [`Kinds::BUILT_IN`](super::Kinds::BUILT_IN). Detection, help and errors derive from it.
pub struct SourceKind {
    /// The name in session files and `--json` output: `docx`.
    pub name: &'static str,
    /// The name in messages, as it completes "cannot read the …": `DOCX`.
    pub label: &'static str,
    /// The extensions of its file names, in lower case.
    pub extensions: &'static [&'static str],
    /// Extensions that other formats have as well: a file that was not named by the user is read
    /// only if its signature matches.
    pub shared_extensions: &'static [&'static str],
    /// Its media types (MIME), in lower case and without parameters.
    pub media_types: &'static [&'static str],
    /// The way it is recognised by its bytes.
    pub signature: Signature,
    /// The markup of the text that its reader returns.
    pub markup: Markup,
    /// The process that it is read in.
    pub isolation: Isolation,
    /// The remedy in errors about a document of this kind: `get it again`.
    pub remedy: &'static str,
    /// The function that reads it.
    pub read: fn(&Input<'_>) -> Result<Document, ReadError>,
}

/// A registered kind of document; compared by name.
pub type Kind = &'static SourceKind;

/// The way a kind of document is recognised by its bytes.
#[derive(Clone, Copy)]
pub enum Signature {
    /// Its bytes may be anything: the extension or media type decides.
    None,
    /// A magic number, or the like of it: outweighs the media type and the extension.
    Magic(fn(&[u8]) -> bool),
    /// Text that begins as documents of this kind usually do: outweighs the extension.
    Opening(fn(&[u8]) -> bool),
    /// Text that begins as all documents of this kind do: outweighs the extension, which is not
    /// believed of other text.
    Root(fn(&[u8]) -> bool),
    /// Any text of which nothing else is known.
    AnyText,
}

/// The process that a kind of document is read in, by a reader that has child processes. They know
/// the built-in kinds only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    /// The calling one: its parser takes linear time and little memory, and does not panic.
    None,
    /// The calling one for a small document, and beyond
    /// [`Reader::SMALL_BYTES`](super::Reader::SMALL_BYTES) a child process: its parser takes linear
    /// time and does not panic, but many times the memory of the text.
    ProcessIfLarge,
    /// A child process, in the memory of [`Reader::memory_bytes`](super::Reader::memory_bytes).
    Process,
    /// The same with all of [`Reader::timeout`](super::Reader::timeout), however small the document
    /// is.
    SlowProcess,
}

/// The markup of clean text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// Markdown.
    Markdown,
    /// None: paragraphs with blank lines between them.
    Plain,
}

impl SourceKind {
    /// Returns `true` if file names of this kind may have an extension, given in lower case.
    pub fn has_extension(&self, extension: &str) -> bool {
        self.extensions.contains(&extension) || self.shared_extensions.contains(&extension)
    }
}

impl fmt::Debug for SourceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for SourceKind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for SourceKind {}

impl Hash for SourceKind {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl Serialize for SourceKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

/// The clean text of a file and the metadata in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The title; the file's name made readable where the document has none. Never empty.
    pub title: String,
    /// The clean text: UTF-8, lines ended by `\n`, no other control characters than tabs, a line
    /// end at its end.
    pub text: String,
    /// The kind of the file.
    pub kind: Kind,
    /// The author or authors, as written.
    pub author: Option<String>,
    /// The date in ISO 8601 as far as it is given: `2014`, `2014-03` or `2014-03-20`.
    pub date: Option<String>,
    /// The language that it declares, as an ISO 639 code: `en`.
    pub language: Option<String>,
    /// The canonical address that it declares.
    pub url: Option<String>,
    /// Where its pages begin in the text; none for a kind that has none.
    pub pages: PageStarts,
    /// Its status; the reader of files fills it in for documents of every kind.
    pub status: DocumentStatus,
    /// Where it was published; the reader of files fills it in, too.
    pub publication: Publication,
    /// `true` if more text follows, which is not read: see [`Document::omission`].
    pub is_cut: bool,
}

impl Document {
    /// What is not read of the document under a name, if it is too long: it completes "Not read: "
    /// and the like.
    pub fn omission(&self, name: &str) -> Option<String> {
        self.is_cut.then(|| omission(name, self.text.len() as u64))
    }
}

/// What is not read of a document of which so many bytes of text are.
pub fn omission(name: &str, bytes: u64) -> String {
    let mebibytes = bytes as f64 / f64::from(1 << 20);
    format!(
        "{name} beyond its first {mebibytes:.1} MiB of text, which are read; split it to have all \
         of it read"
    )
}

/// A document to be read: its name, its bytes and the limits of the reader.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The path of the file, or the name that its bytes came under.
    pub path: &'a Path,
    /// The kind that it is read as.
    pub kind: Kind,
    /// The bytes; none for those of the file at `path`.
    pub contents: Option<&'a [u8]>,
    /// The character set that the sender of the bytes states.
    pub charset: Option<&'a str>,
    /// The largest file, the largest text out of a file, and the most that is inflated out of one,
    /// in bytes.
    pub max_bytes: u64,
    /// `true` to keep links, footnotes and superscripts.
    pub keeps_links: bool,
}

impl<'a> Input<'a> {
    /// The bytes of the document.
    ///
    /// # Errors
    /// When the file cannot be read or is too large.
    pub fn bytes(&self) -> Result<Cow<'a, [u8]>, ReadError> {
        match self.contents {
            Some(contents) => Ok(contents.into()),
            None => Ok(bytes::of_file(self.path, self.max_bytes)?.into()),
        }
    }

    /// The clean text of a document without markup that declares a character set.
    ///
    /// # Errors
    /// As [`Input::bytes`], and when the bytes are not text.
    pub fn text(&self) -> Result<String, ReadError> {
        self.decoded(false)
    }

    /// The clean text of a document in HTML or XML, which may declare its character set.
    ///
    /// # Errors
    /// As [`Input::text`].
    pub fn markup_text(&self) -> Result<String, ReadError> {
        self.decoded(true)
    }

    /// A document of this input without metadata.
    pub fn document(&self, title: String, text: String) -> Document {
        Document {
            // Texts are normalised by their readers, whose titles may come from elsewhere.
            title: title.replace(is_deceptive, ""),
            text,
            kind: self.kind,
            author: None,
            date: None,
            language: None,
            url: None,
            pages: PageStarts::default(),
            status: DocumentStatus::default(),
            publication: Publication::default(),
            is_cut: false,
        }
    }

    /// The error for a document that is not of its kind, is damaged or goes beyond a limit.
    pub fn malformed(&self, problem: impl Into<String>) -> ReadError {
        ReadError::Malformed {
            path: self.path.to_owned(),
            kind: self.kind.label,
            problem: problem.into(),
            remedy: self.kind.remedy,
            is_transient: false,
        }
    }

    /// The error for a text, or a file, that is too large.
    pub fn too_large(&self) -> ReadError {
        ReadError::TooLarge {
            path: self.path.to_owned(),
            limit: self.max_bytes,
        }
    }

    /// The error for a parser that failed.
    pub(super) fn failure(&self, failure: Failure) -> ReadError {
        let path = self.path.to_owned();
        let (kind, remedy) = (self.kind.label, self.kind.remedy);
        match failure {
            Failure::TooLarge => self.too_large(),
            Failure::NotText => ReadError::NotText { path },
            Failure::OutOfMemory => ReadError::OutOfMemory { path, kind, remedy },
            Failure::Broken(problem) => self.malformed(problem),
            Failure::Lost(problem) => ReadError::Malformed {
                path,
                kind,
                problem,
                remedy,
                is_transient: true,
            },
        }
    }

    fn decoded(&self, is_markup: bool) -> Result<String, ReadError> {
        let bytes = self.bytes()?;
        // As in the HTML standard, the charset that the sender states (`Content-Type`) outweighs
        // the one that the markup declares.
        let recoded = self
            .charset
            .and_then(|charset| charset::recode(&bytes, charset));
        let bytes = recoded.as_deref().map_or(&*bytes, str::as_bytes);
        if charset::is_binary(bytes) {
            return Err(ReadError::NotText {
                path: self.path.to_owned(),
            });
        }
        Ok(charset::normalise(&charset::decode(bytes, is_markup)))
    }
}

#[cfg(test)]
impl<'a> Input<'a> {
    /// Bytes under a name, as a unit test reads them.
    pub(super) fn of_bytes(kind: Kind, name: &'a str, bytes: &'a [u8], max_bytes: u64) -> Self {
        Self {
            path: Path::new(name),
            kind,
            contents: Some(bytes),
            charset: None,
            max_bytes,
            keeps_links: false,
        }
    }
}
