//! The idempotency keys of the latest requests, so that a key is not used for two questions. That a
//! question is not asked twice needs no memory: its session is named after it.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crate::pipeline::Digest;

/// The number of keys that are remembered (chosen by hand: those of a day's work).
const CAPACITY: usize = 1000;

/// The latest keys with the digests of their requests, oldest first.
#[derive(Default)]
pub(super) struct IdempotencyKeys(Mutex<VecDeque<(Vec<u8>, Digest)>>);

impl IdempotencyKeys {
    /// The digest of the request with this key, if there was one.
    pub(super) fn body_of(&self, key: &[u8]) -> Option<Digest> {
        let keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = keys.iter().find(|(own, _)| own == key);
        known.map(|(_, body)| body.clone())
    }

    /// Remembers the request with a key.
    pub(super) fn remember(&self, key: Vec<u8>, body: Digest) {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.retain(|(own, _)| *own != key);
        keys.push_back((key, body));
        if keys.len() > CAPACITY {
            keys.pop_front();
        }
    }
}
