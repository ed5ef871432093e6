//! The references as RIS, for Zotero, EndNote, Mendeley and the like.

use std::borrow::Cow;

use super::Format;
use super::authors::Author;
use super::bibliography::{self, Entry, Location};
use super::container::Work;
use crate::artifact::analysis::SourceCategory;

/// The references as RIS.
pub const FORMAT: Format = Format {
    name: "ris",
    extension: "ris",
    media_type: "application/x-research-info-systems; charset=utf-8",
    about: "The references as RIS, for EndNote, Zotero, Mendeley",
    needs_texts: false,
    missing: None,
    render: |edition| {
        let entries = bibliography::entries(edition);
        let entries: Vec<String> = entries.iter().map(entry).collect();
        Ok(entries.concat().into_bytes())
    },
};

fn entry(entry: &Entry) -> String {
    let mut lines: Vec<(&str, &str)> = vec![("TY", kind(entry)), ("ID", &entry.key)];
    let authors: Vec<_> = entry.authors.iter().map(author).collect();
    lines.extend(authors.iter().map(|author| ("AU", author.as_ref())));
    lines.push(("TI", &entry.title));
    let date = date(entry);
    if let Some((year, date)) = &date {
        lines.extend([("PY", *year), ("DA", date)]);
    }
    lines.extend(published(entry));
    let accessed = entry
        .accessed
        .map(|[year, month, day]| format!("{year:04}/{month:02}/{day:02}/"));
    lines.extend(accessed.iter().map(|accessed| ("Y2", accessed.as_str())));
    lines.push(match &entry.location {
        Location::Url(url) => ("UR", url),
        Location::Path(path) => ("L1", path),
    });
    lines.extend(entry.note.iter().map(|note| ("N1", note.as_str())));
    lines.push(("ER", ""));
    // The format knows no escapes: a value ends with its line, and is one line by now.
    let lines = lines
        .iter()
        .map(|(tag, value)| format!("{tag}  - {value}\r\n"));
    lines.collect()
}

/// The journal with volume, issue and pages, the DOI and the publisher.
fn published(entry: &Entry) -> Vec<(&'static str, &str)> {
    let own = &entry.publication;
    let pages = own.pages.as_deref();
    let (first, last) = match pages.and_then(|pages| pages.split_once(['-', '–'])) {
        Some((first, last)) => (Some(first), Some(last)),
        None => (pages, None),
    };
    let fields = [
        ("JO", own.journal.as_deref()),
        ("VL", own.volume.as_deref()),
        ("IS", own.issue.as_deref()),
        ("SP", first),
        ("EP", last),
        ("DO", own.doi.as_deref()),
        (
            "PB",
            own.publisher.as_deref().or(own.institution.as_deref()),
        ),
    ];
    let fields = fields.into_iter();
    fields
        .filter_map(|(tag, value)| Some((tag, value?)))
        .collect()
}

/// RIS has the family name first.
fn author(author: &Author) -> Cow<'_, str> {
    match author {
        Author::Person(person) => person.inverted().into(),
        Author::Literal(name) => name.into(),
    }
}

/// The year and `2024/11/08/`: the fourth field, for other information, is empty.
fn date(entry: &Entry) -> Option<(&str, String)> {
    let part = |number: Option<usize>| number.map_or(String::new(), |own| format!("{own:02}"));
    let year = entry.year.as_deref()?;
    let (month, day) = (part(entry.month), part(entry.day));
    Some((year, format!("{year}/{month}/{day}/")))
}

fn kind(entry: &Entry) -> &'static str {
    match entry.work {
        Work::Article => return "JOUR",
        Work::Report => return "RPRT",
        Work::Other => {}
    }
    match (entry.category, &entry.location) {
        (Some(SourceCategory::News), _) => "NEWS",
        (Some(SourceCategory::Encyclopaedia), _) => "ENCYC",
        (Some(SourceCategory::Blog), _) => "BLOG",
        (Some(SourceCategory::Data), _) => "DATA",
        (_, Location::Url(_)) => "ELEC",
        (_, Location::Path(_)) => "GEN",
    }
}
