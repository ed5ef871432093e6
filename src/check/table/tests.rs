//! What the unit tests of tables share.

use super::Row;
use crate::text::tables::tables;

/// What a rule says of a claim and the row of a text that begins with some words; `None` if
/// there is no such row.
pub(super) fn of_row<T>(
    rule: impl FnOnce(&Row<'_>) -> Option<T>,
    text: &str,
    start: &str,
    claim: &str,
) -> Option<T> {
    let start = text.find(start).unwrap();
    let length = text[start..].find('\n').unwrap_or(text.len() - start);
    let tables = tables(text);
    let row = Row::of_tables(claim, &tables, text, &(start..start + length));
    row.and_then(|row| rule(&row))
}
