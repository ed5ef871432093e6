//! A file into clean text: Markdown, plain text, reStructuredText, AsciiDoc, Org, LaTeX, HTML, PDF,
//! EPUB, office documents, tables, JSON, notebooks, e-mail and feeds, in any character set. Each
//! kind of document is one [`SourceKind`] in the table [`Kinds::BUILT_IN`].
//!
//! Everything read is taken to be hostile. Formats with parsers of some size, which are mostly
//! those of libraries, are read in child processes ([`Pool`]) with limits of memory, time and
//! output, without files and network; the others in linear time. Nothing is printed and nothing is
//! fetched.

mod author;
mod byline;
mod bytes;
pub mod charset;
mod child;
pub mod dates;
pub mod designation;
mod document;
mod error;
mod extent;
mod failure;
pub mod feed;
pub mod html;
mod hyphenation;
mod ignored;
mod in_flight;
mod kinds;
mod log_lines;
pub mod mail;
pub mod markdown;
pub(crate) mod markdown_writer;
pub mod markup;
pub mod metadata;
pub mod notebook;
pub mod office;
mod own_report;
pub mod pdf;
pub mod plain;
mod plain_blocks;
mod pool;
mod protocol;
mod publication;
mod reader;
pub mod records;
mod reference_line;
mod status;
pub mod thread;
pub mod walk;
mod with_text;
mod xml;

pub use child::serve_documents;
pub use document::{Document, Input, Isolation, Kind, Markup, Signature, SourceKind, omission};
pub use error::ReadError;
pub use in_flight::Reservation;
pub use kinds::Kinds;
pub use own_report::is_own_report;
pub use pool::{OUT_OF_TIME, Pool};
pub use protocol::CHILD_COMMAND;
pub use reader::Reader;
pub use walk::{Listing, SourceFile, require_documents, require_roots, walk};
pub use with_text::require_text;
