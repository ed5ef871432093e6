//! The child processes that read documents: what they cannot reach, what ends them, and that it
//! costs one document.

use std::fs;
use std::io::{self, Write as _};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use research::platform::{self, Confinement};
use research::read::{Kinds, Pool, Reader};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::harness::{Ran, Scratch, skipped};
use crate::models::RUN_ARGUMENTS;

/// Set in the process that confines itself.
const CONFINED: &str = "RESEARCH_TEST_CONFINED";

/// The time that anything here may take until it happens.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a confined process may not do, each with its name.
fn attempts(port: u16) -> Vec<(&'static str, io::Result<()>)> {
    vec![
        ("read a file", fs::read("/etc/passwd").map(drop)),
        ("list a directory", fs::read_dir("/").map(drop)),
        ("write a file", fs::write("/dev/null", "x")),
        ("connect", TcpStream::connect(("127.0.0.1", port)).map(drop)),
        ("send", UdpSocket::bind("127.0.0.1:0").map(drop)),
        (
            "start a program",
            Command::new("/bin/true").status().map(drop),
        ),
        (
            "start a thread",
            std::thread::Builder::new().spawn(|| ()).map(drop),
        ),
    ]
}

/// Confines itself where it is started by the test after it; by itself it does nothing.
#[test]
fn confined_process() {
    let Ok(port) = std::env::var(CONFINED) else {
        return;
    };
    let port = port.parse().unwrap();
    for (name, done) in attempts(port) {
        assert!(done.is_ok(), "{name}: {done:?}");
    }
    let confinement = platform::confine_this_thread();
    for (name, done) in attempts(port) {
        let is_allowed = done.is_ok();
        assert!(!is_allowed || !confinement.seccomp, "{name}");
        let is_file = name.contains("file") || name.contains("directory");
        assert!(!is_allowed || !confinement.landlock || !is_file, "{name}");
    }
    // What parsers do goes on: memory, time, random numbers.
    assert_eq!(
        vec![7_u8; 50 << 20]
            .iter()
            .filter(|byte| **byte == 7)
            .count(),
        50 << 20
    );
    assert!(tempfile::env::temp_dir().is_absolute() && Instant::now().elapsed() < PATIENCE);
}

#[test]
fn confined_process_reaches_no_file_network_or_process() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let ran = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "isolation::confined_process"])
        .env(CONFINED, port.to_string())
        .output()
        .unwrap();
    Ran::from(ran).assert_ended(0, "the confined process");
}

#[test]
fn readers_are_confined_and_the_doctor_says_how() {
    let pool = Pool::new(env!("CARGO_BIN_EXE_research"));
    let confinement = pool.confinement().unwrap();
    let scratch = Scratch::new();
    let doctor = scratch.expect(0, &["doctor"]).stdout;
    let line = doctor.lines().find(|line| line.contains("readers"));
    let line = line.unwrap();
    assert!(
        line.contains("child processes with limits of memory and time"),
        "{line}"
    );
    assert_eq!(
        line.contains("Landlock, seccomp"),
        confinement
            == Confinement {
                landlock: true,
                seccomp: true
            }
    );
    if cfg!(target_os = "linux") {
        assert!(confinement.seccomp, "{confinement:?}");
    }
}

/// A zip archive of parts.
fn zipped(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(io::Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// An EPUB with one chapter.
fn epub(chapter: &str) -> Vec<u8> {
    zipped(&[
        (
            "META-INF/container.xml",
            "<container><rootfiles><rootfile full-path='a.opf' \
             media-type='application/oebps-package+xml'/></rootfiles></container>",
        ),
        (
            "a.opf",
            "<package><metadata><dc:title>Bang</dc:title></metadata><manifest><item id='c' \
             href='c.xhtml' media-type='application/xhtml+xml'/></manifest><spine>\
             <itemref idref='c'/></spine></package>",
        ),
        ("c.xhtml", chapter),
    ])
}

/// A DOCX, an ODS and an XLSX with a body.
fn docx(body: &str) -> Vec<u8> {
    let xml = format!("<w:document><w:body>{body}</w:body></w:document>");
    zipped(&[("word/document.xml", &xml)])
}

fn ods(body: &str) -> Vec<u8> {
    let xml = format!(
        "<office:document-content><office:body><office:spreadsheet>{body}</office:spreadsheet>\
         </office:body></office:document-content>"
    );
    let mime = "application/vnd.oasis.opendocument.spreadsheet";
    zipped(&[("mimetype", mime), ("content.xml", &xml)])
}

fn xlsx(rows: &str) -> Vec<u8> {
    zipped(&[
        (
            "xl/workbook.xml",
            "<workbook><sheets><sheet name='Pumps' r:id='a'/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships><Relationship Id='a' Type='x/worksheet' \
             Target='worksheets/sheet1.xml'/></Relationships>",
        ),
        (
            "xl/worksheets/sheet1.xml",
            &format!("<worksheet><sheetData>{rows}</sheetData></worksheet>"),
        ),
    ])
}

/// Small documents that grow when they are read, each with its name.
fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let cell = "<w:tc><w:tcPr><w:gridSpan w:val='64'/></w:tcPr></w:tc>".repeat(20);
    let spans = format!(
        "<w:tbl>{}</w:tbl>",
        format!("<w:tr>{cell}</w:tr>").repeat(20_000)
    );
    let wide = format!(
        "<table:table><table:table-row><table:table-cell \
         table:number-columns-repeated='999999999'><text:p>{}</text:p></table:table-cell>\
         </table:table-row></table:table>",
        "x".repeat(1_000_000)
    );
    let cells = format!(
        "<c t='inlineStr'><is><t>{}</t></is></c>",
        "x".repeat(50_000)
    );
    vec![
        ("spans.docx", docx(&spans)),
        ("blanks.docx", docx(&" ".repeat(300 << 20))),
        ("wide.ods", ods(&wide)),
        (
            "long.xlsx",
            xlsx(&format!("<row>{}</row>", cells.repeat(150)).repeat(40)),
        ),
        ("paragraphs.epub", epub(&"<p>x</p>".repeat(4_000_000))),
    ]
}

#[test]
fn documents_that_grow_beyond_the_limits_are_errors_with_a_remedy() {
    let reader = Reader::isolated(env!("CARGO_BIN_EXE_research"));
    for (name, bytes) in bombs() {
        assert!(bytes.len() < 2_000_000, "{name}: {}", bytes.len());
        let name = Path::new(name);
        let kind = Kinds::built_in().by_extension(name).unwrap();
        let error = reader.read_bytes(name, kind, &bytes, None).unwrap_err();
        let error = error.to_string();
        assert!(
            ["more memory", "more than 33554432 bytes", "too long"]
                .iter()
                .any(|problem| error.contains(problem)),
            "{error}"
        );
    }
}

#[test]
fn long_texts_are_read_in_a_child_and_short_ones_are_not() {
    let reader = Reader {
        // Too little for any child.
        memory_bytes: 1 << 20,
        ..Reader::isolated(env!("CARGO_BIN_EXE_research"))
    };
    let read = |name: &str, text: &str| {
        let name = Path::new(name);
        let kind = Kinds::built_in().by_extension(name).unwrap();
        reader.read_bytes(name, kind, text.as_bytes(), None)
    };
    let text = "Pumps are quiet.\n\n".repeat(120_000);
    for name in ["a.md", "a.txt", "a.rst"] {
        assert!(read(name, &text[..1 << 20]).is_ok(), "{name}");
        let error = read(name, &text).unwrap_err().to_string();
        assert!(error.contains("it takes more memory than"), "{error}");
    }
    // What Markdown is read as plain text is so in a child too.
    let reader = Reader::isolated(env!("CARGO_BIN_EXE_research"));
    let name = Path::new("marks.md");
    let kind = Kinds::built_in().by_extension(name).unwrap();
    let marks = "*a* ".repeat(600_000);
    let read = reader.read_bytes(name, kind, marks.as_bytes(), None);
    assert_eq!(read.unwrap().kind.name, "text");
}

#[test]
fn documents_that_take_too_much_memory_or_time_are_errors_with_a_remedy() {
    let mut reader = Reader {
        timeout: Duration::from_secs(300),
        ..Reader::isolated(env!("CARGO_BIN_EXE_research"))
    };
    for (name, bytes, problem) in [
        (
            "comments.epub",
            epub(&"<!>".repeat(10 << 20)),
            "it takes more memory than",
        ),
        (
            "comments.html",
            "<!>".repeat(10 << 20).into(),
            "it takes more memory than",
        ),
        (
            "breaks.html",
            "<br>".repeat(8 << 20).into(),
            "it takes more memory than",
        ),
        ("misnested.html", slow_page().into(), "it took too long"),
    ] {
        let name = Path::new(name);
        let kind = Kinds::built_in().by_extension(name).unwrap();
        if problem.contains("long") {
            reader.timeout = Duration::from_secs(1);
        }
        let error = reader
            .read_bytes(name, kind, &bytes, None)
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("cannot read the ")
                && error.contains(problem)
                && error.contains(kind.remedy),
            "{error}"
        );
    }
    // The next one is read as ever.
    reader.timeout = Reader::TIMEOUT;
    let kind = Kinds::built_in().by_extension(Path::new("a.html")).unwrap();
    let next = reader.read_bytes(Path::new("a.html"), kind, b"<p>Some words.", None);
    assert_eq!(next.unwrap().text, "Some words.\n");
}

#[test]
fn child_that_is_no_reader_is_an_error_that_names_it() {
    let kind = Kinds::built_in().by_extension(Path::new("a.html")).unwrap();
    for program in ["/bin/true", "/nonexistent/program"] {
        let reader = Reader::isolated(program);
        let error = reader.read_bytes(Path::new("a.html"), kind, b"<p>x", None);
        let error = error.unwrap_err();
        assert!(
            error.is_transient() && error.to_string().contains(program),
            "{error}"
        );
    }
}

/// The processes that a process has started and that still run.
fn children(parent: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let name = entry.ok()?.file_name();
        name.to_str()?.parse::<u32>().ok()
    });
    processes
        .filter(|process| {
            let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            // After the name, which is in parentheses: the state and the parent.
            let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
            let mut fields = fields.split_whitespace();
            let (state, own) = (fields.next(), fields.next());
            state.is_some_and(|state| state != "Z") && own == Some(&parent.to_string())
        })
        .collect()
}

/// Waits until something is so.
fn until<T>(mut so: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(value) = so() {
            return value;
        }
        assert!(begun.elapsed() < PATIENCE, "it does not happen");
        std::thread::yield_now();
    }
}

/// A page that takes its parser long: formatting elements that blocks tear apart are opened anew in
/// each of them.
fn slow_page() -> String {
    format!("{}x", "<a><b><i><div>".repeat(100)).repeat(3000)
}

/// Documents of which one takes its parser longer than it may, and the program that reads them; the
/// process that reads that one.
fn reading(scratch: &Scratch, arguments: &[&str]) -> (Child, u32) {
    scratch.write("docs/slow.html", slow_page());
    let mut command = scratch.command(arguments);
    let program = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let program = program.spawn().unwrap();
    let reader = until(|| children(program.id()).pop());
    (program, reader)
}

/// Waits until a reader is past its start: it has taken processor time that no start takes.
fn past_start(reader: u32) {
    until(|| {
        let stat = fs::read_to_string(format!("/proc/{reader}/stat")).ok()?;
        // User time is the 14th field, of which the first two end with the parenthesis.
        let (_, fields) = stat.rsplit_once(')')?;
        let ticks: u64 = fields.split_whitespace().nth(11)?.parse().ok()?;
        (ticks > 20).then_some(())
    });
}

fn killed(process: u32) {
    let killed = Command::new("kill")
        .args(["-KILL", &process.to_string()])
        .status();
    assert!(killed.unwrap().success());
}

#[test]
fn reader_that_is_killed_costs_its_document_and_not_the_run() {
    if !Path::new("/proc/self/stat").exists() {
        return skipped("there is no /proc");
    }
    for is_past_start in [false, true] {
        let scratch = Scratch::with_few();
        let (program, reader) = reading(&scratch, &RUN_ARGUMENTS);
        if is_past_start {
            past_start(reader);
        }
        killed(reader);
        let ran = Ran::from(program.wait_with_output().unwrap());
        ran.assert_ended(0, "a run whose reader was killed");
        let failures = scratch.json("research.json").to_string();
        assert!(
            failures.contains("slow.html") && failures.contains("its reader ended with signal: 9"),
            "past its start: {is_past_start}: {failures}"
        );
        // What the other documents say is quoted.
        let claims = scratch.json("report.json")["content"]["claims"].clone();
        assert!(!claims.as_array().unwrap().is_empty(), "{claims}");
    }
}

#[test]
fn a_document_that_is_begun_ends_with_the_time_of_the_run() {
    let scratch = Scratch::with_few();
    scratch.write("docs/zz-slow.html", slow_page());
    let arguments = [&RUN_ARGUMENTS[..], &["--timeout", "3"]].concat();
    let ran = scratch.expect(0, &arguments);
    let problem = "the time of the run was used up";
    let unread =
        "1 document was not read, as the time of the run was used up; research run --resume";
    assert!(ran.stderr.contains(unread), "{}", ran.stderr);
    let arguments = [&RUN_ARGUMENTS[..], &["--timeout", "99"]].concat();
    let again = scratch.expect(0, &arguments);
    assert!(again.stderr.contains(unread), "{}", again.stderr);
    let failures = scratch.json("research.json").to_string();
    assert!(
        failures.contains("cannot read the ") && failures.contains(problem),
        "{failures}"
    );
    let claims = scratch.json("report.json")["content"]["claims"].clone();
    assert!(!claims.as_array().unwrap().is_empty(), "{claims}");
}

#[test]
fn reader_ends_with_its_parent() {
    if !Path::new("/proc/self/stat").exists() {
        return skipped("there is no /proc");
    }
    let scratch = Scratch::new();
    let (mut program, reader) = reading(&scratch, &["read", "docs/slow.html"]);
    past_start(reader);
    program.kill().unwrap();
    program.wait().unwrap();
    until(|| (!Path::new(&format!("/proc/{reader}")).exists()).then_some(()));
}

#[test]
fn run_over_markdown_and_plain_text_starts_no_reader() {
    let scratch = Scratch::with_few();
    scratch.write(
        "docs/notes.txt",
        "A heat pump moves heat into old houses.\n",
    );
    let ran = scratch.expect(0, &[&RUN_ARGUMENTS[..], &["-vv"]].concat());
    assert!(
        !ran.stderr.contains("a reader was started"),
        "{}",
        ran.stderr
    );
    scratch.write(
        "docs/page.html",
        "<p>A heat pump moves heat into old houses.",
    );
    let ran = scratch.expect(0, &["read", "docs/page.html", "-vv"]);
    assert!(
        ran.stderr.contains("a reader was started"),
        "{}",
        ran.stderr
    );
}
