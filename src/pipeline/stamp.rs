//! Stamps: the stat data of one file, which shows that it is unchanged without reading it.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::platform::{FileTime, StatData};

/// The time after a change within which a second change might not alter the file's times: longer
/// than the coarsest clock tick of Linux file systems (10 ms at 100 Hz). Git calls such entries of
/// its index "racy".
pub(super) const RACY: Duration = Duration::from_millis(20);

/// The stat data of a file: while it stays equal, the file is assumed to be unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    size: u64,
    inode: u64,
    /// In nanoseconds since the epoch, like `changed`.
    modified: i128,
    changed: i128,
}

impl Stamp {
    /// The stamp of the file at `path`; if it is a link, that of its target.
    ///
    /// # Errors
    /// When there is no such file, or access to it is denied.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        Ok(Self::from(&fs::metadata(path)?))
    }

    /// The stamp of the file at `path`, after a pause of `RACY` if it has just changed, so that any
    /// later change alters the stamp.
    ///
    /// # Errors
    /// As [`Stamp::of_file`].
    pub fn settled(path: &Path) -> io::Result<Self> {
        let stamp = Self::of_file(path)?;
        if !stamp.is_racy() {
            return Ok(stamp);
        }
        thread::sleep(RACY);
        Self::of_file(path)
    }

    /// The size of the file in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// `true` if this file has not changed since before `other` did: not even in the same tick of
    /// the file system's clock.
    pub fn is_before(&self, other: &Self) -> bool {
        self.changed < other.changed
    }

    /// `true` if this file changed later than `other`.
    pub(super) fn is_after(&self, other: &Self) -> bool {
        self.changed > other.changed
    }

    /// `true` if the file changed so recently that a further change might not alter its stamp.
    pub fn is_racy(&self) -> bool {
        let now = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        let limit = now.saturating_sub(RACY).as_nanos();
        // By ctime, which no program can set, unlike mtime.
        i128::try_from(limit).is_ok_and(|limit| self.changed >= limit)
    }
}

impl From<&Metadata> for Stamp {
    fn from(metadata: &Metadata) -> Self {
        let stat = StatData::from(metadata);
        Self {
            size: stat.size,
            inode: stat.inode,
            modified: nanoseconds(stat.modified),
            changed: nanoseconds(stat.changed),
        }
    }
}

fn nanoseconds(time: FileTime) -> i128 {
    i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanoseconds)
}
