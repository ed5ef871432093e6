//! The HTTP cache between runs: pages while they are fresh by RFC 9111, or after a revalidation;
//! replies of services as long as the caller allows; neither beyond a maximum age. Beyond a maximum
//! size, LRU eviction removes the least recently used files.
//!
//! One file for each address or request, named by its hash: a line of JSON, then the body; its
//! modification time is the time of its last use. A damaged or foreign file is a cache miss. API
//! keys of services are never stored, and the caller supplies the time.

use std::fs;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use http_cache_semantics::CachePolicy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::Url;
use walkdir::{DirEntry, WalkDir};

use super::request::ServiceRequest;
use super::response_body::ResponseBody;
use crate::pipeline::{Digest, Disk};

/// The version of the file format.
const VERSION: u32 = 2;

/// The longest first line that is read, in bytes.
const MAX_HEADER: u64 = 1 << 20;

/// The HTTP cache: a folder of responses.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    max_age: Duration,
    max_bytes: u64,
    /// The owner, whose entries nobody else is given; empty for the one user of a machine.
    owner: String,
    /// The size of the folder in bytes, as far as this process knows; `None` before its first
    /// write. Clones share it.
    size_on_disk: Arc<Mutex<Option<u64>>>,
}

/// A summary of a cache.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CacheContents {
    /// The folder.
    pub folder: PathBuf,
    /// The number of cached responses.
    pub answers: usize,
    /// The size of all of them in bytes.
    pub bytes: u64,
    /// The size beyond which LRU eviction begins, in bytes.
    pub max_bytes: u64,
    /// The time of last use of the least recently used response.
    pub oldest: Option<DateTime<Utc>>,
}

/// A file of the cache.
struct CacheFile {
    path: PathBuf,
    bytes: u64,
    last_used: SystemTime,
}

/// A cached response of a page, whose policy says whether it may be used without revalidation.
pub(super) struct CachedResponse {
    pub(super) policy: CachePolicy,
    pub(super) media_type: Option<String>,
    pub(super) body: ResponseBody,
    /// The time at which the server last sent it, or confirmed it.
    pub(super) confirmed_at: SystemTime,
}

/// The first line of a file.
#[derive(Serialize, Deserialize)]
struct Header {
    version: u32,
    /// The cache key: the address of a page, or the digest of a request to a service.
    // The names in the file are those of its first version, so that caches stay readable.
    #[serde(rename = "of")]
    key: String,
    /// Seconds since the Unix epoch.
    #[serde(rename = "kept_at")]
    stored_at: u64,
    media_type: Option<String>,
    bytes: u64,
    /// The digest of the body: two programs may write the same file at once.
    digest: Digest,
    /// The policy of a page by HTTP; `None` for the reply of a service.
    policy: Option<CachePolicy>,
}

impl Cache {
    /// The default maximum age: a week, after which even what never changes is fetched again.
    pub const MAX_AGE: Duration = Duration::from_secs(7 * 24 * 3600);

    /// The default maximum size: some ten thousand pages.
    pub const MAX_BYTES: u64 = 512 * 1024 * 1024;

    /// The cache in a folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>, max_age: Duration) -> Self {
        Self {
            folder: folder.into(),
            max_age,
            max_bytes: Self::MAX_BYTES,
            owner: String::new(),
            size_on_disk: Arc::default(),
        }
    }

    /// The same cache with another maximum size; zero stores nothing.
    #[must_use]
    pub fn with_max_bytes(self, max_bytes: u64) -> Self {
        Self { max_bytes, ..self }
    }

    /// The same cache for one owner, whose responses no other owner is given. The maximum size is
    /// that of all owners together.
    #[must_use]
    pub(super) fn of_owner(self, owner: &str) -> Self {
        let owner = owner.to_owned();
        Self { owner, ..self }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The cache key of the owner.
    fn owned(&self, key: &str) -> String {
        if self.owner.is_empty() {
            return key.to_owned();
        }
        format!("{} {key}", self.owner)
    }

    fn path(&self, key: &str) -> PathBuf {
        let key = self.owned(key);
        self.folder.join(format!("{}.answer", Digest::of(&key)))
    }

    /// The cached response for an address, if it is within the maximum age. Its policy says whether
    /// it is fresh or has to be revalidated.
    pub(super) fn page(
        &self,
        url: &Url,
        now: SystemTime,
        max_bytes: u64,
    ) -> Option<CachedResponse> {
        let (header, body) = self.read(url.as_str(), self.max_age, now, max_bytes)?;
        Some(CachedResponse {
            confirmed_at: SystemTime::UNIX_EPOCH + Duration::from_secs(header.stored_at),
            policy: header.policy?,
            media_type: header.media_type,
            body,
        })
    }

    /// Stores the response of a page. Write errors are ignored: the cache only saves work.
    pub(super) fn store_page(&self, url: &Url, response: &CachedResponse, now: SystemTime) {
        let (policy, media_type) = (response.policy.clone(), response.media_type.clone());
        self.store(url.as_str(), Some(policy), media_type, &response.body, now);
    }

    /// The cached reply of a service to a request, if it is not older than `max_age`.
    pub(super) fn reply(
        &self,
        request: &ServiceRequest,
        max_age: Duration,
        now: SystemTime,
        max_bytes: u64,
    ) -> Option<Vec<u8>> {
        let max_age = self.reply_age(max_age)?;
        let (_, body) = self.read(&reply_key(request), max_age, now, max_bytes)?;
        body.bytes().ok()
    }

    /// Stores the reply of a service, unless it repeats the key that it was asked with.
    pub(super) fn store_reply(
        &self,
        request: &ServiceRequest,
        max_age: Duration,
        reply: &[u8],
        now: SystemTime,
    ) {
        if self.reply_age(max_age).is_some() && !request.is_leaked_by(reply) {
            self.store(&reply_key(request), None, None, &reply.to_vec().into(), now);
        }
    }

    /// Removes the reply of a service that turned out not to be a valid reply.
    pub(super) fn remove_reply(&self, request: &ServiceRequest) {
        let _ = fs::remove_file(self.path(&reply_key(request)));
    }

    /// The maximum age of a reply; `None` if none is to be stored.
    fn reply_age(&self, max_age: Duration) -> Option<Duration> {
        Some(max_age.min(self.max_age)).filter(|age| !age.is_zero())
    }

    /// Reads a file; `None` is a cache miss.
    fn read(
        &self,
        key: &str,
        max_age: Duration,
        now: SystemTime,
        max_bytes: u64,
    ) -> Option<(Header, ResponseBody)> {
        let mut file = BufReader::new(fs::File::open(self.path(key)).ok()?);
        let mut line = Vec::new();
        file.by_ref()
            .take(MAX_HEADER)
            .read_until(b'\n', &mut line)
            .ok()?;
        let header: Header = serde_json::from_slice(&line).ok()?;
        let stored_at =
            SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(header.stored_at))?;
        // A file from the future, after the clock was set back, is not trusted either.
        let is_within_age = now
            .duration_since(stored_at)
            .is_ok_and(|age| age <= max_age);
        let is_known = header.version == VERSION && header.key == self.owned(key);
        if !is_known || !is_within_age || header.bytes > max_bytes {
            return None;
        }
        let body = ResponseBody::default();
        let rest = file.by_ref().take(header.bytes.saturating_add(1));
        body.push_all(rest).ok()?;
        // LRU eviction sorts by the modification time, which is the time of last use. Where it
        // cannot be set, the file is evicted earlier than it should be.
        let _ = file.get_ref().set_modified(now);
        let digest = body.read_with(|bytes| Digest::of_reader(bytes)).ok()?;
        (digest == header.digest).then_some((header, body))
    }

    fn store(
        &self,
        key: &str,
        policy: Option<CachePolicy>,
        media_type: Option<String>,
        body: &ResponseBody,
        now: SystemTime,
    ) {
        let since = now.duration_since(SystemTime::UNIX_EPOCH);
        let Ok(digest) = body.read_with(|bytes| Digest::of_reader(bytes)) else {
            return;
        };
        let header = Header {
            version: VERSION,
            key: self.owned(key),
            stored_at: since.map_or(0, |since| since.as_secs()),
            media_type,
            bytes: body.length(),
            digest,
            policy,
        };
        let Ok(mut line) = serde_json::to_vec(&header) else {
            return;
        };
        line.push(b'\n');
        self.write(&self.path(key), &line, body, now);
    }

    /// Writes a file, and evicts others where the cache has grown too large.
    fn write(&self, path: &Path, header: &[u8], body: &ResponseBody, now: SystemTime) {
        let size = header.len() as u64 + body.length();
        if size > self.max_bytes {
            return;
        }
        let mut size_on_disk = self
            .size_on_disk
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let disk = Disk::default();
        // From file to file: a page may have many megabytes.
        let write = |bytes: &mut dyn Read| {
            disk.create_cache(&self.folder)
                .and_then(|()| disk.write_cache(path, header.chain(bytes)))
                .map_err(io::Error::other)
        };
        if body.read_with(write).is_err() {
            return;
        }
        let _ = fs::File::open(path).and_then(|file| file.set_modified(now));
        // An estimate, which saves a listing of the folder for each write: a file that is replaced
        // counts twice, and one that another process writes not at all, until the next eviction.
        let estimate = size_on_disk.map_or_else(|| self.contents().bytes, |before| before + size);
        *size_on_disk = Some(if estimate > self.max_bytes {
            self.evict_lru(path)
        } else {
            estimate
        });
    }

    /// LRU eviction: removes the least recently used files, but not `newest`, until a quarter of
    /// the maximum size is free, so that this is rarely needed. Returns the size that is left.
    fn evict_lru(&self, newest: &Path) -> u64 {
        let mut files = self.files();
        let before: u64 = files.iter().map(|file| file.bytes).sum();
        let mut size = before;
        if size <= self.max_bytes {
            return size;
        }
        // Of files that were used at the same time, the order of names decides.
        files.sort_by(|one, other| (one.last_used, &one.path).cmp(&(other.last_used, &other.path)));
        for file in files.iter().filter(|file| file.path != newest) {
            if size <= self.max_bytes / 4 * 3 {
                break;
            }
            if fs::remove_file(&file.path).is_ok() {
                size -= file.bytes;
            }
        }
        tracing::debug!(before, size, "LRU eviction from the web cache");
        size
    }

    /// A summary of the cache.
    pub fn contents(&self) -> CacheContents {
        let files = self.files();
        let oldest = files.iter().map(|file| file.last_used).min();
        CacheContents {
            folder: self.folder.clone(),
            answers: files.len(),
            bytes: files.iter().map(|file| file.bytes).sum(),
            max_bytes: self.max_bytes,
            oldest: oldest.map(DateTime::from),
        }
    }

    /// Removes every cached response, and returns the summary from before. Other files in the
    /// folder are left alone.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn clear(&self) -> Result<CacheContents> {
        let contents = self.contents();
        for CacheFile { path, .. } in self.files() {
            match fs::remove_file(&path) {
                // Another process was first.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                removed => {
                    removed.with_context(|| format!("failed to remove {}", path.display()))?;
                }
            }
        }
        *self
            .size_on_disk
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = None;
        Ok(contents)
    }

    fn files(&self) -> Vec<CacheFile> {
        // In any order, since eviction sorts the files itself. Entries that cannot be read are
        // skipped: they cannot be cache hits either.
        WalkDir::new(&self.folder)
            .min_depth(1)
            .max_depth(1)
            .into_iter()
            .flatten()
            .filter_map(|entry| CacheFile::of(&entry))
            .collect()
    }
}

impl CacheFile {
    /// The file of an entry of the folder, if it is one of the cache.
    fn of(entry: &DirEntry) -> Option<Self> {
        let path = entry.path().to_owned();
        path.extension().filter(|end| *end == "answer")?;
        let metadata = entry.metadata().ok()?;
        Some(Self {
            path,
            bytes: metadata.len(),
            last_used: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
        })
    }
}

/// The cache key of the reply to a request.
fn reply_key(request: &ServiceRequest) -> String {
    format!("reply {}", request.digest())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn a_page_longer_than_memory_allows_comes_back_as_it_was_stored() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path(), Cache::MAX_AGE);
        let long: Vec<u8> = (0..3_000_000_u32)
            .map(|byte| byte.to_le_bytes()[0])
            .collect();
        cache.store("a", None, None, &long.clone().into(), moment(1));
        let read = || cache.read("a", Cache::MAX_AGE, moment(1), 10_000_000);
        assert_eq!(read().unwrap().1.bytes().unwrap(), long);
        let file = cache.path("a");
        let cut = fs::metadata(&file).unwrap().len() - 1;
        fs::OpenOptions::new()
            .write(true)
            .open(&file)
            .unwrap()
            .set_len(cut)
            .unwrap();
        assert!(read().is_none());
    }

    #[test]
    fn lru_eviction_removes_the_least_recently_used_responses() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path(), Cache::MAX_AGE).with_max_bytes(10_000);
        let store =
            |key: &str, at| cache.store(key, None, None, &vec![b'x'; 1000].into(), moment(at));
        let read = |key: &str, at| cache.read(key, Cache::MAX_AGE, moment(at), 10_000);
        for number in 0..8 {
            store(&number.to_string(), 100 + number);
        }
        assert_eq!(cache.contents().answers, 8);
        assert_eq!(cache.contents().oldest, Some(moment(100).into()));
        assert!(read("0", 200).is_some());
        store("8", 201);
        let there: Vec<bool> = (0..9)
            .map(|number| read(&number.to_string(), 202).is_some())
            .collect();
        let hits = there.iter().filter(|is_hit| **is_hit).count();
        assert!(
            there[0] && there[8] && !there[1] && !there[2] && hits >= 5,
            "{there:?}"
        );
        let contents = cache.contents();
        assert!(contents.bytes <= 7500, "{contents:?}");
        assert_eq!(*cache.size_on_disk.lock().unwrap(), Some(contents.bytes));
    }

    #[test]
    fn a_response_larger_than_the_cache_is_not_cached() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path(), Cache::MAX_AGE).with_max_bytes(1000);
        cache.store("a", None, None, &vec![b'x'; 1000].into(), moment(1));
        assert_eq!(cache.contents().answers, 0);
        // Beyond three quarters, but the newest file is never evicted.
        cache.store("b", None, None, &vec![b'x'; 600].into(), moment(1));
        cache.store("c", None, None, &vec![b'x'; 600].into(), moment(1));
        assert_eq!(cache.contents().answers, 1);
        assert!(cache.read("c", Cache::MAX_AGE, moment(1), 1000).is_some());
    }

    #[test]
    fn a_damaged_file_is_a_cache_miss() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path(), Cache::MAX_AGE);
        cache.store("a", None, None, &b"words".to_vec().into(), moment(1));
        let path = cache.path("a");
        let bytes = fs::read(&path).unwrap();
        let read = || cache.read("a", Cache::MAX_AGE, moment(1), 1000);
        assert!(read().is_some());
        for end in 0..bytes.len() {
            fs::write(&path, &bytes[..end]).unwrap();
            assert!(read().is_none(), "{end}");
        }
        let mut other = bytes.clone();
        *other.last_mut().unwrap() ^= 1;
        fs::write(&path, other).unwrap();
        assert!(read().is_none());
        let text = String::from_utf8(bytes).unwrap();
        let endless = text.replace("\"bytes\":5", "\"bytes\":18446744073709551615");
        fs::write(&path, endless).unwrap();
        assert!(
            cache
                .read("a", Cache::MAX_AGE, moment(1), u64::MAX)
                .is_some()
        );
    }
}
