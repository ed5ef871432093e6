//! The tables of reStructuredText: grids, simple tables, and lists of lists.

use super::lines::{Lines, is_blank};

/// The limit on the lines of a simple table, chosen by hand: its end is searched.
const MAX_ROWS: usize = 2_000;

/// Returns `true` for the border of a grid: `+---+---+`.
pub(super) fn is_grid(line: &str) -> bool {
    let line = line.trim_end();
    line.len() > 2
        && line.starts_with("+-")
        && line.ends_with('+')
        && line.bytes().all(|byte| matches!(byte, b'+' | b'-' | b'='))
}

/// Returns `true` for the border of a simple table: `====  ====`.
pub(super) fn is_simple(line: &str) -> bool {
    let line = line.trim_end();
    line.starts_with("==") && line.contains(' ') && line.bytes().all(|b| matches!(b, b'=' | b' '))
}

/// A table as it could be read.
pub(super) enum Table<'a> {
    /// Its rows.
    Rows(Vec<Vec<String>>),
    /// Its lines, where cells span columns or rows, or its end is missing.
    Lines(Vec<&'a str>),
}

/// Reads a grid.
pub(super) fn grid<'a>(lines: &mut Lines<'a>) -> Table<'a> {
    let block = lines.take_while(|line| line.starts_with(['+', '|']));
    match grid_rows(&block) {
        Some(rows) => Table::Rows(rows),
        None => Table::Lines(block),
    }
}

fn grid_rows(block: &[&str]) -> Option<Vec<Vec<String>>> {
    let border: Vec<char> = block.first()?.trim_end().chars().collect();
    let bounds: Vec<usize> = (0..border.len()).filter(|at| border[*at] == '+').collect();
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = vec![String::new(); bounds.len() - 1];
    for line in &block[1..] {
        let line: Vec<char> = line.trim_end().chars().collect();
        let expected = if line.first() == Some(&'+') { '+' } else { '|' };
        // Where a cell spans columns or rows, a corner or a side is missing.
        if bounds.iter().any(|at| line.get(*at) != Some(&expected)) {
            return None;
        }
        if expected == '+' {
            rows.push(std::mem::replace(
                &mut row,
                vec![String::new(); bounds.len() - 1],
            ));
            continue;
        }
        for (cell, bound) in row.iter_mut().zip(bounds.windows(2)) {
            cell.push(' ');
            cell.extend(&line[bound[0] + 1..bound[1]]);
        }
    }
    Some(rows)
}

/// Reads a simple table: its columns are below the `=` of the border.
pub(super) fn simple<'a>(lines: &mut Lines<'a>) -> Table<'a> {
    let Some(length) = simple_length(lines) else {
        return Table::Lines(lines.take_while(|line| !is_blank(line)));
    };
    let block = lines.take(length);
    let columns = columns(block.first().copied().unwrap_or_default());
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut is_apart = true;
    for line in block {
        let is_border = line.bytes().all(|byte| matches!(byte, b'=' | b'-' | b' '));
        if is_blank(line) || is_border {
            is_apart = true;
            continue;
        }
        let cells = cells(line, &columns);
        let is_new = is_apart || cells.first().is_some_and(|cell| !is_blank(cell));
        match rows.last_mut().filter(|_| !is_new) {
            Some(row) => {
                for (cell, more) in row.iter_mut().zip(cells) {
                    *cell = format!("{cell} {more}");
                }
            }
            None => rows.push(cells),
        }
        is_apart = false;
    }
    Table::Rows(rows)
}

/// The number of lines to the border that ends a simple table: one before an empty line.
fn simple_length(lines: &Lines<'_>) -> Option<usize> {
    (1..MAX_ROWS).find_map(|at| {
        let is_end = is_simple(lines.peek_at(at)?) && lines.peek_at(at + 1).is_none_or(is_blank);
        is_end.then_some(at + 1)
    })
}

/// The places at which the columns begin, in characters.
fn columns(border: &str) -> Vec<usize> {
    let border: Vec<char> = border.chars().collect();
    (0..border.len())
        .filter(|at| border[*at] == '=' && (*at == 0 || border[*at - 1] == ' '))
        .collect()
}

fn cells(line: &str, columns: &[usize]) -> Vec<String> {
    let line: Vec<char> = line.chars().collect();
    let ends = columns.iter().skip(1).copied().chain([usize::MAX]);
    columns
        .iter()
        .zip(ends)
        .map(|(start, end)| {
            let end = end.min(line.len());
            line.get(*start..end).unwrap_or_default().iter().collect()
        })
        .collect()
}

/// The rows of a list of rows, each a list of cells.
pub(super) fn list_table(body: &[&str]) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for line in body {
        let is_row = line.starts_with(['*', '-', '+']);
        if is_row {
            rows.push(Vec::new());
        }
        let Some(row) = rows.last_mut() else { continue };
        let line = if is_row { &line[1..] } else { line }.trim();
        match (line.strip_prefix(['-', '*', '+']), row.last_mut()) {
            (Some(cell), _) if cell.is_empty() || cell.starts_with(' ') => {
                row.push(cell.trim().to_owned());
            }
            (_, Some(cell)) => *cell = format!("{cell} {line}"),
            (_, None) => {}
        }
    }
    rows
}
