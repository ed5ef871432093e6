//! Documents that are packed as zip archives of XML: DOCX (Office Open XML) and EPUB.

pub mod docx;
pub mod epub;
mod styles;
pub mod zip;
