//! Questions for the most or the least of a table: "Which month had the most complaints?"

use super::candidate::Candidate;
use crate::answering::Question;
use crate::text;
use crate::text::tables::record_fields;

/// Words that ask for the largest value, and for the smallest.
const MOST: &[&str] = &[
    "most", "highest", "largest", "biggest", "greatest", "maximum", "longest", "heaviest",
];
const LEAST: &[&str] = &[
    "least", "fewest", "lowest", "smallest", "minimum", "shortest", "lightest",
];

/// The number of rows that make a table.
const ROWS: usize = 2;

/// A row that is read as a record, "Month: 2025-05; Complaints: 7.", with the value asked for.
struct Row {
    index: usize,
    value: f64,
}

/// Puts the row of a table with the largest, or the smallest, value of what a question asks about
/// before all other answers; of equal rows the first. The rows are those of the table of the best
/// answer that is one.
pub(super) fn lead_with_extreme(
    candidates: &[Candidate],
    question: &Question,
    scored: &mut Vec<(usize, f64)>,
) {
    let Some(is_most) = asks_for_most(question) else {
        return;
    };
    let best_row = scored.iter().find_map(|(index, score)| {
        let label = label_of_value(&candidates[*index].sentence, question)?;
        Some((*index, label.to_owned(), *score))
    });
    let Some((index, label, score)) = best_row else {
        return;
    };
    let rows = rows(candidates, index, &label);
    let extreme = rows.iter().reduce(|best, row| {
        let is_better = if is_most {
            row.value > best.value
        } else {
            row.value < best.value
        };
        if is_better { row } else { best }
    });
    if let Some(row) = extreme.filter(|_| rows.len() >= ROWS) {
        scored.retain(|(index, _)| *index != row.index);
        scored.insert(0, (row.index, score));
    }
}

/// `true` if a question asks for the largest, `false` for the smallest; `None` for neither.
fn asks_for_most(question: &Question) -> Option<bool> {
    let has = |list: &[&str]| {
        text::words(&question.text).any(|word| list.contains(&text::fold(word.text).as_str()))
    };
    match (has(MOST), has(LEAST)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// The label of the value in a row that a question asks about: one with a number and a word of the
/// question that is not a year.
fn label_of_value<'a>(row: &'a str, question: &Question) -> Option<&'a str> {
    let is_met = |label: &str| {
        let mut met = question.met(label).into_iter();
        met.any(|term| term.word.contains(char::is_alphabetic))
    };
    let mut fields =
        record_fields(row).filter(|(label, value)| number(value).is_some() && is_met(label));
    fields.next().map(|(label, _)| label)
}

/// The rows of the document of a row that have this label.
fn rows(candidates: &[Candidate], of: usize, label: &str) -> Vec<Row> {
    let document = candidates[of].document;
    let rows = candidates
        .iter()
        .enumerate()
        .filter(|(_, other)| other.document == document);
    rows.filter_map(|(index, row)| {
        let (_, value) = record_fields(&row.sentence).find(|(own, _)| *own == label)?;
        let value = number(value)?;
        Some(Row { index, value })
    })
    .collect()
}

/// The number that a value is, without its unit; a date is none.
fn number(value: &str) -> Option<f64> {
    let quantities = text::quantities(value);
    let first = quantities
        .first()
        .filter(|quantity| quantity.unit != "year")?;
    Some(first.value)
}
