//! The layout of an output directory: its sessions lie in it, or, if it is sharded, in 256 folders
//! by the hashes of their names. Most file systems and tools are slow in a directory of hundreds of
//! thousands of entries.
//!
//! All folders are at one depth, so that the paths in a session lead to its documents from any of
//! them, and a session that is renamed may move to another.

use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use super::file::FILE;
use crate::pipeline::{Digest, Disk};

/// The file that marks an output directory as sharded.
const MARKER: &str = ".sharded";

/// The text of the marker, for people who find it.
const REMARK: &str =
    "The sessions of this directory lie in folders by the hashes of their names.\n";

/// The digits of a hash that make the name of a folder.
const SHARD_DIGITS: usize = 2;

/// The layout of one output directory, looked at once.
#[derive(Debug, Clone, Copy)]
pub struct Layout<'a> {
    output_dir: &'a Path,
    is_sharded: bool,
}

impl<'a> Layout<'a> {
    /// The layout that an output directory has now.
    pub fn of(output_dir: &'a Path) -> Self {
        Self {
            output_dir,
            is_sharded: output_dir.join(MARKER).exists(),
        }
    }

    /// The directory of the session of this name.
    pub fn path(self, id: &str) -> PathBuf {
        if self.is_sharded {
            let hash = Digest::of(id);
            let shard = &hash.as_str()[..SHARD_DIGITS];
            self.output_dir.join(shard).join(id)
        } else {
            self.output_dir.join(id)
        }
    }

    /// A directory at the depth of those that hold sessions, from which their documents are named.
    pub(super) fn base(self) -> PathBuf {
        if self.is_sharded {
            self.output_dir.join("0".repeat(SHARD_DIGITS))
        } else {
            self.output_dir.to_owned()
        }
    }

    /// The directories that hold sessions, in the order of their names.
    ///
    /// # Errors
    /// When the output directory cannot be listed.
    pub(super) fn folders(self) -> Result<Vec<PathBuf>> {
        if !self.is_sharded {
            return Ok(vec![self.output_dir.to_owned()]);
        }
        let mut names = entry_names(self.output_dir)?.collect::<Result<Vec<String>>>()?;
        names.retain(|name| is_shard(name));
        names.sort_unstable();
        let folders = names.iter().map(|name| self.output_dir.join(name));
        Ok(folders.collect())
    }
}

/// The directory of the session of this name.
pub fn path(output_dir: &Path, id: &str) -> PathBuf {
    Layout::of(output_dir).path(id)
}

/// The output directory of the session at `path`, as it is named there.
pub fn output_dir_of(path: &Path) -> Option<&Path> {
    let folder = path.parent()?;
    let is_in_shard = folder
        .file_name()
        .is_some_and(|name| is_shard(&name.to_string_lossy()));
    let above = folder
        .parent()
        .filter(|above| is_in_shard && Layout::of(above).is_sharded);
    Some(above.unwrap_or(folder))
}

/// Makes an output directory sharded, unless it is.
///
/// # Errors
/// When it holds sessions already, or cannot be written.
pub fn shard(output_dir: &Path, disk: &Disk) -> Result<()> {
    if Layout::of(output_dir).is_sharded {
        return Ok(());
    }
    let names = entry_names(output_dir)?.collect::<Result<Vec<String>>>()?;
    let mut sessions = names.iter().map(|name| output_dir.join(name).join(FILE));
    ensure!(
        !sessions.any(|session| session.exists()),
        "{} holds sessions that are not in folders, so run.sharded cannot begin there; choose \
         another directory with --output-dir",
        output_dir.display()
    );
    disk.create_directory(output_dir)?;
    disk.write(&output_dir.join(MARKER), REMARK.as_bytes())
}

fn is_shard(name: &str) -> bool {
    let is_lower_hex = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    name.len() == SHARD_DIGITS && name.bytes().all(is_lower_hex)
}

/// The UTF-8 names of a directory's entries, in any order; none if it does not exist.
///
/// # Errors
/// When the directory cannot be listed.
pub(super) fn entry_names(directory: &Path) -> Result<impl Iterator<Item = Result<String>>> {
    let problem = || format!("failed to list {}", directory.display());
    // Not walked: a walk opens each session in it, only to list nothing.
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        entries => Some(entries.with_context(problem)?),
    };
    let name = |entry: DirEntry| entry.file_name().into_string().ok();
    Ok(entries
        .into_iter()
        .flatten()
        .filter_map(move |entry| entry.map(name).with_context(problem).transpose()))
}
