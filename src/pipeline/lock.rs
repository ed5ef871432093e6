//! The session lock: one writer per session, by an advisory file lock that the kernel releases when
//! its process dies.
//!
//! The file (`.lock`) is never unlinked, and its text is for error messages only: no process id is
//! ever probed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use super::session_files::read_file;
use crate::platform::{host_name, make_private, refuse_links};

/// The name of the lock file in a session.
const NAME: &str = ".lock";

/// The polling interval while waiting for a lock (chosen by hand): too short to be noticed, and
/// cheap.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// The number of times that a lock is tried again while others only look at it, each for a moment:
/// a second in all (chosen by hand, for machines that are busy).
const MAX_RETRIES: u32 = 50;

/// The longest text of a lock file that is shown.
const SHOWN_CHARACTERS: usize = 200;

/// The session is in use by another process.
#[derive(Debug, thiserror::Error)]
#[error("{} is in use by {holder}; wait for it with --wait", .session.display())]
pub struct Busy {
    /// The session's directory.
    pub session: PathBuf,
    /// The process that holds the lock, as it describes itself.
    pub holder: String,
}

/// A session lock: its process may write into the session. Released when dropped, or by the kernel
/// when the process dies.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Lock {
    /// Acquires the lock of `session`, blocking until it is free if `wait`; `since` is the current
    /// time, for the message to other processes.
    ///
    /// # Errors
    /// [`Busy`] when another process holds it and `wait` is false.
    pub fn acquire(session: &Path, wait: bool, since: &str) -> Result<Self> {
        let path = session.join(NAME);
        let mut options = OpenOptions::new();
        let options = make_private(options.read(true).write(true).create(true));
        let mut file = refuse_links(options)
            .open(&path)
            .with_context(|| format!("failed to open {}", path.display()))?;
        let locked = if wait {
            file.lock().map_err(TryLockError::Error)
        } else {
            try_lock(&file, &path)
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
        tracing::debug!(path = %path.display(), "lock acquired");
        // The text is for display only: a full disk must not prevent reading a finished session.
        let _ = overwrite(&mut file, &(process_label(since) + "\n"));
        Ok(Self { file })
    }

    /// Polls the lock of `session` until it is acquired, or until `give_up` returns `true`: then
    /// the result is `None`.
    ///
    /// # Errors
    /// When the lock cannot be acquired, unless because another process holds it.
    pub fn acquire_or_give_up(
        session: &Path,
        since: &str,
        give_up: impl Fn() -> bool,
    ) -> Result<Option<Self>> {
        // By polling, since a process blocked in the kernel would ignore the first Ctrl-C.
        loop {
            match Self::acquire(session, false, since) {
                Err(error) if error.is::<Busy>() && give_up() => return Ok(None),
                Err(error) if error.is::<Busy>() => thread::sleep(RETRY_INTERVAL),
                other => return other.map(Some),
            }
        }
    }

    /// `true` if another process holds the lock of `session`.
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

/// Locks an open file, unless another process holds its lock. Those who look whether it is locked
/// hold a shared lock for that moment, which is no reason to give up.
fn try_lock(file: &File, path: &Path) -> Result<(), TryLockError> {
    for _ in 0..MAX_RETRIES {
        let locked = file.try_lock();
        let is_free = || is_file_locked(path) == Some(false);
        if !matches!(locked, Err(TryLockError::WouldBlock)) || !is_free() {
            return locked;
        }
        thread::sleep(RETRY_INTERVAL);
    }
    file.try_lock()
}

/// Replaces the text of an open file.
fn overwrite(file: &mut File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    // Truncated afterwards, and only if it was longer: a file that is emptied first loses its block
    // and takes a new one, which costs a finished session more than all its other system calls.
    let length = text.len() as u64;
    if file.metadata()?.len() > length {
        file.set_len(length)?;
    }
    Ok(())
}

/// The process that holds the lock, as it describes itself, without control characters: for display
/// only.
pub fn holder(session: &Path) -> String {
    let bytes = read_file(&session.join(NAME)).unwrap_or_default();
    let label: String = String::from_utf8_lossy(&bytes)
        .chars()
        .take_while(|c| !c.is_control())
        .take(SHOWN_CHARACTERS)
        .collect();
    if label.is_empty() {
        "another process".to_owned()
    } else {
        label
    }
}

/// The description of this process in its locks and status files.
pub fn process_label(since: &str) -> String {
    let (pid, host) = (std::process::id(), host_name());
    format!("pid {pid} on {host} since {since}")
}

/// `true` if another process holds a lock on the file; `None` if it cannot be opened.
pub(super) fn is_file_locked(path: &Path) -> Option<bool> {
    let file = refuse_links(OpenOptions::new().read(true))
        .open(path)
        .ok()?;
    // A shared lock conflicts with the exclusive lock of a writer, but not with another reader that
    // checks at the same time.
    let is_locked = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
    // At once, as in `Lock::drop`.
    let _ = file.unlock();
    Some(is_locked)
}
