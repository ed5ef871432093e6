//! Columns whose names have a number, as "cycles to 80 percent": it is no value of the row, and the
//! value of the row is a number of what the name says.

use super::row::{Row, numbers, words};

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// `true` for a cell that is a number and nothing else.
fn is_number(cell: &str) -> bool {
    has_digit(cell) && !cell.contains(|c: char| c.is_alphabetic())
}

/// A row with such columns, with their values before their names, "2150 cycles to 80 percent";
/// `None` for any other row.
pub(in crate::check) fn record(row: &Row<'_>) -> Option<String> {
    let is_measure = |name: &str, cell: &str| has_digit(name) && is_number(cell);
    let fields = || row.table.columns.iter().zip(&row.cells);
    let has_measure = fields().skip(1).any(|(name, cell)| is_measure(name, cell));
    let fields = fields().filter(|(_, cell)| !cell.is_empty());
    let fields = fields.map(|(name, cell)| {
        if is_measure(name, cell) {
            format!("{cell} {name}")
        } else {
            format!("{name}: {cell}")
        }
    });
    has_measure.then(|| fields.collect::<Vec<_>>().join("; ") + ".")
}

/// Why a row contradicts what a claim says: the claim names the row and one such column, and gives
/// another number beside its name than any row of that name has there, "3100 cycles to 80 percent"
/// where 3100 are those to 70 percent. The claim has to say nothing else.
pub(super) fn mismeasuring(row: &Row<'_>) -> Option<String> {
    let key = row.cells.first().filter(|key| row.says(key))?;
    let columns = row.table.columns.iter().enumerate().skip(1);
    let mut named = columns.filter(|(at, name)| {
        has_digit(name)
            && row.says_whole(name)
            && row.cells.get(*at).is_some_and(|own| is_number(own))
    });
    let (Some((at, name)), None) = (named.next(), named.next()) else {
        return None;
    };
    let value = beside(&row.claim, &words(name), &words(key)).filter(|_| row.is_of_plain())?;
    // What else the claim has of numbers says which row it is of.
    let is_further = |own: &&String| **own != value && !numbers(name).contains(own);
    let further: Vec<&String> = row.numbers.iter().filter(is_further).collect();
    let is_meant = |cells: &[String]| {
        let own: Vec<String> = cells.iter().flat_map(|cell| numbers(cell)).collect();
        cells.first() == Some(key) && further.iter().all(|number| own.contains(number))
    };
    let has_value = |cells: &[String]| {
        let own = cells.get(at).map(|cell| numbers(cell));
        own.is_some_and(|own| own.contains(&value))
    };
    let mut meant = row.table.rows.iter().filter(|other| is_meant(other));
    let is_other = is_meant(&row.cells) && !meant.any(|other| has_value(other));
    is_other.then(|| format!("{name:?} is {:?} in that row", row.cells[at]))
}

/// The number right before the name of a column in a claim, unless it ends the name of the row, or
/// the next one behind it; all are given as words.
fn beside(claim: &[String], name: &[String], key: &[String]) -> Option<String> {
    let start = claim.windows(name.len()).position(|own| own == name)?;
    let number = |word: &String| {
        let written = word.replace(',', "");
        let is_number = written.parse::<f64>().is_ok();
        is_number.then_some(written)
    };
    let before = claim[..start].last().and_then(number);
    let before = before.filter(|_| !claim[..start].ends_with(key));
    before.or_else(|| claim[start + name.len()..].iter().find_map(number))
}
