//! A round of a session in an export format.

use std::path::Path;

use anyhow::{Error, Result};

use super::rounds::Rounds;
use crate::artifact::source::Source;
use crate::artifact::stored::read_inside;
use crate::artifact::{self, Artifact, Report};
use crate::config::Settings;
use crate::export::citation::Style;
use crate::export::{BelowThreshold, Edition, Format, Kind};
use crate::model::Fallbacks;
use crate::session;

/// The options of an export.
#[derive(Debug, Clone, Default)]
pub struct ExportOptions {
    /// The part of the report.
    pub kind: Kind,
    /// The citation style of the references.
    pub style: Option<Style>,
    /// The round; `None` for the published one, or else the last one.
    pub round: Option<u32>,
    /// The prefix of links into the session.
    pub base: String,
}

/// An exported report.
pub struct Exported {
    /// The report.
    pub bytes: Vec<u8>,
    /// `true` if no round was asked for, and none is published: it is the latest report so far.
    pub is_draft: bool,
    /// The errors of stored texts that cannot be read.
    pub problems: Vec<Error>,
}

/// Exports a report of the session at `path`.
///
/// # Errors
/// When there is no such report, or it cannot be read or rendered.
pub fn export(
    path: &Path,
    settings: &Settings,
    format: &Format,
    options: ExportOptions,
) -> Result<Exported> {
    let session = session::read(path)?;
    let rounds = Rounds::of(path, settings)?;
    let number = options.round.or(rounds.published);
    let mut round = rounds.read(number.unwrap_or_else(|| rounds.last()))?;
    if options.style.is_some() || options.kind == Kind::Academic {
        note_days(path, &mut round.report);
    }
    let is_published = rounds.published == Some(round.number);
    let below = round.review.as_ref().map(|review| BelowThreshold {
        score: review.score,
        threshold: review.threshold,
    });
    let (texts, problems) = if format.needs_texts {
        rounds.texts(&round.report)
    } else {
        Default::default()
    };
    let bytes = (format.render)(&Edition {
        session: &session,
        round: round.number,
        report: &round.report,
        analysis: round.analysis.as_ref(),
        review: round.review.as_ref(),
        is_published,
        below: below.filter(|below| {
            if is_published {
                rounds.is_below_threshold
            } else {
                below.score < below.threshold
            }
        }),
        // A damaged journal keeps nobody from their report.
        by_rules: Fallbacks::read(path)
            .ok()
            .flatten()
            .map(Fallbacks::of_report),
        texts: &texts,
        kind: options.kind,
        style: options.style,
        base: options.base,
    })?;
    Ok(Exported {
        bytes,
        is_draft: number.is_none(),
        problems,
    })
}

/// Notes when documents were read, which the styles of citation name for those without a date. The
/// files of a session do not: of the same documents they are the same on any day.
fn note_days(path: &Path, report: &mut Report) {
    let unknown = report.references.iter_mut();
    for reference in unknown.filter(|own| own.read_at.is_none()) {
        let name = format!("sources/{}.json", reference.source);
        let record = read_inside(path, &name).ok().flatten();
        let record = record.and_then(|bytes| artifact::parse::<Artifact<Source>>(&bytes).ok());
        reference.read_at = record.map(|record| record.made_at);
    }
}
