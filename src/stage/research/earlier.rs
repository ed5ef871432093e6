//! The session that a session follows: its pages are copied, so that the new session is complete
//! without it, and its documents are searched anew unless the topic only asks for a clarification,
//! and its sources answer that.
//!
//! Its other sources are among the documents of the new session, and are read where they are: what
//! is quoted of them is stored with the new session, as of any document.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use walkdir::WalkDir;

use super::web::PAGES;
use crate::artifact::classification::FollowUpType;
use crate::artifact::collected::PageRecord;
use crate::artifact::stored;
use crate::artifact::{self, Artifact, Classification, Collected, Session};
use crate::pipeline::{Digest, read_file};
use crate::stage::stage_run::{SESSION, StageRun};

/// The maximum number of pages that are copied (chosen by hand: ten plans of twenty pages).
const MAX_PAGES: usize = 200;

/// The number under which the copied pages are recorded: before that of the first plan.
const BEFORE_PLANS: u32 = 0;

/// The directory of the steps of a session.
const STEPS: &str = "research/steps";

/// The record of the copied pages.
pub(super) fn pages_file() -> String {
    Collected::file(BEFORE_PLANS)
}

/// `true` if a topic only asks the earlier session for a clarification: nothing is searched anew if
/// its sources answer.
pub(super) fn is_clarification(session: &Session, classification: &Classification) -> bool {
    session.follows.is_some() && classification.follow_up_type == FollowUpType::Clarification
}

/// The documents that a session searches: for a clarification only what the earlier session cites,
/// else all of them.
pub(super) fn documents(run: StageRun<'_>, is_clarification: bool) -> Vec<PathBuf> {
    let context = run.context;
    if is_clarification {
        stored::originals(&context.documents, &context.inherited)
    } else {
        context.searched()
    }
}

/// The pages of the earlier session, copied at the first call; none if there is no such session.
///
/// # Errors
/// When a page cannot be read or written.
pub(super) fn pages(run: StageRun<'_>, session: &Session) -> Result<Vec<PageRecord>> {
    let Some(earlier) = &session.follows else {
        return Ok(Vec::new());
    };
    let file = pages_file();
    if let Some(Collected { pages, .. }) = run.read_checkpoint(&file)? {
        return Ok(pages);
    }
    let collected = Collected {
        searches: Vec::new(),
        pages: copy(run, &run.workspace.root().join(earlier))?,
    };
    run.write_checkpoint(&file, &[SESSION.to_owned()], &collected)?;
    Ok(collected.pages)
}

/// Copies the pages that the session at `earlier` has read, and returns their records.
fn copy(run: StageRun<'_>, earlier: &Path) -> Result<Vec<PageRecord>> {
    let mut copied: Vec<PageRecord> = Vec::new();
    for page in recorded(earlier) {
        let Some(file) = page.file.clone().filter(|file| is_plain(file)) else {
            continue;
        };
        if copied.len() == MAX_PAGES || copied.iter().any(|other| other.file == page.file) {
            continue;
        }
        // A page that is gone or damaged is no loss of this session: it is left out.
        let Ok(text) = read_file(&earlier.join(PAGES).join(&file)) else {
            continue;
        };
        let digest = Digest::of(&text);
        if page.digest.as_ref().is_some_and(|read| *read != digest) {
            continue;
        }
        let name = format!("{PAGES}/{file}");
        run.workspace
            .write(&name, &text)
            .with_context(|| format!("failed to copy {file} of {}", earlier.display()))?;
        copied.push(page);
    }
    Ok(copied)
}

/// The records of the pages of the session at `earlier`, in the order of its plans, then those that
/// single steps read.
pub(super) fn recorded(earlier: &Path) -> Vec<PageRecord> {
    let of_plan = |plan| read_record(&earlier.join(Collected::file(plan)));
    // A session without copied pages has no record of that number.
    let first = of_plan(BEFORE_PLANS).into_iter();
    let others = (1..).map_while(of_plan);
    let steps = WalkDir::new(earlier.join(STEPS))
        .max_depth(1)
        .sort_by_file_name();
    let of_steps = steps
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(".web.json"))
        .filter_map(|entry| read_record(entry.path()));
    first.chain(others).chain(of_steps).flatten().collect()
}

fn read_record(file: &Path) -> Option<Vec<PageRecord>> {
    let bytes = read_file(file).ok()?;
    let record: Artifact<Collected> = artifact::parse(&bytes).ok()?;
    Some(record.content.pages)
}

/// `true` for the name of a file without any directory: the earlier session may be somebody
/// else's.
fn is_plain(name: &str) -> bool {
    let mut characters = name.chars();
    !name.starts_with('.')
        && characters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))
}
