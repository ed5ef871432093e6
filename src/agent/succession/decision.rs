//! Decisions: what was decided to be so from some day on ends what was said of the same thing.

use std::collections::BTreeSet;

use super::phrases::{meets_all, shares_half};
use crate::answering::{AnswerType, Question};
use crate::text;

/// The least share of a question for a day that a decision on the act meets. Chosen by hand: of
/// three words, "fire station opened", two are of the thing alone.
const OF_ACT: f64 = 0.7;

/// `true` if a sentence says what was decided to be so from some day on, of the thing that another
/// one states, and both give what is asked: "Decided: the pool is lowered to 27 °C from 1 April".
pub(super) fn decides_anew(question: &Question, later: &str, earlier: &str) -> bool {
    let has_type = |text| question.answer_type.is_factual() && question.has_type(text);
    // Any decision gives a day: that of another act answers nothing else.
    let is_of_act = || {
        question.answer_type != AnswerType::Date
            || question.share_met(later) >= OF_ACT
                && meets_all(question, earlier, &question.met(later))
    };
    text::decides_from(later)
        && is_of_act()
        && has_type(later)
        && has_type(earlier)
        && have_one_unit(later, earlier)
        && shares_half(question, later, earlier)
        && (question.met(later).len() > 1 || question.lacks_only_measure(later))
}

/// `true` unless a sentence has an amount of some unit, and another one has none of it: "It falls
/// due on 31 January" gives no fee in euros.
fn have_one_unit(one: &str, other: &str) -> bool {
    let units = |text| {
        let quantities = text::quantities(text).into_iter();
        let units = quantities
            .map(|own| own.unit)
            .filter(|unit| !unit.is_empty());
        units.collect::<BTreeSet<String>>()
    };
    let own = units(one);
    own.is_empty() || !own.is_disjoint(&units(other))
}

#[cfg(test)]
mod tests {
    use super::super::{DatedSentence, EarlierAnswer};
    use super::*;

    #[test]
    fn a_decision_or_a_memory_of_another_act_supersedes_no_event() {
        for (question, (date, earlier), (later_date, later)) in [
            (
                "When was the boat house opened?",
                ("1990", "1911: The first stone of the boat house is laid."),
                (
                    "2024-10-08",
                    "It was resolved to paint the boat house green from 1 April 2025.",
                ),
            ),
            (
                "When did the council close the weir, and from when on?",
                ("1987-03-10", "The council closes the weir from 1 May 1987."),
                (
                    "2003-03-14",
                    "Mayor from 1985 to 1988, she is remembered for the closing of the weir.",
                ),
            ),
            (
                "To how much is the load limited on winter evenings?",
                (
                    "2025-08-20",
                    "On winter evenings the load is limited to 2.5 MW.",
                ),
                (
                    "2025-10-06",
                    "We recommend that the plan should only be approved if the load is limited \
                     to 2 MW on evenings from November on.",
                ),
            ),
        ] {
            let question = Question::parse(question);
            let sentence = |text, title, date| DatedSentence {
                text,
                title,
                date: Some(date),
                heading: None,
            };
            let later = sentence(later, "Minutes", later_date);
            let earlier = sentence(earlier, "Chronicle", date);
            let earlier = EarlierAnswer::new(&question, earlier);
            assert!(
                !earlier.is_superseded_by(&question, later),
                "{}",
                later.text
            );
        }
    }
}
