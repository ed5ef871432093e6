//! Citation styles: APA (7th edition), MLA (9th edition) and Chicago (17th edition, author-date).
//!
//! A reference has only the metadata of the document itself: its title, and perhaps an author and a
//! date. Persons are printed by family and given names, as the styles want them, and groups as
//! written.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::authors::{Person, persons};
use super::container;
pub use super::segment::Segment;
use super::segment::with_full_stop;
use crate::artifact::report::Reference;
use crate::text::{fold, is_stop_word, one_line};

/// A citation style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// American Psychological Association.
    Apa,
    /// Modern Language Association.
    Mla,
    /// The Chicago Manual of Style.
    Chicago,
}

/// An in-text citation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// `(Author, 2024a)`.
    pub text: String,
    /// The index among the sources of the same author and year, if there are several: 0 is `a`.
    pub suffix: Option<usize>,
}

/// The number of words of a title that replace an unknown author in the text.
const SHORT_TITLE_WORDS: usize = 4;

const NO_DATE: &str = "n.d.";

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The in-text citations of references, in their order. References of the same author and year get
/// a suffix that makes them unique; in MLA it is the title, and the date where that is the same.
pub fn labels(style: Style, references: &[&Reference]) -> Vec<Label> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for reference in references {
        *counts.entry(label(style, reference, None)).or_default() += 1;
    }
    // Counted before the first label is made: a work gets the letter `a` only if another one of
    // the same author and year follows.
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    let mut labels = Vec::new();
    for reference in references {
        let plain = label(style, reference, None);
        let suffix = (counts.get(&plain) > Some(&1)).then(|| {
            let next = used.entry(plain.clone()).or_default();
            *next += 1;
            *next - 1
        });
        labels.push(Label {
            text: match suffix {
                Some(_) => label(style, reference, suffix),
                None => plain,
            },
            suffix,
        });
    }
    if style == Style::Mla {
        add_dates(&mut labels, references);
    }
    labels
}

/// Adds the date to labels that are the same, as those of two editions are.
fn add_dates(labels: &mut [Label], references: &[&Reference]) {
    let texts: Vec<String> = labels.iter().map(|label| label.text.clone()).collect();
    for (label, reference) in labels.iter_mut().zip(references) {
        let is_repeated = texts.iter().filter(|text| **text == label.text).count() > 1;
        if is_repeated && let Some(text) = label.text.strip_suffix(')') {
            label.text = format!("{text}, {})", year(reference, None));
        }
    }
}

fn label(style: Style, reference: &Reference, suffix: Option<usize>) -> String {
    // All three styles put the shortened title where the author would be.
    let name = match author(reference) {
        Some(author) => persons(&author).map_or(author, |persons| family_names(style, &persons)),
        None => format!("“{}”", short_title(&title(reference))),
    };
    let year = year(reference, suffix);
    match (style, suffix) {
        (Style::Apa, _) => format!("({name}, {year})"),
        (Style::Chicago, _) => format!("({name} {year})"),
        (Style::Mla, None) => format!("({name})"),
        // MLA has no suffix letters; it adds the title instead.
        (Style::Mla, Some(_)) => format!("({name}, “{}”)", title(reference)),
    }
}

/// The family names of persons in the text: the first alone of more than two, in Chicago of more
/// than three.
fn family_names(style: Style, persons: &[Person]) -> String {
    match persons {
        [one, other] if style == Style::Apa => format!("{} & {}", one.family, other.family),
        [one, other] => format!("{} and {}", one.family, other.family),
        [one, other, third] if style == Style::Chicago => {
            format!("{}, {}, and {}", one.family, other.family, third.family)
        }
        [first, _, ..] => format!("{} et al.", first.family),
        _ => persons.iter().map(|own| own.family.as_str()).collect(),
    }
}

/// The names of persons in a bibliography, in MLA and Chicago, the first with the family name
/// first: `Okafor, Ruth, and Mia Lindqvist`; MLA names the first alone of more than two.
fn first_inverted(style: Style, persons: &[Person]) -> String {
    match persons {
        [first, _, _, ..] if style == Style::Mla => format!("{}, et al.", first.inverted()),
        [first, between @ .., last] => {
            let between: String = between
                .iter()
                .map(|own| format!("{}, ", own.in_order()))
                .collect();
            format!("{}, {between}and {}", first.inverted(), last.in_order())
        }
        _ => persons.iter().map(Person::inverted).collect(),
    }
}

/// The names of persons in a bibliography, in APA: `Okafor, R., & Lindqvist, M.`
fn inverted_names(persons: &[Person]) -> String {
    let name = |own: &Person| format!("{}, {}", own.family, own.initials());
    match persons {
        [first @ .., last] if !first.is_empty() => {
            let first: Vec<String> = first.iter().map(name).collect();
            format!("{}, & {}", first.join(", "), name(last))
        }
        _ => persons.iter().map(name).collect(),
    }
}

/// The bibliography entry of a reference.
pub fn entry(style: Style, reference: &Reference, suffix: Option<usize>) -> Vec<Segment> {
    match style {
        Style::Apa => apa_entry(reference, suffix),
        Style::Mla => mla_entry(reference),
        Style::Chicago => chicago_entry(reference, suffix),
    }
}

/// `Author. (Year, Month Day). *Title.* Locator`, with the title first if there is no author.
fn apa_entry(reference: &Reference, suffix: Option<usize>) -> Vec<Segment> {
    let day = Date::of(reference).formatted(|month, day| match day {
        Some(day) => format!(", {month} {day}"),
        None => format!(", {month}"),
    });
    let date = format!("({}{day}).", year(reference, suffix));
    // APA sets the titles of works that stand alone in italics, as pages and reports do, and for
    // an article that of its journal. No full stop follows the locator: it could be taken for a
    // part of the URL.
    let title = with_full_stop(&title(reference));
    let title = match reference.publication.journal {
        Some(_) => Segment::Plain(title),
        None => Segment::Italic(title),
    };
    let retrieved = accessed(reference).map_or(String::new(), |on| {
        let on = on.formatted(|month, day| american(month, day, on.year));
        format!("Retrieved {on}, from ")
    });
    let author = author(reference);
    let author = author.map(|own| persons(&own).map_or(own, |persons| inverted_names(&persons)));
    let mut segments = match author {
        Some(author) => vec![
            Segment::Plain(format!("{} {date} ", with_full_stop(&author))),
            title,
            Segment::Plain(" ".to_owned()),
        ],
        None => vec![title, Segment::Plain(format!(" {date} "))],
    };
    segments.extend(container::apa(reference));
    segments.push(Segment::Plain(retrieved));
    segments.push(locator(reference));
    segments.retain(|own| !own.text().is_empty());
    segments
}

/// `Author. “Title.” Day Month Year, Locator.`
fn mla_entry(reference: &Reference) -> Vec<Segment> {
    let date = Date::of(reference);
    let name = author(reference).map_or(String::new(), |author| {
        let names = persons(&author).map_or(author, |own| first_inverted(Style::Mla, &own));
        format!("{} ", with_full_stop(&names))
    });
    let day = date.formatted(abbreviated);
    let year = date.year.unwrap_or(NO_DATE);
    let accessed = accessed(reference).map_or(String::new(), |on| {
        let day = on.formatted(abbreviated);
        format!(" Accessed {day}{}.", on.year.unwrap_or_default())
    });
    let mut segments = vec![Segment::Plain(format!(
        "{name}{} ",
        quoted_title(reference)
    ))];
    segments.extend(container::mla(reference, &format!("{day}{year}, ")));
    segments.push(locator(reference));
    segments.push(Segment::Plain(format!(".{accessed}")));
    segments
}

/// Day and month before a year in MLA: months of more than four letters have three, and September
/// four.
fn abbreviated(month: &str, day: Option<usize>) -> String {
    let month = match month.get(..3) {
        Some(short) if month.len() > 4 && month != "September" => format!("{short}."),
        _ if month == "September" => "Sept.".to_owned(),
        _ => month.to_owned(),
    };
    match day {
        Some(day) => format!("{day} {month} "),
        None => format!("{month} "),
    }
}

/// `November 8, 2024`.
fn american(month: &str, day: Option<usize>, year: Option<&str>) -> String {
    let day = day.map_or(String::new(), |day| format!(" {day}"));
    format!("{month}{day}, {}", year.unwrap_or_default())
}

/// The day on which an undated page was read: all three styles name it only for these, since a
/// page with a date says itself which version it is.
fn accessed(reference: &Reference) -> Option<Date<'_>> {
    let is_dated = Date::of(reference).year.is_some();
    let read_at = reference.read_at.as_deref().filter(|_| !is_dated)?;
    Some(Date::parse(read_at)).filter(|date| date.day.is_some())
}

/// `Author. Year. “Title.” Month Day. Locator.`, with the title first if there is no author.
fn chicago_entry(reference: &Reference, suffix: Option<usize>) -> Vec<Segment> {
    let day = Date::of(reference).formatted(|month, day| match day {
        Some(day) => format!(" {month} {day}."),
        None => format!(" {month}."),
    });
    let year = with_full_stop(&year(reference, suffix));
    let title = quoted_title(reference);
    let head = match author(reference) {
        Some(author) => {
            let names = persons(&author).map_or(author, |own| first_inverted(Style::Chicago, &own));
            format!("{} {year} {title}", with_full_stop(&names))
        }
        None => format!("{title} {year}"),
    };
    let accessed = accessed(reference).map_or(String::new(), |on| {
        let on = on.formatted(|month, day| american(month, day, on.year));
        format!(" Accessed {on}.")
    });
    let mut segments = vec![Segment::Plain(format!("{head} "))];
    segments.extend(container::chicago(reference));
    let day = format!("{day}{accessed} ");
    segments.push(Segment::Plain(day.trim_start().to_owned()));
    segments.push(locator(reference));
    segments.push(Segment::Plain(".".to_owned()));
    segments.retain(|own| !own.text().is_empty());
    segments
}

fn quoted_title(reference: &Reference) -> String {
    format!("“{}”", with_full_stop(&title(reference)))
}

fn locator(reference: &Reference) -> Segment {
    Segment::Locator(one_line(&reference.locator))
}

/// The parts of a date; `None` for those that are missing.
pub(super) struct Date<'a> {
    /// Four digits, or the whole date if it is unparsable.
    pub(super) year: Option<&'a str>,
    /// From 1 to 12.
    pub(super) month: Option<usize>,
    /// From 1 to 31.
    pub(super) day: Option<usize>,
}

impl<'a> Date<'a> {
    /// The date of a reference.
    pub(super) fn of(reference: &'a Reference) -> Self {
        Self::parse(reference.date.as_deref().unwrap_or_default())
    }

    /// `true` for a date, and no version or other text.
    pub(super) fn is_date(text: &'a str) -> bool {
        let year = Self::parse(text).year.filter(|year| year.len() == 4);
        year.is_some_and(|year| year.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// Parses `2024`, `2024-11` and `2024-11-08`. Anything else counts as the year, unparsed.
    pub(super) fn parse(date: &'a str) -> Self {
        let date = date.trim();
        let mut parts = date.split('-');
        let year = parts.next().unwrap_or_default();
        if year.len() != 4 || !year.bytes().all(|byte| byte.is_ascii_digit()) {
            return Self {
                year: Some(date).filter(|date| !date.is_empty()),
                month: None,
                day: None,
            };
        }
        let month = parts.next().and_then(|month| month.parse().ok());
        let month = month.filter(|month| (1..=MONTHS.len()).contains(month));
        // A time may follow the day: `2024-11-08T10:00:00Z`.
        let day = parts
            .next()
            .and_then(|day| day.get(..2)?.parse().ok())
            .filter(|day| (1..=31).contains(day));
        Self {
            year: Some(year),
            month,
            day: month.and(day),
        }
    }

    /// The month and the day in the format of a style; empty without a month.
    fn formatted(&self, form: impl Fn(&str, Option<usize>) -> String) -> String {
        let name = self.month.and_then(|month| MONTHS.get(month - 1));
        name.map_or(String::new(), |name| form(name, self.day))
    }
}

/// The year or `n.d.`, with the letters of a suffix: `2024b`, `n.d.-b`.
fn year(reference: &Reference, suffix: Option<usize>) -> String {
    let year = Date::of(reference).year.map(one_line);
    let Some(index) = suffix else {
        return year.unwrap_or_else(|| NO_DATE.to_owned());
    };
    let letters = suffix_letters(index);
    match year {
        Some(year) => format!("{year}{letters}"),
        // A hyphen only here, as in APA: `n.d.a` would be misread.
        None => format!("{NO_DATE}-{letters}"),
    }
}

/// The letters of a suffix: `a` to `z`, then `aa`.
fn suffix_letters(index: usize) -> String {
    let last = char::from(b'a' + u8::try_from(index % 26).unwrap_or(0));
    // Bijective base 26, as in the columns of a spreadsheet.
    match index / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", suffix_letters(more - 1)),
    }
}

/// `true` for an address on the web: other schemes, such as `javascript:`, must not become links.
pub(super) fn is_web(locator: &str) -> bool {
    ["https://", "http://"]
        .iter()
        .any(|scheme| locator.starts_with(scheme))
}

/// The author of a reference; where it names none, the institution that issued it.
pub(super) fn author(reference: &Reference) -> Option<String> {
    let institution = reference.publication.institution.as_deref();
    let authors = [reference.author.as_deref(), institution].into_iter();
    let mut authors = authors.flatten().map(one_line);
    authors.find(|author| !author.is_empty())
}

fn title(reference: &Reference) -> String {
    one_line(&reference.title)
}

/// The first words of a title, up to its subtitle, without the mark that ends them; where they end
/// the title early, also without the words that only lead on, as in "Stock policy of the".
fn short_title(title: &str) -> String {
    let main = title.split(": ").next().unwrap_or(title);
    let all: Vec<&str> = main.split(' ').collect();
    let words = &all[..all.len().min(SHORT_TITLE_WORDS)];
    let leads_on = |word: &&str| is_stop_word(&fold(word));
    let end = words.iter().rposition(|word| !leads_on(word));
    let end = end.filter(|_| words.len() < all.len());
    words[..end.map_or(words.len(), |last| last + 1)]
        .join(" ")
        .trim_end_matches([',', ';', ':', '-', '–', '—', ' '])
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::source::{DocumentStatus, Publication};

    fn reference(author: Option<&str>, date: Option<&str>, title: &str) -> Reference {
        Reference {
            category: None,
            reliability: None,
            dead: None,
            number: 1,
            source: "S1".to_owned(),
            title: title.to_owned(),
            author: author.map(str::to_owned),
            date: date.map(str::to_owned),
            status: DocumentStatus::default(),
            publication: Publication::default(),
            locator: "costs.md".to_owned(),
            read_at: None,
        }
    }

    fn text(style: Style, reference: &Reference) -> String {
        let segments = entry(style, reference, None);
        segments.iter().map(Segment::text).collect()
    }

    #[test]
    fn bibliography_entries_by_style() {
        let full = reference(Some("Advice desk"), Some("2024-11-08"), "What it costs");
        let bare = reference(None, None, "What does it cost?");
        for (style, with, without) in [
            (
                Style::Apa,
                "Advice desk. (2024, November 8). What it costs. costs.md",
                "What does it cost? (n.d.). costs.md",
            ),
            (
                Style::Mla,
                "Advice desk. “What it costs.” 8 Nov. 2024, costs.md.",
                "“What does it cost?” n.d., costs.md.",
            ),
            (
                Style::Chicago,
                "Advice desk. 2024. “What it costs.” November 8. costs.md.",
                "“What does it cost?” n.d. costs.md.",
            ),
        ] {
            assert_eq!(text(style, &full), with);
            assert_eq!(text(style, &bare), without);
        }
    }

    #[test]
    fn persons_are_cited_by_family_name_in_apa() {
        for (author, label, entry) in [
            (
                "R. Okafor, M. Lindqvist",
                "(Okafor & Lindqvist, 2025)",
                "Okafor, R., & Lindqvist, M. (2025).",
            ),
            ("R. Okafor", "(Okafor, 2025)", "Okafor, R. (2025)."),
            (
                "A. Berg, B. Lind and C. Moe",
                "(Berg et al., 2025)",
                "Berg, A., Lind, B., & Moe, C. (2025).",
            ),
            ("World Bank", "(World Bank, 2025)", "World Bank. (2025)."),
        ] {
            let own = reference(Some(author), Some("2025"), "T");
            assert_eq!(labels(Style::Apa, &[&own])[0].text, label);
            let text = text(Style::Apa, &own);
            assert!(text.starts_with(entry), "{text}");
        }
    }

    #[test]
    fn every_style_begins_with_the_family_name_of_the_first_person() {
        for (author, labels_of, begins) in [
            (
                "Ann Lind",
                ["(Lind, 2025)", "(Lind)", "(Lind 2025)"],
                ["Lind, A. (2025).", "Lind, Ann. “T.”", "Lind, Ann. 2025."],
            ),
            (
                "Lind A, ter Moe J.",
                [
                    "(Lind & ter Moe, 2025)",
                    "(Lind and ter Moe)",
                    "(Lind and ter Moe 2025)",
                ],
                [
                    "Lind, A., & ter Moe, J. (2025).",
                    "Lind, A., and J. ter Moe. “T.”",
                    "Lind, A., and J. ter Moe. 2025.",
                ],
            ),
            (
                "Lind, Ann; Moe, Jo; Berg, Eva",
                [
                    "(Lind et al., 2025)",
                    "(Lind et al.)",
                    "(Lind, Moe, and Berg 2025)",
                ],
                [
                    "Lind, A., Moe, J., & Berg, E. (2025).",
                    "Lind, Ann, et al. “T.”",
                    "Lind, Ann, Jo Moe, and Eva Berg. 2025.",
                ],
            ),
            (
                "Ann Lind, Lift Board",
                ["(Lind, 2025)", "(Lind)", "(Lind 2025)"],
                [
                    "Lind, A. (2025). T. Lift Board. costs.md",
                    "Lind, Ann. “T.” Lift Board, 2025",
                    "Lind, Ann. 2025. “T.” Lift Board.",
                ],
            ),
        ] {
            let own = reference(Some(author), Some("2025"), "T");
            let styles = [Style::Apa, Style::Mla, Style::Chicago].into_iter();
            for (style, (label, begin)) in styles.zip(labels_of.into_iter().zip(begins)) {
                assert_eq!(labels(style, &[&own])[0].text, label);
                let text = text(style, &own);
                assert!(text.starts_with(begin), "{text}");
            }
        }
    }

    #[test]
    fn two_editions_of_a_title_are_told_apart_by_their_dates_in_mla() {
        let [old, new] =
            ["2019", "2025"].map(|year| reference(Some("Lift Board"), Some(year), "T"));
        let texts: Vec<_> = labels(Style::Mla, &[&old, &new])
            .into_iter()
            .map(|label| label.text)
            .collect();
        assert_eq!(
            texts,
            ["(Lift Board, “T”, 2019)", "(Lift Board, “T”, 2025)"]
        );
    }

    #[test]
    fn undated_pages_name_the_day_on_which_they_were_read() {
        let mut page = reference(None, None, "T");
        page.locator = "https://a.example/".to_owned();
        page.read_at = Some("2026-11-08T10:00:00Z".to_owned());
        for (style, entry) in [
            (
                Style::Apa,
                "T. (n.d.). Retrieved November 8, 2026, from https://a.example/",
            ),
            (
                Style::Mla,
                "“T.” n.d., https://a.example/. Accessed 8 Nov. 2026.",
            ),
            (
                Style::Chicago,
                "“T.” n.d. Accessed November 8, 2026. https://a.example/.",
            ),
        ] {
            assert_eq!(text(style, &page), entry);
        }
        page.date = Some("2024".to_owned());
        assert_eq!(text(Style::Apa, &page), "T. (2024). https://a.example/");
    }

    #[test]
    fn partial_and_unparsable_dates_by_style() {
        for (date, apa, mla) in [
            ("2024", "(2024).", " 2024,"),
            ("2024-05", "(2024, May).", " May 2024,"),
            ("2024-09-30", "(2024, September 30).", " 30 Sept. 2024,"),
            ("2024-13-01", "(2024).", " 2024,"),
            ("spring 2024", "(spring 2024).", " spring 2024,"),
            (
                "2024-11-08T10:00:00Z",
                "(2024, November 8).",
                " 8 Nov. 2024,",
            ),
            ("", "(n.d.).", " n.d.,"),
        ] {
            let dated = reference(Some("A"), Some(date), "T");
            assert!(text(Style::Apa, &dated).contains(apa), "{date}");
            assert!(text(Style::Mla, &dated).contains(mla), "{date}");
        }
    }

    #[test]
    fn short_title_ends_with_a_word_that_says_something() {
        for (title, short) in [
            (
                "Stock policy of the dispensary, 2025 edition",
                "Stock policy",
            ),
            ("Amendment No. 1 to contract 7", "Amendment No. 1"),
            ("What it is", "What it is"),
            ("What is it to be of use", "What is it to"),
        ] {
            assert_eq!(short_title(title), short);
        }
    }

    #[test]
    fn version_is_no_date() {
        for (text, is_date) in [
            ("2024", true),
            ("2024-05-01", true),
            ("3", false),
            ("v2", false),
        ] {
            assert_eq!(Date::is_date(text), is_date, "{text}");
        }
    }

    #[test]
    fn same_author_and_year_get_suffixes() {
        let one = reference(Some("A"), Some("2024"), "One");
        let two = reference(Some("A"), Some("2024-05"), "Two");
        let other = reference(None, None, "A long title of many words");
        let texts = |style| -> Vec<String> {
            let labels = labels(style, &[&one, &two, &other]);
            labels.into_iter().map(|label| label.text).collect()
        };
        assert_eq!(
            texts(Style::Apa),
            ["(A, 2024a)", "(A, 2024b)", "(“A long title”, n.d.)"]
        );
        assert_eq!(
            texts(Style::Mla),
            ["(A, “One”)", "(A, “Two”)", "(“A long title”)"]
        );
        assert_eq!(texts(Style::Chicago)[2], "(“A long title” n.d.)");
        assert_eq!(suffix_letters(0), "a");
        assert_eq!(suffix_letters(27), "ab");
    }

    fn printed(reference: &Reference) -> Vec<String> {
        let styles = [Style::Apa, Style::Mla, Style::Chicago].into_iter();
        let entries = styles.map(|style| entry(style, reference, None));
        entries
            .map(|own| own.iter().map(Segment::text).collect())
            .collect()
    }

    #[test]
    fn article_names_its_journal_in_every_style() {
        let some = |text: &str| Some(text.to_owned());
        let mut own = reference(None, Some("2024"), "Report on herring");
        own.locator = "herring.md".to_owned();
        own.publication = Publication {
            journal: some("Fisheries Research"),
            volume: some("274"),
            issue: some("3"),
            pages: some("106-118"),
            doi: some("10.1016/x"),
            ..Publication::default()
        };
        own.author = some("M. Lind");
        assert_eq!(container::Work::of(&own), container::Work::Article);
        assert_eq!(
            printed(&own),
            [
                "Lind, M. (2024). Report on herring. Fisheries Research, 274(3), 106–118. \
                 https://doi.org/10.1016/x herring.md",
                "Lind, M. “Report on herring.” Fisheries Research, vol. 274, no. 3, 2024, pp. \
                 106–118, https://doi.org/10.1016/x, herring.md.",
                "Lind, M. 2024. “Report on herring.” Fisheries Research 274 (3): 106–118. \
                 https://doi.org/10.1016/x. herring.md.",
            ]
        );
    }

    #[test]
    fn institution_is_the_author_or_else_the_publisher() {
        let mut own = reference(None, Some("2024"), "Report on herring");
        own.locator = "herring.md".to_owned();
        own.publication = Publication {
            institution: Some("Lift Board".to_owned()),
            ..Publication::default()
        };
        assert_eq!(container::Work::of(&own), container::Work::Report);
        assert_eq!(
            printed(&own),
            [
                "Lift Board. (2024). Report on herring. herring.md",
                "Lift Board. “Report on herring.” 2024, herring.md.",
                "Lift Board. 2024. “Report on herring.” herring.md.",
            ]
        );
        own.author = Some("M. Lind".to_owned());
        own.title = "Herring".to_owned();
        assert_eq!(container::Work::of(&own), container::Work::Other);
        assert_eq!(
            printed(&own),
            [
                "Lind, M. (2024). Herring. Lift Board. herring.md",
                "Lind, M. “Herring.” Lift Board, 2024, herring.md.",
                "Lind, M. 2024. “Herring.” Lift Board. herring.md.",
            ]
        );
    }
}
