//! A report as one JSON document for other programs. Its schema has a version of its own: within a
//! version fields are added, never changed or removed.

use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Serialize};

use super::citation::Segment;
use super::notices::not_answered;
use super::outline::Outline;
use super::{Edition, Format, Kind, markdown};
use crate::artifact::analysis::{Corroboration, Reliability, SourceCategory};
use crate::artifact::claims::{Claim, Disagreement, DraftSection, Series};
use crate::artifact::links::DeadLink;
use crate::artifact::report::{ClaimPosition, PublicOpinion, ReportOutcome};
use crate::artifact::review::{Criterion, ReviewDecision};
use crate::artifact::session::Depth;
use crate::artifact::source::{DocumentStatus, Publication};
use crate::artifact::verification::{Verdict, VerificationSummary};
use crate::artifact::{self, Report};
use crate::pipeline::Version;

/// The name of the file without `.json`, for `research schema`.
pub const NAME: &str = "final_report";

/// JSON for other programs.
pub const FORMAT: Format = Format {
    name: "json",
    extension: "json",
    media_type: "application/json",
    about: "JSON for other programs",
    needs_texts: false,
    missing: None,
    render: |edition| Ok(artifact::to_bytes(&document(edition))?),
};

/// The JSON Schema of the document.
pub fn schema() -> Schema {
    schema_for!(Document)
}

/// A report for other programs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// The version of this schema.
    pub version: Version<1>,
    /// The id of the session.
    pub session: String,
    /// The start of the session, RFC 3339.
    pub started_at: String,
    /// The number of the round, from 1.
    pub round: u32,
    /// `true` if this round was published.
    pub published: bool,
    /// The part of the report in this document. Fields that a summary leaves out are empty.
    pub kind: Kind,
    /// The review of the round, if there is one.
    pub review: Option<Judgement>,
    /// The title of the report.
    pub title: String,
    /// The topic of the session.
    pub topic: String,
    /// The outcome: an answer, none, or no evidence.
    pub outcome: Outcome,
    /// Why the topic is not answered as asked; absent with any other outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_answered: Option<String>,
    /// How many judgements rules made in place of a model, whose answers could not be used; absent
    /// if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_answered: Option<String>,
    /// The model's answer from its own knowledge, if no source answers: nothing supports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct_response: Option<String>,
    /// The depth of the research.
    pub depth: Depth,
    /// The executive summary: ids of claims, best first.
    pub executive_summary: Vec<String>,
    /// The sections in order.
    pub sections: Vec<DraftSection>,
    /// Pairs of claims that contradict each other.
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
    /// What people think, by their posts: opinions, and no facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public_opinion: Option<PublicOpinion>,
    /// The claims of this document.
    pub claims: Vec<ExportedClaim>,
    /// The position of each sentence in the Markdown of the same kind, as it is written into the
    /// session's directory, in printed order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<ClaimPosition>,
    /// The verification of all claims of the draft, including those that failed.
    pub verification: VerificationSummary,
    /// The sources.
    pub references: Vec<ExportedReference>,
    /// The limitations of this research, in sentences.
    pub limits: Vec<String>,
}

/// The outcome of a report, as its first lines say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The sources answer the topic.
    Answered,
    /// The sources say something on the topic, but do not answer it as asked.
    NotAnswered,
    /// The sources say nothing on the topic, and the report claims nothing.
    NoEvidence,
    /// The sources say nothing on the topic, but people's posts do: the report tells what people
    /// think, and claims nothing.
    Opinions,
    /// The model answers from its own knowledge, and the report claims nothing.
    Direct,
}

impl Outcome {
    fn of(outcome: ReportOutcome, is_unanswered: bool) -> Self {
        match outcome {
            ReportOutcome::Answered if is_unanswered => Self::NotAnswered,
            ReportOutcome::Answered => Self::Answered,
            ReportOutcome::NoEvidence => Self::NoEvidence,
            ReportOutcome::Opinions => Self::Opinions,
            ReportOutcome::Direct => Self::Direct,
        }
    }
}

/// The result of a review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// The score, 0 to 1.
    pub score: f64,
    /// The threshold for the score.
    pub threshold: f64,
    /// `true` if the report is marked as below the threshold.
    pub below_threshold: bool,
    /// The decision on the round.
    pub decision: ReviewDecision,
    /// The scores by criterion.
    pub criteria: Vec<Criterion>,
}

/// A claim with its verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportedClaim {
    /// `C1`, `C2`, …
    pub id: String,
    /// The sentence.
    pub text: String,
    /// The confidence, 0 to 1.
    pub confidence: f64,
    /// The independent sources that say it, compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corroboration: Option<Corroboration>,
    /// The verdict of its verification.
    pub verdict: Option<Verdict>,
    /// The reason for the verdict.
    pub reason: Option<String>,
    /// What is to be said beside it, in brackets: that it or its source is not in force any more,
    /// that its number is implausible.
    #[serde(default)]
    pub remarks: Vec<String>,
    /// The passages that support it, best first.
    pub citations: Vec<ExportedCitation>,
}

/// A claim's link to a passage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportedCitation {
    /// The number of the reference.
    pub reference: usize,
    /// The id of the source.
    pub source: String,
    /// The id of the passage in `research.json`.
    pub passage: String,
    /// First byte in the source's stored text, from 0.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The line of the first byte, from 1; absent if the session is of an older version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The page of the first byte in a PDF, from 1; absent if the session is of an older version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
    /// The text of that range, exactly.
    pub quote: String,
}

/// One entry of the list of references.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportedReference {
    /// Its number, from 1, without gaps.
    pub number: usize,
    /// The id of the source.
    pub source: String,
    /// The title.
    pub title: String,
    /// The author, if the source names one.
    pub author: Option<String>,
    /// The date, if the source names one.
    pub date: Option<String>,
    /// The status of the source by its own header or a notice at its top.
    #[serde(default, skip_serializing_if = "DocumentStatus::is_empty")]
    pub status: DocumentStatus,
    /// Where the source was published, by its own header.
    #[serde(default, skip_serializing_if = "Publication::is_empty")]
    pub publication: Publication,
    /// The path or URL of the source.
    pub locator: String,
    /// The kind of source; `None` if nothing tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<SourceCategory>,
    /// The reliability, from the credibility of the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reliability: Option<Reliability>,
    /// The error at that URL, if it was checked again and the page was gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dead: Option<DeadLink>,
    /// The entry in a citation style, if one was requested.
    pub formatted: Option<String>,
}

/// The document of an edition.
pub fn document(edition: &Edition<'_>) -> Document {
    let (report, outline) = (edition.report, Outline::of_edition(edition));
    // A summary keeps the fields of the schema, so that one parser reads every kind.
    let is_complete = edition.kind != Kind::Summary;
    let shown: Vec<&str> = outline
        .parts
        .iter()
        .flat_map(|part| part.body.claims())
        .map(|claim| claim.id.as_str())
        .collect();
    // In a summary, these fields stay empty.
    let complete: Option<&Report> = is_complete.then_some(report);
    let list =
        |field: fn(&Report) -> &Vec<String>| complete.map(field).cloned().unwrap_or_default();
    let unanswered = match report.outcome {
        ReportOutcome::Answered => not_answered(report),
        _ => None,
    };
    Document {
        version: Version,
        session: edition.session.id.clone(),
        started_at: edition.session.started_at.clone(),
        round: edition.round,
        published: edition.is_published,
        kind: edition.kind,
        review: edition.review.map(|review| Judgement {
            score: review.score,
            threshold: review.threshold,
            below_threshold: edition.below.is_some(),
            decision: review.decision,
            criteria: review.criteria.clone(),
        }),
        title: report.title.clone(),
        topic: report.topic.clone(),
        outcome: Outcome::of(report.outcome, unanswered.is_some()),
        not_answered: unanswered,
        rules_answered: edition.by_rules.clone(),
        direct_response: report.direct_response.clone(),
        depth: report.depth,
        executive_summary: report.executive_summary.clone(),
        sections: complete.map_or(Vec::new(), |report| report.sections.clone()),
        disagreements: report.disagreements.clone(),
        series: complete.map_or(Vec::new(), |report| report.series.clone()),
        open_questions: list(|report| &report.open_questions),
        conclusion: list(|report| &report.conclusion),
        themes: list(|report| &report.themes),
        public_opinion: complete.and_then(|report| report.public_opinion.clone()),
        claims: report
            .claims
            .iter()
            .filter(|claim| is_complete || shown.contains(&claim.id.as_str()))
            .map(|claim| exported(edition, &outline, claim))
            .collect(),
        positions: markdown::positions_in(&outline),
        verification: report.verification.clone(),
        references: references(&outline),
        limits: report.limits.clone(),
    }
}

fn exported(edition: &Edition<'_>, outline: &Outline<'_>, claim: &Claim) -> ExportedClaim {
    let verdicts = &edition.report.verdicts;
    let verdict = verdicts.iter().find(|verdict| verdict.claim == claim.id);
    // A citation of a source that is not among the references has no number to refer to.
    let citations = claim.citations.iter().filter_map(|citation| {
        Some(ExportedCitation {
            reference: outline.entry(&citation.source)?.number,
            source: citation.source.clone(),
            passage: citation.passage.clone(),
            start: citation.start,
            end: citation.end,
            line: citation.line,
            page: citation.page,
            quote: citation.quote.clone(),
        })
    });
    ExportedClaim {
        id: claim.id.clone(),
        text: claim.text.clone(),
        confidence: claim.confidence,
        corroboration: edition.corroboration(claim),
        verdict: verdict.map(|verdict| verdict.verdict),
        reason: verdict.map(|verdict| verdict.reason.clone()),
        remarks: outline.all_remarks(claim),
        citations: citations.collect(),
    }
}

fn references(outline: &Outline<'_>) -> Vec<ExportedReference> {
    let entries = outline.references.iter().map(|entry| ExportedReference {
        number: entry.number,
        source: entry.reference.source.clone(),
        title: entry.reference.title.clone(),
        author: entry.reference.author.clone(),
        date: entry.reference.date.clone(),
        status: entry.reference.status.clone(),
        publication: entry.reference.publication.clone(),
        locator: entry.reference.locator.clone(),
        category: entry.reference.category,
        reliability: entry.reference.reliability,
        dead: entry.reference.dead.clone(),
        formatted: entry
            .styled
            .as_ref()
            .map(|segments| segments.iter().map(Segment::text).collect()),
    });
    let mut references: Vec<ExportedReference> = entries.collect();
    // The outline of an academic report is sorted by author; this document is by number.
    references.sort_by_key(|reference| reference.number);
    references
}
