//! `report.json`, the gate of the stage write: the report, each sentence with its passages.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::analysis::{Reliability, SourceCategory};
use super::claims::{Citation, Claim, Disagreement, DraftSection, Series};
use super::documents::NearestDocument;
use super::links::DeadLink;
use super::session::Depth;
use super::social::Opinion;
use super::source::{DocumentStatus, Publication};
use super::verification::{ClaimVerdict, VerificationSummary};

/// The report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// Its title.
    pub title: String,
    /// The topic.
    pub topic: String,
    /// The language that its sentences were written in, as the user named it; empty: that of the
    /// sources.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub language: String,
    /// The outcome.
    pub outcome: ReportOutcome,
    /// The model's answer from its own knowledge, if no source answers: nothing supports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct_response: Option<String>,
    /// Words of the topic that no quoted sentence contains together with the other words; empty if
    /// the sources cover the topic as requested.
    pub unanswered: Vec<String>,
    /// Those of them that no document contains at all; if there are none of them, names and numbers
    /// of the topic that none contains.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmentioned: Vec<String>,
    /// The words of the documents that such words may be misspellings of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub similar: Vec<String>,
    /// Words of the topic that no document has, each with the words that were searched for in its
    /// place.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub respelled: BTreeMap<String, String>,
    /// The further questions of a compound question that nothing quoted clearly answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unanswered_questions: Vec<String>,
    /// The share of the sentences that a model wrote which were removed, 0 to 1; absent without
    /// prose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed: Option<f64>,
    /// The probability that the first claim answers the topic, 0 to 1, as a rule estimates it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The depth of the research.
    pub depth: Depth,
    /// The number of documents and pages that were searched; absent in files of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searched: Option<usize>,
    /// The executive summary: ids of claims, best first.
    pub executive_summary: Vec<String>,
    /// The sections, in order.
    pub sections: Vec<DraftSection>,
    /// Disagreements between sources.
    pub disagreements: Vec<Disagreement>,
    /// What editions of one document give for one thing at different times.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<Series>,
    /// Aspects without evidence in the sources.
    pub open_questions: Vec<String>,
    /// Claims in which a source recommends something, by id.
    pub conclusion: Vec<String>,
    /// Phrases that several sources share.
    pub themes: Vec<String>,
    /// Every claim in use, with its citations.
    pub claims: Vec<Claim>,
    /// The position of each sentence in `report.md` as it was first rendered, in printed order;
    /// empty in files of older versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<ClaimPosition>,
    /// The verdict on each of them.
    pub verdicts: Vec<ClaimVerdict>,
    /// The tables of the sources that give numbers on the topic, quoted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<QuotedTable>,
    /// The verification of all claims of the draft, including those that failed.
    pub verification: VerificationSummary,
    /// The list of references, in the order of first citation.
    pub references: Vec<Reference>,
    /// The documents nearest to the topic, if none answers it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<NearestDocument>,
    /// What people think, by the posts that were read: opinions, and no facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public_opinion: Option<PublicOpinion>,
    /// The limits of this research, in sentences.
    pub limits: Vec<String>,
}

/// What is said if no disagreement was found though one was asked for.
pub const NO_DISAGREEMENT: &str = "No two documents were seen to contradict each other; by rule \
                                   only sentences in nearly the same words are compared.";

/// The position of a claim's sentence in a rendered report, without its citations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimPosition {
    /// The id of the claim.
    pub claim: String,
    /// Its first character in the text, from 0.
    // Characters, not bytes: what reads a report may hold it as a string of any encoding.
    pub start: usize,
    /// One past the last character.
    pub end: usize,
}

/// The outcome: an answer, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportOutcome {
    /// The sources say something on the topic.
    Answered,
    /// The sources say nothing on the topic, and the report claims nothing.
    NoEvidence,
    /// The sources say nothing on the topic, but people's posts do: the report tells what people
    /// think, and claims nothing.
    Opinions,
    /// The model answers from its own knowledge, and the report claims nothing.
    Direct,
}

impl fmt::Display for ReportOutcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Answered => "answered",
            Self::NoEvidence => "no_evidence",
            Self::Direct => "direct",
            Self::Opinions => "opinions",
        })
    }
}

/// One entry of the list of references.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// Its number in the text, from 1, without gaps.
    pub number: usize,
    /// The source.
    pub source: String,
    /// Its title.
    pub title: String,
    /// Its author, if it names one.
    pub author: Option<String>,
    /// Its date, if it names one.
    pub date: Option<String>,
    /// Its status by its own header or a notice at its top.
    #[serde(default, skip_serializing_if = "DocumentStatus::is_empty")]
    pub status: DocumentStatus,
    /// Where it was published, by its own header; absent in files of older versions.
    #[serde(default, skip_serializing_if = "Publication::is_empty")]
    pub publication: Publication,
    /// A path or a URL.
    pub locator: String,
    /// The time at which it was read from the web, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_at: Option<String>,
    /// The kind of source; `None` if nothing tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<SourceCategory>,
    /// The reliability, from the credibility of the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reliability: Option<Reliability>,
    /// The problem with its address, if it was checked and the page was gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dead: Option<DeadLink>,
}

/// The sentence in the limits of a report that quotes only.
pub const QUOTED: &str = "Sentences are quoted word for word; only headings are not.";

/// A table of a source, word for word: its cells are read from the quotation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuotedTable {
    /// The heading that it stands under, or the title of its source.
    pub title: String,
    /// The table in the text of its source; of no passage.
    pub citation: Citation,
}

/// The part of a report on what people think: of quotations that stand where they are said to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PublicOpinion {
    /// The number of posts that were read.
    pub posts: usize,
    /// What the people think.
    pub opinion: Opinion,
    /// The quoted posts, each once.
    pub quoted: Vec<QuotedPost>,
    /// The threads that they are quoted from, numbered after the references of the report.
    pub references: Vec<Reference>,
}

/// A quoted post.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuotedPost {
    /// Author, date and points.
    pub byline: String,
    /// Its sentence with its citation. A claim in form only: it shows what a person wrote.
    pub claim: Claim,
}

impl Report {
    /// The claim of this id.
    pub fn claim(&self, id: &str) -> Option<&Claim> {
        self.claims.iter().find(|claim| claim.id == id)
    }

    /// The number of a source in the list of references.
    pub fn number_of(&self, source: &str) -> Option<usize> {
        let mut references = self.references.iter();
        references
            .find(|reference| reference.source == source)
            .map(|reference| reference.number)
    }
}
