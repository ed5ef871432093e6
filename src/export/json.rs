//! A report as one JSON document for other programs. Its shape has a version of its own: fields are
//! added within one, never changed or taken away.

use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Serialize};

use super::citation::Segment;
use super::outline::Outline;
use super::{Edition, Format, Kind};
use crate::artifact;
use crate::artifact::claims::{Claim, Disagreement, DraftSection};
use crate::artifact::links::DeadLink;
use crate::artifact::report::ReportOutcome;
use crate::artifact::review::{Criterion, ReviewDecision};
use crate::artifact::session::Depth;
use crate::artifact::verification::{Verdict, VerificationSummary};
use crate::pipeline::Version;

/// The file's name without `.json`, as `research schema` takes it.
pub const NAME: &str = "final_report";

/// JSON for other programs.
pub const FORMAT: Format = Format {
    name: "json",
    extension: "json",
    about: "JSON for other programs",
    needs_texts: false,
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
    /// The version of this document's shape.
    pub version: Version<1>,
    /// The session.
    pub session: String,
    /// When it was opened, RFC 3339.
    pub started_at: String,
    /// The round, from 1.
    pub round: u32,
    /// Whether it is the round that was published.
    pub published: bool,
    /// What of the report is here. In a summary, parts that it leaves out are empty.
    pub kind: Kind,
    /// What its review came to, if it was made.
    pub review: Option<Judgement>,
    /// Its title.
    pub title: String,
    /// What was asked.
    pub topic: String,
    /// Whether there is an answer at all.
    pub outcome: ReportOutcome,
    /// How much was done.
    pub depth: Depth,
    /// In brief: ids of claims, best first.
    pub executive_summary: Vec<String>,
    /// In order.
    pub sections: Vec<DraftSection>,
    /// Where the sources disagree.
    pub disagreements: Vec<Disagreement>,
    /// Aspects on which nothing was found.
    pub open_questions: Vec<String>,
    /// Claims in which a source recommends something, by id.
    pub conclusion: Vec<String>,
    /// Phrases that several sources share.
    pub themes: Vec<String>,
    /// Every claim that is used.
    pub claims: Vec<ExportedClaim>,
    /// Of all claims of the draft, those that failed included.
    pub verification: VerificationSummary,
    /// What was read for it.
    pub references: Vec<ExportedReference>,
    /// What this research could not do, in sentences.
    pub limits: Vec<String>,
}

/// What a review came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// 0 to 1.
    pub score: f64,
    /// The score that was wanted.
    pub threshold: f64,
    /// Whether the report is marked as below the threshold.
    pub below_threshold: bool,
    /// What was done with the round.
    pub decision: ReviewDecision,
    /// What the score is made up of.
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
    /// 0 to 1.
    pub confidence: f64,
    /// What its check found.
    pub verdict: Option<Verdict>,
    /// Why.
    pub reason: Option<String>,
    /// What it rests on, best first.
    pub citations: Vec<ExportedCitation>,
}

/// A claim's link to a passage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportedCitation {
    /// The number of the reference.
    pub reference: usize,
    /// The source.
    pub source: String,
    /// The passage in `research.json`.
    pub passage: String,
    /// First byte in the source's stored text, from 0.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The text of that range, exactly.
    pub quote: String,
}

/// One entry of the list of references.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportedReference {
    /// Its number, from 1, without gaps.
    pub number: usize,
    /// The source.
    pub source: String,
    /// Its title.
    pub title: String,
    /// Who wrote it, if known.
    pub author: Option<String>,
    /// When, if known.
    pub date: Option<String>,
    /// Where it is.
    pub locator: String,
    /// What is wrong with that address, if it was looked at again and the page was gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dead: Option<DeadLink>,
    /// The entry as a journal prints it, if a style was asked for.
    pub formatted: Option<String>,
}

/// The document of an edition.
pub fn document(edition: &Edition<'_>) -> Document {
    let (report, outline) = (edition.report, Outline::of_edition(edition));
    let is_whole = edition.kind != Kind::Summary;
    let all = |values: &[String]| {
        if is_whole {
            values.to_vec()
        } else {
            Vec::new()
        }
    };
    let shown: Vec<&str> = outline
        .parts
        .iter()
        .flat_map(|part| part.body.claims())
        .map(|claim| claim.id.as_str())
        .collect();
    let claims = report.claims.iter();
    let claims = claims.filter(|claim| is_whole || shown.contains(&claim.id.as_str()));
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
        outcome: report.outcome,
        depth: report.depth,
        executive_summary: report.executive_summary.clone(),
        sections: if is_whole {
            report.sections.clone()
        } else {
            Vec::new()
        },
        disagreements: report.disagreements.clone(),
        open_questions: all(&report.open_questions),
        conclusion: all(&report.conclusion),
        themes: all(&report.themes),
        claims: claims
            .map(|claim| exported(edition, &outline, claim))
            .collect(),
        verification: report.verification.clone(),
        references: references(&outline),
        limits: report.limits.clone(),
    }
}

fn exported(edition: &Edition<'_>, outline: &Outline<'_>, claim: &Claim) -> ExportedClaim {
    let mut verdicts = edition.report.verdicts.iter();
    let verdict = verdicts.find(|verdict| verdict.claim == claim.id);
    let citations = claim.citations.iter().filter_map(|citation| {
        Some(ExportedCitation {
            reference: outline.entry(&citation.source)?.number,
            source: citation.source.clone(),
            passage: citation.passage.clone(),
            start: citation.start,
            end: citation.end,
            quote: citation.quote.clone(),
        })
    });
    ExportedClaim {
        id: claim.id.clone(),
        text: claim.text.clone(),
        confidence: claim.confidence,
        verdict: verdict.map(|verdict| verdict.verdict),
        reason: verdict.map(|verdict| verdict.reason.clone()),
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
        locator: entry.reference.locator.clone(),
        dead: entry.reference.dead.clone(),
        formatted: entry
            .styled
            .as_ref()
            .map(|segments| segments.iter().map(Segment::text).collect()),
    });
    let mut references: Vec<ExportedReference> = entries.collect();
    references.sort_by_key(|reference| reference.number);
    references
}
