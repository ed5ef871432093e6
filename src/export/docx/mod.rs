//! A report as DOCX, for Word and LibreOffice: styles, numbering and links are real ones, so that a
//! reader can change them in one place.
//!
//! The parts that are the same in every report are files beside this one; the others are written by
//! the escaping writer (`Markup`). Not by the `docx-rs` crate: it sets neither title nor
//! language, and its ids come from counters of the process, so that the same report has other bytes
//! the second time.

mod document;

use std::io::{Cursor, Write as _};

use anyhow::Result;
use chrono::DateTime;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::markup::Markup;
use super::paper::Paper;
use super::{Edition, Format};

/// A document for Word and LibreOffice.
pub const FORMAT: Format = Format {
    name: "docx",
    extension: "docx",
    media_type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    about: "A document for Word and LibreOffice",
    needs_texts: false,
    missing: None,
    render,
};

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

fn render(edition: &Edition<'_>) -> Result<Vec<u8>> {
    let paper = Paper::of(edition);
    let (document, links) = document::document(&paper);
    let styles = include_str!("styles.xml").replace("LANGUAGE", paper.language);
    let core = core(&paper, &edition.session.started_at);
    let parts: [(&str, &str); 9] = [
        ("[Content_Types].xml", include_str!("content_types.xml")),
        ("_rels/.rels", include_str!("relationships.xml")),
        ("docProps/core.xml", &core),
        ("word/document.xml", &document),
        ("word/_rels/document.xml.rels", &relationships(&links)),
        ("word/styles.xml", &styles),
        ("word/numbering.xml", include_str!("numbering.xml")),
        ("word/settings.xml", include_str!("settings.xml")),
        ("word/footer1.xml", &footer(&paper)),
    ];
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    // The same report has the same bytes: no time of today.
    let options = SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
    for (name, part) in parts {
        archive.start_file(name, options)?;
        archive.write_all(part.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}

/// The properties of the document: title, topic, program, language, time.
fn core(paper: &Paper, started_at: &str) -> String {
    let mut xml = Markup::default();
    xml.raw(DECLARATION);
    xml.raw(
        "<cp:coreProperties \
         xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
         xmlns:dcterms=\"http://purl.org/dc/terms/\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">",
    );
    xml.element("dc:title", &[], &paper.title);
    if let Some(subtitle) = &paper.subtitle {
        xml.element("dc:subject", &[], subtitle);
    }
    let program = concat!("research ", env!("CARGO_PKG_VERSION"));
    xml.element("dc:creator", &[], program);
    xml.element("dc:language", &[], paper.language);
    // Word refuses a document with an invalid time.
    if let Ok(started) = DateTime::parse_from_rfc3339(started_at) {
        let started = started.to_utc().format("%Y-%m-%dT%H:%M:%SZ").to_string();
        for name in ["dcterms:created", "dcterms:modified"] {
            xml.element(name, &[("xsi:type", "dcterms:W3CDTF")], &started);
        }
    }
    xml.raw("</cp:coreProperties>");
    xml.finish()
}

/// The relationships of the document: its parts, and the pages that it links to.
fn relationships(links: &[String]) -> String {
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";
    let mut xml = Markup::default();
    xml.raw(DECLARATION);
    xml.raw(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">",
    );
    for name in ["styles", "numbering", "settings", "footer"] {
        let target = format!("{name}{}.xml", if name == "footer" { "1" } else { "" });
        let kind = format!("{OFFICE}{name}");
        let attributes = [("Id", name), ("Type", &kind), ("Target", &target)];
        xml.element("Relationship", &attributes, "");
    }
    let kind = format!("{OFFICE}hyperlink");
    for (number, url) in links.iter().enumerate() {
        let id = document::link_id(number);
        let attributes = [
            ("Id", id.as_str()),
            ("Type", &kind),
            ("Target", url),
            ("TargetMode", "External"),
        ];
        xml.element("Relationship", &attributes, "");
    }
    xml.raw("</Relationships>");
    xml.finish()
}

/// The footer of every page: the title, and the number of the page.
fn footer(paper: &Paper) -> String {
    let mut xml = Markup::default();
    xml.raw(DECLARATION);
    xml.raw(
        "<w:ftr xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:p>\
         <w:pPr><w:pStyle w:val=\"Footer\"/></w:pPr><w:r>",
    );
    // Longer ones would run into the number.
    let title = crate::text::truncate_with_ellipsis(&paper.title, 90);
    xml.element("w:t", &[("xml:space", "preserve")], &title);
    xml.raw("</w:r><w:r><w:tab/></w:r>");
    xml.raw("<w:fldSimple w:instr=\" PAGE \"><w:r><w:t>1</w:t></w:r></w:fldSimple>");
    xml.raw("<w:r><w:t xml:space=\"preserve\"> / </w:t></w:r>");
    xml.raw("<w:fldSimple w:instr=\" NUMPAGES \"><w:r><w:t>1</w:t></w:r></w:fldSimple>");
    xml.raw("</w:p></w:ftr>");
    xml.finish()
}
