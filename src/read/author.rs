//! The author that a text names without a label of authors: "By Ann Hale" below a headline, "From:
//! Ann Hale" of a mail, "Editor: Ann Hale", "Compiled by Ann Hale", and who signs a letter, in
//! English and German.

use super::byline::body;
use super::dates::written_date;
use super::metadata::{labelled, top_value};
use crate::text;

/// The words of a person's name, at least and at most. Chosen by hand.
const NAME_WORDS: std::ops::RangeInclusive<usize> = 2..=5;

/// Small words in names of persons: "van der Berg".
const PARTICLES: &[&str] = &[
    "da", "de", "den", "der", "di", "la", "le", "van", "von", "zu",
];

/// Forms of address and degrees before a name, folded, which are no part of it.
const TITLES: &[&str] = &[
    "cllr",
    "councillor",
    "dr",
    "frau",
    "herr",
    "miss",
    "mr",
    "mrs",
    "ms",
    "prof",
    "rev",
    "sir",
];

/// The lines with text below the title in which an author may stand, and the most words of one.
/// Chosen by hand.
const LINES: usize = 4;
const LINE_WORDS: usize = 24;

/// The most words of a day: "6 October 2025".
const DAY_WORDS: usize = 3;

/// Words before the name of who wrote or put together a text, each with its space or its colon.
const CREDITS: &[&str] = &[
    "by ",
    "written by ",
    "edited by ",
    "editor: ",
    "editors: ",
    "von ",
    "verfasst von ",
    "verfasser: ",
    "verfasserin: ",
    "autor: ",
    "autorin: ",
    "redaktion: ",
    "compiled by ",
    "zusammengestellt von ",
];

/// The labels of the sender of a mail or a memo, folded, and those of its other fields.
const SENDER: &[&str] = &["from", "von"];
const OTHER_FIELDS: &[&str] = &["to", "subject", "re", "date", "an", "betreff", "datum"];

/// How a letter addresses its reader, folded.
const SALUTATIONS: &[&str] = &[
    "dear ",
    "sehr geehrte",
    "liebe ",
    "lieber ",
    "to whom it may",
];

/// The lines with text at the top of a letter or a mail. Chosen by hand.
const TOP_LINES: usize = 15;

fn top_lines(text: &str) -> impl Iterator<Item = &str> {
    body(text).take(TOP_LINES)
}

/// A line without emphasis.
fn plain(line: &str) -> String {
    text::one_line(&line.replace(['*', '_', '`'], ""))
}

/// The author that a text names below its title, as its sender, or at its end.
pub(super) fn of(title: &str, text: &str) -> Option<String> {
    credited(title, text)
        .or_else(|| sender(text))
        .or_else(|| signatory(text))
        .or_else(|| below_title(title, text).find_map(|line| issuer(&line)))
}

/// The first lines below the title, before the next heading.
fn below_title(title: &str, text: &str) -> impl Iterator<Item = String> {
    let body = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let body = body.skip_while(move |line| line.starts_with('#') || *line == title);
    let body = body.take_while(|line| !line.starts_with('#'));
    let short = body
        .take(LINES)
        .map(|line| text::truncate(line, LINE_WORDS * 20));
    short.map(plain)
}

/// Who is credited in a line below the title: persons are, before a group that put it together.
fn credited(title: &str, text: &str) -> Option<String> {
    let lines: Vec<String> = below_title(title, text).collect();
    // A byline stands in a line of its own or begins one: "By Ann Hale. The river rose."
    let parts = || lines.iter().flat_map(|line| line.split(". "));
    let credits = |part: &str| {
        let folded = text::fold(part);
        let credit = CREDITS.iter().find(|own| folded.starts_with(**own))?;
        part.get(credit.len()..).map(str::to_owned)
    };
    let named = || parts().filter_map(credits);
    let group = |name: &String| {
        let name = name.split(", ").next().unwrap_or_default();
        let name = name.strip_prefix("the ").unwrap_or(name);
        let is_group = text::is_name_of_organisation(name);
        is_group.then(|| name.trim_end_matches('.').to_owned())
    };
    named()
        .find_map(|name| person(&name))
        .or_else(|| lines.iter().find_map(|line| author_of_kind(line)))
        .or_else(|| named().find_map(|name| group(&name)))
}

/// The person of a line that says what the text is: "Commentary by Ann Hale".
fn author_of_kind(line: &str) -> Option<String> {
    let (kind, name) = line.split_once(" by ").or(line.split_once(" von "))?;
    // "Reviewed by" and "Geprüft von" say what somebody else did.
    let is_deed = kind.ends_with("ed") || kind.starts_with("Ge");
    let is_kind = !kind.contains(' ') && kind.starts_with(char::is_uppercase) && !is_deed;
    person(name).filter(|_| is_kind && name.split_whitespace().count() <= *NAME_WORDS.end())
}

/// The organisation that a text is of, before its day: "Farmers' Union, 6 October 2025".
fn issuer(line: &str) -> Option<String> {
    let (name, day) = line.rsplit_once(", ")?;
    let name = name.split(", ").next()?;
    let is_day = day.split(' ').count() <= DAY_WORDS && written_date(day).is_some();
    // "To the Town Clerk" is who shall read it.
    let is_reader = name.starts_with("To ") || name.starts_with("An ");
    let is_issuer = is_day && !is_reader && text::is_name_of_organisation(name);
    is_issuer.then(|| name.to_owned())
}

/// The sender of a mail or a memo that was saved as text, by the fields at its top.
fn sender(text: &str) -> Option<String> {
    let has_fields = top_value(text, OTHER_FIELDS).is_some();
    let mut lines = top_lines(text).filter_map(labelled);
    let (_, value) = lines.find(|(label, _)| SENDER.contains(&&*text::fold(label)))?;
    // The address stands behind the name: "Ann Hale <hale@example.org>".
    let name = value.split(['<', '(']).next().unwrap_or_default();
    person(name).filter(|_| has_fields || value.contains('@'))
}

/// Who signs a letter: the first name below its closing.
fn signatory(text: &str) -> Option<String> {
    if !is_letter(text) {
        return None;
    }
    let closings = text::signatures(text);
    let closing = closings.into_iter().next()?;
    // The name may stand below a blank line, in which it was signed.
    let lines = text[closing.start..].lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty()).take(LINES);
    lines.skip(1).map(plain).find_map(|line| person(&line))
}

/// `true` for a text that addresses its reader near its top: "Dear Ms Hale,".
pub(super) fn is_letter(text: &str) -> bool {
    salutation(text).is_some()
}

/// The line in which a letter addresses its reader.
pub(super) fn salutation(text: &str) -> Option<&str> {
    top_lines(text).find(|line| {
        let is_short = text::words(line).nth(LINE_WORDS / 2).is_none();
        let is_one = |folded: String| SALUTATIONS.iter().any(|own| folded.starts_with(own));
        is_short && is_one(text::fold(line))
    })
}

/// The name of a person with which a text begins, up to a comma or its end, without titles: "Ann
/// Hale" of "Dr. Ann Hale, Harbour Office".
pub(super) fn person(text: &str) -> Option<String> {
    let part = text.split([',', ';', '|', '(', '·']).next()?.trim();
    let words = part.split_whitespace().skip_while(|word| {
        let word = text::fold(word);
        TITLES.contains(&word.trim_end_matches('.'))
    });
    let words: Vec<&str> = words.collect();
    let is_in_name = |c: char| c.is_alphabetic() || matches!(c, '.' | '-' | '\'' | '’');
    let is_part = |word: &&str| {
        let begins = word.starts_with(char::is_uppercase) || PARTICLES.contains(word);
        begins && word.chars().all(is_in_name)
    };
    let last = words.last()?.trim_end_matches('.');
    let is_name = NAME_WORDS.contains(&words.len())
        && words.iter().all(is_part)
        && last.chars().count() >= 2
        && last.starts_with(char::is_uppercase);
    let name = words.join(" ");
    let name = name.strip_suffix('.').unwrap_or(&name).to_owned();
    (is_name && !text::is_organisation(&name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn author_is_credited_below_the_title_or_sends_or_signs_the_text() {
        for (text, author) in [
            (
                "# The flood\n\nBy Ann Hale. The river rose.\n",
                Some("Ann Hale"),
            ),
            (
                "# The flood\n\n*Harbour News, 4 May 2003. By Ann Hale.*\n",
                Some("Ann Hale"),
            ),
            (
                "# Position on the weir\n\nAnglers' Union, 6 October 2025\n",
                Some("Anglers' Union"),
            ),
            (
                "# Answers\n\nMinistry of Water, Unit Rivers, June 2024\n",
                Some("Ministry of Water"),
            ),
            ("# Answers\n\nNew York, June 2024\n", None),
            (
                "# Objection\n\nTo the Town Clerk, 4 May 2022\n\nDear Ms Vik,\n\nI \
                 object.\n\nYours sincerely,\n\nAnn Hale\n",
                Some("Ann Hale"),
            ),
            (
                "# Ten metres\n\nHarbour News, 22 November 2025\nCommentary by Ann Hale\n",
                Some("Ann Hale"),
            ),
            ("# T\n\nReviewed by Ann Hale\n", None),
            ("# T\n\nBy our own reporter. The river rose.\n", None),
            ("# T\n\nBy Monday the river had risen.\n", None),
            (
                "# Chronicle\n\nCompiled by the Harbour Society, third edition. Editor: Jo Lind.\n",
                Some("Jo Lind"),
            ),
            (
                "# Chronicle\n\nCompiled by the Harbour Society.\n",
                Some("Harbour Society"),
            ),
            ("# T\n\nIt is.\n\n## Later\n\nBy Ann Hale. It was.\n", None),
            (
                "# Withdrawal\n\nFrom: Jo Lind, Lind & Moe, architects\nTo: the clerk\n",
                Some("Jo Lind"),
            ),
            (
                "From: Jo Lind <lind@example.org>\n\nHello.\n",
                Some("Jo Lind"),
            ),
            ("# Table\n\nFrom: Jo Lind\n", None),
            ("To: H. Vos\nFrom: QA lab\n\nI had samples.\n", None),
            (
                "3 Mill Lane\n\nDear Ms Vik,\n\nI object.\n\nYours sincerely,\n\nAnn Hale\n",
                Some("Ann Hale"),
            ),
            (
                "# Brief\n\nSehr geehrter Herr Vik,\n\nes geht nicht.\n\nMit freundlichen \
                 Grüßen\n\nDr. Jo Lind\nBürgermeister\n",
                Some("Jo Lind"),
            ),
        ] {
            let title = text.lines().next().unwrap_or_default();
            assert_eq!(of(title, text).as_deref(), author, "{text}");
        }
    }
}
