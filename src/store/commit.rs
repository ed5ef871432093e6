//! A commit: the files of a session at one moment, and who committed them.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::pipeline::{Digest, is_inside};

/// The version of this format.
const VERSION: u32 = 1;

/// The most files of a session, so that a commit of somebody else's store cannot fill a disk.
/// Chosen by hand: a session of the greatest depth has some hundred.
const MAX_FILES: usize = 100_000;

/// The files of a session at one moment. Its number is its place in the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Commit {
    version: u32,
    /// The random name of the writer, by which it knows its own commits.
    pub(super) writer: String,
    /// The writer as people know it: its process and host.
    pub(super) holder: String,
    /// The files by their names, relative to the session with `/` between their parts.
    pub(super) files: Files,
}

/// The files of a session by their names.
pub(super) type Files = BTreeMap<String, Blob>;

/// The bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Blob {
    pub(super) sha256: Digest,
    pub(super) bytes: u64,
}

impl Commit {
    pub(super) fn new(writer: &str, holder: &str, files: Files) -> Self {
        Self {
            version: VERSION,
            writer: writer.to_owned(),
            holder: holder.to_owned(),
            files,
        }
    }

    /// The same commit without the files that are not among these.
    pub(super) fn without_files_but(mut self, retained: &Files) -> Self {
        self.files.retain(|name, _| retained.contains_key(name));
        self
    }

    pub(super) fn to_bytes(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self).context("a commit cannot be written as JSON")
    }

    /// Reads a commit, which is somebody else's: its names must stay inside of the session.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self> {
        let commit: Self = serde_json::from_slice(bytes).context("it is no commit of a session")?;
        ensure!(
            commit.version == VERSION,
            "its format {} is not known to this version of the program",
            commit.version
        );
        ensure!(
            commit.files.len() <= MAX_FILES,
            "it names more than {MAX_FILES} files"
        );
        for (name, blob) in &commit.files {
            let digest = blob.sha256.as_str();
            let is_digest = digest.len() == 64 && digest.bytes().all(|b| b.is_ascii_hexdigit());
            ensure!(
                is_replicated(name) && is_digest,
                "{name:?} is not a file of a session"
            );
        }
        Ok(commit)
    }
}

/// `true` for a file that is replicated: one inside of the session, and none of those that belong
/// to a machine, such as the lock, whose names begin with a dot.
pub(super) fn is_replicated(name: &str) -> bool {
    is_inside(name) && !name.split('/').any(|part| part.starts_with('.'))
}

/// The folder of the texts that were read.
const SOURCES: &str = "sources/";

/// `true` for a file that no other one names yet: a text is read again if the machine is lost
/// before the step that it was read for is written. It is stored with that step, since each commit
/// takes two requests, one after the other.
pub(super) fn is_named_later(name: &str) -> bool {
    name.starts_with(SOURCES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(name: &str) -> Vec<u8> {
        let (sha256, bytes) = (Digest::of("x"), 1);
        let files = Files::from([(name.to_owned(), Blob { sha256, bytes })]);
        Commit::new("w", "h", files).to_bytes().unwrap()
    }

    #[test]
    fn commit_that_leads_out_of_the_session_is_refused() {
        assert!(Commit::parse(&commit("rounds/1/review.json")).is_ok());
        for name in ["../x", "/etc/passwd", "a/../../x", "", ".lock", "a/.x.tmp"] {
            assert!(Commit::parse(&commit(name)).is_err(), "{name}");
        }
        assert!(Commit::parse(b"{}").is_err());
    }
}
