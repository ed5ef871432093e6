//! The parts of letters, e-mails and minutes that state nothing about their subject: the signature
//! and the closing above it, and the lines that name senders, recipients and those present.

use std::ops::Range;

use super::numbers::{GERMAN_MONTHS, MONTHS};
use super::words::folded;

/// The line above the signature of a message (RFC 3676, section 4.3), without its space.
const SEPARATOR: &str = "--";

/// The longest signature below a separator, in lines (chosen by hand): what is longer is text below
/// a line of two hyphens.
const SIGNATURE_LINES: usize = 12;

/// The longest name below a closing and an empty line, in lines (chosen by hand): name, role,
/// company, address.
const NAME_LINES: usize = 4;

/// The most words of a name behind a closing in the same line.
const NAME_WORDS: usize = 8;

/// The longest word in lower case in a name or an address: "of", "zur", "von".
const SMALL_WORD_BYTES: usize = 3;

/// The longest line that is looked at, in bytes (chosen by hand): a line of a closing or a
/// signature is short.
const MAX_LINE_BYTES: usize = 160;

/// Closings, each in a line of its own, in lower case.
const CLOSINGS: &[&str] = &[
    "all the best",
    "atentamente",
    "best",
    "best regards",
    "best wishes",
    "cheers",
    "cordialement",
    "freundliche grüße",
    "kind regards",
    "many thanks",
    "met vriendelijke groet",
    "mit besten grüßen",
    "mit freundlichen grüßen",
    "regards",
    "saludos",
    "sincerely",
    "sincerely yours",
    "thanks",
    "thank you",
    "viele grüße",
    "warm regards",
    "with best regards",
    "with kind regards",
    "yours faithfully",
    "yours sincerely",
    "yours truly",
];

/// The last words of closings before which a name may stand in the same line.
const CLOSING_WORDS: &[&str] = &[
    "regards",
    "wishes",
    "sincerely",
    "faithfully",
    "truly",
    "grüße",
    "grüßen",
];

/// The beginnings of lines that mail programs add, in lower case.
const ADDED: &[&str] = &[
    "sent from my ",
    "get outlook for ",
    "von meinem iphone gesendet",
    "von meinem handy gesendet",
    "envoyé de mon ",
    "enviado desde mi ",
];

/// The labels of lines that say who wrote, got or attended something, in English and German, in
/// lower case.
const LABELS: &[&str] = &[
    "absent",
    "apologies",
    "apologies for absence",
    "attendees",
    "attending",
    "author",
    "authors",
    "bcc",
    "cc",
    "chair",
    "date",
    "from",
    "in attendance",
    "minutes",
    "minutes taken by",
    "note taker",
    "participants",
    "present",
    "re",
    "regrets",
    "reply-to",
    "sent",
    "subject",
    "to",
    "an",
    "anwesend",
    "betreff",
    "datum",
    "entschuldigt",
    "teilnehmer",
    "von",
    "vorsitz",
];

/// `true` for a line such as `Present: Ann, Bob` or `From: Ann`, which heads a text and states
/// nothing about its subject.
pub fn is_header_line(sentence: &str) -> bool {
    label(sentence).is_some_and(|label| LABELS.contains(&label.as_str()))
}

/// The most words of a dateline and of a byline; chosen by hand.
const DATELINE_WORDS: usize = 16;
const BYLINE_WORDS: usize = 6;

/// `true` for a line that says where and when a text was published, which states nothing about its
/// subject: "Kehrfeld, 2 February 2023", "PRESS RELEASE - Nordring, Kehrfeld, 2 February 2023",
/// "2023-10-13 · grenzbote.example".
pub fn is_dateline(line: &str) -> bool {
    let line = line.trim();
    let first = line.chars().next();
    let begins = first.is_some_and(|c| c.is_uppercase() || c.is_ascii_digit());
    let is_short = line.split_whitespace().count() <= DATELINE_WORDS;
    if !begins || !is_short || line.ends_with(['.', '!', '?', ':', ';']) || line.contains('|') {
        return false;
    }
    let is_behind = line.rsplit_once(", ").is_some_and(|(_, last)| is_day(last));
    let is_beside = line
        .split_once(" · ")
        .is_some_and(|(day, rest)| is_day(day) && rest.split_whitespace().count() <= BYLINE_WORDS);
    is_behind || is_beside || is_day(line)
}

/// Words with which a note on the publication of a text begins; a closed list, written by hand.
const PUBLISHED: &str = "published, posted, issued, updated, last updated, last modified, last \
    reviewed, veroffentlicht, erstellt, aktualisiert, zuletzt aktualisiert, zuletzt geandert";

/// `true` for a sentence that says only when and by whom a text was published, which states nothing
/// about its subject: "Published on 19 September 2022 by the energy desk."
pub fn is_publication_note(sentence: &str) -> bool {
    let words = folded(sentence);
    let mut days = words.iter();
    let has_month =
        days.any(|word| MONTHS.contains(&word.as_str()) || GERMAN_MONTHS.contains(&word.as_str()));
    super::first_phrase(&words, PUBLISHED) == Some(0)
        && words.len() <= DATELINE_WORDS
        && has_month
        && !sentence.contains([',', ';', ':'])
}

/// `true` for a day and nothing else: "2 February 2023", "den 3. Juli 2023", "2023-10-13".
fn is_day(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_prefix("den ").unwrap_or(text);
    let iso = text.len() == "2023-10-13".len()
        && text.split('-').map(str::len).eq([4, 2, 2])
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-');
    let words = folded(text);
    let is_month = |word: &str| MONTHS.contains(&word) || GERMAN_MONTHS.contains(&word);
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_day = words.len() == 3
        && words.iter().filter(|word| is_month(word)).count() == 1
        && words.iter().filter(|word| is_number(word)).count() == 2;
    iso || is_day
}

/// `true` for a line of a name and where or what its bearer is, as below a letter: "Margaret
/// Oyelaran, Estmark".
pub fn is_byline(line: &str) -> bool {
    let line = line.trim();
    let Some((name, rest)) = line.split_once(", ") else {
        return false;
    };
    let count = |part: &str| part.split_whitespace().count();
    let is_name = |word: &str| {
        word.starts_with(char::is_uppercase)
            && word
                .chars()
                .all(|c| c.is_alphabetic() || matches!(c, '-' | '.' | '\''))
    };
    (2..=3).contains(&count(name))
        && (1..=2).contains(&count(rest))
        && !line.ends_with('.')
        && name.split(' ').chain(rest.split(' ')).all(is_name)
}

/// The most words of a line with an address to write to; chosen by hand.
const CONTACT_WORDS: usize = 8;

/// Labels of such lines, in English and German, in lower case.
const CONTACT_LABELS: &[&str] = &[
    "contact",
    "e-mail",
    "email",
    "mail",
    "media contact",
    "press contact",
    "telephone",
    "kontakt",
    "pressekontakt",
    "telefon",
];

/// `true` for a line with an address to write to, which states nothing about the subject of its
/// text: "Contact: press@example.org".
pub fn is_contact_line(line: &str) -> bool {
    line.split_whitespace().count() <= CONTACT_WORDS
        && label(line).is_some_and(|label| CONTACT_LABELS.contains(&label.as_str()))
        && line.contains(|c: char| c == '@' || c.is_ascii_digit())
}

/// `true` for the header of an e-mail as a record: `From: Ann; to: Bob; date: 2026-09-07 09:14.`
pub fn is_mail_header(sentence: &str) -> bool {
    let fields = sentence.strip_prefix("From: ");
    fields.is_some_and(|rest| rest.contains("; to: ") || rest.contains("; date: "))
}

/// `true` for a line of a header with those who were there: `Present: Ann, Bob`.
pub fn lists_attendance(sentence: &str) -> bool {
    let attendance = [
        "attendees",
        "attending",
        "in attendance",
        "participants",
        "present",
    ];
    label(sentence).is_some_and(|label| attendance.contains(&label.as_str()))
}

/// The marks of a quotation in an e-mail, ">> ", with which a line begins; empty without them, and
/// for a sign, ">50".
pub(super) fn quotation_marks(line: &str) -> &str {
    let rest = line.trim_start_matches(['>', ' ', '\t']);
    let marks = &line[..line.len() - rest.len()];
    let is_quoted = marks.contains('>') && (marks.ends_with([' ', '\t']) || rest.trim().is_empty());
    if is_quoted { marks } else { "" }
}

/// The label of a line, in lower case.
fn label(sentence: &str) -> Option<String> {
    let line = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
    let (label, _) = line.split_once(':')?;
    Some(label.trim_end_matches(['*', '_', ' ']).to_lowercase())
}

/// The byte ranges of the closings and signatures of a text, in its order.
pub fn signatures(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let lines: Vec<(usize, &str)> = text
        .split_inclusive('\n')
        .map(|line| {
            start += line.len();
            (start - line.len(), line.trim_end_matches(['\n', '\r']))
        })
        .collect();
    let (mut ranges, mut number) = (Vec::new(), 0);
    while number < lines.len() {
        let count = signature_length(&lines[number..], number == 0 || is_blank(lines[number - 1]));
        if count > 0 {
            let (last, line) = lines[number + count - 1];
            ranges.push(lines[number].0..last + line.len());
        }
        number += count.max(1);
    }
    ranges
}

fn is_blank((_, line): (usize, &str)) -> bool {
    line.trim().is_empty()
}

/// The number of lines of the signature that begins with the first line; 0 if none does. `is_first`
/// in a paragraph: below other words, two hyphens make a heading of these in Markdown.
fn signature_length(lines: &[(usize, &str)], is_first: bool) -> usize {
    let line = lines[0].1;
    if line.is_empty() || line.len() > MAX_LINE_BYTES {
        return 0;
    }
    let paragraph = |from: usize| {
        let rest = lines.get(from..).unwrap_or_default();
        rest.iter().take_while(|line| !is_blank(**line)).count()
    };
    let is_separator = line.trim_end() == SEPARATOR && (is_first || line.ends_with(' '));
    if is_separator {
        let is_end = lines.len() - 1 <= SIGNATURE_LINES;
        return if is_end { lines.len() } else { paragraph(0) };
    }
    let lower = line.trim().to_lowercase();
    if ADDED.iter().any(|beginning| lower.starts_with(beginning)) {
        return 1;
    }
    if closes_before_name(&lower) || is_closing_with_name(line) {
        return paragraph(0);
    }
    if !CLOSINGS.contains(&lower.trim_end_matches([',', '.', '!'])) {
        return 0;
    }
    let own = paragraph(0);
    let name = if own == 1 { paragraph(2) } else { 0 };
    let states = |line: &(usize, &str)| line.1.trim_end().ends_with(['.', '!', '?', ':']);
    let is_name = (1..=NAME_LINES).contains(&name) && !lines[2..2 + name].iter().any(states);
    if is_name { 2 + name } else { own }
}

/// `true` for `Best regards, Ann Smith`, in lower case.
fn closes_before_name(line: &str) -> bool {
    line.split_once(',').is_some_and(|(closing, name)| {
        let last = closing.rsplit(' ').next().unwrap_or_default();
        !name.is_empty() && CLOSINGS.contains(&closing) && CLOSING_WORDS.contains(&last)
    })
}

/// `true` for `Kind regards Ann Smith`: a closing and a name that were lines of their own.
fn is_closing_with_name(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_name = |name: &[&str]| {
        !name.is_empty()
            && name.len() <= NAME_WORDS
            && name[0].starts_with(char::is_uppercase)
            && name
                .iter()
                .all(|word| word.starts_with(char::is_uppercase) || word.len() <= SMALL_WORD_BYTES)
    };
    (1..words.len()).any(|count| {
        let closing = words[..count].join(" ").to_lowercase();
        let last = words[count - 1].to_lowercase();
        CLOSINGS.contains(&&*closing)
            && CLOSING_WORDS.contains(&&*last)
            && is_name(&words[count..])
            && !line.ends_with(['.', '!', '?', ':'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datelines_and_bylines_state_nothing() {
        for line in [
            "Kehrfeld, 2 February 2023",
            "PRESS RELEASE - Nordring Energie GmbH\nKehrfeld, 2 February 2023",
            "Transcript - interview with Bernd Oster, plant manager, 20 September 2024",
            "2023-10-13 · grenzbote.example",
            "Kehrfeld, den 3. Juli 2023",
            "3 May 2024",
        ] {
            assert!(is_dateline(line), "{line}");
        }
        for line in [
            "Permit of 12 October 2023: 210,000 tonnes a year",
            "2024-09-20 Signs were placed",
            "The bridge was closed on Monday, 2 February 2023.",
            "It rose by 3, 5 and 2023",
        ] {
            assert!(!is_dateline(line), "{line}");
        }
        assert!(is_byline("Margaret Oyelaran, Estmark"));
        for line in [
            "Paris, France",
            "Two lifts, Stowe Road",
            "Ann Lee, treasurer",
            "Yes, it is.",
        ] {
            assert!(!is_byline(line), "{line}");
        }
    }

    fn without_signatures(text: &str) -> String {
        let mut rest = text.to_owned();
        for range in signatures(text).into_iter().rev() {
            rest.replace_range(range, "");
        }
        rest.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn closings_and_signatures_are_found() {
        for text in [
            "It leaks.\n\nBest regards,\nAnn Smith, head of heating\nSent from my iPhone\n",
            "It leaks.\n\nKind regards,\n\nAnn Smith of the heating group\n",
            "It leaks.\nBest regards, Ann Smith, head of heating\n",
            "It leaks.\n\n-- \nAnn Smith\nHead of heating.\n\nThis e-mail is confidential.\n",
            "It leaks.\n\nSent from my Galaxy with news\n",
            "It leaks.\n\nKind regards Ann Smith\n",
            "It leaks.\n\nKind regards Ann Smith Hotel zur Linde\n",
            "It leaks.\n\nMit freundlichen Grüßen\nAnn Schmidt\n",
        ] {
            assert_eq!(without_signatures(text), "It leaks.", "{text}");
        }
    }

    #[test]
    fn prose_is_no_signature() {
        for text in [
            "Thanks to the pump, it is warm.\n\nBest of all, it is quiet.\n",
            "Thanks!\n\nThe pump is warm.\nIt is quiet.\n",
            "A heading\n--\n\nThe pump is warm.\n",
            "Best regards Of All are those of Ann, who sends them.\n",
            "Regards for the neighbours, who sleep, matter.\n",
            "Sent from the factory, the pump comes by train.\n",
        ] {
            let rest = without_signatures(text);
            assert!(rest.len() + 10 > text.trim().len(), "{text}: {rest}");
        }
    }

    #[test]
    fn lines_on_people_and_dates_are_header_lines() {
        for line in ["Present: Ann and Bob.", "**Date:** 11 March", "- From: Ann"] {
            assert!(is_header_line(line), "{line}");
        }
        assert!(is_contact_line("Contact: press@example.org."));
        assert!(!is_contact_line(
            "Contact: the pump touches the wall at 3 places."
        ));
        assert!(!is_contact_line("Costs: 40,000 euros"));
        assert!(is_mail_header(
            "From: Ann; to: Bob; date: 2026-09-07 09:14."
        ));
        assert!(!is_mail_header("From: 2026; price: 12 euros."));
        for line in [
            "The date: 11 March",
            "Cost: 40,000 euros",
            "Present value is high.",
        ] {
            assert!(!is_header_line(line), "{line}");
        }
    }
}
