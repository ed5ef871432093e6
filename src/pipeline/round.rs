//! Rounds: those that were sent back, the best one, and the record of the published one.

use serde::{Deserialize, Serialize};

use super::{Digest, Version};

/// A round that was sent back.
#[derive(Debug, Clone, PartialEq)]
pub struct PastRound {
    /// Its number, from 1.
    pub number: u32,
    /// The stage that it was sent back to.
    pub from: String,
    /// Its score, 0 to 1.
    pub score: f64,
    /// The file with the decision and the notes, relative to the session.
    pub decision: String,
    /// The digest of that file.
    pub digest: Digest,
}

/// The round whose work is published.
#[derive(Debug, Clone, PartialEq)]
pub struct BestRound {
    /// Its number, from 1.
    pub round: u32,
    /// The directory of its files, relative to the session: empty for the current round, else
    /// `rounds/N/`.
    pub directory: String,
    /// The digest of the file that decided on it.
    pub decision: Digest,
    /// `true` if no round reached the threshold.
    pub below_threshold: bool,
}

impl BestRound {
    /// The record that is written when this round is published.
    pub(super) fn published(&self) -> Published {
        Published {
            version: Version,
            round: self.round,
            below_threshold: self.below_threshold,
            decision: self.decision.clone(),
        }
    }
}

/// The record of a publication (`published.json`): once it no longer describes the best round, the
/// publication is made again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
}

impl Published {
    /// Its file in the session.
    pub(super) const NAME: &str = "published.json";
}
