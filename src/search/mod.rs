//! A query into hits: local documents, indexed once and searched in memory.
//!
//! A hit is a place in a document and a score; what it is good for is the agents' to judge.

mod cache;
mod duplicates;
mod entities;
mod feedback;
mod index;
mod language;
mod library;
mod passages;
mod question;
mod rank;
mod record;
mod store;

pub use library::{Hit, Library, LibraryDocument};
pub use passages::Content;
pub use rank::Ranked;
