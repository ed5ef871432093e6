//! Documents that are packed as zip archives of XML: DOCX, PPTX and XLSX (Office Open XML), ODT and
//! ODS (OpenDocument), and EPUB.

pub mod docx;
pub mod epub;
mod formats;
mod odf;
pub mod ods;
pub mod odt;
mod opc;
pub mod pptx;
mod styles;
pub mod xlsx;
pub mod zip;
