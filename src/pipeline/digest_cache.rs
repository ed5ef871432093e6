//! Hashes of files, kept by size, times and inode, so that a finished session is recognised without
//! reading it again.
//!
//! A cache: without it the same things happen, slower. A file that changed within [`RACY`] of the
//! moment at which its hash was taken is hashed again next time, since a later change might not
//! move its time (as git does it).

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::{Digest, Disk, Header};
use crate::platform::{FileTime, StatData, refuse_links};

const NAME: &str = ".stamps.json";

/// Longer than the coarsest clock tick by which Linux stamps files (10 ms at 100 Hz).
pub(super) const RACY: Duration = Duration::from_millis(20);

/// The largest gate that is read.
pub(super) const MAX_BYTES: u64 = 64 << 20;

/// What the file system says of a file without reading it: as long as that stays, the file has not
/// changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    size: u64,
    inode: u64,
    modified: i128,
    changed: i128,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        let stat = StatData::from(metadata);
        let nanoseconds = |time: FileTime| {
            i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanoseconds)
        };
        Self {
            size: stat.size,
            inode: stat.inode,
            modified: nanoseconds(stat.modified),
            changed: nanoseconds(stat.changed),
        }
    }

    /// The stamp of the file at `path`, of what it leads to if it is a link.
    ///
    /// # Errors
    /// When there is no such file, or it may not be looked at.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        Ok(Self::of(&fs::metadata(path)?))
    }

    /// The stamp of the file at `path`, after waiting a moment if it changed just now, so that a
    /// later change shows.
    ///
    /// # Errors
    /// As [`Stamp::of_file`].
    pub fn settled(path: &Path) -> io::Result<Self> {
        let stamp = Self::of_file(path)?;
        if !stamp.is_racy() {
            return Ok(stamp);
        }
        std::thread::sleep(RACY);
        Self::of_file(path)
    }

    /// Whether the file changed so shortly before now that a later change might not show.
    pub fn is_racy(&self) -> bool {
        let now = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        let limit = now.saturating_sub(RACY).as_nanos();
        i128::try_from(limit).is_ok_and(|limit| self.changed >= limit)
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Known {
    stamp: Stamp,
    digest: Digest,
    header: Option<Header>,
    /// Whether the file had changed so shortly before that a later change might not show.
    #[serde(skip)]
    racy: bool,
}

impl Known {
    fn holds(&self, stamp: &Stamp) -> bool {
        self.stamp == *stamp && !self.racy
    }
}

/// Headers are kept as this version of the program read them.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// The stamps as they are kept in the session.
#[derive(Serialize, Deserialize)]
struct Kept {
    program: String,
    files: BTreeMap<String, Known>,
}

/// What is known of the files of one session.
#[derive(Debug, Default)]
pub struct DigestCache {
    root: PathBuf,
    known: BTreeMap<String, Known>,
    changed: bool,
}

impl DigestCache {
    /// The stamps kept in `session`; none if they cannot be read.
    pub fn load(session: &Path) -> Self {
        let kept = read_limited(&session.join(NAME))
            .ok()
            .and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok())
            .filter(|kept| kept.program == PROGRAM);
        let known = kept.map(|kept| kept.files).unwrap_or_default();
        Self {
            root: session.to_owned(),
            known,
            changed: false,
        }
    }

    /// Keeps what was learnt, if anything was. A file that was written this very moment is left
    /// out, to be hashed again.
    pub fn save(&mut self, disk: &Disk) {
        if !self.changed {
            return;
        }
        self.known.retain(|_, known| !known.racy);
        let kept = Kept {
            program: PROGRAM.to_owned(),
            files: std::mem::take(&mut self.known),
        };
        if let Ok(bytes) = serde_json::to_vec(&kept) {
            // A cache that cannot be written costs time, nothing else.
            let _ = disk.write_cache(&self.root.join(NAME), &bytes);
        }
        self.known = kept.files;
        self.changed = false;
    }

    /// The digest of a file of the session; `None` if there is none.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub fn digest(&mut self, name: &str) -> io::Result<Option<Digest>> {
        let Some(stamp) = self.stamp(name)? else {
            return Ok(None);
        };
        if let Some(known) = self.known.get(name).filter(|known| known.holds(&stamp)) {
            return Ok(Some(known.digest.clone()));
        }
        let racy = stamp.is_racy();
        let digest = Digest::of(read_limited(&self.root.join(name))?);
        self.learn(name, (stamp, racy), &digest, None);
        Ok(Some(digest))
    }

    /// The header of a gate, read by `check` if it is not known from before; `None` if there is no
    /// such file.
    ///
    /// # Errors
    /// When the file is there and cannot be read; what `check` finds wrong is inside.
    pub fn header<E>(
        &mut self,
        name: &str,
        check: impl FnOnce(&[u8]) -> Result<Header, E>,
    ) -> io::Result<Option<Result<Header, E>>> {
        let Some(stamp) = self.stamp(name)? else {
            return Ok(None);
        };
        let known = self.known.get(name).filter(|known| known.holds(&stamp));
        if let Some(header) = known.and_then(|known| known.header.clone()) {
            return Ok(Some(Ok(header)));
        }
        let racy = stamp.is_racy();
        let bytes = read_limited(&self.root.join(name))?;
        let header = check(&bytes);
        self.learn(
            name,
            (stamp, racy),
            &Digest::of(&bytes),
            header.as_ref().ok(),
        );
        Ok(Some(header))
    }

    fn stamp(&self, name: &str) -> io::Result<Option<Stamp>> {
        match fs::symlink_metadata(self.root.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            other => Ok(Some(Stamp::of(&other?))),
        }
    }

    fn learn(
        &mut self,
        name: &str,
        (stamp, racy): (Stamp, bool),
        digest: &Digest,
        header: Option<&Header>,
    ) {
        let known = Known {
            stamp,
            racy,
            digest: digest.clone(),
            header: header.cloned(),
        };
        self.known.insert(name.to_owned(), known);
        self.changed = true;
    }
}

/// Reads a whole file of a session: a regular file of at most 64 MiB, never through a symbolic
/// link, and without waiting for a pipe. Sessions come from strangers.
///
/// # Errors
/// When it is not there, or none such.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    read_limited(path)
}

/// The same as text.
///
/// # Errors
/// As [`read_file`], and when it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read_limited(path)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Opens a file of a session, or beside sessions: a regular file, never through a symbolic link,
/// and without waiting for a pipe.
///
/// # Errors
/// When it is not there, or none such.
pub fn open_file(path: &Path) -> io::Result<File> {
    let file: File = refuse_links(OpenOptions::new().read(true)).open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        "not a regular file",
    ))
}

/// Reads a whole file of a session, of at most [`MAX_BYTES`], and never through a symbolic link.
pub(super) fn read_limited(path: &Path) -> io::Result<Vec<u8>> {
    let file = open_file(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::with_capacity(usize::try_from(length.min(MAX_BYTES)).unwrap_or(0));
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        let problem = format!(
            "larger than the {} MiB that a file of a session may have",
            MAX_BYTES >> 20
        );
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    Ok(bytes)
}
