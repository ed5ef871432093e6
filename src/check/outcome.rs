//! The outcome of a check, as it is printed and serialised.

use schemars::JsonSchema;
use serde::Serialize;

use crate::artifact::verification::Verdict;

/// The verdict on a sentence of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// Its sources say it.
    Supported,
    /// Its sources say a part of it.
    Partial,
    /// Its sources do not say it.
    Unsupported,
    /// Its sources say the contrary.
    Contradicted,
    /// It has no source.
    Uncited,
    /// None of its sources can be read.
    Unreachable,
}

impl Finding {
    /// Every finding, best first.
    pub const ALL: [Self; 6] = [
        Self::Supported,
        Self::Partial,
        Self::Unsupported,
        Self::Contradicted,
        Self::Uncited,
        Self::Unreachable,
    ];

    /// The name in messages.
    pub fn label(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Partial => "supported in part",
            Self::Unsupported => "unsupported",
            Self::Contradicted => "contradicted",
            Self::Uncited => "without a source",
            Self::Unreachable => "source not reachable",
        }
    }
}

impl From<Verdict> for Finding {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Supported => Self::Supported,
            Verdict::Partial => Self::Partial,
            Verdict::Unsupported | Verdict::Abstained => Self::Unsupported,
            Verdict::Contradicted => Self::Contradicted,
        }
    }
}

/// A score with three decimals: further digits are noise of floating-point sums.
pub(super) fn rounded(score: f64) -> f64 {
    (score * 1000.0).round() / 1000.0
}

/// The words of a source that match a sentence best.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Match {
    /// The path in the folder, or the address.
    pub source: String,
    /// The line of the clean text of the source, from 1.
    pub line: usize,
    /// The first byte in that text.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// The words.
    pub text: String,
    /// The status of a source that is not in force, such as `superseded by the list of 2026`, or of
    /// one that the words refer to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// A citation of a sentence.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CheckedCitation {
    /// The citation as written.
    pub label: String,
    /// The source that it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The verdict on the sentence by this source alone.
    pub verdict: Finding,
    /// The reason why it leads to no source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// `true` if the list of references has no such entry.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unlisted: bool,
}

/// A sentence of a report and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CheckedSentence {
    /// The line of the report, from 1; of an office document, its paragraph.
    pub line: usize,
    /// The column in it, in characters, from 1.
    pub column: usize,
    /// The words, without citations.
    pub text: String,
    /// The verdict.
    pub verdict: Finding,
    /// The score of the support, 0 to 1.
    pub score: f64,
    /// The reasons, the weightiest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// The words that nothing supports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsupported: Vec<String>,
    /// The matching words of a source.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub best: Option<Match>,
    /// Other words of that source that say the rest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<Match>,
    /// The words of another document in force that give another number for what a supported
    /// sentence says, or say that it is no longer so; or those further below in the same document
    /// that amend its clause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rival: Option<Match>,
    /// The citations; empty if it shares those of a later sentence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<CheckedCitation>,
}

impl CheckedSentence {
    /// The status of the source that the sentence rests on, if that is not in force.
    pub fn status_of_support(&self) -> Option<&str> {
        let rests_on_it = matches!(self.verdict, Finding::Supported | Finding::Partial);
        let best = self.best.as_ref().filter(|_| rests_on_it)?;
        best.status.as_deref()
    }

    /// The number of its citations that are not in the list of references.
    pub fn unlisted(&self) -> usize {
        self.citations.iter().filter(|one| one.unlisted).count()
    }
}

/// The number of sentences by verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Summary {
    /// The sentences that need a source.
    pub sentences: usize,
    /// Supported.
    pub supported: usize,
    /// Supported in part.
    pub partial: usize,
    /// Unsupported.
    pub unsupported: usize,
    /// Contradicted.
    pub contradicted: usize,
    /// Without a source.
    pub uncited: usize,
    /// With no source that can be read.
    pub unreachable: usize,
    /// Supported, wholly or in part, by a source that is superseded, a draft or otherwise not in
    /// force.
    pub not_in_force: usize,
    /// Supported, while another document gives another number.
    pub disputed: usize,
    /// The citations that are not in the list of references.
    pub unlisted: usize,
    /// The headings, questions and announcements, which need none.
    pub exempt: usize,
}

impl Summary {
    /// The number of sentences with a verdict.
    pub fn of(&self, finding: Finding) -> usize {
        match finding {
            Finding::Supported => self.supported,
            Finding::Partial => self.partial,
            Finding::Unsupported => self.unsupported,
            Finding::Contradicted => self.contradicted,
            Finding::Uncited => self.uncited,
            Finding::Unreachable => self.unreachable,
        }
    }

    /// Counts a sentence.
    fn add(&mut self, finding: Finding) {
        self.sentences += 1;
        *match finding {
            Finding::Supported => &mut self.supported,
            Finding::Partial => &mut self.partial,
            Finding::Unsupported => &mut self.unsupported,
            Finding::Contradicted => &mut self.contradicted,
            Finding::Uncited => &mut self.uncited,
            Finding::Unreachable => &mut self.unreachable,
        } += 1;
    }
}

/// The outcome of the check of a report.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CheckedReport {
    /// The number of sentences by verdict.
    pub summary: Summary,
    /// The sentences that need a source, in order.
    pub sentences: Vec<CheckedSentence>,
}

impl CheckedReport {
    /// Adds and counts a sentence.
    pub(super) fn push(&mut self, sentence: CheckedSentence) {
        self.summary.add(sentence.verdict);
        self.summary.not_in_force += usize::from(sentence.status_of_support().is_some());
        self.summary.disputed += usize::from(sentence.rival.is_some());
        self.summary.unlisted += sentence.unlisted();
        self.sentences.push(sentence);
    }
}
