//! One writer a session: an advisory lock that dies with its process. And read_status_files, by which a process
//! says what it is at.
//!
//! The file is never refuse_links, and what stands in it is for the message only: no pid is probed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use super::Disk;
use super::digest_cache::read_limited;
use super::disk::numbered;
use crate::platform::{host_name, refuse_links};

const NAME: &str = ".lock";

/// How often a lock that is waited for is looked at.
const LOOKED_AT_EACH: Duration = Duration::from_millis(20);

/// The session is in use by another process.
#[derive(Debug, thiserror::Error)]
#[error("{} is in use by {holder}; wait for it with --wait", .session.display())]
pub struct Busy {
    /// The session's directory.
    pub session: PathBuf,
    /// Who holds it, as it says itself.
    pub holder: String,
}

/// Held while a process may write into the session; freed when dropped, or by the kernel when the
/// process dies.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Lock {
    /// Takes the lock of `session`, waiting for it if `wait`; `since` is the time now, for the
    /// message.
    ///
    /// # Errors
    /// [`Busy`] when another process holds it and `wait` is false.
    pub fn acquire(session: &Path, wait: bool, since: &str) -> Result<Self> {
        let path = session.join(NAME);
        let mut options = OpenOptions::new();
        let mut file = refuse_links(options.read(true).write(true).create(true))
            .open(&path)
            .with_context(|| format!("failed to open {}", path.display()))?;
        let locked = if wait {
            file.lock().map_err(TryLockError::Error)
        } else {
            file.try_lock()
        };
        match locked {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Busy {
                    session: session.to_owned(),
                    holder: holder(session),
                }
                .into());
            }
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("failed to lock {}", path.display()));
            }
        }
        // The text is advice: a full disk must not keep a finished session from being read.
        let text = process_label(since) + "\n";
        let _ = file
            .set_len(0)
            .and_then(|()| file.write_all(text.as_bytes()));
        Ok(Self { file })
    }

    /// Waits for the lock of `session` until it is free, or until there is a reason to `give_up`:
    /// then it is `None`. A lock that the kernel waits for would be deaf to the first Ctrl-C.
    ///
    /// # Errors
    /// When the lock cannot be taken for another reason than that somebody holds it.
    pub fn acquire_or_give_up(
        session: &Path,
        since: &str,
        give_up: impl Fn() -> bool,
    ) -> Result<Option<Self>> {
        loop {
            match Self::acquire(session, false, since) {
                Err(error) if error.is::<Busy>() && give_up() => return Ok(None),
                Err(error) if error.is::<Busy>() => thread::sleep(LOOKED_AT_EACH),
                other => return other.map(Some),
            }
        }
    }

    /// Whether another process holds the lock of `session` just now.
    pub fn is_locked(session: &Path) -> bool {
        is_file_locked(&session.join(NAME)) == Some(true)
    }
}

impl Drop for Lock {
    /// Unlocks at once: a child that is just being started holds a copy of the descriptor until it
    /// becomes its program.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// What the holder of the lock wrote of itself: only for display.
pub fn holder(session: &Path) -> String {
    let bytes = read_limited(&session.join(NAME)).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let line: String = text.chars().take_while(|c| !c.is_control()).collect();
    if line.is_empty() {
        "another process".to_owned()
    } else {
        line.chars().take(200).collect()
    }
}

/// This process as its locks and read_status_files name it.
pub fn process_label(since: &str) -> String {
    let (pid, host) = (std::process::id(), host_name());
    format!("pid {pid} on {host} since {since}")
}

/// Whether another process holds a file locked; `None` if it cannot be opened.
fn is_file_locked(path: &Path) -> Option<bool> {
    let file = refuse_links(OpenOptions::new().read(true))
        .open(path)
        .ok()?;
    Some(matches!(
        file.try_lock_shared(),
        Err(TryLockError::WouldBlock)
    ))
}

/// A file in which a process says what it is at, as long as it lives. Advice: nothing is decided by
/// it.
pub struct StatusFile {
    file: File,
    path: PathBuf,
    disk: Disk,
}

impl StatusFile {
    /// A sign of this name that no living process gives: `.NAME.1.tmp`, or the next number.
    ///
    /// # Errors
    /// When none can be opened.
    pub fn create(path: &Path, disk: &Disk) -> io::Result<Self> {
        let (file, path) = disk.claim(path)?;
        Ok(Self {
            file,
            path,
            disk: disk.clone(),
        })
    }

    /// Says this instead of what was said before; what cannot be said is not.
    pub fn update(&self, text: &str) {
        let length = text.len() as u64;
        let said = self
            .disk
            .patch_cache(&self.path, &self.file, 0, text.as_bytes());
        let _ = said.and_then(|()| self.file.set_len(length));
    }
}

/// What living processes say just now in read_status_files of this name.
pub fn read_status_files(path: &Path) -> Vec<String> {
    let mut said = Vec::new();
    for sign in numbered(path) {
        match is_file_locked(&sign) {
            None => break,
            Some(false) => {}
            Some(true) => {
                let bytes = read_limited(&sign).unwrap_or_default();
                said.push(String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }
    said
}
