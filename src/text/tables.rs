//! The tables of a Markdown text: GFM tables, and lists of records whose items have the same fields
//! ("Year: 2015; sold: 57,000."), as which rows of CSV, JSON and YAML files are stored.

use std::ops::Range;
use std::sync::LazyLock;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::block::{Block, BlockKind};
use super::blocks::{blocks, options};
use super::keywords::{Keywords, LazyKeywords};
use super::numbers::quantities;
use super::sentences::{prose, with_full_stop};
use super::truncate::truncate;
use super::words::fold;

/// The separators of a record's fields, and of the name of a field from its value.
const FIELDS: &str = "; ";
const VALUE: &str = ": ";

/// The limit on the name of a column in a record; chosen by hand.
const NAME_CHARACTERS: usize = 100;

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The titles of the headings that it stands under, outermost first.
    pub headings: Vec<String>,
    /// Its byte range.
    pub range: Range<usize>,
    /// The names of its columns.
    pub columns: Vec<String>,
    /// The cells of each row, as many as there are columns.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The values of a column; `None` where a cell is no number.
    pub fn numbers(&self, column: usize) -> impl Iterator<Item = Option<f64>> {
        let cells = self.rows.iter().map(move |row| row.get(column));
        cells.map(|cell| number(cell.map_or("", String::as_str)))
    }

    /// `true` if all cells of a column are numbers.
    pub fn is_numeric(&self, column: usize) -> bool {
        !self.rows.is_empty() && self.numbers(column).all(|value| value.is_some())
    }

    /// `true` if most cells of a column beside its labels have a number: hours, "9:00–13:00", or
    /// sizes with their units.
    pub fn has_values(&self) -> bool {
        let has_number = |cell: &&String| cell.contains(|c: char| c.is_ascii_digit());
        (1..self.columns.len()).any(|column| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            2 * cells.filter(has_number).count() > self.rows.len()
        })
    }

    /// The cells of a text that is one of its rows, or a record with some of its columns; `None` if
    /// it is neither.
    pub fn cells_of(&self, text: &str) -> Option<Vec<String>> {
        if is_row(text) {
            return Some(row_cells(text));
        }
        let (names, values) = record(&prose(text))?;
        in_columns(&names, &values, &self.columns)
    }

    /// Adds a record as a row, if its columns are some of those of the table, or more than these: a
    /// record leaves out the cells that are empty. Returns `false` if it is of another table.
    fn add_record(&mut self, names: &[String], values: &[String]) -> bool {
        if let Some(row) = in_columns(names, values, &self.columns) {
            self.rows.push(row);
            return true;
        }
        let rows = self.rows.iter();
        let rows: Option<Vec<_>> = rows
            .map(|row| in_columns(&self.columns, row, names))
            .collect();
        let is_wider = rows.is_some();
        if let Some(rows) = rows {
            self.rows = rows;
            self.columns = names.to_vec();
            self.rows.push(values.to_vec());
        }
        is_wider
    }

    /// `true` if it has a column of numbers beside its labels.
    pub fn has_numbers(&self) -> bool {
        (1..self.columns.len()).any(|column| self.is_numeric(column))
    }
}

/// The tables of a Markdown text, in order.
pub fn tables(markdown: &str) -> Vec<Table> {
    let mut tables = Vec::new();
    let mut records: Option<Table> = None;
    for block in blocks(markdown) {
        let text = markdown.get(block.range.clone()).unwrap_or_default();
        // The first item of a list that is quoted by itself is a paragraph.
        let is_item = matches!(block.kind, BlockKind::Item | BlockKind::Paragraph);
        let record = is_item.then(|| record(&prose(text))).flatten();
        if let (Some(list), Some((columns, row))) = (&mut records, &record)
            && *list.headings == *block.headings
            && list.add_record(columns, row)
        {
            list.range.end = block.range.end;
            continue;
        }
        tables.extend(records.take());
        records = record.map(|(columns, row)| table(&block, columns, vec![row]));
        if block.kind == BlockKind::Table {
            let mut rows = cells(text).into_iter();
            tables.extend(rows.next().map(|head| table(&block, head, rows.collect())));
        }
    }
    tables.extend(records);
    tables
}

fn table(block: &Block, columns: Vec<String>, rows: Vec<Vec<String>>) -> Table {
    Table {
        headings: block.headings.to_vec(),
        range: block.range.clone(),
        columns,
        rows,
    }
}

/// The values of a record in the order of some columns, with nothing for those that it lacks;
/// `None` if it has a field beside them, or in another order.
fn in_columns(names: &[String], values: &[String], columns: &[String]) -> Option<Vec<String>> {
    let mut fields = names.iter().zip(values).peekable();
    let values: Vec<String> = columns
        .iter()
        .map(|column| {
            let field = fields.next_if(|(name, _)| *name == column);
            field.map_or_else(String::new, |(_, value)| value.clone())
        })
        .collect();
    fields.peek().is_none().then_some(values)
}

/// The names and the values of the fields of a record; `None` if a text is none.
fn record(text: &str) -> Option<(Vec<String>, Vec<String>)> {
    let text = text.trim().strip_suffix('.')?;
    let fields = fields(text)?.into_iter();
    let fields = fields.map(|field| field.split_once(VALUE));
    let fields: Vec<(&str, &str)> = fields.collect::<Option<_>>()?;
    let owned = |text: &str| text.trim().to_owned();
    let fields = fields
        .iter()
        .map(|(name, value)| (owned(name), owned(value)));
    let (names, values): (Vec<_>, Vec<_>) = fields.unzip();
    (names.len() > 1).then_some((names, values))
}

/// The blocks of a text with each GFM table as its head (the header row and the delimiter row)
/// followed by its rows, so that each row can be found by itself.
pub fn with_rows(text: &str, blocks: Vec<Block>) -> Vec<Block> {
    with_rows_if(text, blocks, |_| true)
}

/// As [`with_rows`], of tables whose rows are on things: a series of numbers, by years or other
/// numbers, is read and quoted as a whole.
pub fn with_rows_on_things(text: &str, blocks: Vec<Block>) -> Vec<Block> {
    with_rows_if(text, blocks, |block| {
        let mut rows = cells(&text[block.range.clone()]).into_iter();
        let head = rows.next().unwrap_or_default();
        let table = table(block, head, rows.collect());
        !(table.has_numbers() && table.is_numeric(0))
    })
}

fn with_rows_if(text: &str, blocks: Vec<Block>, is_split: impl Fn(&Block) -> bool) -> Vec<Block> {
    let mut all = Vec::with_capacity(blocks.len());
    for block in blocks {
        if block.kind == BlockKind::Table && is_split(&block) {
            all.extend(head_and_rows(text, block));
        } else {
            all.push(block);
        }
    }
    all
}

/// The head of a table, and its rows. GFM, 4.10: each row is a line, and the second line is the
/// delimiter row.
fn head_and_rows(text: &str, table: Block) -> Vec<Block> {
    let mut start = table.range.start;
    let mut lines = Vec::new();
    for line in text[table.range.clone()].split_inclusive('\n') {
        // Within a block quotation a line begins with its marker.
        let row = line.trim_start_matches(['>', ' ', '\t']);
        let first = start + line.len() - row.len();
        lines.push(first..first + row.trim_end().len());
        start += line.len();
    }
    let head = table.range.start..lines.get(1).map_or(table.range.end, |line| line.end);
    let rows = lines.into_iter().skip(2).filter(|line| !line.is_empty());
    let rows: Vec<Block> = rows
        .map(|range| Block {
            kind: BlockKind::Row,
            range,
            ..table.clone()
        })
        .collect();
    let head = Block {
        range: head,
        ..table
    };
    [head].into_iter().chain(rows).collect()
}

/// `true` if a text is a record: fields with names, "Year: 2015; sold: 57,000."
pub fn is_record(text: &str) -> bool {
    fields(text).is_some_and(|fields| fields.len() > 1)
}

/// The fields of a record, each with its name; `None` if a text is none. Of a value some parts may
/// have no name, "Result: passed; reopened", but fewer than have one.
fn fields(text: &str) -> Option<Vec<&str>> {
    let separators = text.match_indices(FIELDS);
    let starts = separators.map(|(at, separator)| at + separator.len());
    let starts: Vec<usize> = [0].into_iter().chain(starts).collect();
    let is_named = |start: &usize| {
        let part = text[*start..].split(FIELDS).next();
        part.is_some_and(|part| part.contains(VALUE))
    };
    let named: Vec<usize> = starts.iter().copied().filter(is_named).collect();
    let ends = named.iter().skip(1).map(|start| start - FIELDS.len());
    let ends = ends.chain([text.len()]);
    let fields = named
        .iter()
        .zip(ends)
        .map(|(start, end)| &text[*start..end]);
    (named.first() == Some(&0) && 2 * named.len() > starts.len()).then(|| fields.collect())
}

/// `true` if a text is a row of a GFM table by itself: a line between bars.
pub fn is_row(text: &str) -> bool {
    text.len() > 1 && text.starts_with('|') && text.ends_with('|') && !text.contains('\n')
}

/// The names of the columns of the GFM table of which a byte range of a text is a row; empty if it
/// is none, or the table has no header row.
pub fn columns_of_row(text: &str, row: Range<usize>) -> Vec<String> {
    let is_row_there = text.get(row.clone()).is_some_and(is_row);
    let before = text.get(..row.start).filter(|_| is_row_there);
    let lines = before
        .unwrap_or_default()
        .trim_end_matches(['>', ' ', '\t']);
    // Within a block quotation a line begins with its marker.
    let bare = lines
        .lines()
        .rev()
        .map(|line| line.trim_matches(['>', ' ', '\t']));
    let above: Vec<&str> = bare.take_while(|line| line.starts_with('|')).collect();
    let is_delimiter = |line: &&&str| {
        line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
    };
    match above.as_slice() {
        [.., delimiter, head] if is_delimiter(&delimiter) => columns(head),
        _ => Vec::new(),
    }
}

/// The names of the columns of a table, by its header row. Long ones are cut, since each row
/// repeats them.
pub fn columns(head: &str) -> Vec<String> {
    let cells = row_cells(head.lines().next().unwrap_or_default()).into_iter();
    cells
        .map(|cell| truncate(&cell, NAME_CHARACTERS).to_owned())
        .collect()
}

/// The name of a column that only numbers the rows: "No." is more often that of a thing.
const NUMBERING: &str = "#";

/// A row of a table as a record, as rows of CSV files are stored: "Who: Dana; due: 2026-03-31."
/// Cells that are empty are left out, and those that only number the rows.
pub fn row_as_record(columns: &[String], row: &str) -> String {
    let fields = row_cells(row).into_iter().enumerate();
    let is_numbering = |column: usize| {
        let name = columns.get(column).map(String::as_str);
        name == Some(NUMBERING)
    };
    let fields: Vec<String> = fields
        .filter(|(column, cell)| !cell.is_empty() && !is_numbering(*column))
        .map(|(column, cell)| match columns.get(column) {
            Some(name) if !name.is_empty() => format!("{name}{VALUE}{cell}"),
            _ => cell,
        })
        .collect();
    with_full_stop(&fields.join(FIELDS))
}

/// The labels and values of a row that is read as a record: "Item: day pass; Price: £18."
pub fn record_fields(record: &str) -> impl Iterator<Item = (&str, &str)> {
    let fields = fields(record.trim_end_matches('.')).unwrap_or_default();
    let fields = fields.into_iter();
    fields.filter_map(|field| field.split_once(VALUE))
}

/// Labels of the day from which a row holds.
const VALID_FROM: &[&str] = &["effective", "effective from", "valid from", "valid since"];
static VALID_KEYWORDS: LazyKeywords = LazyLock::new(|| Keywords::new(VALID_FROM.iter().copied()));

/// The day from which a row that is read as a record holds, "2025-01-01": "Valid from: 2025-01-01".
pub fn valid_from(record: &str) -> Option<&str> {
    if !VALID_KEYWORDS.are_in(record) {
        return None;
    }
    let is_day = |value: &str| {
        let is_digit_or_dash = |c: char| c.is_ascii_digit() || c == '-';
        value.len() == "2025-01-01".len() && value.chars().all(is_digit_or_dash)
    };
    let mut fields = record_fields(record.trim());
    let (_, day) = fields.find(|(label, _)| VALID_FROM.contains(&fold(label).as_str()))?;
    Some(day.trim()).filter(|day| is_day(day))
}

/// The cells of a row of a GFM table, trimmed: between bars that are not escaped.
pub fn row_cells(row: &str) -> Vec<String> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let mut cells = vec![String::new()];
    let mut characters = row.chars().peekable();
    while let Some(character) = characters.next() {
        let is_escape = character == '\\' && characters.peek() == Some(&'|');
        match (character, cells.last_mut()) {
            ('|', _) => cells.push(String::new()),
            (_, Some(cell)) if is_escape => cell.extend(characters.next()),
            (_, Some(cell)) => cell.push(character),
            (_, None) => {}
        }
    }
    // The bar at the end of a row begins no cell.
    cells.pop_if(|last| last.trim().is_empty());
    let plain = |cell: &String| match cell.trim() {
        ESCAPED_DASH => "-".to_owned(),
        cell => cell.to_owned(),
    };
    cells.iter().map(plain).collect()
}

/// A cell of a table with a dash for nothing, which begins no item of a list.
const ESCAPED_DASH: &str = "\\-";

/// The plain cells of a GFM table, its head first.
fn cells(table: &str) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for event in Parser::new_ext(table, options()) {
        match event {
            Event::Start(Tag::TableHead | Tag::TableRow) => rows.push(Vec::new()),
            Event::Start(Tag::TableCell) => rows.last_mut().into_iter().for_each(|row| {
                row.push(String::new());
            }),
            Event::Text(text) | Event::Code(text) => {
                let cell = rows.last_mut().and_then(|row| row.last_mut());
                cell.into_iter().for_each(|cell| cell.push_str(&text));
            }
            Event::End(TagEnd::Table) => break,
            _ => {}
        }
    }
    for cell in rows.iter_mut().flatten() {
        *cell = cell.trim().to_owned();
    }
    rows
}

/// The number that a cell is, without its unit; `None` if it is none, or says more.
fn number(cell: &str) -> Option<f64> {
    let quantities = quantities(cell);
    let [quantity] = quantities.as_slice() else {
        return None;
    };
    let before = cell.get(..quantity.range.start)?.trim();
    let after = cell.get(quantity.range.end..)?;
    let is_mark = |text: &str| !text.contains(char::is_alphanumeric);
    let is_negative = before.ends_with(['-', '−', '–']);
    let value = if is_negative {
        -quantity.value
    } else {
        quantity.value
    };
    (is_mark(before) && is_mark(after)).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_lists_of_records_are_read() {
        let text = "# Sales\n\nIntro.\n\n| Year | *Sold* | Share (%) |\n| --- | ---: | --- |\n\
                    | 2015 | 57,000 | 8.0 |\n| 2016 | −1.5 million | |\n\n## Costs\n\n\
                    - System: Boiler; cost (EUR): 9500.\n- System: Pump; cost (EUR): 28000.\n\
                    - Other: 1; cost (EUR): 2.\n- Nothing.\n";
        let tables = tables(text);
        assert_eq!(tables.len(), 3);
        assert_eq!(tables[0].headings, ["Sales"]);
        assert_eq!(tables[0].columns, ["Year", "Sold", "Share (%)"]);
        assert_eq!(tables[0].rows[0], ["2015", "57,000", "8.0"]);
        assert_eq!(
            tables[0].numbers(1).collect::<Vec<_>>(),
            [Some(57_000.0), Some(-1.5e6)]
        );
        assert!(tables[0].is_numeric(1) && !tables[0].is_numeric(2));
        assert_eq!(tables[1].rows, [["Boiler", "9500"], ["Pump", "28000"]]);
        let gaps = "- Farm: Tarn; cows: 3.\n- Farm: Elm; cows: 5; remarks: new.\n- Farm: Oak.\n\
                    - Farm: Ash; remarks: old.\n";
        let gaps = &self::tables(gaps)[0];
        assert_eq!(gaps.columns, ["Farm", "cows", "remarks"]);
        assert_eq!(gaps.rows[0], ["Tarn", "3", ""]);
        assert_eq!(gaps.rows[1], ["Elm", "5", "new"]);
        let range = tables[1].range.clone();
        assert!(text[range.clone()].starts_with("System: Boiler"));
        assert!(text[range.clone()].ends_with("28000."));
        assert!(super::tables("- a: b\n- c").is_empty());
    }

    #[test]
    fn a_value_of_a_record_may_have_parts_without_names() {
        let row = "Hood: 3; result: Failed: 0.31 m/s; closed; cost: 0.";
        let fields: Vec<_> = record_fields(row).collect();
        assert_eq!(fields[1], ("result", "Failed: 0.31 m/s; closed"));
        assert!(is_record(row) && fields.len() == 3);
        for prose in [
            "It is so: one; two.",
            "One; two: three; four: five.",
            "One.",
        ] {
            assert!(!is_record(prose), "{prose}");
        }
    }

    #[test]
    fn rows_follow_the_head_of_their_table_and_read_as_records() {
        let text = "# Tasks\n\n> | Who | What | |\n> | --- | --- | --- |\n\
                    > | Dana | a \\| b | 3 |\n> Ben || yes\n";
        let blocks = with_rows(text, blocks(text));
        let kinds: Vec<BlockKind> = blocks.iter().map(|block| block.kind).collect();
        use BlockKind::{Heading, Row, Table};
        assert_eq!(kinds, [Heading, Table, Row, Row]);
        let own = |block: &Block| text[block.range.clone()].to_owned();
        let columns = columns(&own(&blocks[1]));
        assert_eq!(columns, ["Who", "What", ""]);
        assert_eq!(own(&blocks[2]), "| Dana | a \\| b | 3 |");
        let records: Vec<String> = blocks[2..]
            .iter()
            .map(|row| row_as_record(&columns, &own(row)))
            .collect();
        assert_eq!(records, ["Who: Dana; What: a | b; 3.", "Who: Ben; yes."]);
        assert_eq!(&*blocks[3].headings, ["Tasks"]);
        // A table is split once.
        assert_eq!(with_rows(text, blocks.clone()), blocks);
    }

    #[test]
    fn columns_of_a_row_are_those_of_its_table() {
        let text = "# A\n\n> | Who | What |\n> | --- | :-: |\n> | Dana | a |\n> | Ben | b |\n\n\
                    | c | d |\n| e | f |\n";
        let of = |row: &str| {
            let start = text.find(row).unwrap();
            columns_of_row(text, start..start + row.len())
        };
        assert_eq!(of("| Dana | a |"), ["Who", "What"]);
        assert_eq!(of("| Ben | b |"), ["Who", "What"]);
        // No header row is above these.
        for row in [
            "| Who | What |",
            "| --- | :-: |",
            "| c | d |",
            "| e | f |",
            "Dana",
        ] {
            assert!(of(row).is_empty(), "{row}");
        }
        assert!(columns_of_row(text, 7..7000).is_empty());
    }

    #[test]
    fn only_a_series_of_numbers_is_read_as_a_whole() {
        for (row, count) in [("Dana | 380 kg", 2), ("2015 | 3.1", 1), ("7 | Dana", 2)] {
            let text = format!("| a | b |\n| --- | --- |\n| {row} |\n");
            assert_eq!(
                with_rows_on_things(&text, blocks(&text)).len(),
                count,
                "{row}"
            );
        }
    }

    #[test]
    fn a_quoted_table_reads_as_in_its_text() {
        let text = "# A\n\n- Year: 2015; sold: 7.\n- Year: 2016; sold: 8.\n\n\
                    | a | b |\n|---|---|\n| 1 | 2 |\n";
        for table in tables(text) {
            let quoted = tables(&text[table.range.clone()]);
            assert_eq!(quoted.len(), 1, "{quoted:?}");
            assert_eq!(
                (&quoted[0].columns, &quoted[0].rows),
                (&table.columns, &table.rows)
            );
        }
    }
}
