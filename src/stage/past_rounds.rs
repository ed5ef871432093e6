//! The rounds that were sent back: their reviews and notes.

use anyhow::{Context as _, Result};

use super::stage_run::load;
use crate::artifact::Review;
use crate::artifact::review::Note;
use crate::pipeline::{PastRound, Workspace};

/// The name of the stage that writes reviews. Defined here, since earlier stages read the reviews
/// of past rounds.
pub(super) const REVIEW: &str = "review";

/// Returns the notes of the reviews of all earlier rounds, oldest first.
pub(super) fn notes(workspace: &Workspace) -> Result<Vec<Note>> {
    let mut notes = Vec::new();
    for round in workspace.past() {
        notes.extend(review_of(workspace, round)?.notes);
    }
    Ok(notes)
}

/// Returns the review by which a round was sent back.
pub(super) fn review_of(workspace: &Workspace, round: &PastRound) -> Result<Review> {
    load(workspace, REVIEW, &round.decision)
        .with_context(|| format!("round {} cannot be read", round.number))
}

/// Returns the paths of the reviews of these rounds.
pub(super) fn past_reviews(past: &[PastRound]) -> impl Iterator<Item = String> {
    past.iter().map(|round| round.decision.clone())
}
