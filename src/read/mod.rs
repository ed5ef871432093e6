//! A file into clean text: Markdown, plain text, reStructuredText, AsciiDoc, Org, LaTeX, HTML, PDF,
//! EPUB, office documents, tables, JSON, notebooks, e-mail and feeds, in any character set. Each
//! kind of document is one [`SourceKind`] in the table [`Kinds::BUILT_IN`].
//!
//! Everything read is taken to be hostile: it is limited in size and depth, what is compressed is
//! counted while it is inflated, structured formats are parsed in a sandbox thread, and PDF in a
//! child process. Nothing is printed and nothing is fetched.

mod bytes;
pub mod charset;
mod document;
mod error;
pub mod feed;
pub mod html;
mod ignored;
mod kinds;
pub mod mail;
pub mod markdown;
pub(crate) mod markdown_writer;
pub mod markup;
pub mod metadata;
pub mod notebook;
pub mod office;
pub mod pdf;
pub mod plain;
mod plain_blocks;
mod reader;
pub mod records;
mod sandbox;
mod status;
pub mod thread;
pub mod walk;
mod xml;

pub use document::{Document, Input, Kind, Markup, Signature, SourceKind};
pub use error::ReadError;
pub use kinds::Kinds;
pub use reader::Reader;
pub use walk::{Listing, SourceFile, require_documents, require_roots, walk};
