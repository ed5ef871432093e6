//! Steps that would do the same again.

use std::collections::BTreeSet;

use crate::artifact::plan::PlanStep;
use crate::text;

/// The similarity of two titles (cosine of their terms) from which they are the same: four of five
/// words are shared. Chosen by hand.
const SAME_TITLE: f64 = 0.88;

/// `true` if a step would do the same as another: with no query that the other lacks, or under
/// nearly the same title.
pub(super) fn repeats(step: &PlanStep, other: &PlanStep) -> bool {
    step.step_type == other.step_type
        && step.task == other.task
        && (is_same_title(step, other) || is_same_search(step, other))
}

fn is_same_title(step: &PlanStep, other: &PlanStep) -> bool {
    let titles = [step, other].map(|step| text::terms(step.heading()));
    if titles.iter().any(Vec::is_empty) {
        return step.heading().to_lowercase() == other.heading().to_lowercase();
    }
    text::cosine(&titles[0], &titles[1]) >= SAME_TITLE
}

/// `true` if a step has no query that another one lacks.
pub(super) fn is_same_search(step: &PlanStep, other: &PlanStep) -> bool {
    // The words of a query count, not their order and form.
    let words = |query: &String| -> BTreeSet<String> { text::terms(query).into_iter().collect() };
    let searched: Vec<BTreeSet<String>> = other.queries.iter().map(words).collect();
    let mut queries = step.queries.iter().map(words);
    !step.queries.is_empty() && queries.all(|query| searched.contains(&query))
}
