//! Plain text: the text as it is, but for words broken at the ends of lines, with a title from its
//! first line. Of markup only the marks around a title and formulas are interpreted, since people
//! write such marks in plain text, too.

use std::path::Path;

use super::designation::{self, Designation};
use super::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use super::error::ReadError;
use super::markup::inline_tex::formulas_as_text;
use super::{author, dates, hyphenation, log_lines, metadata, status};
use crate::text::{self, is_header_line};

/// The longest first line that is taken for a title, in characters; chosen by hand.
const TITLE_CHARACTERS: usize = 100;

/// The same of a title as scientific papers have: a line without a full stop above one that is no
/// longer than a title.
const LONG_TITLE_CHARACTERS: usize = 200;

/// The least number of words of a first line with a full stop that is no title; chosen by hand.
const SENTENCE_WORDS: usize = 4;

/// Plain text: the clean text is that of the file, but for words broken at the ends of lines.
pub static KIND: SourceKind = SourceKind {
    name: "text",
    label: "plain text",
    extensions: &["txt", "text", "log"],
    shared_extensions: &[],
    media_types: &[],
    signature: Signature::AnyText,
    markup: Markup::Plain,
    isolation: Isolation::ProcessIfLarge,
    remedy: "save it again as UTF-8",
    read,
};

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let text = formulas_as_text(input.text()?);
    let text = hyphenation::joined(&text).into_owned();
    // The first entry of a log is no title.
    if let Some(log) = log_lines::with_paragraphs(&text) {
        let title = metadata::name_as_title(input.path);
        return Ok(metadata::with_top_lines(input.document(title, log)));
    }
    let title = numbered_title(&text)
        .or_else(|| subject(&text))
        .or_else(|| reference_line(&text))
        .or_else(|| headline(&text))
        .or_else(|| title_of_letter(input.path, &text))
        .unwrap_or_else(|| title(input.path, &text));
    Ok(metadata::with_top_lines(input.document(title, text)))
}

/// The title in the header of a document of a series, with its number: `PEP 8: Style guide`.
fn numbered_title(text: &str) -> Option<String> {
    let Designation { series, number } = designation::designation(text)?;
    let title = metadata::top_value(text, &["title"])?;
    Some(format!("{} {number}: {title}", series.to_uppercase()))
}

/// The subject of a letter or an e-mail that was saved as text: its first line names the sender or
/// another field.
fn subject(text: &str) -> Option<String> {
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    is_header_line(first)
        .then(|| metadata::top_value(text, &["subject", "re", "betreff"]))
        .flatten()
        .map(str::to_owned)
}

/// The first lines with text of a letter or a press release, among which its subject or its
/// headline is. Chosen by hand.
const TOP_LINES: usize = 12;

/// The fewest words of a headline.
const HEADLINE_WORDS: usize = 4;

/// What a text for newspapers begins with, folded.
pub(super) const FOR_PRESS: [&str; 4] = [
    "press release",
    "media release",
    "news release",
    "pressemitteilung",
];

/// The first lines of a text that have any.
fn top_lines(text: &str) -> impl Iterator<Item = &str> + Clone {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty()).take(TOP_LINES)
}

/// Whom a letter is addressed to, folded: "To: Head of Section", "Dear Ms Vik".
const ADDRESSES: [&str; 5] = ["to:", "dear ", "an:", "sehr geehrte", "liebe"];

/// The subject of a letter below its letterhead: "Re: Advice on the quota".
/// One that only names the letter it replies to is none.
fn reference_line(text: &str) -> Option<String> {
    let first = top_lines(text).next()?;
    let is_letterhead = is_letterhead(first) && text::words(first).count() > 1;
    let is_address = |line: &str| {
        let line = text::fold(line);
        ADDRESSES.iter().any(|own| line.starts_with(own))
    };
    let mut subjects = top_lines(text).filter_map(|line| {
        let (label, subject) = line.split_once(": ")?;
        let is_subject = matches!(&*text::fold(label), "re" | "subject" | "betreff" | "betr");
        let is_reply = text::fold(subject).starts_with("your ");
        (is_subject && !is_reply).then(|| subject.trim().to_owned())
    });
    let is_letter = is_letterhead && top_lines(text).any(is_address);
    subjects.next().filter(|_| is_letter)
}

/// The title of a letter that begins with the address or the name of who sends it: the subject that
/// a line below its salutation gives, the name of its file if that has words, or the salutation.
fn title_of_letter(path: &Path, text: &str) -> Option<String> {
    let salutation = author::salutation(text)?;
    let first = top_lines(text).next()?;
    if !is_address(first) && author::person(first).is_none() {
        return None;
    }
    let label = metadata::top_value(text, &["re", "ref", "subject", "betreff", "betr"]);
    let below = top_lines(text)
        .skip_while(|line| *line != salutation)
        .nth(1);
    let is_subject = |line: &&str| {
        HEADING_WORDS.contains(&text::words(line).count()) && !line.ends_with(['.', ',', ':', ';'])
    };
    let name = metadata::name_as_title(path);
    let has_words = name.split(' ').filter(|word| word.len() > 1).count() > 1;
    let name = Some(name.as_str()).filter(|_| has_words);
    let title = label.or_else(|| below.filter(is_subject)).or(name);
    Some(title.unwrap_or(salutation.trim_end_matches(',')).to_owned())
}

/// The most words of the line of a street in an address. Chosen by hand.
const STREET_WORDS: usize = 5;

/// `true` for the line of a street with its number, "3 Church Row" or "Hafenstr. 14".
fn is_address(line: &str) -> bool {
    let line = line.split(',').next().unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    let has_digit = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let is_number = |word: &&str| has_digit(word) && !text::is_year(word);
    let number = |word: Option<&&str>| word.is_some_and(is_number);
    let is_name = |word: &&str| word.starts_with(char::is_uppercase) || has_digit(word);
    (2..=STREET_WORDS).contains(&words.len())
        && number(words.first()) != number(words.last())
        && words.iter().all(is_name)
        && dates::written_date(line).is_none()
}

/// The headline of a press release, behind these words: "Press release: Ferry back in service". Who
/// sends it and when stand before it.
fn headline(text: &str) -> Option<String> {
    let mut lines = top_lines(text);
    let first = text::fold(lines.next()?);
    let kind = FOR_PRESS.iter().find(|kind| first.starts_with(**kind))?;
    let is_dated =
        |line: &str| dates::written_date(line).is_some() || dates::iso_date(line).is_some();
    let is_headline = |line: &&str| {
        text::words(line).count() >= HEADLINE_WORDS
            && line.chars().count() <= TITLE_CHARACTERS
            && !is_dated(line)
            && !is_header_line(line)
            && !text::fold(line).starts_with("embargo")
            && !line.ends_with('.')
    };
    // Who sends it stands above the day.
    let mut below = lines.clone().skip_while(|line| !is_dated(line));
    let headline = below.find(is_headline);
    let headline = headline.or_else(|| lines.find(is_headline))?;
    let (initial, rest) = kind.split_at(1);
    Some(format!("{}{rest}: {headline}", initial.to_uppercase()))
}

/// The first line with words in it if it is short, else the file's name.
pub(super) fn title(path: &Path, text: &str) -> String {
    // A line of markup alone, such as one of `=` above a title, has no words.
    let mut lines = text
        .lines()
        .filter(|line| line.contains(char::is_alphanumeric));
    // "*** WITHDRAWN ***" is a notice above the title.
    let first = lines.find(|line| !status::is_notice_line(line));
    let first = first.unwrap_or_default().trim();
    // The `=` around titles, and the asterisks or number signs before them, are markup.
    let first = first.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '=' | '#'));
    let next = lines.next().map_or(0, |line| line.chars().count());
    let may_be_long =
        !first.ends_with(['.', '!', '?', ',', ';', ':']) && (1..=TITLE_CHARACTERS).contains(&next);
    let most = if may_be_long {
        LONG_TITLE_CHARACTERS
    } else {
        TITLE_CHARACTERS
    };
    if first.is_empty() || first.chars().count() > most || is_sentence(first) {
        return metadata::name_as_title(path);
    }
    below_letterhead(first, text).unwrap_or(first).to_owned()
}

/// The kinds of documents that are sent under a letterhead, in English and German, folded; a closed
/// list, written by hand.
const KINDS: &[&str] = &[
    "agenda",
    "agreement",
    "angebot",
    "anordnung",
    "assessment",
    "bescheid",
    "beschluss",
    "certificate",
    "circular",
    "contract",
    "decision",
    "directive",
    "estimate",
    "instruction",
    "invoice",
    "lease",
    "licence",
    "license",
    "memo",
    "memorandum",
    "merkblatt",
    "minutes",
    "niederschrift",
    "notice",
    "offer",
    "order",
    "permit",
    "policy",
    "protocol",
    "protokoll",
    "quotation",
    "quote",
    "receipt",
    "rechnung",
    "reminder",
    "report",
    "satzung",
    "specification",
    "statement",
    "urteil",
    "verfugung",
    "warranty",
];

/// The number of lines with text below a letterhead of which one may be the title, the fewest and
/// the most words of that, and how far into it its kind is. Chosen by hand.
const HEAD_LINES: usize = 3;
const HEADING_WORDS: std::ops::RangeInclusive<usize> = 2..=12;
const WORDS_TO_KIND: usize = 4;

/// The most words of a letterhead that is not in capitals. Chosen by hand.
const LETTERHEAD_WORDS: usize = 8;

/// `true` for a line in capitals, or the name of an organisation: "Lorvik Harbour Office".
fn is_letterhead(line: &str) -> bool {
    let is_name =
        || line.split(' ').count() <= LETTERHEAD_WORDS && text::is_name_of_organisation(line);
    !line.contains(char::is_lowercase) || is_name()
}

/// The line that names the kind of document below a letterhead: "Invoice No. 417" below "HALLAM
/// ROOFING LTD", "Minutes of the board" below "Lorvik Harbour Office", or "Memo: keys" if "To: all
/// staff" follows. Where it has only its day beside its kind, the line above it is the title:
/// "Traffic study" above "Final report, 3 May 2024". `None` if the first line names a kind itself,
/// or no line does.
fn below_letterhead<'t>(first: &str, text: &'t str) -> Option<&'t str> {
    if !is_letterhead(first) || names_kind(first, usize::MAX) {
        return None;
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let below = lines.skip_while(|line| !line.contains(first)).skip(1);
    // A date may stand at the right of the line.
    let below = below.map(|line| line.split("   ").next().unwrap_or_default());
    let below = below.map(up_to_day);
    let lines: Vec<&str> = below.take(HEAD_LINES + 1).collect();
    let next = |at: usize| lines.get(at + 1).copied().unwrap_or_default();
    let is_title = |at: usize| is_heading(lines[at]) || is_label(lines[at], next(at));
    let at = (0..lines.len().min(HEAD_LINES)).find(|at| is_title(*at))?;
    let above = at.checked_sub(1).map(|above| lines[above]);
    let is_title = |line: &&str| {
        line.starts_with(char::is_uppercase)
            && HEADING_WORDS.contains(&text::words(line).count())
            && !line.contains(|c: char| c.is_ascii_digit() || c == ':')
            && !line.ends_with(['.', ','])
            && !is_letterhead(line)
    };
    let above = above
        .filter(is_title)
        .filter(|_| is_kind_and_day(lines[at]));
    Some(above.unwrap_or(lines[at]))
}

/// A long line without what follows its day: "Minutes of the board, 3 May 2024, 14:00, room 2".
fn up_to_day(line: &str) -> &str {
    if HEADING_WORDS.contains(&text::words(line).count()) {
        return line;
    }
    let mut ends = line.match_indices(", ").map(|(at, _)| at);
    let has_day = |at: &usize| dates::written_date(&line[..*at]).is_some();
    ends.find(has_day).map_or(line, |end| &line[..end])
}

/// `true` for a line of a kind of document and its day alone: "Final report, 16 April 2026".
fn is_kind_and_day(line: &str) -> bool {
    let Some((kind, day)) = line.split_once(", ") else {
        return false;
    };
    text::words(kind).count() <= 2 && dates::written_date(day).is_some()
}

/// `true` for a line that gives the title behind the kind of document, above a header: "Memo: the
/// keys of the store" above "To: all wardens".
fn is_label(line: &str, next: &str) -> bool {
    let kind = line.split_once(": ").map(|(kind, _)| kind);
    let is_kind = kind.is_some_and(|kind| KINDS.contains(&text::fold(kind.trim()).as_str()));
    is_kind && is_header_line(next) && HEADING_WORDS.contains(&text::words(line).count())
}

/// Such a line at the beginning of a text: "Memo: the keys of the store".
pub(super) fn label_above_header(text: &str) -> Option<&str> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (first, next) = (lines.next()?, lines.next()?);
    is_label(first, next).then_some(first)
}

/// `true` for a line that is the title of a document of one of the kinds.
fn is_heading(line: &str) -> bool {
    let words = text::words(line).count();
    // "Order No. 2024/03: weight restriction" has its number before the colon.
    let outside = line.split(" (").next().unwrap_or_default();
    let label = outside.split_once(": ").map(|(label, _)| label);
    let is_numbered = |label: &str| {
        label.contains(|c: char| c.is_ascii_digit()) && text::words(label).count() <= WORDS_TO_KIND
    };
    line.starts_with(char::is_uppercase)
        && HEADING_WORDS.contains(&words)
        && label.is_none_or(is_numbered)
        && !line.ends_with(['.', ',', ':', ';'])
        && names_kind(line, WORDS_TO_KIND)
}

/// `true` if one of the first words of a line, so many of them, is a kind of document.
fn names_kind(line: &str, words: usize) -> bool {
    let mut words = text::words(line).take(words);
    words.any(|word| KINDS.contains(&text::fold(word.text).as_str()))
}

/// `true` for a line that says something, and so names no text: "The treasurer is Jane Miller."
fn is_sentence(line: &str) -> bool {
    line.ends_with('.') && line.split_whitespace().count() >= SENTENCE_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_of_a_paper_may_be_longer_than_that_of_a_letter() {
        let long = "Soil moisture and the yield of oats and barley on the sandy fields of three \
                    northern parishes: a study of ten dry summers";
        let path = Path::new("oats.txt");
        let paper = format!("{long}\nA. Lund, B. Moe. Oslo, 2019\n\nThe fields were dry.\n");
        assert_eq!(title(path, &paper), long);
        // A paragraph in one line.
        let text = format!("{long}.\n\nThe fields were dry.\n");
        assert_eq!(title(path, &text), "Oats");
    }

    #[test]
    fn title_of_a_letter_is_its_subject_and_not_its_sender() {
        let mail = "From: Ann <a@example.org>\nSubject: Heating of the office\n\nHello.\n";
        assert_eq!(subject(mail).as_deref(), Some("Heating of the office"));
        let memo = "To: H. Vos\nFrom: QA lab\nDate: 27 March 2026\nRe: Caking\n\nI had samples.\n";
        assert_eq!(subject(memo).as_deref(), Some("Caking"));
        assert_eq!(subject("On pumps\nSubject: heat\n"), None);
    }

    #[test]
    fn title_of_a_letter_or_a_press_release_is_its_subject_or_its_headline() {
        let letter = "COUNCIL OF THE BIGHT\nCommittee\n\n15 May 2024\n\nTo: Head of Section\n\
                      Re: Advice on the quota\n\nDear Ms Vik,\n";
        assert_eq!(
            reference_line(letter).as_deref(),
            Some("Advice on the quota")
        );
        assert_eq!(reference_line("Notes\nRe: Advice\n"), None);
        let release = "PRESS RELEASE - for immediate release\nWESTERN FISHERS' ASSOCIATION OF \
                       LORVIK\nLorvik, 10 \
                       October 2024\n\nHERRING IS BACK AGAIN\n\nThere is more herring.\n";
        let title = "Press release: HERRING IS BACK AGAIN";
        assert_eq!(headline(release).as_deref(), Some(title));
        assert_eq!(
            headline("PRESS RELEASE\nThere is more herring this year.\n"),
            None
        );
    }

    #[test]
    fn address_at_the_head_of_a_letter_is_no_title() {
        let letter = "4 Mill Lane\nKehrfeld\n\n28 May 2022\n\nDear Ms Vik,\n\nI object.\n";
        let title = |name: &str, text: &str| title_of_letter(Path::new(name), text);
        let named = title("08-objection-letter.txt", letter);
        assert_eq!(named.as_deref(), Some("Objection letter"));
        assert_eq!(title("8.txt", letter).as_deref(), Some("Dear Ms Vik"));
        let with_subject = letter.replace("Vik,\n", "Vik,\n\nThe new pumps of the mill\n");
        let subject = title("8.txt", &with_subject);
        assert_eq!(subject.as_deref(), Some("The new pumps of the mill"));
        let signed = letter.replace("4 Mill Lane", "Ann Hale");
        let named = title("08-objection-letter.txt", &signed);
        assert_eq!(named.as_deref(), Some("Objection letter"));
        let headed = letter.replace("4 Mill Lane", "The pumps of the mill");
        assert_eq!(title("8.txt", &headed), None);
        assert_eq!(title("8.txt", "4 Mill Lane\n\nIt was sold.\n"), None);
        for (line, expected) in [
            ("Hafenstr. 14", true),
            ("Pumps 2024", false),
            ("Weg", false),
        ] {
            assert_eq!(is_address(line), expected, "{line}");
        }
    }

    #[test]
    fn letterhead_need_not_be_in_capitals() {
        let path = Path::new("a.txt");
        for (text, expected) in [
            (
                "Lorvik Harbour Office\nMinutes of the Working Group on Dredging, 12 \
                 March 2024, 14:00-15:10, room 2\n\nPresent: Ann\n",
                "Minutes of the Working Group on Dredging, 12 March 2024",
            ),
            (
                "Lorvik Harbour Office\nReport on dredging\n",
                "Report on dredging",
            ),
            (
                "LORVIK CONSULTING\nTraffic study for Moe Ltd\nFinal report, 16 April 2026      \
                 Page 1 of 2\n",
                "Traffic study for Moe Ltd",
            ),
            (
                "Traffic study for Moe\nFinal report, 16 April 2026\n",
                "Traffic study for Moe",
            ),
            (
                "Heat pumps in the school\nReport of the board\n",
                "Heat pumps in the school",
            ),
        ] {
            assert_eq!(title(path, text), expected);
        }
        let letter = "Lorvik Medical GmbH\nHafenstr. 14\n\nTo the Head of Section\n\n\
                      Subject: Advice on the lift\n\nDear Ms Vik,\n";
        assert_eq!(
            reference_line(letter).as_deref(),
            Some("Advice on the lift")
        );
    }

    #[test]
    fn short_first_line_is_the_title() {
        let path = Path::new("some_notes.txt");
        assert_eq!(title(path, "\n=====\n Heat pumps \n=====\n"), "Heat pumps");
        assert_eq!(title(path, "* Notes\n"), "Notes");
        assert_eq!(title(path, &"word ".repeat(40)), "Some notes");
        assert_eq!(title(path, "\n---\n"), "Some notes");
        assert_eq!(title(path, "The treasurer is Jane Miller.\n"), "Some notes");
        assert_eq!(title(path, "On heat pumps.\n"), "On heat pumps.");
        for notice in [
            "*** THIS PRESS RELEASE IS WITHDRAWN ***",
            "DRAFT",
            "This memo is obsolete.",
        ] {
            let text = format!("{notice}\n\nHeat pumps\n");
            assert_eq!(title(path, &text), "Heat pumps");
        }
        assert_eq!(
            title(path, "DRAFT RULES OF THE CLUB\n"),
            "DRAFT RULES OF THE CLUB"
        );
    }

    #[test]
    fn title_below_a_letterhead_is_that_of_the_document() {
        let path = Path::new("some_notes.txt");
        for (text, expected) in [
            (
                "CROWN SERVICES\nReport of examination - lift\n",
                "Report of examination - lift",
            ),
            (
                "HALLAM LTD\nInvoice No. HR-26\nDate: 4 May 2026\n",
                "Invoice No. HR-26",
            ),
            (
                "Lorvik Town Council\nSchools Committee\nMinutes of the meeting of 18 June 2025 \
                 (item 4: meals)\n",
                "Minutes of the meeting of 18 June 2025 (item 4: meals)",
            ),
            (
                "ACME\nUnit 4\n\nOffer no. 7       26 March 2026\n",
                "Offer no. 7",
            ),
            ("COUNTY COUNCIL\nOrder No. 417\n", "Order No. 417"),
            (
                "COUNTY COUNCIL\nBRIDGE OFFICE\n\nORDER No. 2024/03\nMILL LANE\n",
                "ORDER No. 2024/03",
            ),
            (
                "COUNTY - OFFICE\nINSTRUCTION 5: INSPECTION OF BRIDGES\n",
                "INSTRUCTION 5: INSPECTION OF BRIDGES",
            ),
            (
                "STADTRAT KEHRFELD\nNiederschrift der Sitzung vom 27. Juni 2023\n",
                "Niederschrift der Sitzung vom 27. Juni 2023",
            ),
            ("ACME\nInvoice\n", "ACME"),
            (
                "ACME\nMemo: keys of the store\nTo: all wardens\nDate: 3 June 2026\n",
                "Memo: keys of the store",
            ),
            ("ACME\nReport: all is well\n", "ACME"),
            ("ACME\nSubject: keys\nTo: all wardens\n", "ACME"),
            ("ACME\nThe report of March is late.\n", "ACME"),
            ("SERVICE CONTRACT\nContract No. 7\n", "SERVICE CONTRACT"),
            ("Acme Ltd\nInvoice No. 7\n", "Invoice No. 7"),
            ("Acme pumps\nInvoice No. 7\n", "Acme pumps"),
            ("ACME\nA\nB\nC\nInvoice No. 7\n", "ACME"),
        ] {
            assert_eq!(title(path, text), expected, "{text}");
        }
    }

    #[test]
    fn labelled_lines_give_author_and_date() {
        let text = b"T\n:Author: Ann\n:Date: 2020-01\n";
        let document = read(&Input::of_bytes(&KIND, "a.txt", text, 1000)).unwrap();
        assert_eq!(document.author.as_deref(), Some("Ann"));
        assert_eq!(document.date.as_deref(), Some("2020-01"));
        let header = b"PEP: 9001\nTitle: Queues\nStatus: Draft\n\nQueues are proposed.\n";
        let document = read(&Input::of_bytes(&KIND, "a.txt", header, 1000)).unwrap();
        assert_eq!(document.title, "PEP 9001: Queues");
    }
}
