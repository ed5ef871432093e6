//! The publication: the report of the best round becomes the final report.

use anyhow::Result;

use super::stage_run::load;
use super::{review, write};
use crate::artifact::report::ReportOutcome;
use crate::artifact::{Report, Review};
use crate::export::{BelowThreshold, altered, markdown, not_answered};
use crate::model::Fallbacks;
use crate::pipeline::{BestRound, Publication, Workspace};

/// The name of the published report.
pub const PUBLICATION: &str = "final_report.md";

/// The outcome of a publication that says in its first line that it does not answer the topic as
/// asked.
pub const NOT_ANSWERED: &str = "not_answered";

/// The report of the best round, marked if no round reached the threshold.
pub(super) fn publish(workspace: &Workspace, best: &BestRound) -> Result<Publication> {
    let in_round = |gate: &str| format!("{}{gate}", best.directory);
    let report: Report = load(workspace, write::INFO.name, &in_round(write::INFO.gate))?;
    let review: Review = load(workspace, review::INFO.name, &in_round(review::INFO.gate))?;
    // The best round is published even below the threshold; then the report says so.
    let mark = best.below_threshold.then_some(BelowThreshold {
        score: review.score,
        threshold: review.threshold,
    });
    let altered = altered::has_altered_claim(&report, workspace.root());
    let report = altered::marked(report, workspace.root());
    let by_rules = Fallbacks::read(workspace.root())?.map(Fallbacks::of_report);
    let text = markdown::render(&report, mark.as_ref(), by_rules.as_deref());
    Ok(Publication {
        bytes: text.into_bytes(),
        outcome: match report.outcome {
            ReportOutcome::Answered if not_answered(&report).is_some() => NOT_ANSWERED.to_owned(),
            outcome => outcome.to_string(),
        },
        altered,
    })
}
