//! The documents of a library that others of it say that they replace: what was published before
//! its successor does not name it.

use super::index::Index;
use super::query::entities;
use crate::artifact::source::DocumentStatus;
use crate::text;

/// Words for what a document is the number of: "version 2", "the 2023 edition".
const EDITIONS: &[&str] = &["edition", "issue", "revision", "version"];

/// The numbers of replaced documents, with what each is replaced by: a title, or another edition of
/// its own title.
pub(super) fn replaced(
    documents: &[(&str, &DocumentStatus)],
    index: &Index,
) -> Vec<(usize, String)> {
    let mut replaced = Vec::new();
    for (number, (title, status)) in documents.iter().enumerate() {
        let Some(names) = &status.supersedes else {
            continue;
        };
        if status.is_not_in_force() {
            continue;
        }
        for name in names.split([',', ';']) {
            // "Edition 3" is another one of the same title.
            let edition = documents.iter().position(|(other, own)| {
                other == title && own.version.as_deref() == Some(name.trim())
            });
            let by_edition = edition.zip(status.version.clone());
            replaced.extend(by_edition.or_else(|| {
                let named = || entities::document_of_name(index, name);
                let titles = documents.iter().map(|own| own.0);
                let other = edition_named(titles, title, name).or_else(named);
                let other = other.filter(|other| *other != number);
                other.map(|other| (other, (*title).to_owned()))
            }));
        }
    }
    replaced
}

/// The number of the document whose title is that of another one but for the edition, which is the
/// one named: "version 2" is to "Procedure 12, version 3" what is titled "Procedure 12, version 2".
pub(super) fn edition_named<'a>(
    titles: impl IntoIterator<Item = &'a str>,
    title: &str,
    name: &str,
) -> Option<usize> {
    let edition = number_of_edition(name)?;
    let is_edition = |other: &str| {
        let differing = text::differing_numbers(&[title, other]);
        differing.is_some_and(|at| text::words_at(other, &at) == edition)
    };
    titles.into_iter().position(is_edition)
}

/// The number of the edition that a name is, with its day at most: "2" of "version 2 of 14 May
/// 2023", "2023" of "the 2023 edition".
fn number_of_edition(name: &str) -> Option<String> {
    let words: Vec<String> = text::words(name)
        .map(|word| text::fold(word.text))
        .skip_while(|word| word == "the")
        .collect();
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    match words.as_slice() {
        [kind, number, ..] if EDITIONS.contains(&kind.as_str()) && is_number(number) => {
            Some(number.clone())
        }
        [number, kind, ..] if EDITIONS.contains(&kind.as_str()) && is_number(number) => {
            Some(number.clone())
        }
        _ => None,
    }
}
