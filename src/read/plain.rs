//! Plain text: the text as it is, with a title from its first line. Of markup only the marks around
//! a title are interpreted, since people write such marks in plain text, too.

use std::path::Path;

use super::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use super::error::ReadError;
use super::metadata::{self, Designation};
use crate::text::is_header_line;

/// The longest first line that is taken for a title, in characters; chosen by hand.
const TITLE_CHARACTERS: usize = 100;

/// The least number of words of a first line with a full stop that is no title; chosen by hand.
const SENTENCE_WORDS: usize = 4;

/// Plain text: the clean text is that of the file.
pub static KIND: SourceKind = SourceKind {
    name: "text",
    label: "plain text",
    extensions: &["txt", "text"],
    shared_extensions: &[],
    media_types: &[],
    signature: Signature::AnyText,
    markup: Markup::Plain,
    isolation: Isolation::ProcessIfLarge,
    remedy: "save it again as UTF-8",
    read,
};

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let text = input.text()?;
    let author = metadata::top_value(&text, &["author", "authors"]).map(str::to_owned);
    let date = metadata::top_date(&text);
    let title = numbered_title(&text)
        .or_else(|| subject(&text))
        .unwrap_or_else(|| title(input.path, &text));
    Ok(Document {
        author,
        date,
        ..input.document(title, text)
    })
}

/// The title in the header of a document of a series, with its number: `PEP 8: Style guide`.
fn numbered_title(text: &str) -> Option<String> {
    let Designation { series, number } = metadata::designation(text)?;
    let title = metadata::top_value(text, &["title"])?;
    Some(format!("{} {number}: {title}", series.to_uppercase()))
}

/// The subject of a letter or an e-mail that was saved as text: its first line names the sender or
/// another field.
fn subject(text: &str) -> Option<String> {
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    is_header_line(first)
        .then(|| metadata::top_value(text, &["subject", "re", "betreff"]))
        .flatten()
        .map(str::to_owned)
}

/// The first line with words in it if it is short, else the file's name.
pub(super) fn title(path: &Path, text: &str) -> String {
    // A line of markup alone, such as one of `=` above a title, has no words.
    let first = text
        .lines()
        .find(|line| line.contains(char::is_alphanumeric))
        .unwrap_or_default()
        .trim();
    // The `=` around titles, and the asterisks or number signs before them, are markup.
    let first = first.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '=' | '#'));
    let is_too_long = first.chars().count() > TITLE_CHARACTERS;
    if first.is_empty() || is_too_long || is_sentence(first) {
        return metadata::name_as_title(path);
    }
    first.to_owned()
}

/// `true` for a line that says something, and so names no text: "The treasurer is Jane Miller."
fn is_sentence(line: &str) -> bool {
    line.ends_with('.') && line.split_whitespace().count() >= SENTENCE_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_of_a_letter_is_its_subject_and_not_its_sender() {
        let mail = "From: Ann <a@example.org>\nSubject: Heating of the office\n\nHello.\n";
        assert_eq!(subject(mail).as_deref(), Some("Heating of the office"));
        let memo = "To: H. Vos\nFrom: QA lab\nDate: 27 March 2026\nRe: Caking\n\nI had samples.\n";
        assert_eq!(subject(memo).as_deref(), Some("Caking"));
        assert_eq!(subject("On pumps\nSubject: heat\n"), None);
    }

    #[test]
    fn short_first_line_is_the_title() {
        let path = Path::new("some_notes.txt");
        assert_eq!(title(path, "\n=====\n Heat pumps \n=====\n"), "Heat pumps");
        assert_eq!(title(path, "* Notes\n"), "Notes");
        assert_eq!(title(path, &"word ".repeat(40)), "Some notes");
        assert_eq!(title(path, "\n---\n"), "Some notes");
        assert_eq!(title(path, "The treasurer is Jane Miller.\n"), "Some notes");
        assert_eq!(title(path, "On heat pumps.\n"), "On heat pumps.");
    }

    #[test]
    fn labelled_lines_give_author_and_date() {
        let text = b"T\n:Author: Ann\n:Date: 2020-01\n";
        let document = read(&Input::of_bytes(&KIND, "a.txt", text, 1000)).unwrap();
        assert_eq!(document.author.as_deref(), Some("Ann"));
        assert_eq!(document.date.as_deref(), Some("2020-01"));
        let header = b"PEP: 9001\nTitle: Queues\nStatus: Draft\n\nQueues are proposed.\n";
        let document = read(&Input::of_bytes(&KIND, "a.txt", header, 1000)).unwrap();
        assert_eq!(document.title, "PEP 9001: Queues");
    }
}
