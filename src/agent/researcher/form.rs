//! The form of a sentence as an answer: whether it states something, or is a label, a fragment or a
//! caption.

use super::candidate::{Candidate, ListPart};
use crate::answering::header_field;
use crate::text::{self, tables::is_record};

/// The number of words from which a line without an end may state something: "55 dB at night".
const LABEL_WORDS: usize = 3;

/// `true` if a sentence ends as one: a line without an end is mostly a label or a title.
pub(super) fn is_ended(sentence: &str) -> bool {
    let last = sentence
        .trim_end()
        .trim_end_matches(|c: char| !c.is_alphanumeric());
    last.len() < sentence.trim_end().len()
}

/// `true` if a sentence states something: it neither asks nor only announces what follows, and is
/// no mere label.
pub(super) fn is_statement(sentence: &str) -> bool {
    let words = sentence.split_whitespace().count();
    let is_label = !is_ended(sentence) && words < LABEL_WORDS;
    !is_label
        && text::run_in_heading(sentence).is_none()
        && !sentence.trim_end().ends_with([':', '?', '：', '？'])
}

/// `true` for a line that neither begins nor ends as a sentence: "between A (client) and B".
pub(super) fn is_fragment(candidate: &Candidate) -> bool {
    let sentence = &candidate.sentence;
    candidate.list == ListPart::None
        && sentence.starts_with(char::is_lowercase)
        && !is_ended(sentence)
        && header_field(sentence).is_none()
        && !is_record(sentence)
}

/// `true` for a heading of a plain text at the beginning of a paragraph, "Injured persons. Ann
/// broke her arm", or its number.
pub(super) fn is_plain_caption(candidates: &[Candidate], index: usize) -> bool {
    let own = &candidates[index];
    let is_beside =
        |other: &Candidate| (other.document, other.paragraph) == (own.document, own.paragraph);
    let before = index.checked_sub(1).map(|before| &candidates[before]);
    // "2. Term. The lease begins on 1 March."
    let before = before.filter(|before| before.sentence.contains(char::is_alphabetic));
    let sentence = own.sentence.trim_end();
    let is_reply = || matches!(text::fold(sentence).as_str(), "yes." | "no.");
    let is_number = !sentence.contains(char::is_alphabetic);
    sentence.ends_with('.')
        && sentence.split_whitespace().count() < LABEL_WORDS
        && (is_number || !sentence.contains(|c: char| c.is_ascii_digit()))
        && !is_reply()
        && !before.is_some_and(is_beside)
        && candidates.get(index + 1).is_some_and(is_beside)
}
