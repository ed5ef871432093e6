//! PDF files that a server sends: read without a temporary file, and hostile ones (truncated,
//! deeply nested, endless) end in an error with a remedy.

use std::sync::atomic::Ordering;
use std::time::Duration;

use research::pipeline::Digest;
use research::read::Reader;
use research::web::{Page, WebError, page};

use crate::harness::{Ran, Scratch, parsed};
use crate::server::{self, Server};
use crate::web::{fetcher, limits, wait};

/// One of the standard fonts (ISO 32000-1, 9.6.2.2), which need not be embedded.
const FONT: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

/// A PDF of these objects, the first of which is the document catalog, with a cross-reference
/// table.
fn pdf(objects: &[String]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.4\n".to_vec();
    let mut entries = String::new();
    for (number, object) in objects.iter().enumerate() {
        entries.push_str(&format!("{:010} 00000 n \n", bytes.len()));
        bytes.extend(format!("{} 0 obj\n{object}\nendobj\n", number + 1).bytes());
    }
    let (start, size) = (bytes.len(), objects.len() + 1);
    bytes.extend(format!("xref\n0 {size}\n0000000000 65535 f \n{entries}").bytes());
    bytes.extend(format!("trailer\n<< /Size {size} /Root 1 0 R >>\n").bytes());
    bytes.extend(format!("startxref\n{start}\n%%EOF\n").bytes());
    bytes
}

/// A PDF of one page with a content stream, a font, and further objects (form XObjects) from number
/// 6 on.
fn one_page(content: &str, font: &str, further: &[String]) -> Vec<u8> {
    let forms: String = (0..further.len())
        .map(|form| format!("/F{form} {} 0 R ", form + 6))
        .collect();
    let page = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R \
         /Resources << /Font << /A 5 0 R >> /XObject << {forms}>> >> >>"
    );
    let first = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        page,
        stream("", content),
        font.to_owned(),
    ];
    pdf(&[&first[..], further].concat())
}

fn stream(keys: &str, content: &str) -> String {
    let length = content.len();
    format!("<< {keys} /Length {length} >>\nstream\n{content}\nendstream")
}

/// A content stream that shows a line of text (operators BT, Tf, Td, Tj and ET).
const WORDS: &str = "BT /A 12 Tf 20 200 Td (Heat pumps are quiet.) Tj ET";

/// The page that is read from a PDF which a server sends.
fn fetch_and_read(body: Vec<u8>, timeout: Duration) -> Result<Page, WebError> {
    let server =
        Server::new(move |_, stream| server::page(stream, "200 OK", "application/pdf", &body));
    let fetched = wait(fetcher(limits()).fetch(&server.url("/paper.pdf")))?;
    assert_eq!(server.requests.load(Ordering::SeqCst), 1);
    let reader = Reader {
        timeout,
        ..Reader::isolated(env!("CARGO_BIN_EXE_research"))
    };
    page(&reader, fetched)
}

#[test]
fn pdf_from_a_server_is_read() {
    let page = fetch_and_read(one_page(WORDS, FONT, &[]), Reader::TIMEOUT).unwrap();
    assert_eq!(page.document.kind.name, "pdf");
    assert_eq!(page.document.text, "Heat pumps are quiet.\n");
}

/// A PDF of two pages with these lines.
fn two_pages(first: &[&str], second: &[&str]) -> Vec<u8> {
    let page = |content: usize| {
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 900 300] /Contents {content} 0 R \
             /Resources << /Font << /A 7 0 R >> >> >>"
        )
    };
    let content = |lines: &[&str]| {
        let lines: String = lines
            .iter()
            .map(|line| format!("({line}) Tj 0 -50 Td "))
            .collect();
        stream("", &format!("BT /A 12 Tf 20 200 Td {lines}ET"))
    };
    pdf(&[
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>".to_owned(),
        page(5),
        page(6),
        content(first),
        content(second),
        FONT.to_owned(),
    ])
}

#[test]
fn page_numbers_are_removed_at_the_top_and_foot_of_pages_only() {
    let body = two_pages(
        &["A chronicle.", "2014", "1"],
        &["2", "2015", "The first pump."],
    );
    let page = fetch_and_read(body, Reader::TIMEOUT).unwrap();
    assert_eq!(
        page.document.text,
        "A chronicle.\n\n2014\n\n2015\n\nThe first pump.\n"
    );
    assert_eq!(page.document.pages.page(16), Some(1));
    assert_eq!(page.document.pages.page(21), Some(2));
}

#[test]
fn quotations_from_a_pdf_have_its_page_everywhere() {
    let scratch = Scratch::new();
    let body = two_pages(
        &["Honey is food.", "Honey is made by bees."],
        &["A hive of bees makes 30 kg of honey in a year."],
    );
    scratch.write("docs/hive.pdf", body);
    let topic = "How much honey do bees make in a year?";
    let run = ["run", topic, "--docs", "docs", "--session", "s"];
    let printed = scratch.expect(0, &[&run[..], &["--format", "html"]].concat());
    let position = "S1, page 2, line 5, bytes ";
    assert!(printed.stdout.contains(position), "{}", printed.stdout);
    let html = scratch.read("research-output/s/final_report.html");
    assert!(html.contains(position), "{html}");
    let source = scratch.json("sources/S1.json")["content"].clone();
    assert_eq!(source["pages"].as_array().unwrap().len(), 2, "{source}");
    let research = scratch.json("research.json")["content"].clone();
    let passages = research["passages"].as_array().unwrap();
    let of_last =
        |passage: &&serde_json::Value| passage["quote"].as_str().unwrap().contains("30 kg");
    assert_eq!(passages.iter().find(of_last).unwrap()["page"], 2);
    let exported = parsed(
        &scratch
            .expect(0, &["export", "s", "--format", "json"])
            .stdout,
    );
    assert!(exported["claims"].to_string().contains("\"page\":2"));
    // The text is as before; its pages are beside it.
    let read = scratch.expect(0, &["read", "docs/hive.pdf"]);
    assert!(
        read.stderr.contains("2 pages, which begin in lines 1, 5"),
        "{}",
        read.stderr
    );
    let json = parsed(
        &scratch
            .expect(0, &["read", "docs/hive.pdf", "--json"])
            .stdout,
    );
    assert_eq!(json["pages"], source["pages"]);
    let hits = scratch.expect(0, &["search", "honey in a year", "--docs", "docs"]);
    assert!(
        hits.stdout.contains("hive.pdf:5 (page 2, bytes"),
        "{}",
        hits.stdout
    );
    scratch.expect(0, &["verify", "s"]);
    // Files of older versions have no pages: they are read, and nothing is made again.
    for file in [
        "research.json",
        "report.json",
        "claims.json",
        "sources/S1.json",
    ] {
        let name = format!("research-output/s/{file}");
        let mut value = parsed(&scratch.read(&name));
        remove_pages(&mut value);
        assert!(!value.to_string().contains("\"page"), "{file}");
        scratch.write(&name, value.to_string());
    }
    let name = "research-output/s/verification.json";
    let mut verification = parsed(&scratch.read(name));
    let claims = Digest::of(scratch.read("research-output/s/claims.json"));
    verification["provenance"]["inputs"]["claims.json"] = claims.as_str().into();
    scratch.write(name, verification.to_string());
    scratch.expect(0, &["verify", "s"]);
    let old = scratch.expect(0, &["export", "s"]).stdout;
    assert!(old.contains("S1, line 5, bytes"), "{old}");
    scratch.expect(0, &["run", "--resume", "s"]);
}

fn remove_pages(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Array(values) => values.iter_mut().for_each(remove_pages),
        serde_json::Value::Object(fields) => {
            fields.retain(|name, _| !["page", "pages"].contains(&name.as_str()));
            fields.values_mut().for_each(remove_pages);
        }
        _ => {}
    }
}

#[test]
fn pdf_is_read_without_a_temporary_file() {
    let body = one_page(WORDS, FONT, &[]);
    let server =
        Server::new(move |_, stream| server::page(stream, "200 OK", "application/pdf", &body));
    let scratch = Scratch::new();
    let mut command = scratch.command(&["read", &server.url("/paper.pdf")]);
    command.env("RESEARCH_NETWORK__ALLOW", "127.0.0.1");
    command.env("TMPDIR", "/nonexistent");
    let ran = Ran::from(command.output().unwrap());
    ran.assert_ended(0, "read");
    assert!(ran.stdout.contains("Heat pumps are quiet."));
}

#[test]
fn hostile_pdf_is_an_error_with_a_remedy() {
    for (name, body, problem) in hostile() {
        let limit = match problem {
            "too long" => Duration::from_millis(300),
            _ => Reader::TIMEOUT,
        };
        let error = fetch_and_read(body, limit).expect_err(name);
        let error = error.to_string();
        assert!(
            error.contains("/paper.pdf, but cannot read it: ")
                && error.contains(problem)
                && error.contains("; convert it to text"),
            "{name}: {error}"
        );
    }
}

/// PDFs that break a parser, exhaust its stack or never end, each with a part of its error.
fn hostile() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let complete = one_page(WORDS, FONT, &[]);
    let text = String::from_utf8(complete.clone()).unwrap();
    let replaced = |one: &str, other: &str| text.replace(one, other).into_bytes();
    let panic = "its parser gave up on it";
    vec![
        (
            "cut",
            complete[..complete.len() / 2].to_vec(),
            "cross reference",
        ),
        (
            "far table",
            replaced("startxref\n", "startxref\n9"),
            "reference",
        ),
        ("broken table", replaced("00000 n", "0000x n"), "trailer"),
        ("nested", one_page(&"[".repeat(400_000), FONT, &[]), panic),
        (
            "strange font",
            one_page(WORDS, &FONT.replace("Type1", "Type0"), &[]),
            panic,
        ),
        (
            "form that draws itself",
            one_page("/F0 Do", FONT, &forms(1, "/F0 Do")),
            "more memory",
        ),
        (
            "forms by the million",
            one_page("/F0 Do", FONT, &forms(12, WORDS)),
            "too long",
        ),
    ]
}

/// Form XObjects, each of which draws the next one ten times (operator Do): ten to the power of
/// their number in all. The last one has this content.
fn forms(count: usize, last: &str) -> Vec<String> {
    let form = |number: usize| {
        let next = number + 1;
        let content = if next < count {
            format!("/F{next} Do ").repeat(10)
        } else {
            last.to_owned()
        };
        let drawn = if next < count { number + 7 } else { number + 6 };
        let keys = format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 9 9] \
             /Resources << /Font << /A 5 0 R >> /XObject << /F{} {drawn} 0 R >> >>",
            drawn - 6
        );
        stream(&keys, &content)
    };
    (0..count).map(form).collect()
}

#[test]
fn pdf_with_false_sizes_in_its_tables_is_read() {
    let deep = one_page(WORDS, FONT, &["[".repeat(400_000)]);
    let text = String::from_utf8(one_page(WORDS, FONT, &[])).unwrap();
    for (name, body) in [
        ("deep object", deep),
        ("size", text.replace("/Size 6", "/Size 4294967295").into()),
        ("table", text.replace("0 6\n", "0 4294967295\n").into()),
    ] {
        let page = fetch_and_read(body, Reader::TIMEOUT).unwrap();
        assert_eq!(page.document.text, "Heat pumps are quiet.\n", "{name}");
    }
}
