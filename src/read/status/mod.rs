//! The status of a document in its life cycle (draft, in force, withdrawn, superseded …): read from
//! its front matter, its header, its section "Status", its title, or a notice at its top.
//!
//! Headers are those of PEPs and RFCs (`Status: Withdrawn`), of architecture decision records
//! (`## Status` and the lines below it, or a row of a table) and of front matter (`draft: true`).
//! A notice counts only where it is about the document itself: a line such as `DEPRECATED`, or a
//! sentence such as "This document is obsolete".

mod german;
mod notice;
pub(super) mod retraction;
mod words;

use std::collections::BTreeSet;

use pulldown_cmark::{Event, Parser};

use self::notice::{
    is_banner, may_be_notice, notice_in, of_title, predecessor_ended_in, predecessor_in,
};
use self::words::{Statement, successor_in};

use super::{designation, metadata};
use crate::artifact::source::{DocumentStatus, Lifecycle};
use crate::text;

/// The lines after the front matter that are looked at; as many as for other metadata.
const HEAD_LINES: usize = 40;

/// The paragraphs at the top in which a notice counts; chosen by hand: a title, a header, a line on
/// the authors, and a few boxes.
const NOTICE_PARAGRAPHS: usize = 8;

/// The maximum length of a line that is looked at, in characters.
const LINE_CHARACTERS: usize = 1000;

/// The maximum length of a label, in bytes.
const LABEL_BYTES: usize = 40;

/// The maximum length of a status as written, in characters.
const STATED_CHARACTERS: usize = 200;

/// The labels of a header in English and German, with `-` and `_` as blanks.
const STATUS_LABELS: &[&str] = &[
    "status",
    "current status",
    "doc status",
    "document status",
    "note on status",
    "state",
    "status note",
    "bearbeitungsstand",
    "dokumentstatus",
];
const VERSION_LABELS: &[&str] = &["version", "document version", "revision", "fassung"];
const SUCCESSOR_LABELS: &[&str] = &[
    "superseded by",
    "superceded by",
    "obsoleted by",
    "replaced by",
    "replacement",
    "succeeded by",
    "successor",
    "abgelöst durch",
    "ersetzt durch",
    "nachfolger",
];

const PREDECESSOR_LABELS: &[&str] = &[
    "supersedes",
    "supercedes",
    "obsoletes",
    "replaces",
    "ersetzt",
];

/// The keys of front matter that are a stage where their value is true.
const FLAGS: &[&str] = &["draft", "withdrawn", "deprecated", "obsolete", "archived"];

/// The values of a header that say that there is none.
const NO_VALUE: &[&str] = &[
    "", "-", "–", "~", "n/a", "none", "null", "tbd", "false", "kein", "keine", "keiner",
];

/// The status of a document by its title and its clean text.
pub(super) fn of(title: &str, text: &str) -> DocumentStatus {
    let head = Head::of(text);
    let mut statements: Vec<Statement> = [head.header(), head.section(), of_title(title)]
        .into_iter()
        .chain([head.flag(), head.notice()])
        .flatten()
        .collect();
    // A document may say "published" for the site that it is on and "obsolete" for itself, and
    // "draft" in its header and "withdrawn" above it.
    let first = |is: fn(&Statement) -> bool| statements.iter().position(is);
    let number = first(Statement::is_ended).or_else(|| first(Statement::is_not_in_force));
    let number = number.unwrap_or(0);
    let statement = (!statements.is_empty()).then(|| statements.swap_remove(number));
    let successor = head.value(SUCCESSOR_LABELS);
    let mut lifecycle = statement.as_ref().and_then(|one| one.lifecycle);
    if successor.is_some() && lifecycle.is_none_or(|one| one == Lifecycle::InForce) {
        lifecycle = Some(Lifecycle::Superseded);
    }
    let is_superseded = lifecycle.is_some_and(|one| one != Lifecycle::InForce);
    let named = statement
        .as_ref()
        .and_then(|one| successor_in(&one.stated))
        .or_else(|| head.successor());
    let with_series = |names: String| {
        let series = designation::designation(text).map(|designation| designation.series);
        with_series(&names, series)
    };
    DocumentStatus {
        supersedes: head
            .value(PREDECESSOR_LABELS)
            .or_else(|| head.predecessor())
            .map(with_series),
        retracts: None,
        superseded_by: successor
            .or(named.filter(|_| is_superseded))
            .map(with_series),
        stated: statement.map(|one| text::truncate(&one.stated, STATED_CHARACTERS).to_owned()),
        lifecycle,
        version: head
            .value(VERSION_LABELS)
            .filter(|own| own.len() <= 40 && own.contains(|c: char| c.is_ascii_digit()))
            .or_else(|| metadata::edition(text).map(str::to_owned)),
    }
}

/// `true` for a line above the title of a plain text that says that the document is not in force,
/// and nothing else.
pub(super) fn is_notice_line(line: &str) -> bool {
    is_banner(text::truncate(line.trim(), LINE_CHARACTERS))
}

/// The top of a text.
struct Head<'a> {
    front: &'a str,
    /// The first lines after the front matter, without those of code.
    lines: Vec<&'a str>,
    /// The labels and values in these lines.
    fields: Vec<(String, &'a str)>,
    /// Those of the first paragraphs that may be notices, as plain text.
    notices: Vec<String>,
    /// The same of the numbered clauses in these lines, without their numbers.
    clauses: Vec<String>,
}

impl<'a> Head<'a> {
    fn of(text: &'a str) -> Self {
        let front = metadata::front_matter(text).unwrap_or_default();
        let fences = if front.is_empty() { 0 } else { 2 };
        let body = text.lines().skip(front.lines().count() + fences);
        let mut is_code = false;
        let lines = body.take(HEAD_LINES).filter(|line| {
            let is_fence = line.trim_start().starts_with("```");
            is_code ^= is_fence;
            !is_code && !is_fence
        });
        let mut lines: Vec<&str> = lines
            .map(|line| text::truncate(line, LINE_CHARACTERS))
            .collect();
        lines.truncate(records_begin(text, &lines).unwrap_or(lines.len()));
        let fields = lines.iter().filter_map(|line| field(line));
        let (items, paragraphs) = paragraphs(&lines);
        let notices = paragraphs.into_iter().take(NOTICE_PARAGRAPHS);
        let notices = notices.filter(|paragraph| may_be_notice(paragraph));
        let clauses = items.iter().filter(|item| may_be_notice(item));
        Self {
            front,
            notices: notices.map(|paragraph| plain(&paragraph)).collect(),
            clauses: clauses.filter_map(|item| clause(item)).collect(),
            fields: fields
                .filter(|(name, _)| name.len() <= LABEL_BYTES)
                .map(|(name, value)| (label(name), value))
                .collect(),
            lines,
        }
    }

    /// The value of the first line with one of these labels, in the front matter or below it.
    fn value(&self, labels: &[&str]) -> Option<String> {
        let in_front = self.front.lines().find_map(|line| {
            let name = line
                .split([':', '='])
                .next()
                .filter(|name| labels.contains(&label(name).as_str()))?;
            metadata::front_value(self.front, &[name.trim()])
        });
        let below = || {
            let mut fields = self.fields.iter();
            let (_, value) = fields.find(|(name, _)| labels.contains(&name.as_str()))?;
            Some((*value).to_owned())
        };
        let value = plain(&in_front.or_else(below)?);
        let is_none = NO_VALUE.contains(&value.to_lowercase().as_str());
        (!is_none).then_some(value)
    }

    /// The status in the header.
    fn header(&self) -> Option<Statement> {
        if self.value(&["intended status"]).is_some() {
            // An Internet-Draft says what it is to become.
            return Some(Statement::of_words("Internet-Draft".to_owned()));
        }
        let statement = Statement::of_words(self.value(STATUS_LABELS)?);
        // Other things have a status, too: "200 OK".
        statement.lifecycle.is_some().then_some(statement)
    }

    /// A key of the front matter that is true.
    fn flag(&self) -> Option<Statement> {
        let is_true = |flag: &&&str| {
            metadata::front_value(self.front, &[flag]).is_some_and(|value| value == "true")
        };
        FLAGS
            .iter()
            .find(is_true)
            .map(|flag| Statement::of_words((*flag).to_owned()))
    }

    /// The lines of the section on the status.
    fn section_lines(&self) -> impl Iterator<Item = String> {
        let is_status = |number: &usize| {
            let heading = heading(&self.lines, *number).unwrap_or_default();
            heading.trim_end_matches(':').eq_ignore_ascii_case("status")
        };
        let start = (0..self.lines.len()).find(is_status);
        let start = start.map_or(self.lines.len(), |heading| heading + 1);
        (start..self.lines.len())
            .take_while(|number| heading(&self.lines, *number).is_none())
            .map(|number| plain(self.lines[number].trim_start_matches(['-', '*', '+', '>', ' '])))
            .filter(|line| line.contains(char::is_alphanumeric))
    }

    /// The document that this one replaces by its section on the status, `Supersedes ADR-3`, or by
    /// a sentence at its top.
    fn predecessor(&self) -> Option<String> {
        let by_section = self.section_lines().find_map(|line| {
            let (verb, name) = line.split_once(' ')?;
            let is_verb = PREDECESSOR_LABELS.contains(&verb.to_lowercase().as_str());
            is_verb.then(|| name.trim_matches(['.', '[', ']']).to_owned())
        });
        let clauses = || self.notices.iter().chain(&self.clauses);
        by_section
            .or_else(|| clauses().find_map(|clause| predecessor_in(clause)))
            .or_else(|| clauses().find_map(|clause| predecessor_ended_in(clause)))
    }

    /// The successor that one of the notices names.
    fn successor(&self) -> Option<String> {
        let mut notices = self.notices.iter().filter_map(|text| notice_in(text));
        notices.find_map(|notice| successor_in(&notice.stated))
    }

    /// The status in a section of that name: its first line, unless a later one ends it.
    fn section(&self) -> Option<Statement> {
        let mut statements: Vec<Statement> = self
            .section_lines()
            .map(Statement::of_words)
            .filter(|one| one.lifecycle.is_some())
            .collect();
        let end = statements.iter().position(Statement::is_ended);
        (!statements.is_empty()).then(|| statements.swap_remove(end.unwrap_or(0)))
    }

    /// A notice about the document: the first one, unless a later one ends it.
    fn notice(&self) -> Option<Statement> {
        let notices = self.notices.iter();
        let mut notices: Vec<Statement> = notices.filter_map(|text| notice_in(text)).collect();
        let end = notices.iter().position(Statement::is_ended);
        (!notices.is_empty()).then(|| notices.swap_remove(end.unwrap_or(0)))
    }
}

/// The number of the line at which the first of several records begins, each under a heading with
/// a status of its own, as in a log of decisions: it is not that of the document.
fn records_begin(text: &str, lines: &[&str]) -> Option<usize> {
    let level = |line: &str| {
        let level = line.len() - line.trim_start_matches('#').len();
        (level > 0 && line[level..].starts_with(' ')).then_some(level)
    };
    let is_status = |line: &str| {
        field(line).is_some_and(|(name, _)| STATUS_LABELS.contains(&label(name).as_str()))
    };
    let status = lines.iter().position(|line| is_status(line))?;
    let begin = lines[..status]
        .iter()
        .rposition(|line| level(line).is_some())?;
    let own = level(lines[begin])?;
    let mut records = BTreeSet::new();
    let mut heading = None;
    for (number, line) in text.lines().enumerate() {
        match level(line) {
            // A deeper heading stays within the record, a higher one ends it.
            Some(other) if other <= own => heading = (other == own).then_some(number),
            _ if is_status(line) => records.extend(heading),
            _ => {}
        }
    }
    (records.len() > 1).then_some(begin)
}

/// The text of a line that is a heading: after `#`, or with a line of marks below it.
fn heading<'a>(lines: &[&'a str], number: usize) -> Option<&'a str> {
    let line = lines[number].trim();
    let is_underline = |line: &&str| {
        let marks = line.trim_end();
        marks.len() >= 3
            && ['=', '-', '~', '^']
                .iter()
                .any(|mark| marks.chars().all(|c| c == *mark))
    };
    if line.starts_with('#') {
        return Some(line.trim_matches(['#', ' ']));
    }
    let below = lines.get(number + 1).filter(|below| is_underline(below));
    below.and((!line.is_empty()).then_some(line))
}

/// The items of lists in some lines, and the other paragraphs. A heading is one if it may be a
/// sentence on this document.
fn paragraphs(lines: &[&str]) -> (Vec<String>, Vec<String>) {
    let mut paragraphs: Vec<String> = vec![String::new()];
    for (number, line) in lines.iter().enumerate() {
        let line = line.trim_start_matches(['>', ' ', '\t']);
        let title = heading(lines, number);
        let is_apart = line.is_empty() || title.is_some();
        if let Some(sentence) = title.filter(|title| text::is_notice(title)) {
            paragraphs.extend([sentence.to_owned(), String::new()]);
            continue;
        }
        match paragraphs.last_mut() {
            Some(last) if !is_apart => last.extend([" ", line]),
            Some(last) if last.is_empty() => {}
            _ => paragraphs.push(String::new()),
        }
    }
    let paragraphs = paragraphs.into_iter();
    paragraphs.partition(|paragraph| is_item(paragraph.trim()))
}

/// The text of a numbered clause, "1. Order No. 7 is revoked", without the number; `None` for any
/// other item.
fn clause(item: &str) -> Option<String> {
    let item = item.trim();
    let rest = item.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = rest.strip_prefix(". ").filter(|_| rest.len() < item.len());
    rest.map(plain)
}

/// `true` for an item of a list, whose words are about something else than the document.
fn is_item(paragraph: &str) -> bool {
    let number = paragraph.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ ", "|"]
        .iter()
        .any(|mark| paragraph.starts_with(mark))
        || (number.len() < paragraph.len() && number.starts_with(". "))
}

/// The label and the value of a line of a header, or of a row of a table with two cells.
fn field(line: &str) -> Option<(&str, &str)> {
    let Some(row) = line.trim().strip_prefix('|') else {
        let (label, value) = metadata::labelled(line)?;
        return Some((label, value.split("   ").next()?));
    };
    let mut cells = row
        .trim_end_matches('|')
        .split('|')
        .map(|cell| cell.trim_matches(['*', ' ']));
    let pair = (cells.next()?, cells.next()?);
    cells.next().is_none().then_some(pair)
}

/// A label as labels compare.
fn label(name: &str) -> String {
    let name = name.trim().to_lowercase();
    name.replace(['-', '_'], " ")
}

/// The text of inline Markdown, on one line: links are reduced to their text.
fn plain(markdown: &str) -> String {
    // A word in front keeps `5. Use it` from being an item of a list.
    let guarded = format!("x {}", text::truncate(markdown.trim(), LINE_CHARACTERS));
    let mut plain = String::new();
    for event in Parser::new(&guarded) {
        match event {
            Event::Text(text) | Event::Code(text) => plain.push_str(&text),
            Event::SoftBreak | Event::HardBreak => plain.push(' '),
            _ => {}
        }
    }
    let plain = text::one_line(&plain);
    let plain = plain.strip_prefix('x').unwrap_or(&plain).trim();
    let is_bracketed = plain.starts_with('[') && plain.ends_with(']');
    let plain = if is_bracketed {
        &plain[1..plain.len() - 1]
    } else {
        plain
    };
    text::without_controls(plain.trim()).into_owned()
}

/// Names of documents, of which numbers alone get the series of the document that names them:
/// `PEP 3146`.
fn with_series(names: &str, series: Option<&str>) -> String {
    let name = |name: &str| {
        let name = name.trim();
        let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        match series.filter(|_| is_number) {
            Some(series) => format!("{} {name}", series.to_uppercase()),
            None => name.to_owned(),
        }
    };
    let names: Vec<String> = names.split(',').map(name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The remark on a document, its status as written, and its version.
    fn remark(title: &str, text: &str) -> Option<String> {
        of(title, text).remark()
    }

    #[test]
    fn headers_give_the_status() {
        for (text, expected) in [
            (
                "PEP: 9001\nTitle: A\nStatus: Withdrawn\n\nText.\n",
                Some("withdrawn"),
            ),
            (
                "PEP: 9001\nStatus: Final\nSuperseded-By: 9002\n",
                Some("superseded by PEP 9002"),
            ),
            (
                "Order No. 7\n\nSuperseded by Order No. 2024/03\n\nText.\n",
                Some("superseded by Order No. 2024/03"),
            ),
            (
                "Request for Comments: 90      J. Doe\nObsoleted by: 91      May 2001\n",
                Some("superseded by RFC 91"),
            ),
            ("PEP: 9001\nStatus: Final\nReplaces: 8999\n", None),
            ("Status: Draft Standard\n", None),
            ("# A\n\n- **Status:** Accepted\n", None),
            ("# A\n\n* Status: proposed\n", Some("draft")),
            (
                "---\nstatus: deprecated\nsuperseded_by: [\"New guide\"]\n---\n\n# A\n",
                Some("deprecated, superseded by New guide"),
            ),
            ("+++\nstatus = \"rejected\"\n+++\n\n# A\n", Some("rejected")),
            ("---\ntitle: A\ndraft: true\n---\n\nText.\n", Some("draft")),
            (
                "---\ntitle: A\ndraft: false\nsuperseded-by: null\n---\n\nText.\n",
                None,
            ),
            (
                "# A\n\n| Status | Superseded by [ADR-7](7.md) |\n|---|---|\n| Date | 2020 |\n",
                Some("superseded by ADR-7"),
            ),
            (
                "| Case | Status | Owner |\n|---|---|---|\n| 1 | rejected | Ann |\n",
                None,
            ),
            ("# A\n\n```\nStatus: Rejected\n```\n", None),
            ("Status: 200 OK\n", None),
            ("Status: not yet approved\n", Some("draft")),
            ("Status: no longer in force\n", Some("obsolete")),
            (
                "# A\n\nRULES OF THE CLUB\nof 1998\n(no longer in force; see those of 2024)\n",
                Some("obsolete"),
            ),
            ("RULES OF THE CLUB\n(all of them are in force)\n", None),
            (
                "Status: proposed | accepted | rejected | deprecated | superseded by ADR-5\n",
                None,
            ),
        ] {
            assert_eq!(remark("A", text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn section_of_a_decision_record_gives_the_status() {
        for (text, expected) in [
            (
                "# 3. Use A\n\n## Status\n\nAccepted\n\n## Context\n\nB was superseded.\n",
                None,
            ),
            (
                "# 3. Use A\n\n## Status\n\nAccepted\n\nSuperceded by [5. Use `B` for c](5.md)\n",
                Some("superseded by 5. Use B for c"),
            ),
            (
                "3. Use A\n=========\n\nStatus\n------\n\nSuperseded by [ADR-12], since 2020.\n",
                Some("superseded by ADR-12"),
            ),
            ("# A\n\n## Status\n\nProposed\n", Some("draft")),
            (
                "# A\n\n## Status codes\n\nRejected requests have 403.\n",
                None,
            ),
        ] {
            assert_eq!(remark("A", text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn notices_and_titles_give_the_status() {
        for (title, text, expected) in [
            (
                "A",
                "# A\n\n> **This document is obsolete.** See the new one.\n",
                Some("obsolete"),
            ),
            (
                "A",
                "# A\n\nThis guide has been superseded by\nthe Guide to B, and stays as it is.\n",
                Some("superseded by the Guide to B"),
            ),
            ("A", "# A\n\n**DEPRECATED**\n\nText.\n", Some("deprecated")),
            (
                "A",
                "DEPRECATED in favour of RFC 12. Do not use it.\n",
                Some("deprecated, superseded by RFC 12"),
            ),
            ("A", "# A\n\nThis is an early draft.\n", Some("draft")),
            (
                "A",
                "# A\n\nThis page is no longer maintained.\n",
                Some("obsolete"),
            ),
            ("[DEPRECATED] A", "Text.\n", Some("deprecated")),
            ("A (draft)", "Text.\n", Some("draft")),
            (
                "A",
                "---\nstatus: published\n---\n\n_This policy is withdrawn._\n",
                Some("withdrawn"),
            ),
            (
                "A",
                "In short this RFC was superseded by RFC 2.\n",
                Some("superseded by RFC 2"),
            ),
            (
                "A",
                "# A\n\nSuperseded by the tool loan policy of 2025.\n\nText.\n",
                Some("superseded by the tool loan policy of 2025"),
            ),
            (
                "A",
                "# A\n\n> **Superseded** by loans.md\n",
                Some("superseded by loans.md"),
            ),
            (
                "A",
                "# A\n\nThis price list is superseded by the list of 2025 and no longer valid.\n",
                Some("superseded by the list of 2025"),
            ),
            (
                "A",
                "# A\n\nNo longer in force since 1 July 2025.\n",
                Some("obsolete"),
            ),
            (
                "A",
                "# A\n\nEdition 3, May 2022. **Superseded by Edition 4 of 1 March 2025.**\n",
                Some("superseded by Edition 4"),
            ),
            (
                "A",
                "# A\n\nReplaced by his brother, he left in 2025.\n",
                None,
            ),
        ] {
            assert_eq!(remark(title, text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn banners_give_the_strongest_stage() {
        for (text, expected) in [
            (
                "*** THIS PRESS RELEASE IS WITHDRAWN ***\n\nA\n",
                "withdrawn",
            ),
            ("This press release is withdrawn.\n\nA\n", "withdrawn"),
            ("*** WITHDRAWN ***\n\nA\n", "withdrawn"),
            (
                "*** DRAFT - NOT FOR CITATION - WITHDRAWN ON 3 NOVEMBER 2023 ***\n\nA\n",
                "withdrawn",
            ),
            ("DRAFT - NOT FOR CITATION\n\nA\n", "draft"),
            (
                "DRAFT\n\nA\n\nThis study has been withdrawn.\n",
                "withdrawn",
            ),
            ("A\nStatus: draft\n\nThis order is obsolete.\n", "obsolete"),
        ] {
            assert_eq!(remark("A", text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn retracted_and_preprint_are_words_of_their_own() {
        for (title, text, expected) in [
            ("RETRACTED: A", "# RETRACTED: A\n\nIt works.\n", "retracted"),
            (
                "A",
                "# A\n\nThis article has been retracted by the editor.\n",
                "retracted",
            ),
            ("A (preprint)", "# A (preprint)\n\nIt works.\n", "preprint"),
            ("A", "# A\n\nStatus: preprint\n\nIt works.\n", "preprint"),
            (
                "A",
                "# A\n\nThis article is a preprint and has not been peer reviewed.\n",
                "preprint",
            ),
            (
                "A (preprint)",
                "# A (preprint)\n\nStatus: preprint\n\nThis preprint has been superseded by the \
                 published version in J Heat.\n",
                "superseded by the published version in J Heat",
            ),
            (
                "A",
                "---\nstatus: superseded by Advice to the board, version 2\n---\n# A\n",
                "superseded by Advice to the board, version 2",
            ),
            (
                "A",
                "# A\n\nSuperseded by the note of 22 May 2026, version 2\n",
                "superseded by the note of 22 May 2026, version 2",
            ),
            (
                "A",
                "# A\n\nThis note is superseded by Advice, which is shorter.\n",
                "superseded by Advice",
            ),
        ] {
            assert_eq!(remark(title, text).as_deref(), Some(expected), "{text}");
        }
        let text =
            "# A\n\nAn earlier version was posted as a preprint; this article replaces it.\n";
        assert_eq!(remark("A", text), None);
    }

    #[test]
    fn what_became_of_an_approved_document_gives_its_status() {
        let approved = "# A\n\n## This RFC was previously approved, but later **withdrawn**\n\n";
        for (text, expected) in [
            (approved.to_owned(), Some("withdrawn")),
            (
                format!("{approved}In short this RFC was superseded by RFC 2.\n"),
                Some("withdrawn, superseded by RFC 2"),
            ),
            (approved.replace("later", "part of it later"), None),
            (
                "# A\n\n> ⚠ This RFC has mostly been superseded ⚠\n".to_owned(),
                Some("superseded"),
            ),
            (
                "## UPDATE\n\nThe team ultimately [decided to retract this RFC][1].\n".to_owned(),
                Some("withdrawn"),
            ),
            (
                "# A\n\nThe team may retract this RFC if nobody uses it.\n".to_owned(),
                None,
            ),
            (
                "# A\n\n## This retracts nothing\n\nText.\n".to_owned(),
                None,
            ),
        ] {
            assert_eq!(remark("A", &text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn sentence_at_the_top_names_what_a_document_replaces() {
        for (text, expected) in [
            (
                "# A\n\nIn force from 1 July. It replaces the loan policy of 2021.\n",
                Some("the loan policy of 2021"),
            ),
            ("# A\n\nThis guide supersedes RFC 9.\n", Some("RFC 9")),
            (
                "# A\n\nEdition 4, in force from 1 March 2025. Replaces Edition 3 (2022).\n",
                Some("Edition 3"),
            ),
            (
                "A\n\nThis order replaces Order No. 2022/07.\n",
                Some("Order No. 2022/07"),
            ),
            (
                "A\n\nThis order revokes and replaces Order No. 2022/07 of 4 April 2022.\n",
                Some("Order No. 2022/07"),
            ),
            (
                "A\n\n1. Order No. 2022/07 of 4 April 2022 is revoked and replaced by this \
                 order.\n\n2. It is so.\n",
                Some("Order No. 2022/07"),
            ),
            ("A\n\nOrder No. 7 is hereby revoked.\n", Some("Order No. 7")),
            ("A\n\nOrder No. 7 is revoked by the court.\n", None),
            ("A\n\n2. Pump 7 is replaced by this time next year.\n", None),
            ("# A\n\nThis pump replaces the boiler.\n", None),
            ("# A\n\nThe board replaces the treasurer.\n", None),
        ] {
            let replaced = of("A", text).supersedes;
            assert_eq!(replaced.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn words_on_other_things_give_no_status() {
        for (title, text) in [
            (
                "A",
                "# A\n\nThis document describes the deprecated functions.\n",
            ),
            ("A", "# A\n\nThis function is deprecated.\n"),
            (
                "A",
                "# Changes\n\n## Deprecated\n\n- Deprecated: the old call.\n",
            ),
            ("A", "# A\n\n- [Rejected](#rejected)\n- [Draft](#draft)\n"),
            (
                "Deprecated functions",
                "Deprecated functions are listed here.\n",
            ),
            (
                "A",
                "An earlier one exists. This RFC was rejected with a note.\n",
            ),
            (
                "A",
                "The part that is the core of this proposal is rejected.\n",
            ),
            ("A", "This was replaced with slices.\n"),
        ] {
            assert_eq!(remark(title, text), None, "{text}");
        }
        let far = format!(
            "# A\n\n{}This document is obsolete.\n",
            "Text.\n\n".repeat(30)
        );
        assert_eq!(remark("A", &far), None);
    }

    #[test]
    fn status_and_version_are_kept_as_written() {
        let status = of(
            "A",
            "# A\n\nVersion: 2.1 (May)\nStatus: Approved by the board\n",
        );
        assert_eq!(status.stated.as_deref(), Some("Approved by the board"));
        assert_eq!(status.lifecycle, Some(Lifecycle::InForce));
        assert_eq!(status.version.as_deref(), Some("2.1 (May)"));
        assert!(of("A", "Text.\n").is_empty());
        for (text, supersedes) in [
            ("PEP: 9\nReplaces: 7, 8\n", "PEP 7, PEP 8"),
            (
                "## Status\n\nAccepted\n\nSupersedes [3. Use A](0003-a.md)\n",
                "3. Use A",
            ),
        ] {
            assert_eq!(of("A", text).supersedes.as_deref(), Some(supersedes));
            assert_eq!(remark("A", text), None);
        }
    }

    #[test]
    fn hostile_text_is_read_within_limits() {
        let long = format!("Status: {}\u{1b}[31m", "[".repeat(5_000_000));
        assert!(of("A", &long).is_empty());
        let status = of("(", "---\n---\nStatus: rejected \u{1b}[31m\n");
        assert_eq!(status.stated.as_deref(), Some("rejected \u{fffd}[31m"));
        for text in [
            "---\n",
            "|",
            "||\n|",
            ":",
            "#\n#\n---",
            "Superseded by:",
            "\u{feff}: x",
        ] {
            of(text, text);
        }
    }
}
