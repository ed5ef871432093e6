//! The questions that a session waits with, and the user's answer to them.

use std::path::Path;

use anyhow::{Context as _, Result};

use super::artifacts::content;
use crate::artifact::{self, Artifact, Clarification};
use crate::pipeline::{Clock, Disk, Lock, read_file};

/// The questions that the session at `path` waits with; `None` if it waits for something else.
pub fn questions(path: &Path) -> Option<Vec<String>> {
    let clarification: Clarification = content(path, Clarification::FILE)?;
    let is_open = clarification.answer.is_none();
    is_open.then_some(clarification.questions)
}

/// Writes the user's answer beside the questions of the session at `path`, as an edit by hand
/// would.
///
/// # Errors
/// When the file cannot be read or written, or another process has the session locked.
pub fn answer(path: &Path, text: &str, clock: Clock) -> Result<()> {
    let _lock = Lock::acquire(path, false, &clock.timestamp())?;
    let file = path.join(Clarification::FILE);
    let problem = || format!("failed to write the answer into {}", file.display());
    let bytes = read_file(&file).with_context(problem)?;
    let mut written: Artifact<Clarification> = artifact::parse(&bytes).with_context(problem)?;
    written.content.answer = Some(text.to_owned());
    Disk::default().write(&file, &artifact::to_bytes(&written)?)
}
