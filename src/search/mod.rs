//! Full-text search: a query into hits in local documents.
//!
//! [tantivy] keeps the documents and retrieves: mapped segments, postings, stored texts, merges and
//! deletes. The ranking is this module's own, over tantivy's postings: feedback (RM3) and smoothing
//! need whole term vectors, and statistics must be those of the documents there are, not of an
//! index's history, or the same documents would give other reports. `benches/indexing.rs` compares
//! it with tantivy used bare, `benches/retrieval.rs` with plain BM25.
//!
//! A query reads what it needs of the mapped index: the postings of its terms, and the term
//! vectors and texts of some tens of documents. `index` is what is written and read; `query` is
//! what is asked of it, and is used by nothing in `index`.

mod cached;
mod contents;
mod document;
mod index;
mod library;
mod passage_index;
mod query;
mod spelling;
mod superseded;

pub use cached::cached_indexes;
pub use document::SearchableDocument;
pub use index::corpus::Until;
pub use index::storage::folder as index_folder;
pub use library::{Library, Passage};
pub use passage_index::{IndexedPassage, PassageIndex};
pub use query::passages::{Content, Hit};
pub use query::top_k::Ranked;
