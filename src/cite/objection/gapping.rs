//! Gapping: a clause without its verb, "Ann got 12 votes and Bea 15", "the pump costs 38 euros and
//! the boiler 31 euros". The number of each clause is of its own subject.

use std::ops::Range;

use super::super::alignment::has_word;
use super::super::coverage::Coverage;
use super::super::grouping::has_same_number;
use super::super::restatement::{Difference, Objection};
use super::super::statement::figure::Figure;
use super::super::statement::subject::Subject;
use super::super::statement::verb::is_verb;
use super::super::statement::{ContentWord, Statement};

/// The largest number of words of the subject of a clause without a verb.
const SUBJECT_WORDS: usize = 3;

/// Words that join a clause to the one before it, and those that begin its subject.
const JOINS: &[&str] = &["and", "but", "while"];
const ARTICLES: &[&str] = &["a", "an", "the"];

/// Two clauses of which the second leaves out the verb.
struct Gap<'a> {
    subjects: [&'a [ContentWord]; 2],
    figures: [&'a Figure; 2],
}

impl<'a> Gap<'a> {
    /// The first gap of a statement.
    fn of(statement: &'a Statement) -> Option<Self> {
        let first = Subject::of(statement)?.words;
        let tokens: Vec<&str> = statement.normal.split(' ').collect();
        let mut pairs = statement.figures.windows(2);
        pairs.find_map(|pair| {
            let second = own_subject(statement, &tokens, pair[0].at..pair[1].at)?;
            let is_first = pair[0].at >= first.len() && !first.is_empty();
            is_first.then_some(Self {
                subjects: [first, second],
                figures: [&pair[0], &pair[1]],
            })
        })
    }

    /// Which of the two subjects a claim names, and which of the two numbers it has.
    fn in_claim(&self, claim: &Statement) -> Option<([bool; 2], [bool; 2])> {
        let [figure] = &claim.figures[..] else {
            return None;
        };
        let names = self.subjects.map(|words| {
            let mut heavy = words.iter().filter(|word| !word.is_light());
            heavy.any(|word| has_word(&claim.words, word))
        });
        Some((names, self.figures.map(|own| has_same_number(figure, own))))
    }

    /// The numbers of both clauses, that of the subject which a claim names last, if it gives this
    /// subject the number of the other one.
    fn exchanged(&self, claim: &Statement) -> Option<[&'a Figure; 2]> {
        let [first, second] = self.figures;
        match self.in_claim(claim)? {
            ([true, false], [false, true]) => Some([second, first]),
            ([false, true], [true, false]) => Some([first, second]),
            _ => None,
        }
    }
}

/// `true` if a sentence gives the subject of a claim its number in a clause without a verb.
pub(super) fn is_said(coverage: &Coverage<'_>, claim: &Statement) -> bool {
    let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
    chosen.any(|own| {
        let gap = Gap::of(own).and_then(|gap| gap.in_claim(claim));
        gap == Some(([false, true], [false, true]))
    })
}

/// The objection to a claim that gives one of two subjects the number of the other.
pub(super) fn objection(coverage: &Coverage<'_>, claim: &Statement) -> Option<Objection> {
    let mut chosen = coverage.chosen().iter().map(|at| coverage.sentence(*at));
    let [given, own] = chosen.find_map(|own| Gap::of(own)?.exchanged(claim))?;
    let difference = Difference::Number(given.shown(), Some(own.shown()));
    Some(Objection::contradiction(difference))
}

/// The subject of a clause that is nothing but a subject and a number, from the words between two
/// numbers: "the boiler" of "38 euros and the boiler 31 euros".
fn own_subject<'a>(
    statement: &'a Statement,
    tokens: &[&str],
    between: Range<usize>,
) -> Option<&'a [ContentWord]> {
    let words = statement.words.get(between)?;
    let begins = |word: &&ContentWord| {
        let before = tokens.get(..word.position).unwrap_or_default();
        let before = before.iter().rfind(|token| !ARTICLES.contains(token));
        before.is_some_and(|before| JOINS.contains(before))
    };
    let from = words.iter().position(|word| begins(&word))?;
    let subject = &words[from..];
    let last = subject.last()?;
    let is_number = |token: &&str| token.starts_with(|c: char| c.is_ascii_digit());
    let ends = tokens.get(last.position + 1).is_some_and(is_number);
    let is_noun = |word: &ContentWord| !is_verb(statement, word) && !word.is_light();
    (ends && subject.len() <= SUBJECT_WORDS && subject.iter().all(is_noun)).then_some(subject)
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn number_of_a_clause_without_a_verb_is_of_its_own_subject() {
        let votes = "Ann got 12 votes and Bea 15.";
        let costs = "The pump costs 38,400 euros and the boiler 31,900 euros.";
        let fees = "The fee is 20 euros for guests and 15 euros for members.";
        assert_supported(&[
            ("Ann got 12 votes.", votes, true),
            ("Bea got 15 votes.", votes, true),
            ("Bea got 12 votes.", votes, false),
            ("Ann got 15 votes.", votes, false),
            ("The pump costs 38,400 euros.", costs, true),
            ("The boiler costs 31,900 euros.", costs, true),
            ("The pump costs 31,900 euros.", costs, false),
            ("The boiler costs 38,400 euros.", costs, false),
            ("The fee is 20 euros for guests.", fees, true),
            (
                "The Brandt costs 31,900 euros.",
                "The Kestrel costs 38,400 euros and the Brandt 31,900 euros.",
                true,
            ),
        ]);
    }
}
