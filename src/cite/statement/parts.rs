//! The parts of a sentence that each say something of their own.

use std::ops::Range;

use super::Statement;
use super::subject;
use crate::text;

/// What stands between two main clauses, of which each says something of its own.
const BETWEEN: &[&str] = &["; ", ", while ", ", whereas ", ", but "];

/// What stands between two main clauses if both have a subject, else between two words of a list.
const AND: &str = ", and ";

/// The least number of words of each of them.
const CLAUSE_WORDS: usize = 3;

/// The byte ranges of the main clauses of a sentence: "Ann is elected chair; Bea, the other
/// candidate, gets 14 votes" are two. The row of a table is one.
pub(in crate::cite) fn main_clauses(text: &str, sentence: Range<usize>) -> Vec<Range<usize>> {
    let words = |range: &Range<usize>| text[range.clone()].split_whitespace().count();
    let mut clauses = vec![sentence.clone()];
    if text::tables::is_record(&text[sentence.clone()]) {
        return clauses;
    }
    let ends_of = |between: &str| {
        let matches = text[sentence.clone()].match_indices(between);
        let ends = matches.map(|(at, _)| sentence.start + at + 1);
        ends.collect::<Vec<usize>>()
    };
    let has_own = |range: Range<usize>| subject::has_own(&Statement::parse(&text[range]));
    let joined = ends_of(AND).into_iter();
    let joined = joined.filter(|end| {
        has_own(sentence.start..*end) && has_own(end + 1 + "and ".len()..sentence.end)
    });
    let mut ends: Vec<usize> = BETWEEN.iter().flat_map(|own| ends_of(own)).collect();
    ends.extend(joined);
    ends.sort_unstable();
    for end in ends {
        let last = clauses.last().map_or(sentence.start, |last| last.start);
        let (before, after) = (last..end, end + 1..sentence.end);
        // "Refunds are not possible; vouchers are."
        let least = CLAUSE_WORDS - usize::from(text[..end].ends_with(';'));
        if words(&before) >= CLAUSE_WORDS && words(&after) >= least {
            clauses.pop();
            clauses.extend([before, after]);
        }
    }
    clauses
}

#[cfg(test)]
mod tests {
    #[test]
    fn main_clauses_are_divided_where_one_says_something_of_its_own() {
        for (sentence, clauses) in [
            (
                "Ann is elected chair; the other candidate, Bea, gets 14 votes.",
                &[
                    "Ann is elected chair;",
                    "the other candidate, Bea, gets 14 votes.",
                ][..],
            ),
            (
                "Ann supervises Lena, while Samir goes to the cheese room.",
                &[
                    "Ann supervises Lena,",
                    "while Samir goes to the cheese room.",
                ],
            ),
            ("Name: Ann; Role: chair.", &["Name: Ann; Role: chair."]),
            ("Ann, Bea; Carl.", &["Ann, Bea; Carl."]),
        ] {
            let ranges = super::main_clauses(sentence, 0..sentence.len());
            let texts: Vec<&str> = ranges.into_iter().map(|range| &sentence[range]).collect();
            assert_eq!(texts, clauses);
        }
    }
}
