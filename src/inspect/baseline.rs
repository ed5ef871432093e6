//! The report that was published last in a session, also while another one takes its place.

use std::fs;
use std::path::Path;

use super::overview::{is_published, report};
use crate::artifact::stored::read_inside;
use crate::artifact::{Artifact, Report, parse};
use crate::pipeline::{Manifest, Published, SUPERSEDED};
use crate::run::Baseline;

/// `true` if the session at `path` has a published report, or had one that a run which has not
/// ended has replaced.
pub fn has_report(path: &Path) -> bool {
    let is_record = |own: &String| path.join(own).join(Published::FILE).exists();
    is_published(path) || Baseline::is_pending(path) || directories(path).iter().any(is_record)
}

/// The baseline of an update of the session at `path` that has none: the report that was published
/// last, wherever it is, with the documents that it was made from.
pub fn baseline(path: &Path) -> Baseline {
    let directories = directories(path);
    let records = directories.iter().enumerate();
    let mut records = records.filter_map(|(index, own)| {
        let record = Published::read(&path.join(own))?;
        Some((index, record.round))
    });
    let Some((newest, round)) = records.next() else {
        return Baseline::new(None, None);
    };
    // What was moved later than the record is in a later directory. A move moves the record last:
    // one that was interrupted has moved the report before it.
    let later = directories[..=newest].iter().rev();
    let of_move = directories.get(1).filter(|_| newest == 0);
    let mut reports = later.clone().chain(of_move);
    let report = reports.find_map(|own| report_in(path, own, round));
    let documents = later
        .clone()
        .find_map(|own| Manifest::read(&path.join(own)).ok().flatten());
    Baseline::new(report, documents)
}

/// The directories of a session that may hold a published report, the newest first: its own, which
/// is empty, and those of what was superseded.
fn directories(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path.join(SUPERSEDED)).into_iter().flatten();
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_unstable_by(|one, other| other.cmp(one));
    let superseded = numbers
        .iter()
        .map(|number| format!("{SUPERSEDED}/{number}/"));
    [String::new()].into_iter().chain(superseded).collect()
}

/// The report of a round in a directory of the session at `path`.
fn report_in(path: &Path, directory: &str, round: u32) -> Option<Report> {
    // The round may be one that was sent back.
    let names = [format!("rounds/{round}/"), String::new()];
    names.iter().find_map(|own| {
        if directory.is_empty() {
            return report(path, own);
        }
        let bytes = read_inside(path, &format!("{directory}{own}report.json"));
        let artifact: Artifact<Report> = parse(&bytes.ok()??).ok()?;
        Some(artifact.content)
    })
}
