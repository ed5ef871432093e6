//! The runs of text of which an entry of a bibliography consists.

/// A run of text in a bibliography entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// Plain text.
    Plain(String),
    /// Text in italics.
    Italic(String),
    /// The path or URL of the source.
    Locator(String),
}

impl Segment {
    /// The text.
    pub fn text(&self) -> &str {
        match self {
            Self::Plain(text) | Self::Italic(text) | Self::Locator(text) => text,
        }
    }
}

/// Adds a full stop, unless the text ends with a mark that closes a sentence.
pub(super) fn with_full_stop(text: &str) -> String {
    if text.ends_with(['.', '?', '!', '…']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}
