//! Markdown: the text as it is, but for formulas of numbers and names, with metadata from its front
//! matter, its first lines and its first heading. Its structure is parsed by `text::blocks`.

use std::path::Path;

use super::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use super::error::ReadError;
use super::markup::inline_tex::formulas_as_text;
use super::{dates, metadata, plain};
use crate::text;

/// First headings that name a section and not the document.
const PART_HEADINGS: &[&str] = &[
    "abstract",
    "background",
    "changelog",
    "contents",
    "description",
    "introduction",
    "motivation",
    "note",
    "notice",
    "overview",
    "preface",
    "readme",
    "status",
    "summary",
    "table of contents",
    "tl;dr",
    "update",
    "updates",
];

/// Markdown: the clean text is that of the file.
pub static KIND: SourceKind = SourceKind {
    name: "markdown",
    label: "Markdown",
    extensions: &["md", "markdown", "mdx"],
    shared_extensions: &[],
    media_types: &["text/markdown"],
    signature: Signature::None,
    markup: Markup::Markdown,
    isolation: Isolation::ProcessIfLarge,
    remedy: "save it again as UTF-8",
    read,
};

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let text = formulas_as_text(input.text()?);
    if text::has_too_many_marks(&text) {
        return Ok(Document {
            kind: &plain::KIND,
            ..input.document(plain::title(input.path, &text), text)
        });
    }
    let front = metadata::front_matter(&text).unwrap_or_default();
    let dates = [
        "date",
        "published",
        "created",
        "updated",
        "last-modified",
        "lastmod",
    ];
    let front_date = metadata::front_value(front, &dates);
    // Front matter outweighs the lines of the text, since it was written as metadata.
    let author = metadata::front_value(front, &["author", "authors", "byline"]);
    let date = front_date.and_then(|date| dates::iso_date(&date));
    // "2019 model" is no year of a document.
    let year = metadata::front_value(front, &["year"]).filter(|year| text::is_year(year));
    let date = date.or(year);
    let title = title(input.path, &text, front);
    Ok(metadata::with_top_lines(Document {
        author,
        date,
        ..input.document(title, text)
    }))
}

/// The title: from front matter, else the first heading unless it names a section, else the line
/// that labels a memo, else from the file name.
fn title(path: &Path, text: &str, front: &str) -> String {
    metadata::front_value(front, &["title"])
        .or_else(|| title_heading(text))
        .or_else(|| plain::label_above_header(text).map(str::to_owned))
        .unwrap_or_else(|| metadata::name_as_title(path))
}

/// The first heading, unless it names a section and not the document, or is a notice: "This
/// document was withdrawn".
pub(super) fn title_heading(text: &str) -> Option<String> {
    text::first_heading(text)
        .filter(|heading| !PART_HEADINGS.contains(&heading.to_lowercase().as_str()))
        .filter(|heading| !text::is_notice(heading))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Document {
        let name = "0007-from-file.md";
        super::read(&Input::of_bytes(&KIND, name, text.as_bytes(), 8 << 20)).unwrap()
    }

    #[test]
    fn a_memo_without_headings_is_known_by_its_label() {
        let memo = read("Memo: The keys of the store\n\nTo: all wardens\n\nThey are lost.\n");
        assert_eq!(memo.title, "Memo: The keys of the store");
        let text = read("The keys of the store: lost\n\nThey are lost.\n");
        assert_eq!(text.title, "From file");
    }

    #[test]
    fn text_of_more_marks_than_memory_allows_is_read_as_plain() {
        assert_eq!(read(&"[a](".repeat(1000)).kind.name, "markdown");
        let document = read(&"[a](".repeat((1 << 20) + 1));
        assert_eq!(document.kind.name, "text");
        assert!(document.text.starts_with("[a]([a]("));
    }

    #[test]
    fn front_matter_gives_the_metadata() {
        let document = read("---\ntitle: 'A: b'\nauthor: Ann\ndate: 2020-05-06\n---\n# Other\n");
        assert_eq!(document.title, "A: b");
        assert_eq!(document.author.as_deref(), Some("Ann"));
        assert_eq!(document.date.as_deref(), Some("2020-05-06"));
    }

    #[test]
    fn first_heading_is_the_title_unless_it_names_a_section() {
        assert_eq!(read("intro\n\n# On `heat`\n").title, "On heat");
        let rfc = read("- Feature Name: `x`\n- Start Date: 2014-03-20\n\n# Summary\n\ntext\n");
        assert_eq!(rfc.title, "From file");
        let withdrawn = read("## This proposal was later **withdrawn**\n\n# Summary\n\ntext\n");
        assert_eq!(withdrawn.title, "From file");
        assert_eq!(rfc.date.as_deref(), Some("2014-03-20"));
        let updated = read("## UPDATE\n\nIt was merged.\n\n# Summary\n\ntext\n");
        assert_eq!(updated.title, "From file");
    }

    #[test]
    fn markdown_text_is_verbatim() {
        let text = "---\na: b\n---\n\n*x*   y\n";
        assert_eq!(read(text).text, text);
        let formula = "It is below $B_{\\mathrm{lim}}$ at $5 and $6.\n";
        assert_eq!(read(formula).text, "It is below Blim at $5 and $6.\n");
    }
}
