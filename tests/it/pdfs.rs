//! PDF files that a server sends: read without a file of ours, and those that mean harm end in an
//! error that says what to do.

use std::sync::atomic::Ordering;
use std::time::Duration;

use research::read::Reader;
use research::web::{Page, WebError, page};

use crate::harness::{Ran, Scratch};
use crate::server::{self, Server};
use crate::web::{fetcher, limits, wait};

/// A font that every reader knows.
const FONT: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

/// A PDF of these objects, of which the first is its catalogue.
fn pdf(objects: &[String]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.4\n".to_vec();
    let mut places = String::new();
    for (number, object) in objects.iter().enumerate() {
        places.push_str(&format!("{:010} 00000 n \n", bytes.len()));
        bytes.extend(format!("{} 0 obj\n{object}\nendobj\n", number + 1).bytes());
    }
    let (start, size) = (bytes.len(), objects.len() + 1);
    bytes.extend(format!("xref\n0 {size}\n0000000000 65535 f \n{places}").bytes());
    bytes.extend(format!("trailer\n<< /Size {size} /Root 1 0 R >>\n").bytes());
    bytes.extend(format!("startxref\n{start}\n%%EOF\n").bytes());
    bytes
}

/// A page with this content, this font, and further objects from number 6 on.
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

const WORDS: &str = "BT /A 12 Tf 20 200 Td (Heat pumps are quiet.) Tj ET";

/// Serves a PDF, and reads it.
fn served(body: Vec<u8>, pdf_timeout: Duration) -> Result<Page, WebError> {
    let server =
        Server::new(move |_, stream| server::page(stream, "200 OK", "application/pdf", &body));
    let fetched = wait(fetcher(limits()).fetch(&server.url("/paper.pdf")))?;
    assert_eq!(server.requests.load(Ordering::SeqCst), 1);
    let reader = Reader {
        pdf_timeout,
        ..Reader::new(env!("CARGO_BIN_EXE_research"))
    };
    page(&reader, fetched)
}

#[test]
fn a_pdf_that_is_served_is_read() {
    let found = served(one_page(WORDS, FONT, &[]), Reader::PDF_TIMEOUT).unwrap();
    assert_eq!(found.document.kind.name, "pdf");
    assert_eq!(found.document.text, "Heat pumps are quiet.\n");
}

#[test]
fn a_number_is_of_a_page_at_its_top_and_foot_only() {
    let page = |content: usize| {
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents {content} 0 R \
             /Resources << /Font << /A 7 0 R >> >> >>"
        )
    };
    let lines = |lines: [&str; 3]| {
        let lines: String = lines
            .iter()
            .map(|line| format!("({line}) Tj 0 -50 Td "))
            .collect();
        stream("", &format!("BT /A 12 Tf 20 200 Td {lines}ET"))
    };
    let body = pdf(&[
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>".to_owned(),
        page(5),
        page(6),
        lines(["A chronicle.", "2014", "1"]),
        lines(["2", "2015", "The first pump."]),
        FONT.to_owned(),
    ]);
    let found = served(body, Reader::PDF_TIMEOUT).unwrap();
    assert_eq!(
        found.document.text,
        "A chronicle.\n\n2014\n\n2015\n\nThe first pump.\n"
    );
}

#[test]
fn no_temporary_file_is_made_of_a_pdf() {
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
fn a_pdf_that_means_harm_is_a_clear_error() {
    for (name, body, problem) in hostile() {
        let limit = match problem {
            "too long" => Duration::from_millis(300),
            _ => Reader::PDF_TIMEOUT,
        };
        let error = served(body, limit).expect_err(name);
        let error = error.to_string();
        assert!(
            error.contains("/paper.pdf, but cannot read it: ")
                && error.contains(problem)
                && error.contains("; convert it to text"),
            "{name}: {error}"
        );
    }
}

/// What breaks, stops or feeds a parser without end, and what is said of it.
fn hostile() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let whole = one_page(WORDS, FONT, &[]);
    let text = String::from_utf8(whole.clone()).unwrap();
    let with = |one: &str, other: &str| text.replace(one, other).into_bytes();
    let panic = "its parser gave up on it";
    vec![
        ("cut", whole[..whole.len() / 2].to_vec(), "cross reference"),
        (
            "far table",
            with("startxref\n", "startxref\n9"),
            "reference",
        ),
        ("broken table", with("00000 n", "0000x n"), "trailer"),
        ("nested", one_page(&"[".repeat(400_000), FONT, &[]), panic),
        (
            "strange font",
            one_page(WORDS, &FONT.replace("Type1", "Type0"), &[]),
            panic,
        ),
        (
            "form in itself",
            one_page("/F0 Do", FONT, &forms(1, "/F0 Do")),
            "overflow",
        ),
        (
            "forms by the million",
            one_page("/F0 Do", FONT, &forms(12, WORDS)),
            "too long",
        ),
    ]
}

/// Forms of which each draws the next ten times; the last draws this.
fn forms(count: usize, last: &str) -> Vec<String> {
    let form = |number: usize| {
        let next = number + 1;
        let content = match next < count {
            true => format!("/F{next} Do ").repeat(10),
            false => last.to_owned(),
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
fn a_pdf_that_promises_too_much_is_read_for_what_it_holds() {
    let deep = one_page(WORDS, FONT, &["[".repeat(400_000)]);
    let text = String::from_utf8(one_page(WORDS, FONT, &[])).unwrap();
    for (name, body) in [
        ("deep object", deep),
        ("size", text.replace("/Size 6", "/Size 4294967295").into()),
        ("table", text.replace("0 6\n", "0 4294967295\n").into()),
    ] {
        let found = served(body, Reader::PDF_TIMEOUT).unwrap();
        assert_eq!(found.document.text, "Heat pumps are quiet.\n", "{name}");
    }
}
