//! EPUB: the chapters in the order of the spine as Markdown, and the metadata of the package.
//!
//! Everything in a chapter counts, without extraction of main content. Pictures, styles and the
//! navigation document are left out.
//!
//! The package is read here and not by `rbook`: of 18 books with faults as they occur, version
//! 0.7.12 refuses two that are read here (a bare `&` in the title, Latin-1) and loses chapters of
//! three whose names differ by case or percent-encoding; it reads one that is refused here, whose
//! package is cut off.

use std::collections::{BTreeSet, HashMap};

use html_escape::{encode_double_quoted_attribute, encode_text};
use percent_encoding::percent_decode_str;
use url::Url;

use super::zip::{self, Archive};
use crate::read::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use crate::read::error::ReadError;
use crate::read::failure::Failure;
use crate::read::html;
use crate::read::markdown_writer::MarkdownWriter;
use crate::read::xml::{Piece, Pieces};
use crate::read::{charset, dates, metadata};
use crate::text::{self, one_line};

/// Elements of a package with metadata (Dublin Core).
const METADATA: &[&str] = &["title", "creator", "date", "language"];

/// The part that every EPUB has.
const CONTAINER_PART: &str = "META-INF/container.xml";

/// Elements of HTML without content and without an end tag.
const VOID: &[&str] = &[
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
];

/// The media type of the package document, which lists the parts of a book.
const PACKAGE_TYPE: &str = "application/oebps-package+xml";

/// EPUB: the clean text is the chapters as Markdown.
pub static KIND: SourceKind = SourceKind {
    name: "epub",
    label: "EPUB",
    extensions: &["epub"],
    shared_extensions: &[],
    media_types: &["application/epub+zip"],
    signature: Signature::Magic(is_epub),
    markup: Markup::Markdown,
    isolation: Isolation::Process,
    remedy: "get it again, or convert it to HTML or text",
    read,
};

/// Returns `true` for an archive with the part that every EPUB has.
fn is_epub(bytes: &[u8]) -> bool {
    zip::has_parts(bytes, |names| names.contains(&CONTAINER_PART))
}

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let (package, text) = extract(&input.bytes()?).map_err(|failure| input.failure(failure))?;
    let text = charset::normalise(&text);
    let first = |name| package.values(name).next();
    let title = first("title").or_else(|| text::first_heading(&text));
    let authors: Vec<String> = package.values("creator").collect();
    let changed = package.changed.as_deref();
    let title = title.unwrap_or_else(|| metadata::name_as_title(input.path));
    Ok(Document {
        author: (!authors.is_empty()).then(|| authors.join(", ")),
        // `dc:date` is the date of publication, `dcterms:modified` that of the last change.
        date: first("date")
            .as_deref()
            .or(changed)
            .and_then(dates::iso_date),
        language: first("language")
            .as_deref()
            .and_then(metadata::language_code),
        ..input.document(title, text)
    })
}

fn extract(bytes: &[u8]) -> Result<(Package, String), Failure> {
    let mut archive = Archive::open(bytes)?;
    let container = archive
        .text(CONTAINER_PART)?
        .ok_or_else(|| format!("its part {CONTAINER_PART:?}, which names the book, is missing"))?;
    let name = package_name(&container)?.ok_or("it names no book")?;
    let xml = archive
        .text(&name)?
        .ok_or_else(|| format!("its part {name:?}, which lists the chapters, is missing"))?;
    let package = Package::read(&xml)?;
    let text = chapters(&mut archive, &package.chapters(&name))?;
    Ok((package, text))
}

/// The chapters at some paths, and a note on those that are missing: a book must not lack parts
/// unnoticed.
fn chapters(archive: &mut Archive<'_>, paths: &[String]) -> Result<String, Failure> {
    let by_lower_case: HashMap<String, String> = archive
        .names()
        .map(|name| (name.to_lowercase(), name.to_owned()))
        .collect();
    let mut out = MarkdownWriter::default();
    let mut missing = 0;
    for path in paths {
        let Some(name) = part_name(archive, &by_lower_case, path) else {
            missing += 1;
            continue;
        };
        let chapter = archive.text(&name)?.unwrap_or_default();
        out.markdown(&html::to_markdown(&to_html(&chapter), 0)?);
    }
    let all = paths.len();
    if missing == all && all > 0 {
        return Err("none of the chapters that it lists is in it".into());
    }
    if missing > 0 {
        out.paragraph(&format!(
            "[{missing} of {all} chapters are missing in the file of this book.]"
        ));
    }
    Ok(out.finish())
}

/// The name of the part at a path: percent-decoded, verbatim, or, as file systems that ignore case
/// hide the difference from authors, in other case.
fn part_name(
    archive: &Archive<'_>,
    by_lower_case: &HashMap<String, String>,
    path: &str,
) -> Option<String> {
    let decoded = percent_decode_str(path).decode_utf8().ok();
    let mut names = decoded.as_deref().into_iter().chain([path]);
    let exact = names.clone().find(|name| archive.contains(name));
    let exact = exact.map(str::to_owned);
    exact.or_else(|| names.find_map(|name| by_lower_case.get(&name.to_lowercase()).cloned()))
}

/// The name of the package document: the first root file of that media type, or the first of any.
fn package_name(container: &str) -> Result<Option<String>, String> {
    let mut pieces = Pieces::of(container);
    let mut first = None;
    while let Some(piece) = pieces.next()? {
        if let Piece::Open(element) = piece
            && element.name() == "rootfile"
        {
            let name = element.attribute("full-path");
            // OCF: of several package documents the first is the default rendition.
            if element.attribute("media-type").as_deref() == Some(PACKAGE_TYPE) {
                return Ok(name);
            }
            first = first.or(name);
        }
    }
    Ok(first)
}

/// The contents of a package document.
#[derive(Default)]
struct Package {
    /// The names and values of metadata elements, in their order.
    metadata: Vec<(String, String)>,
    /// The date of the last change (`dcterms:modified`).
    changed: Option<String>,
    /// The addresses of the parts that are pages, by id (the manifest).
    pages: HashMap<String, String>,
    /// The ids of the parts in the order of reading.
    spine: Vec<String>,
}

impl Package {
    fn read(xml: &str) -> Result<Self, String> {
        let mut package = Self::default();
        let mut pieces = Pieces::of(xml);
        let mut is_changed = false;
        while let Some(piece) = pieces.next()? {
            match piece {
                Piece::Open(element) => {
                    let named = element.name();
                    let own = |name| element.attribute(name).unwrap_or_default();
                    is_changed = named == "meta" && own("property") == "dcterms:modified";
                    match named {
                        "item" if is_page(&own("media-type"), &own("properties")) => {
                            package.pages.insert(own("id"), own("href"));
                        }
                        "itemref" => package.spine.push(own("idref")),
                        _ if pieces.around(1) == "metadata" && METADATA.contains(&named) => {
                            package.metadata.push((named.to_owned(), String::new()));
                        }
                        _ => {}
                    }
                }
                Piece::Text(words) => {
                    let inside = package.metadata.last_mut();
                    match inside.filter(|(name, _)| name == pieces.around(0)) {
                        Some((_, text)) => text.push_str(&words),
                        None if is_changed => package.changed = Some(words.into_owned()),
                        None => {}
                    }
                }
                Piece::Entity(_) => {}
                Piece::Close(_) => is_changed = false,
            }
        }
        Ok(package)
    }

    /// The values of the metadata elements of a name.
    fn values(&self, name: &str) -> impl Iterator<Item = String> {
        let named = self.metadata.iter().filter(move |(own, _)| own == name);
        named
            .map(|(_, text)| one_line(text))
            .filter(|text| !text.is_empty())
    }

    /// The paths of the chapters in the order of reading, each once.
    fn chapters(&self, package: &str) -> Vec<String> {
        let mut seen = BTreeSet::new();
        // Addresses that differ by their fragment (`#x`) alone are of one chapter.
        let pages = self.spine.iter().filter_map(|id| self.pages.get(id));
        pages
            .filter_map(|address| part_path(package, address))
            .filter(|path| seen.insert(path.clone()))
            .collect()
    }
}

fn is_page(media_type: &str, properties: &str) -> bool {
    let is_html = matches!(media_type, "application/xhtml+xml" | "text/html");
    // The navigation document (EPUB 3) repeats the titles of the chapters.
    is_html && !properties.split_whitespace().any(|one| one == "nav")
}

/// The path, percent-encoded, of the part that an address in another part leads to. It cannot lead
/// out of the archive.
fn part_path(from: &str, address: &str) -> Option<String> {
    // Resolved as a URL (RFC 3986) on a made-up host, where `..` does not go above the root.
    let base = Url::parse("epub://book/").ok()?.join(from).ok()?;
    let url = base.join(address).ok()?;
    let is_inside = url.scheme() == "epub" && url.host_str() == Some("book");
    is_inside.then(|| url.path().trim_start_matches('/').to_owned())
}

/// A chapter in the syntax of HTML: in XML `<title/>` is a whole element, in HTML it is a start tag
/// and swallows the page. A chapter that is not well-formed XML is taken for HTML.
fn to_html(chapter: &str) -> String {
    xml_to_html(chapter).unwrap_or_else(|_| chapter.to_owned())
}

fn xml_to_html(chapter: &str) -> Result<String, String> {
    let mut out = String::with_capacity(chapter.len());
    let mut pieces = Pieces::of(chapter);
    while let Some(piece) = pieces.next()? {
        match piece {
            Piece::Open(element) if matches!(element.name(), "script" | "style" | "head") => {
                pieces.skip()?;
            }
            Piece::Open(element) => {
                out += &format!("<{}", element.name());
                for (name, value) in element.attributes() {
                    out += &format!(" {name}=\"{}\"", encode_double_quoted_attribute(&value));
                }
                out.push('>');
            }
            Piece::Text(words) => out.push_str(&encode_text(&words)),
            Piece::Entity(name) => out += &format!("&{name};"),
            // `<br></br>` would be two line breaks in HTML.
            Piece::Close(name) if VOID.contains(&&*name) => {}
            Piece::Close(name) => out += &format!("</{name}>"),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::super::zip::tests::zipped;
    use super::*;

    const CONTAINER: &str = "<container><rootfiles><rootfile full-path='page.pdf' \
        media-type='application/pdf'/>\
        <rootfile full-path='OEBPS/content.opf' media-type='application/oebps-package+xml'/>\
        </rootfiles></container>";

    const PACKAGE: &str = "<?xml version='1.0'?><package xmlns:dc='x'><metadata><dc:title>On <!-- \
        -->heat</dc:title>\
        <dc:creator>Ann B</dc:creator><dc:creator>C. D</dc:creator><dc:language>en-GB</dc:language>\
        <meta property='dcterms:modified'>2020-05-06T01:02:03Z</meta></metadata><manifest>\
        <item id='n' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>\
        <item id='b' href='text/two%20b.xhtml' media-type='application/xhtml+xml'/>\
        <item id='a' href='../one.xhtml#x' media-type='application/xhtml+xml'/>\
        <item id='p' href='p.png' media-type='image/png'/>\
        <item id='m' href='missing.xhtml' media-type='application/xhtml+xml'/></manifest>\
        <spine><itemref idref='n'/><itemref idref='a'/><itemref idref='p'/><itemref idref='m'/>\
        <itemref idref='b'/><itemref idref='a'/></spine></package>";

    fn read(parts: &[(&str, &str)]) -> Result<Document, ReadError> {
        let bytes = zipped(parts);
        let input = Input::of_bytes(&KIND, "/x/my-book.epub", &bytes, 1_000_000);
        super::read(&input)
    }

    fn book(one: &str, two: &str) -> Result<Document, ReadError> {
        read(&[
            ("mimetype", "application/epub+zip"),
            (CONTAINER_PART, CONTAINER),
            ("OEBPS/content.opf", PACKAGE),
            ("OEBPS/nav.xhtml", "<html><body>Contents</body></html>"),
            ("one.xhtml", one),
            ("OEBPS/text/two b.xhtml", two),
            ("../../x", "away"),
        ])
    }

    #[test]
    fn epub_chapters_come_in_the_order_of_the_spine() {
        let document = book(
            "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title/><script \
             src='x'/></head>\
             <body><h1>One</h1><p><a id='x'/>Heat&#160;&amp; cold&nbsp;&lt;5.</p><br/><ul>\
             <li>quiet</li><li><em>new</em></li></ul>\
             <table><tr><th>Kind</th><th>Factor</th></tr><tr><td>air</td><td>3</td></tr></table>\
             </body></html>",
            "<h1>Two</h1><p>No XML & <b>bold</p>",
        )
        .unwrap();
        let lines: Vec<&str> = document
            .text
            .lines()
            .filter(|line| !line.is_empty())
            .collect();
        assert_eq!(
            lines[..4],
            ["# One", "Heat\u{a0}& cold\u{a0}\\<5.", "- quiet", "- *new*"],
            "{}",
            document.text
        );
        assert!(document.text.contains("| air"), "{}", document.text);
        assert_eq!(
            lines[lines.len() - 3..],
            [
                "# Two",
                "No XML & **bold**",
                "[1 of 3 chapters are missing in the file of this book.]"
            ]
        );
        assert!(!document.text.contains("Contents") && !document.text.contains("away"));
        assert_eq!(document.title, "On heat");
        assert_eq!(document.author.as_deref(), Some("Ann B, C. D"));
        assert_eq!(document.date.as_deref(), Some("2020-05-06"));
        assert_eq!(document.language.as_deref(), Some("en"));
    }

    #[test]
    fn epub_addresses_cannot_leave_the_archive() {
        for (address, name) in [
            ("a.xhtml", Some("OEBPS/a.xhtml")),
            ("../../../etc/passwd", Some("etc/passwd")),
            ("/a%2fb c.xhtml?x#y", Some("a%2fb%20c.xhtml")),
            ("https://e.org/a.xhtml", None),
            ("//e.org/a.xhtml", None),
        ] {
            let path = part_path("OEBPS/content.opf", address);
            assert_eq!(path.as_deref(), name, "{address}");
        }
    }

    #[test]
    fn epub_chapter_names_are_percent_decoded_and_matched_without_case() {
        for name in [
            "two b.xhtml",
            "two%20b.xhtml",
            "Two%20B.xhtml",
            "TWO B.XHTML",
        ] {
            let name = format!("OEBPS/text/{name}");
            let document = read(&[
                (CONTAINER_PART, CONTAINER),
                ("OEBPS/content.opf", PACKAGE),
                (&name, "<p>Two</p>"),
            ]);
            let text = document.unwrap().text;
            assert!(text.starts_with("Two\n\n[2 of 3 "), "{name}: {text}");
        }
    }

    #[test]
    fn an_epub_is_recognised_by_the_parts_of_its_archive() {
        let book = zipped(&[("mimetype", ""), (CONTAINER_PART, "")]);
        assert!(is_epub(&book) && !is_epub(&book[..40]));
        assert!(!is_epub(&zipped(&[("word/document.xml", "")])));
    }

    #[test]
    fn hostile_epub_is_an_error() {
        let error_of = |result: Result<Document, ReadError>| result.unwrap_err().to_string();
        let none = error_of(read(&[("a", "b")]));
        assert!(
            none.contains("my-book.epub") && none.contains("container.xml"),
            "{none}"
        );
        let empty = error_of(read(&[(CONTAINER_PART, "<container/>")]));
        assert!(empty.contains("names no book"), "{empty}");
        let lost = error_of(read(&[(CONTAINER_PART, CONTAINER)]));
        assert!(lost.contains("content.opf"), "{lost}");
        let empty = error_of(read(&[
            (CONTAINER_PART, CONTAINER),
            ("OEBPS/content.opf", PACKAGE),
        ]));
        assert!(empty.contains("none of the chapters"), "{empty}");
        let deep = error_of(book(
            &format!("{}{}", "<i>".repeat(600), "</i>".repeat(600)),
            "",
        ));
        assert!(deep.contains("nest deeper than 512"), "{deep}");
        let locked = error_of(book("\u{1}\0\u{2}", ""));
        assert!(locked.contains("encrypted"), "{locked}");
    }
}
