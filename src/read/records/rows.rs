//! Rows of a table into records: finds the header row, whose cells name the fields.

use std::rc::Rc;

use super::layout::is_number;
use super::writer::{MAX_FIELDS, Record, RecordWriter, SAMPLE_BYTES};
use crate::read::markdown_writer::MarkdownWriter;
use crate::text::{one_line, truncate};

/// A row of a table: the cells that are not empty, by their column from 0.
pub(in crate::read) type Row = Vec<(usize, String)>;

/// The number of rows that the header row is looked for in; chosen by hand.
const SAMPLE_ROWS: usize = 50;

/// The limit on columns, that of spreadsheets.
pub(in crate::read) const MAX_COLUMNS: usize = 16_384;

/// The longest name of a field, in characters; chosen by hand, for the questions of surveys.
const MAX_NAME_CHARACTERS: usize = 200;

/// The longest row above a table that is its title, in words; chosen by hand.
const TITLE_WORDS: usize = 12;

/// Numbers that, at the head of a column, are the year that it is about.
const YEARS: std::ops::Range<u32> = 1900..2100;

/// Turns rows into records.
pub(in crate::read) struct RowWriter<'o> {
    records: RecordWriter<'o>,
    /// The heading above the rows, if there are any.
    title: &'o str,
    /// The first rows, before the header row is known.
    sample: Vec<Row>,
    sample_bytes: usize,
    /// The names of the columns.
    names: Option<Vec<Rc<str>>>,
}

impl<'o> RowWriter<'o> {
    /// A writer of the rows of one table, with a heading of the first level.
    pub(in crate::read) fn new(out: &'o mut MarkdownWriter, title: &'o str) -> Self {
        Self {
            records: RecordWriter::new(out, 1),
            title,
            sample: Vec::new(),
            sample_bytes: 0,
            names: None,
        }
    }

    /// Adds a row.
    pub(in crate::read) fn push(&mut self, mut row: Row) {
        // One more than is allowed, so that the writer of records learns of it.
        row.truncate(MAX_FIELDS + 1);
        row.retain(|(column, cell)| *column < MAX_COLUMNS && !cell.trim().is_empty());
        if row.is_empty() {
            return;
        }
        if self.names.is_some() {
            return self.record(row);
        }
        self.sample_bytes += row.iter().map(|(_, cell)| cell.len()).sum::<usize>();
        self.sample.push(row);
        let is_enough = self.sample.len() >= SAMPLE_ROWS || self.sample_bytes >= SAMPLE_BYTES;
        if is_enough {
            self.flush();
        }
    }

    /// Ends the table, and returns the number of its records.
    pub(in crate::read) fn finish(mut self) -> usize {
        self.flush();
        self.records.finish()
    }

    /// Finds the header row and writes the rows before and after it.
    fn flush(&mut self) {
        let sample = std::mem::take(&mut self.sample);
        if self.names.is_some() || sample.is_empty() {
            return;
        }
        self.records.heading(self.title);
        let start = first_row(&sample);
        let (above, table) = sample.split_at(start);
        for (number, row) in above.iter().enumerate() {
            let cells: Vec<&str> = row.iter().map(|(_, cell)| cell.as_str()).collect();
            let words = cells.join(" ");
            let words = words.trim_start_matches(['#', ' ']);
            if number == 0 && words.split_whitespace().count() <= TITLE_WORDS {
                self.records.heading(words);
            } else {
                self.records.paragraph(words);
            }
        }
        let has_header = has_header(table);
        self.names = Some(if has_header {
            names(&table[0])
        } else {
            Vec::new()
        });
        let rows = sample.into_iter().skip(start + usize::from(has_header));
        for row in rows {
            self.record(row);
        }
    }

    fn record(&mut self, row: Row) {
        let names = self.names.as_deref().unwrap_or_default();
        let name = |column: usize| match names.get(column) {
            Some(name) if !name.is_empty() => Rc::clone(name),
            _ => format!("column {}", column + 1).into(),
        };
        // A first column of numbers without a name is the count of the rows.
        let is_count = |(column, cell): &(usize, String)| {
            *column == 0 && names.first().is_some_and(|name| name.is_empty()) && is_number(cell)
        };
        let record: Record = row
            .into_iter()
            .filter(|cell| !is_count(cell))
            .map(|(column, cell)| (name(column), cell))
            .collect();
        self.records.push(record);
    }
}

/// The number of the row that a table begins with: the first that is at least half as wide as the
/// widest and no comment, or else the next, if it is wider and names more columns. Rows above it
/// are titles and notes.
fn first_row(sample: &[Row]) -> usize {
    let width = sample.iter().map(Vec::len).max().unwrap_or_default();
    let is_comment = |row: &Row| row.first().is_some_and(|(_, cell)| cell.starts_with("# "));
    let is_wide = |row: &Row| row.len() * 2 >= width && !is_comment(row);
    let first = sample.iter().position(is_wide).unwrap_or_default();
    match &sample[first..] {
        [title, header, _, ..] if title.len() < header.len() => {
            let names_more = votes_for_header(&sample[first + 1..]);
            first + usize::from(names_more > votes_for_header(&sample[first..]).max(0))
        }
        _ => first,
    }
}

/// Returns `true` if the first row of a table names the columns: unless there are columns of
/// numbers that begin with a number.
fn has_header(table: &[Row]) -> bool {
    // A table of one row has no other row to name.
    table.len() > 1 && votes_for_header(table) >= 0
}

/// The number of the columns of numbers that the first row of a table names, less those that it
/// begins with a number.
fn votes_for_header(table: &[Row]) -> isize {
    let [header, rows @ ..] = table else {
        return 0;
    };
    let mut votes = 0;
    for (column, cell) in header {
        let cells = rows.iter().filter_map(|row| {
            let at = row.binary_search_by_key(column, |(column, _)| *column);
            Some(row[at.ok()?].1.as_str())
        });
        let (numbers, others): (Vec<&str>, Vec<&str>) = cells.partition(|cell| is_number(cell));
        if numbers.len() <= others.len() {
            continue;
        }
        let is_year = |cell: &str| cell.trim().parse().is_ok_and(|year| YEARS.contains(&year));
        let is_head_year = is_year(cell) && !numbers.iter().all(|cell| is_year(cell));
        if !is_number(cell) {
            votes += 1;
        } else if !is_head_year {
            votes -= 1;
        }
    }
    votes
}

/// The names of columns, by the cells of the header row.
fn names(header: &Row) -> Vec<Rc<str>> {
    let last = header.last().map_or(0, |(column, _)| *column);
    let mut names: Vec<Rc<str>> = vec!["".into(); last + 1];
    for (column, cell) in header {
        names[*column] = readable(cell);
    }
    names
}

/// The name of a field with words apart, as people ask for it: `unit_price` becomes `unit price`.
pub(super) fn readable(name: &str) -> Rc<str> {
    let name = name.trim().trim_end_matches(':');
    // An underscore in front is no space: `_id`.
    let words = name.trim_start_matches('_').replace('_', " ");
    // It stands beside every value.
    truncate(&one_line(&words), MAX_NAME_CHARACTERS).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(rows: &[&[&str]]) -> String {
        let mut out = MarkdownWriter::default();
        let mut writer = RowWriter::new(&mut out, "");
        for row in rows {
            let cells = row.iter().map(|cell| (*cell).to_owned());
            writer.push(cells.enumerate().collect());
        }
        writer.finish();
        out.finish()
    }

    #[test]
    fn header_row_names_the_fields() {
        for (rows, text) in [
            (
                &[&["name", "unit_price"][..], &["X2", "3"], &["X3", ""]][..],
                "- Name: X2; unit price: 3.\n- Name: X3.\n",
            ),
            (
                &[&["Ann", "Perth"], &["Bob", "Rome"]],
                "- Ann: Bob; Perth: Rome.\n",
            ),
            (
                &[&["Ann", "34"], &["Bob", "29"]],
                "- Column 1: Ann; column 2: 34.\n- Column 1: Bob; column 2: 29.\n",
            ),
            (
                &[&["Land", "2019", "2020"], &["Chad", "1.2", "3"]],
                "- Land: Chad; 2019: 1.2; 2020: 3.\n",
            ),
            (
                &[
                    &["Sales, in EUR"],
                    &["", "name", "price"],
                    &["1", "X2", "3"],
                ],
                "## Sales, in EUR\n\n- Name: X2; price: 3.\n",
            ),
            (
                &[
                    &["# Meter 7", "then 9", "of the hall"][..],
                    &["month", "use", "cold", "note"],
                    &["May", "31", "2.5"],
                    &["June", "29", "4"],
                ],
                "## Meter 7 then 9 of the hall\n\n- Month: May; use: 31; cold: 2.5.\n\
                 - Month: June; use: 29; cold: 4.\n",
            ),
            (
                &[
                    &["Meter 7"][..],
                    &["month", "use"],
                    &["May", "31"],
                    &["June", "29"],
                ],
                "## Meter 7\n\n- Month: May; use: 31.\n- Month: June; use: 29.\n",
            ),
            (
                &[&["alone", "here"]],
                "- Column 1: alone; column 2: here.\n",
            ),
        ] {
            assert_eq!(written(rows), text, "{rows:?}");
        }
    }
}
