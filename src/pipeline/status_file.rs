//! Status files: a process shows its progress to others for as long as it lives.
//!
//! The file is locked by its process, and the kernel frees the lock when the process dies; so a
//! status file that is not locked is left over from a dead process. For display only: no decision
//! reads it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::Disk;
use super::disk::numbered_names;
use super::lock::is_file_locked;
use super::session_files::read_file;

/// A status file of this process.
pub struct StatusFile {
    file: File,
    path: PathBuf,
    disk: Disk,
}

impl StatusFile {
    /// Creates a status file that no living process uses: `.NAME.1.tmp`, or the next number.
    ///
    /// # Errors
    /// When none can be opened.
    pub fn open(path: &Path, disk: &Disk) -> io::Result<Self> {
        let (file, path) = disk.open_numbered(path)?;
        Ok(Self {
            file,
            path,
            disk: disk.clone(),
        })
    }

    /// Replaces the text. A failure is ignored: the status is for display only.
    pub fn update(&self, text: &str) {
        // The text first, the length after: a reader never sees an empty file.
        let length = text.len() as u64;
        let written = self
            .disk
            .patch_cache(&self.path, &self.file, 0, text.as_bytes());
        let _ = written.and_then(|()| self.file.set_len(length));
    }
}

/// The texts of the status files of this name whose processes are alive.
pub fn read_status_files(path: &Path) -> Vec<String> {
    numbered_names(path)
        .map(|path| (is_file_locked(&path), path))
        // The names are used in order, so the first that is missing ends the list.
        .map_while(|(is_locked, path)| Some((is_locked?, path)))
        .filter(|(is_locked, _)| *is_locked)
        .map(|(_, path)| {
            let bytes = read_file(&path).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        })
        .collect()
}
