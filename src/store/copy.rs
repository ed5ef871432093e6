//! The local copy of a session beside its files in the store.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use walkdir::WalkDir;

use super::commit::{Blob, Files, is_replicated};
use super::log::Log;
use crate::pipeline::{Digest, Disk, read_file};
use crate::session::FILE;

/// The folder of the output directory to which local files move that the store has otherwise.
const REPLACED: &str = ".replaced";

/// The local copy has files that the store has not, or has otherwise.
#[derive(Debug, thiserror::Error)]
#[error("{}: {} in the store", .session.display(), listed(.files))]
pub struct Diverged {
    /// The session's directory.
    pub session: PathBuf,
    /// The names of the files.
    pub files: Vec<String>,
}

/// The names of some files, and that they are different.
fn listed(files: &[String]) -> String {
    match files {
        [] => "nothing is different".to_owned(),
        [only] => format!("{only} is different"),
        [first, rest @ ..] => format!("{first} and {} more files are different", rest.len()),
    }
}

/// The files of a session's directory as they are now.
pub(super) fn local_files(session: &Path) -> Result<Files> {
    let mut files = Files::new();
    if !session.is_dir() {
        return Ok(files);
    }
    for entry in WalkDir::new(session)
        .follow_links(false)
        .sort_by_file_name()
    {
        let entry = entry.with_context(|| format!("failed to list {}", session.display()))?;
        let Some(name) = name_in(session, entry.path()) else {
            continue;
        };
        if entry.file_type().is_file() && is_replicated(&name) {
            files.insert(name, local_blob(entry.path())?);
        }
    }
    Ok(files)
}

/// The digest and size of a local file.
fn local_blob(path: &Path) -> Result<Blob> {
    let bytes = fs::metadata(path).map(|data| data.len());
    let blob = bytes.and_then(|bytes| {
        let sha256 = Digest::of_file(path)?;
        Ok(Blob { sha256, bytes })
    });
    blob.with_context(|| format!("failed to read {}", path.display()))
}

/// The name of a file inside of a session, with `/` between its parts.
pub(super) fn name_in(session: &Path, path: &Path) -> Option<String> {
    let parts = path.strip_prefix(session).ok()?.components();
    let parts: Option<Vec<&str>> = parts.map(|part| part.as_os_str().to_str()).collect();
    parts.map(|parts| parts.join("/"))
}

/// The files of `local` that `stored` has not, or has otherwise.
pub(super) fn differing(local: &Files, stored: &Files) -> Vec<String> {
    let differs = |(name, blob): &(&String, &Blob)| stored.get(*name) != Some(*blob);
    let names = local.iter().filter(differs).map(|(name, _)| name.clone());
    names.collect()
}

/// Makes the directory of a session what the store has. Local files that differ move to
/// `.replaced/` beside the session: nothing is lost.
///
/// # Errors
/// When a file cannot be read from the store, or is not what its commit says, or cannot be written.
pub(super) fn restore(log: &Log<'_>, session: &Path, stored: &Files, disk: &Disk) -> Result<()> {
    disk.create_directory(session)?;
    let local = local_files(session)?;
    let replaced = differing(&local, stored);
    if !replaced.is_empty() {
        // Moved before anything is fetched: a copy that is broken off begins again from here.
        let to = next_replaced(session)?;
        for name in &replaced {
            disk.move_durably(&session.join(name), &to.join(name))?;
        }
        // The numbers of `superseded/` count its directories, the empty ones too.
        disk.remove_empty_directories(session)?;
    }
    // Without its first file a directory is no session yet: a copy that is broken off is none.
    let (first, others): (Vec<_>, Vec<_>) = stored.iter().partition(|(name, _)| *name == FILE);
    for (name, blob) in others.into_iter().chain(first) {
        if local.get(name) == Some(blob) {
            continue;
        }
        let path = session.join(name);
        disk.create_directory(path.parent().unwrap_or(session))?;
        disk.write(&path, &log.read_blob(blob)?)?;
    }
    Ok(())
}

/// The first folder of this session below `.replaced/` that does not exist.
fn next_replaced(session: &Path) -> Result<PathBuf> {
    let (Some(parent), Some(name)) = (session.parent(), session.file_name()) else {
        bail!("{} is not a session in a directory", session.display());
    };
    let folder = parent.join(REPLACED).join(name);
    let mut numbers = 1_u32..;
    let free = numbers.find(|number| !folder.join(number.to_string()).exists());
    Ok(folder.join(free.unwrap_or(u32::MAX).to_string()))
}

/// The bytes of a local file, to be stored.
///
/// # Errors
/// When it cannot be read; `None` if it is gone, as a temporary file may be.
pub(super) fn local_bytes(path: &Path) -> Result<Option<Vec<u8>>> {
    match read_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read
            .map(Some)
            .with_context(|| format!("failed to read {}", path.display())),
    }
}
