//! Status files: a process shows its progress to others for as long as it lives.
//!
//! The file is locked by its process, which removes it at the end. The kernel frees the lock when
//! the process dies; so a status file that is not locked is left over from a dead process. For
//! display only: no decision reads it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::Disk;
use super::disk::temporary_number;
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

impl Drop for StatusFile {
    /// Removes the file while it is still locked, so that no other process has it by then. A
    /// failure is ignored: the next process uses the file again.
    fn drop(&mut self) {
        let _ = self.disk.remove(&self.path);
    }
}

/// The texts of the status files of this name whose processes are alive.
pub fn read_status_files(path: &Path) -> Vec<String> {
    let directory = path.parent().unwrap_or(Path::new(""));
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    // Listed, since the names have gaps: a process may end before one that began later.
    let mut files: Vec<(u32, PathBuf)> = entries
        .filter_map(|entry| Some((temporary_number(path, &entry.file_name())?, entry.path())))
        .collect();
    files.sort();
    files
        .into_iter()
        .filter(|(_, path)| is_file_locked(path).unwrap_or(false))
        .map(|(_, path)| {
            let bytes = read_file(&path).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_of_a_process_is_read_after_one_that_began_before_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("batch");
        let open = |text: &str| {
            let file = StatusFile::open(&path, &Disk::default()).unwrap();
            file.update(text);
            file
        };
        let (first, second) = (open("first"), open("second"));
        assert_eq!(read_status_files(&path), ["first", "second"]);
        drop(first);
        assert_eq!(read_status_files(&path), ["second"]);
        drop(second);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
