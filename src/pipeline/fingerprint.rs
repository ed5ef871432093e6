//! Fingerprints: the stat data of a session's files as one number, so that a finished session among
//! thousands is recognized by a few system calls.
//!
//! Like the digest cache, fingerprints only save time. An equal fingerprint means that no file has
//! changed since a plan had nothing to do; it says nothing about the contents.

use std::ffi::CStr;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::stamp::RACY;
use crate::platform::{DirectoryHandle, FileKind, StatData};

/// Takes fingerprints of the sessions in one directory, which stays open so that each lookup has a
/// short path to resolve.
pub struct FingerprintReader {
    directory: DirectoryHandle,
    /// The path being looked up, reused to save an allocation per file.
    path: Vec<u8>,
}

/// The stat data of the files of one session, hashed together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    /// The hash: equal as long as no file has changed.
    pub value: u64,
    /// The time of the latest change of any of the files, since the epoch.
    changed: Duration,
}

impl FingerprintReader {
    /// Opens a directory of sessions.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(directory: &Path) -> io::Result<Self> {
        Ok(Self {
            directory: DirectoryHandle::open(directory)?,
            path: Vec::new(),
        })
    }

    /// The fingerprint of the directory `session` and of `files` in it. The directory's times
    /// reveal every file that was made, removed or replaced; a file's own times reveal a write in
    /// place.
    ///
    /// # Errors
    /// When one of them does not exist, or is a link.
    pub fn fingerprint<'a>(
        &mut self,
        session: &str,
        files: impl IntoIterator<Item = &'a str>,
    ) -> io::Result<Fingerprint> {
        self.path.clear();
        self.path.extend_from_slice(session.as_bytes());
        let mut fingerprint = Fingerprint {
            value: 0,
            changed: Duration::ZERO,
        };
        if self.add_entry(&mut fingerprint)? != FileKind::Directory {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        self.path.push(b'/');
        let base = self.path.len();
        for file in files {
            self.path.truncate(base);
            self.path.extend_from_slice(file.as_bytes());
            if self.add_entry(&mut fingerprint)? == FileKind::Link {
                return Err(io::ErrorKind::InvalidInput.into());
            }
        }
        Ok(fingerprint)
    }

    /// Adds the stat data of the entry at `self.path`, and returns its kind.
    fn add_entry(&mut self, fingerprint: &mut Fingerprint) -> io::Result<FileKind> {
        // The reused path becomes a C string for the call: its NUL is removed again below.
        self.path.push(0);
        let path = CStr::from_bytes_with_nul(&self.path)
            .map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        let (stat, kind) = self.directory.stat(path)?;
        self.path.pop();
        fingerprint.add(&stat);
        Ok(kind)
    }
}

impl Fingerprint {
    /// `true` if a file changed so recently that a further change might not alter its times.
    pub fn is_racy(&self) -> bool {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        self.changed >= now.unwrap_or_default().saturating_sub(RACY)
    }

    fn add(&mut self, stat: &StatData) {
        // The order of the parts must not change: skip caches store the result.
        for part in [
            stat.size,
            stat.inode,
            stat.modified.seconds.cast_unsigned(),
            stat.modified.nanoseconds.into(),
            stat.changed.seconds.cast_unsigned(),
            stat.changed.nanoseconds.into(),
        ] {
            self.value = hash_mix(self.value, part);
        }
        let seconds = u64::try_from(stat.changed.seconds).unwrap_or(0);
        let changed = Duration::new(seconds, stat.changed.nanoseconds);
        self.changed = self.changed.max(changed);
    }
}

/// The next state of a hash: the two halves of a 128-bit product, folded, as wyhash does it. It
/// detects accidental changes; it does not resist attackers.
pub fn hash_mix(state: u64, part: u64) -> u64 {
    // The odd numbers nearest to 2⁶⁴ over the golden ratio and over √2.
    let (golden, root) = (0x9e37_79b9_7f4a_7c15, 0xb504_f333_f9de_6485);
    let product = u128::from(state ^ golden) * u128::from(part ^ root);
    let (low, high) = (product as u64, (product >> 64) as u64);
    (low ^ high).rotate_left(23).wrapping_add(part ^ golden)
}
