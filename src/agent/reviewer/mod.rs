//! Scores the round by criteria that can be counted, and asks for what would raise the score.

mod model;

use std::collections::BTreeSet;

use super::answer::rounded;
use super::definition::Agent;
use crate::artifact::classification::Kind;
use crate::artifact::plan::Facet;
use crate::artifact::report::ReportOutcome;
use crate::artifact::review::{Criterion, Note, NoteRequest, ReviewDecision};
use crate::artifact::verification::Verdict;
use crate::artifact::{Report, Research, Review};
use crate::config::ReviewWeights;
use crate::model::{Phase, Tier};
use crate::text;

/// The reviewer.
pub struct Reviewer;

/// What the reviewer sees.
#[derive(Debug, Clone)]
pub struct ReviewerInput {
    /// The report.
    pub report: Report,
    /// What it was made from.
    pub research: Research,
    /// What the score is made up of.
    pub weights: ReviewWeights,
    /// The score from which a round is accepted.
    pub threshold: f64,
    /// Claims that the depth asks for.
    pub wanted_claims: usize,
    /// Whether more may be researched.
    pub may_research: bool,
}

impl Agent for Reviewer {
    type Input = ReviewerInput;
    type Output = Review;
    const NAME: &'static str = "reviewer";
    const TIER: Tier = Tier::Analytical;
    const PHASE: Phase = Phase::Finishing;
    const PROMPT: &'static str = include_str!("../../../prompts/reviewer.md");

    fn rule(input: &ReviewerInput) -> Review {
        let criteria = criteria(input);
        let weight: f64 = criteria.iter().map(|criterion| criterion.weight).sum();
        let sum: f64 = criteria
            .iter()
            .map(|criterion| criterion.score * criterion.weight)
            .sum();
        let answered = input.report.outcome == ReportOutcome::Answered;
        let score = if answered { rounded(sum / weight) } else { 0.0 };
        let notes = if answered { notes(input) } else { Vec::new() };
        let needs_research = notes
            .iter()
            .any(|note| matches!(note.request, NoteRequest::Research { .. }));
        let decision = if score >= input.threshold {
            ReviewDecision::Accept
        } else if notes.is_empty() {
            ReviewDecision::Settle
        } else if needs_research {
            ReviewDecision::NeedsResearch
        } else {
            ReviewDecision::Revise
        };
        Review {
            score,
            threshold: input.threshold,
            decision,
            criteria,
            notes,
        }
    }
}

fn criteria(input: &ReviewerInput) -> Vec<Criterion> {
    let (report, weights) = (&input.report, &input.weights);
    let claims = report.claims.len();
    let parts = report.sections.len() + usize::from(!report.disagreements.is_empty());
    let found = input
        .research
        .findings
        .iter()
        .filter(|finding| !finding.passages.is_empty());
    let wanted_parts = found.count().clamp(1, 3);
    let (covered, terms) = (
        covered_terms(input).len(),
        input.research.classification.terms.len(),
    );
    let (used, useful) = (used_steps(input).len(), useful_steps(input).len());
    let clear = report
        .claims
        .iter()
        .filter(|claim| reads_alone(&claim.text))
        .count();
    let summary = report.executive_summary.len();
    vec![
        criterion(
            "length",
            share(claims, input.wanted_claims),
            weights.length,
            || {
                format!(
                    "{claims} claims, {} wanted at this depth",
                    input.wanted_claims
                )
            },
        ),
        criterion("summary", summary_score(input), weights.summary, || {
            format!("{summary} claims in brief, at least 2 wanted")
        }),
        criterion(
            "structure",
            share(parts, wanted_parts),
            weights.structure,
            || format!("{parts} parts, {wanted_parts} wanted"),
        ),
        criterion(
            "citations",
            share(report.verification.supported, report.verification.claims),
            weights.citations,
            || {
                format!(
                    "{} of {} claims verified",
                    report.verification.supported, report.verification.claims
                )
            },
        ),
        criterion(
            "comprehensiveness",
            0.5 * share(covered, terms) + 0.5 * share(used, useful),
            weights.comprehensiveness,
            || format!("{covered} of {terms} terms of the topic, {used} of {useful} aspects"),
        ),
        criterion("clarity", share(clear, claims), weights.clarity, || {
            format!("{clear} of {claims} claims stand by themselves")
        }),
    ]
}

/// The share of two claims in brief; a chronicle is its own summary.
fn summary_score(input: &ReviewerInput) -> f64 {
    match input.research.classification.kind {
        Kind::Chronicle => 1.0,
        _ => share(input.report.executive_summary.len(), 2),
    }
}

fn criterion(name: &str, score: f64, weight: f64, reason: impl Fn() -> String) -> Criterion {
    Criterion {
        name: name.to_owned(),
        score: rounded(score),
        weight,
        reason: reason(),
    }
}

/// Whether the first sentence of a claim is understood by itself.
fn reads_alone(claim: &str) -> bool {
    let sentences = text::sentences(claim, 0..claim.len());
    let first = sentences.first().map(|range| &claim[range.clone()]);
    first.is_some_and(|first| {
        first.starts_with("[…]")
            || text::is_self_contained(first)
            || text::is_self_contained_question(first)
    })
}

/// Part of a whole, at most 1; 0 of nothing.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    (part as f64 / whole as f64).min(1.0)
}

fn covered_terms(input: &ReviewerInput) -> BTreeSet<&str> {
    let said: BTreeSet<String> = input
        .report
        .claims
        .iter()
        .flat_map(|claim| text::terms(&claim.text))
        .collect();
    let terms = input.research.classification.terms.iter();
    terms
        .filter(|term| said.contains(*term))
        .map(String::as_str)
        .collect()
}

/// The steps that found something.
fn useful_steps(input: &ReviewerInput) -> Vec<&str> {
    let findings = input.research.findings.iter();
    let found = findings.filter(|finding| !finding.passages.is_empty());
    found.map(|finding| finding.step.as_str()).collect()
}

/// The steps of whose passages at least half are used.
fn used_steps(input: &ReviewerInput) -> BTreeSet<&str> {
    let cited = cited_passages(input);
    let findings = input.research.findings.iter();
    findings
        .filter(|finding| {
            let used = finding
                .passages
                .iter()
                .filter(|id| cited.contains(id.as_str()))
                .count();
            used > 0 && 2 * used >= finding.passages.len()
        })
        .map(|finding| finding.step.as_str())
        .collect()
}

fn cited_passages(input: &ReviewerInput) -> BTreeSet<&str> {
    let citations = input
        .report
        .claims
        .iter()
        .flat_map(|claim| &claim.citations);
    citations
        .map(|citation| citation.passage.as_str())
        .collect()
}

fn notes(input: &ReviewerInput) -> Vec<Note> {
    let mut notes = drops(input);
    notes.extend(widenings(input));
    notes.extend(missing_terms(input));
    notes
}

fn drops(input: &ReviewerInput) -> Vec<Note> {
    let failed = input
        .report
        .verdicts
        .iter()
        .filter(|found| found.verdict != Verdict::Supported);
    let claims = failed.filter_map(|found| input.report.claim(&found.claim));
    claims
        .filter_map(|claim| {
            let passage = claim.citations.first()?.passage.clone();
            Some(Note {
                criterion: "citations".to_owned(),
                text: format!("{} does not hold: do without {passage}", claim.id),
                request: NoteRequest::Drop { passage },
            })
        })
        .collect()
}

fn widenings(input: &ReviewerInput) -> Vec<Note> {
    let used = used_steps(input);
    let steps = useful_steps(input)
        .into_iter()
        .filter(|step| !used.contains(step));
    steps
        .map(|step| Note {
            criterion: "comprehensiveness".to_owned(),
            request: NoteRequest::Widen {
                step: step.to_owned(),
            },
            text: format!("step {step} found more than the report uses: use it"),
        })
        .collect()
}

/// Terms of the topic that no claim holds: used if a passage holds them, else researched by
/// themselves, once.
fn missing_terms(input: &ReviewerInput) -> Vec<Note> {
    let covered = covered_terms(input);
    let passages = input.research.passages.iter();
    let found: BTreeSet<String> = passages
        .flat_map(|passage| text::terms(&passage.quote))
        .collect();
    let steps = input
        .research
        .plan
        .steps
        .iter()
        .filter(|step| step.facet == Facet::Term);
    let researched: BTreeSet<&str> = steps
        .map(|step| step.title.trim_start_matches("Research "))
        .collect();
    let may_research = |term: &str| {
        input.may_research
            && input.research.documents.is_discriminative(term)
            && !researched.contains(term)
    };
    let terms = input.research.classification.terms.iter();
    terms
        .filter(|term| !covered.contains(term.as_str()))
        .filter_map(|term| {
            let (request, text) = if found.contains(term) {
                let request = NoteRequest::Cover { term: term.clone() };
                (
                    request,
                    format!("a passage speaks of {term:?}, the report does not: use it"),
                )
            } else if may_research(term) {
                let request = NoteRequest::Research { term: term.clone() };
                (
                    request,
                    format!("no passage speaks of {term:?}: research it"),
                )
            } else {
                return None;
            };
            Some(Note {
                criterion: "comprehensiveness".to_owned(),
                request,
                text,
            })
        })
        .collect()
}
