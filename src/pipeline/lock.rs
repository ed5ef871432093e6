//! One writer a session: an advisory lock that dies with its process.
//!
//! The file is never unlinked, and what stands in it is for the message only: no pid is probed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::disk::unlinked;
use super::stamps::read_limited;

const NAME: &str = ".lock";

/// The session is in use by another process.
#[derive(Debug, thiserror::Error)]
#[error("{} is in use by {holder}; wait for it with --wait", .session.display())]
pub struct Busy {
    /// The session's directory.
    pub session: PathBuf,
    /// Who holds it, as it says itself.
    pub holder: String,
}

/// Held while a process may write into the session; freed when dropped, or by the kernel when the process dies.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Lock {
    /// Takes the lock of `session`, waiting for it if `wait`; `since` is the time now, for the message.
    ///
    /// # Errors
    /// [`Busy`] when another process holds it and `wait` is false.
    pub fn take(session: &Path, wait: bool, since: &str) -> Result<Self> {
        let path = session.join(NAME);
        let mut options = OpenOptions::new();
        let mut file = unlinked(options.read(true).write(true).create(true))
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
        let text = format!(
            "pid {} on {} since {since}\n",
            std::process::id(),
            host_name()
        );
        let _ = file
            .set_len(0)
            .and_then(|()| file.write_all(text.as_bytes()));
        Ok(Self { file })
    }

    /// Whether another process holds the lock of `session` just now.
    pub fn is_held(session: &Path) -> bool {
        unlinked(OpenOptions::new().read(true))
            .open(session.join(NAME))
            .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

impl Drop for Lock {
    /// Unlocks at once: a child that is just being started holds a copy of the descriptor until it becomes its program.
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

fn host_name() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}
