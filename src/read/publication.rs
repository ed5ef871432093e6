//! Where a document was published: the journal with volume, issue and pages, the DOI, the publisher
//! and the institution, by its front matter, its labelled lines, "Journal: Heat", and lines near
//! its top such as "Fisheries Research 274 (2024) 106-118", in English and German.

use super::dates::{iso_date, month, written_date};
use super::document::Kind;
use super::metadata::{front_matter, front_value, labelled, top_value};
use super::plain::FOR_PRESS;
use crate::artifact::source::Publication;
use crate::text;

/// The kinds of documents whose labels are the columns of their records.
pub(super) const OF_RECORDS: &[&str] = &["csv", "feed", "json", "mbox", "ods", "xlsx"];

/// The lines with text at the top in which a journal, a DOI or an issuer may stand without a label.
/// Chosen by hand.
const TOP_LINES: usize = 15;

/// The longest such line and the longest value, in characters. Chosen by hand.
const LINE_CHARACTERS: usize = 300;
const VALUE_CHARACTERS: usize = 120;

/// The most words of the name of a journal, and of an issuer. Chosen by hand.
const NAME_WORDS: usize = 10;

/// The labels of the parts, folded, which are keys of front matter, too.
const JOURNAL: &[&str] = &["journal", "journal-title", "container-title", "zeitschrift"];
const VOLUME: &[&str] = &["volume", "vol", "vol.", "band", "jahrgang"];
const ISSUE: &[&str] = &["issue", "number", "no.", "heft", "nummer"];
const PAGES: &[&str] = &["pages", "pp.", "seiten"];
const DOI: &[&str] = &["doi"];
const PUBLISHER: &[&str] = &["publisher", "published by", "verlag"];
const INSTITUTION: &[&str] = &[
    "institution",
    "issuer",
    "issued by",
    "issuing organisation",
    "issuing organization",
    "herausgeber",
    "herausgegeben von",
    "ausgestellt von",
];

/// Labels before a journal with its volume, folded.
const IN_JOURNAL: &[&str] = &[
    "erschienen in",
    "in",
    "journal",
    "published in",
    "zeitschrift",
];

/// Small words in the names of journals.
pub(super) const SMALL_WORDS: &[&str] = &[
    "&", "and", "by", "de", "der", "des", "die", "for", "für", "im", "in", "of", "on", "the", "to",
    "und",
];

/// The publication of a document of a kind, by its clean text, and the year of its volume.
pub(super) fn of(kind: Kind, text: &str) -> (Publication, Option<String>) {
    if OF_RECORDS.contains(&kind.name) {
        return Default::default();
    }
    let front = front_matter(text).unwrap_or_default();
    let value = |labels: &[&str]| {
        let value = front_value(front, labels).or_else(|| top_value(text, labels).map(plain));
        value.filter(|value| is_value(value))
    };
    let labelled = value(JOURNAL).filter(|name| is_name(name));
    let cited = top_lines(text).find_map(|line| cited_journal(line, labelled.as_deref()));
    let number = |labels: &[&str]| value(labels).filter(|value| is_number(value));
    let in_header = || {
        labelled.clone().map(|journal| Publication {
            journal: Some(journal),
            volume: number(VOLUME),
            issue: number(ISSUE),
            pages: number(PAGES),
            ..Publication::default()
        })
    };
    // "Journal: Fisheries Research 274 (2024) 106-118" has its parts in one line.
    let (journal, year) = cited.unwrap_or_else(|| (in_header().unwrap_or_default(), None));
    let publication = Publication {
        doi: value(DOI)
            .and_then(|value| doi_in(&value))
            .or_else(|| doi(text)),
        publisher: value(PUBLISHER).and_then(|value| organisation(&value)),
        institution: value(INSTITUTION)
            .and_then(|value| organisation(&value))
            .or_else(|| issuer(text))
            .or_else(|| sender_to_press(text)),
        ..journal
    };
    (publication, year)
}

/// The first lines of a text with any, its headings aside.
pub(super) fn top_lines(text: &str) -> impl Iterator<Item = &str> + Clone {
    let body = front_matter(text).map_or(text, |front| {
        let fences = "---\n".len() * 2;
        text.get(front.len() + fences..).unwrap_or_default()
    });
    let lines = body.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.take(TOP_LINES)
}

/// A text without emphasis and in one line.
pub(super) fn plain(text: &str) -> String {
    text::one_line(&text.replace(['*', '_', '`'], ""))
}

fn is_value(value: &str) -> bool {
    let is_short = value.chars().count() <= VALUE_CHARACTERS;
    is_short && value.contains(char::is_alphanumeric)
}

/// `true` for the name of a journal: "Journal of Heat and Mass Transfer".
fn is_name(name: &str) -> bool {
    let words = || name.split(' ');
    let is_part = |word: &str| word.starts_with(char::is_uppercase) || SMALL_WORDS.contains(&word);
    words().count() <= NAME_WORDS
        && name.starts_with(char::is_uppercase)
        && words().all(is_part)
        && !name.ends_with('.')
}

/// `true` for a number, a range or an article number: "274", "106-118", "3/4", "e107".
fn is_number(value: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '–' | '/');
    value.chars().count() <= 16
        && value.contains(|c: char| c.is_ascii_digit())
        && value.chars().all(is_part)
}

/// The journal that a line names with its volume and its pages or its issue, and nothing else:
/// "Fisheries Research 274 (2024) 106-118", "Heat, Vol. 12, No. 3, pp. 1–9, 2024".
/// The authors may stand before a journal that a label names: "Lind A. Heat 2019;41(3):212-221."
fn cited_journal(line: &str, label: Option<&str>) -> Option<(Publication, Option<String>)> {
    let line = plain(text::truncate(line, LINE_CHARACTERS));
    let own = labelled(&line).filter(|(label, _)| IN_JOURNAL.contains(&&*text::fold(label)));
    let line = own.map_or(&*line, |(_, value)| value);
    let line = line.strip_prefix("Published in ").unwrap_or(line);
    let is_volume = |word: &str| {
        let word = text::fold(word.trim_end_matches('.'));
        matches!(&*word, "vol" | "volume" | "band" | "bd")
    };
    let words: Vec<&str> = line.split(' ').collect();
    let begins = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) || is_volume(word);
    let at = words.iter().position(begins).filter(|at| *at > 0)?;
    let name = words[..at].join(" ");
    let name = name.trim_end_matches([',', ';']);
    let behind = name.rsplit_once(". ").map(|(_, behind)| behind);
    let name = behind.filter(|own| Some(*own) == label).unwrap_or(name);
    // "Lind A. Pumps. Heat" is an entry on another document.
    if name.contains(". ") || !is_name(name) {
        return None;
    }
    let parts = words[at..].join(" ");
    let parts = &parts[..parts.find("http").unwrap_or(parts.len())];
    let parts = parts
        .replace(['(', ')', ',', ';', ':'], " ")
        .replace(['–', '—'], "-");
    let mut parts = parts
        .split_whitespace()
        .map(|part| part.trim_end_matches('.'));
    let mut volume = parts.next()?;
    let year = Some(volume).filter(|first| text::is_year(first));
    if is_volume(volume) || year.is_some() {
        volume = parts.next()?;
    }
    let parts: Vec<&str> = parts.chain(year).collect();
    volume_of(name, volume, &parts)
}

/// A journal with the parts behind the number of its volume, and the year; `None` if one of them
/// is none.
fn volume_of(name: &str, volume: &str, parts: &[&str]) -> Option<(Publication, Option<String>)> {
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_range = |part: &str| {
        let range = part.split_once('-');
        range.is_some_and(|(from, to)| !from.is_empty() && is_digits(from) && is_digits(to))
    };
    if !is_digits(volume) || text::is_year(volume) {
        return None;
    }
    let (mut issue, mut pages, mut year) = (None, None, None);
    for part in parts {
        let word = text::fold(part);
        match &*word {
            "no" | "nr" | "issue" | "heft" | "pp" | "p" | "s" | "pages" | "seiten" => {}
            _ if text::is_year(part) => year = Some((*part).to_owned()),
            _ if month(part).is_some() => {}
            // The number of an article has more digits than one of an issue.
            _ if is_range(part) || is_digits(part) && part.len() >= 5 => pages = Some(*part),
            _ if is_digits(part) && issue.is_none() => issue = Some(*part),
            _ => return None,
        }
    }
    let is_whole = pages.is_some() && (year.is_some() || issue.is_some());
    let publication = Publication {
        journal: Some(name.to_owned()),
        volume: Some(volume.to_owned()),
        issue: issue.map(str::to_owned),
        pages: pages.map(str::to_owned),
        ..Publication::default()
    };
    is_whole.then_some((publication, year))
}

/// The DOI in a line near the top that begins with it, or that names the journal before it.
fn doi(text: &str) -> Option<String> {
    top_lines(text).find_map(|line| {
        let line = plain(text::truncate(line, LINE_CHARACTERS));
        let begins = text::fold(line.trim_start_matches(['<', '[']));
        let is_own = [
            "doi:",
            "doi ",
            "https://doi.org/10.",
            "http://dx.doi.org/10.",
        ];
        let is_own = is_own.iter().any(|own| begins.starts_with(own));
        let is_of_journal = || {
            let at = line
                .find("http")
                .or_else(|| line.to_ascii_lowercase().find("doi"));
            at.is_some_and(|at| cited_journal(&line[..at], None).is_some())
        };
        (is_own || is_of_journal()).then(|| doi_in(&line)).flatten()
    })
}

/// The first DOI in a text: "10.", the digits of a registrant, a slash and a suffix (ISO 26324).
pub(super) fn doi_in(text: &str) -> Option<String> {
    let starts = text.match_indices("10.").map(|(at, _)| &text[at..]);
    starts.into_iter().find_map(|rest| {
        let end = |c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | ']');
        let doi = &rest[..rest.find(end).unwrap_or(rest.len())];
        let doi = doi.trim_end_matches(['.', ',', ';', ')']);
        let (registrant, suffix) = doi.get("10.".len()..)?.split_once('/')?;
        let is_registrant = (4..=9).contains(&registrant.len())
            && registrant.bytes().all(|byte| byte.is_ascii_digit());
        (is_registrant && !suffix.is_empty()).then(|| doi.to_owned())
    })
}

/// The name of an organisation at the start of a text, without the day behind it and without a
/// further sentence: "the Harbour Agency on 30 March 2026 to the Trust."
fn organisation(text: &str) -> Option<String> {
    let text = text.strip_prefix("the ").unwrap_or(text);
    let on = text.find(" on ").filter(|at| {
        let behind = &text[at + " on ".len()..];
        behind.contains(|c: char| c.is_ascii_digit())
    });
    let text = &text[..on.unwrap_or(text.len())];
    let is_dated = |part: &&str| part.contains(|c: char| c.is_ascii_digit());
    let parts = text.split(", ").take_while(|part| !is_dated(part));
    let name = parts.collect::<Vec<_>>().join(", ");
    // A full stop behind a short word, "e. V.", ends no sentence.
    let stops = name.match_indices(". ").map(|(at, _)| at);
    let is_end = |at: &usize| name[..*at].rsplit(' ').next().map_or(0, str::len) > 3;
    let end = stops.into_iter().find(is_end).unwrap_or(name.len());
    let name = name[..end].trim();
    let is_long = name.rsplit(' ').next().map_or(0, str::len) > "Ltd.".len();
    let name = if is_long {
        name.trim_end_matches('.')
    } else {
        name
    };
    let first = name.split(' ').next().unwrap_or_default();
    let is_initial = first.ends_with('.') && first.chars().count() == 2;
    let is_named = name.starts_with(char::is_uppercase) && !is_initial;
    (is_named && name.split(' ').count() <= NAME_WORDS).then(|| name.to_owned())
}

/// The issuer in a line near the top that says so: "Issued by the Agency on 30 March 2026."
fn issuer(text: &str) -> Option<String> {
    let begins = ["Issued by ", "Herausgegeben von ", "Ausgestellt von "];
    top_lines(text).find_map(|line| {
        let line = plain(text::truncate(line, LINE_CHARACTERS));
        let behind = begins.iter().find_map(|begin| line.strip_prefix(begin))?;
        organisation(behind).filter(|own| text::is_organisation(own) || behind.starts_with("the "))
    })
}

/// Who sends a press release: in its first line, "PRESS RELEASE - Nordring Energie GmbH", or in
/// the line below it, above the day.
fn sender_to_press(text: &str) -> Option<String> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = plain(text::truncate(lines.next()?, LINE_CHARACTERS));
    let first = first.trim_start_matches(['#', ' ']);
    let folded = text::fold(first);
    let kind = FOR_PRESS.iter().find(|kind| folded.starts_with(**kind))?;
    let marks = [' ', '-', '–', '—', ':', '|', '/'];
    let behind = first.get(kind.len()..)?;
    let name = behind.trim_start_matches(marks);
    if behind.starts_with(marks) && is_sender(name) {
        return organisation(name);
    }
    let [second, third] = [lines.next()?, lines.next()?];
    let is_dated = written_date(third).is_some() || iso_date(third).is_some();
    (is_dated && is_sender(second))
        .then(|| organisation(second))
        .flatten()
}

fn is_sender(line: &str) -> bool {
    is_value(line) && text::is_name_of_organisation(line) && !line.ends_with(['.', '!', '?'])
        || line.ends_with("e. V.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{markdown, records};

    fn of_text(text: &str) -> Publication {
        of(&markdown::KIND, text).0
    }

    /// Journal, volume, issue and pages in one line.
    fn in_line(own: &Publication) -> String {
        let parts = [&own.journal, &own.volume, &own.issue, &own.pages];
        let parts = parts.map(|part| part.as_deref().unwrap_or("-"));
        parts.join(" / ")
    }

    #[test]
    fn journal_is_named_by_front_matter_labels_or_a_line() {
        for (text, journal) in [
            (
                "---\njournal: \"Fisheries Research\"\nvolume: 274\nissue: 2\npages: 1-9\n---\nx\n",
                "Fisheries Research / 274 / 2 / 1-9",
            ),
            (
                "# Herring\n\n**Journal:** Fisheries Research\n**Volume:** 274\n",
                "Fisheries Research / 274 / - / -",
            ),
            (
                "# Herring\n\n*Fisheries Research* 274 (2024) 106–118\n",
                "Fisheries Research / 274 / - / 106-118",
            ),
            (
                "Herring\n\nPublished in: Journal of Heat, Vol. 12, No. 3, pp. 1-9, May 2024.\n",
                "Journal of Heat / 12 / 3 / 1-9",
            ),
            (
                "Herring\nHeat 12(3): 10455 (2024), https://doi.org/10.1016/x.1\n",
                "Heat / 12 / 3 / 10455",
            ),
            (
                "---\njournal: Heat Reviews\n---\nLind A. Heat Reviews 2019;41(3):212-221.\n",
                "Heat Reviews / 41 / 3 / 212-221",
            ),
            (
                "# T\n\nLind A. Pumps. Heat 2019;41(3):2-9.\n",
                "- / - / - / -",
            ),
            (
                "# Report\n\nVolume: 2,000 litres\nIssue: it leaks\n",
                "- / - / - / -",
            ),
            ("# Rules\n\nHarbour Road 12 is closed.\n", "- / - / - / -"),
            ("# Rules\n\nSection 12 (2024) of the act\n", "- / - / - / -"),
            ("# Diary\n\nJournal: what I did today.\n", "- / - / - / -"),
        ] {
            assert_eq!(in_line(&of_text(text)), journal, "{text}");
        }
        let line = "# Herring\n\nFisheries Research 274 (2024) 106-118\n";
        assert_eq!(of(&markdown::KIND, line).1.as_deref(), Some("2024"));
        let records = "Journal: Heat\nDOI: 10.1016/x\n";
        assert!(of(&records::csv::KIND, records).0.is_empty());
    }

    #[test]
    fn doi_is_that_of_the_document_and_of_no_other() {
        for (text, doi) in [
            (
                "# T\n\ndoi:10.1016/j.fishres.2024.106.\n",
                Some("10.1016/j.fishres.2024.106"),
            ),
            ("# T\n\n<https://doi.org/10.1016/x>\n", Some("10.1016/x")),
            (
                "# T\n\n**DOI:** https://doi.org/10.1016/x\n",
                Some("10.1016/x"),
            ),
            ("---\ndoi: 10.1016/x\n---\n", Some("10.1016/x")),
            (
                "T\nHeat 12 (2024) 1-9. https://doi.org/10.1016/x\n",
                Some("10.1016/x"),
            ),
            ("# T\n\nSee the study (https://doi.org/10.1016/x).\n", None),
            ("# T\n\ndoi: 10.\n", None),
        ] {
            assert_eq!(of_text(text).doi.as_deref(), doi, "{text}");
        }
    }

    #[test]
    fn issuer_is_named_by_a_label_a_sentence_or_a_press_release() {
        for (text, institution) in [
            (
                "PRESS RELEASE - Nordring Energie GmbH\nKehrfeld, 2 February 2023\n",
                Some("Nordring Energie GmbH"),
            ),
            (
                "PRESS RELEASE - for immediate release\nWESTERN FISHERS' ASSOCIATION\nLorvik, 10 \
                 October 2024\n",
                Some("WESTERN FISHERS' ASSOCIATION"),
            ),
            (
                "PRESSEMITTEILUNG\nBürgerinitiative \"Gute Luft e. V.\"\n28. Juni 2023\n",
                Some("Bürgerinitiative \"Gute Luft e. V.\""),
            ),
            (
                "PRESS RELEASE\nNew school is open\nLorvik, 10 October 2024\n",
                None,
            ),
            (
                "# Permit\n\nIssued by the Agency on 30 March 2026 to the Trust.\n",
                Some("Agency"),
            ),
            (
                "# Order\n\nIssued by: Harbour Office, 3 May 2024\n",
                Some("Harbour Office"),
            ),
            ("# Order\n\nIssued by: J. Hensel\n", None),
            ("# Order\n\nIssued by mistake on 3 May 2024.\n", None),
            ("---\ninstitution: Lift Board\n---\n", Some("Lift Board")),
        ] {
            assert_eq!(of_text(text).institution.as_deref(), institution, "{text}");
        }
        let publisher = of_text("# T\n\nPublisher: Heat Press Ltd.\n").publisher;
        assert_eq!(publisher.as_deref(), Some("Heat Press Ltd."));
    }
}
