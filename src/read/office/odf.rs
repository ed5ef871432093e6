//! OpenDocument (ODF), which ODT and ODS are: recognition, metadata, and the text of paragraphs.

use super::opc::Properties;
use super::zip::Archive;
use crate::read::failure::Failure;
use crate::read::xml::{self, Element};
use crate::read::{dates, metadata};
use crate::text::one_line;

/// The number of bytes before the name of the first part of an archive.
const NAME_OFFSET: usize = 30;

/// The first part of every document, which is not compressed, and the beginning of its text.
const MEDIA_TYPE: &[u8] = b"mimetypeapplication/vnd.oasis.opendocument.";

/// The limit on the spaces that an element stands for. Chosen by hand: they become one.
const MAX_SPACES: usize = 8;

/// Elements that are skipped with their content: notes and comments, tracked deletions, tables of
/// contents and indexes, forms, and names and descriptions of pictures.
const SKIPPED: &[&str] = &[
    "note",
    "annotation",
    "tracked-changes",
    "table-of-content",
    "alphabetical-index",
    "illustration-index",
    "table-index",
    "forms",
    "title",
    "desc",
    "ruby-text",
];

/// Returns `true` for a document of a class: `text`.
pub(super) fn is_document(bytes: &[u8], class: &str) -> bool {
    let rest = bytes
        .get(NAME_OFFSET..)
        .and_then(|name| name.strip_prefix(MEDIA_TYPE));
    bytes.starts_with(b"PK") && rest.is_some_and(|rest| rest.starts_with(class.as_bytes()))
}

/// Returns `true` for elements that are skipped with their content.
pub(super) fn is_skipped(element: &Element<'_>) -> bool {
    SKIPPED.contains(&element.name())
}

/// The white space that an element stands for; none for other elements.
pub(super) fn space(element: &Element<'_>) -> Option<String> {
    match element.name() {
        "s" => {
            let count = number(element, "c").unwrap_or(1);
            Some(" ".repeat(count.min(MAX_SPACES)))
        }
        "tab" | "line-break" => Some(" ".to_owned()),
        _ => None,
    }
}

/// The number in an attribute.
pub(super) fn number(element: &Element<'_>, attribute: &str) -> Option<usize> {
    element.attribute(attribute)?.trim().parse().ok()
}

/// The text of a part that every document has.
pub(super) fn content(archive: &mut Archive<'_>) -> Result<String, Failure> {
    let xml = archive.text("content.xml")?;
    xml.ok_or_else(|| "its part \"content.xml\" with the words is missing".into())
}

/// The metadata of a document. Its date is that of the last change.
pub(super) fn properties(archive: &mut Archive<'_>) -> Result<Properties, Failure> {
    let xml = archive.text("meta.xml")?.unwrap_or_default();
    let names = [
        "title",
        "initial-creator",
        "creator",
        "date",
        "creation-date",
        "language",
    ];
    let texts = xml::texts(&xml, &names)?;
    let value = |name: &str| {
        let mut values = texts.iter().filter(|(own, _)| own == name);
        let value = values.find(|(_, text)| !text.trim().is_empty())?;
        Some(one_line(&value.1))
    };
    let date = |name| value(name).and_then(|time| dates::iso_date(&time));
    Ok(Properties {
        title: value("title"),
        // `creator` is the person of the last change.
        author: value("initial-creator").or_else(|| value("creator")),
        date: date("date").or_else(|| date("creation-date")),
        language: value("language").and_then(|tag| metadata::language_code(&tag)),
    })
}
