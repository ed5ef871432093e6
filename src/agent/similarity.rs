//! The similarity of sentences, by the cosine of their terms, and repetition.

use foldhash::HashSet;

use crate::answering::Question;
use crate::cite::Statement;
use crate::text;

/// The least cosine of the terms of two sentences that count as similar. Set by hand on the shipped
/// example (`examples/heat-pumps`).
pub(super) const SIMILAR: f64 = 0.6;

/// `true` if a list has at least this many of some terms.
pub(super) fn shares(terms: &HashSet<&str>, other: &[String], least: usize) -> bool {
    // Stops at the least number.
    other
        .iter()
        .filter(|term| terms.contains(term.as_str()))
        .take(least)
        .count()
        == least
}

/// `true` if a sentence that is similar to another one only repeats it. One that says otherwise of
/// what is asked, with another number or the opposite, does not: both sources have to be heard. Nor
/// does one that says what it replaces. One that has not the same names of the question is about
/// something else.
pub(super) fn repeats(question: &Question, one: &str, other: &str) -> bool {
    let names = |sentence: &str| {
        let met = question.met(sentence).into_iter();
        met.filter(|term| term.is_name)
            .map(|term| term.stem.clone())
            .collect::<Vec<_>>()
    };
    names(one) != names(other)
        || text::replaced(one) == text::replaced(other)
            && !Statement::parse(one).is_rival_of(&Statement::parse(other))
}
