//! Columns of editions: of a table with a column of what was before, a row says what is no longer
//! so, too.

use super::row::{Row, numbers, words};
use crate::cite;
use crate::text;

/// Words of the name of a column that has a number by its edition; a closed list, written by hand.
const EDITIONS: &[&str] = &[
    "ed", "edition", "issue", "release", "rev", "revision", "version", "year",
];

/// Words of the name of a column of what was before, and of one of what is now; closed lists,
/// written by hand.
const OLD: &[&str] = &[
    "before",
    "earlier",
    "former",
    "formerly",
    "old",
    "previous",
    "previously",
    "superseded",
];
const NEW: &[&str] = &[
    "after",
    "current",
    "currently",
    "new",
    "now",
    "present",
    "today",
];

/// Words by which a claim says that something was so.
const PAST: &[&str] = &[
    "was",
    "were",
    "had",
    "until",
    "former",
    "formerly",
    "previously",
];

/// The years that a column may be of.
const YEARS: std::ops::Range<f64> = 1900.0..2100.0;

/// The remark on a claim whose words a row has in the column of an earlier edition alone, if the
/// claim neither names that column nor says that it was so.
pub(in crate::check) fn remark(row: &Row<'_>) -> Option<String> {
    let claimed = text::folded(row.sentence);
    if tells_of_past(&claimed) {
        return None;
    }
    let columns = &row.table.columns;
    let editions = editions(columns);
    let last = editions
        .iter()
        .max_by(|one, other| one.1.total_cmp(&other.1));
    let (last, _) = *last?;
    let claimed = [row.claim.clone(), numbers(&cite::with_digits(row.sentence))].concat();
    let own_words = |at: usize, other: usize| -> Vec<String> {
        let others = items(&row.cells[other]);
        let own = items(&row.cells[at]).into_iter();
        own.filter(|word| !others.contains(word)).collect()
    };
    let says_one = |words: &[String]| words.iter().any(|word| claimed.contains(word));
    let (earlier, _) = *editions.iter().find(|(at, _)| {
        let is_said = *at != last && says_one(&own_words(*at, last));
        is_said && !says_one(&own_words(last, *at))
    })?;
    let (old, new) = (&columns[earlier], &columns[last]);
    (!row.says(old)).then(|| format!("superseded: {old:?} in a table that has {new:?}"))
}

/// `true` if a claim, given as folded words, says that something was so.
pub(in crate::check) fn tells_of_past(claim: &[String]) -> bool {
    claim.iter().any(|word| PAST.contains(&word.as_str()))
}

/// The words and numbers of a cell that mean something.
fn items(cell: &str) -> Vec<String> {
    let words = words(cell).into_iter();
    let words = words.filter(|word| !text::is_stop_word(word));
    words.chain(numbers(&cite::with_digits(cell))).collect()
}

/// The columns of a table that are of editions of one thing, each with its place in their order;
/// none of a table without at least two.
fn editions(columns: &[String]) -> Vec<(usize, f64)> {
    let by = |order: &dyn Fn(&[String]) -> Option<f64>| -> Vec<(usize, f64)> {
        let columns = columns.iter().enumerate().skip(1);
        let orders = columns.filter_map(|(at, name)| {
            let words = text::words(name).map(|word| text::fold(word.text));
            Some((at, order(&words.collect::<Vec<_>>())?))
        });
        orders.collect()
    };
    let has =
        |words: &[String], list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let by_word = by(&|words| match (has(words, OLD), has(words, NEW)) {
        (true, false) => Some(0.0),
        (false, true) => Some(1.0),
        _ => None,
    });
    let by_number = by(&|words| {
        let numbers = words.iter().filter_map(|word| word.parse::<f64>().ok());
        let numbers: Vec<f64> = numbers.collect();
        let [number] = numbers[..] else {
            return None;
        };
        let is_year = words.len() == 1 && YEARS.contains(&number);
        (is_year || has(words, EDITIONS)).then_some(number)
    });
    let are_several = |own: &[(usize, f64)]| {
        own.iter().any(|one| one.1 > own[0].1) || own.iter().any(|one| one.1 < own[0].1)
    };
    [by_word, by_number]
        .into_iter()
        .find(|own| are_several(own))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::tests::of_row;
    use super::*;

    #[test]
    fn the_column_of_an_earlier_edition_is_superseded() {
        const CHANGES: &str = "# Changes\n\n| Item | Edition 3 | Edition 4 |\n|---|---|---|\n\
            | Control standard after | 20 samples | 10 samples |\n\
            | Records | paper, five years | information system, ten years |\n\n\
            | Fee | Old | New |\n|---|---|---|\n| Hall | 32 pounds | 36 pounds |\n\n\
            | Name | Edition | Pages |\n|---|---|---|\n| Manual | 3 | 20 |\n";
        for (row, claim, expected) in [
            (
                "| Control",
                "The control standard is run after every 20 samples.",
                true,
            ),
            (
                "| Control",
                "The control standard is run after every 10 samples.",
                false,
            ),
            (
                "| Control",
                "In edition 3, the control standard is run after 20 samples.",
                false,
            ),
            (
                "| Control",
                "The control standard was run after every 20 samples.",
                false,
            ),
            (
                "| Records",
                "Records are kept on paper for five years.",
                true,
            ),
            (
                "| Records",
                "Records are kept in the information system for ten years.",
                false,
            ),
            ("| Hall", "The hall costs 32 pounds.", true),
            ("| Hall", "The hall costs 36 pounds.", false),
            ("| Manual", "The manual has 20 pages.", false),
        ] {
            let remark = of_row(remark, CHANGES, row, claim);
            assert_eq!(remark.is_some(), expected, "{claim} {remark:?}");
        }
    }
}
