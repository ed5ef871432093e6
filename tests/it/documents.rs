//! DOCX, EPUB and feeds, as files and from the web: text, metadata, detection, and hostile input
//! (decompression bombs, billion laughs, truncation, deep nesting).

use std::fs;
use std::io::{Cursor, Write};
use std::os::unix::fs::symlink;
use std::process::Command;

use research::read::Reader;
use research::web::{self, FetchResponse};
use serde_json::Value;
use url::Url;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::harness::{Ran, Scratch, parsed};

const CONTAINER: &str =
    "<container><rootfiles><rootfile full-path='book.opf'/></rootfiles></container>";

const PACKAGE: &str = "<package><metadata>\
    <dc:title>On bees</dc:title><dc:creator>Ann B</dc:creator>\
    <dc:date>2020-05-06</dc:date><dc:language>en</dc:language></metadata>\
    <manifest><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/></manifest>\
    <spine><itemref idref='a'/></spine></package>";

const FEED: &str = "<rss version='2.0'><channel><title>News of pumps</title>\
    <item><title>Quiet pumps</title>\
    <link>https://e.org/a</link><pubDate>Wed, 06 May 2020 01:02:03 GMT</pubDate>\
    <description>&lt;p&gt;A heat pump is quiet.&lt;/p&gt;</description></item></channel></rss>";

fn zipped(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn docx(body: &str) -> Vec<u8> {
    let body = format!("<w:document><w:body>{body}</w:body></w:document>");
    zipped(&[
        ("[Content_Types].xml", "<Types/>"),
        ("word/document.xml", &body),
        (
            "word/styles.xml",
            "<w:styles><w:style w:styleId='H'><w:name w:val='heading 1'/></w:style></w:styles>",
        ),
        (
            "docProps/core.xml",
            "<c><dc:creator>Ann B</dc:creator>\
             <dcterms:modified>2020-05-06T00:00:00Z</dcterms:modified></c>",
        ),
        ("../../x", "away"),
    ])
}

fn bicycles_docx() -> Vec<u8> {
    docx(
        "<w:p><w:pPr><w:pStyle w:val='H'/></w:pPr><w:r><w:t>Bicycles</w:t></w:r></w:p>\
         <w:p><w:r><w:t>A bicycle has two </w:t></w:r><w:r><w:t>wheels.</w:t></w:r></w:p>",
    )
}

fn bees_epub() -> Vec<u8> {
    let chapter =
        "<html><head><title/></head><body><h1>Honey</h1><p>Bees make honey.</p></body></html>";
    zipped(&[
        ("META-INF/container.xml", CONTAINER),
        ("book.opf", PACKAGE),
        ("a.xhtml", chapter),
    ])
}

/// A response with a body of a media type.
fn response(media_type: &str, body: impl Into<Vec<u8>>) -> FetchResponse {
    FetchResponse {
        url: Url::parse("https://e.org/download?id=3").unwrap(),
        media_type: Some(media_type.to_owned()),
        body: body.into().into(),
        from_cache: false,
        confirmed_at: std::time::SystemTime::UNIX_EPOCH.into(),
    }
}

#[test]
fn docx_epub_and_feed_files_are_read_and_searched() {
    let scratch = Scratch::new();
    scratch.write("docs/wheels.docx", bicycles_docx());
    scratch.write("docs/bees.epub", bees_epub());
    scratch.write("docs/news.rss", FEED);
    scratch.write("docs/feed.xml", FEED.replace("Quiet", "Other"));
    scratch.write("docs/settings.xml", "<settings/>");
    for (file, kind, title, text) in [
        (
            "wheels.docx",
            "docx",
            "Bicycles",
            "# Bicycles\n\nA bicycle has two wheels.\n",
        ),
        (
            "bees.epub",
            "epub",
            "On bees",
            "# Honey\n\nBees make honey.\n",
        ),
        (
            "news.rss",
            "feed",
            "News of pumps",
            "# News of pumps\n\n## Quiet pumps (2020-05-06)\n\n2020-05-06 · \
             [e.org](https://e.org/a)\n\n\
             A heat pump is quiet.\n",
        ),
    ] {
        let path = format!("docs/{file}");
        let output = scratch.expect(0, &["read", &path, "--json"]).stdout;
        assert_eq!(output, scratch.expect(0, &["read", &path, "--json"]).stdout);
        let output = parsed(&output);
        let about = ["kind", "title", "text", "date"].map(|key| output[key].as_str().unwrap());
        assert_eq!(about, [kind, title, text, "2020-05-06"]);
    }
    for (query, file, documents) in [
        ("How many wheels has a bicycle?", "wheels.docx", 4),
        ("Who makes honey?", "bees.epub", 4),
        ("Is a quiet heat pump news?", "news.rss", 4),
    ] {
        let ran = scratch.expect(0, &["search", query, "--docs", "docs", "--json"]);
        let output = parsed(&ran.stdout);
        assert_eq!(output["results"][0]["file"], file, "{output}");
        assert_eq!(output["documents"], documents, "{}", ran.stderr);
    }
    let stderr = scratch.expect(1, &["read", "docs/settings.xml"]).stderr;
    assert!(
        stderr.contains("docs/settings.xml: it is no feed"),
        "{stderr}"
    );
}

#[test]
fn media_type_or_signature_decides_the_kind_of_a_fetched_document() {
    let reader = Reader::in_process();
    let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    for (media_type, body, kind) in [
        (word, bicycles_docx(), "docx"),
        ("application/octet-stream", bicycles_docx(), "docx"),
        ("application/epub+zip", bees_epub(), "epub"),
        ("application/zip", bees_epub(), "epub"),
        ("application/rss+xml; charset=utf-8", FEED.into(), "feed"),
        ("application/xml", FEED.into(), "feed"),
        ("text/xml; charset=utf-8", FEED.into(), "feed"),
        ("text/html", bees_epub(), "epub"),
    ] {
        let page = web::page(&reader, response(media_type, body)).unwrap();
        assert_eq!(page.document.kind.name, kind, "{media_type}");
    }
    for (media_type, body, problem) in [
        (word, b"<html>".to_vec(), "not a complete zip archive"),
        (
            "application/epub+zip",
            bicycles_docx()[..90].to_vec(),
            "not a complete zip",
        ),
        ("application/rss+xml", b"<html/>".to_vec(), "no feed"),
        ("application/zip", zipped(&[("a", "b")]), "neither a page"),
    ] {
        let error = web::page(&reader, response(media_type, body)).unwrap_err();
        let error = error.to_string();
        assert!(
            error.contains("https://e.org/download") && error.contains(problem),
            "{error}"
        );
    }
}

#[test]
fn zip_bombs_truncated_and_deeply_nested_files_are_errors() {
    let scratch = Scratch::new();
    let bomb = docx(&" ".repeat(40 << 20));
    assert!(bomb.len() < 100_000, "{}", bomb.len());
    let complete = bicycles_docx();
    let laughs: String = (1..30)
        .map(|level| {
            format!(
                "<!ENTITY l{level} '{}'>",
                format!("&l{};", level - 1).repeat(10)
            )
        })
        .collect();
    let laughs = format!(
        "<!DOCTYPE rss [<!ENTITY l0 'ha'>{laughs}]>{}",
        FEED.replace("News", "&l29;")
    );
    scratch.write("laughs.rss", laughs);
    let text = scratch.expect(0, &["read", "laughs.rss"]).stdout;
    assert!(text.starts_with("# &l29; of pumps\n"), "{text}");
    for (name, bytes, problem) in [
        ("bomb.docx", bomb, "holds no text"),
        (
            "cut.docx",
            complete[..complete.len() / 2].to_vec(),
            "not a complete zip archive",
        ),
        (
            "deep.docx",
            docx(&"<w:p>".repeat(100_000)),
            "nests deeper than 512",
        ),
        ("none.docx", zipped(&[("a", "b")]), "word/document.xml"),
        ("none.epub", zipped(&[("a", "b")]), "META-INF/container.xml"),
        ("empty.docx", docx("<w:p/>"), "holds no text"),
        (
            "empty.rss",
            b"<rss version='2.0'><channel/></rss>".to_vec(),
            "no entries",
        ),
    ] {
        scratch.write(name, bytes);
        let ran = scratch.expect(1, &["read", name]);
        assert!(
            ran.stderr.contains(name) && ran.stderr.contains(problem),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn a_file_that_a_folder_passes_over_is_refused_where_it_is_named() {
    let scratch = Scratch::new();
    scratch.write(
        "unread/x.json",
        "{\"a\": \"Heat pumps work in old houses.\"}",
    );
    for docs in ["unread", "unread/x.json"] {
        scratch.expect(2, &["run", "heat pumps", "--docs", docs]);
    }
    let named = ["run", "heat pumps", "--docs", "unread/x.json"];
    let ran = scratch.expect(2, &named);
    let problem = "unread/x.json has the name of JSON lines, and does not begin as JSON lines does";
    assert!(ran.stderr.contains(problem), "{}", ran.stderr);
    scratch.write(
        "unread/x.json",
        "[{\"a\": \"Heat pumps work in old houses.\"}]",
    );
    scratch.expect(0, &named);
}

#[test]
fn head_of_a_document_gives_its_title_and_its_day() {
    let scratch = Scratch::new();
    for (name, text, title, date) in [
        (
            "lift.txt",
            "CROWN INSPECTION SERVICES\nReport of thorough examination - passenger lift\n\n\
             Site:              Main building\nExamined by:       Marcus Feld, surveyor\n\
             Date of examination: 12 August 2026\n\nResult: The lift may remain in use.\n",
            "Report of thorough examination - passenger lift",
            "2026-08-12",
        ),
        (
            "roof.txt",
            "HALLAM ROOFING LTD\nInvoice No. HR-26-0417\nDate: 4 September 2026\n\nNet 4.00\n",
            "Invoice No. HR-26-0417",
            "2026-09-04",
        ),
        (
            "amendment.txt",
            "AMENDMENT No. 2 TO THE CONTRACT OF 3 JUNE 2024\n\nAshgrove School and BrightSweep \
             Ltd\nDated: 12 February 2026\n\n1. The fee is raised.\n",
            "AMENDMENT No. 2 TO THE CONTRACT OF 3 JUNE 2024",
            "2026-02-12",
        ),
        (
            "boiler.md",
            "# Restarting the boiler\n\nPlant room. Only for staff. Version 4, October 2025\n\n\
             Wait until the lamp burns.\n",
            "Restarting the boiler",
            "2025-10",
        ),
        (
            "questions.md",
            "# Questions\n\nFor staff, September 2026\n\n## May I park?\n\nNo.\n",
            "Questions",
            "2026-09",
        ),
    ] {
        scratch.write(name, text);
        let read = parsed(&scratch.expect(0, &["read", name, "--json"]).stdout);
        assert_eq!(read["title"], title, "{name}");
        assert_eq!(read["date"], date, "{name}");
    }
}

#[test]
fn headings_of_a_word_document_without_styles_are_told_by_the_names_of_their_styles() {
    let scratch = Scratch::new();
    let body = "<w:document><w:body><w:p><w:pPr><w:pStyle w:val='Heading1'/></w:pPr>\
        <w:r><w:t>Accessible stops</w:t></w:r></w:p>\
        <w:p><w:r><w:t>The city has 318 stops.</w:t></w:r></w:p></w:body></w:document>";
    let parts = [
        ("[Content_Types].xml", "<Types/>"),
        ("word/document.xml", body),
    ];
    scratch.write("memo.docx", zipped(&parts));
    let read = parsed(&scratch.expect(0, &["read", "memo.docx", "--json"]).stdout);
    assert_eq!(read["title"], "Accessible stops");
}

#[test]
fn what_a_text_states_of_its_author_and_date_outweighs_what_a_word_processor_filled_in() {
    let scratch = Scratch::new();
    let line = "Author: Jonas Pfeiffer. Date: 17 January 2025.";
    let text = |line: &str| format!("<w:p><w:r><w:t>{line}</w:t></w:r></w:p>");
    let rest = text("At the end of 2024 the fleet had 42 e-bikes with data loggers.");
    scratch.write("a.docx", docx(&(text(line) + &rest)));
    let read = parsed(&scratch.expect(0, &["read", "a.docx", "--json"]).stdout);
    assert_eq!(read["date"], "2025-01-17");
    assert_eq!(read["author"], "Jonas Pfeiffer");
    scratch.write("b.docx", docx(&rest));
    let read = parsed(&scratch.expect(0, &["read", "b.docx", "--json"]).stdout);
    assert_eq!(read["date"], "2020-05-06");
    assert_eq!(read["author"], "Ann B");
}

#[test]
fn a_line_at_the_top_that_names_author_and_date_is_read_in_every_kind_of_prose() {
    let scratch = Scratch::new();
    let line = "Author: Jonas Pfeiffer. Date: 17 January 2025.";
    let edited = "Last edited: 17 January 2025 by Jonas Pfeiffer.";
    let rest = "At the end of 2024 the fleet had 42 e-bikes with data loggers.";
    let word = |line: &str| {
        let body = format!(
            "<w:document><w:body><w:p><w:r><w:t>{line}</w:t></w:r></w:p>\
             <w:p><w:r><w:t>{rest}</w:t></w:r></w:p></w:body></w:document>"
        );
        zipped(&[
            ("[Content_Types].xml", "<Types/>"),
            ("word/document.xml", &body),
        ])
    };
    let html = |line: &str| {
        format!("<html><body><h1>Fleet</h1><p>{line}</p><p>{rest}</p></body></html>").into_bytes()
    };
    let text = |line: &str| format!("# Fleet\n\n{line}\n\n{rest}\n").into_bytes();
    for (line, author) in [(line, Some("Jonas Pfeiffer")), (edited, None)] {
        let kinds = [
            ("a.docx", word(line)),
            ("a.html", html(line)),
            ("a.md", text(line)),
            ("a.txt", text(line)),
        ];
        for (file, bytes) in kinds {
            scratch.write(file, bytes);
            let read = parsed(&scratch.expect(0, &["read", file, "--json"]).stdout);
            assert_eq!(read["date"], "2025-01-17", "{file}: {line}");
            assert_eq!(read["author"].as_str(), author, "{file}: {line}");
        }
    }
}

#[test]
fn pipes_and_circles_of_links_among_documents_are_named() {
    let scratch = Scratch::with_docs(&[("bees.md", "Bees fly at 24 km/h.\n")]);
    let docs = scratch.path().join("docs");
    let made = Command::new("mkfifo").arg(docs.join("pipe.md")).status();
    assert!(made.unwrap().success());
    symlink("circle", docs.join("circle")).unwrap();
    let ran = scratch.expect(0, &["search", "bees", "--docs", "docs"]);
    assert!(ran.stdout.contains("24 km/h"), "{}", ran.stdout);
    let words = "1 file was passed over, as its kind is not read: pipe.md";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
    let words = "skipped: circle is a link in a circle";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
    // So does a run, also of a document that is too large to be read.
    fs::write(docs.join("log.txt"), "Bees sleep.\n".repeat(100_000)).unwrap();
    let asked = [
        "run",
        "How fast do bees fly?",
        "--docs",
        "docs",
        "--offline",
    ];
    let mut command = scratch.command(&asked);
    command.env("RESEARCH_READ__MAX_MEBIBYTES", "1");
    let ran = Ran::from(command.output().unwrap());
    for words in [
        "not read: circle is a link in a circle",
        "log.txt holds more than 1048576 bytes; split it, or raise read.max_mebibytes",
        "1 file was passed over, as its kind is not read: pipe.md",
    ] {
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
    // And so do its status, and the result of a run for other programs.
    let status = scratch.expect(0, &["status", "last"]).stdout;
    for words in [
        "  not read circle is a link in a circle",
        "  not read 1 file was passed over, as its kind is not read: pipe.md",
    ] {
        assert!(status.contains(words), "{words}: {status}");
    }
    let again = ["run", "--resume", "last", "--json", "--frozen"];
    let ran = parsed(&scratch.expect(0, &again).stdout);
    let status = parsed(&scratch.expect(0, &["status", "last", "--json"]).stdout);
    for own in [&ran["session"], &status] {
        let not_read = own["not_read"].as_array().unwrap();
        assert_eq!(not_read.len(), 3, "{own}");
        let is_log = |own: &Value| own.as_str().unwrap().contains("log.txt");
        assert!(not_read.iter().any(is_log), "{own}");
    }
}

/// A lease of one form, of about a hundred words.
fn lease(town: &str, keeper: &str, interest: &str) -> String {
    format!(
        "# Lease of a hall\n\nThe hall at {town} is let to the sports club for ten years. The club \
         pays the rent at the beginning of each quarter, and keeps the floor, the windows and the \
         doors in good order. It may not let the hall to others without the consent of the owner, \
         who may enter it on any working day between nine and five. Arrears bear interest of \
         {interest} a year. The keeper of the keys at {town} is {keeper}. The club insures the \
         hall against fire and water, and clears the snow in front of it in winter. Either party \
         may end the lease at the end of a year, six months before.\n"
    )
}

#[test]
fn forms_that_differ_in_a_name_or_a_number_are_each_quoted() {
    let scratch = Scratch::new();
    for (town, keeper) in [
        ("Aldby", "Ida Roe"),
        ("Burwick", "Tom Fell"),
        ("Corley", "Pat Orme"),
    ] {
        let name = format!("docs/{town}.md");
        scratch.write(&name, lease(town, keeper, "5 %"));
    }
    for (town, keeper) in [("Aldby", "Ida Roe"), ("Corley", "Pat Orme")] {
        let question = format!("Who is the keeper of the keys at {town}?");
        let ran = scratch.expect(0, &["run", &question, "--docs", "docs", "--quiet"]);
        assert!(
            ran.stdout.contains(&format!("at {town} is {keeper}")),
            "{}",
            ran.stdout
        );
    }
    let versions = Scratch::new();
    versions.write("docs/a.md", lease("Aldby", "Ida Roe", "4 %"));
    versions.write("docs/b.md", lease("Aldby", "Ida Roe", "7 %"));
    let question = "How much interest do arrears bear?";
    let ran = versions.expect(0, &["run", question, "--docs", "docs", "--quiet"]);
    for interest in ["4 %", "7 %"] {
        assert!(ran.stdout.contains(interest), "{}", ran.stdout);
    }
}

#[test]
fn copy_with_a_header_is_no_second_source() {
    let scratch = Scratch::new();
    let text = lease("Aldby", "Ida Roe", "4 %");
    scratch.write("docs/a.md", &text);
    scratch.write(
        "docs/b.md",
        format!("Copy for the file\n\n{}", text.replace(' ', "  ")),
    );
    let question = "Who is the keeper of the keys at Aldby?";
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "--quiet"]);
    assert!(ran.stdout.contains("Ida Roe"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("[2]"), "{}", ran.stdout);
}

#[test]
fn report_of_the_program_among_the_documents_is_no_source() {
    let lake = ("lake.md", "# The lake\n\nThe lake is 38 metres deep.\n");
    let scratch = Scratch::with_docs(&[lake]);
    let question = "How deep is the lake?";
    let first = ["run", question, "--docs", "docs", "--offline", "--quiet"];
    let report = scratch.expect(0, &first).stdout;
    scratch.write("docs/deep.md", &report);
    let ran = scratch.expect(
        0,
        &["run", "Is the lake deep?", "--docs", "docs", "--offline"],
    );
    assert!(
        ran.stderr.contains("deep.md is a report of this program"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stdout.contains("1 document was searched"),
        "{}",
        ran.stdout
    );
}
