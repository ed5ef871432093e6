//! Rows of a table: the one that has all that a question names, "the p95 of rates in Frankfurt",
//! and the one with the most or the least of something, "Which month had the most complaints?"

use std::collections::BTreeSet;

use super::candidate::Candidate;
use crate::answering::Question;
use crate::text;
use crate::text::tables::record_fields;

/// Words that ask for the largest value, and for the smallest.
const MOST: &[&str] = &[
    "most",
    "highest",
    "largest",
    "biggest",
    "greatest",
    "maximum",
    "longest",
    "heaviest",
    "dearest",
    "costliest",
];
const LEAST: &[&str] = &[
    "least", "fewest", "lowest", "smallest", "minimum", "shortest", "lightest", "cheapest",
];

/// The number of rows that make a table.
const ROWS: usize = 2;

/// The maximum number of words of a value that names what its row is of: "GET /v2/rates",
/// "eu-west-2", "Day ticket, adult". A longer one tells something.
const NAME_WORDS: usize = 4;

/// A row that is read as a record, "Month: 2025-05; Complaints: 7.", with the value asked for.
struct Row {
    index: usize,
    value: f64,
}

/// Puts a row of a table before all other answers, if the best answer is a row: the first that has
/// all that the question names of such rows, and of those, if it asks for the most or the least,
/// the one with the largest or the smallest value.
pub(super) fn lead_with_row(
    candidates: &[Candidate],
    question: &Question,
    scored: &mut Vec<(usize, f64)>,
) {
    let Some((index, score)) = best_row(candidates, question, scored) else {
        return;
    };
    let best = match asks_for_most(question) {
        Some(is_most) => extreme(candidates, question, index, is_most),
        None if is_outdone(candidates, question, index) => named(candidates, question, index),
        None => None,
    };
    if let Some(best) = best {
        scored.retain(|(index, _)| *index != best);
        scored.insert(0, (best, score));
    }
}

/// The best answer if it is a row; of a question for the most or the least, the best of the rows
/// with the value that it asks for.
fn best_row(
    candidates: &[Candidate],
    question: &Question,
    scored: &[(usize, f64)],
) -> Option<(usize, f64)> {
    let row = |index: usize| &*candidates[index].sentence;
    if asks_for_most(question).is_some() {
        let mut scored = scored.iter().copied();
        return scored.find(|(index, _)| label_of_value(row(*index), question).is_some());
    }
    let first = scored.first().copied();
    first.filter(|(index, _)| record_fields(row(*index)).nth(1).is_some())
}

/// The first row of the table of a row that has all that the question names of such rows.
fn named(candidates: &[Candidate], question: &Question, of: usize) -> Option<usize> {
    let mut rows = siblings(candidates, of);
    rows.find(|index| !is_outdone(candidates, question, *index))
}

/// The row of the table of a row with the largest or the smallest value of what is asked; of equal
/// rows the first. What else the question names, "in September", the row has to have.
fn extreme(
    candidates: &[Candidate],
    question: &Question,
    of: usize,
    is_most: bool,
) -> Option<usize> {
    let label = label_of_value(&candidates[of].sentence, question)?;
    let mut rows = rows(candidates, of, label);
    if rows.len() < ROWS {
        return None;
    }
    rows.retain(|row| !is_outdone(candidates, question, row.index));
    let extreme = rows.into_iter().reduce(|best, row| {
        let is_better = if is_most {
            row.value > best.value
        } else {
            row.value < best.value
        };
        if is_better { row } else { best }
    });
    extreme.map(|row| row.index)
}

/// `true` if a sentence is a row, and another row of its table has more of what the question names
/// in one of the columns that name things: "eu-west-2" where this one has "eu-central-1". What this
/// one has in another column, or in the name of one, counts as well.
pub(super) fn is_outdone(candidates: &[Candidate], question: &Question, index: usize) -> bool {
    let row = &*candidates[index].sentence;
    let own: Vec<(&str, BTreeSet<&str>)> = names(row, question).collect();
    let labels = record_fields(row).flat_map(|(label, _)| question.named_in(label));
    let labels = labels.map(|term| term.stem.as_str());
    let values = own.iter().flat_map(|(_, met)| met).copied();
    let all: BTreeSet<&str> = values.chain(labels).collect();
    let has_less = |label: &str, met: &BTreeSet<&str>| {
        let mut own = own.iter().filter(|(same, _)| *same == label);
        own.any(|(_, less)| met.is_superset(less)) && !met.is_subset(&all)
    };
    own.len() >= ROWS
        && siblings(candidates, index).any(|other| {
            let mut others = names(&candidates[other].sentence, question);
            others.any(|(label, met)| has_less(label, &met))
        })
}

/// The columns of a row that name things, each with the terms of the question that its value has.
fn names<'a>(
    row: &'a str,
    question: &'a Question,
) -> impl Iterator<Item = (&'a str, BTreeSet<&'a str>)> {
    let fields = record_fields(row);
    let names = fields.filter(|(_, value)| text::words(value).count() <= NAME_WORDS);
    names.map(|(label, value)| {
        let met = question.named_in(value).into_iter();
        (label, met.map(|term| &*term.stem).collect())
    })
}

/// The other rows of the table of a row: those of its document that begin with the same label.
fn siblings(candidates: &[Candidate], of: usize) -> impl Iterator<Item = usize> {
    let label = |own: &Candidate| {
        let mut fields = record_fields(&own.sentence).map(|(label, _)| label.to_owned());
        fields.next()
    };
    let (document, first) = (candidates[of].document, label(&candidates[of]));
    let others = candidates.iter().enumerate();
    let others = others.filter(move |(index, other)| {
        *index != of && other.document == document && first.is_some() && label(other) == first
    });
    others.map(|(index, _)| index)
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
