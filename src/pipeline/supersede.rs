//! Moving what is superseded aside, whole, whatever happens in between.
//!
//! First the intent is written to `.aside.json`; then the files move, upstream first; then the
//! intent itself moves to where they went, as the record of why. A crash at any moment leaves
//! either nothing done or an intent that the next run carries out, so it ends with the same files
//! in the same places.

use std::fs;
use std::io;
use std::path::{Component, Path};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::digest_cache::read_limited;
use super::gate::Version;
use super::{Disk, Pipeline};

const INTENT: &str = ".aside.json";
const RECORD: &str = "aside.json";

/// Files of the session that move to a directory of the session, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveIntent {
    /// The version of this shape.
    pub version: Version<1>,
    /// `rounds/N` or `superseded/N`.
    pub to: String,
    /// Why, for people.
    pub reason: String,
    /// Which, upstream first, relative to the session.
    pub files: Vec<String>,
}

impl MoveIntent {
    /// Files that go to `to`.
    pub(super) fn new(to: String, reason: String, files: Vec<String>) -> Self {
        Self {
            version: Version,
            to,
            reason,
            files,
        }
    }

    /// The intent that a run left behind, if any.
    ///
    /// # Errors
    /// When it is unreadable, or names files that this pipeline does not make (a session may come
    /// from a stranger).
    pub(super) fn pending(session: &Path, pipeline: &Pipeline) -> Result<Option<Self>> {
        let path = session.join(INTENT);
        let bytes = match read_limited(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.with_context(|| format!("failed to read {}", path.display()))?,
        };
        let aside: Self = serde_json::from_slice(&bytes)
            .with_context(|| format!("{} is broken; remove it to go on", path.display()))?;
        let goes_aside = ["rounds/", "superseded/"].iter().any(|top| {
            let number = aside.to.strip_prefix(top).map(str::parse::<u32>);
            matches!(number, Some(Ok(_)))
        });
        match aside
            .files
            .iter()
            .find(|file| !is_inside(file) || !pipeline.makes(file))
        {
            Some(file) => bail!("{} would move {file:?}; remove it to go on", path.display()),
            None if !goes_aside => {
                bail!(
                    "{} would move files to {:?}; remove it to go on",
                    path.display(),
                    aside.to
                )
            }
            None => Ok(Some(aside)),
        }
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
        refuse_link(session, &target)?;
        disk.create_directory(&target)?;
        for file in &self.files {
            let (from, to) = (session.join(file), target.join(file));
            // What moves may itself be a link; what it moves through may not.
            for path in [&from, &to] {
                refuse_link(session, path.parent().unwrap_or(session))?;
            }
            if exists(&from) && !exists(&to) {
                disk.move_durably(&from, &to)?;
            }
        }
        disk.move_durably(&session.join(INTENT), &target.join(RECORD))
    }
}

/// The first free directory `superseded/N`.
pub(super) fn next_superseded(session: &Path) -> String {
    (1u32..)
        .map(|number| format!("superseded/{number}"))
        .find(|directory| !session.join(directory).join(RECORD).exists())
        .unwrap_or_else(|| "superseded/0".to_owned())
}

/// Whether something is at `path`, a link included.
pub(super) fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Whether a relative path stays below where it starts.
pub(super) fn is_inside(path: &str) -> bool {
    !path.is_empty()
        && Path::new(path)
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
}

/// Refuses to write through a directory that is a symbolic link: a session may come from a
/// stranger.
pub(super) fn refuse_link(session: &Path, path: &Path) -> Result<()> {
    let is_link = |part: &&Path| fs::symlink_metadata(part).is_ok_and(|found| found.is_symlink());
    // The session's own path may well hold a link; what is inside the session may not.
    let mut inside = path.ancestors().take_while(|part| *part != session);
    match inside.find(is_link) {
        Some(link) => bail!("{} is a symbolic link; remove it to go on", link.display()),
        None => Ok(()),
    }
}
