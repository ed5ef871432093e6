//! Superseding: moving files that no longer count to `superseded/N` or `rounds/N`, completely even
//! if a crash interrupts it.
//!
//! A write-ahead journal of one record: first the intent is written to `.aside.json`; then the
//! files move, upstream first; then the intent itself moves to their new directory, as the record
//! of the reason. A crash at any moment leaves either nothing done or an intent that the next run
//! carries out (crash recovery), so the result is always the same.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::Disk;
use super::gate::Version;
use super::session_files::{ensure_no_link, exists, is_inside, read_file, read_text};

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

    /// Announces the intent, then carries it out, as [`Self::finish`] does.
    pub(super) fn begin(&self, session: &Path, disk: &Disk, linked: &[&str]) -> Result<()> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        disk.write(&session.join(INTENT), &text)?;
        self.finish(session, disk, linked)
    }

    /// Carries out an announced intent, as far as that has not happened yet. What a moved text
    /// links to in the folders `linked` is copied beside it.
    pub(super) fn finish(&self, session: &Path, disk: &Disk, linked: &[&str]) -> Result<()> {
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
        for folder in linked.iter().filter(|_| self.to.starts_with(SUPERSEDED)) {
            self.copy_linked(session, disk, folder)?;
        }
        tracing::debug!(to = %self.to, reason = %self.reason, "superseded");
        // Last: until this rename, the next run repeats the move.
        disk.move_durably(&session.join(INTENT), &target.join(RECORD))
    }
}

/// The texts of a session with links, by the end of their names.
const TEXTS: &str = ".md";

impl MoveIntent {
    /// Copies the files of a folder that the moved texts link to, relative to themselves: the next
    /// run may replace them, and the text would lead to what it does not cite.
    fn copy_linked(&self, session: &Path, disk: &Disk, folder: &str) -> Result<()> {
        let target = session.join(&self.to);
        for text in self.files.iter().filter(|name| name.ends_with(TEXTS)) {
            // A text that was moved as a link, or is none, leads nowhere.
            let Ok(text) = read_text(&target.join(text)) else {
                continue;
            };
            for name in linked_files(&text, folder) {
                let (from, to) = (session.join(&name), target.join(&name));
                // A folder that is a link is another's: nothing is read or written through it.
                let folders = [&from, &to].map(|path| path.parent().unwrap_or(session));
                if folders
                    .iter()
                    .any(|folder| ensure_no_link(session, folder).is_err())
                {
                    continue;
                }
                if let (Ok(bytes), false) = (read_file(&from), exists(&to)) {
                    disk.create_directory(to.parent().unwrap_or(&target))?;
                    disk.write(&to, &bytes)?;
                }
            }
        }
        Ok(())
    }
}

/// The files of a folder that a text in Markdown links to, each once: `sources/S1.md`.
fn linked_files(text: &str, folder: &str) -> BTreeSet<String> {
    let begin = format!("({folder}/");
    let links = text.split(&begin).skip(1);
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let names = links.map(|link| &link[..link.find(|c| !is_in_name(c)).unwrap_or(link.len())]);
    let files = names
        .filter(|name| !name.is_empty())
        .map(|name| format!("{folder}/{name}"));
    files.filter(|file| is_inside(file)).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_into_a_folder_name_files_of_it() {
        let text = "A. [1](notes/S1.md \"S1, line 2\") B. [2](notes/S2.md)[3](notes/S1.md) \
                    [4](other/S3.md) [5](notes/../x.md) [6](notes/)";
        let linked = linked_files(text, "notes");
        let linked: Vec<&str> = linked.iter().map(String::as_str).collect();
        assert_eq!(linked, ["notes/S1.md", "notes/S2.md"]);
    }
}
