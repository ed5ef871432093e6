//! Answers of servers kept between runs: pages as long as HTTP lets them be used, replies of
//! services as long as whoever asks wants, and neither beyond an age. When they are too many, those
//! go that were not used for longest.
//!
//! One file for each address or request, named by its hash: a line of JSON, then the body; its time
//! of change is that of its last use. A file that does not say what it should is no answer. Refuses
//! to know what is asked for and with which key, and takes the time from whoever asks.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use http_cache_semantics::CachePolicy;
use serde::{Deserialize, Serialize};
use url::Url;

use super::Asked;
use crate::pipeline::{Digest, Disk};

/// The version of the files here.
const VERSION: u32 = 2;

/// The longest first line that is believed.
const MAX_HEAD: u64 = 1 << 20;

/// A folder of answers.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    max_age: Duration,
    max_bytes: u64,
    /// The bytes in the folder, as far as this process knows; nothing before it first writes.
    /// Clones share it.
    held: Arc<Mutex<Option<u64>>>,
}

/// What a cache holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contents {
    /// Where it is.
    pub folder: PathBuf,
    /// Answers.
    pub answers: usize,
    /// Bytes of all of them.
    pub bytes: u64,
    /// The bytes beyond which those go that were not used for longest.
    pub max_bytes: u64,
    /// When the one was last used that was not used for longest.
    pub oldest: Option<DateTime<Utc>>,
}

/// A file of the cache.
struct Answer {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

/// A kept answer.
pub(super) struct Kept {
    pub(super) policy: CachePolicy,
    pub(super) media_type: Option<String>,
    pub(super) body: Vec<u8>,
    /// When the server last gave it, or said that it is still good.
    pub(super) given_at: SystemTime,
}

/// What stands in the first line of a file.
#[derive(Serialize, Deserialize)]
struct Head {
    version: u32,
    /// The address of a page, or what a request to a service is recognised by.
    of: String,
    kept_at: u64,
    media_type: Option<String>,
    bytes: u64,
    /// The digest of the body: two programs may write the same file at once.
    digest: Digest,
    /// What HTTP says of a page; nothing for the reply of a service.
    policy: Option<CachePolicy>,
}

impl Cache {
    /// The default age limit: a week, after which even what never changes is asked for again.
    pub const MAX_AGE: Duration = Duration::from_secs(7 * 24 * 3600);

    /// The default size limit: some ten thousand pages.
    pub const MAX_BYTES: u64 = 512 * 1024 * 1024;

    /// The cache in a folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>, max_age: Duration) -> Self {
        Self {
            folder: folder.into(),
            max_age,
            max_bytes: Self::MAX_BYTES,
            held: Arc::default(),
        }
    }

    /// The same with another size limit; zero keeps nothing.
    #[must_use]
    pub fn at_most(self, max_bytes: u64) -> Self {
        Self { max_bytes, ..self }
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, of: &str) -> PathBuf {
        self.folder.join(format!("{}.answer", Digest::of(of)))
    }

    /// The kept answer for an address, if it is young enough; whether it may be used unasked, its
    /// policy says.
    pub(super) fn find(&self, url: &Url, now: SystemTime, max_bytes: u64) -> Option<Kept> {
        let (head, body) = self.read(url.as_str(), self.max_age, now, max_bytes)?;
        Some(Kept {
            given_at: SystemTime::UNIX_EPOCH + Duration::from_secs(head.kept_at),
            policy: head.policy?,
            media_type: head.media_type,
            body,
        })
    }

    /// Keeps an answer. A cache that cannot be written is none, and stops nothing.
    pub(super) fn keep(&self, url: &Url, kept: &Kept, now: SystemTime) {
        let (policy, media_type) = (Some(kept.policy.clone()), kept.media_type.clone());
        self.write(url.as_str(), policy, media_type, &kept.body, now);
    }

    /// The kept reply of a service to a request, if it is not older than `age`.
    pub(super) fn find_reply(
        &self,
        asked: &Asked,
        age: Duration,
        now: SystemTime,
        max_bytes: u64,
    ) -> Option<Vec<u8>> {
        let age = self.reply_age(age)?;
        let found = self.read(&reply_of(asked), age, now, max_bytes);
        found.map(|(_, body)| body)
    }

    /// Keeps the reply of a service, unless it repeats the key that it was asked with.
    pub(super) fn keep_reply(&self, asked: &Asked, age: Duration, reply: &[u8], now: SystemTime) {
        if self.reply_age(age).is_some() && !asked.is_told_by(reply) {
            self.write(&reply_of(asked), None, None, reply, now);
        }
    }

    /// Drops the reply of a service that turned out to be none.
    pub(super) fn forget_reply(&self, asked: &Asked) {
        let _ = fs::remove_file(self.path(&reply_of(asked)));
    }

    /// The age that a reply may have; nothing if none is to be kept.
    fn reply_age(&self, age: Duration) -> Option<Duration> {
        Some(age.min(self.max_age)).filter(|age| !age.is_zero())
    }

    fn read(
        &self,
        of: &str,
        max_age: Duration,
        now: SystemTime,
        max_bytes: u64,
    ) -> Option<(Head, Vec<u8>)> {
        let mut file = BufReader::new(fs::File::open(self.path(of)).ok()?);
        let mut line = Vec::new();
        file.by_ref()
            .take(MAX_HEAD)
            .read_until(b'\n', &mut line)
            .ok()?;
        let head: Head = serde_json::from_slice(&line).ok()?;
        let kept_at = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(head.kept_at))?;
        // What was kept in the future is as doubtful as what is too old.
        let young = now.duration_since(kept_at).is_ok_and(|age| age <= max_age);
        if head.version != VERSION || head.of != of || !young || head.bytes > max_bytes {
            return None;
        }
        let mut body = Vec::new();
        let mut rest = file.by_ref().take(head.bytes.saturating_add(1));
        rest.read_to_end(&mut body).ok()?;
        // Where the time of use cannot be noted, the answer counts as old.
        let _ = file.get_ref().set_modified(now);
        (Digest::of(&body) == head.digest).then_some((head, body))
    }

    fn write(
        &self,
        of: &str,
        policy: Option<CachePolicy>,
        media_type: Option<String>,
        body: &[u8],
        now: SystemTime,
    ) {
        let since = now.duration_since(SystemTime::UNIX_EPOCH);
        let head = Head {
            version: VERSION,
            of: of.to_owned(),
            kept_at: since.map_or(0, |since| since.as_secs()),
            media_type,
            bytes: body.len() as u64,
            digest: Digest::of(body),
            policy,
        };
        let Ok(mut bytes) = serde_json::to_vec(&head) else {
            return;
        };
        bytes.push(b'\n');
        bytes.extend_from_slice(body);
        self.place(&self.path(of), &bytes, now);
    }

    /// Writes a file, and makes room where there is too little.
    fn place(&self, path: &Path, bytes: &[u8], now: SystemTime) {
        let size = bytes.len() as u64;
        if size > self.max_bytes {
            return;
        }
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let disk = Disk::default();
        let written = disk
            .create_cache(&self.folder)
            .and_then(|()| disk.write_cache(path, bytes));
        if written.is_err() {
            return;
        }
        let _ = fs::File::open(path).and_then(|file| file.set_modified(now));
        // What is written anew counts twice, and what others write not at all, until the folder is
        // looked at again.
        let all = held.map_or_else(|| self.contents().bytes, |before| before + size);
        *held = Some(match all > self.max_bytes {
            true => self.shrink(path),
            false => all,
        });
    }

    /// Removes what was not used for longest, but not `newest`, until a quarter of the limit is
    /// free, so that this is rarely needed. Says how much is left.
    fn shrink(&self, newest: &Path) -> u64 {
        let mut answers = self.answers();
        let mut left = answers.iter().map(|answer| answer.bytes).sum();
        if left <= self.max_bytes {
            return left;
        }
        answers.sort_by(|one, other| (one.used, &one.path).cmp(&(other.used, &other.path)));
        for answer in answers.iter().filter(|answer| answer.path != newest) {
            if left <= self.max_bytes / 4 * 3 {
                break;
            }
            if fs::remove_file(&answer.path).is_ok() {
                left -= answer.bytes;
            }
        }
        left
    }

    /// What it holds.
    pub fn contents(&self) -> Contents {
        let answers = self.answers();
        let oldest = answers.iter().map(|answer| answer.used).min();
        Contents {
            folder: self.folder.clone(),
            answers: answers.len(),
            bytes: answers.iter().map(|answer| answer.bytes).sum(),
            max_bytes: self.max_bytes,
            oldest: oldest.map(DateTime::from),
        }
    }

    /// Removes every answer, and says what there was. Other files in the folder are left alone.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn clear(&self) -> Result<Contents> {
        let contents = self.contents();
        for Answer { path, .. } in self.answers() {
            match fs::remove_file(&path) {
                // Somebody else was first.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                removed => {
                    removed.with_context(|| format!("failed to remove {}", path.display()))?;
                }
            }
        }
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(contents)
    }

    fn answers(&self) -> Vec<Answer> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let answer = |entry: fs::DirEntry| {
            let path = entry.path();
            path.extension().filter(|end| *end == "answer")?;
            let metadata = entry.metadata().ok()?;
            Some(Answer {
                path,
                bytes: metadata.len(),
                used: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            })
        };
        entries.filter_map(answer).collect()
    }
}

/// What the reply to a request is kept under.
fn reply_of(asked: &Asked) -> String {
    format!("reply {}", asked.digest())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path(), Cache::MAX_AGE).at_most(10_000);
        let write = |of: &str, at| cache.write(of, None, None, &[b'x'; 1000], moment(at));
        let read = |of: &str, at| cache.read(of, Cache::MAX_AGE, moment(at), 10_000);
        for number in 0..8 {
            write(&number.to_string(), 100 + number);
        }
        assert_eq!(cache.contents().answers, 8);
        assert_eq!(cache.contents().oldest, Some(moment(100).into()));
        assert!(read("0", 200).is_some());
        write("8", 201);
        let there: Vec<bool> = (0..9)
            .map(|number| read(&number.to_string(), 202).is_some())
            .collect();
        let kept = there.iter().filter(|kept| **kept).count() as u64;
        assert!(
            there[0] && there[8] && !there[1] && !there[2] && kept >= 5,
            "{there:?}"
        );
        let contents = cache.contents();
        assert!(contents.bytes <= 7500, "{contents:?}");
        assert_eq!(*cache.held.lock().unwrap(), Some(contents.bytes));
    }

    #[test]
    fn what_is_larger_than_the_cache_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path(), Cache::MAX_AGE).at_most(1000);
        cache.write("a", None, None, &[b'x'; 1000], moment(1));
        assert_eq!(cache.contents().answers, 0);
        // Beyond three quarters, but what was asked for last is never what goes.
        cache.write("b", None, None, &[b'x'; 600], moment(1));
        cache.write("c", None, None, &[b'x'; 600], moment(1));
        assert_eq!(cache.contents().answers, 1);
        assert!(cache.read("c", Cache::MAX_AGE, moment(1), 1000).is_some());
    }

    #[test]
    fn a_damaged_file_is_no_answer() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path(), Cache::MAX_AGE);
        cache.write("a", None, None, b"words", moment(1));
        let path = cache.path("a");
        let whole = fs::read(&path).unwrap();
        let read = || cache.read("a", Cache::MAX_AGE, moment(1), 1000);
        assert!(read().is_some());
        for end in 0..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            assert!(read().is_none(), "{end}");
        }
        let mut other = whole.clone();
        *other.last_mut().unwrap() ^= 1;
        fs::write(&path, other).unwrap();
        assert!(read().is_none());
        let text = String::from_utf8(whole).unwrap();
        let endless = text.replace("\"bytes\":5", "\"bytes\":18446744073709551615");
        fs::write(&path, endless).unwrap();
        assert!(
            cache
                .read("a", Cache::MAX_AGE, moment(1), u64::MAX)
                .is_some()
        );
    }
}
