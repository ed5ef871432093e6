//! The errors of reading a file: the file, the cause and the remedy, in one line each.

use std::io;
use std::path::{Path, PathBuf};

use crate::artifact::documents::PassedOver;

/// A document that could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file or folder is missing or may not be read.
    #[error("{}", unreadable(path, cause))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        cause: io::Error,
    },
    /// A link below a folder that was not followed.
    #[error("{} is a link {problem}", path.display())]
    Link {
        /// The link.
        path: PathBuf,
        /// Where it leads, and what to do.
        problem: &'static str,
    },
    /// The file, or the text in it, is larger than the reader's limit.
    #[error(
        "{} holds more than {limit} bytes; split it, or raise read.max_mebibytes",
        path.display()
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
    /// The file name's extension belongs to no kind of document that can be read.
    #[error(
        "cannot tell how to read {}: its name is that of no {kinds}; convert it to one of these",
        path.display()
    )]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// The kinds that can be read: [`super::Kinds::labels`].
        kinds: String,
    },
    /// The file has the name of a kind of documents and other contents.
    #[error(
        "{} has the name of {label}, and does not begin as {label} does; {remedy}",
        path.display()
    )]
    OtherContents {
        /// The file.
        path: PathBuf,
        /// The kind of its name.
        label: &'static str,
        /// What to do with it.
        remedy: &'static str,
    },
    /// No document below some roots can be read.
    #[error("there is no document to read in {roots}: {problem}; name others with --docs")]
    NoDocuments {
        /// The first root.
        path: PathBuf,
        /// All roots, as the user named them.
        roots: String,
        /// What they hold instead, and why it is not read.
        problem: String,
    },
    /// The file holds NUL bytes and no byte order mark of UTF-16.
    #[error("{} is not text but binary data; convert it or leave it out", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// The document is not of its kind, is damaged, or goes beyond a limit of its kind.
    #[error("cannot read the {kind} {}: {problem}; {remedy}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The label of its kind: `DOCX`.
        kind: &'static str,
        /// The cause, which completes "cannot read x: ".
        problem: String,
        /// The remedy for documents of this kind.
        remedy: &'static str,
        /// `true` if reading the same bytes again may succeed, since its reader was lost.
        is_transient: bool,
    },
    /// The document takes more memory than its parser may have.
    #[error(
        "cannot read the {kind} {}: it takes more memory than a document may \
         (read.memory_mebibytes); {remedy}",
        path.display()
    )]
    OutOfMemory {
        /// The file.
        path: PathBuf,
        /// The label of its kind: `EPUB`.
        kind: &'static str,
        /// The remedy for documents of this kind.
        remedy: &'static str,
    },
    /// The text is empty or nothing but white space.
    #[error("{} holds no text{}", path.display(), scan_remedy(path))]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// A path as a person would type it from here: a session stores paths that lead out of itself by
/// `..`.
fn displayed(path: &Path) -> PathBuf {
    if !path.iter().any(|part| part == "..") {
        return path.to_owned();
    }
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    match (path.canonicalize(), here) {
        (Ok(real), Ok(here)) => real.strip_prefix(here).unwrap_or(&real).to_owned(),
        _ => path.to_owned(),
    }
}

/// The remedy for a document without text, of a format that holds scanned pages.
fn scan_remedy(path: &Path) -> &'static str {
    let is_pdf = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("pdf"));
    if is_pdf {
        "; if it is a scan, run text recognition (OCR) on it first"
    } else {
        ""
    }
}

/// What is said of a file that the operating system does not read.
fn unreadable(path: &Path, cause: &io::Error) -> String {
    let path = path.display();
    if cause.kind() == io::ErrorKind::NotFound {
        format!("{path} does not exist")
    } else {
        format!("cannot read {path}: {cause}; check that you may read it")
    }
}

impl ReadError {
    /// `true` if the file or folder does not exist.
    pub(super) fn is_missing(&self) -> bool {
        let missing = io::ErrorKind::NotFound;
        matches!(self, Self::Io { cause, .. } if cause.kind() == missing)
    }

    /// The error for roots without a document that can be read, with the problems of those that
    /// were tried.
    pub fn no_documents(
        roots: &[PathBuf],
        mut problems: Vec<String>,
        passed_over: &PassedOver,
    ) -> Self {
        if !passed_over.is_empty() {
            problems.push(passed_over.to_string());
        }
        if problems.is_empty() {
            problems.push("it holds no file".to_owned());
        }
        let names: Vec<String> = roots
            .iter()
            .map(|root| displayed(root).display().to_string())
            .collect();
        Self::NoDocuments {
            path: roots.first().cloned().unwrap_or_default(),
            roots: names.join(", "),
            problem: problems.join("; "),
        }
    }

    /// The file or folder.
    pub fn path(&self) -> &Path {
        match self {
            Self::Io { path, .. }
            | Self::Link { path, .. }
            | Self::TooLarge { path, .. }
            | Self::Unsupported { path, .. }
            | Self::OtherContents { path, .. }
            | Self::NoDocuments { path, .. }
            | Self::NotText { path }
            | Self::Malformed { path, .. }
            | Self::OutOfMemory { path, .. }
            | Self::Empty { path } => path,
        }
    }

    /// Returns `true` if the same bytes may be readable another time: the error may be remembered
    /// for a file that has not changed only where this is `false`.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Io { .. } | Self::Link { .. } => true,
            Self::Malformed { is_transient, .. } => *is_transient,
            _ => false,
        }
    }
}
