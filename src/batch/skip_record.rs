//! A record of the skip cache: 128 bytes, integers in little-endian order.
//!
//! | bytes | field | |
//! |---|---|---|
//! | 0–7 | checksum | over bytes 8–127, seeded with the version of this layout |
//! | 8–23 | key | the hash of the topic, truncated to 128 bits |
//! | 24–31 | configuration | a hash of the settings and the program's version |
//! | 32–39 | fingerprint | of the session's files: [`crate::pipeline::Fingerprint`] |
//! | 40–47 | score | of the published round; NaN for none |
//! | 48–49 | rounds | the number of rounds that were sent back |
//! | 50 | outcome | its index in [`CACHEABLE`] |
//! | 51 | length of the name | in bytes |
//! | 52–127 | name | of the session; zeros after its end |

use std::fmt;
use std::ops::Range;

use super::outcome::Outcome;
use crate::pipeline::{Digest, hash_mix};
use crate::session::SessionKey;

/// The size of a record, in bytes.
pub(super) const RECORD_BYTES: usize = 128;

const CHECKSUM: Range<usize> = 0..8;
const KEY: Range<usize> = 8..24;
const CONFIGURATION: Range<usize> = 24..32;
const FINGERPRINT: Range<usize> = 32..40;
const SCORE: Range<usize> = 40..48;
const ROUNDS: Range<usize> = 48..50;
const OUTCOME: usize = 50;
const NAME_LENGTH: usize = 51;
const NAME: Range<usize> = 52..RECORD_BYTES;

/// The version of the layout, which seeds the checksums: records of another version count as
/// damaged, and are written anew.
const LAYOUT_VERSION: u64 = 3;

/// The outcomes that are cached, by the numbers under which they are stored.
const CACHEABLE: [Outcome; 4] = [
    Outcome::Complete,
    Outcome::BelowThreshold,
    Outcome::NoEvidence,
    Outcome::NotAnswered,
];

/// The hash of a topic, truncated to 128 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TopicKey(u128);

impl fmt::Display for TopicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", self.0)
    }
}

impl TopicKey {
    /// The key of a topic. In a session of another name, the same topic has a different one.
    pub(super) fn new(session: &SessionKey, name: Option<&str>) -> Self {
        let hash = session.hash();
        match name {
            Some(name) => Self::of(&Digest::of(format!("{hash} {name}"))),
            None => Self::of(&hash),
        }
    }

    /// The first 128 bits of a digest.
    pub(super) fn of(digest: &Digest) -> Self {
        Self(u128::from_str_radix(&digest.as_str()[..32], 16).unwrap_or(0))
    }

    /// The low 64 bits, which distinguish the topics of a list. By the birthday bound, a million
    /// topics collide with a probability of 3 in 10⁸.
    pub(super) fn low_bits(self) -> u64 {
        self.0 as u64
    }

    /// The high 32 bits, by which the index is sorted.
    pub(super) fn prefix(self) -> u32 {
        (self.0 >> 96) as u32
    }
}

/// A finished session, as the skip cache records it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SkipRecord {
    /// The topic.
    pub(super) key: TopicKey,
    /// The hash of the settings and the program's version by which it was planned.
    pub(super) configuration: u64,
    /// The fingerprint of the session's files.
    pub(super) fingerprint: u64,
    /// The score of the published round.
    pub(super) score: Option<f64>,
    /// The number of rounds that were sent back.
    pub(super) rounds: u16,
    /// The outcome.
    pub(super) outcome: Outcome,
    /// The name of the session.
    pub(super) id: String,
}

impl SkipRecord {
    /// The bytes of the record; `None` if its outcome is not cached or its name is too long.
    pub(super) fn encode(&self) -> Option<[u8; RECORD_BYTES]> {
        let outcome = CACHEABLE
            .iter()
            .position(|outcome| *outcome == self.outcome)?;
        let name = self.id.as_bytes();
        let mut bytes = [0; RECORD_BYTES];
        bytes[NAME].get_mut(..name.len())?.copy_from_slice(name);
        bytes[KEY].copy_from_slice(&self.key.0.to_le_bytes());
        bytes[CONFIGURATION].copy_from_slice(&self.configuration.to_le_bytes());
        bytes[FINGERPRINT].copy_from_slice(&self.fingerprint.to_le_bytes());
        bytes[SCORE].copy_from_slice(&self.score.unwrap_or(f64::NAN).to_le_bytes());
        bytes[ROUNDS].copy_from_slice(&self.rounds.to_le_bytes());
        bytes[OUTCOME] = u8::try_from(outcome).ok()?;
        bytes[NAME_LENGTH] = u8::try_from(name.len()).ok()?;
        let checksum = checksum(&bytes);
        bytes[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        Some(bytes)
    }

    /// The record in these bytes; `None` if they are damaged.
    pub(super) fn decode(bytes: &[u8; RECORD_BYTES]) -> Option<Self> {
        if u64_at(bytes, CHECKSUM)? != checksum(bytes) {
            return None;
        }
        let name = bytes[NAME].get(..usize::from(bytes[NAME_LENGTH]))?;
        let id = std::str::from_utf8(name).ok()?;
        // The file may come from an untrusted source, and a checksum is no signature: the name must
        // be a single path component, to prevent path traversal.
        if id.is_empty() || id.starts_with('.') || id.contains(['/', '\0']) {
            return None;
        }
        Some(Self {
            key: key_of(bytes),
            configuration: u64_at(bytes, CONFIGURATION)?,
            fingerprint: u64_at(bytes, FINGERPRINT)?,
            score: Some(f64::from_bits(u64_at(bytes, SCORE)?)).filter(|score| score.is_finite()),
            rounds: u16::from_le_bytes(bytes[ROUNDS].try_into().ok()?),
            outcome: *CACHEABLE.get(usize::from(bytes[OUTCOME]))?,
            id: id.to_owned(),
        })
    }
}

/// The key in the bytes of a record, which may be damaged.
pub(super) fn key_of(bytes: &[u8; RECORD_BYTES]) -> TopicKey {
    let mut key = [0; KEY.end - KEY.start];
    key.copy_from_slice(&bytes[KEY]);
    TopicKey(u128::from_le_bytes(key))
}

fn u64_at(bytes: &[u8; RECORD_BYTES], range: Range<usize>) -> Option<u64> {
    Some(u64::from_le_bytes(bytes[range].try_into().ok()?))
}

/// The checksum of a record: a fold of its words after the checksum, against torn writes and bit
/// rot, not against forgery.
fn checksum(bytes: &[u8; RECORD_BYTES]) -> u64 {
    let (words, _) = bytes[CHECKSUM.end..].as_chunks::<8>();
    words
        .iter()
        .map(|word| u64::from_le_bytes(*word))
        .fold(LAYOUT_VERSION, hash_mix)
}
