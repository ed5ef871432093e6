//! A cache of digests and headers (`.stamps.json`), keyed by each file's stamp, so that a finished
//! session is recognized without reading its files again.
//!
//! The cache only saves time: without it, the same actions are taken. As in git's index, a file
//! that changed within [`RACY`](super::stamp::RACY) of the time at which its digest was computed is
//! a cache miss next time, since a further change might not alter its times.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::session_files::read_file;
use super::{Digest, Disk, Header, Stamp};

/// The name of the cache's file in a session.
const NAME: &str = ".stamps.json";

/// The beginning of the names of files outside of a session: no file of a session has such a name.
const OUTSIDE: &str = "../";

/// The version of this program. A cache of another version is discarded, since its headers were
/// parsed by other code.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// A cached digest, and the header if the file is a gate.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct CachedFile {
    stamp: Stamp,
    digest: Digest,
    header: Option<Header>,
    /// `true` if the file had changed so recently that a further change might not alter its stamp.
    #[serde(skip)]
    is_racy: bool,
}

impl CachedFile {
    fn is_hit(&self, stamp: &Stamp) -> bool {
        self.stamp == *stamp && !self.is_racy
    }
}

/// The cache's file.
#[derive(Serialize, Deserialize)]
struct CacheFile {
    program: String,
    files: BTreeMap<String, CachedFile>,
}

/// The files of a cache; none if it is missing, broken, or of another program version.
fn cached_files(path: &Path) -> BTreeMap<String, CachedFile> {
    read_file(path)
        .ok()
        .and_then(|bytes| serde_json::from_slice::<CacheFile>(&bytes).ok())
        .filter(|cache| cache.program == PROGRAM)
        .map(|cache| cache.files)
        .unwrap_or_default()
}

fn write(cache: &CacheFile, path: &Path, disk: &Disk) {
    if let Ok(bytes) = serde_json::to_vec(cache) {
        // If the cache cannot be written, the next run takes longer, nothing else.
        let _ = disk.write_cache(path, bytes.as_slice());
    }
}

/// The digests of files outside of the sessions, shared by all sessions of a process, so that what
/// many of them read is hashed once.
#[derive(Debug, Clone, Default)]
pub struct ExternalDigests(Arc<Mutex<HashMap<PathBuf, (Stamp, Digest)>>>);

impl ExternalDigests {
    /// The digest of the file at `path`, which has this stamp.
    fn digest(&self, path: &Path, stamp: &Stamp) -> io::Result<Digest> {
        let mut digests = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, digest)) = digests.get(path).filter(|(known, _)| known == stamp) {
            return Ok(digest.clone());
        }
        let digest = Digest::of_file(path)?;
        if !stamp.is_racy() {
            digests.insert(path.to_owned(), (stamp.clone(), digest.clone()));
        }
        Ok(digest)
    }
}

/// The cached digests and headers of the files of one session, and of those outside of it.
#[derive(Debug, Default)]
pub struct DigestCache {
    root: PathBuf,
    files: BTreeMap<String, CachedFile>,
    shared: ExternalDigests,
    /// The file that keeps the digests of files outside of the session for other sessions.
    shared_file: Option<PathBuf>,
    is_changed: bool,
    /// `true` if a file outside of the session was hashed.
    has_hashed_outside: bool,
}

impl DigestCache {
    /// Loads the cache of `session`; empty if it is missing, broken, or of another program version.
    pub fn load(session: &Path) -> Self {
        Self {
            root: session.to_owned(),
            files: cached_files(&session.join(NAME)),
            shared: ExternalDigests::default(),
            shared_file: None,
            is_changed: false,
            has_hashed_outside: false,
        }
    }

    /// This cache, with the digests of files outside of the session that earlier sessions wrote to
    /// this file, and which keeps its own there.
    pub(super) fn with_shared_file(mut self, shared_file: Option<PathBuf>) -> Self {
        let is_outside = |name: &String| name.starts_with(OUTSIDE);
        if let Some(path) = shared_file
            .as_ref()
            .filter(|_| !self.files.keys().any(is_outside))
        {
            let mut files = cached_files(path);
            files.retain(|name, _| is_outside(name));
            self.files.append(&mut files);
        }
        Self {
            shared_file,
            ..self
        }
    }

    /// This cache, which shares the digests of files outside of its session with others.
    pub(super) fn sharing(self, shared: &ExternalDigests) -> Self {
        Self {
            shared: shared.clone(),
            ..self
        }
    }

    /// The digest of a file outside of the session, which has this name in its manifest.
    ///
    /// # Errors
    /// When it does not exist, or cannot be read.
    pub(super) fn external(&mut self, name: &str, path: &Path) -> io::Result<Digest> {
        let name = format!("{OUTSIDE}{name}");
        let stamp = Stamp::of_file(path)?;
        if let Some(cached) = self.files.get(&name).filter(|cached| cached.is_hit(&stamp)) {
            return Ok(cached.digest.clone());
        }
        let is_racy = stamp.is_racy();
        let digest = self.shared.digest(path, &stamp)?;
        self.insert(&name, (stamp, is_racy), &digest, None);
        self.has_hashed_outside = true;
        Ok(digest)
    }

    /// Writes the cache if it has changed. Racy entries are left out, so that the digests of their
    /// files are computed again.
    pub fn save(&mut self, disk: &Disk) {
        if !self.is_changed {
            return;
        }
        self.files.retain(|_, file| !file.is_racy);
        let cache = CacheFile {
            program: PROGRAM.to_owned(),
            files: std::mem::take(&mut self.files),
        };
        write(&cache, &self.root.join(NAME), disk);
        self.files = cache.files;
        self.is_changed = false;
        if let Some(path) = self
            .shared_file
            .as_ref()
            .filter(|_| self.has_hashed_outside)
        {
            let outside = self.files.iter();
            let outside = outside.filter(|(name, _)| name.starts_with(OUTSIDE));
            let cache = CacheFile {
                program: PROGRAM.to_owned(),
                files: outside
                    .map(|(name, file)| (name.clone(), file.clone()))
                    .collect(),
            };
            write(&cache, path, disk);
            self.has_hashed_outside = false;
        }
    }

    /// The digest of a file of the session; `None` if there is no such file.
    ///
    /// # Errors
    /// When the file exists but cannot be read.
    pub fn digest(&mut self, name: &str) -> io::Result<Option<Digest>> {
        let Some(stamp) = self.stamp(name)? else {
            return Ok(None);
        };
        if let Some(file) = self.files.get(name).filter(|file| file.is_hit(&stamp)) {
            return Ok(Some(file.digest.clone()));
        }
        // The stamp was taken before the bytes are read: a write in between leaves an old stamp,
        // which is a miss next time.
        let is_racy = stamp.is_racy();
        let digest = Digest::of(read_file(&self.root.join(name))?);
        self.insert(name, (stamp, is_racy), &digest, None);
        Ok(Some(digest))
    }

    /// The header of a gate, parsed by `check` on a cache miss; `None` if there is no such file.
    ///
    /// # Errors
    /// When the file exists but cannot be read; the error of `check` is the inner result.
    pub fn header<E>(
        &mut self,
        name: &str,
        check: impl FnOnce(&[u8]) -> Result<Header, E>,
    ) -> io::Result<Option<Result<Header, E>>> {
        let Some(stamp) = self.stamp(name)? else {
            return Ok(None);
        };
        let hit = self.files.get(name).filter(|file| file.is_hit(&stamp));
        if let Some(header) = hit.and_then(|file| file.header.clone()) {
            return Ok(Some(Ok(header)));
        }
        let is_racy = stamp.is_racy();
        let bytes = read_file(&self.root.join(name))?;
        // Header and digest come from the same bytes, so they cannot disagree.
        let header = check(&bytes);
        let digest = Digest::of(&bytes);
        self.insert(name, (stamp, is_racy), &digest, header.as_ref().ok());
        Ok(Some(header))
    }

    fn stamp(&self, name: &str) -> io::Result<Option<Stamp>> {
        // A link is not followed: `read_file` refuses links, so its target must not look unchanged.
        match fs::symlink_metadata(self.root.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            metadata => Ok(Some(Stamp::from(&metadata?))),
        }
    }

    fn insert(
        &mut self,
        name: &str,
        (stamp, is_racy): (Stamp, bool),
        digest: &Digest,
        header: Option<&Header>,
    ) {
        let file = CachedFile {
            stamp,
            is_racy,
            digest: digest.clone(),
            header: header.cloned(),
        };
        self.files.insert(name.to_owned(), file);
        self.is_changed = true;
    }
}
