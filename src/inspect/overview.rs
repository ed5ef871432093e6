//! A session as a single value: its status and its artifacts.

use std::path::Path;

use anyhow::{Context as _, Result};

use super::status::status;
use crate::artifact::Overview;
use crate::artifact::{Report, Review};
use crate::config::Settings;
use crate::export::altered;
use crate::pipeline::{Published, read_text};
use crate::run::artifacts::{artifact, content};
use crate::stage::PUBLICATION;

/// Reads the session at `path` with all its artifacts.
///
/// # Errors
/// When it cannot be read.
pub fn overview(path: &Path, settings: &Settings) -> Result<Overview> {
    let status = status(path, settings)?;
    // The review is the last artifact of a round; the publication has no time of its own.
    let completed_at = status
        .state
        .is_published()
        .then(|| artifact::<Review>(path, "review.json"))
        .flatten()
        .map(|review| review.made_at);
    Ok(Overview {
        research: content(path, "research.json"),
        analysis: content(path, "analysis.json"),
        report: report(path, ""),
        id: status.id,
        topic: status.topic,
        status: status.state,
        round: status.round,
        started_at: status.started_at,
        completed_at,
    })
}

/// `true` if there is a published report of the session at `path`, up to date or not.
pub fn is_published(path: &Path) -> bool {
    path.join(Published::FILE).exists() && path.join(PUBLICATION).exists()
}

/// The published report of the session at `path`, up to date or not; `None` if there is none.
pub fn last_published(path: &Path) -> Option<Report> {
    let round = Published::read(path)?.round;
    // The best round may be one that was sent back, and has moved.
    report(path, &format!("rounds/{round}/")).or_else(|| report(path, ""))
}

/// The report of a round of the session at `path`, in which is marked what was changed by hand;
/// `None` if there is none. `round` is the directory of the round: empty, or `rounds/N/`.
pub fn report(path: &Path, round: &str) -> Option<Report> {
    let report: Report = content(path, &format!("{round}report.json"))?;
    Some(altered::marked(report, path))
}

/// Reads the published report of the session at `path`.
///
/// # Errors
/// When there is no published report yet.
pub fn published_report(path: &Path) -> Result<String> {
    let file = path.join(PUBLICATION);
    read_text(&file).with_context(|| format!("failed to read {}", file.display()))
}
