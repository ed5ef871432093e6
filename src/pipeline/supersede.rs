//! Superseding: moving files that no longer count to `superseded/N` or `rounds/N`, completely even
//! if a crash interrupts it.
//!
//! A write-ahead journal of one record: first the intent is written to `.aside.json`; then the
//! files move, upstream first; then the intent itself moves to their new directory, as the record
//! of the reason. A crash at any moment leaves either nothing done or an intent that the next run
//! carries out (crash recovery), so the result is always the same.

use std::io;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::Disk;
use super::gate::Version;
use super::session_files::{ensure_no_link, exists, is_inside, read_file};

/// The directory of superseded files in a session.
pub const SUPERSEDED: &str = "superseded";

/// The announced intent.
const INTENT: &str = ".aside.json";
/// The same file after it was carried out, beside the moved files.
const RECORD: &str = "aside.json";

/// The intent to move files of the session to another directory of the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveIntent {
    /// The version of the file format.
    pub version: Version<1>,
    /// `rounds/N` or `superseded/N`.
    pub to: String,
    /// The reason, for display.
    pub reason: String,
    /// The files, upstream first, relative to the session.
    pub files: Vec<String>,
}

impl MoveIntent {
    /// The intent to move `files` to `to`.
    pub(super) fn new(to: String, reason: String, files: Vec<String>) -> Self {
        Self {
            version: Version,
            to,
            reason,
            files,
        }
    }

    /// The intent that an earlier run announced and did not finish, if there is one. `may_move`
    /// says which files belong to the pipeline.
    ///
    /// # Errors
    /// When it is unreadable, or names files that do not belong to the pipeline (a session may come
    /// from a stranger).
    pub(super) fn pending(session: &Path, may_move: impl Fn(&str) -> bool) -> Result<Option<Self>> {
        let path = session.join(INTENT);
        let bytes = match read_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.with_context(|| format!("failed to read {}", path.display()))?,
        };
        let intent: Self = serde_json::from_slice(&bytes)
            .with_context(|| format!("{} is broken; remove it to go on", path.display()))?;
        let foreign = intent
            .files
            .iter()
            .find(|file| !is_inside(file) || !may_move(file));
        if let Some(file) = foreign {
            bail!("{} would move {file:?}; remove it to go on", path.display());
        }
        if !is_destination(&intent.to) {
            let to = &intent.to;
            bail!(
                "{} would move files to {to:?}; remove it to go on",
                path.display()
            );
        }
        Ok(Some(intent))
    }

    /// Announces the intent, then carries it out.
    pub(super) fn begin(&self, session: &Path, disk: &Disk) -> Result<()> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        disk.write(&session.join(INTENT), &text)?;
        self.finish(session, disk)
    }

    /// Carries out an announced intent, as far as that has not happened yet.
    pub(super) fn finish(&self, session: &Path, disk: &Disk) -> Result<()> {
        let target = session.join(&self.to);
        ensure_no_link(session, &target)?;
        disk.create_directory(&target)?;
        for file in &self.files {
            let (from, to) = (session.join(file), target.join(file));
            // The file itself may be a link, which is moved as such; the directories above it may
            // not.
            for path in [&from, &to] {
                ensure_no_link(session, path.parent().unwrap_or(session))?;
            }
            // Skipped if it was moved before a crash: carrying out an intent is idempotent.
            if exists(&from) && !exists(&to) {
                disk.move_durably(&from, &to)?;
            }
        }
        tracing::debug!(to = %self.to, reason = %self.reason, "superseded");
        // Last: until this rename, the next run repeats the move.
        disk.move_durably(&session.join(INTENT), &target.join(RECORD))
    }
}

/// `true` for `rounds/N` and `superseded/N`.
fn is_destination(directory: &str) -> bool {
    ["rounds/", "superseded/"].iter().any(|top| {
        let number = directory.strip_prefix(top);
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    })
}

/// The first free directory `superseded/N`.
pub(super) fn next_superseded(session: &Path) -> String {
    (1u32..)
        .map(|number| format!("{SUPERSEDED}/{number}"))
        // By the record, not the directory: a crash may leave a directory without one, to be used
        // again.
        .find(|directory| !session.join(directory).join(RECORD).exists())
        .unwrap_or_else(|| "superseded/0".to_owned())
}
