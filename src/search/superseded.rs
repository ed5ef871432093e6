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
    pub(super) doi: Option<&'a str>,
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

/// The least number of words of a title that is known again within a citation: "Sleep" alone is
/// none. Chosen by hand.
const CITED_WORDS: usize = 4;

/// The numbers of the documents that others say are retracted, by their DOI or title, each with the
/// title of the one that says so.
pub(super) fn retracted(documents: &[Named<'_>]) -> Vec<(usize, String)> {
    let notices = documents.iter().enumerate();
    let notices = notices.filter_map(|(by, own)| Some((by, own.status.retracts.as_deref()?)));
    let of_notice = |(by, name): (usize, &str)| {
        let others = documents.iter().enumerate();
        let others = others.filter(|(_, other)| other.status.retracts.is_none());
        let is_retracted = others.map(|(number, other)| (number, cites(name, *other)));
        let (whole, part) = (Some(Cited::Whole), Some(Cited::MainTitle));
        let cited: Vec<(usize, Option<Cited>)> = is_retracted.collect();
        let numbers = |kind: Option<Cited>| -> Vec<usize> {
            let own = cited.iter().filter(|(_, own)| *own == kind);
            own.map(|(number, _)| *number).collect()
        };
        let mut retracted = numbers(whole);
        // "A: a trial" and "A: the protocol" have one main title.
        let by_main_title = numbers(part);
        if retracted.is_empty() && by_main_title.len() == 1 {
            retracted = by_main_title;
        }
        let by = documents[by].title;
        retracted
            .into_iter()
            .map(move |number| (number, by.to_owned()))
    };
    notices.flat_map(of_notice).collect()
}

/// How a citation names a document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cited {
    /// By its DOI or its whole title.
    Whole,
    /// By what its title has before a colon.
    MainTitle,
}

fn cites(citation: &str, other: Named<'_>) -> Option<Cited> {
    let lower = citation.to_lowercase();
    let doi = other.doi.map(str::to_lowercase);
    let is_of_doi = doi.is_some_and(|doi| {
        let mut ends = lower.match_indices(&*doi).map(|(at, _)| at + doi.len());
        // "10.1000/18" is not "10.1000/182".
        ends.any(|end| !lower[end..].starts_with(|c: char| c.is_alphanumeric()))
    });
    let words = text::folded(citation);
    let has = |title: &[String]| {
        let is_whole = citation.lines().next().map(text::folded).as_deref() == Some(title);
        let is_within = || words.windows(title.len()).any(|own| own == title);
        !title.is_empty() && (is_whole || title.len() >= CITED_WORDS && is_within())
    };
    if is_of_doi || has(&text::folded(other.title)) {
        return Some(Cited::Whole);
    }
    let (main, _) = other.title.split_once(':')?;
    has(&text::folded(main)).then_some(Cited::MainTitle)
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
    fn what_is_retracted_is_known_by_its_doi_or_title() {
        let own = DocumentStatus::default();
        fn named<'a>(title: &'a str, doi: Option<&'a str>, own: &'a DocumentStatus) -> Named<'a> {
            Named {
                title,
                status: own,
                date: None,
                doi,
                locator: "a.txt",
            }
        }
        let retracted = |citation: &str| {
            let status = DocumentStatus {
                retracts: Some(citation.to_owned()),
                ..DocumentStatus::default()
            };
            let documents = [
                named(
                    "Tea and sleep in old age: a trial",
                    Some("10.1000/18"),
                    &own,
                ),
                named("Tea and sleep in old age: the protocol", None, &own),
                named("Tea", None, &own),
                named("Retraction notice", Some("10.1000/18"), &status),
            ];
            let retracted = super::retracted(&documents).into_iter();
            retracted.map(|(number, _)| number).collect::<Vec<_>>()
        };
        assert_eq!(retracted("Lind A. Heat. doi:10.1000/18."), [0]);
        assert!(retracted("Lind A. Heat. doi:10.1000/182").is_empty());
        assert_eq!(retracted("Lind A. Tea and sleep in old age: a trial."), [0]);
        // Two documents have that main title.
        assert!(retracted("Tea and sleep in old age").is_empty());
        assert_eq!(retracted("Tea"), [2]);
    }

    #[test]
    fn a_name_may_be_of_another_document_of_the_number() {
        let status = DocumentStatus::default();
        let order = Named {
            title: "Order No. 2022/07",
            status: &status,
            date: Some("2022-04-11"),
            doi: None,
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
            doi: None,
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
