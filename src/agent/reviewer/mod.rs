//! The reviewer's criteria and the decision on a round: a weighted mean of seven scores,
//! compared with the threshold, and notes that ask for what would raise the score.
//!
//! The weights of the review are settings (`reviewer.weights`). The criteria are length, summary,
//! structure, citations, comprehensiveness, clarity and efficiency, each 0 to 1. The rule (the
//! plain code that stands in for a model) counts them all. If there is a model, it scores summary,
//! structure, comprehensiveness and clarity; the others are counted all the same.

mod model;

use std::collections::BTreeSet;

use super::answer::rounded;
use super::definition::Agent;
use crate::answering::Question;
use crate::artifact::claims::Claim;
use crate::artifact::classification::Kind;
use crate::artifact::documents::LARGE_COLLECTION;
use crate::artifact::plan::Facet;
use crate::artifact::report::ReportOutcome;
use crate::artifact::review::{Criterion, Note, NoteRequest, ReviewDecision};
use crate::artifact::verification::Verdict;
use crate::artifact::{Report, Research, Review};
use crate::config::ReviewWeights;
use crate::model::{Phase, Tier};
use crate::text;

/// The number of claims that a question for a single fact wants: the answer and what supports it.
const FACTUAL_CLAIMS: usize = 3;

/// The factor on the score of a summary whose first claim lacks the type of the answer.
const OTHER_TYPE: f64 = 0.5;

/// The factor on the score of a summary that says that the topic is not answered as asked. Readers
/// found some that answer: their margin tells them from those that do not.
const NOT_AS_ASKED: f64 = 0.4;

/// The largest number of parts (sections, disagreements) that the structure is expected to have.
const MAX_EXPECTED_PARTS: usize = 3;

/// The weight of the topic's terms in comprehensiveness. Chosen by hand.
const TERM_COVERAGE: f64 = 0.5;

/// The weight of the aspects in comprehensiveness. Chosen by hand.
const ASPECT_COVERAGE: f64 = 0.5;

/// The reviewer.
pub struct Reviewer;

/// The reviewer's input.
#[derive(Debug, Clone)]
pub struct ReviewerInput {
    /// The report.
    pub report: Report,
    /// The research that it was made from.
    pub research: Research,
    /// The weights of the criteria.
    pub weights: ReviewWeights,
    /// The least score with which a round is accepted.
    pub threshold: f64,
    /// The number of claims that the depth asks for.
    pub wanted_claims: usize,
    /// `true` if a note may ask for more research.
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
        // A report without an answer scores 0 and gets no notes: no revision would change it.
        let is_answer = input.report.outcome == ReportOutcome::Answered;
        let score = if is_answer {
            weighted_mean(&criteria)
        } else {
            0.0
        };
        let notes = if is_answer { notes(input) } else { Vec::new() };
        // A direct answer and a collection of opinions have no claims to judge: they are published
        // without a review.
        let decision = match input.report.outcome {
            ReportOutcome::Direct | ReportOutcome::Opinions => ReviewDecision::Accept,
            ReportOutcome::Answered | ReportOutcome::NoEvidence => {
                decision(score, input.threshold, &notes)
            }
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

/// The score of a round: the mean of its criteria by their weights.
fn weighted_mean(criteria: &[Criterion]) -> f64 {
    let weight: f64 = criteria.iter().map(|criterion| criterion.weight).sum();
    let sum: f64 = criteria
        .iter()
        .map(|criterion| criterion.score * criterion.weight)
        .sum();
    rounded(sum / weight)
}

/// The decision: accept from the threshold on, settle if no note says what to do, else revise, or
/// research first if a note asks for it.
fn decision(score: f64, threshold: f64, notes: &[Note]) -> ReviewDecision {
    let is_research = |note: &Note| matches!(note.request, NoteRequest::Research { .. });
    if score >= threshold {
        ReviewDecision::Accept
    // Without a note, another round would give the same report.
    } else if notes.is_empty() {
        ReviewDecision::Settle
    } else if notes.iter().any(is_research) {
        ReviewDecision::NeedsResearch
    } else {
        ReviewDecision::Revise
    }
}

/// The criteria of a review.
fn criteria(input: &ReviewerInput) -> Vec<Criterion> {
    let (report, weights) = (&input.report, &input.weights);
    let verification = &report.verification;
    let claims = report.claims.len();
    let parts = report.sections.len() + usize::from(!report.disagreements.is_empty());
    let topic_terms = input.research.classification.terms.len();
    let covered = covered_terms(input).len();
    let (used, useful) = (used_steps(input).len(), useful_steps(input).len());
    // A report can have no more parts than there are steps with findings.
    let wanted_parts = useful.clamp(1, MAX_EXPECTED_PARTS);
    let clear = report
        .claims
        .iter()
        .filter(|claim| is_clear(&claim.text))
        .count();
    let question = Question::parse(&report.topic);
    let wanted = if question.answer_type.is_factual() {
        FACTUAL_CLAIMS.min(input.wanted_claims)
    } else {
        input.wanted_claims
    };
    // Both shares: a report may name each term in one section, or have all sections on one term.
    let comprehensiveness =
        TERM_COVERAGE * share(covered, topic_terms) + ASPECT_COVERAGE * share(used, useful);
    vec![
        criterion(
            "length",
            share(claims, wanted),
            weights.length,
            format!("{claims} claims, {wanted} wanted at this depth"),
        ),
        criterion(
            "summary",
            summary_score(input),
            weights.summary,
            summary_reason(input),
        ),
        criterion(
            "structure",
            share(parts, wanted_parts),
            weights.structure,
            format!("{}, {wanted_parts} wanted", text::counted(parts, "part")),
        ),
        criterion(
            "citations",
            share(verification.supported, verification.claims),
            weights.citations,
            format!(
                "{} of {} claims verified",
                verification.supported, verification.claims
            ),
        ),
        criterion(
            "comprehensiveness",
            comprehensiveness,
            weights.comprehensiveness,
            format!("{covered} of {topic_terms} terms of the topic, {used} of {useful} aspects"),
        ),
        criterion(
            "clarity",
            share(clear, claims),
            weights.clarity,
            format!("{clear} of {claims} claims stand by themselves"),
        ),
        efficiency(input),
    ]
}

/// The number of supported claims per search and per step. One claim for each of them is the full
/// score.
fn efficiency(input: &ReviewerInput) -> Criterion {
    let supported = input.report.verification.supported;
    let searches = input.research.search_queries.len();
    let steps = input.research.findings.len();
    let [claims, spent, on] = [
        (supported, "supported claim"),
        (searches, "query"),
        (steps, "step"),
    ]
    .map(|(count, noun)| text::counted(count, noun));
    criterion(
        "efficiency",
        share(supported, searches + steps),
        input.weights.efficiency,
        format!("{claims} from {spent} in {on}"),
    )
}

/// The score of the summary: the share of the questions of the topic that are answered, times the
/// score of its first claim, and less if it says that the topic is not answered as asked.
/// A chronicle is its own summary.
fn summary_score(input: &ReviewerInput) -> f64 {
    let certainty = if input.report.unanswered.is_empty() {
        1.0
    } else {
        NOT_AS_ASKED
    };
    if input.research.classification.kind == Kind::Chronicle {
        return certainty;
    }
    let steps = input.research.plan.steps.iter();
    let further = steps.filter(|step| step.facet == Facet::Question).count();
    let unanswered = input.report.unanswered_questions.len();
    let answered = share(1 + further - unanswered.min(further), 1 + further);
    certainty * answered * first_score(input)
}

/// The score of the summary as the answer to the topic, or to the first question of it.
fn first_score(input: &ReviewerInput) -> f64 {
    let claims = summary_claims(input);
    let Some(first) = claims.first() else {
        return 0.0;
    };
    let question = Question::parse(&input.report.topic);
    // "Where do the documents disagree?" asks for no place.
    let texts = first.heading.iter().chain([&first.text]);
    let is_of_type = question.asks_for_disagreement()
        || texts
            .into_iter()
            .any(|own| question.is_answered_by_type(own));
    let type_share = if is_of_type { 1.0 } else { OTHER_TYPE };
    match input.report.confidence {
        Some(confidence) => type_share * aboutness(input, confidence),
        // A model writes its own sentences and estimates no confidence: their words decide.
        None => {
            let met = |claim: &&Claim| question.share_met(&with_titles(input, claim));
            type_share * claims.iter().map(met).sum::<f64>() / claims.len() as f64
        }
    }
}

/// The degree to which quotations answer, 0 to 1: the confidence in the first, times `m / (m + 1)`
/// of its margin `m` in the ranking. Where nine other sentences are as good as the best, it is one
/// of many that share some words with the question.
///
/// Readers graded 120 reports on 648 design documents and 1,400 abstracts, each twice, before and
/// after some change: the rank correlation of this with their grades is 0.49 to 0.51 in the four
/// halves, that of the confidence alone 0.32 to 0.56; over 60 reports to questions that nothing was
/// tuned on 0.55.
fn aboutness(input: &ReviewerInput, confidence: f64) -> f64 {
    // In a small collection any document may be on topic, and any part of it.
    if input.research.documents.searched < LARGE_COLLECTION {
        return confidence;
    }
    let margin = input.research.findings.iter().find_map(|own| own.margin);
    confidence * margin.map_or(1.0, |margin| margin / (margin + 1.0))
}

fn summary_claims(input: &ReviewerInput) -> Vec<&Claim> {
    let ids = input.report.executive_summary.iter();
    ids.filter_map(|id| input.report.claim(id)).collect()
}

/// The words of a claim and of the titles of its sources.
fn with_titles(input: &ReviewerInput, claim: &Claim) -> String {
    let titles = claim
        .citations
        .iter()
        .filter_map(|citation| input.research.source(&citation.source))
        .map(|source| source.title.as_str());
    std::iter::once(claim.text.as_str())
        .chain(titles)
        .collect::<Vec<_>>()
        .join("\n")
}

/// The reason for the score of the summary.
fn summary_reason(input: &ReviewerInput) -> String {
    let summary = text::counted(input.report.executive_summary.len(), "claim");
    if !input.report.unanswered.is_empty() {
        return format!("{summary} in brief, none of which answers what is asked");
    }
    match input.report.confidence {
        Some(confidence) => {
            format!("{summary} in brief, confidence {confidence:.2} that the first answers")
        }
        None => format!("{summary} in brief"),
    }
}

fn criterion(name: &str, score: f64, weight: f64, reason: String) -> Criterion {
    Criterion {
        name: name.to_owned(),
        score: rounded(score),
        weight,
        reason,
    }
}

/// `true` if the first sentence of a claim can be understood by itself. "[…]" at its beginning
/// stands for a connective that was left out.
fn is_clear(claim: &str) -> bool {
    // Documents without capital letters begin their sentences in lower case.
    let cased = text::with_capital(claim);
    let claim = &*cased;
    let sentences = text::sentences(claim, 0..claim.len());
    let first = sentences.first().map(|range| &claim[range.clone()]);
    first.is_some_and(|first| {
        first.starts_with("[…]")
            || text::is_self_contained(first)
            || text::is_self_contained_question(first)
    })
}

/// The share of a part in a whole, at most 1; 0 if the whole is 0.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    (part as f64 / whole as f64).min(1.0)
}

/// The terms of the topic that a claim contains.
fn covered_terms(input: &ReviewerInput) -> BTreeSet<&str> {
    let in_claims: BTreeSet<String> = input
        .report
        .claims
        .iter()
        .flat_map(|claim| text::terms(&claim.text))
        .collect();
    input
        .research
        .classification
        .terms
        .iter()
        .filter(|term| in_claims.contains(*term))
        .map(String::as_str)
        .collect()
}

/// The steps with findings.
fn useful_steps(input: &ReviewerInput) -> Vec<&str> {
    input
        .research
        .findings
        .iter()
        .filter(|finding| !finding.passages.is_empty())
        .map(|finding| finding.step.as_str())
        .collect()
}

/// The steps of whose passages the report cites at least half.
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
    input
        .report
        .claims
        .iter()
        .flat_map(|claim| &claim.citations)
        .map(|citation| citation.passage.as_str())
        .collect()
}

/// The notes: drop claims that failed verification, widen steps, cover or research terms.
fn notes(input: &ReviewerInput) -> Vec<Note> {
    let mut notes = drops(input);
    notes.extend(another_first(input));
    // More of what does not answer is no answer: only what is missing can help there.
    if input.report.unanswered.is_empty() {
        notes.extend(widenings(input));
    }
    notes.extend(missing_terms(input));
    notes
}

/// A note to drop the passage of each claim that failed verification.
fn drops(input: &ReviewerInput) -> Vec<Note> {
    input
        .report
        .verdicts
        .iter()
        .filter(|checked| checked.verdict != Verdict::Supported)
        .filter_map(|checked| input.report.claim(&checked.claim))
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

/// A note to drop the first claim of the summary if it lacks the type of the answer and another one
/// has it: "when" is not answered by a sentence without a date.
fn another_first(input: &ReviewerInput) -> Option<Note> {
    let question = Question::parse(&input.report.topic);
    let claims = summary_claims(input);
    let (first, others) = claims.split_first()?;
    let has_type = |claim: &Claim| question.is_answered_by_type(&claim.text);
    if has_type(first) || !others.iter().any(|claim| has_type(claim)) {
        return None;
    }
    let passage = first.citations.first()?.passage.clone();
    Some(Note {
        criterion: "summary".to_owned(),
        text: format!("{} lacks what is asked for: do without {passage}", first.id),
        request: NoteRequest::Drop { passage },
    })
}

/// A note for each step of which the report uses less than half: to use more of it.
fn widenings(input: &ReviewerInput) -> Vec<Note> {
    let used = used_steps(input);
    useful_steps(input)
        .into_iter()
        .filter(|step| !used.contains(step))
        .map(|step| Note {
            criterion: "comprehensiveness".to_owned(),
            request: NoteRequest::Widen {
                step: step.to_owned(),
            },
            text: format!("step {step} found more than the report uses: use it"),
        })
        .collect()
}

/// A note for each term of the topic that no claim contains: to cover it if a passage contains it,
/// else to research it by itself, once.
fn missing_terms(input: &ReviewerInput) -> Vec<Note> {
    let covered = covered_terms(input);
    let in_passages: BTreeSet<String> = input
        .research
        .passages
        .iter()
        .flat_map(|passage| text::terms(&passage.quote))
        .collect();
    // A term that was researched before has a step of its own, named in the title.
    let researched: BTreeSet<&str> = input
        .research
        .plan
        .steps
        .iter()
        .filter(|step| step.facet == Facet::Term)
        .map(|step| step.heading())
        .collect();
    let may_research = |term: &str| {
        input.may_research
            && input.research.documents.is_discriminative(term)
            && !researched.contains(term)
    };
    let note = |request: NoteRequest, text: String| Note {
        criterion: "comprehensiveness".to_owned(),
        request,
        text,
    };
    input
        .research
        .classification
        .terms
        .iter()
        .filter(|term| !covered.contains(term.as_str()))
        .filter_map(|term| {
            if in_passages.contains(term) {
                let text = format!("a passage speaks of {term:?}, the report does not: use it");
                Some(note(NoteRequest::Cover { term: term.clone() }, text))
            } else if may_research(term) {
                let text = format!("no passage speaks of {term:?}: research it");
                Some(note(NoteRequest::Research { term: term.clone() }, text))
            } else {
                None
            }
        })
        .collect()
}
