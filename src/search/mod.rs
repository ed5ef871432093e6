//! A query into hits: local documents, indexed once and searched in memory.
//!
//! A hit is a place in a document and a score; what it is good for is the agents' to judge.
//!
//! The index is this room's own, and not a library's, for two reasons: feedback and smoothing need
//! the terms of each document, which an embedded full-text library does not hand out, and
//! statistics must be those of the documents there are, not of a cache's history of changes, or the
//! same documents would give other reports. `benches/indexing.rs` and `benches/retrieval.rs` hold
//! it against such a library and against plain BM25.

mod cache;
mod duplicates;
mod entities;
mod feedback;
mod index;
mod language;
mod lexicon;
mod library;
mod passages;
mod question;
mod rank;
mod reading;
mod record;
mod store;

pub use library::{Hit, Library, LibraryDocument};
pub use passages::Content;
pub use rank::Ranked;
