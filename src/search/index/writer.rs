//! Writing documents into tantivy's index.
//!
//! A small index, or one in memory, is a single segment, which the threads that analyse write
//! themselves: the threads, the large tables and the fsyncs of tantivy's [`IndexWriter`] cost more
//! than a few documents.

use std::sync::{Mutex, PoisonError};

use tantivy::directory::{Directory, RamDirectory};
use tantivy::indexer::{LogMergePolicy, UserOperation};
use tantivy::store::Compressor;
use tantivy::tokenizer::TokenizerManager;
use tantivy::{Index, IndexBuilder, IndexSettings, IndexWriter, SingleSegmentIndexWriter};
use tantivy::{TantivyDocument, Term};

use super::schema;

/// The memory of the writer of a small index, in bytes. A segment is written when it is used up.
const SINGLE_WRITER_BYTES: usize = 1_000_000;

/// The least memory of the writer of a large index, in bytes.
const MIN_WRITER_BYTES: usize = 15_000_000;

/// The most memory of the writer of a large index, in bytes. With more, fewer segments are written
/// while others are still read, and what is left at the end takes longer (`benches/indexing.rs`:
/// 4.0 s for 142 MB with this, 4.2 s with 100 MB, 4.8 s with 300 MB; no less with two threads).
const MAX_WRITER_BYTES: usize = 70_000_000;

/// So many segments of like size are merged into one. Chosen by hand: each segment costs every
/// query a lookup of its terms.
const MERGED_SEGMENTS: usize = 5;

/// A segment of which this share is deleted is written anew.
const MAX_DELETED: f32 = 0.5;

/// A writer of an index, shared by threads.
pub(super) enum Writer {
    Single(Box<Mutex<SingleSegmentIndexWriter>>),
    Threaded(Index, Box<IndexWriter>),
}

impl Writer {
    /// A writer of a new index in memory, for documents of so many bytes.
    pub(super) fn single(bytes: u64) -> tantivy::Result<Self> {
        let directory = RamDirectory::create();
        let budget = budget(bytes, SINGLE_WRITER_BYTES);
        // In memory, a text is read faster than it is decompressed.
        let writer = builder(Compressor::None).single_segment_index_writer(directory, budget)?;
        Ok(Self::Single(Box::new(Mutex::new(writer))))
    }

    /// A writer of a new index in a directory, for documents of so many bytes.
    pub(super) fn create(
        directory: impl Into<Box<dyn Directory>>,
        bytes: u64,
    ) -> tantivy::Result<Self> {
        Self::open(builder(Compressor::Lz4).open_or_create(directory)?, bytes)
    }

    /// A writer that adds documents of so many bytes to an index.
    pub(super) fn open(index: Index, bytes: u64) -> tantivy::Result<Self> {
        schema::register(index.tokenizers());
        // One thread writes segments; reading and analysing, which take longer, have their own.
        let writer = index.writer_with_num_threads(1, budget(bytes, MIN_WRITER_BYTES))?;
        let mut policy = LogMergePolicy::default();
        policy.set_min_num_segments(MERGED_SEGMENTS);
        policy.set_del_docs_ratio_before_merge(MAX_DELETED);
        writer.set_merge_policy(Box::new(policy));
        Ok(Self::Threaded(index, Box::new(writer)))
    }

    /// Adds documents.
    pub(super) fn add(&self, documents: Vec<TantivyDocument>) -> tantivy::Result<()> {
        match self {
            Self::Single(writer) => {
                let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
                let mut documents = documents.into_iter();
                documents.try_for_each(|document| writer.add_document(document))
            }
            Self::Threaded(_, writer) => {
                let documents = documents.into_iter().map(UserOperation::Add);
                writer.run(documents).map(|_| ())
            }
        }
    }

    /// Deletes the documents with a term; a new index has none.
    pub(super) fn delete(&self, term: Term) {
        if let Self::Threaded(_, writer) = self {
            writer.delete_term(term);
        }
    }

    /// Commits, merges, removes the files that are not needed any more, and returns the index.
    pub(super) fn commit(self) -> tantivy::Result<Index> {
        match self {
            Self::Single(writer) => writer
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner)
                .finalize(),
            Self::Threaded(index, mut writer) => {
                writer.commit()?;
                writer.wait_merging_threads()?;
                Ok(index)
            }
        }
    }
}

/// The memory of a writer of documents of so many bytes. The postings of few documents of many
/// words take ten times their texts. With less, a first indexing would write many segments, only to
/// merge them.
fn budget(bytes: u64, least: usize) -> usize {
    usize::try_from(bytes)
        .unwrap_or(usize::MAX)
        .saturating_mul(12)
        .clamp(least, MAX_WRITER_BYTES)
}

fn builder(docstore_compression: Compressor) -> IndexBuilder {
    let (schema, _) = schema::schema();
    // Tantivy looks up its default tokenizer for every field, numbers included.
    let tokenizers = TokenizerManager::default();
    schema::register(&tokenizers);
    let settings = IndexSettings {
        docstore_compression,
        // Most indexes are small, and a thread for LZ4 would be started for each.
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    };
    Index::builder()
        .schema(schema)
        .settings(settings)
        .tokenizers(tokenizers)
}
