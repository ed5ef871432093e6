//! `sources/S1.json` beside `sources/S1.md`: something that was read, and its whole clean text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pipeline::Digest;

/// Something that was read. Its text stands beside it, byte for byte as passages count it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// `S1`, `S2`, … in the order of finding.
    pub id: String,
    /// Where it is: a path below the folder that was searched, or a URL.
    pub locator: String,
    /// Its title.
    pub title: String,
    /// Who wrote it, if it says so.
    pub author: Option<String>,
    /// When it was written, as far as it says so: an ISO 8601 date.
    pub date: Option<String>,
    /// What kind of file it is: `markdown`, `text`, `html`, `pdf`.
    pub kind: String,
    /// Hash of the text.
    pub sha256: Digest,
    /// Length of the text in bytes.
    pub bytes: usize,
    /// When it was read from the web, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_at: Option<String>,
    /// What in it gives orders to a language model, if something does. It was taken as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaks_to_models: Option<String>,
    /// How far to trust it before looking at what it says, and why.
    pub credibility: Credibility,
}

/// How far to trust a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Credibility {
    /// 0 to 1.
    pub score: f64,
    /// What it is made up of.
    pub reasons: Vec<String>,
}

/// A byte range of a source's text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Passage {
    /// `P1`, `P2`, … in the order of finding.
    pub id: String,
    /// The source.
    pub source: String,
    /// First byte, from 0.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The text of that range, exactly.
    pub quote: String,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
    /// How well it fits what was looked for, 0 to 1, rounded to three places.
    pub relevance: f64,
}

/// The number in an id such as `P12`, by which ids are ordered; the largest number if there is
/// none.
pub fn ordinal(id: &str) -> usize {
    id.get(1..)
        .and_then(|digits| digits.parse().ok())
        .unwrap_or(usize::MAX)
}
