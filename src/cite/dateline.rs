//! Datelines: the day on which a passage was written, and the dates that its sentences name by it:
//! "last year", "on Wednesday", "in June".

use chrono::{Datelike, NaiveDate};

use super::statement::figure::Figure;
use super::statement::lexicon::{self, BE};
use super::statement::{ContentWord, Statement};
use crate::text;

/// The maximum number of content words of a dateline: its author, the place and the paper. Chosen
/// by hand.
const DATELINE_WORDS: usize = 8;

/// The most days between the day of writing and another one that is named by its day of the week.
const WEEK_DAYS: i64 = 6;

/// Verbs with which a line says something of its date, so that it is no dateline.
const VERBS: &[&str] = &["has", "have", "had", "will", "can", "must", "should"];

/// The day that a line gives as that of its passage: "By Ann Berg, 4 March 2026".
pub(super) fn day_of(line: &Statement) -> Option<NaiveDate> {
    let mut tokens = line.normal.split(' ');
    let says = tokens.any(|token| BE.contains(&token) || VERBS.contains(&token));
    if line.is_record || says || line.words.len() > DATELINE_WORDS {
        return None;
    }
    let mut figures = line.figures.iter();
    let day = figures.find(|own| own.unit == "day")?;
    let mut figures = line.figures.iter();
    let year = figures.find(|own| own.unit == "year")?;
    date(year, month_beside(line, day)?, day)
}

/// `true` if a sentence that was written on a day names a date of a claim by that day: the year by
/// "last year", the year of a month by the month alone, the day by its day of the week.
pub(super) fn names(
    sentence: &Statement,
    written: NaiveDate,
    claim: &Statement,
    figure: &Figure,
) -> bool {
    match figure.unit.as_str() {
        "year" => names_year(sentence, written, claim, figure),
        "day" => names_day(sentence, written, claim, figure),
        _ => false,
    }
}

/// `true` if a passage has a dateline, and names the month and the year of a claim, which are not
/// before it: what the claim says of that month was announced.
pub(super) fn announces<'a>(
    sentences: impl Iterator<Item = &'a Statement> + Clone,
    claim: &Statement,
) -> bool {
    let years = claim.figures.iter().filter(|own| own.unit == "year");
    let [year] = years.collect::<Vec<_>>()[..] else {
        return false;
    };
    let Some(month) = last_month_before(claim, year) else {
        return false;
    };
    let has_month = |own: &Statement| {
        let mut words = own.words.iter();
        words.any(|own| number_of_month(own) == Some(month))
    };
    let is_behind = |day: NaiveDate| {
        let date = (year.value, month);
        date >= (f64::from(day.year()), day.month())
    };
    let has_year = |own: &Statement| own.figures.iter().any(|own| year.is_said_by(own));
    sentences
        .clone()
        .filter_map(day_of)
        .next()
        .is_some_and(is_behind)
        && sentences.clone().any(has_year)
        && sentences
            .clone()
            .any(|own| day_of(own).is_none() && has_month(own))
}

/// The month right before a year.
fn last_month_before(statement: &Statement, year: &Figure) -> Option<u32> {
    let before = year.at.checked_sub(1)?;
    number_of_month(statement.words.get(before)?)
}

fn names_year(
    sentence: &Statement,
    written: NaiveDate,
    claim: &Statement,
    figure: &Figure,
) -> bool {
    let after = figure.value - f64::from(written.year());
    let tokens: Vec<&str> = sentence.normal.split(' ').collect();
    let mut pairs = tokens.windows(2);
    let is_named = pairs.any(|pair| match pair {
        ["last", "year"] => after == -1.0,
        ["this", "year"] => after == 0.0,
        ["next", "year"] => after == 1.0,
        _ => false,
    });
    is_named || names_month(sentence, written, claim, figure)
}

/// `true` if a sentence names the month before a year of a claim without a year, and it is the last
/// one or the next one of that name, seen from the day of writing.
fn names_month(sentence: &Statement, written: NaiveDate, claim: &Statement, year: &Figure) -> bool {
    let Some(month) = last_month_before(claim, year) else {
        return false;
    };
    let has_year = sentence.figures.iter().any(|own| own.unit == "year");
    let has_month = || {
        let mut words = sentence.words.iter();
        words.any(|own| number_of_month(own) == Some(month))
    };
    // In months from the month of writing: the nearest of that name on either side are less than
    // twelve away.
    let months = (year.value - f64::from(written.year())) * 12.0 + f64::from(month)
        - f64::from(written.month());
    !has_year && months.abs() < 12.0 && has_month()
}

fn names_day(sentence: &Statement, written: NaiveDate, claim: &Statement, day: &Figure) -> bool {
    let mut years = claim.figures.iter().filter(|own| own.unit == "year");
    let year = years.find(|own| own.at.abs_diff(day.at) <= 1);
    let month = month_beside(claim, day);
    let date = month.and_then(|month| match year {
        Some(year) => date(year, month, day),
        None => NaiveDate::from_ymd_opt(written.year(), month, number(day)?),
    });
    let Some(date) = date else {
        return false;
    };
    let after = (date - written).num_days();
    let has_day = sentence.figures.iter().any(|own| own.unit == "day");
    let mut tokens = sentence.normal.split(' ');
    !has_day
        && after.abs() <= WEEK_DAYS
        && tokens.any(|token| relative_day(token, date, written) == Some(true))
}

/// `true` if a word names a date by the day of writing or by its day of the week, and `false` if it
/// names another day so.
fn relative_day(token: &str, date: NaiveDate, written: NaiveDate) -> Option<bool> {
    let after = (date - written).num_days();
    let weekday = date.weekday().num_days_from_monday() as usize;
    match token {
        "yesterday" => Some(after == -1),
        "today" => Some(after == 0),
        "tomorrow" => Some(after == 1),
        other => {
            let mut days = text::WEEKDAYS.iter();
            days.position(|day| *day == other).map(|at| at == weekday)
        }
    }
}

/// `true` if a passage was written on the day of a claim, and a sentence without a date says on
/// which other day of the week it was: "on Saturday" of a report of a Tuesday.
pub(super) fn is_of_another_day(
    sentence: &Statement,
    written: NaiveDate,
    claim: &Statement,
    day: &Figure,
) -> bool {
    let is_own = number(day) == Some(written.day())
        && month_beside(claim, day) == Some(written.month())
        && sentence.figures.iter().all(|own| own.unit != "day");
    let tokens = sentence.normal.split(' ');
    let days = tokens.filter_map(|token| relative_day(token, written, written));
    let days: Vec<bool> = days.collect();
    is_own && !days.is_empty() && days.iter().all(|is_same| !is_same)
}

fn date(year: &Figure, month: u32, day: &Figure) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(year.digits.parse().ok()?, month, number(day)?)
}

fn number(figure: &Figure) -> Option<u32> {
    figure.digits.parse().ok()
}

/// The number of the month beside a day, behind it or before it.
fn month_beside(statement: &Statement, day: &Figure) -> Option<u32> {
    let word = |at: usize| statement.words.get(at).and_then(number_of_month);
    word(day.at).or_else(|| day.at.checked_sub(1).and_then(word))
}

/// The number of the month that a word names. In a line of names alone it is none of them.
fn number_of_month(word: &ContentWord) -> Option<u32> {
    let folded = word.folded.as_str();
    let name = lexicon::month(folded).or((folded == "may").then_some("may"))?;
    let mut months = (1..).zip(text::MONTHS);
    months
        .find(|(_, month)| month.starts_with(name))
        .map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn dates_are_read_by_the_day_of_the_passage() {
        let note = "By Ann Berg, 4 March 2026\n\nThe council chose the new library on Monday. It \
                    closed the old library last year. The first books come in June.";
        assert_supported(&[
            ("The council closed the old library in 2025.", note, true),
            ("The council closed the old library in 2024.", note, false),
            (
                "The council chose the new library on 2 March 2026.",
                note,
                true,
            ),
            (
                "The council chose the new library on 3 March 2026.",
                note,
                false,
            ),
        ]);
        let plan = "By Ann Berg, 20 December 2025\n\nThe council has a plan for the library, with \
                    the first books planned for June.";
        assert_supported(&[
            (
                "The first books of the library are planned for June 2026.",
                plan,
                true,
            ),
            (
                "The first books of the library are planned for June 2028.",
                plan,
                false,
            ),
        ]);
    }

    #[test]
    fn the_hour_of_a_date_and_an_ordinal_are_no_other_day() {
        let log = "Published: 2026-03-04T18:04:43\n\nThe old shop closed last year.";
        let mill = "The mill will close in Lund on April 6th, 2026.";
        assert_supported(&[
            ("The old shop closed in 2025.", log, true),
            ("The old shop closed in 2024.", log, false),
            ("The mill closed on 6 April 2026 in Lund.", mill, true),
            ("The mill closed on 7 April 2026 in Lund.", mill, false),
        ]);
    }

    #[test]
    fn a_claim_with_the_month_looks_back_on_what_was_announced() {
        let news = "Published: 22 May 2007\n\nThe choir will be joining the orchestra for a run of \
                    concerts in autumn. The tour begins in October.";
        assert_supported(&[
            (
                "The choir joined the orchestra for a run of concerts in October 2007.",
                news,
                true,
            ),
            (
                "The choir joined the orchestra for a run of concerts in autumn.",
                news,
                false,
            ),
        ]);
    }
}
