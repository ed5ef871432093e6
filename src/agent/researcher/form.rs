//! The form of a sentence as an answer: whether it states something, or is a label, a fragment, a
//! line of a header or a caption.

use super::candidate::{Candidate, ListPart};
use crate::answering::{AnswerType, Question, header_field};
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
    // "Dear members," goes on in the next line.
    let is_open = !is_ended(sentence) || sentence.trim_end().ends_with(',');
    let is_label = is_open && words < LABEL_WORDS;
    !is_label
        && text::run_in_heading(sentence).is_none()
        && !sentence.trim_end().ends_with([':', '?', '：', '？'])
}

/// `true` for a line of a header that the question does not ask for: those of letters and minutes
/// name people and dates. A row of a table may begin with its date.
pub(super) fn is_unwanted_header(sentence: &str, question: &Question) -> bool {
    let is_unwanted = || {
        text::is_header_line(sentence) && !is_row(sentence) && !is_wanted_header(sentence, question)
    };
    let is_of_mail = text::is_mail_header(sentence) && !question.asks_about_mail();
    let kind = question.answer_type;
    // Who wrote, and when a thing was announced, such lines do say.
    let is_dateline = || kind != AnswerType::Date && text::is_dateline(sentence);
    let is_note = || {
        !matches!(kind, AnswerType::Date | AnswerType::Person)
            && text::is_publication_note(sentence)
    };
    let is_person = || {
        matches!(
            kind,
            AnswerType::Person | AnswerType::Location | AnswerType::List
        )
    };
    // "Who is Ann Lee?" is not answered by her name.
    let adds_nothing = || !is_person() || question.share_met(sentence) >= 1.0;
    let is_byline = || text::is_byline(sentence) && adds_nothing();
    // "(Strong)" and "Contact: …", unless the question has a word of it.
    let is_asked = |words: &str| question.share_met(words) > 0.0;
    let is_aside = || text::is_aside(sentence) && !is_asked(sentence);
    let label = sentence.split(':').next().unwrap_or_default();
    let is_contact = || text::is_contact_line(sentence) && !is_person() && !is_asked(label);
    let is_empty = || is_aside() || is_contact();
    let is_line = || is_unwanted() || is_dateline() || is_note() || is_byline() || is_empty();
    header_field(sentence).is_some() || is_of_mail || is_line()
}

/// `true` for a line of a header with the people, the date or the number that are asked for.
pub(super) fn is_wanted_header(sentence: &str, question: &Question) -> bool {
    text::is_header_line(sentence)
        && match question.answer_type {
            AnswerType::Person | AnswerType::Date => true,
            AnswerType::List => question.is_membership_in(sentence),
            AnswerType::Quantity => {
                !question.counted_word().is_empty() && question.is_counted_in(sentence)
            }
            _ => false,
        }
}

/// The number of fields that make a row of a table.
const ROW_FIELDS: usize = 3;

/// `true` if a sentence is a row of a table, read as a record: "Month: 2025-05; Complaints: 7."
pub(super) fn is_row(sentence: &str) -> bool {
    let fields = sentence.split("; ").filter(|field| field.contains(": "));
    fields.count() >= ROW_FIELDS
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
