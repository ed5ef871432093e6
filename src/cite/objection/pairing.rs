//! Pairing: a claim that gives a group the value which its sentence gives to another one: "1.04 in
//! the treated arm" for "0.81 in the treated and 1.04 in the placebo arm".

use std::ops::Range;

use super::super::coverage::Coverage;
use super::super::grouping::is_said;
use super::super::restatement::{Difference, Objection};
use super::super::statement::Statement;
use super::super::statement::coordination::{Member, Part};

/// The objection to a claim by the sentence that says most of it.
pub(super) fn objection(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
) -> Option<Objection> {
    let own = coverage.sentence(coverage.best_sentence(items.clone())?);
    if own.negations != claim.negations {
        return None;
    }
    let (value, other) = exchange(claim, own)?;
    let shown = |member: &Member| match member.value {
        Part::Word(word) => own.words[word].folded.clone(),
        Part::Figure(figure) => own.figures[figure].shown(),
    };
    Some(Objection::contradiction(match value.value {
        Part::Word(_) => Difference::Opposite(shown(value), shown(other)),
        Part::Figure(_) => Difference::Number(shown(value), Some(shown(other))),
    }))
}

/// `true` if a claim gives a value of a sentence to another group than the sentence does.
pub(in crate::cite) fn is_exchanged(claim: &Statement, own: &Statement) -> bool {
    exchange(claim, own).is_some()
}

/// The value that a claim gives to another group than its sentence, and the one of that group.
fn exchange<'a>(claim: &Statement, own: &'a Statement) -> Option<(&'a Member, &'a Member)> {
    let whole = || {
        let figures = (0..claim.figures.len()).map(Part::Figure);
        let parts = (0..claim.words.len()).map(Part::Word).chain(figures);
        vec![parts.collect::<Vec<Part>>()]
    };
    let members = claim.coordinations.iter().flatten().map(|member| {
        let value = std::iter::once(member.value);
        value.chain(member.group.iter().copied()).collect()
    });
    let mut cells: Vec<Vec<Part>> = members.collect();
    if cells.is_empty() {
        cells = whole();
    }
    let mut lists = own.coordinations.iter();
    lists.find_map(|list| {
        let mut cells = cells.iter();
        cells.find_map(|cell| exchanged(claim, cell, own, list))
    })
}

/// The value that a part of a claim has, and the one of the group that it names instead.
fn exchanged<'a>(
    claim: &Statement,
    cell: &[Part],
    own: &Statement,
    list: &'a [Member],
) -> Option<(&'a Member, &'a Member)> {
    let says = |part: &Part| cell.iter().any(|one| is_said(claim, *one, own, *part));
    let mut values = list.iter().filter(|member| says(&member.value));
    let value = values.next().filter(|_| values.next().is_none())?;
    let said = |member: &Member| member.group.iter().filter(|part| says(part)).count();
    // The last group may have the noun of all: "in the shaded and 1.04 in the open plots".
    let has_noun_alone = !value.group.first().is_some_and(says);
    if said(value) > 0 && !has_noun_alone {
        return None;
    }
    // A word of a group may be that of the subject, too: half of them at least name it.
    let is_named = |member: &&Member| {
        let said_of_other = said(member);
        said_of_other == member.group.len()
            || said(value) == 0 && 2 * said_of_other >= member.group.len()
    };
    let mut others = list.iter().filter(|member| member.value != value.value);
    Some((value, others.find(is_named)?))
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn value_is_of_the_group_beside_it() {
        let yields = "The yield was 0.81 kg per plant in the shaded and 1.04 kg per plant in the \
                      open plots (ratio 0.78, 0.66 to 0.92).";
        let sizes = "Losses were 21.8% on farms below 50 hectares and 9.1% on farms with 50 \
                     hectares or more.";
        let doses = "In trials of daily doses the ratio was 0.83 (0.74 to 0.93) and in trials of \
                     monthly doses 1.01 (0.93 to 1.09).";
        assert_supported(&[
            (
                "The yield was 1.04 kg per plant in the open plots.",
                yields,
                true,
            ),
            (
                "The yield was 1.04 kg per plant in the shaded plots.",
                yields,
                false,
            ),
            (
                "Losses were 9.1% on farms with 50 hectares or more.",
                sizes,
                true,
            ),
            (
                "Losses were 21.8% on farms with 50 hectares or more.",
                sizes,
                false,
            ),
            (
                "The ratio was 1.01 in trials of monthly doses.",
                doses,
                true,
            ),
            ("The ratio was 1.01 in trials of daily doses.", doses, false),
        ]);
    }

    #[test]
    fn words_of_a_sentence_in_a_row_may_be_of_two_groups() {
        let sales = "In Ghent sales were 88 million euros, in Bern 41 million.";
        let doses = "The drug lowered the pulse by 4 beats in patients older than 65 and by 9 \
                     beats in younger patients.";
        let shares = "Rust was seen on 482 of 1,156 cars (41.7%) in the east hall and on 471 of \
                      1,152 (40.9%) in the west hall.";
        assert_supported(&[
            ("Sales were 41 million euros in Bern.", sales, true),
            ("Sales were 88 million euros in Bern.", sales, false),
            (
                "In patients older than 65 the drug lowered the pulse by 4 beats.",
                doses,
                true,
            ),
            (
                "In patients older than 65 the drug lowered the pulse by 9 beats.",
                doses,
                false,
            ),
            ("Rust was seen on 482 cars in the east hall.", shares, true),
            ("Rust was seen on 482 cars in the west hall.", shares, false),
        ]);
    }

    #[test]
    fn graded_word_is_of_the_group_beside_it() {
        let noise = "The quality of the data was moderate for rents and low for wages.";
        assert_supported(&[
            ("The quality was moderate for rents.", noise, true),
            ("The quality was low for wages.", noise, true),
            ("The quality was moderate for wages.", noise, false),
            ("The quality was low for rents.", noise, false),
        ]);
    }

    #[test]
    fn word_is_of_what_is_behind_its_preposition() {
        let brook = "The brook is deep near the mill and shallow near the bridge.";
        let rooms = "The museum has paintings from Italy and chairs from France.";
        assert_supported(&[
            ("The brook is deep near the mill.", brook, true),
            ("The brook is shallow near the mill.", brook, false),
            ("The museum has chairs from France.", rooms, true),
            ("The museum has chairs from Italy.", rooms, false),
        ]);
    }

    #[test]
    fn values_and_groups_are_paired_in_lists_and_brackets() {
        let pairs = "The shares in Ghent and Bern were 12% and 19%, respectively.";
        let brackets = "Fewer seeds failed in peat (12%) than in sand, but in clay (19%) most.";
        let german = "Die Ausfälle lagen bei 4,1 % in der Frühschicht und bei 7,3 % in der \
                      Nachtschicht.";
        assert_supported(&[
            ("The share in Ghent was 12%.", pairs, true),
            ("The share in Ghent was 19%.", pairs, false),
            ("In clay 12% of the seeds failed.", brackets, false),
            (
                "Die Ausfälle lagen in der Nachtschicht bei 7,3 %.",
                german,
                true,
            ),
            (
                "Die Ausfälle lagen in der Nachtschicht bei 4,1 %.",
                german,
                false,
            ),
        ]);
    }
}
