//! Metadata of text documents: front matter (YAML `---` or TOML `+++`), labelled lines at the top
//! such as `Date: 2014-03-20`, ISO 8601 dates, language tags, and titles from file names.
//!
//! Front matter is read leniently and not as YAML: `key: value` lines and simple lists are enough
//! for titles, authors and dates, and people write what a YAML parser refuses.

use std::path::Path;

use super::byline;
use super::dates::{month, plain_dates, written_date};
use super::document::Document;

/// The number of lines at the top of a text that are searched for labels such as `Date:`; chosen by
/// hand, for the headers of RFCs and proposals.
pub(super) const TOP_LINES: usize = 40;

/// The front matter: the lines between `---` or `+++` at the top of a text; none without both.
pub fn front_matter(text: &str) -> Option<&str> {
    let fence = ["---\n", "+++\n"]
        .into_iter()
        .find(|fence| text.starts_with(fence))?;
    let rest = &text[fence.len()..];
    // A first line of `---` without a second one is a thematic break, and no front matter.
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        // `...` ends a document in YAML, too.
        if line.trim_end() == fence.trim_end() || line.trim_end() == "..." {
            return Some(&rest[..length]);
        }
        length += line.len();
    }
    None
}

/// The value of the first of some keys in front matter: of `key: value`, `key = "value"`, a list,
/// joined by commas, by semicolons where an item has a comma, or the indented lines after `key: >`,
/// joined by spaces.
pub fn front_value(front: &str, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| {
        let mut lines = front
            .lines()
            .skip_while(|line| value_of(line, key).is_none());
        let value = value_of(lines.next()?, key)?;
        if matches!(value, ">" | ">-" | ">+" | "|" | "|-" | "|+") {
            // A block scalar of YAML: the indented lines after it are the value.
            let block = lines.take_while(|line| line.trim().is_empty() || indentation(line) > 0);
            let words: Vec<&str> = block.flat_map(str::split_whitespace).collect();
            return (!words.is_empty()).then(|| words.join(" "));
        }
        let list = value
            .strip_prefix('[')
            .and_then(|list| list.strip_suffix(']'));
        match list {
            Some(list) => joined(list_items(list)),
            // Nothing after the key: the value is the list in the lines below.
            None if value.is_empty() => joined(items(lines)),
            None => joined([value].into_iter()),
        }
    })
}

/// The items of a YAML flow list, between the commas that stand in no quotes.
fn list_items(list: &str) -> impl Iterator<Item = &str> {
    let mut quote = None;
    list.split(move |c: char| {
        match quote {
            Some(open) if open == c => quote = None,
            None if c == '"' => quote = Some(c),
            _ => {}
        }
        c == ',' && quote.is_none()
    })
}

/// The items of a YAML block list; of an item that is a mapping, its name. Lines that are indented
/// deeper are further keys of an item.
fn items<'a>(lines: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    let mut depth = None;
    lines
        .map_while(move |line| {
            let own = indentation(line);
            let depth = *depth.get_or_insert(own);
            let item = line.trim_start().strip_prefix("- ");
            // A line that is no item ends the list, unless it belongs to the item above.
            match item.filter(|_| own == depth) {
                None if own <= depth => None,
                item => Some(item),
            }
        })
        .flatten()
        .map(|item| item.strip_prefix("name:").unwrap_or(item))
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn value_of<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let (name, value) = line.split_once([':', '='])?;
    name.trim().eq_ignore_ascii_case(key).then(|| value.trim())
}

fn joined<'a>(values: impl Iterator<Item = &'a str>) -> Option<String> {
    let values: Vec<&str> = values
        .map(unquoted)
        .filter(|value| !value.is_empty())
        .collect();
    // "Lind, Ann" is one item of a list.
    let has_comma = values.len() > 1 && values.iter().any(|value| value.contains(','));
    let mark = if has_comma { "; " } else { ", " };
    (!values.is_empty()).then(|| values.join(mark))
}

fn unquoted(value: &str) -> &str {
    value.trim().trim_matches(['"', '\'']).trim()
}

/// The value of a line such as `- Feature Name: x`, `**Author:** y` or `:Date: z` near the top of a
/// text.
pub fn top_value<'a>(text: &'a str, labels: &[&str]) -> Option<&'a str> {
    text.lines()
        .take(TOP_LINES)
        .flat_map(fields)
        .find_map(|(label, value)| {
            let is_label = labels.iter().any(|one| label.eq_ignore_ascii_case(one));
            (is_label && !value.is_empty()).then_some(value)
        })
}

/// The author that a line near the top of a text names, without a sentence behind the name:
/// "Author: Noor Haddad. This edition replaces the first."
pub fn top_author(text: &str) -> Option<&str> {
    let value = top_value(text, &["author", "authors"])?;
    // A full stop at the end of the text or before a space, but for that of an initial, which ends
    // no sentence.
    let is_end = |at: &usize| {
        let word = value[..*at].rsplit([' ', '.']).next().unwrap_or_default();
        let behind = &value[at + 1..];
        let is_last = behind.is_empty() || behind.starts_with(' ');
        is_last && word.chars().count() >= NAME_CHARACTERS
    };
    let mut stops = value.match_indices('.').map(|(at, _)| at);
    let end = stops.find(is_end).unwrap_or(value.len());
    Some(&value[..end])
}

/// The least length of the last word of a name, which is no initial and no "Jr.".
const NAME_CHARACTERS: usize = 3;

/// The words before "date" in labels of the days of something else than the document.
const OTHER_DATES: &[&str] = &[
    "neues",
    "nächstes",
    "closing",
    "delivery",
    "due",
    "end",
    "expiration",
    "expiry",
    "new",
    "next",
    "old",
];

/// The date in a line near the top whose label ends in the word date, published, created or posted;
/// else that of the last change.
pub fn top_date(text: &str) -> Option<String> {
    let date = |words: &[&str]| {
        // A line of a hostile text may have any number of fields: they are not collected.
        let mut fields = text.lines().take(TOP_LINES).flat_map(fields);
        fields.find_map(|(label, value)| {
            let mut own = label.rsplit([' ', '-', '_']);
            let [last, before] = [own.next(), own.next()].map(Option::unwrap_or_default);
            let is_date = words.contains(&crate::text::fold(last).as_str());
            let is_of_other = OTHER_DATES
                .iter()
                .any(|own| before.eq_ignore_ascii_case(own));
            written_date(value).filter(|_| is_date && !is_of_other)
        })
    };
    date(&[
        "date",
        "dated",
        "published",
        "created",
        "posted",
        "datum",
        "erstellt",
        "veroffentlicht",
    ])
    .or_else(|| date(LAST_CHANGES))
    .or_else(|| state_of(text))
    .or_else(|| {
        // The day from which it applies is not that on which it was made.
        let applies = date(&["effective"])?;
        Some(byline::day_of_issue(text).unwrap_or(applies))
    })
}

/// Labels of the day of the last change, folded.
const LAST_CHANGES: &[&str] = &[
    "modified",
    "updated",
    "revised",
    "edited",
    "aktualisiert",
    "geandert",
    "uberarbeitet",
];

/// The date behind the German label "Stand", which is another word in English: a month at least,
/// and nothing before it.
fn state_of(text: &str) -> Option<String> {
    let value = top_value(text, &["stand"])?;
    let first = value.split([' ', '.']).next().unwrap_or_default();
    let begins = first.bytes().all(|byte| byte.is_ascii_digit()) || month(first).is_some();
    written_date(value).filter(|date| begins && date.len() >= "2023-07".len())
}

/// A document with the author and the day that lines near the top of its text state, where it has
/// none that it declares.
pub(super) fn with_top_lines(mut document: Document) -> Document {
    let text = &document.text;
    document.author = document
        .author
        .or_else(|| top_author(text).map(str::to_owned));
    document.date = document.date.or_else(|| top_date(text));
    document
}

/// [`with_top_lines`] for formats whose properties a word processor fills in by itself, with the
/// user of the computer and the day of the last save: what the text states is stronger.
pub(super) fn with_top_lines_first(mut document: Document) -> Document {
    let text = &document.text;
    let author = top_author(text).map(str::to_owned);
    document.author = author.or(document.author);
    document.date = top_date(text).or(document.date);
    document
}

/// Words with which a line on the edition of a document begins: "Edition 4, in force from 1 March
/// 2025. Replaces Edition 3."; a closed list, written by hand.
const EDITION_WORDS: &[&str] = &[
    "auflage", "ausgabe", "edition", "fassung", "issue", "revision", "version",
];
const IMPRINT_WORDS: &[&str] = &[
    "adopted",
    "agreed",
    "approved",
    "effective",
    "issued",
    "published",
    "revised",
    "updated",
    "valid",
];

/// `true` for a word in lower case for an edition of a document: "version".
pub(super) fn is_word_for_edition(word: &str) -> bool {
    EDITION_WORDS.contains(&word)
}

/// The number of lines with text, titles aside, among which that line is: behind the name of an
/// organisation. Chosen by hand.
const IMPRINT_LINES: usize = 3;

/// The maximum length of such a line, in words; chosen by hand.
const IMPRINT_LENGTH: usize = 30;

/// `true` for a line that says of which edition or of which day a document is, and not more.
pub(super) fn is_imprint(line: &str) -> bool {
    let mut words = crate::text::words(line).map(|word| word.text.to_lowercase());
    let first = words.next().unwrap_or_default();
    let has_number = line.contains(|c: char| c.is_ascii_digit());
    let begins = [EDITION_WORDS, IMPRINT_WORDS].concat();
    begins.contains(&first.as_str()) && has_number && words.count() < IMPRINT_LENGTH
}

/// The first line on the edition or the day of a document near its top, or what ends that line.
fn imprint(text: &str) -> Option<&str> {
    let lines = text.lines().take(TOP_LINES).map(str::trim);
    let paragraphs = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first: Vec<&str> = paragraphs.take(IMPRINT_LINES).collect();
    let line = first.first()?;
    let last = || line.rsplit_once(". ").map(|(_, last)| last.trim());
    let of_first = last().filter(|last| is_bare_imprint(last));
    let mut imprints = first.iter().copied().filter(|line| is_imprint(line));
    of_first.or_else(|| imprints.next())
}

/// `true` for an edition with its day or month and nothing else: "Version 4, October 2025".
fn is_bare_imprint(sentence: &str) -> bool {
    let words: Vec<String> = crate::text::words(sentence)
        .map(|word| word.text.to_lowercase())
        .collect();
    let [edition, number, date @ ..] = words.as_slice() else {
        return false;
    };
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    EDITION_WORDS.contains(&edition.as_str())
        && is_number(number)
        && !date.is_empty()
        && date
            .iter()
            .all(|word| word == "of" || is_number(word) || month(word).is_some())
}

/// The day or the month in that line: "Edition 3, May 2022" is of no third of May.
pub(super) fn imprint_date(text: &str) -> Option<String> {
    let imprint = plain_dates(imprint(text)?);
    let parts = imprint.split([',', ';', '.', '(']);
    let is_until = |part: &str| {
        let part = part.to_lowercase();
        ["until ", "bis "].iter().any(|word| part.contains(word))
    };
    let mut dates = parts.filter_map(|part| {
        let date = written_date(part).filter(|_| !is_until(part))?;
        Some((part, date))
    });
    let (first, date) = dates.next()?;
    // The day on which it was adopted may stand behind the one from which it applies, or below.
    // "Replaces Edition 3 (2022)" has the year of another one.
    let is_made = |part: &str| {
        let mut words = crate::text::words(part).map(|word| crate::text::fold(word.text));
        !byline::is_on_force(part) && words.any(|word| IMPRINT_WORDS.contains(&word.as_str()))
    };
    let mut made = || dates.find(|(part, _)| is_made(part)).map(|own| own.1);
    let made = byline::is_on_force(first).then(|| made().or_else(|| byline::day_of_issue(text)));
    Some(made.flatten().unwrap_or(date))
}

/// The edition in that line: "Edition 4".
pub(super) fn edition(text: &str) -> Option<&str> {
    let first = imprint(text)?.split([',', ';', '(']).next()?;
    let first = first.split(". ").next()?.trim_end_matches('.').trim();
    let word = first.split(' ').next()?.to_lowercase();
    let is_edition = EDITION_WORDS.contains(&word.as_str());
    let is_numbered = first.split(' ').count() == 2;
    (is_edition && is_numbered).then_some(first)
}

/// The labels that may follow another field in the same line, in lower case.
const FURTHER_LABELS: &[&str] = &[
    "author",
    "authors",
    "created",
    "date",
    "edited",
    "modified",
    "posted",
    "published",
    "revised",
    "status",
    "updated",
    "version",
    "datum",
    "stand",
];

/// The labels and values of a line: of one field, or of several, as in `Author: Ann B. Date: 2024.`
fn fields(line: &str) -> impl Iterator<Item = (&str, &str)> {
    // Most lines have no label.
    let mut rest = line.contains(':').then_some(line);
    let parts = std::iter::from_fn(move || {
        let line = rest?;
        let next = further_field(line);
        rest = next.map(|(_, start)| &line[start..]);
        let own = next.map_or(line, |(end, _)| &line[..end]);
        Some(own)
    });
    parts.filter_map(labelled)
}

/// The end of the first field of a line and the start of the next, if there is another one: at a
/// label after punctuation.
fn further_field(line: &str) -> Option<(usize, usize)> {
    let marks = [". ", "; ", ", ", " | ", " · ", " — ", " - "];
    let mut colons = line.match_indices(':').map(|(at, _)| at);
    colons.find_map(|colon| {
        let before = line[..colon].trim_end_matches(['*', '_']);
        let start = before.trim_end_matches(char::is_alphabetic).len();
        let is_label = FURTHER_LABELS
            .iter()
            .any(|label| before[start..].eq_ignore_ascii_case(label));
        let ahead = before[..start].trim_end_matches(['*', '_']);
        let end = marks.iter().find_map(|mark| ahead.strip_suffix(mark))?;
        (is_label && end.contains(':')).then_some((end.len(), ahead.len()))
    })
}

/// The label and the value of a line, without list markers and emphasis around them.
pub(super) fn labelled(line: &str) -> Option<(&str, &str)> {
    let (label, value) = line
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .split_once(':')?;
    let marks = ['*', '_', '`', '"', ' '];
    Some((
        label.trim_end_matches(marks),
        value.trim().trim_matches(marks),
    ))
}

/// The ISO 639 code of a language tag (BCP 47) such as `en`, `de-CH` or `pt_BR`.
pub fn language_code(tag: &str) -> Option<String> {
    let code = tag.trim().split(['-', '_']).next().unwrap_or_default();
    // The primary subtag (RFC 5646) is an ISO 639 code of two or three letters.
    let valid = (2..=3).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_alphabetic());
    valid.then(|| code.to_ascii_lowercase())
}

/// `false` for a date years before one that the title names: it is that of a template, from which
/// the document was made.
pub fn fits_title(date: &str, title: &str) -> bool {
    let year = |text: &str| {
        text.parse::<u16>()
            .ok()
            .filter(|year| (1900..2100).contains(year))
    };
    let words = title.split(|c: char| !c.is_alphanumeric());
    let latest = words.filter(|word| word.len() == 4).filter_map(year).max();
    let own = date.get(..4).and_then(year);
    // A plan for a year is made in the one before.
    own.zip(latest)
        .is_none_or(|(own, latest)| own + 1 >= latest)
}

/// Words of the titles of what appears every month or quarter; a closed list, written by hand.
const PERIODICALS: &[&str] = &[
    "bulletin",
    "circular",
    "digest",
    "gazette",
    "magazine",
    "minutes",
    "news",
    "newsletter",
    "amtsblatt",
    "mitteilungsblatt",
    "niederschrift",
    "protokoll",
    "rundbrief",
];

/// Documents that are about another one, whose day their titles give: "Amendment No. 2 to the
/// contract of 3 June 2024"; a closed list, written by hand.
const ABOUT_ANOTHER: &[&str] = &[
    "addendum",
    "anderung",
    "antwort",
    "berichtigung",
    "erganzung",
    "kundigung",
    "nachtrag",
    "stellungnahme",
    "widerspruch",
    "amendment",
    "annex",
    "appendix",
    "correction",
    "corrigendum",
    "erratum",
    "extension",
    "objection",
    "reply",
    "response",
    "supplement",
    "termination",
];

/// `true` for a title of a document about another one, which it names behind "to" or "of".
fn is_about_another(title: &str) -> bool {
    let mut words = crate::text::words(title).map(|word| crate::text::fold(word.text));
    words.any(|word| ABOUT_ANOTHER.contains(&word.as_str()))
        && words.any(|word| matches!(word.as_str(), "to" | "of" | "zu" | "zum" | "zur" | "vom"))
}

/// The day in the title of minutes, a letter or a note, "Minutes, 4 March 2026", or the month in
/// that of a periodical or an edition, "Newsletter, June 2026", "rev. 7, June 2026". A year or a
/// month alone is mostly what any other document is about.
pub fn date_of_title(title: &str) -> Option<String> {
    let mut words = title.split(|c: char| !c.is_alphanumeric());
    let has_month = words.any(|word| {
        let word = word.to_lowercase();
        let word = word.as_str();
        PERIODICALS.contains(&word) || EDITION_WORDS.contains(&word) || word == "rev"
    });
    let least = if has_month {
        "2026-03".len()
    } else {
        "2026-03-04".len()
    };
    written_date(title).filter(|date| date.len() >= least && !is_about_another(title))
}

/// A file's name as a title: without extension and leading number, words apart, a capital in front.
pub fn name_as_title(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    readable(&stem)
}

/// A name such as `0042-private_fields` as words: `Private fields`.
pub fn readable(name: &str) -> String {
    let words: Vec<&str> = name
        .split(|c: char| c.is_whitespace() || matches!(c, '-' | '_'))
        .filter(|word| !word.is_empty())
        .collect();
    let numbers = words
        .iter()
        .take_while(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
        .count();
    // Leading numbers put files into order; a name of numbers alone keeps them.
    let words = if numbers < words.len() {
        &words[numbers..]
    } else {
        &words[..]
    };
    let title = words.join(" ");
    let mut characters = title.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => "Untitled".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_has_values_and_lists() {
        let text = "---\ntitle: \"On: heat\"\nauthors:\n  - name: Ann B\n  - 'C. D'\nkeywords: [a, \
            b]\ndate: 2020-01-02T03:04\n---\nbody\n";
        let front = front_matter(text).unwrap();
        assert_eq!(front_value(front, &["title"]).as_deref(), Some("On: heat"));
        assert_eq!(
            front_value(front, &["author", "authors"]).as_deref(),
            Some("Ann B, C. D")
        );
        assert_eq!(front_value(front, &["keywords"]).as_deref(), Some("a, b"));
        for front in [
            "authors: [\"Lind, Ann\", \"ter Moe, Jo\"]\n",
            "authors:\n  - Lind, Ann\n  - \"ter Moe, Jo\"\n",
        ] {
            let authors = front_value(front, &["authors"]);
            assert_eq!(authors.as_deref(), Some("Lind, Ann; ter Moe, Jo"));
        }
        assert_eq!(front_value(front, &["missing"]), None);
        assert_eq!(front_matter("---\nnever closed\n"), None);
        assert_eq!(front_matter("text\n---\n"), None);
        assert_eq!(
            front_value("title = 'T'\n", &["title"]).as_deref(),
            Some("T")
        );
    }

    #[test]
    fn front_matter_is_read_leniently() {
        for (front, value) in [
            (
                "title: >-\n  On heat\n\n  and  cold\nauthor: x\n",
                "On heat and cold",
            ),
            ("title: |\n\tOn heat\n", "On heat"),
            ("title: 1,000 ways\n", "1,000 ways"),
            ("title: [Draft] On heat\n", "[Draft] On heat"),
            ("title: [Draft]\n", "Draft"),
            ("title: \"Heat, cold\"\n", "Heat, cold"),
            (
                "title:\n  - name: Ann B\n    email: x\n    at:\n      - y\n  - name: C. \
                 D\n    email: z\ndate: 2020\n",
                "Ann B, C. D",
            ),
            ("title:\n- a\n- b\nkeywords:\n- c\n", "a, b"),
        ] {
            assert_eq!(
                front_value(front, &["title"]).as_deref(),
                Some(value),
                "{front}"
            );
        }
        for front in ["title: >\nauthor: x\n", "title:\nauthor:\n  - x\n"] {
            assert_eq!(front_value(front, &["title"]), None, "{front}");
        }
    }

    #[test]
    fn labels_tell_the_day_of_the_document() {
        assert_eq!(
            top_date("# T\n- Start Date: 2014-03-20\n").as_deref(),
            Some("2014-03-20")
        );
        assert_eq!(
            top_date("**Date:** 2014-03-20\n").as_deref(),
            Some("2014-03-20")
        );
        assert_eq!(
            top_date("AMENDMENT\n\nA Ltd and B Ltd\nDated: 12 February 2026\n").as_deref(),
            Some("2026-02-12")
        );
        assert_eq!(
            top_date("Last-Modified: 2020-01-02\nCreated: 2014-03-20\n").as_deref(),
            Some("2014-03-20")
        );
        assert_eq!(
            top_date("Last-Modified: 2020-01-02\n").as_deref(),
            Some("2020-01-02")
        );
        assert_eq!(top_date("Candidate: 2014-03-20 x\nto date\n"), None);
        let applies = "Effective: 1 July 2024\nAdopted by the board on 4 June 2024.\n";
        assert_eq!(top_date(applies).as_deref(), Some("2024-06-04"));
        let applies = "Effective: 1 July 2024\nPlant room.\n";
        assert_eq!(top_date(applies).as_deref(), Some("2024-07-01"));
        assert_eq!(
            top_date("It did not start. New date: 1 September 2026.\n"),
            None
        );
    }

    #[test]
    fn the_line_below_a_title_has_edition_and_date() {
        for (line, date, own) in [
            ("Edition 3, May 2022.", Some("2022-05"), Some("Edition 3")),
            (
                "Edition 4, in force from 1 March 2025. Replaces Edition 3 (2022).",
                Some("2025-03-01"),
                Some("Edition 4"),
            ),
            ("Adopted on 4 June 2024.", Some("2024-06-04"), None),
            (
                "Edition 4, in force from 1 July 2024, adopted on 4 June 2024.",
                Some("2024-06-04"),
                Some("Edition 4"),
            ),
            (
                "Plant room. Only for trained staff. Version 4, October 2025",
                Some("2025-10"),
                Some("Version 4"),
            ),
            ("It is new. Version 2 came in May 2024.", None, None),
            ("Version 2 of the pump needs 3 kW.", None, None),
            ("The edition of 2024 is out.", None, None),
        ] {
            let text = format!("# Rules\n\n{line}\n");
            assert_eq!(imprint_date(&text).as_deref(), date, "{line}");
            assert_eq!(edition(&text), own, "{line}");
        }
    }

    #[test]
    fn minutes_and_newsletters_are_dated_by_their_titles() {
        for (title, date) in [
            ("Minutes, 4 March 2026", Some("2026-03-04")),
            ("Bericht vom 3. Juli 2023", Some("2023-07-03")),
            ("Berichtigung zum Bericht vom 3. Juli 2023", None),
            ("Board meeting of May 8, 2026", Some("2026-05-08")),
            ("The Ferry: newsletter, June 2026", Some("2026-06")),
            ("AMENDMENT No. 2 TO THE CONTRACT OF 3 JUNE 2024", None),
            ("Reply to the letter of 4 March 2026", None),
            ("Extension, 4 March 2026", Some("2026-03-04")),
            ("Newsletters in 2026", None),
            ("Data sheet E12 (rev. 7, January 2025)", Some("2025-01")),
            ("Data sheet E12, 31, January 2025", None),
            ("Water quality in March 2026", None),
            ("What may change in 2026", None),
        ] {
            assert_eq!(date_of_title(title).as_deref(), date, "{title}");
        }
    }

    #[test]
    fn labelled_lines_near_the_top_are_read() {
        assert_eq!(
            top_value("- Feature Name: `a_b`\n", &["feature name"]),
            Some("a_b")
        );
        assert_eq!(top_value("**Author:** Ann\n", &["author"]), Some("Ann"));
        assert_eq!(top_value("Author: Ann B.\n", &["author"]), Some("Ann B."));
        for (line, author) in [
            ("Author: Ann B.", "Ann B."),
            ("Author: Ann B. Smith", "Ann B. Smith"),
            ("Date: 4 March 2024. Author: Ann Smith.", "Ann Smith"),
            (
                "Author: Ann Smith. This edition replaces the first.",
                "Ann Smith",
            ),
        ] {
            assert_eq!(top_author(line), Some(author), "{line}");
        }
    }

    #[test]
    fn german_labels_give_the_date() {
        for (text, date) in [
            (
                "T\n\n**Datum:** 14. März 2023, 18:00 Uhr\n",
                Some("2023-03-14"),
            ),
            ("T\n\nStand: 3. Juli 2023\n", Some("2023-07-03")),
            ("T\n\nStand: Juli 2023\n", Some("2023-07")),
            ("T\n\nZuletzt geändert: 3.7.2023\n", Some("2023-07-03")),
            ("T\n\nStand: aluminium, May 2020\n", None),
        ] {
            assert_eq!(top_date(text).as_deref(), date, "{text}");
        }
    }

    #[test]
    fn author_and_date_in_one_line_are_two_fields() {
        for line in [
            "Author: Ann Smith. Date: 2024-03-11.",
            "*Author:* Ann Smith | *Date:* 2024-03-11",
            "Date: 2024-03-11; author: Ann Smith",
            "Status: final - **Author**: Ann Smith - Published: 2024-03-11",
        ] {
            assert_eq!(top_value(line, &["author"]), Some("Ann Smith"), "{line}");
            assert_eq!(top_date(line).as_deref(), Some("2024-03-11"), "{line}");
        }
        let title = "Title: A date: how to keep it";
        assert_eq!(top_value(title, &["title"]), Some("A date: how to keep it"));
        assert_eq!(top_value("- Feature Name:\n", &["feature name"]), None);
    }

    #[test]
    fn file_names_become_titles() {
        assert_eq!(
            name_as_title(Path::new("/x/0042-private_fields.md")),
            "Private fields"
        );
        assert_eq!(name_as_title(Path::new("2014-03-20.md")), "2014 03 20");
        assert_eq!(name_as_title(Path::new("---.md")), "Untitled");
        assert_eq!(name_as_title(Path::new("测试.md")), "测试");
    }
}
