//! Answers of servers kept between runs: pages as long as HTTP lets them be used, replies of services as long as whoever asks
//! wants, and neither beyond an age.
//!
//! One file for each address or request, named by its hash: a line of JSON, then the body. A file that does not say what it
//! should is no answer. Refuses to know what is asked for and with which key, and takes the time from whoever asks.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
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
}

/// A kept answer.
pub(super) struct Kept {
    pub(super) policy: CachePolicy,
    pub(super) media_type: Option<String>,
    pub(super) body: Vec<u8>,
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

    /// The cache in a folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>, max_age: Duration) -> Self {
        Self {
            folder: folder.into(),
            max_age,
        }
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, of: &str) -> PathBuf {
        self.folder.join(format!("{}.answer", Digest::of(of)))
    }

    /// The kept answer for an address, if it is young enough; whether it may be used unasked, its policy says.
    pub(super) fn find(&self, url: &Url, now: SystemTime, max_bytes: u64) -> Option<Kept> {
        let (head, body) = self.read(url.as_str(), self.max_age, now, max_bytes)?;
        Some(Kept {
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
        file.take(head.bytes + 1).read_to_end(&mut body).ok()?;
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
        let disk = Disk::default();
        let _ = disk
            .create_directory(&self.folder)
            .and_then(|()| disk.write_cache(&self.path(of), &bytes));
    }

    /// What it holds.
    pub fn contents(&self) -> Contents {
        let files = self.files();
        Contents {
            folder: self.folder.clone(),
            answers: files.len(),
            bytes: files.iter().map(|(_, bytes)| bytes).sum(),
        }
    }

    /// Removes every answer, and says what there was. Other files in the folder are left alone.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn clear(&self) -> Result<Contents> {
        let contents = self.contents();
        for (path, _) in self.files() {
            fs::remove_file(&path)
                .with_context(|| format!("failed to remove {}", path.display()))?;
        }
        Ok(contents)
    }

    fn files(&self) -> Vec<(PathBuf, u64)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let answers = entries.filter(|entry| {
            let name = entry.file_name();
            Path::new(&name)
                .extension()
                .is_some_and(|end| end == "answer")
        });
        answers
            .filter_map(|entry| Some((entry.path(), entry.metadata().ok()?.len())))
            .collect()
    }
}

/// What the reply to a request is kept under.
fn reply_of(asked: &Asked) -> String {
    format!("reply {}", asked.digest())
}
