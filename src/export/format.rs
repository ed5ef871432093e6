//! The description of an export format: its name, its extension and the function that renders it.

use anyhow::Result;

use super::Edition;

/// An export format: one file in this folder and one line in [`FORMATS`](super::FORMATS).
///
/// The values of `--format`, the help, and the files that `research run` writes beside the
/// published report derive from it.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// The value of `--format`.
    pub name: &'static str,
    /// The extension of its files, without the dot.
    pub extension: &'static str,
    /// The media type under which the server sends it.
    pub media_type: &'static str,
    /// A phrase for the help.
    pub about: &'static str,
    /// `true` if [`Edition::texts`] must contain the stored texts of the cited sources.
    pub needs_texts: bool,
    /// The cargo feature that it needs and that this program was built without.
    pub missing: Option<&'static str>,
    /// Renders an edition.
    pub render: fn(&Edition<'_>) -> Result<Vec<u8>>,
}

impl Format {
    /// `true` if a terminal can show it.
    pub fn is_text(&self) -> bool {
        self.media_type.contains("charset") || self.media_type.ends_with("json")
    }

    /// The name of its file in a session directory.
    pub fn file_name(&self) -> String {
        format!("final_report.{}", self.extension)
    }
}
