//! `claims.json`: the writer's draft, sentence by sentence, before any claim is checked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::source::{Passage, Source};
use crate::pipeline::Digest;

/// A draft of the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// The report's title.
    pub title: String,
    /// The summary: ids of claims.
    pub summary: Vec<String>,
    /// The sections, in order.
    pub sections: Vec<DraftSection>,
    /// The conclusion: ids of claims; empty for a report in quotations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conclusion: Vec<String>,
    /// Pairs of claims that contradict each other.
    pub disagreements: Vec<Disagreement>,
    /// What editions of one document give for one thing at different times.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<Series>,
    /// The sources that a second search has found for sentences of it, besides those of
    /// `research.json`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
    /// The passages that it has found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passages: Vec<Passage>,
    /// The sentences that did not hold as they were first written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corrections: Vec<Correction>,
    /// Every claim, in the order of first use.
    pub claims: Vec<Claim>,
}

/// A sentence that did not hold as it was first written, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The sentence as it was first written.
    pub before: String,
    /// The reason why it did not hold.
    pub reason: String,
    /// The change.
    pub change: Change,
    /// The sentence that stands in the draft now; none if it was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// The change to a sentence that did not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Another passage shows it.
    Recited,
    /// It was written again.
    Rewritten,
    /// It holds, and was worded anew so that its section reads as one text.
    Reworded,
    /// It was removed.
    Removed,
}

impl Change {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Recited => "recited",
            Self::Rewritten => "rewritten",
            Self::Reworded => "reworded",
            Self::Removed => "removed",
        }
    }
}

/// A part of the draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DraftSection {
    /// Its heading.
    pub heading: String,
    /// Ids of claims, in order.
    pub claims: Vec<String>,
}

/// Two claims that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Disagreement {
    /// The difference, for display.
    pub difference: String,
    /// What one side affirms and the other denies; empty for any other difference.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub denied: String,
    /// `true` if the number of the other side is implausible, since several sources give that of
    /// the one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_implausible: bool,
    /// One side.
    pub one: String,
    /// The other side.
    pub other: String,
    /// Claims that give yet other values of the same thing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<String>,
}

impl Disagreement {
    /// The claims of all sides.
    pub fn claims(&self) -> impl Iterator<Item = &str> {
        let further = self.further.iter();
        [&self.one, &self.other]
            .into_iter()
            .chain(further)
            .map(String::as_str)
    }
}

/// A statement of several editions of one document, such as yearly reports, of which only numbers
/// differ: no contradiction, but successive values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// The statement with an ellipsis in place of the numbers.
    pub statement: String,
    /// The values, oldest first.
    pub values: Vec<DatedValue>,
}

/// The value of a series in one edition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DatedValue {
    /// The date of the edition, or its version.
    pub date: String,
    /// The value as written.
    pub value: String,
    /// The claim that quotes it.
    pub claim: String,
}

/// One checkable sentence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// `C1`, `C2`, …
    pub id: String,
    /// The sentence.
    pub text: String,
    /// The words of the sentence: those of the source, or its own.
    #[serde(default, skip_serializing_if = "ClaimKind::is_quoted")]
    pub kind: ClaimKind,
    /// The digest of the sentence as it was written, if it is in words of its own: one that was
    /// changed by hand since has another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Digest>,
    /// The passages that support it, best first.
    pub citations: Vec<Citation>,
    /// The confidence, 0 to 1, of the insight that it comes from.
    pub confidence: f64,
    /// The source of a later date that corrects it, if one is quoted beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// The day from which it is corrected, if that is after the date of that source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_from: Option<String>,
    /// The heading above its quotation, if that does not name what it is on: "The item was
    /// postponed."
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
}

impl Claim {
    /// Returns `true` if it is in words of its own.
    pub fn is_written(&self) -> bool {
        self.kind == ClaimKind::Written
    }

    /// Returns `true` if it was written in words of its own, and changed by hand since.
    pub fn is_rewritten(&self) -> bool {
        let digest = self.sha256.as_ref().filter(|_| self.is_written());
        digest.is_some_and(|digest| *digest != Digest::of(&self.text))
    }

    /// Returns the digest of all that a verdict on it depends on: its sentence and its quotations.
    pub fn judged(&self) -> Digest {
        let quotes = self.citations.iter().map(|own| own.quote.as_str());
        let texts: Vec<&str> = [self.text.as_str()].into_iter().chain(quotes).collect();
        Digest::of(texts.join("\n\n"))
    }
}

/// The words of a claim.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// The words of its first citation.
    #[default]
    Quoted,
    /// Its own words, which its citations show.
    Written,
}

impl ClaimKind {
    fn is_quoted(&self) -> bool {
        *self == Self::Quoted
    }
}

/// A claim's link to a passage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Citation {
    /// The source.
    pub source: String,
    /// The passage in `research.json`.
    pub passage: String,
    /// First byte in the source's text, from 0.
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
}

impl Citation {
    /// The position in the source, for people: `page 2, line 4, bytes 10 to 40`, of which line and
    /// bytes are those of its stored text.
    pub fn position(&self) -> String {
        let part = |name: &str, number: Option<usize>| {
            number.map_or(String::new(), |number| format!("{name} {number}, "))
        };
        let (page, line) = (part("page", self.page), part("line", self.line));
        format!("{page}{line}bytes {} to {}", self.start, self.end)
    }
}
