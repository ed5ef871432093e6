//! Documents that are packed or structured: DOCX, EPUB and feeds, as files and from the web, whole
//! and hostile.

use std::io::{Cursor, Write};

use research::read::Reader;
use research::web::{self, FetchResponse};
use url::Url;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::harness::{Scratch, parsed};

const CONTAINER: &str =
    "<container><rootfiles><rootfile full-path='book.opf'/></rootfiles></container>";

const PACKAGE: &str = "<package><metadata><dc:title>On bees</dc:title><dc:creator>Ann B</dc:creator>\
    <dc:date>2020-05-06</dc:date><dc:language>en</dc:language></metadata>\
    <manifest><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/></manifest>\
    <spine><itemref idref='a'/></spine></package>";

const FEED: &str = "<rss version='2.0'><channel><title>News of pumps</title><item><title>Quiet pumps</title>\
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
            "<c><dc:creator>Ann B</dc:creator><dcterms:modified>2020-05-06T00:00:00Z</dcterms:modified></c>",
        ),
        ("../../x", "away"),
    ])
}

fn bicycles() -> Vec<u8> {
    docx(
        "<w:p><w:pPr><w:pStyle w:val='H'/></w:pPr><w:r><w:t>Bicycles</w:t></w:r></w:p>\
         <w:p><w:r><w:t>A bicycle has two </w:t></w:r><w:r><w:t>wheels.</w:t></w:r></w:p>",
    )
}

fn bees() -> Vec<u8> {
    let chapter =
        "<html><head><title/></head><body><h1>Honey</h1><p>Bees make honey.</p></body></html>";
    zipped(&[
        ("META-INF/container.xml", CONTAINER),
        ("book.opf", PACKAGE),
        ("a.xhtml", chapter),
    ])
}

/// What is served, as a page.
fn fetched(media_type: &str, body: impl Into<Vec<u8>>) -> FetchResponse {
    FetchResponse {
        url: Url::parse("https://e.org/download?id=3").unwrap(),
        media_type: Some(media_type.to_owned()),
        body: body.into(),
        from_cache: false,
        given_at: std::time::SystemTime::UNIX_EPOCH.into(),
    }
}

#[test]
fn packed_documents_and_feeds_are_read_and_found() {
    let scratch = Scratch::new();
    scratch.write("docs/wheels.docx", bicycles());
    scratch.write("docs/bees.epub", bees());
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
            "# News of pumps\n\n## Quiet pumps\n\n2020-05-06 · [e.org](https://e.org/a)\n\nA heat pump is quiet.\n",
        ),
    ] {
        let path = format!("docs/{file}");
        let shown = scratch.expect(0, &["read", &path, "--json"]).stdout;
        assert_eq!(shown, scratch.expect(0, &["read", &path, "--json"]).stdout);
        let shown = parsed(&shown);
        let about = ["kind", "title", "text", "date"].map(|key| shown[key].as_str().unwrap());
        assert_eq!(about, [kind, title, text, "2020-05-06"]);
    }
    for (query, file, documents) in [
        ("How many wheels has a bicycle?", "wheels.docx", 4),
        ("Who makes honey?", "bees.epub", 4),
        ("Is a quiet heat pump news?", "news.rss", 4),
    ] {
        let ran = scratch.expect(0, &["search", query, "--docs", "docs", "--json"]);
        let found = parsed(&ran.stdout);
        assert_eq!(found["results"][0]["file"], file, "{found}");
        assert_eq!(found["documents"], documents, "{}", ran.stderr);
    }
    let wrong = scratch.expect(1, &["read", "docs/settings.xml"]).stderr;
    assert!(
        wrong.contains("docs/settings.xml: it is no feed"),
        "{wrong}"
    );
}

#[test]
fn what_is_served_is_read_by_its_type_or_its_bytes() {
    let reader = Reader::new("/nonexistent");
    let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    for (media_type, body, kind) in [
        (word, bicycles(), "docx"),
        ("application/octet-stream", bicycles(), "docx"),
        ("application/epub+zip", bees(), "epub"),
        ("application/zip", bees(), "epub"),
        ("application/rss+xml; charset=utf-8", FEED.into(), "feed"),
        ("application/xml", FEED.into(), "feed"),
        ("text/xml; charset=utf-8", FEED.into(), "feed"),
        ("text/html", bees(), "epub"),
    ] {
        let page = web::page(&reader, fetched(media_type, body)).unwrap();
        assert_eq!(page.document.kind.name, kind, "{media_type}");
    }
    for (media_type, body, problem) in [
        (word, b"<html>".to_vec(), "not a complete zip archive"),
        (
            "application/epub+zip",
            bicycles()[..90].to_vec(),
            "not a complete zip",
        ),
        ("application/rss+xml", b"<html/>".to_vec(), "no feed"),
        ("application/zip", zipped(&[("a", "b")]), "neither a page"),
    ] {
        let error = web::page(&reader, fetched(media_type, body)).unwrap_err();
        let error = error.to_string();
        assert!(
            error.contains("https://e.org/download") && error.contains(problem),
            "{error}"
        );
    }
}

#[test]
fn hostile_files_are_clear_errors() {
    let scratch = Scratch::new();
    let bomb = docx(&" ".repeat(40 << 20));
    assert!(bomb.len() < 100_000, "{}", bomb.len());
    let whole = bicycles();
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
        (
            "bomb.docx",
            bomb,
            "holds more than 33554432 bytes; split it",
        ),
        (
            "cut.docx",
            whole[..whole.len() / 2].to_vec(),
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
