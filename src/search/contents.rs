//! The contents of documents that are cached in memory.

use std::sync::Arc;

use foldhash::HashMap;

use super::query::passages::Content;

/// Texts that are cached in memory, in bytes. A text that does not fit empties the cache.
const CACHED_BYTES: usize = 32 << 20;

/// The bytes of a text that each of its blocks counts for, at least: about what its terms take.
const BLOCK_BYTES: usize = 256;

/// The contents that are cached, by the number of the document, and the bytes that they count for.
#[derive(Default)]
pub(super) struct Contents {
    cache: HashMap<usize, Arc<Content>>,
    bytes: usize,
}

impl Contents {
    /// The content of a document, if it is cached.
    pub(super) fn get(&self, document: usize) -> Option<Arc<Content>> {
        self.cache.get(&document).cloned()
    }

    /// Caches the content of a document.
    pub(super) fn insert(&mut self, document: usize, content: Arc<Content>) {
        let bytes = content.text.len().max(content.blocks.len() * BLOCK_BYTES);
        if self.bytes + bytes > CACHED_BYTES {
            *self = Self::default();
        }
        self.bytes += bytes;
        self.cache.insert(document, content);
    }
}
