//! A report that this program exported, as what it says: its claims with their marks. The passages
//! that a claim opens repeat it.

use dom_query::Document;

/// The beginning of what our own pages give as their generator, before the number of the version.
const GENERATOR: &str = "research ";

/// The parts of our own pages that say nothing of the subject: passages beside the claims, the
/// titles of sources above them, remarks on sources, ranges of bytes for paper, and links back from
/// the references.
const NO_CLAIMS: &str = "figure.passage, li > p.lead, .side > p.lead, .status, .printed, .back";

/// The marks of citations that open a passage: buttons on the page.
const MARKS: &str = "button.cite";

/// Leaves the claims of a page, with their marks, if the page is a report of this program.
pub(super) fn keep_claims(document: &Document) {
    let generator = document.select("meta[name=generator]").attr("content");
    let version = generator
        .as_deref()
        .and_then(|name| name.strip_prefix(GENERATOR));
    if !version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit())) {
        return;
    }
    document.select(NO_CLAIMS).remove();
    for mark in document.select(MARKS).nodes() {
        mark.set_text(format!(" {}", mark.text()));
        mark.rename("span");
    }
}
