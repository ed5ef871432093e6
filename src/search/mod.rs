//! A query into hits: one file per provider. Local documents are one of them.
//!
//! A hit is a place in a document and a score; what it is good for is the agents' to judge.

pub mod local;

pub use local::{Hit, Library, LibraryDocument};
