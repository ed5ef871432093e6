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
    /// The cargo feature that this program was built without, if the format needs it.
    pub missing: Option<Missing>,
    /// Renders an edition.
    pub render: fn(&Edition<'_>) -> Result<Vec<u8>>,
}

/// A cargo feature that a format needs and that this program was built without.
#[derive(Debug, Clone, Copy)]
pub struct Missing {
    /// The name of the feature.
    pub feature: &'static str,
    /// The formats that every build has and that serve instead, in words.
    pub instead: &'static str,
}

impl Missing {
    /// What to do to get the format of this name, or another one that serves.
    pub fn advice(self, name: &str) -> String {
        let Self { feature, instead } = self;
        format!(
            "this program was built without {name}; export {instead}, or build it with \
             `cargo build --release --locked --features {feature}`"
        )
    }
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
