//! The publication of a session and its record (`published.json`): which round is published, what
//! came of it, and what was written for people to read.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::session_files::read_file_with_stamp;
use super::{BestRound, Digest, Stamp, Version};

/// A publication, before it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publication {
    /// The bytes of its file.
    pub bytes: Vec<u8>,
    /// The kind of result, for lists of sessions.
    pub outcome: String,
    /// `true` if a claim was changed by hand since it was checked.
    pub altered: bool,
}

/// The record of a publication: once it no longer describes the best round, the publication is made
/// again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The version of the file format.
    pub version: Version<1>,
    /// The round.
    pub round: u32,
    /// `true` if no round reached the threshold.
    pub below_threshold: bool,
    /// The digest of the file that decided on that round.
    pub decision: Digest,
    /// Its score, 0 to 1. It and the fields below are missing in records of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The kind of result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// `true` if a claim was changed by hand since it was checked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub altered: bool,
    /// The digests of the files for people to read as they were written: another one is an edit.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub renderings: BTreeMap<String, Digest>,
}

impl Published {
    /// Its file in the session.
    pub const FILE: &str = "published.json";

    /// The record of a publication of this round.
    pub(super) fn new(best: &BestRound, publication: &Publication) -> Self {
        Self {
            version: Version,
            round: best.round,
            below_threshold: best.below_threshold,
            decision: best.decision.clone(),
            score: Some(best.score),
            outcome: Some(publication.outcome.clone()),
            altered: publication.altered,
            renderings: BTreeMap::new(),
        }
    }

    /// The record of the session at `session`; `None` if there is none, or it cannot be read.
    pub fn read(session: &Path) -> Option<Self> {
        Self::read_with_stamp(session).map(|(published, _)| published)
    }

    /// The record of the session at `session` with the stamp of its file; `None` if there is none,
    /// or it cannot be read.
    pub fn read_with_stamp(session: &Path) -> Option<(Self, Stamp)> {
        let (bytes, stamp) = read_file_with_stamp(&session.join(Self::FILE)).ok()?;
        Some((serde_json::from_slice(&bytes).ok()?, stamp))
    }

    /// `true` if it is the record of this round.
    pub(super) fn describes(&self, best: &BestRound) -> bool {
        self.round == best.round
            && self.below_threshold == best.below_threshold
            && self.decision == best.decision
    }

    /// `true` if none of `files` has changed since a record with this stamp was written, by their
    /// times: much faster than a plan, and as reliable as make. A tree that was copied looks
    /// changed.
    pub fn is_newer_than(stamp: &Stamp, session: &Path, files: &[&str]) -> bool {
        let mut path = session.join(Self::FILE);
        files.iter().all(|name| {
            // One path for all: lists do this for every session.
            path.set_file_name(name);
            Stamp::of_file(&path).is_ok_and(|file| !file.is_after(stamp))
        })
    }
}
