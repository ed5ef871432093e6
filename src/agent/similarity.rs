//! The similarity of sentences, by the cosine of their terms, and repetition.

use foldhash::HashSet;

use crate::answering::{AnswerType, Question};
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
            && !(question.answer_type == AnswerType::Quantity && have_other_amounts(one, other))
}

/// `true` if two sentences give amounts of one unit, and none in common: a price of 2026 does not
/// repeat that of another document.
fn have_other_amounts(one: &str, other: &str) -> bool {
    let amounts = |sentence: &str| {
        let all = text::quantities(sentence).into_iter();
        all.filter(|own| !matches!(&*own.unit, "" | "year"))
            .collect::<Vec<_>>()
    };
    let (own, others) = (amounts(one), amounts(other));
    let share = |is_shared: fn(&text::Quantity, &text::Quantity) -> bool| {
        own.iter()
            .any(|own| others.iter().any(|other| is_shared(own, other)))
    };
    share(|own, other| own.unit == other.unit)
        && !share(|own, other| own.unit == other.unit && own.value == other.value)
}
