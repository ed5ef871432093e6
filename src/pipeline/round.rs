//! Rounds: those that were sent back, and the best one.

use super::Digest;

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
    /// Its score, 0 to 1.
    pub score: f64,
}
