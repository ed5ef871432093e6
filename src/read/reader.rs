//! The reader: a file, or bytes, into a document, within limits.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::author;
use super::byline;
use super::document::{Document, Input, Isolation, Kind};
use super::error::ReadError;
use super::extent;
use super::failure::{Failure, caught};
use super::in_flight::Reservation;
use super::kinds::Kinds;
use super::pool::{Limits, Pool};
use super::publication;
use super::reference_line;
use super::status;

/// The stack of a thread that parses, chosen by hand: for recursion over the deepest trees allowed.
pub(super) const STACK_BYTES: usize = 64 * 1024 * 1024;

/// Reads documents within limits.
#[derive(Debug, Clone)]
pub struct Reader {
    /// The kinds of documents that it reads.
    pub kinds: Kinds,
    /// The largest file, the largest text out of a file, and the most that is inflated out of one,
    /// in bytes.
    pub max_bytes: u64,
    /// The child processes that read documents of foreign formats. None to read them in this one,
    /// where a document may take any time and memory, and recurse until the process ends.
    pub children: Option<Arc<Pool>>,
    /// The most memory that a document may take in a child process, in bytes.
    pub memory_bytes: u64,
    /// The most processor time that a document may take there.
    pub timeout: Duration,
    /// The moment from which on a document in a child process is given up, if there is one.
    pub deadline: Option<Instant>,
    /// `true` to keep the links, footnotes and superscripts of HTML and DOCX in the text: what a
    /// report cites. They are left out of what is quoted.
    pub keeps_links: bool,
}

impl Reader {
    /// The default for [`Reader::max_bytes`].
    pub const MAX_BYTES: u64 = 32 * 1024 * 1024;
    /// The default for [`Reader::memory_bytes`]: enough for some 4 MB of HTML, and with all else of
    /// this program below 256 MiB.
    pub const MEMORY_BYTES: u64 = 136 << 20;
    /// The largest document of [`Isolation::ProcessIfLarge`] that is read in this process, in
    /// bytes; chosen by hand: far more than a page or a chapter has.
    pub const SMALL_BYTES: u64 = 1 << 20;
    /// The default for [`Reader::timeout`], chosen by hand: parsers take quadratic time for some
    /// rare input.
    pub const TIMEOUT: Duration = Duration::from_secs(30);

    /// A reader of the built-in kinds with the default limits, which reads all documents in this
    /// process: for documents that are trusted.
    pub fn in_process() -> Self {
        Self {
            kinds: Kinds::built_in(),
            max_bytes: Self::MAX_BYTES,
            children: None,
            memory_bytes: Self::MEMORY_BYTES,
            timeout: Self::TIMEOUT,
            deadline: None,
            keeps_links: false,
        }
    }

    /// A reader of the built-in kinds with the default limits, which reads documents of foreign
    /// formats in child processes: `program`, this one, run as [`super::serve_documents`] does.
    pub fn isolated(program: impl Into<PathBuf>) -> Self {
        Self {
            children: Some(Arc::new(Pool::new(program))),
            ..Self::in_process()
        }
    }

    /// Reads a file into clean text.
    ///
    /// # Errors
    /// When the file is of no kind that can be read, cannot be opened, goes beyond a limit, is
    /// damaged, or holds no text.
    pub fn read(&self, path: &Path) -> Result<Document, ReadError> {
        self.parse_file(path)
            .map(|document| with_status(document, path))
    }

    /// Checks that a file has a text that can be read: what [`Reader::read`] does, but for the
    /// status and the date in that text.
    ///
    /// # Errors
    /// As [`Reader::read`]'s.
    pub(super) fn require_text(&self, path: &Path) -> Result<(), ReadError> {
        self.parse_file(path).map(|_| ())
    }

    fn parse_file(&self, path: &Path) -> Result<Document, ReadError> {
        let kind = self.kinds.by_extension(path);
        let kind = kind.ok_or_else(|| self.no_kind(path))?;
        let input = self.input(path, kind, None, None);
        // A file that cannot be looked at cannot be read either, which its reader says.
        let length = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        let _reserved = self.reserve(length);
        self.parse(&input, length)
    }

    /// Waits until a document of so many bytes may be in memory beside others; for those who load
    /// one before [`Reader::read_bytes`], until the reservation is dropped.
    pub fn reserve(&self, bytes: u64) -> Option<Reservation> {
        let children = self.children.as_ref()?;
        Some(children.in_flight.reserve(bytes))
    }

    /// Reads bytes that are of a kind and came under a name, in the character set that their sender
    /// states.
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
        let input = self.input(name, kind, Some(bytes), charset);
        let length = bytes.len() as u64;
        if length > self.max_bytes {
            return Err(input.too_large());
        }
        self.parse(&input, length)
            .map(|document| with_status(document, name))
    }

    /// The error of a path whose name is that of no kind of document: it may be misspelled, or name
    /// a folder, which is said first.
    fn no_kind(&self, path: &Path) -> ReadError {
        let cause = match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => io::Error::other("it is a directory, not a file"),
            Err(cause) => cause,
            Ok(_) => {
                return ReadError::Unsupported {
                    path: path.to_owned(),
                    kinds: self.kinds.labels(),
                };
            }
        };
        ReadError::Io {
            path: path.to_owned(),
            cause,
        }
    }

    fn parse(&self, input: &Input<'_>, length: u64) -> Result<Document, ReadError> {
        let is_small = length <= Self::SMALL_BYTES;
        let mut document = match (input.kind.isolation, &self.children) {
            (Isolation::None, _) => (input.kind.read)(input),
            (Isolation::ProcessIfLarge, _) if is_small => (input.kind.read)(input),
            (_, Some(children)) => self.read_in_child(input, children),
            (_, None) => read_in_process(input),
        }
        .inspect_err(|error| tracing::debug!(kind = input.kind.name, %error, "not readable"))?;
        extent::limit(&mut document);
        // Such as a scanned PDF: a source without a word would only look as if it had been read.
        if document.text.trim().is_empty() {
            return Err(ReadError::Empty {
                path: input.path.to_owned(),
            });
        }
        Ok(document)
    }

    fn read_in_child(&self, input: &Input<'_>, children: &Pool) -> Result<Document, ReadError> {
        let limits = Limits {
            memory_bytes: self.memory_bytes,
            processor_time: self.timeout,
            deadline: self.deadline,
        };
        let clean = children
            .read(input, &input.bytes()?, limits)
            .map_err(|failure| input.failure(failure))?;
        Ok(Document {
            kind: clean.kind,
            author: clean.author,
            date: clean.date,
            language: clean.language,
            url: clean.url,
            pages: clean.pages,
            is_cut: clean.is_cut,
            ..input.document(clean.title, clean.text)
        })
    }

    fn input<'a>(
        &'a self,
        path: &'a Path,
        kind: Kind,
        contents: Option<&'a [u8]>,
        charset: Option<&'a str>,
    ) -> Input<'a> {
        Input {
            path,
            kind,
            contents,
            charset,
            max_bytes: self.max_bytes,
            keeps_links: self.keeps_links,
        }
    }
}

/// A document with its status, and the date that its title, its text or the name of its file gives
/// it. Here and not in the readers of kinds: headers and notices are lines of the clean text.
fn with_status(mut document: Document, path: &Path) -> Document {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    document.status = status::of(&document.title, &document.text);
    status::retraction::note(&mut document.status, &document.title, &document.text);
    let (publication, year) = publication::of(document.kind, &document.text);
    document.publication = publication;
    let (mut document, own_year) = with_reference_line(document);
    let is_of_records = publication::OF_RECORDS.contains(&document.kind.name);
    if document.author.is_none() && !is_of_records {
        document.author = author::of(&document.title, &document.text);
    }
    document.date = document
        .date
        .or_else(|| super::metadata::date_of_title(&document.title))
        .or_else(|| super::metadata::imprint_date(&document.text))
        .or_else(|| byline::date(&document.text))
        .or_else(|| byline::date_of_name(&name))
        .or_else(|| byline::part_of_date(&document.text))
        .or_else(|| byline::month_below(&document.title, &document.text))
        .or(year)
        .or(own_year);
    document
}

/// A document with the authors and the publication of the line in which it cites itself, where it
/// declares none.
fn with_reference_line(mut document: Document) -> (Document, Option<String>) {
    let line = reference_line::of(document.kind, &document.text);
    let Some(line) = line else {
        return (document, None);
    };
    document.author = document.author.or(line.authors);
    let (own, cited) = (&mut document.publication, line.publication);
    own.doi = own.doi.take().or(cited.doi);
    // A volume belongs to the journal that is named with it.
    if own.volume.is_none() && cited.volume.is_some() {
        own.journal = own.journal.take().or(cited.journal);
        own.volume = cited.volume;
        own.issue = own.issue.take().or(cited.issue);
        own.pages = own.pages.take().or(cited.pages);
    }
    (document, line.year)
}

/// Reads a document in a thread of this process, whose stack is large enough for any parser.
fn read_in_process(input: &Input<'_>) -> Result<Document, ReadError> {
    let parsed = thread::scope(|scope| {
        let thread = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || caught(|| (input.kind.read)(input)))
            .map_err(|error| Failure::Lost(format!("no thread to parse it in: {error}")))?;
        thread
            .join()
            .unwrap_or_else(|_| Err("its thread is lost".into()))
    });
    parsed.map_err(|failure| input.failure(failure))?
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
            ..Reader::in_process()
        }
        .read(&path)
    }

    #[test]
    fn letter_has_the_title_the_author_and_the_day_that_it_gives() {
        let letter =
            b"4 Mill Lane\nKehrfeld\n\n28 May 2022\n\nDear Ms Vik,\n\nI object to the new \
                       mill.\n\nYours sincerely,\n\nAnn Hale\n";
        let document = read("08-objection-letter.txt", letter).unwrap();
        assert_eq!(document.title, "Objection letter");
        assert_eq!(document.author.as_deref(), Some("Ann Hale"));
        assert_eq!(document.date.as_deref(), Some("2022-05-28"));
        let table = read("a.csv", b"from,to\nBy Ann Hale,Jo Lind\n").unwrap();
        assert_eq!(table.author, None);
    }

    #[test]
    fn unreadable_files_are_errors_with_path_and_cause() {
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
            Err(ReadError::Malformed { .. })
        ));
        let missing = Reader::in_process()
            .read(Path::new("/nonexistent/a.md"))
            .unwrap_err()
            .to_string();
        assert_eq!(missing, "/nonexistent/a.md does not exist");
        let folder =
            Reader::in_process().read(&std::env::temp_dir().join(".").join("..").join("tmp.md"));
        assert!(folder.is_err());
    }

    #[test]
    fn text_of_any_character_set_is_decoded_and_normalised() {
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
