//! Edits of a session's files by other programs: as an edit by hand, but only of what the editor
//! has seen.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow};

use super::artifacts;
use crate::artifact;
use crate::pipeline::{Clock, Digest, Disk, Lock, read_file};
use crate::stage::PUBLICATION;

/// An edit that was refused; nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum EditRefused {
    /// The file is not there, or records what happened and is not for editing.
    #[error("{0} cannot be edited; edit a gate such as research.json, a plan, or {PUBLICATION}")]
    NotEditable(String),
    /// The file is another one than the editor has seen.
    #[error("{name} has changed since it was read: it is {current} now")]
    Changed {
        /// The file.
        name: String,
        /// Its digest.
        current: Digest,
    },
    /// The new text is no such file.
    #[error("{0:#}")]
    Invalid(anyhow::Error),
}

/// Replaces the file `name` of the session at `path`, whose digest has to be `seen`, and returns
/// the new digest.
///
/// # Errors
/// [`EditRefused`]; [`crate::pipeline::Busy`] when another process has the session locked; or when
/// the file cannot be read or written.
pub fn edit(path: &Path, name: &str, bytes: &[u8], seen: &Digest, clock: Clock) -> Result<Digest> {
    let file_type = artifact::editable(name);
    if !is_editable(name) {
        return Err(EditRefused::NotEditable(name.to_owned()).into());
    }
    // With the lock, no run and no other editor writes it in between.
    let _lock = Lock::acquire(path, false, &clock.timestamp())?;
    let file = path.join(name);
    let current = read_file(&file)
        .map(Digest::of)
        .map_err(|_| EditRefused::NotEditable(name.to_owned()))?;
    if current != *seen {
        let name = name.to_owned();
        return Err(EditRefused::Changed { name, current }.into());
    }
    let checked = match file_type {
        Some(file_type) => {
            let checked = (file_type.check)(bytes);
            checked.map_err(|error| anyhow!(artifacts::unreadable(path, name, &error)))
        }
        None => str::from_utf8(bytes)
            .map(|_| ())
            .with_context(|| format!("{name} has to be UTF-8")),
    };
    checked.map_err(EditRefused::Invalid)?;
    Disk::default().write(&file, bytes)?;
    Ok(Digest::of(bytes))
}

/// `true` if users may edit the file `name` of a session.
pub fn is_editable(name: &str) -> bool {
    name == PUBLICATION || artifact::editable(name).is_some()
}
