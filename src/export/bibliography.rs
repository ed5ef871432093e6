//! The references of a report as entries for programs that manage literature: what the formats
//! [`super::bibtex`], [`super::ris`] and [`super::csl`] share.

use std::collections::BTreeSet;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use unicode_normalization::UnicodeNormalization;

use super::Edition;
use super::authors::{Author, affiliation, named};
use super::citation::{Date, author, is_web};
use super::container::Work;
use super::outline::Outline;
use crate::artifact::analysis::SourceCategory;
use crate::artifact::report::Reference;
use crate::artifact::source::Publication;
use crate::text::{one_line, without_controls};

/// The characters that RFC 3986 allows nowhere in a URL: encoded, it still leads to the same page,
/// and no format takes a part of it for markup.
const NOT_IN_URL: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// A reference as an entry of a bibliography. Its texts are single lines without control
/// characters.
pub(super) struct Entry {
    /// ASCII letters and digits, unique in the bibliography: author, year, first word of the title.
    pub(super) key: String,
    pub(super) title: String,
    pub(super) authors: Vec<Author>,
    /// Four digits, or a date in words.
    pub(super) year: Option<String>,
    /// From 1 to 12.
    pub(super) month: Option<usize>,
    /// From 1 to 31.
    pub(super) day: Option<usize>,
    /// The URL, if the source is a page on the web, else the path of the file.
    pub(super) location: Location,
    /// The day on which it was read from the web: year, month, day.
    pub(super) accessed: Option<[usize; 3]>,
    /// The remark on a source that is not in force.
    pub(super) note: Option<String>,
    pub(super) category: Option<SourceCategory>,
    /// The kind of work by what it was published in.
    pub(super) work: Work,
    /// Where it was published.
    pub(super) publication: Publication,
}

/// The place of a source.
pub(super) enum Location {
    Url(String),
    Path(String),
}

/// The entries of an edition, by the number of the reference.
pub(super) fn entries(edition: &Edition<'_>) -> Vec<Entry> {
    let mut references = Outline::of_edition(edition).references;
    references.sort_by_key(|entry| entry.number);
    let mut keys = BTreeSet::new();
    let entries = references.iter().map(|own| {
        let entry = Entry::of(own.reference);
        let key = unique(entry.key, &mut keys);
        Entry { key, ..entry }
    });
    entries.collect()
}

impl Entry {
    fn of(reference: &Reference) -> Self {
        let date = Date::of(reference);
        let author = author(reference).map(|author| clean(&author));
        let mut publication = cleaned(&reference.publication);
        let organisation = author.as_deref().and_then(affiliation).map(str::to_owned);
        publication.institution = publication.institution.or(organisation);
        Self {
            key: key(reference),
            title: clean(&reference.title),
            authors: named(author.as_deref().unwrap_or_default()),
            year: date.year.map(clean),
            month: date.month,
            day: date.day,
            location: location(&reference.locator),
            accessed: reference.read_at.as_deref().and_then(day),
            note: reference.status.remark().map(|remark| clean(&remark)),
            category: reference.category,
            work: Work::of(reference),
            publication,
        }
    }
}

/// A publication, each part of which is a single line without control characters.
fn cleaned(publication: &Publication) -> Publication {
    let part = |part: &Option<String>| part.as_deref().map(clean);
    Publication {
        journal: part(&publication.journal),
        volume: part(&publication.volume),
        issue: part(&publication.issue),
        pages: part(&publication.pages),
        doi: part(&publication.doi),
        publisher: part(&publication.publisher),
        institution: part(&publication.institution),
    }
}

/// The day of a time, RFC 3339.
fn day(time: &str) -> Option<[usize; 3]> {
    let date = Date::parse(time);
    Some([date.year?.parse().ok()?, date.month?, date.day?])
}

fn location(locator: &str) -> Location {
    if is_web(locator) {
        Location::Url(utf8_percent_encode(locator, NOT_IN_URL).to_string())
    } else {
        Location::Path(clean(locator))
    }
}

fn clean(text: &str) -> String {
    without_controls(&one_line(text)).into_owned()
}

/// `smith2024heat`: the last word of the family name of the first author, or the first word of the
/// name of an organisation, the year, and the first word of the title; `heat2024` without an
/// author. Articles are passed over. It depends on the reference alone, so that it stays the same
/// when other references come and go.
fn key(reference: &Reference) -> String {
    let own = author(reference).unwrap_or_default();
    let author = match named(&own).into_iter().next() {
        Some(Author::Person(person)) => words(&person.family).pop(),
        Some(Author::Literal(name)) => first_word(&name),
        None => None,
    };
    let year = words(Date::of(reference).year.unwrap_or_default()).concat();
    let title = first_word(&reference.title);
    let parts = match author {
        Some(author) => [Some(author), Some(year), title],
        None => [title, Some(year), None],
    };
    let key: String = parts.into_iter().flatten().collect();
    if key.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return key;
    }
    // Of other scripts nothing is left; and some programs want a letter first.
    format!("{}{key}", words(&reference.source).concat())
}

/// The first word of a name or a title that is longer than an article, else its first.
fn first_word(text: &str) -> Option<String> {
    let words = words(text);
    let long = words.iter().find(|word| word.len() > 3);
    long.or(words.first()).cloned()
}

/// The words of a text in lower-case ASCII letters and digits, without accents.
fn words(text: &str) -> Vec<String> {
    // NFKD separates letters from their accents, which are not ASCII.
    let folded: String = text
        .nfkd()
        .filter(|c| c.is_ascii() || c.is_whitespace())
        .collect();
    let words = folded.split(|c: char| c.is_whitespace() || "-/.:,".contains(c));
    words
        .map(|word| {
            let letters = word.chars().filter(char::is_ascii_alphanumeric);
            letters.collect::<String>().to_ascii_lowercase()
        })
        .filter(|word| !word.is_empty())
        .collect()
}

/// The key, with a number behind it if it is in use: from 2, as `heat` and `heat-2`.
fn unique(key: String, used: &mut BTreeSet<String>) -> String {
    let mut candidate = key.clone();
    let mut number = 2;
    while !used.insert(candidate.clone()) {
        candidate = format!("{key}-{number}");
        number += 1;
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_ascii_and_unique() {
        let mut used = BTreeSet::new();
        let keys = ["heat", "heat", "heat-2", "heat"].map(|key| unique(key.to_owned(), &mut used));
        assert_eq!(keys, ["heat", "heat-2", "heat-2-2", "heat-3"]);
        assert_eq!(
            words("Émile Müller-Lüdenscheidt"),
            ["emile", "muller", "ludenscheidt"]
        );
        assert_eq!(words("熱ポンプ"), Vec::<String>::new());
        assert_eq!(words("}{\\\"%,x"), ["x"]);
    }

    #[test]
    fn an_organisation_is_known_by_the_first_word_of_its_name() {
        for (name, word) in [
            ("Nordwind Energie AG", Some("nordwind")),
            ("The City of Ghent", Some("city")),
            ("BBC", Some("bbc")),
            ("熱", None),
        ] {
            assert_eq!(first_word(name).as_deref(), word, "{name}");
        }
    }

    #[test]
    fn urls_hold_no_markup() {
        let Location::Url(url) = location("https://a.example/{x}\\y z?q=1%202&r=ä#f") else {
            panic!("a URL is no path");
        };
        assert_eq!(url, "https://a.example/%7Bx%7D%5Cy%20z?q=1%202&r=%C3%A4#f");
    }
}
