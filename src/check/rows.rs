//! Rows of tables: whether a row that has the words of a claim is the row, and its cell the column,
//! that the claim is about.

use std::ops::Range;

use crate::text::{self, Table};

/// Why a row does not say what a claim says, though it has its words: the claim names the value of
/// another row, "e-bike" where the row has "city bike", or a column of which the row has another
/// value, "The station shop is open" where only the workshop is. `None` if nothing speaks against
/// it, or if the range is no row of the tables.
pub(super) fn objection(
    claim: &str,
    tables: &[Table],
    text: &str,
    range: &Range<usize>,
) -> Option<String> {
    let table = tables
        .iter()
        .find(|table| table.range.start <= range.start && range.end <= table.range.end)?;
    let cells = text::tables::cells_of_row(text.get(range.clone())?)?;
    if cells.len() != table.columns.len() {
        return None;
    }
    let row = Row {
        claim: words(claim),
        table,
        cells,
    };
    row.of_another().or_else(|| row.of_another_column())
}

/// The stems of the words of a text.
fn words(text: &str) -> Vec<String> {
    text::words(text)
        .map(|word| text::stem(word.text))
        .collect()
}

/// A row beside a claim, whose words are stems.
struct Row<'a> {
    claim: Vec<String>,
    table: &'a Table,
    cells: Vec<String>,
}

impl Row<'_> {
    /// `true` if the claim has the words of a cell, one after another.
    fn says(&self, cell: &str) -> bool {
        let cell = words(cell);
        !cell.is_empty() && self.claim.windows(cell.len()).any(|own| own == cell)
    }

    /// The claim has a cell of another row in words, in place of that of this row.
    fn of_another(&self) -> Option<String> {
        // Numbers of other rows are in many claims by chance.
        let is_in_words = |cell: &&String| {
            cell.contains(char::is_alphabetic) && !cell.contains(|c: char| c.is_ascii_digit())
        };
        self.table
            .columns
            .iter()
            .enumerate()
            .find_map(|(at, name)| {
                let own = &self.cells[at];
                if self.says(own) {
                    return None;
                }
                let others = self.table.rows.iter().map(|row| &row[at]);
                let mut others = others.filter(is_in_words);
                // What another column says of this row, the claim may have from there.
                let other =
                    others.find(|other| self.says(other) && !self.cells.contains(*other))?;
                Some(format!("{name:?} is {own:?} in that row, not {other:?}"))
            })
    }

    /// The claim names a column, but has the value of another one.
    fn of_another_column(&self) -> Option<String> {
        // The first column says what a row is about, and has no value that could be another's.
        let columns = || self.table.columns.iter().zip(&self.cells);
        let is_other = |(name, cell): (&String, &String)| self.says(cell) && !self.says(name);
        let has_other = columns().skip(1).any(is_other);
        let mut named = columns()
            .skip(1)
            .filter(|(name, cell)| self.says(name) && !cell.is_empty() && !self.says(cell));
        let (name, cell) = named.next().filter(|_| has_other)?;
        Some(format!("{name:?} is {cell:?} in that row"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOURS: &str = "# Hours\n\n| Day | Canal Row workshop | Station shop |\n\
        | --- | --- | --- |\n| Monday | closed | 07:00-19:00 |\n\
        | Saturday | 09:00-14:00 | closed |\n\n\
        - Service: Repair; Bicycle: city bike; Price: 9.\n\
        - Service: Repair; Bicycle: e-bike; Price: 14.\n";

    #[test]
    fn row_is_the_one_and_its_cell_the_column_of_the_claim() {
        let tables = text::tables::tables(HOURS);
        for (row, claim, expected) in [
            (
                "| Saturday | 09:00-14:00 | closed |",
                "The Canal Row workshop is closed on Saturday.",
                Some("\"Canal Row workshop\" is \"09:00-14:00\" in that row"),
            ),
            (
                "| Saturday | 09:00-14:00 | closed |",
                "The station shop is closed on Saturday.",
                None,
            ),
            (
                "| Monday | closed | 07:00-19:00 |",
                "The Canal Row workshop is closed on Monday.",
                None,
            ),
            (
                "| Monday | closed | 07:00-19:00 |",
                "The Canal Row workshop is closed on Saturday.",
                Some("\"Day\" is \"Monday\" in that row, not \"Saturday\""),
            ),
            (
                "Service: Repair; Bicycle: city bike; Price: 9.",
                "A repair of an e-bike costs 9 pounds.",
                Some("\"Bicycle\" is \"city bike\" in that row, not \"e-bike\""),
            ),
            (
                "Service: Repair; Bicycle: city bike; Price: 9.",
                "A repair of a city bike costs 9 pounds, of an e-bike more.",
                None,
            ),
            ("# Hours", "Hours are long on Monday.", None),
        ] {
            let start = HOURS.find(row).unwrap();
            let found = objection(claim, &tables, HOURS, &(start..start + row.len()));
            assert_eq!(found.as_deref(), expected, "{claim}");
        }
    }
}
