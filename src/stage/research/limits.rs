//! The limits on the number of steps over all plans of a session.
//!
//! The first plan has at most the depth's maximum. Plans that reflections ask for, and those for
//! questions that findings raise, may together add half as many, and the steps that were skipped;
//! reviews may raise that to twice the maximum. So a session is never much longer than its depth
//! promises, however often its plan is changed.

use crate::artifact::Plan;

/// Returns the number of steps that a reflection may add to a plan.
pub(super) fn for_reflection(max_steps: usize, plan: &Plan) -> usize {
    (max_steps + max_steps.div_ceil(2)).saturating_sub(carried_out(plan))
}

/// Returns the number of steps that a review may add to a plan.
pub(super) fn for_review(max_steps: usize, plan: &Plan) -> usize {
    (2 * max_steps).saturating_sub(carried_out(plan))
}

/// Returns the number of steps that were worked on. A skipped step costs nothing.
fn carried_out(plan: &Plan) -> usize {
    let steps = plan.steps.iter();
    steps.filter(|step| step.status.is_done()).count()
}
