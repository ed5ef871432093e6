//! The documents of a library that others of it say that they replace: what was published before
//! its successor does not name it.

use super::index::Index;
use super::query::entities;
use crate::artifact::source::DocumentStatus;
use crate::read::dates;
use crate::text;

/// Words for what a document is the number of: "version 2", "the 2023 edition".
const EDITIONS: &[&str] = &["edition", "issue", "revision", "version"];

/// What a document is called by.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) title: &'a str,
    pub(super) status: &'a DocumentStatus,
    pub(super) date: Option<&'a str>,
    /// Its path or address.
    pub(super) locator: &'a str,
}

impl Named<'_> {
    /// The name of this document beside one that it replaces: its title, or what tells it from one
    /// of the same title.
    fn beside(self, other: Self) -> String {
        if self.title != other.title {
            return self.title.to_owned();
        }
        let differs = |own: Option<&str>, others: Option<&str>| own.is_some() && own != others;
        let [version, others] = [self, other].map(|one| one.status.version.as_deref());
        if let Some(version) = version.filter(|_| differs(version, others)) {
            return version.to_owned();
        }
        let date = self.date.filter(|_| differs(self.date, other.date));
        date.map_or_else(|| self.locator.to_owned(), |date| format!("that of {date}"))
    }
}

/// The number of the document of the title of another one that has a name beside it.
pub(super) fn named_beside(documents: &[Named<'_>], replaced: usize, name: &str) -> Option<usize> {
    let own = documents[replaced];
    let others = documents.iter().enumerate();
    let mut others = others.filter(|(number, one)| *number != replaced && one.title == own.title);
    others.find_map(|(number, one)| (one.beside(own) == name).then_some(number))
}

/// The numbers of replaced documents, with what each is replaced by: a title, or another edition of
/// its own title.
pub(super) fn replaced(documents: &[Named<'_>], index: &Index) -> Vec<(usize, String)> {
    let mut replaced = Vec::new();
    for (number, own) in documents.iter().enumerate() {
        let Some(names) = &own.status.supersedes else {
            continue;
        };
        if own.status.is_not_in_force() {
            continue;
        }
        for name in names.split([',', ';']) {
            // "Edition 3" is another one of the same title.
            let edition = documents.iter().position(|other| {
                let version = other.status.version.as_deref();
                let is_named = version.is_some_and(|own| own.eq_ignore_ascii_case(name.trim()));
                other.title == own.title && is_named
            });
            let by_edition = edition.zip(own.status.version.clone());
            replaced.extend(by_edition.or_else(|| {
                let named = || entities::document_of_name(index, name);
                let titles = documents.iter().map(|other| other.title);
                let by_day = || of_day(documents, name);
                let other = edition_named(titles, own.title, name).or_else(named);
                let other = other.or_else(by_day);
                let other = other.filter(|other| *other != number);
                let other = other.filter(|other| is_meant(documents[*other], name));
                other.map(|other| (other, own.beside(documents[other])))
            }));
        }
    }
    replaced
}

/// `true` unless a name says that another document than one of its number is meant, or a part of
/// it: "Order No. 7 of the parish of Tolle", "of 4 April 2023", "for the High Street only".
fn is_meant(other: Named<'_>, name: &str) -> bool {
    // The day may be that on which it came into force.
    let dates = dates::written_date(name).zip(other.date);
    let is_of_year = dates.is_none_or(|(named, own)| named.get(..4) == own.get(..4));
    let title = text::folded(other.title);
    let is_of_other = |word: text::Word<'_>| {
        let folded = text::fold(word.text);
        let is_month = text::MONTHS.contains(&folded.as_str());
        word.text.starts_with(char::is_uppercase) && !is_month && !title.contains(&folded)
    };
    // What names the document comes before "of" and "for".
    let mut ends = [" of ", " for "].iter().filter_map(|own| name.find(own));
    let behind = ends.next().map_or("", |at| &name[at..]);
    let is_part = text::folded(name).iter().any(|word| word == "only");
    is_of_year && !is_part && !text::words(behind).any(is_of_other)
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

/// The number of the only document of the kind and the day that a name gives: "the memo of 2 May
/// 2024".
fn of_day(documents: &[Named<'_>], name: &str) -> Option<usize> {
    let day = dates::written_date(name).filter(|day| day.len() == "2024-05-02".len())?;
    let words = text::folded(name);
    let kind = words.iter().find(|word| !text::is_stop_word(word))?;
    let is_named = |one: &Named<'_>| {
        one.date == Some(&day) && text::folded(one.title).iter().any(|word| word == kind)
    };
    let numbered = documents.iter().enumerate();
    let mut of_day = numbered.filter(|(_, one)| is_named(one)).map(|(at, _)| at);
    of_day.next().filter(|_| of_day.next().is_none())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_be_of_another_document_of_the_number() {
        let status = DocumentStatus::default();
        let order = Named {
            title: "Order No. 2022/07",
            status: &status,
            date: Some("2022-04-11"),
            locator: "a.txt",
        };
        for (name, expected) in [
            ("Order No. 2022/07", true),
            ("Order No. 2022/07 of 4 April 2022", true),
            ("Order No. 2022/07 of 4 April 2023", false),
            ("Order No. 2022/07 of the parish of Tolle", false),
            ("Order No. 2022/07 for the High Street only", false),
        ] {
            assert_eq!(is_meant(order, name), expected, "{name}");
        }
    }

    #[test]
    fn memo_of_a_day_is_the_only_one_of_its_kind_on_that_day() {
        let status = DocumentStatus::default();
        let named = |title, date| Named {
            title,
            status: &status,
            date: Some(date),
            locator: "a.txt",
        };
        let documents = [
            named("Load rating memo", "2024-05-02"),
            named("Minutes", "2024-05-02"),
            named("Order No. 7", "2024-05-03"),
            named("Order No. 8", "2024-05-03"),
        ];
        assert_eq!(of_day(&documents, "the memo of 2 May 2024"), Some(0));
        assert_eq!(of_day(&documents, "the memo of 2 May"), None);
        assert_eq!(of_day(&documents, "the order of 3 May 2024"), None);
    }
}
