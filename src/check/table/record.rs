//! Rows of GFM tables written as records, each value behind the name of its column.

use std::ops::Range;

use super::row::numbers;
use crate::text;

/// A row of a GFM table and the names of its columns; `None` for any other range.
fn row_of_table<'a>(text: &'a str, range: &Range<usize>) -> Option<(Vec<String>, &'a str)> {
    let columns = text::tables::columns_of_row(text, range.clone());
    let row = text.get(range.clone()).filter(|_| columns.len() > 1)?;
    Some((columns, row))
}

/// A row of a table with the names of its columns, as a record: "Day: Monday; Shop: closed."
pub(in crate::check) fn plain_record(text: &str, range: &Range<usize>) -> Option<String> {
    let (columns, row) = row_of_table(text, range)?;
    Some(text::tables::row_as_record(&columns, row))
}

/// The same with the unit behind the name of the row as that of its numbers: "Length (m)".
pub(in crate::check) fn record(text: &str, range: &Range<usize>) -> Option<String> {
    let (columns, row) = row_of_table(text, range)?;
    let cells = text::tables::row_cells(row);
    let unit = cells.first().and_then(|own| unit(own));
    let Some(unit) = unit else {
        return Some(text::tables::row_as_record(&columns, row));
    };
    let fields = columns
        .iter()
        .zip(&cells)
        .filter(|(_, cell)| !cell.is_empty());
    let fields = fields.map(|(name, cell)| {
        if cell.contains(char::is_alphabetic) || numbers(cell).is_empty() {
            format!("{name}: {cell}")
        } else {
            format!("{name}: {cell} {unit}")
        }
    });
    Some(fields.collect::<Vec<_>>().join("; ") + ".")
}

/// The unit in brackets behind the name of a row.
fn unit(name: &str) -> Option<&str> {
    let (_, unit) = name.trim().strip_suffix(')')?.rsplit_once(" (")?;
    let quantities = text::quantities(&format!("1 {unit}"));
    let is_unit = |own: &text::Quantity| !own.unit.is_empty();
    quantities.first().is_some_and(is_unit).then_some(unit)
}
