//! The age of what a session has read on the web.

use std::path::Path;

use walkdir::WalkDir;

use super::journal::DIRECTORY;
use super::pages::PAGES;
use crate::artifact::collected::Collected;
use crate::artifact::{self, Artifact};
use crate::pipeline::{Fetched, read_file};

/// The directory of the checkpoints of steps.
const STEPS: &str = "research/steps";

/// Returns the files with what the session at `session` has read on the web, and the time of the
/// oldest page; `None` if it has read no page.
pub(crate) fn fetched(session: &Path) -> Option<Fetched> {
    let of_plans = (1..).map(Collected::file);
    let of_plans = of_plans.take_while(|file| session.join(file).exists());
    let steps = WalkDir::new(session.join(STEPS))
        .max_depth(1)
        .sort_by_file_name();
    let names = steps.into_iter().flatten().map(|entry| {
        let name = entry.file_name().to_string_lossy();
        format!("{STEPS}/{name}")
    });
    let of_steps = names.filter(|name| name.ends_with(".web.json"));
    let mut files: Vec<String> = of_plans.chain(of_steps).collect();
    let times = files.iter().flat_map(|file| times(&session.join(file)));
    let oldest = times.min()?;
    let directories = [DIRECTORY, PAGES].into_iter();
    files.extend(
        directories
            .filter(|name| session.join(name).exists())
            .map(str::to_owned),
    );
    Some(Fetched { files, oldest })
}

/// The times at which the pages of a record were read.
fn times(file: &Path) -> Vec<String> {
    let bytes = read_file(file).unwrap_or_default();
    let record: Option<Artifact<Collected>> = artifact::parse(&bytes).ok();
    let pages = record.into_iter().flat_map(|record| record.content.pages);
    pages.map(|page| page.read_at).collect()
}
