//! The memory that the program and its child processes take together, for small and large files of
//! strangers: below 256 MiB with the settings that come with it.

use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::harness::{Ran, Scratch, TOPIC};

/// What all processes together may take.
const MAX_MEBIBYTES: u64 = 256;

/// The time between two looks at what they take.
const INTERVAL: Duration = Duration::from_millis(20);

/// How a command ended, and the most memory that its processes took at once, in MiB: the sum of
/// their proportional set sizes. 0 where the system does not tell.
pub(crate) fn measured(mut command: Command) -> (Ran, u64) {
    let pipes = (Stdio::piped(), Stdio::piped());
    let child = command.stdout(pipes.0).stderr(pipes.1).spawn().unwrap();
    let process = child.id();
    let ended = std::thread::spawn(move || child.wait_with_output().unwrap());
    let mut peak = 0;
    while !ended.is_finished() {
        let processes = with_children(process).into_iter();
        peak = peak.max(processes.filter_map(kibibytes).sum());
        std::thread::sleep(INTERVAL);
    }
    (ended.join().unwrap().into(), peak >> 10)
}

/// A process and those that it started.
fn with_children(process: u32) -> Vec<u32> {
    let mut all = vec![process];
    let tasks = fs::read_dir(format!("/proc/{process}/task"));
    for task in tasks.into_iter().flatten().flatten() {
        let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
        let children = children.split_whitespace().filter_map(|id| id.parse().ok());
        all.extend(children.flat_map(with_children));
    }
    all
}

fn kibibytes(process: u32) -> Option<u64> {
    let sums = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
    let line = sums.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Runs the program, which ends with this code and takes no more than it may.
fn expect(scratch: &Scratch, code: i32, arguments: &[&str]) -> Ran {
    let (ran, mebibytes) = measured(scratch.command(arguments));
    ran.assert_ended(code, &arguments.join(" "));
    assert!(
        mebibytes < MAX_MEBIBYTES,
        "{mebibytes} MiB for {arguments:?}"
    );
    ran
}

/// A PDF of one page of words, with further objects from number 6 on.
fn pdf(further: impl Iterator<Item = String>) -> String {
    let words = "BT /A 12 Tf 20 200 Td (Heat pumps are quiet.) Tj ET";
    let first = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R \
         /Resources << /Font << /A 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{words}\nendstream", words.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let (mut file, mut entries, mut size) = ("%PDF-1.4\n".to_owned(), String::new(), 1);
    for object in first.into_iter().chain(further) {
        writeln!(entries, "{:010} 00000 n ", file.len()).unwrap();
        writeln!(file, "{size} 0 obj\n{object}\nendobj").unwrap();
        size += 1;
    }
    let start = file.len();
    file + &format!(
        "xref\n0 {size}\n0000000000 65535 f \n{entries}trailer\n<< /Size {size} /Root 1 0 R >>\n\
         startxref\n{start}\n%%EOF\n"
    )
}

#[test]
fn pdf_of_millions_of_objects_takes_no_more_memory_than_other_documents() {
    let scratch = Scratch::new();
    let values = "[]".repeat(4_500_000);
    scratch.write("a.pdf", pdf(std::iter::once(format!("[{values}]"))));
    let ran = expect(&scratch, 1, &["read", "a.pdf"]);
    let problem = "it takes more memory than a document may (read.memory_mebibytes)";
    assert!(ran.stderr.contains(problem), "{}", ran.stderr);
}

#[test]
fn manual_of_many_marks_and_links_is_read_in_the_memory_of_other_documents() {
    let scratch = Scratch::new();
    let marks = (0..100_000)
        .map(|number| format!("<< /Type /StructElem /S /P /P 1 0 R /Pg 3 0 R /K {number} >>"));
    let links = (0..50_000).map(|_| "<< /Subtype /Link /Rect [0 0 9 9] /Dest 3 0 R >>".to_owned());
    scratch.write("a.pdf", pdf(marks.chain(links)));
    let ran = expect(&scratch, 0, &["read", "a.pdf"]);
    assert_eq!(ran.stdout, "Heat pumps are quiet.\n");
}

#[test]
fn endless_text_is_quoted_from_in_part_and_says_so() {
    let text = "Heat pumps work in old houses. ".repeat(1_080_000);
    let scratch = Scratch::with_docs(&[("endless.txt", &text)]);
    let run = ["run", TOPIC, "--docs", "docs", "--session", "s"];
    let ran = expect(&scratch, 0, &run);
    let omission = "endless.txt beyond its first 1.8 MiB of text, which are read; split it";
    let stated = format!("not read: {omission}");
    assert_eq!(ran.stderr.matches(&stated).count(), 1, "{}", ran.stderr);
    let report = scratch.read("research-output/s/final_report.md");
    let limit = format!("Not read: {omission}");
    assert!(report.contains(&limit), "{report}");
    let stored = scratch.read("research-output/s/sources/S1.md");
    assert!(stored.len() < 2_000_000, "{}", stored.len());
    let read = expect(&scratch, 0, &["read", "docs/endless.txt"]);
    assert!(read.stderr.contains(omission), "{}", read.stderr);
    scratch.write("claims.md", "Heat pumps work in old houses.\n");
    let check = ["check", "claims.md", "--docs", "docs", "--offline"];
    let checked = expect(&scratch, 0, &check);
    let skipped = format!("skipped: {omission}");
    assert!(checked.stderr.contains(&skipped), "{}", checked.stderr);
}

#[test]
fn session_of_huge_files_is_looked_at_in_little_memory() {
    let scratch = Scratch::with_few();
    scratch.research();
    let source = scratch.session().join("sources/S1.md");
    let file = fs::File::options().write(true).open(source).unwrap();
    file.set_len(1000 << 20).unwrap();
    for arguments in [&["status", "s"][..], &["export", "s"]] {
        expect(&scratch, 0, arguments);
    }
    expect(&scratch, 1, &["verify", "s"]);
    let mut gate = scratch.json("research.json");
    gate["content"]["limits"] = vec!["many"].into();
    let many = vec!["\"\""; 16_000_000].join(",");
    let gate = gate.to_string().replacen("\"many\"", &many, 1);
    scratch.write("research-output/s/research.json", gate);
    expect(&scratch, 0, &["list"]);
    let verified = expect(&scratch, 1, &["verify", "s"]);
    let problem = "larger than the 12 MiB";
    assert!(verified.stderr.contains(problem), "{}", verified.stderr);
}

#[test]
fn archives_that_many_jobs_unpack_at_once_take_no_more_memory_than_others() {
    let scratch = Scratch::new();
    let archive = archive_of_marks(24 << 20);
    let topics: Vec<String> = (0..6)
        .map(|number| {
            scratch.write(&format!("docs{number}/a.epub"), &archive);
            scratch.write(
                &format!("docs{number}/b.md"),
                "# House\n\nIt has a boiler.\n",
            );
            format!("{{\"topic\": \"What is in house {number}?\", \"docs\": [\"docs{number}\"]}}\n")
        })
        .collect();
    scratch.write("topics.jsonl", topics.concat());
    let batch = ["batch", "topics.jsonl", "--jobs", "6", "--keep-going"];
    let (ran, mebibytes) = measured(scratch.command(&batch));
    assert!(ran.stderr.contains("6 topics"), "{}", ran.stderr);
    assert!(mebibytes < MAX_MEBIBYTES, "{mebibytes} MiB");
}

/// A book of one chapter with so many bytes of comments.
fn archive_of_marks(bytes: usize) -> Vec<u8> {
    let chapter = "<!>".repeat(bytes / 3);
    let parts = [
        (
            "META-INF/container.xml",
            "<container><rootfiles><rootfile full-path='book.opf'/></rootfiles></container>",
        ),
        (
            "book.opf",
            "<package><manifest><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>\
             </manifest><spine><itemref idref='a'/></spine></package>",
        ),
        ("a.xhtml", &chapter),
    ];
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}
