//! The publication: the best round's report becomes the final one.

use anyhow::Result;

use super::load;
use crate::artifact::{Report, Review};
use crate::export::{BelowThreshold, markdown};
use crate::pipeline::{BestRound, Workspace};

/// The name of the published report.
pub const PUBLICATION: &str = "final_report.md";

/// Renders the best round's report, marked if no round reached the threshold.
pub(super) fn publish(workspace: &Workspace, best: &BestRound) -> Result<()> {
    let report: Report = load(
        workspace,
        "write",
        &format!("{}report.json", best.directory),
    )?;
    let review: Review = load(
        workspace,
        "review",
        &format!("{}review.json", best.directory),
    )?;
    let mark = best.below_threshold.then_some(BelowThreshold {
        score: review.score,
        threshold: review.threshold,
    });
    workspace.write(
        PUBLICATION,
        markdown::render(&report, mark.as_ref()).as_bytes(),
    )
}
