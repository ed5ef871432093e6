//! The line below a title in which an article cites itself, in the form of medicine: "Lind A, Moe
//! KL. Annals of Heat 2017;12(1):33-40. doi:10.1016/x".

use super::document::Kind;
use super::publication::{OF_RECORDS, SMALL_WORDS, plain, top_lines};
use crate::artifact::source::Publication;
use crate::text;

/// The lines with text at the top among which it is. Chosen by hand.
const LINES: usize = 3;

/// The longest such line, in characters. Chosen by hand.
const LINE_CHARACTERS: usize = 600;

/// The most words of a family name and of the name of a journal. Chosen by hand.
const FAMILY_WORDS: usize = 4;
const JOURNAL_WORDS: usize = 10;

/// The most letters of the initials of a person.
const INITIALS: usize = 3;

/// What an article says of itself in that line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ReferenceLine {
    /// Family names and initials, as written: "Lind A, Moe KL".
    pub(super) authors: Option<String>,
    /// The journal with volume, issue and pages, and the DOI.
    pub(super) publication: Publication,
    pub(super) year: Option<String>,
}

/// The line near the top of a text of a kind in which it cites itself.
pub(super) fn of(kind: Kind, text: &str) -> Option<ReferenceLine> {
    if OF_RECORDS.contains(&kind.name) {
        return None;
    }
    let mut lines = top_lines(text).take(LINES);
    lines.find_map(|line| of_line(&plain(text::truncate(line, LINE_CHARACTERS))))
}

/// Authors, then a journal, then a DOI; of the first two one is enough.
fn of_line(line: &str) -> Option<ReferenceLine> {
    let (authors, rest) = match authors(line) {
        Some((authors, rest)) => (Some(authors), rest),
        None => (None, line),
    };
    let cited = journal(rest);
    // "Vitamin D. It is …" begins with no author.
    let is_list = authors.is_some_and(|own| own.contains(','));
    if cited.is_none() && !is_list {
        return None;
    }
    let (mut own, rest) = match cited {
        Some((own, rest)) => (own, rest),
        None => (ReferenceLine::default(), rest),
    };
    let begins_with_doi = |part: &&str| {
        let part = part.to_ascii_lowercase();
        ["doi:", "doi ", "https://doi.org/10."]
            .iter()
            .any(|begin| part.starts_with(begin))
    };
    let mut parts = rest
        .split(". ")
        .map(|part| part.trim_start_matches(['.', ' ']));
    own.publication.doi = parts
        .find(begins_with_doi)
        .and_then(super::publication::doi_in);
    own.authors = authors.map(str::to_owned);
    Some(own)
}

/// The list of family names with initials with which a line begins, without its full stop, and what
/// is behind it.
fn authors(line: &str) -> Option<(&str, &str)> {
    // "Lind A., Moe K. L.": the list ends at the last full stop before no further name.
    let stops = line.match_indices(". ").map(|(at, _)| at);
    let ends = stops.chain(std::iter::once(line.trim_end_matches('.').len()));
    let is_list = |at: &usize| {
        let list = line[..*at].replace('.', "");
        !list.is_empty() && list.split(", ").all(is_name)
    };
    let end = ends.filter(is_list).last()?;
    let rest = line[end..].trim_start_matches(['.', ' ']);
    Some((&line[..end], rest))
}

/// `true` for a family name with initials: "van der Berg JP".
fn is_name(name: &str) -> bool {
    let Some((family, initials)) = name.rsplit_once(' ') else {
        return false;
    };
    let letters = || initials.chars().filter(|c| *c != '-');
    let are_initials =
        letters().all(char::is_uppercase) && (1..=INITIALS).contains(&letters().count());
    let is_letter = |c: char| c.is_alphabetic() || "-'’ ".contains(c);
    are_initials
        && family.split(' ').count() <= FAMILY_WORDS
        && family.chars().all(is_letter)
        && family.contains(char::is_lowercase)
        && family
            .rsplit(' ')
            .next()
            .is_some_and(|last| last.contains(char::is_uppercase))
        && !text::is_organisation(family)
}

/// The journal with year, volume, issue and pages with which a text begins, and what is behind it:
/// "Annals of Heat 2017;12(1):33-40".
fn journal(text: &str) -> Option<(ReferenceLine, &str)> {
    let (before, behind) = text.split_once(';')?;
    let (name, year) = before.rsplit_once(' ')?;
    let name = name.trim_end_matches(['.', ',']);
    let is_part = |word: &str| word.starts_with(char::is_uppercase) || SMALL_WORDS.contains(&word);
    let is_journal = name.split(' ').count() <= JOURNAL_WORDS
        && name.starts_with(char::is_uppercase)
        && name.split(' ').all(is_part)
        && !name.contains(". ");
    if !is_journal || !text::is_year(year) {
        return None;
    }
    let (numbers, rest) = behind.trim_start().split_once(':')?;
    let (volume, issue) = match numbers.split_once('(') {
        Some((volume, issue)) => (volume, Some(issue.strip_suffix(')')?)),
        None => (numbers, None),
    };
    let is_number = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_digit()) && part.chars().all(char::is_alphanumeric)
    };
    let rest = rest.trim_start();
    let is_page = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '–');
    let end = rest.find(|c: char| !is_page(c)).unwrap_or(rest.len());
    let pages = rest[..end].replace('–', "-");
    if !is_number(volume) || !pages.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let own = Publication {
        journal: Some(name.to_owned()),
        volume: Some(volume.to_owned()),
        issue: issue.map(str::to_owned),
        pages: Some(pages),
        ..Publication::default()
    };
    let own = ReferenceLine {
        publication: own,
        year: Some(year.to_owned()),
        ..ReferenceLine::default()
    };
    Some((own, &rest[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::markdown;

    /// Authors, journal, year, volume, issue, pages and DOI in one line.
    fn in_line(text: &str) -> Option<String> {
        let line = of(&markdown::KIND, text)?;
        let own = &line.publication;
        let parts = [
            &line.authors,
            &own.journal,
            &line.year,
            &own.volume,
            &own.issue,
            &own.pages,
            &own.doi,
        ];
        Some(parts.map(|part| part.as_deref().unwrap_or("-")).join(" / "))
    }

    #[test]
    fn line_below_the_title_cites_the_article_itself() {
        for (line, expected) in [
            (
                "Lind A, ter Moe KL, O'Brien P. Annals of Heat & Cold 2017;12(1):33-40. \
                 doi:10.1016/heat.7",
                "Lind A, ter Moe KL, O'Brien P / Annals of Heat & Cold / 2017 / 12 / 1 / 33-40 / \
                 10.1016/heat.7",
            ),
            (
                "*Lind A., Moe K.L.* Heat 2017;12:e107.",
                "Lind A., Moe K.L / Heat / 2017 / 12 / - / e107 / -",
            ),
            (
                "Heat 2020;42(1):88. doi:10.1016/x. Published 17 January 2020.",
                "- / Heat / 2020 / 42 / 1 / 88 / 10.1016/x",
            ),
            (
                "Lind A, Moe K. Preprint, posted 8 March 2021. doi:10.1016/x",
                "Lind A, Moe K / - / - / - / - / - / 10.1016/x",
            ),
            (
                "Lind A, Moe K. Heat 2022;18(2):1-9. An earlier version (doi:10.1016/x) is old.",
                "Lind A, Moe K / Heat / 2022 / 18 / 2 / 1-9 / -",
            ),
        ] {
            assert_eq!(
                in_line(&format!("# T\n\n{line}\n")).as_deref(),
                Some(expected)
            );
        }
        for line in [
            "Vitamin D. It is good for the bones.",
            "In the article by Lind A, Moe K (Heat 2019;41(3):1-9), two errors were found.",
            "Heat pumps are used since 2019; they are quiet: 40 dB.",
        ] {
            assert_eq!(
                of(&markdown::KIND, &format!("# T\n\n{line}\n")),
                None,
                "{line}"
            );
        }
    }
}
