//! `sources/S1.json` beside `sources/S1.md`: a source that was read, and its full clean text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pipeline::Digest;

/// A source that was read. Its text is in the file beside it; passages refer to byte ranges of that
/// text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// `S1`, `S2`, … in the order of discovery.
    pub id: String,
    /// A path below the folder that was searched, or a URL.
    pub locator: String,
    /// Its title.
    pub title: String,
    /// Its author, if it names one.
    pub author: Option<String>,
    /// Its date, if it names one: an ISO 8601 date.
    pub date: Option<String>,
    /// The kind of file: `markdown`, `text`, `html`, `pdf`.
    pub kind: String,
    /// Digest of the text.
    pub sha256: Digest,
    /// Length of the text in bytes.
    pub bytes: usize,
    /// The time at which it was read from the web, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_at: Option<String>,
    /// The prompt injection that was detected in it, if any. It was treated as text.
    // The name of the field in the file cannot change: sessions of older versions contain it.
    #[serde(
        rename = "speaks_to_models",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub prompt_injection: Option<String>,
    /// Its credibility, judged before its content is compared with that of other sources.
    pub credibility: Credibility,
}

/// The credibility of a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Credibility {
    /// 0 to 1.
    pub score: f64,
    /// The components of the score.
    pub reasons: Vec<String>,
}

/// A byte range of a source's text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Passage {
    /// `P1`, `P2`, … in the order of discovery.
    pub id: String,
    /// The source.
    pub source: String,
    /// First byte, from 0.
    // Bytes, not characters: checking and slicing need no scan of the text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The text of that range, exactly.
    pub quote: String,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
    /// Its relevance to the query, 0 to 1, rounded to three places.
    pub relevance: f64,
}

/// The number in an id such as `P12`, by which ids are ordered; the largest number if there is
/// none.
pub fn ordinal(id: &str) -> usize {
    // Compared as a number: as text, `P10` would come before `P2`.
    id.get(1..)
        .and_then(|digits| digits.parse().ok())
        .unwrap_or(usize::MAX)
}
