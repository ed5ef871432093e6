//! Intervals in the cells of tables, "30 to 59", "above 90": which row a number of a question falls
//! into, "What is the dose for a clearance of 45?"

use super::super::question::Question;
use crate::text::{self, tables::record_fields};

/// The maximum number of words of a cell that is an interval. Chosen by hand.
const CELL_WORDS: usize = 6;

/// Words behind the number of a bound, with `true` if values above it are meant; the number itself
/// is within. A closed list, written by hand.
const BEHIND: &[(&str, bool)] = &[
    ("or more", true),
    ("and more", true),
    ("or above", true),
    ("and above", true),
    ("or over", true),
    ("and over", true),
    ("or older", true),
    ("or less", false),
    ("or fewer", false),
    ("and below", false),
    ("or below", false),
    ("or under", false),
    ("and under", false),
    ("or younger", false),
];

/// An interval of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Interval {
    low: f64,
    high: f64,
    /// `true` if its ends are within.
    is_closed: bool,
}

impl Interval {
    /// The interval that a cell gives; `None` if it gives something else.
    fn of(cell: &str) -> Option<Self> {
        let words: Vec<text::Word<'_>> = text::words(cell).take(CELL_WORDS + 1).collect();
        let numbers: Vec<(usize, f64)> = words
            .iter()
            .enumerate()
            .filter_map(|(at, word)| Some((at, word.text.replace(',', "").parse().ok()?)))
            .collect();
        if words.len() > CELL_WORDS {
            return None;
        }
        match numbers.as_slice() {
            [(one, low), (other, high)] if low < high => {
                let between = &cell[words[*one].range.end..words[*other].range.start];
                let is_range = ["to", "–", "-", "—", "bis"]
                    .iter()
                    .any(|own| between.split_whitespace().any(|word| word == *own));
                is_range.then_some(Self {
                    low: *low,
                    high: *high,
                    is_closed: true,
                })
            }
            [(at, number)] => {
                let [before, behind] = [&words[..*at], &words[at + 1..]].map(folded);
                let bound = text::bound_before(&before);
                let bound = bound.map(|own| (own.is_above, own.is_included));
                let end = BEHIND.iter().find(|(phrase, _)| behind.ends_with(phrase));
                let (is_above, is_closed) = bound.or_else(|| Some((end?.1, true)))?;
                Some(Self {
                    low: if is_above { *number } else { f64::NEG_INFINITY },
                    high: if is_above { f64::INFINITY } else { *number },
                    is_closed,
                })
            }
            _ => None,
        }
    }

    fn contains(self, number: f64) -> bool {
        self.low < number && number < self.high
            || self.is_closed && (number == self.low || number == self.high)
    }
}

/// Words, folded, with blanks between them.
fn folded(words: &[text::Word<'_>]) -> String {
    let words: Vec<String> = words.iter().map(|word| text::fold(word.text)).collect();
    words.join(" ")
}

impl Question {
    /// `true` if a row of a table has an interval that a number of the question is in, under a
    /// label that the question names; `false` if the number is in none of its intervals; `None` if
    /// it has no such interval.
    pub fn is_in_interval_of(&self, row: &str) -> Option<bool> {
        let numbers: Vec<f64> = text::words(&self.text)
            .filter(|word| !text::is_year(word.text))
            .filter_map(|word| word.text.replace(',', "").parse().ok())
            .collect();
        if numbers.is_empty() {
            return None;
        }
        let fields = record_fields(row).filter(|(label, _)| !self.met(label).is_empty());
        let mut intervals = fields
            .filter_map(|(_, value)| Interval::of(value.trim_end_matches('.')))
            .peekable();
        intervals.peek()?;
        Some(intervals.any(|own| numbers.iter().any(|number| own.contains(*number))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_falls_into_one_row_of_a_table_of_intervals() {
        let question = Question::parse("What is the dose for a creatinine clearance of 45?");
        let row = |cell: &str| format!("Creatinine clearance (ml/min): {cell}; Dose: 750 mg.");
        for (cell, is_in) in [
            ("above 90", Some(false)),
            ("60 to 90", Some(false)),
            ("30 to 59", Some(true)),
            ("30–59", Some(true)),
            ("45 to 59", Some(true)),
            ("below 45", Some(false)),
            ("up to 45", Some(true)),
            ("45 or more", Some(true)),
            ("below 30", Some(false)),
            ("45", None),
            ("measured daily", None),
        ] {
            assert_eq!(question.is_in_interval_of(&row(cell)), is_in, "{cell}");
        }
        let other = Question::parse("What is the dose?");
        assert_eq!(other.is_in_interval_of(&row("30 to 59")), None);
    }
}
