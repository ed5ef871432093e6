//! Many files' sizes, times and inodes as one number, so that a session among thousands is
//! recognised by a few looks.
//!
//! Advice, as [`super::DigestCache`] are: it says that nothing moved since a plan found nothing to do,
//! never what is in a file.

use std::ffi::CStr;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::digest_cache::RACY;
use crate::platform::{DirectoryHandle, FileKind, StatData};

/// A directory of sessions, held open so that each look is a short walk.
pub struct FingerprintReader {
    directory: DirectoryHandle,
    /// The name being looked up, kept to spare an allocation a file.
    path: Vec<u8>,
}

/// What was seen of the files of one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    /// Equal as long as no file moved.
    pub value: u64,
    /// When the youngest of the files changed, since the epoch.
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

    /// The fingerprint of the directory `session` and of `files` in it. The directory's own tells of
    /// every file that was made, removed or replaced; a file's own, of one that was written in
    /// place.
    ///
    /// # Errors
    /// When one of them is not there, or is a link.
    pub fn fingerprint<'a>(
        &mut self,
        session: &str,
        files: impl IntoIterator<Item = &'a str>,
    ) -> io::Result<Fingerprint> {
        self.path.clear();
        self.path.extend_from_slice(session.as_bytes());
        let mut seen = Fingerprint {
            value: 0,
            changed: Duration::ZERO,
        };
        if self.look(&mut seen)? != FileKind::Directory {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        self.path.push(b'/');
        let base = self.path.len();
        for file in files {
            self.path.truncate(base);
            self.path.extend_from_slice(file.as_bytes());
            if self.look(&mut seen)? == FileKind::Link {
                return Err(io::ErrorKind::InvalidInput.into());
            }
        }
        Ok(seen)
    }

    /// Adds what is seen of the file at the path, and says what it is.
    fn look(&mut self, fingerprint: &mut Fingerprint) -> io::Result<FileKind> {
        self.path.push(0);
        let path = CStr::from_bytes_with_nul(&self.path);
        let path = path.map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        let (stat, kind) = self.directory.stat(path)?;
        self.path.pop();
        fingerprint.add(&stat);
        Ok(kind)
    }
}

impl Fingerprint {
    /// Whether a file changed so shortly before now that a later change might not show.
    pub fn is_racy(&self) -> bool {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        self.changed >= now.unwrap_or_default().saturating_sub(RACY)
    }

    /// Adds what was seen of one file.
    fn add(&mut self, stat: &StatData) {
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

/// A hash's next state: the two halves of a product, folded, as wyhash does it. Good against
/// accidents, not against people.
pub fn hash_mix(state: u64, part: u64) -> u64 {
    // The odd numbers nearest to 2⁶⁴ over the golden ratio and over √2.
    let (one, other) = (0x9e37_79b9_7f4a_7c15, 0xb504_f333_f9de_6485);
    let product = u128::from(state ^ one) * u128::from(part ^ other);
    let (low, high) = (product as u64, (product >> 64) as u64);
    (low ^ high).rotate_left(23).wrapping_add(part ^ one)
}
