//! The layout of records: which field names a record, and which fields hold running text.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A field of a record: its name and its value.
pub(in crate::read) type Field = (Rc<str>, String);

/// The fields of a record in their order.
pub(in crate::read) type Record = Vec<Field>;

/// Names of fields that name a record, best first.
const TITLES: &[&str] = &[
    "title", "name", "headline", "subject", "question", "product", "model", "label", "term",
    "summary",
];

/// Names of fields that identify a record and say nothing about it.
const IDENTIFIERS: &[&str] = &[
    "", "#", "column 1", "id", "doc id", "docid", "docno", "guid", "index", "key", "no", "nr",
    "number", "uuid",
];

/// The number of words from which a value is running text; chosen by hand, longer than most titles.
const TEXT_WORDS: usize = 16;

/// The longest title of a record, in words on average; chosen by hand, for those of articles.
const TITLE_WORDS: usize = 30;

/// One in so many values must be running text for its field to be laid out so; chosen by hand.
const TEXT_SHARE: usize = 5;

/// The fields of records by their purpose.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// The field that names a record.
    pub(super) title: Option<Rc<str>>,
    /// The fields with running text.
    pub(super) texts: HashSet<Rc<str>>,
    /// `true` if there is one field only, so that its name says nothing.
    pub(super) is_list: bool,
}

/// The count of a field's values, as far as records were looked at.
struct Column {
    name: Rc<str>,
    values: usize,
    words: usize,
    texts: usize,
    numbers: usize,
}

impl Column {
    fn new(name: &Rc<str>) -> Self {
        Self {
            name: Rc::clone(name),
            values: 0,
            words: 0,
            texts: 0,
            numbers: 0,
        }
    }

    fn count(&mut self, value: &str) {
        // A long list of numbers is no text.
        let has_letter = |word: &&str| word.contains(char::is_alphabetic);
        let words = value.split_whitespace().filter(has_letter).count();
        self.values += 1;
        self.words += words;
        self.texts += usize::from(words >= TEXT_WORDS || value.trim().contains("\n\n"));
        self.numbers += usize::from(is_number(value));
    }
}

impl Layout {
    /// The layout for records of which these are the first.
    pub(super) fn of(records: &[Record]) -> Self {
        let columns = columns(records);
        let title = title(&columns);
        let is_text = |column: &&Column| {
            column.texts * TEXT_SHARE >= column.values && Some(&column.name) != title.as_ref()
        };
        let texts = columns.iter().filter(is_text);
        Self {
            texts: texts.map(|column| Rc::clone(&column.name)).collect(),
            is_list: columns.len() == 1,
            title,
        }
    }

    /// Returns `true` if a field holds running text.
    pub(super) fn is_text(&self, name: &str) -> bool {
        self.texts.contains(name)
    }

    /// The value that names a record, if it has one.
    pub(super) fn title_of<'r>(&self, record: &'r Record) -> Option<&'r Field> {
        let title = self.title.as_ref()?;
        record.iter().find(|(name, _)| name == title)
    }
}

/// Returns `true` for the name of a field that identifies a record and says nothing about it.
pub(super) fn is_identifier(name: &str) -> bool {
    IDENTIFIERS.contains(&name.to_lowercase().as_str())
}

/// Returns `true` for a value of digits and signs: a number, an amount of money, a date, a time.
pub(super) fn is_number(value: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_digit() || " +-.,:/%€$£".contains(c);
    value.contains(|c: char| c.is_ascii_digit()) && value.chars().all(is_sign)
}

/// The fields of records in the order in which they first occur.
fn columns(records: &[Record]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let mut indices: HashMap<Rc<str>, usize> = HashMap::new();
    for (name, value) in records.iter().flatten() {
        let index = *indices.entry(Rc::clone(name)).or_insert_with(|| {
            columns.push(Column::new(name));
            columns.len() - 1
        });
        columns[index].count(value);
    }
    columns
}

/// The field that names a record: by its name, else the first of short values that are no numbers.
fn title(columns: &[Column]) -> Option<Rc<str>> {
    let is_short = |column: &&Column| column.words <= column.values * TITLE_WORDS;
    let is_named = |column: &&Column, title: &str| {
        let name = column.name.to_lowercase();
        let last = name.rsplit('.').next().unwrap_or_default();
        last == title || last.ends_with(&format!(" {title}"))
    };
    let by_name = TITLES.iter().find_map(|title| {
        let named = columns.iter().filter(is_short);
        named.into_iter().find(|column| is_named(column, title))
    });
    let first = || {
        columns.iter().find(|column| {
            let is_text = column.texts * TEXT_SHARE >= column.values;
            !is_text && column.numbers * 2 < column.values && !is_identifier(&column.name)
        })
    };
    Some(Rc::clone(&by_name.or_else(first)?.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(fields: &[(&str, &str)]) -> Record {
        let field = |(name, value): &(&str, &str)| ((*name).into(), (*value).to_owned());
        fields.iter().map(field).collect()
    }

    #[test]
    fn title_and_texts_are_found_by_name_and_by_values() {
        let long = "word ".repeat(40);
        for (fields, title, texts) in [
            (
                &[("_id", "1"), ("title", "On wings"), ("text", &long)][..],
                Some("title"),
                &["text"][..],
            ),
            (&[("id", "1"), ("text", &long)], None, &["text"]),
            (
                &[("price", "3"), ("product name", "X2")],
                Some("product name"),
                &[],
            ),
            (&[("year", "2020"), ("city", "Perth")], Some("city"), &[]),
            (
                &[("title", &long), ("city", "Perth")],
                Some("city"),
                &["title"],
            ),
        ] {
            let layout = Layout::of(&[record(fields)]);
            assert_eq!(layout.title.as_deref(), title, "{fields:?}");
            assert_eq!(
                layout.texts,
                texts.iter().map(|text| (*text).into()).collect()
            );
        }
    }
}
