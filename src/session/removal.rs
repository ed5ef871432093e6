//! Removes and renames sessions, and what is left over in them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use walkdir::WalkDir;

use super::file::{directory_name, read};
use super::layout::{self, Layout, entry_names, output_dir_of};
use super::lookup::ids;
use super::name::check_name;
use crate::pipeline::{Clock, Disk, Lock, SUPERSEDED};

/// The ending of the name of a session that is being removed. No session has a name that begins
/// with a dot, so it is not listed any more.
const REMOVED: &str = ".removed";

/// Removes the session at `path` with everything in its directory, and returns the number of bytes.
///
/// # Errors
/// [`crate::pipeline::Busy`] when a process works in it, or when it cannot be removed.
pub fn remove(path: &Path, disk: &Disk, clock: Clock) -> Result<u64> {
    let (parent, id) = located(path)?;
    let _lock = Lock::acquire(path, false, &clock.timestamp())?;
    let bytes = size(path);
    // Renamed first: a crash then leaves a whole session or none.
    let removed = parent.join(format!(".{id}{REMOVED}"));
    disk.move_durably(path, &removed)?;
    disk.remove_tree(&removed)?;
    Ok(bytes)
}

/// Gives the session at `path` another name, and returns its new path.
///
/// # Errors
/// When the name cannot be used or is taken, or a process works in the session.
pub fn rename(path: &Path, name: &str, disk: &Disk, clock: Clock) -> Result<PathBuf> {
    check_name(name)?;
    let (parent, _) = located(path)?;
    let renamed = layout::path(output_dir_of(path).unwrap_or(&parent), name);
    ensure!(
        fs::symlink_metadata(&renamed).is_err(),
        "{} exists already; choose another name",
        renamed.display()
    );
    let _lock = Lock::acquire(path, false, &clock.timestamp())?;
    // In a directory of shards it may be the first one of its folder.
    disk.create_directory(renamed.parent().unwrap_or(&parent))?;
    disk.move_durably(path, &renamed)?;
    Ok(renamed)
}

/// The directory that holds the session at `path`, and the session's name there.
fn located(path: &Path) -> Result<(PathBuf, String)> {
    let link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    ensure!(
        !link,
        "{} is a symbolic link; name the directory that it leads to",
        path.display()
    );
    let real = path
        .canonicalize()
        .with_context(|| format!("failed to resolve {}", path.display()))?;
    match (real.parent(), directory_name(path)) {
        // As it was named, where that has a parent: shorter in messages.
        (Some(parent), Some(id)) => {
            let named = path.parent().filter(|_| path.file_name().is_some());
            Ok((named.unwrap_or(parent).to_owned(), id))
        }
        _ => bail!("{} is no directory of a session", path.display()),
    }
}

/// The sessions that follow the session at `path`, and read its sources.
///
/// # Errors
/// When the directory of the sessions cannot be listed.
pub fn followers(path: &Path) -> Result<Vec<String>> {
    let (parent, _) = located(path)?;
    let real = path.canonicalize().ok();
    let output_dir = output_dir_of(path).unwrap_or(&parent);
    let layout = Layout::of(output_dir);
    let mut followers = ids(output_dir)?;
    followers.retain(|id| {
        let other = layout.path(id);
        let follows = read(&other).ok().and_then(|session| session.follows);
        follows.is_some_and(|earlier| other.join(earlier).canonicalize().ok() == real)
    });
    Ok(followers)
}

/// Returns the directories below a directory of sessions that nothing needs any more, with their
/// sizes: superseded files of the sessions `ids`, and sessions whose removal was cut short. A
/// session in which a process works is left out.
///
/// # Errors
/// When the directory cannot be listed.
pub fn leftovers(output_dir: &Path, ids: &[PathBuf]) -> Result<Vec<(PathBuf, u64)>> {
    let mut leftovers = Vec::new();
    for session in ids {
        let superseded = session.join(SUPERSEDED);
        if superseded.is_dir() && !Lock::is_locked(session) {
            leftovers.push(superseded);
        }
    }
    for folder in Layout::of(output_dir).folders()? {
        for name in entry_names(&folder)? {
            let name = name?;
            if name.starts_with('.') && name.ends_with(REMOVED) {
                leftovers.push(folder.join(name));
            }
        }
    }
    let sized = leftovers.into_iter().map(|path| (size(&path), path));
    Ok(sized.map(|(bytes, path)| (path, bytes)).collect())
}

/// Removes a directory that [`leftovers`] returned.
///
/// # Errors
/// When it cannot be removed, or a process works in its session.
pub fn remove_leftover(path: &Path, disk: &Disk, clock: Clock) -> Result<()> {
    let session = path.parent().filter(|_| path.ends_with(SUPERSEDED));
    let _lock = session
        .map(|session| Lock::acquire(session, false, &clock.timestamp()))
        .transpose()?;
    disk.remove_tree(path)
}

/// The bytes of all files below a directory. Links are not followed.
pub fn size(path: &Path) -> u64 {
    let entries = WalkDir::new(path).into_iter().flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    files
        .filter_map(|entry| entry.metadata().ok())
        .map(|metadata| metadata.len())
        .sum()
}
