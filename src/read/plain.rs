//! Plain text files: the text is kept as it is, and its first line may name it.
//!
//! Refuses to know the markup of reStructuredText and Org beyond the marks around a title.

use std::path::Path;

use super::{Document, Kind, metadata};

/// The longest first line that is taken for a title, in characters.
const TITLE_CHARACTERS: usize = 100;

/// The document in a normalised plain text.
pub fn document(path: &Path, text: String) -> Document {
    let author = metadata::top_value(&text, &["author", "authors"]).map(str::to_owned);
    let date = metadata::top_date(&text);
    Document {
        title: title(path, &text),
        kind: Kind::Text,
        language: None,
        url: None,
        author,
        date,
        text,
    }
}

/// The first line with words in it if it is short, else the file's name.
pub(super) fn title(path: &Path, text: &str) -> String {
    let first = text
        .lines()
        .find(|line| line.contains(char::is_alphanumeric))
        .unwrap_or_default()
        .trim();
    let first = first
        .strip_prefix("#+title:")
        .or_else(|| first.strip_prefix("#+TITLE:"))
        .unwrap_or(first);
    let first = first.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '=' | '#'));
    if first.is_empty() || first.chars().count() > TITLE_CHARACTERS {
        return metadata::name_as_title(path);
    }
    first.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_first_line_is_the_title() {
        let path = Path::new("some_notes.txt");
        assert_eq!(title(path, "\n=====\n Heat pumps \n=====\n"), "Heat pumps");
        assert_eq!(title(path, "#+title: Org notes\n"), "Org notes");
        assert_eq!(title(path, &"word ".repeat(40)), "Some notes");
        assert_eq!(title(path, "\n---\n"), "Some notes");
    }

    #[test]
    fn labels_give_author_and_date() {
        let found = document(
            Path::new("a.txt"),
            "T\n:Author: Ann\n:Date: 2020-01\n".to_owned(),
        );
        assert_eq!(found.date.as_deref(), Some("2020-01"));
    }
}
