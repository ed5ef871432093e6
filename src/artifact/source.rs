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
    /// Its status by its own header or a notice at its top.
    #[serde(default, skip_serializing_if = "DocumentStatus::is_empty")]
    pub status: DocumentStatus,
    /// Where it was published, by its own header; absent in files of older versions.
    #[serde(default, skip_serializing_if = "Publication::is_empty")]
    pub publication: Publication,
    /// The kind of file: `markdown`, `text`, `html`, `pdf`.
    pub kind: String,
    /// Digest of the text.
    pub sha256: Digest,
    /// Length of the text in bytes.
    pub bytes: usize,
    /// Where its pages begin in the text, of a PDF; absent in files of older versions.
    #[serde(default, skip_serializing_if = "PageStarts::is_empty")]
    pub pages: PageStarts,
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

/// The publication of a document, as its own header states it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Publication {
    /// The journal in which it was published.
    pub journal: Option<String>,
    /// The volume of the journal.
    pub volume: Option<String>,
    /// The issue of that volume.
    pub issue: Option<String>,
    /// Its pages in the journal, `106-118`, or its article number.
    pub pages: Option<String>,
    /// Its digital object identifier: `10.1000/182`.
    pub doi: Option<String>,
    /// The publisher.
    pub publisher: Option<String>,
    /// The institution that issued it.
    pub institution: Option<String>,
}

impl Publication {
    /// `true` if the document states nothing of the kind.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The status of a document, as its own header or a notice at its top states it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentStatus {
    /// The status as written: `Final`, `Superseded by ADR-12`.
    pub stated: Option<String>,
    /// The stage of the life cycle that this means, if it means one.
    pub lifecycle: Option<Lifecycle>,
    /// The document that replaces it: `RFC 2094`.
    pub superseded_by: Option<String>,
    /// The documents that it replaces, as written: `RFC 2616, RFC 7230`.
    pub supersedes: Option<String>,
    /// The document that it says is retracted, as written: its title, or a citation of it.
    pub retracts: Option<String>,
    /// Its version or revision, as written.
    pub version: Option<String>,
}

/// The stage of a document's life cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Lifecycle {
    /// It applies: accepted, approved, final.
    InForce,
    /// It is being worked on or discussed: draft, proposed, provisional.
    Draft,
    /// Work on it rests: deferred, postponed.
    Deferred,
    /// It was proposed and not adopted.
    Rejected,
    /// Its authors took it back.
    Withdrawn,
    /// It still applies, and is not to be used any more.
    Deprecated,
    /// It does not apply any more: obsolete, historic, archived.
    Obsolete,
    /// Another document replaces it.
    Superseded,
}

impl DocumentStatus {
    /// `true` if the document states nothing of the kind.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Notes that another document says that it replaces this one, which is news to a document
    /// that was written before.
    pub fn supersede_by(&mut self, title: &str) {
        if !self.is_not_in_force() {
            self.lifecycle = Some(Lifecycle::Superseded);
            self.superseded_by = Some(title.to_owned());
        }
    }

    /// Notes that another document says that this one is retracted.
    pub fn retract_by(&mut self, title: &str) {
        if self.lifecycle != Some(Lifecycle::Withdrawn) {
            self.lifecycle = Some(Lifecycle::Withdrawn);
            self.stated = Some(format!("retracted by {title}"));
        }
    }

    /// `true` if the document is a draft, or applies no longer, or never did. A document that
    /// states nothing counts as in force.
    pub fn is_not_in_force(&self) -> bool {
        self.lifecycle
            .is_some_and(|lifecycle| lifecycle != Lifecycle::InForce)
    }

    /// The name of a stage in the word of the document, where readers tell it from others of the
    /// stage: what an editor retracted was not withdrawn by its authors.
    fn own_name(&self, lifecycle: Lifecycle) -> &'static str {
        let stated = self.stated.as_deref().unwrap_or_default().to_lowercase();
        match lifecycle {
            Lifecycle::Withdrawn if stated.contains("retracted") => "retracted",
            Lifecycle::Draft if stated.contains("preprint") => "preprint",
            other => other.name(),
        }
    }

    /// The remark that belongs beside everything that is quoted from the document, such as
    /// `withdrawn`, `retracted` or `superseded by RFC 2094`; `None` for a document in force.
    pub fn remark(&self) -> Option<String> {
        let lifecycle = self.lifecycle.filter(|_| self.is_not_in_force())?;
        let name = self.own_name(lifecycle);
        Some(match (&self.superseded_by, lifecycle) {
            (None, _) => name.to_owned(),
            (Some(other), Lifecycle::Superseded) => format!("{name} by {other}"),
            (Some(other), _) => format!("{name}, superseded by {other}"),
        })
    }
}

impl Lifecycle {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::InForce => "in force",
            Self::Draft => "draft",
            Self::Deferred => "deferred",
            Self::Rejected => "rejected",
            Self::Withdrawn => "withdrawn",
            Self::Deprecated => "deprecated",
            Self::Obsolete => "obsolete",
            Self::Superseded => "superseded",
        }
    }

    /// `true` for a document that applied once and does not any more.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Superseded | Self::Obsolete | Self::Withdrawn)
    }
}

/// The pages of a text: the byte at which each begins, in order; none for a text without pages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct PageStarts(pub Box<[usize]>);

impl PageStarts {
    /// `true` if the text has no pages.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The page of a byte of the text, from 1, as programs that show the file count them; `None`
    /// without pages. A page without text begins where the next one does, or before.
    pub fn page(&self, at: usize) -> Option<usize> {
        let page = self.0.partition_point(|start| *start <= at);
        (page > 0).then_some(page)
    }

    /// The pages of a text that stands so many bytes further on in another one.
    #[must_use]
    pub fn moved(&self, bytes: usize) -> Self {
        Self(self.0.iter().map(|start| start + bytes).collect())
    }
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
    /// The line of the first byte, from 1; absent in files of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The page of the first byte in a PDF, from 1; absent in files of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
    /// The text of that range, exactly.
    pub quote: String,
    /// Of a row of a table, the names of the columns; empty of anything else, and in files of older
    /// versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_counted_from_one_with_those_without_text() {
        let pages = PageStarts([0, 0, 10, 30, 30].into());
        let of = |at: usize| pages.page(at);
        assert_eq!([0, 9, 10, 29, 30, 99].map(of), [2, 2, 3, 3, 5, 5].map(Some));
        assert_eq!(pages.moved(5).page(4), None);
        assert_eq!(PageStarts::default().page(4), None);
    }
}
