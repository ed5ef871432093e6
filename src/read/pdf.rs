//! PDF: the text is extracted by a child process, and its lines are rejoined to paragraphs.
//!
//! A PDF is never parsed in the calling process, since the parser panics, recurses and allocates as
//! the file says. The child limits its own memory and processor time (resource limits), and the
//! parent limits its running time and the length of its output.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use pdf_extract::{MediaBox, OutputDev, OutputError, PlainTextOutput, Transform};

use super::document::{Document, Input, Markup, Signature, SourceKind};
use super::error::ReadError;
use super::{bytes, charset, metadata, plain};
use crate::platform::limit_this_process;
use crate::text::one_line;

/// The argument with which the program runs as the child.
pub const CHILD_COMMAND: &str = "__pdf-text";

/// The file name that means standard input to the child.
const STANDARD_INPUT: &str = "-";

/// The line before the text in the child's output; whatever a parser prints before it is dropped.
const MARKER: &str = "research-pdf-text-begins\n";

/// The child's memory: twice the gigabyte that large manuals were seen to take.
const MEMORY_BYTES: u64 = 2 * 1024 * 1024 * 1024;

/// The child's processor time; chosen by hand, half of the default time limit.
const CPU_SECONDS: u64 = 30;

/// The stack of the thread that parses: page trees and forms nest. Chosen by hand.
const STACK_BYTES: usize = 64 * 1024 * 1024;

/// The length of the end of the child's standard error that is searched for its last line.
const COMPLAINT_BYTES: usize = 4096;

/// The interval at which a child that has closed its output is polled for its end.
const EXIT_POLL: Duration = Duration::from_millis(2);

/// PDF: the clean text is plain, its paragraphs rejoined from lines.
pub static KIND: SourceKind = SourceKind {
    name: "pdf",
    label: "PDF",
    extensions: &["pdf"],
    shared_extensions: &[],
    media_types: &["application/pdf"],
    signature: Signature::Magic(|bytes| bytes.starts_with(b"%PDF-")),
    markup: Markup::Plain,
    remedy: REMEDY,
    read,
};

/// The remedy in errors; it is cut off the child's own error, to which the parent adds it again.
const REMEDY: &str = "convert it to text, for example with pdftotext";

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    if input.contents.is_none() {
        bytes::check_size(input.path, input.max_bytes)?;
    }
    let text = clean(&text_in_child(
        input.pdf_program,
        input.path,
        input.contents,
        input.max_bytes,
        input.pdf_timeout,
    )?);
    Ok(Document {
        date: metadata::top_date(&text),
        ..input.document(plain::title(input.path, &text), text)
    })
}

/// The error for a PDF whose text could not be got.
fn failed(path: &Path, problem: String) -> ReadError {
    ReadError::Malformed {
        path: path.to_owned(),
        kind: KIND.label,
        problem,
        remedy: REMEDY,
        is_transient: true,
    }
}

/// The child's output, to be printed as it is: a marker line and the raw text of the PDF,
/// which is a file or, for `-`, comes by standard input. Limits this process to 2 GiB and 30 s of
/// computing for the rest of its life, so it is called in a child only.
pub fn text_in_this_process(path: &Path, max_bytes: u64) -> Result<String, ReadError> {
    limit_this_process(MEMORY_BYTES, CPU_SECONDS);
    let bytes = if path == STANDARD_INPUT {
        bytes::of_stream(path, std::io::stdin().lock(), max_bytes)?
    } else {
        bytes::of_file(path, max_bytes)?
    };
    let failed = |problem| failed(path, problem);
    let parser = thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || extracted(&bytes));
    let parser = parser.map_err(|error| failed(format!("no thread to parse it in: {error}")))?;
    // A panic is caught here; a stack overflow or too much memory ends the whole child.
    match parser.join() {
        Ok(Ok(text)) if text.len() as u64 > max_bytes => Err(ReadError::TooLarge {
            path: path.to_owned(),
            limit: max_bytes,
        }),
        Ok(Ok(text)) => Ok(format!("{MARKER}{text}")),
        Ok(Err(error)) => Err(failed(error.to_string())),
        Err(_) => Err(failed("its parser gave up on it".to_owned())),
    }
}

/// The text of a PDF, with a form feed after each page.
fn extracted(bytes: &[u8]) -> Result<String, OutputError> {
    let mut pdf = pdf_extract::Document::load_mem(bytes)?;
    if pdf.is_encrypted() {
        // The empty user password opens files that are only protected against changes (ISO 32000-1,
        // 7.6).
        pdf.decrypt("")?;
    }
    let mut text = String::new();
    let mut pages = Pages(PlainTextOutput::new(&mut text));
    pdf_extract::output_doc(&pdf, &mut pages)?;
    Ok(text)
}

/// The parser's plain text, which by itself does not say where a page ends.
struct Pages<'a>(PlainTextOutput<&'a mut String>);

impl OutputDev for Pages<'_> {
    fn begin_page(
        &mut self,
        number: u32,
        media: &MediaBox,
        art: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        self.0.begin_page(number, media, art)
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        // A form feed, as pdftotext writes one after each page.
        let position = Transform::identity();
        self.0.output_character(&position, 0.0, 0.0, 0.0, "\u{c}")
    }

    fn output_character(
        &mut self,
        position: &Transform,
        width: f64,
        spacing: f64,
        font_size: f64,
        character: &str,
    ) -> Result<(), OutputError> {
        self.0
            .output_character(position, width, spacing, font_size, character)
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        self.0.begin_word()
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        self.0.end_word()
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        self.0.end_line()
    }
}

/// The raw text of a PDF, got by running `<program> __pdf-text <file>`; of one that is no file, by
/// running it with `-` and these bytes as its standard input.
fn text_in_child(
    program: &Path,
    path: &Path,
    bytes: Option<&[u8]>,
    max_bytes: u64,
    timeout: Duration,
) -> Result<String, ReadError> {
    let failed = |problem| failed(path, problem);
    let file = match bytes {
        Some(_) => Path::new(STANDARD_INPUT).to_owned(),
        // A relative path that begins with a dash would be parsed as a flag.
        None if path.is_relative() => Path::new(".").join(path),
        None => path.to_owned(),
    };
    let mut child = spawn(program, file.as_os_str(), bytes)
        .map_err(|error| failed(format!("{} does not start: {error}", program.display())))?;
    let output = output_of(&mut child, max_bytes, Instant::now() + timeout);
    // Also after success: the child must not outlive this call.
    let _ = child.kill();
    let _ = child.wait();
    match output {
        Ok(bytes) => text_after_marker(&bytes)
            .ok_or_else(|| failed("its reader ended without an answer".to_owned())),
        Err(Failure::TooLarge) => Err(ReadError::TooLarge {
            path: path.to_owned(),
            limit: max_bytes,
        }),
        Err(Failure::Problem(problem)) => Err(failed(bare_problem(&problem, &file))),
    }
}

/// Starts the child, and writes the bytes, if any, to its standard input.
fn spawn(program: &Path, file: &OsStr, bytes: Option<&[u8]>) -> std::io::Result<Child> {
    let input = if bytes.is_some() {
        Stdio::piped()
    } else {
        Stdio::null()
    };
    let mut child = Command::new(program)
        .arg(CHILD_COMMAND)
        .arg(file)
        .stdin(input)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let (Some(bytes), Some(mut stdin)) = (bytes, child.stdin.take()) {
        let bytes = bytes.to_owned();
        // In a thread of its own: a child that does not read its input would fill the pipe and
        // block this thread past the deadline. A broken pipe is the child's decision.
        thread::spawn(move || stdin.write_all(&bytes));
    }
    Ok(child)
}

/// The problem in a child's error message, without the path and the remedy that the parent adds.
fn bare_problem(message: &str, path: &Path) -> String {
    let after_path = message.split_once(&format!("{}: ", path.display()));
    let problem = after_path.map_or(message, |(_, problem)| problem);
    problem
        .split_once(&format!("; {REMEDY}"))
        .map_or(problem, |(problem, _)| problem)
        .to_owned()
}

/// The failure of a child.
enum Failure {
    TooLarge,
    Problem(String),
}

/// The content of one of the child's two output streams.
enum Output {
    Stdout(Vec<u8>),
    LastErrorLine(String),
}

/// The child's standard output, if it exited with success and in time.
fn output_of(child: &mut Child, max_bytes: u64, deadline: Instant) -> Result<Vec<u8>, Failure> {
    let (sender, outputs) = mpsc::channel();
    // Room for the marker and the noise of the parser.
    let limit = max_bytes.saturating_add(1024 * 1024);
    // Both streams are read at the same time, each by a thread: a child that fills one pipe while
    // the other is waited for would never end.
    if let Some(stdout) = child.stdout.take() {
        let sender = sender.clone();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stdout.take(limit + 1).read_to_end(&mut bytes);
            let _ = sender.send(Output::Stdout(bytes));
        });
    }
    if let Some(stderr) = child.stderr.take() {
        thread::spawn(move || sender.send(Output::LastErrorLine(last_line(stderr))));
    }
    let late = || {
        tracing::debug!("the time limit of the PDF child is over: it is killed");
        Failure::Problem("it took too long".to_owned())
    };
    let (mut stdout, mut error_line) = (Vec::new(), String::new());
    for _ in 0..2 {
        match outputs.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Output::Stdout(bytes)) if bytes.len() as u64 > limit => {
                return Err(Failure::TooLarge);
            }
            Ok(Output::Stdout(bytes)) => stdout = bytes,
            Ok(Output::LastErrorLine(line)) => error_line = line,
            Err(_) => return Err(late()),
        }
    }
    // Closed streams do not mean that it has ended: it may have closed them and gone on.
    while Instant::now() < deadline {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(stdout),
            Ok(Some(status)) if error_line.is_empty() => {
                return Err(Failure::Problem(format!("its reader ended with {status}")));
            }
            Ok(Some(_)) => return Err(Failure::Problem(error_line)),
            Ok(None) => thread::sleep(EXIT_POLL),
            Err(error) => return Err(Failure::Problem(error.to_string())),
        }
    }
    Err(late())
}

/// The last line of a stream, which is read to its end so that its writer is never blocked.
fn last_line(mut stream: impl Read) -> String {
    let mut tail: Vec<u8> = Vec::new();
    let mut buffer = [0; COMPLAINT_BYTES];
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        tail.extend(&buffer[..count]);
        tail.drain(..tail.len().saturating_sub(COMPLAINT_BYTES));
    }
    let text = charset::normalise(&String::from_utf8_lossy(&tail));
    text.lines()
        .rev()
        .map(str::trim)
        // The note of Rust's runtime on backtraces follows the problem.
        .find(|line| !line.is_empty() && !line.starts_with("note: "))
        .unwrap_or_default()
        .to_owned()
}

fn text_after_marker(output: &[u8]) -> Option<String> {
    let output = String::from_utf8_lossy(output);
    output.split_once(MARKER).map(|(_, text)| text.to_owned())
}

/// The raw text of a PDF, with form feeds between its pages, as paragraphs of one line each with
/// blank lines between: lines joined, hyphenation undone, page numbers removed.
pub fn clean(raw: &str) -> String {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut open = false;
    let mut widest = 0;
    for line in raw.split('\u{c}').flat_map(lines_of_page) {
        if line.is_empty() {
            open = false;
            continue;
        }
        let width = line.chars().count();
        match paragraphs.last_mut() {
            Some(last) if continues(last, &line, open) => join(last, &line),
            _ => {
                paragraphs.push(line);
                widest = 0;
            }
        }
        widest = widest.max(width);
        // A line that ends a sentence and is much shorter than the widest of its paragraph is taken
        // for the last one. The factor of 0.7 is chosen by hand, for ragged right margins.
        let is_last =
            paragraphs.last().is_some_and(|last| ends_sentence(last)) && width * 10 < widest * 7;
        open = !is_last;
    }
    let mut text = paragraphs.join("\n\n");
    text.push('\n');
    text
}

/// The lines of a page and a blank one. A page number is removed at the top and at the foot only:
/// anywhere else such a line may be a year or the cell of a table.
fn lines_of_page(page: &str) -> Vec<String> {
    let text = charset::normalise(&without_ligatures(page));
    let mut lines: Vec<String> = text.lines().map(one_line).collect();
    let first = lines.iter().position(|line| !line.is_empty());
    let last = lines.iter().rposition(|line| !line.is_empty());
    for end in [first, last] {
        if let Some(line) = end.and_then(|end| lines.get_mut(end))
            && is_page_number(line)
        {
            line.clear();
        }
    }
    lines.push(String::new());
    lines
}

/// Takes ligatures apart. Unicode's compatibility decomposition (NFKC) would change more: `²`.
fn without_ligatures(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    for c in raw.chars() {
        match c {
            'ﬀ' => text.push_str("ff"),
            'ﬁ' => text.push_str("fi"),
            'ﬂ' => text.push_str("fl"),
            'ﬃ' => text.push_str("ffi"),
            'ﬄ' => text.push_str("ffl"),
            _ => text.push(c),
        }
    }
    text
}

/// Returns `true` if a line continues a paragraph: it follows without a gap, or the gap is inside a
/// sentence, as at the end of a page.
fn continues(last: &str, line: &str, open: bool) -> bool {
    let begins_item = line.starts_with(['•', '▪', '‣', '◦', '●']);
    let mid_sentence = !ends_sentence(last) && line.starts_with(char::is_lowercase);
    !begins_item && (open || mid_sentence)
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end_matches(['"', '”', '’', '»', ')', ']'])
        .ends_with(['.', '!', '?', ':', '。', '！', '？', '؟'])
}

/// Joins a line to a paragraph. A hyphen at a line end between two lower-case letters is taken for
/// hyphenation; no dictionary is asked.
fn join(paragraph: &mut String, line: &str) {
    // U+2010 is the hyphen proper; U+00AD, the soft hyphen, is shown at line ends only.
    let is_hyphenated = paragraph
        .strip_suffix(['-', '\u{2010}', '\u{ad}'])
        .is_some_and(|word| word.ends_with(char::is_lowercase));
    if is_hyphenated && line.starts_with(char::is_lowercase) {
        paragraph.pop();
    } else if !(ends_ideographic(paragraph) && line.starts_with(is_ideographic)) {
        paragraph.push(' ');
    }
    paragraph.push_str(line);
}

fn ends_ideographic(text: &str) -> bool {
    text.ends_with(is_ideographic)
}

/// Returns `true` for ideographs, kana and their punctuation, which are written without spaces, so
/// that a line end between them is none. Hangul, which has spaces, is not among them.
fn is_ideographic(c: char) -> bool {
    // CJK punctuation and kana; ideographs; compatibility ideographs; full-width forms.
    matches!(
        c,
        '\u{3000}'..='\u{30ff}'
            | '\u{3400}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff00}'..='\u{ffef}'
    )
}

/// Returns `true` for a line such as `12`, `- 12 -`, `Page 3` or `Page 3 of 10`.
fn is_page_number(line: &str) -> bool {
    // Four digits and twenty characters are chosen by hand.
    let mut digits = false;
    let bare = line.split(' ').all(|word| {
        let word = word.trim_matches(['-', '–', '—', '|', '/', '.', '[', ']']);
        let number = !word.is_empty()
            && word.len() <= 4
            && word
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'/');
        digits |= number;
        number || word.is_empty() || word.eq_ignore_ascii_case("page") || word == "of"
    });
    bare && digits && line.len() <= 20
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problem_of_a_child_is_not_the_note_after_it() {
        let said = b"memory allocation of 9 bytes failed\nnote: run with `RUST_BACKTRACE=1`\n\n";
        assert_eq!(last_line(&said[..]), "memory allocation of 9 bytes failed");
    }

    #[test]
    fn lines_are_rejoined_to_paragraphs() {
        let raw = "Heat pumps\n\nA heat pump moves heat and needs elec-\ntricity for it. It is\n\
            quiet.\nThe next paragraph began\nhere.\n\x0c\n- 12 -\n\nand a sentence that goes on \
            over a page,\n\nPage 3 of 10\n\x0c\nends here.\n• one\n• two\n";
        assert_eq!(
            clean(raw),
            "Heat pumps\n\nA heat pump moves heat and needs electricity for it. It is quiet.\n\n\
             The next paragraph began here.\n\nand a sentence that goes on over a page, ends \
             here.\n\n• one\n\n• two\n"
        );
        assert_eq!(
            clean("Non-\nEnglish well\n日本\n語\n"),
            "Non- English well 日本語\n"
        );
        assert_eq!(clean("a deﬁned ﬂow"), "a defined flow\n");
        assert_eq!(clean(""), "\n");
    }

    #[test]
    fn numbers_inside_of_a_page_are_not_page_numbers() {
        assert_eq!(
            clean(
                "7\nA chronicle.\n\n2014\n\nThe first pump.\n\n8\n\u{c}9\n\u{c}\u{c}The end.\n\n\
                 2015\n\nNo pump."
            ),
            "A chronicle.\n\n2014\n\nThe first pump.\n\nThe end.\n\n2015\n\nNo pump.\n"
        );
    }

    #[test]
    fn page_numbers_are_distinguished_from_other_numbers() {
        for line in ["12", "- 12 -", "Page 3", "3 / 10", "page 3 of 10", "[4]"] {
            assert!(is_page_number(line), "{line}");
        }
        for line in ["12345", "3 of hearts", "page", "1.5 kW", "2014-03-20"] {
            assert!(!is_page_number(line), "{line}");
        }
    }

    #[test]
    fn a_large_text_is_cleaned_in_linear_time() {
        assert_eq!(clean(&"word ".repeat(200_000)).len(), 1_000_000);
        assert!(clean(&"lower case line\n".repeat(60_000)).len() > 900_000);
    }

    #[test]
    fn pdf_child_that_does_not_start_is_an_error_with_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pdf");
        std::fs::write(&path, "no pdf").unwrap();
        let error = text_in_child(
            Path::new("/nonexistent/program"),
            &path,
            None,
            100,
            Duration::from_secs(5),
        );
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("a.pdf") && error.contains("/nonexistent/program"),
            "{error}"
        );
    }

    fn ask(script: &str, max_bytes: u64, timeout: Duration) -> Result<Document, ReadError> {
        use std::os::unix::fs::PermissionsExt;

        use crate::read::Reader;

        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let path = folder.path().join("-a.pdf");
        std::fs::write(&path, "%PDF").unwrap();
        let reader = Reader {
            max_bytes,
            pdf_timeout: timeout,
            ..Reader::new(program)
        };
        reader.read(&path)
    }

    #[test]
    fn pdf_child_output_counts_after_its_marker_only() {
        let long = Duration::from_secs(20);
        let script = "echo noise; echo \"$1\" >&2; printf 'research-pdf-text-begins\\nOn \
            heat\\n\\nIt is\\nwarm.\\n'";
        let document = ask(script, 10_000, long).unwrap();
        assert_eq!(
            (document.title.as_str(), document.text.as_str()),
            ("On heat", "On heat\n\nIt is warm.\n")
        );
        let error_of = |script| ask(script, 10_000, long).unwrap_err().to_string();
        assert!(error_of("echo noise").contains("without an answer"));
        assert!(error_of("echo first >&2; echo last words >&2; exit 3").contains("last words"));
        let twice = error_of(
            "echo \"error: cannot read the PDF $2: bad xref; convert it to text, \
             for example with pdftotext\" >&2; exit 1",
        );
        assert!(
            twice.contains("-a.pdf: bad xref; convert") && twice.matches("bad").count() == 1,
            "{twice}"
        );
        assert!(error_of("kill -9 $$").contains("signal"));
        let endless = ask("exec yes research", 10_000, long).unwrap_err();
        assert!(matches!(endless, ReadError::TooLarge { .. }), "{endless}");
        let empty = ask("echo research-pdf-text-begins", 10_000, long).unwrap_err();
        assert!(matches!(empty, ReadError::Empty { .. }), "{empty}");
    }

    #[test]
    fn pdf_child_that_hangs_is_killed_at_the_time_limit() {
        for script in ["exec sleep 60", "exec sleep 60 >&- 2>&-", "sleep 5"] {
            let begun = Instant::now();
            let error = ask(script, 10_000, Duration::from_millis(100))
                .unwrap_err()
                .to_string();
            assert!(error.contains("too long"), "{error}");
            assert!(begun.elapsed() < Duration::from_secs(4));
        }
    }
}
