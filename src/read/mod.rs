//! A file into clean text: Markdown, plain text, HTML, PDF, DOCX, EPUB and feeds, whatever their
//! character set.
//!
//! Refuses to know why a file is read and what its text says; it prints nothing and fetches
//! nothing. Everything read is taken to be hostile: it is limited in size and depth, what is packed
//! is counted while it is unpacked, and PDF is parsed in a child process.

pub mod charset;
pub mod feed;
pub mod html;
pub mod markdown;
pub(crate) mod markdown_writer;
pub mod metadata;
pub mod office;
pub mod pdf;
pub mod plain;
mod sandbox;
pub mod walk;
mod xml;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use walk::{Found, Walked, walk};

/// What a file was before it became text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Markdown: the text is the file's own.
    Markdown,
    /// Plain text, reStructuredText, Org: the text is the file's own.
    Text,
    /// HTML: the text is its main content as Markdown.
    Html,
    /// PDF: the text is plain, its paragraphs rejoined from lines.
    Pdf,
    /// DOCX: the text is its paragraphs as Markdown.
    Docx,
    /// EPUB: the text is its chapters as Markdown.
    Epub,
    /// RSS, Atom or JSON Feed: the text is its entries as Markdown.
    Feed,
}

impl Kind {
    /// The kind a file name promises, by its extension; none for a name that promises nothing
    /// readable here.
    pub fn of(path: &Path) -> Option<Kind> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "md" | "markdown" | "mdx" => Some(Kind::Markdown),
            "txt" | "text" | "rst" | "org" => Some(Kind::Text),
            "html" | "htm" | "xhtml" => Some(Kind::Html),
            "pdf" => Some(Kind::Pdf),
            "docx" => Some(Kind::Docx),
            "epub" => Some(Kind::Epub),
            "rss" | "atom" | "xml" => Some(Kind::Feed),
            _ => None,
        }
    }
}

/// The clean text of a file and what it says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its title; the file's name made readable where the file names none. Never empty.
    pub title: String,
    /// The clean text: UTF-8, lines ended by `\n`, no other control characters than tabs, a line
    /// end at its end.
    pub text: String,
    /// What the file was.
    pub kind: Kind,
    /// Its author or authors, as written.
    pub author: Option<String>,
    /// Its date in ISO 8601 as far as it is given: `2014`, `2014-03` or `2014-03-20`.
    pub date: Option<String>,
    /// The language it says it is in, as an ISO 639 code: `en`.
    pub language: Option<String>,
    /// The address it names as its own.
    pub url: Option<String>,
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file or folder is missing or may not be read.
    #[error("cannot read {}: {cause}; check that it exists and that you may read it", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The file, or the text in it, is larger than the reader's limit.
    #[error("{} holds more than {limit} bytes; split it or raise the limit", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
    /// The name's extension is of no kind that can be read.
    #[error("cannot tell how to read {}; convert it to Markdown, text, HTML, PDF, DOCX or EPUB", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
    },
    /// The file holds NUL bytes and no mark of a wide character set.
    #[error("{} is not text but binary data; convert it or leave it out", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// The HTML is beyond what a page can be.
    #[error("cannot read the HTML of {}: {problem}; simplify it or save it as text", path.display())]
    Html {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        problem: String,
    },
    /// No text could be got out of the PDF.
    #[error("cannot read the PDF {}: {problem}; convert it to text, for example with pdftotext", path.display())]
    Pdf {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        problem: String,
    },
    /// The DOCX is none, is damaged, or goes beyond a limit.
    #[error("cannot read the DOCX {}: {problem}; save it again in a word processor, or as text", path.display())]
    Docx {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        problem: String,
    },
    /// The EPUB is none, is damaged, or goes beyond a limit.
    #[error("cannot read the EPUB {}: {problem}; get it again, or convert it to HTML or text", path.display())]
    Epub {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        problem: String,
    },
    /// The feed is none, is damaged, empty, or goes beyond a limit.
    #[error("cannot read the feed {}: {problem}; get it again, or save what it leads to as files", path.display())]
    Feed {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        problem: String,
    },
    /// Nothing but white space is left.
    #[error("{} holds no text; if it is a scan, run text recognition on it first", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

impl ReadError {
    /// The file or folder.
    pub fn path(&self) -> &Path {
        match self {
            Self::Io { path, .. }
            | Self::TooLarge { path, .. }
            | Self::Unsupported { path }
            | Self::NotText { path }
            | Self::Html { path, .. }
            | Self::Pdf { path, .. }
            | Self::Docx { path, .. }
            | Self::Epub { path, .. }
            | Self::Feed { path, .. }
            | Self::Empty { path } => path,
        }
    }
}

/// Reads files within limits.
#[derive(Debug, Clone)]
pub struct Reader {
    /// The largest file, the largest text out of a file, and the most that is unpacked out of one,
    /// in bytes.
    pub max_bytes: u64,
    /// The program run as `<program> __pdf-text <file>`, with `-` for its standard input: this one,
    /// so that a PDF that crashes its parser crashes a child.
    pub pdf_program: PathBuf,
    /// How long that program may take.
    pub pdf_timeout: Duration,
}

impl Reader {
    /// The default for [`Reader::max_bytes`].
    pub const MAX_BYTES: u64 = 32 * 1024 * 1024;
    /// The default for [`Reader::pdf_timeout`].
    pub const PDF_TIMEOUT: Duration = Duration::from_secs(60);

    /// A reader with the default limits.
    pub fn new(pdf_program: impl Into<PathBuf>) -> Self {
        Reader {
            max_bytes: Self::MAX_BYTES,
            pdf_program: pdf_program.into(),
            pdf_timeout: Self::PDF_TIMEOUT,
        }
    }

    /// Whether a file's name promises something that can be read.
    pub fn reads(path: &Path) -> bool {
        Kind::of(path).is_some()
    }

    /// Whether a file that nobody named is worth reading: its name promises it, and what is called
    /// XML is a feed.
    pub fn finds(path: &Path) -> bool {
        let is_xml = path
            .extension()
            .is_some_and(|own| own.eq_ignore_ascii_case("xml"));
        Self::reads(path) && (!is_xml || starts_as_feed(path))
    }

    /// Reads a file into clean text.
    pub fn read(&self, path: &Path) -> Result<Document, ReadError> {
        let kind = Kind::of(path).ok_or_else(|| ReadError::Unsupported {
            path: path.to_owned(),
        })?;
        if kind != Kind::Pdf {
            return self.read_bytes(path, kind, &read_bytes(path, self.max_bytes)?, None);
        }
        check_size(path, self.max_bytes)?;
        not_empty(path, pdf::document(path, &self.pdf_text(path, None)?))
    }

    /// Reads bytes that are of a kind and came under a name, in the character set that whoever sent
    /// them names.
    ///
    /// # Errors
    /// As [`Reader::read`]'s.
    pub fn read_bytes(
        &self,
        name: &Path,
        kind: Kind,
        bytes: &[u8],
        charset: Option<&str>,
    ) -> Result<Document, ReadError> {
        let path = name;
        if bytes.len() as u64 > self.max_bytes {
            return Err(ReadError::TooLarge {
                path: path.to_owned(),
                limit: self.max_bytes,
            });
        }
        let limit = self.max_bytes;
        let document = match kind {
            Kind::Pdf => pdf::document(path, &self.pdf_text(path, Some(bytes))?),
            Kind::Docx => office::docx::document(path, bytes, limit)?,
            Kind::Epub => office::epub::document(path, bytes, limit)?,
            Kind::Markdown => markdown::document(path, clean(path, kind, bytes, charset)?),
            Kind::Text => plain::document(path, clean(path, kind, bytes, charset)?),
            Kind::Html => html::document(path, &clean(path, kind, bytes, charset)?)?,
            Kind::Feed => feed::document(path, &clean(path, kind, bytes, charset)?, limit)?,
        };
        not_empty(path, document)
    }

    /// The raw text of a PDF, which is a file unless its bytes are given; the child that reads it
    /// gets them by standard input.
    fn pdf_text(&self, path: &Path, bytes: Option<&[u8]>) -> Result<String, ReadError> {
        let (program, limit) = (&self.pdf_program, self.max_bytes);
        pdf::text_in_child(program, path, bytes, limit, self.pdf_timeout)
    }
}

/// The normalised text in bytes, in the character set that is named for them if one is.
fn clean(
    path: &Path,
    kind: Kind,
    bytes: &[u8],
    charset: Option<&str>,
) -> Result<String, ReadError> {
    let recoded = charset.and_then(|charset| charset::recode(bytes, charset));
    let bytes = recoded.as_deref().map_or(bytes, str::as_bytes);
    if charset::is_binary(bytes) {
        return Err(ReadError::NotText {
            path: path.to_owned(),
        });
    }
    let names_its_own = matches!(kind, Kind::Html | Kind::Feed);
    Ok(charset::normalise(&charset::decode(bytes, names_its_own)))
}

fn not_empty(path: &Path, document: Document) -> Result<Document, ReadError> {
    if document.text.trim().is_empty() {
        return Err(ReadError::Empty {
            path: path.to_owned(),
        });
    }
    Ok(document)
}

/// Refuses a file that is missing, not a file, or too large, before anything is spent on it.
fn check_size(path: &Path, limit: u64) -> Result<(), ReadError> {
    let failed = |cause| ReadError::Io {
        path: path.to_owned(),
        cause,
    };
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        return Err(failed(std::io::Error::other("it is not a file")));
    }
    if metadata.len() > limit {
        return Err(ReadError::TooLarge {
            path: path.to_owned(),
            limit,
        });
    }
    Ok(())
}

fn starts_as_feed(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| {
        file.take(feed::SNIFFED_BYTES as u64)
            .read_to_end(&mut start)
    });
    read.is_ok() && feed::is_feed(&start)
}

/// The bytes of a file, never more than the limit, even of a file that grows.
fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    check_size(path, limit)?;
    let failed = |cause| ReadError::Io {
        path: path.to_owned(),
        cause,
    };
    bytes_of(path, File::open(path).map_err(failed)?, limit)
}

/// Everything a stream holds, if that is not more than the limit; an error names `path`.
fn bytes_of(path: &Path, stream: impl Read, limit: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    stream
        .take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|cause| ReadError::Io {
            path: path.to_owned(),
            cause,
        })?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLarge {
            path: path.to_owned(),
            limit,
        });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, bytes: &[u8]) -> Result<Document, ReadError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        Reader {
            max_bytes: 2_000_000,
            ..Reader::new("/nonexistent")
        }
        .read(&path)
    }

    #[test]
    fn kinds_go_by_extension() {
        for (name, kind) in [
            ("a.md", Some(Kind::Markdown)),
            ("a.b.TXT", Some(Kind::Text)),
            ("a.xhtml", Some(Kind::Html)),
            ("a.pdf", Some(Kind::Pdf)),
            ("a.docx", Some(Kind::Docx)),
            ("a.epub", Some(Kind::Epub)),
            ("a.Atom", Some(Kind::Feed)),
            ("a.doc", None),
            ("README", None),
            (".md", None),
        ] {
            assert_eq!(Kind::of(Path::new(name)), kind, "{name}");
        }
        assert_eq!(
            serde_json::to_string(&Kind::Markdown).unwrap(),
            "\"markdown\""
        );
    }

    #[test]
    fn files_that_cannot_be_read_say_why() {
        assert!(matches!(
            read("a.txt", b"a\0b"),
            Err(ReadError::NotText { .. })
        ));
        assert!(matches!(
            read("a.txt", b" \r\n\x0c"),
            Err(ReadError::Empty { .. })
        ));
        assert!(matches!(
            read("a.md", &[b'a'; 2_000_001]),
            Err(ReadError::TooLarge { .. })
        ));
        assert!(matches!(
            read("a.doc", b"a"),
            Err(ReadError::Unsupported { .. })
        ));
        assert!(matches!(
            read("a.pdf", b"%PDF-1.4"),
            Err(ReadError::Pdf { .. })
        ));
        let missing = Reader::new("x")
            .read(Path::new("/nonexistent/a.md"))
            .unwrap_err()
            .to_string();
        assert!(
            missing.starts_with("cannot read /nonexistent/a.md: "),
            "{missing}"
        );
        let folder =
            Reader::new("x").read(&std::env::temp_dir().join(".").join("..").join("tmp.md"));
        assert!(folder.is_err());
    }

    #[test]
    fn text_of_any_character_set_comes_out_clean() {
        let utf16: Vec<u8> = std::iter::once(0xfeff)
            .chain("Grüße\r\n".encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(read("a.txt", &utf16).unwrap().text, "Grüße\n");
        let western = b"Die Gr\xf6\xdfe der W\xe4rmepumpe w\xe4chst f\xfcr alle H\xe4user.";
        assert_eq!(
            read("a.txt", western).unwrap().text,
            "Die Größe der Wärmepumpe wächst für alle Häuser.\n"
        );
        assert_eq!(
            read("a.md", b"\xef\xbb\xbfa\rb\r\nc\x07\x1b[0m")
                .unwrap()
                .text,
            "a\nb\nc[0m\n"
        );
        let line = "x".repeat(1_000_000);
        assert_eq!(read("a.md", line.as_bytes()).unwrap().text.len(), 1_000_001);
        assert!(read("a.md", b"ok \xff\xfe\xfd ok").is_ok());
    }
}
