//! Additions: a part of a claim that nothing says, put to what its sources say.

use std::ops::Range;

use super::super::alignment::Alignment;
use super::super::coverage::Coverage;
use super::super::statement::Statement;

/// The least share of the rest of a sentence that is said, if a part of it that nothing says was
/// added to it; and the share below which nothing says the sentence. Between 0.6 and 0.8, and 0.4
/// and 0.6, the same claims of WiCE and XQuAD are doubted.
pub(super) const ADDED_TO: f64 = 0.7;
const UNSAID: f64 = 0.5;

/// The byte range of what was added to a claim: of several sentences, one that hardly anything
/// says; of a sentence, what nothing says, though its sources say the rest.
///
/// Other words for the same leave words of the source over, in whose place they stand. What was
/// added leaves none: the sentences that say the rest say little else.
pub(super) fn of(coverage: &Coverage<'_>) -> Option<Range<usize>> {
    let statements: Vec<_> = coverage.statements().collect();
    statements.iter().find_map(|(claim, items)| {
        let all: Vec<usize> = coverage.chosen().to_vec();
        let is_one_of_several = statements.len() > 1 && items.len() > 1;
        if is_one_of_several && coverage.said(&all, items, &(0..0)) < UNSAID {
            return Some(coverage.range(items));
        }
        let runs = coverage.unsaid(items.clone()).into_iter();
        let mut runs =
            runs.filter(|run| run.len() > 1 || run.end == items.end && run.start > items.start);
        runs.find(|run| is_added(coverage, claim, items, run))
            .map(|run| coverage.range(&run))
    })
}

/// `true` if one to three sentences say the rest of a statement, and of other words at most as
/// many, by weight, as a run of its items has.
fn is_added(
    coverage: &Coverage<'_>,
    claim: &Statement,
    items: &Range<usize>,
    run: &Range<usize>,
) -> bool {
    let best = coverage.best_sentence(items.clone());
    let others = coverage.chosen().iter().copied();
    let others = others.filter(|sentence| Some(*sentence) != best);
    let sentences: Vec<usize> = best.into_iter().chain(others).collect();
    let left_over = |sentence: &usize| {
        let alignment = Alignment::of(claim, coverage.sentence(*sentence));
        alignment.added().map(|word| word.weight).sum::<f64>()
    };
    (1..=sentences.len()).any(|count| {
        let sentences = &sentences[..count];
        let excess: f64 = sentences.iter().map(left_over).sum();
        coverage.said(sentences, items, run) >= ADDED_TO && excess <= coverage.weight(run.clone())
    })
}
