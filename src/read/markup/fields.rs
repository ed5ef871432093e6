//! The metadata that a document states about itself, such as `Status: Final`, as YAML front matter
//! of its clean text.

use std::fmt::Write as _;

use crate::read::document::{Document, Input};
use crate::read::error::ReadError;
use crate::read::{dates, markdown, metadata};
use crate::text::one_line;

/// The names of the field that holds the author or authors, in order of weight.
const AUTHOR: &[&str] = &["author", "authors", "by"];

/// The names of fields that hold a date, in order of weight: that of the text before that of its
/// last change.
const DATE: &[&str] = &[
    "date",
    "published",
    "created",
    "revdate",
    "updated",
    "last-modified",
];

/// The longest name of a field, or of a role, in bytes; chosen by hand: longer ones are sentences
/// with a colon.
pub(super) const MAX_NAME_BYTES: usize = 40;

/// The names and values of fields, in their order.
#[derive(Debug, Default)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Adds a field, unless it has no value.
    pub(super) fn push(&mut self, name: &str, value: &str) {
        let (name, value) = (one_line(name), one_line(value));
        if !name.is_empty() && !value.is_empty() {
            self.0.push((name, value));
        }
    }

    /// The value of the first of some names that a field has; case does not count.
    pub(super) fn get(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| {
            let mut fields = self.0.iter();
            let field = fields.find(|(own, _)| own.eq_ignore_ascii_case(name))?;
            Some(field.1.as_str())
        })
    }

    /// A document of these fields and a body in Markdown. Its title is the field of that name, else
    /// the first heading unless it names a section, else from the file's name.
    ///
    /// # Errors
    /// When the text goes beyond the reader's limit.
    pub(super) fn document(&self, input: &Input<'_>, body: &str) -> Result<Document, ReadError> {
        let text = self.front_matter() + body;
        if text.len() as u64 > input.max_bytes {
            return Err(input.too_large());
        }
        let title = self.get(&["title"]).map(str::to_owned);
        let title = title
            .or_else(|| markdown::title_heading(body))
            .unwrap_or_else(|| metadata::name_as_title(input.path));
        Ok(Document {
            author: self.get(AUTHOR).map(str::to_owned),
            date: DATE
                .iter()
                .find_map(|name| dates::written_date(self.get(&[name])?)),
            language: self
                .get(&["language", "lang"])
                .and_then(metadata::language_code),
            ..input.document(title, text)
        })
    }

    /// The fields as front matter, with an empty line after it; nothing without fields.
    fn front_matter(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let mut front = String::from("---\n");
        for (name, value) in &self.0 {
            // Written to a string, which does not fail.
            let _ = writeln!(front, "{name}: {value}");
        }
        front + "---\n\n"
    }
}

/// The name and the value of a line such as `Status: Final`.
pub(super) fn header_line(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.len() <= MAX_NAME_BYTES
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let is_apart = value.is_empty() || value.starts_with([' ', '\t']);
    (is_name && is_apart).then(|| (name, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_front_matter() {
        let mut fields = Fields::default();
        fields.push("Status", " Final\n now");
        fields.push("Empty", " ");
        assert_eq!(fields.front_matter(), "---\nStatus: Final now\n---\n\n");
        assert_eq!(fields.get(&["title", "STATUS"]), Some("Final now"));
        assert_eq!(Fields::default().front_matter(), "");
    }

    #[test]
    fn header_line_has_a_name_of_one_word() {
        assert_eq!(header_line("Post-History: 1"), Some(("Post-History", "1")));
        assert_eq!(header_line("Empty:"), Some(("Empty", "")));
        for line in ["two words: x", "http://e.org", "no colon", ":Author: x"] {
            assert_eq!(header_line(line), None, "{line}");
        }
    }
}
