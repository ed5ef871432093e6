//! Trends: a claim that a value went from one number to another, which two rows of a table give:
//! "The fee rose from 40 in 2020 to 45 in 2024."

use super::row::{Row, content, label, numbers, words};
use crate::cite;
use crate::text::{self, Table};

/// What a table says of a trend.
#[derive(Debug, PartialEq)]
pub(in crate::check) enum Trend {
    /// Its rows have both numbers, each at its time.
    Stated,
    /// They have others, for this reason.
    Otherwise(String),
}

/// Stop words of a claim on a trend; a closed list, written by hand.
const OF_TREND: &[&str] = &[
    "a", "an", "and", "at", "between", "by", "for", "from", "had", "has", "have", "in", "its",
    "of", "on", "the", "to",
];

/// Words for a factor that the cells of a table may lack.
const SCALES: [&str; 4] = ["thousand", "million", "billion", "trillion"];

/// What the table with a row says of a claim on a trend; `None` for any other claim, and if no
/// single column and no single pair of rows is meant.
pub(in crate::check) fn trend(row: &Row<'_>) -> Option<Trend> {
    let claim = row.sentence;
    let rises = cite::rises(claim)?;
    let change = Change::of(claim)?;
    let folded = text::folded(claim);
    let is_plain = |word: &String| !text::is_stop_word(word) || OF_TREND.contains(&word.as_str());
    let has_scale = folded.iter().any(|word| SCALES.contains(&word.as_str()));
    if has_scale || !folded.iter().all(is_plain) || !says_no_more(row) {
        return None;
    }
    let at = column(change.subject, row.table)?;
    let name = &row.table.columns[at];
    let of_name = numbers(label(name));
    let keys: Vec<&String> = change
        .times
        .iter()
        .filter(|own| !of_name.contains(own))
        .collect();
    let cell = |key: &String| Some(&row.table.rows[row_of(key, at, row.table)?][at]);
    let is_in_order = |one: f64, other: f64| if rises { one < other } else { one > other };
    match keys[..] {
        [first, last] => {
            let (old, new) = (cell(first)?, cell(last)?);
            let (from, to) = (value(old)?, value(new)?);
            if is_rounded(from, &change.old) || is_rounded(to, &change.new) {
                return None;
            }
            let is_same = value(&change.old) == Some(from) && value(&change.new) == Some(to);
            let reason = format!("{name:?} is {old:?} in {first} and {new:?} in {last}");
            Some(if is_same && is_in_order(from, to) {
                Trend::Stated
            } else {
                Trend::Otherwise(reason)
            })
        }
        // Without a time, what is meant is the whole table.
        [] => {
            let ends = row.table.rows.first().zip(row.table.rows.last());
            let (from, to) = ends.and_then(|(old, new)| value(&old[at]).zip(value(&new[at])))?;
            let is_same = value(&change.old) == Some(from) && value(&change.new) == Some(to);
            (is_same && is_in_order(from, to)).then_some(Trend::Stated)
        }
        _ => None,
    }
}

/// A change of a value from one number to another.
struct Change<'a> {
    /// The words before "from".
    subject: &'a str,
    old: String,
    new: String,
    /// The other numbers of the claim, among which are its times.
    times: Vec<String>,
}

impl<'a> Change<'a> {
    /// The change of "fell from 19.8 in 2020 to 18.2 in 2024".
    fn of(claim: &'a str) -> Option<Self> {
        let words: Vec<text::Word<'_>> = text::words(claim).collect();
        let is_number = |at: usize| {
            let word = words.get(at).map_or("", |word| word.text);
            word.starts_with(|c: char| c.is_ascii_digit())
        };
        let is = |at: &usize, own: &str| words[*at].text == own && is_number(at + 1);
        let from = (0..words.len()).find(|at| is(at, "from"))?;
        let to = (from..words.len()).find(|at| is(at, "to"))?;
        let (from, to) = (&words[from].range, &words[to].range);
        let subject = &claim[..from.start];
        let mut old = numbers(&claim[from.end..to.start]).into_iter();
        let mut new = numbers(&claim[to.end..]).into_iter();
        Some(Self {
            subject,
            old: old.next()?,
            new: new.next()?,
            times: numbers(subject).into_iter().chain(old).chain(new).collect(),
        })
    }
}

/// The only column of which a subject has all words and numbers, or the one with most of them.
fn column(subject: &str, table: &Table) -> Option<usize> {
    let (said, numbers_said) = (words(subject), numbers(subject));
    let is_said = |name: &str| {
        let mut words = content(name).peekable();
        words.peek().is_some()
            && words.all(|word| said.contains(&word))
            && numbers(name).iter().all(|own| numbers_said.contains(own))
    };
    let columns = table.columns.iter().map(|name| label(name)).enumerate();
    let named: Vec<(usize, usize)> = columns
        .filter(|(_, name)| is_said(name))
        .map(|(at, name)| (at, content(name).count()))
        .collect();
    let most = named.iter().map(|(_, count)| *count).max()?;
    let mut best = named.iter().filter(|(_, count)| *count == most);
    best.next()
        .filter(|_| best.next().is_none())
        .map(|own| own.0)
}

/// The only row with a number alone in a cell of another column than that of the value.
fn row_of(key: &str, value: usize, table: &Table) -> Option<usize> {
    let has = |cells: &[String]| {
        let mut others = cells.iter().enumerate().filter(|(at, _)| *at != value);
        others.any(|(_, cell)| numbers(cell) == [key.to_owned()])
    };
    let mut rows = (0..table.rows.len()).filter(|at| has(&table.rows[*at]));
    rows.next().filter(|_| rows.next().is_none())
}

/// `true` if a claim says nothing besides the trend but what the names of the columns and the
/// headings above the table have.
fn says_no_more(row: &Row<'_>) -> bool {
    let headings: Vec<String> = row
        .table
        .headings
        .iter()
        .flat_map(|own| words(own))
        .collect();
    let is_further = |word: &text::Word<'_>| {
        cite::rises(word.text).is_none() && !headings.contains(&text::stem(&text::fold(word.text)))
    };
    let further = text::words(row.sentence).filter(is_further);
    let further: Vec<&str> = further.map(|word| word.text).collect();
    row.has_plain_words(&further.join(" "))
}

fn value(number: &str) -> Option<f64> {
    match &numbers(number)[..] {
        [number] => number.parse().ok(),
        _ => None,
    }
}

/// `true` if a number is another one, rounded to its decimals.
fn is_rounded(exact: f64, number: &str) -> bool {
    let decimals = number.split_once('.').map_or(0, |(_, own)| own.len());
    format!("{exact:.decimals$}") == number && value(number) != Some(exact)
}

#[cfg(test)]
mod tests {
    use super::super::tests::of_row;
    use super::*;

    #[test]
    fn two_rows_state_a_trend_or_another_one() {
        const LAKE: &str = "# Lake\n\n| Year | Days above 20 °C | Mean depth (m) | Boats |\n\
            |---|---|---|---|\n| 2020 | 41 | 9.5 | 30 |\n| 2022 | 52 | 9.1 | 34 |\n\
            | 2024 | 60 | 8.8 | 28 |\n";
        for (claim, expected) in [
            (
                "The mean depth fell from 9.5 m in 2020 to 8.8 m in 2024.",
                Some(true),
            ),
            (
                "Between 2020 and 2022, boats rose from 30 to 34.",
                Some(true),
            ),
            ("The mean depth fell from 9.5 to 8.8 m.", Some(true)),
            (
                "The number of days above 20 °C rose from 41 in 2020 to 60 in 2024.",
                Some(true),
            ),
            (
                "The mean depth fell from 9.5 m in 2020 to 9.1 m in 2024.",
                Some(false),
            ),
            (
                "The mean depth rose from 9.5 m in 2020 to 8.8 m in 2024.",
                Some(false),
            ),
            (
                "The mean depth fell from 10 m in 2020 to 9 m in 2024.",
                None,
            ),
            (
                "The mean depth at the weir fell from 9.5 m in 2020 to 8.8 m in 2024.",
                None,
            ),
            ("Fees rose from 41 in 2020 to 60 in 2024.", None),
        ] {
            let trend = of_row(trend, LAKE, "| 2022", claim);
            let is_stated = trend.as_ref().map(|trend| *trend == Trend::Stated);
            assert_eq!(is_stated, expected, "{claim} {trend:?}");
        }
    }
}
