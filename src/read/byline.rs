//! The date in a line near the top of a document that says by whom and when it was written: "Dan
//! Whitlock, 28 May 2026", "Issued by the agency on 30 March 2026", in English and German.

use super::dates::{month, plain_dates, written_date};
use crate::text;

/// The number of lines with text, titles aside, among which it is.
const LINES: usize = 4;

/// The longest line, and the most words before the date, in words. Chosen by hand: a line of a
/// letterhead may hold several parts, and a sentence says more than when it was written.
const LINE_WORDS: usize = 24;
const WORDS_BEFORE: usize = 8;

/// The characters of a line that are looked at: one of a hostile text may be all of it.
const LINE_CHARACTERS: usize = 400;

/// The number of words of a date alone: "Thursday, 12 March 2026".
const DATE_WORDS: usize = 4;

/// Words before the day of a document, folded; a closed list, written by hand.
const WRITTEN: &[&str] = &[
    "adopted",
    "agree",
    "agreed",
    "amended",
    "approved",
    "concluded",
    "dated",
    "issued",
    "posted",
    "published",
    "revised",
    "signed",
    "updated",
    "written",
    "ausgestellt",
    "beschlossen",
    "erlassen",
    "geandert",
    "genehmigt",
    "herausgegeben",
    "unterzeichnet",
    "verabschiedet",
    "verfasst",
    "verkundet",
    "veroffentlicht",
];

/// Words before the day of something else.
const OTHER: &[&str] = &[
    "contract",
    "due",
    "expires",
    "from",
    "of",
    "replaces",
    "supersedes",
    "until",
    "valid",
    "ab",
    "bis",
    "ersetzt",
    "gultig",
    "vertrag",
    "vom",
];

/// What a report is on, whose day is its own, and what a document is: "Date of trial: 4 March
/// 2026"; a closed list, written by hand.
const EVENTS: &[&str] = &[
    "assessment",
    "audit",
    "calibration",
    "certificate",
    "examination",
    "inspection",
    "interview",
    "invoice",
    "issue",
    "letter",
    "measurement",
    "meeting",
    "observation",
    "report",
    "sampling",
    "survey",
    "test",
    "trial",
    "visit",
    "ausstellung",
    "begehung",
    "besichtigung",
    "besprechung",
    "messung",
    "prufung",
    "sitzung",
    "untersuchung",
    "opening",
    "order",
];

/// What was done on the day of a document, if its line begins with that: "Inspected on 14 September
/// 2023", "Inspection on 22 January 2025"; what was opened or printed may be of another day. A
/// closed list, written by hand.
const DONE_ON: &[&str] = &[
    "besichtigt",
    "aufgezeichnet",
    "examined",
    "gepruft",
    "inspected",
    "inspection",
    "made",
    "recorded",
    "surveyed",
    "tested",
    "untersucht",
    "visited",
];

/// Documents, and what they are minutes of, before the German "vom" and their own day: "Fassung vom
/// 3. Juli 2023"; a closed list, written by hand.
const OF_DAY: &[&str] = &[
    "ausgabe",
    "bericht",
    "fassung",
    "niederschrift",
    "protokoll",
    "sitzung",
    "stand",
    "version",
];

/// The weekdays in German, folded.
const WEEKDAYS: &[&str] = &[
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonntag",
];

/// The number of lines with text of a head of labels and values, in which a day may be below those
/// lines: "Site: …", "Examined by: …", "Date of examination: …". Chosen by hand.
const HEAD_LINES: usize = 12;

/// The number of lines that begin with a day from which a text is a log. Chosen by hand.
const LOG_LINES: usize = 3;

/// Words of an entry of a log on what is to come, and the number of its first words among which
/// they are: "2031-01-01 Next check planned". Chosen by hand.
const ANNOUNCED: &[&str] = &["due", "next", "planned", "scheduled"];
const ANNOUNCED_WORDS: usize = 4;

/// The last day of a log, whose lines begin with the days of its entries, in whatever order.
fn date_of_log(text: &str) -> Option<String> {
    let days: Vec<&str> = body(text).filter_map(day_of_entry).collect();
    let last = days.iter().max().filter(|_| days.len() >= LOG_LINES)?;
    Some((*last).to_owned())
}

/// The day with which a line begins, with text behind it.
fn day_of_entry(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['-', '*', '+', '|', ' ']);
    let (day, behind) = line.split_at_checked("2026-03-12".len())?;
    let is_apart = behind.starts_with([' ', '\t', ':', '|']);
    let is_day = chrono::NaiveDate::parse_from_str(day, "%Y-%m-%d").is_ok();
    let is_ahead = || {
        let first = text::words(behind).take(ANNOUNCED_WORDS);
        first
            .into_iter()
            .any(|word| ANNOUNCED.contains(&text::fold(word.text).as_str()))
    };
    (is_apart && is_day && !is_ahead()).then_some(day)
}

/// A day that a line gives to its document.
struct OwnDay {
    day: String,
    /// `true` for the day from which it applies, and not that on which it was made.
    is_in_force: bool,
}

/// The first of several days on which a document was made, else the first from which it applies.
fn earliest_in_preference(days: impl Iterator<Item = OwnDay>) -> Option<String> {
    let days: Vec<OwnDay> = days.collect();
    let made = days.iter().find(|own| !own.is_in_force);
    made.or(days.first()).map(|own| own.day.clone())
}

/// The day on which a document was made, adopted or issued by a line near its top.
pub(super) fn day_of_issue(text: &str) -> Option<String> {
    let days = body(text).take(LINES).filter_map(date_of_line);
    let mut made = days.filter(|own| !own.is_in_force);
    made.next().map(|own| own.day)
}

/// `true` for words on the day from which a document applies: "in force from 1 March 2025".
pub(super) fn is_on_force(part: &str) -> bool {
    let words = text::folded(part);
    let has = |own: &str| words.iter().any(|word| word == own);
    let is_in_force = has("force") && (has("in") || has("into"));
    let is_in_kraft = has("kraft") || has("inkrafttreten");
    let is_valid = (has("valid") || has("gultig") || has("gilt")) && (has("from") || has("ab"));
    is_in_force || is_in_kraft || is_valid || has("effective") || has("effect")
}

/// The last day in such a line, to the day: what was amended is of the day of that.
pub(super) fn date(text: &str) -> Option<String> {
    if let Some(day) = date_of_log(text) {
        return Some(day);
    }
    // The lines of a letterhead in capitals do not count.
    let is_capitals =
        |line: &&str| !line.contains(|c: char| c.is_lowercase() || c.is_ascii_digit());
    let lines = || body(text).filter(|line| !is_capitals(line));
    let first = lines().take(LINES).filter_map(date_of_line);
    let day = earliest_in_preference(first).or_else(|| {
        let head = lines().take(HEAD_LINES).skip(LINES);
        let head = head.take_while(|line| line.contains(": "));
        head.filter(|line| has_year(line)).find_map(|line| {
            let line = plain_dates(text::truncate(line, LINE_CHARACTERS));
            Some(date_of_part(&line, false)?.day)
        })
    });
    day.or_else(|| date_of_letter(lines()))
}

/// The lines with text, titles aside.
pub(super) fn body(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The most words of a sentence below the title that ends with a month. Chosen by hand.
const MONTH_LINE_WORDS: usize = 11;

/// The month of a line below the title: that with which a short sentence at its end ends, "For
/// staff, September 2026", or in which a document was issued, "Published June 2018."
pub(super) fn month_below(title: &str, text: &str) -> Option<String> {
    let mut lines = body(text).filter(|line| *line != title);
    let first = text::truncate(lines.next()?, LINE_CHARACTERS);
    let last = first.rsplit(". ").next().unwrap_or_default();
    let further = lines.take(LINES - 1);
    let further = further.map(|line| text::truncate(line, LINE_CHARACTERS));
    let mut lines = std::iter::once(first).chain(further);
    month_at_end(last).or_else(|| lines.find_map(month_of_issue))
}

fn month_at_end(sentence: &str) -> Option<String> {
    let is_short =
        text::words(sentence).count() <= MONTH_LINE_WORDS && !sentence.contains([':', '|']);
    let (_, month) = sentence.rsplit_once(", ").filter(|_| is_short)?;
    month_alone(&month.split_whitespace().collect::<Vec<_>>())
}

/// The month in a part of a line that says no more than that something was issued in it:
/// "Published June 2018", "issued in May 2019".
fn month_of_issue(line: &str) -> Option<String> {
    let parts = line
        .split(". ")
        .flat_map(|part| part.split([',', ';', '(', ')']));
    parts.into_iter().find_map(|part| {
        let mut words = part.split_whitespace();
        let is_written = WRITTEN.contains(&text::fold(words.next()?).as_str());
        let words = words.skip_while(|word| matches!(*word, "in" | "im"));
        let month = month_alone(&words.collect::<Vec<_>>())?;
        is_written.then_some(month)
    })
}

/// The month that words are, and nothing else: "September 2026."
fn month_alone(words: &[&str]) -> Option<String> {
    let [name, year] = words else {
        return None;
    };
    let month = written_date(&format!("{name} {}", year.trim_end_matches('.')))?;
    (is_month(name) && month.len() == "2026-03".len()).then_some(month)
}

/// The most words of a line of an address above the day of a letter. Chosen by hand.
const ADDRESS_WORDS: usize = 8;

/// The most words of the town before the day of a letter.
const TOWN_WORDS: usize = 3;

/// The day of a letter below the addresses of two parties: "Kehrfeld, den 3. Juli 2023" or "3 July
/// 2023", as a line of its own.
fn date_of_letter<'a>(lines: impl Iterator<Item = &'a str>) -> Option<String> {
    let is_address = |line: &&str| text::words(line).count() <= ADDRESS_WORDS;
    let mut lines = lines.take(HEAD_LINES).take_while(is_address);
    lines.find_map(|line| {
        let line = plain_dates(line);
        let (town, day) = line.split_once(", ").unwrap_or(("", &line));
        // "Saturday, 13 June 2026" is mostly the day of what is announced.
        let is_town = !has_weekday(town)
            && town.split_whitespace().count() <= TOWN_WORDS
            && !town.contains(|c: char| c.is_ascii_digit() || c == ':');
        let words = text::folded(day);
        let bare = words.strip_prefix(&["den".to_owned()]).unwrap_or(&words);
        let is_date =
            |word: &String| word.starts_with(|c: char| c.is_ascii_digit()) || is_month(word);
        let is_alone = bare.len() <= DATE_WORDS && bare.iter().all(is_date);
        let day = written_date(day).filter(|day| day.len() == "2026-03-12".len())?;
        (is_town && is_alone).then_some(day)
    })
}

/// The most words of a sentence behind the one that is a day alone. Chosen by hand.
const BEHIND_DAY: usize = 3;

fn date_of_line(line: &str) -> Option<OwnDay> {
    let line = text::truncate(line, LINE_CHARACTERS);
    if !has_year(line) {
        return None;
    }
    // The cells of a table are on what its labels name.
    if line.starts_with('|') {
        return None;
    }
    let line = &*plain_dates(line);
    let first = line.split(". ").next().unwrap_or_default();
    let is_short = text::words(line).count() <= LINE_WORDS;
    let has_weekday = has_weekday(line);
    // Of a paragraph the first sentence may be one.
    let parts = if is_short { line } else { first };
    let parts = parts.split([',', ';', '(', ')', '|', '.', '–', '—']);
    let parts = parts.flat_map(|part| part.split("  "));
    let parts = parts.flat_map(|part| part.split(" - "));
    // "Sonnberg, 3. Juli 1944. Die Truppen verlassen die Stadt." is of no day of its own.
    let year = line.rfind(|c: char| c.is_ascii_digit());
    let behind = year.map_or("", |at| &line[at + 1..]);
    let goes_on = behind.starts_with(". ") && text::words(behind).count() > BEHIND_DAY;
    // "Education Services, 3 April 2025. No decision has been taken." is of who wrote it.
    let writer = line.split_once(", ").map(|(writer, _)| writer);
    let goes_on = goes_on && !writer.is_some_and(text::is_name_of_organisation);
    let may_be_alone = is_short && !has_weekday && !goes_on;
    let dates = parts.filter_map(|part| date_of_part(part, may_be_alone));
    dates.max_by(|one, other| {
        let [one, other] = [one, other].map(|own| (!own.is_in_force, &own.day));
        one.cmp(&other)
    })
}

fn has_weekday(text: &str) -> bool {
    text::words(text).any(|word| {
        let word = text::fold(word.text);
        text::WEEKDAYS.contains(&word.as_str()) || WEEKDAYS.contains(&word.as_str())
    })
}

/// `true` if a text has the four digits of a year; most lines have none.
fn has_year(text: &str) -> bool {
    let mut runs = text
        .as_bytes()
        .chunk_by(|one, next| one.is_ascii_digit() && next.is_ascii_digit());
    runs.any(|run| run.len() == 4)
}

/// The day of a part of a line that is a date, or says that something was issued then.
fn date_of_part(part: &str, may_be_alone: bool) -> Option<OwnDay> {
    if !has_year(part) {
        return None;
    }
    let words = text::folded(part);
    let day = written_date(part).filter(|day| day.len() == "2026-03-12".len())?;
    let is_date = |word: &String| word.starts_with(|c: char| c.is_ascii_digit()) || is_month(word);
    let at = words.iter().position(is_date)?;
    // "Kehrfeld, den 3. Juli 2023".
    let bare = words.strip_prefix(&["den".to_owned()]).unwrap_or(&words);
    let is_alone = may_be_alone && bare.len() <= DATE_WORDS && bare.iter().all(is_date);
    let before = &words[..at];
    let has = |list: &[&str]| before.iter().any(|word| list.contains(&word.as_str()));
    let label: Vec<&str> = before.iter().map(String::as_str).collect();
    let is_labelled = match label.as_slice() {
        ["version" | "edition" | "report" | "minutes" | "as", "of"] => true,
        ["in", "kraft", "seit"] | ["zuletzt", "geandert", "am"] | ["stand"] => true,
        ["datum", "der" | "des", event, ..] => EVENTS.contains(event),
        ["in", "force", "since" | "from"] | ["last", "changed" | "edited" | "modified"] => true,
        ["date", "of", event, ..] => EVENTS.contains(event),
        ["date", "on", "site", ..] => true,
        [event] | [event, "am" | "on"] => DONE_ON.contains(event),
        // "Made by the council on 14 September 2004."
        ["made", "by", .., "on"] => label.len() <= WORDS_BEFORE,
        _ => false,
    };
    let is_issued = before.len() <= WORDS_BEFORE && has(WRITTEN) && !has(OTHER);
    let is_own = is_alone || is_labelled || is_issued || is_of_day(&words);
    (is_own || is_concluded(&words, at)).then(|| OwnDay {
        day,
        is_in_force: is_on_force(part),
    })
}

/// `true` for a contract that says when it was made: "This agreement is made on 3 March 2008",
/// "Dieser Vertrag wird am 3. März 2008 geschlossen", by its folded words and the first of its day.
fn is_concluded(words: &[String], day: usize) -> bool {
    let is_this = matches!(words[0].as_str(), "this" | "dieser" | "diese" | "dieses");
    let mut own = words.iter().take(day + DATE_WORDS + 1);
    let is_made = own.any(|word| {
        let word = word.as_str();
        WRITTEN.contains(&word) || matches!(word, "made" | "entered" | "geschlossen")
    });
    is_this && is_made && day <= WORDS_BEFORE
}

/// Words for an edition before its year: "third edition, 2011".
const EDITIONS: &[&str] = &["auflage", "ausgabe", "edition"];

/// Words for a text that is brought up to date, before the month or the year of that.
const REVISED: &[&str] = &[
    "amended",
    "changed",
    "compiled",
    "corrected",
    "revised",
    "updated",
    "aktualisiert",
    "geandert",
    "uberarbeitet",
];

/// The year or the month, without a day, to which a line near the top brings its document: "third
/// edition, 2011", "last updated 2021", "prices as of March 2020", "Corrected to May 2024".
pub(super) fn part_of_date(text: &str) -> Option<String> {
    let lines = body(text).take(LINES);
    let lines = lines.map(|line| text::truncate(line, LINE_CHARACTERS));
    let lines = lines.filter(|line| text::words(line).count() <= LINE_WORDS && has_year(line));
    let sentences = lines.flat_map(|line| line.split(['.', ';', '(', ')', '|']));
    sentences.into_iter().find_map(|sentence| {
        let words = text::folded(sentence);
        // Nothing may follow: "updated 2021 rules" are of no year of their own.
        let year = words.last().filter(|last| text::is_year(last))?;
        let before = &words[..words.len() - 1];
        let (named, before) = match before {
            [before @ .., name] if is_month(name) => (Some(name), before),
            _ => (None, before),
        };
        let label: Vec<&str> = before.iter().map(String::as_str).collect();
        let is_label = match label.as_slice() {
            [.., word] if EDITIONS.contains(word) || REVISED.contains(word) => true,
            [.., word, "in" | "to" | "im"] => REVISED.contains(word),
            [.., "as", "of" | "at"] | ["stand"] => true,
            _ => false,
        };
        // Who brought it out stands before its edition.
        let has_edition = label.last().is_some_and(|word| EDITIONS.contains(word));
        let is_own = is_label && (has_edition || before.len() <= WORDS_BEFORE);
        let month = named.map(|name| written_date(&format!("{name} {year}")));
        month
            .unwrap_or_else(|| Some(year.clone()))
            .filter(|_| is_own)
    })
}

/// `true` for "Niederschrift der 11. öffentlichen Sitzung vom 27. Juni 2023", by its folded words.
fn is_of_day(words: &[String]) -> bool {
    let before = words.iter().position(|word| word == "vom");
    let is_own = words
        .first()
        .is_some_and(|first| OF_DAY.contains(&first.as_str()));
    is_own && before.is_some_and(|before| before <= WORDS_BEFORE)
}

/// `true` for the name of a month in full.
fn is_month(word: &str) -> bool {
    let least = if text::fold(word) == "mai" { 3 } else { 4 };
    word.chars().count() >= least && month(word).is_some() || text::fold(word) == "may"
}

/// The day in the name of a file: `minutes_2026-03-12.md`.
pub(super) fn date_of_name(name: &str) -> Option<String> {
    let is_in_day = |c: char| c.is_ascii_digit() || c == '-';
    let parts = name.split(|c: char| !is_in_day(c));
    let mut days = parts.map(|part| part.trim_matches('-'));
    let day = days.find(|day| day.len() == "2026-03-12".len())?;
    let date = chrono::NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()?;
    (date.to_string() == day).then(|| day.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentence_behind_the_name_of_an_organisation_takes_no_day_away() {
        for (text, expected) in [
            (
                "# Options\n\nEducation Services, 3 April 2025. No decision has been taken.\n",
                Some("2025-04-03"),
            ),
            (
                "# Report\n\nHealth, Lorvik Council. Inspection on 22 January 2025 by A. Ek.\n",
                Some("2025-01-22"),
            ),
        ] {
            assert_eq!(date(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn line_on_who_wrote_when_gives_the_date() {
        for (text, expected) in [
            (
                "NOTE: CRAYFISH\nDan Whitlock, 28 May 2026\n",
                Some("2026-05-28"),
            ),
            (
                "# Rule FS-3\n\nAlderwater Ltd. Issued 1 November 2024, amended 18 May 2026.\n",
                Some("2026-05-18"),
            ),
            (
                "# Permit\n\nIssued by the Agency on 30 March 2026 to the Trust. Activity: partial \
                 removal of the weir and placing of bed material, River Lenne, at the mill, with \
                 the works of the second year.\n",
                Some("2026-03-30"),
            ),
            (
                "OFFER LTD\nUnit 4, Worcester\n\nOffer no. Q-26-1183             26 March 2026\n",
                Some("2026-03-26"),
            ),
            (
                "# Amendment\n\nbetween A and B, contract of 3 October 2025\n\nThe parties agree \
                 on 11 June 2026 to change the contract as follows.\n",
                Some("2026-06-11"),
            ),
            (
                "LEASE\n\nbetween A and B\nSigned on 3 February 2022\n",
                Some("2022-02-03"),
            ),
            (
                "# Concert\n\nSaturday, 13 June 2026, 19:30, St. Anne's Church.\n",
                None,
            ),
            (
                "# Lease\n\nIt begins on 1 March 2022 and ends in 2030.\n",
                None,
            ),
            ("# Offer\n\nValid until 30 June 2026.\n", None),
            (
                "# Trial\n\nDate of trial: 3 and 4 March 2026\nWritten by: Ann\n",
                Some("2026-03-04"),
            ),
            (
                "CROWN LTD\nReport of examination\n\nSite: Main building\nExamined by: Ann, \
                 engineer\nDate of examination: 12 August 2026\n\nResult: In order.\n",
                Some("2026-08-12"),
            ),
            (
                "# Lift\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n\nDate of trial: 12 August 2026\n",
                Some("2026-08-12"),
            ),
            (
                "# Lift\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.\n\nDate of trial: 12 \
                 August 2026\n",
                None,
            ),
            ("# Ann\n\nDate of birth: 4 March 1986\n", None),
            (
                "# Fire\n\nDate of the fire: 22 January 2025, 03:40. Report of 31 January 2025.\n",
                Some("2025-01-31"),
            ),
            (
                "# Community room\n\nVersion of 10 October 2023, J. Hensel\n",
                Some("2023-10-10"),
            ),
        ] {
            assert_eq!(date(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn dates_behind_dashes_and_labels_and_that_of_a_log_are_read() {
        for (text, expected) in [
            (
                "# Brine\n\nS. Pohl, K. Winther – 28 April 2025\n",
                Some("2025-04-28"),
            ),
            (
                "# Rule\n\n*In force since 1 September 2024. It replaces the rule of 1 April \
                 2017.*\n",
                Some("2024-09-01"),
            ),
            ("# Prices\n\nAs of 3 May 2025\n", Some("2025-05-03")),
            (
                "# Order\n\nDate of order: 4 April 2022\n",
                Some("2022-04-04"),
            ),
            (
                "# Report\n\nInspector: T. Okafor, CEng. Date on site: 12 to 14 September 2023.\n",
                Some("2023-09-14"),
            ),
            (
                "# Report\n\nInspected on 14 September 2023\n",
                Some("2023-09-14"),
            ),
            ("# Tender\n\nOpened 4 May 1931, closed 1987.\n", None),
            (
                "# Town\n\nSonnberg, 3. Juli 1944. Die Truppen verlassen die Stadt.\n",
                None,
            ),
            ("# Works\n\n| Start of works | 6 May 2024 |\n", None),
            ("# Bridge\n\nThe bridge opened on 3 May 1931.\n", None),
            ("# Preise\n\nStand: 3. Juli 2023\n", Some("2023-07-03")),
            ("# Preise\n\nStand 03.07.2023\n", Some("2023-07-03")),
            ("# Preise\n\nFassung vom 3. Juli 2023\n", Some("2023-07-03")),
            (
                "# Brief\n\nKehrfeld, den 3. Juli 2023\n",
                Some("2023-07-03"),
            ),
            ("# Brief\n\nSonnberg, 3. März 2023\n", Some("2023-03-03")),
            (
                "GERICHT SONNBERG\nIM NAMEN DES VOLKES\nURTEIL\n\nAz. 7 K 412/23\n\
                 verkündet am 18. April 2024\n",
                Some("2024-04-18"),
            ),
            (
                "STADTRAT\nNiederschrift der 11. öffentlichen Sitzung vom 27. Juni 2023\n",
                Some("2023-06-27"),
            ),
            ("# Konzert\n\nSamstag, 13. Juni 2026, 19:30 Uhr\n", None),
            ("# Angebot\n\nGültig bis 30. Juni 2026.\n", None),
            (
                "# Bericht\n\nDer Vertrag vom 3. Juli 2023 endet bald.\n",
                None,
            ),
            ("# Prices\n\nLast changed: 3 May 2025\n", Some("2025-05-03")),
            (
                "LOG - BRIDGE\nNewest entry last.\n\n2022-05-10  Inspection. Grade 2.4.\n\
                 2023-05-16  Spalling grown.\n2025-06-05  Weight limit lifted.\n\
                 2031-01-01  Next check planned.\n",
                Some("2025-06-05"),
            ),
        ] {
            assert_eq!(date(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn day_on_which_a_text_was_made_comes_before_that_from_which_it_is_in_force() {
        for (text, expected) in [
            (
                "# Bylaw\n\nMade by the council on 14 May 2004. In force from 1 July 2004.\n",
                Some("2004-05-14"),
            ),
            (
                "# Bylaw\n\nIn force from 1 July 2004.\n\nAdopted on 14 May 2004.\n",
                Some("2004-05-14"),
            ),
            (
                "# Satzung\n\nIn Kraft seit 1. Juli 2004, beschlossen am 14. Mai 2004\n",
                Some("2004-05-14"),
            ),
            (
                "# Bylaw\n\nIn force from 1 July 2004.\n",
                Some("2004-07-01"),
            ),
            (
                "LEASE\n\nThis contract is made on 4 May 1998 between the parish (\"the \
                 owner\") and the club, a society of the town, for the use of the old barn and of \
                 the yard.\n",
                Some("1998-05-04"),
            ),
            (
                "# Vertrag\n\nDieser Vertrag wird am 4. Mai 1998 geschlossen.\n",
                Some("1998-05-04"),
            ),
            ("# Lease\n\nThis lease ends on 4 May 1998.\n", None),
            (
                "# Interview\n\nTape 3. Speaker: Ann Hale. Recorded on 4 May 2009.\n",
                Some("2009-05-04"),
            ),
        ] {
            assert_eq!(date(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn edition_or_revision_gives_a_month_or_a_year() {
        for (line, expected) in [
            (
                "Compiled by the history society of the harbour, third edition, 2011. By Jo Lind.",
                Some("2011"),
            ),
            ("List of the wardens, last updated 2021", Some("2021")),
            ("Prices as of March 2020", Some("2020-03")),
            (
                "A list of the clerk. Corrected to May 2024.",
                Some("2024-05"),
            ),
            ("Zuletzt aktualisiert im Mai 2024", Some("2024-05")),
            ("The updated 2021 rules are longer.", None),
            ("As of March 2020 there were five.", None),
        ] {
            let text = format!("# T\n\n{line}\n");
            assert_eq!(part_of_date(&text).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn day_of_a_letter_is_below_two_addresses() {
        for (text, expected) in [
            (
                "Brand GmbH\nWeg 4, 20099 Kehrfeld\n\nAmt Sonnberg\nz. Hd. Frau Moe\n\n\
                 Kehrfeld, den 3. Juli 2023\n\n# Angebot\n",
                Some("2023-07-03"),
            ),
            (
                "Brand GmbH\nWeg 4, 20099 Kehrfeld\n\nAmt Sonnberg\nz. Hd. Frau Moe\n\nWir \
                 schreiben Ihnen heute, weil die Pumpe in dem Haus nicht mehr geht.\n\n3. Juli \
                 2023\n",
                None,
            ),
        ] {
            assert_eq!(date(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn short_line_below_a_title_ends_with_a_month() {
        for (text, expected) in [
            ("# T\n\nFor staff, September 2026\n", Some("2026-09")),
            ("T\nHousehold team, May 2026.\n", Some("2026-05")),
            (
                "T\n\nA. Lindgren and J. Amara, Technical Note 14, November 2023\n",
                Some("2023-11"),
            ),
            (
                "# T\n\nNotes for owners, issued in May 2019\n",
                Some("2019-05"),
            ),
            (
                "# T\n\nPumps of two kinds compared. Field team, November 2021.\n",
                Some("2021-11"),
            ),
            (
                "# T\n\nSociety for Heat. Published June 2018. Guide 18/02.\n",
                Some("2018-06"),
            ),
            (
                "# T\n\nSociety for Heat.\nPublished June 2018.\n",
                Some("2018-06"),
            ),
            ("# T\n\nPublished works of June 2018 are listed.\n", None),
            ("# T\n\nIt was so in September 2026.\n", None),
            ("# T\n\nFor staff, 2026\n", None),
            ("# T\n\nDeadline: for staff, September 2026\n", None),
            ("# T\n\nOne.\n\nFor staff, September 2026\n", None),
            (
                "# T\n\nThe board decided it after a long debate of two hours, May 2026\n",
                None,
            ),
        ] {
            assert_eq!(month_below("T", text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn name_of_a_file_gives_a_day() {
        assert_eq!(
            date_of_name("04_minutes_2026-03-12").as_deref(),
            Some("2026-03-12")
        );
        assert_eq!(
            date_of_name("2026-03-12-notes").as_deref(),
            Some("2026-03-12")
        );
        assert_eq!(date_of_name("rfc-2119"), None);
        assert_eq!(date_of_name("part-2026-13-45"), None);
    }
}
