//! The analyst turns findings into insights with their confidence, themes, contradictions, gaps,
//! the credibility of the sources and a knowledge graph; by rule without a word of its own.
//!
//! The weights here were set by hand, while reading the reports on twenty questions to the 648 Rust
//! RFCs; `benches/reports.rs` guards their effect over the same corpus.

mod category;
mod check;
mod contradiction;
mod credibility;
mod denied;
#[cfg(test)]
mod fixture;
mod knowledge;
mod mention;
mod model;
mod party;
mod relation;
mod reply;
mod theme;

use std::collections::{BTreeMap, BTreeSet};

use super::answer::rounded;
use super::definition::Agent;
use crate::answering::{AnswerType, DOUBT_THRESHOLD, Question};
use crate::artifact::analysis::{Analysis, Conclusion, Contradiction, Insight};
use crate::artifact::plan::{Facet, PlanStep};
use crate::artifact::review::{Note, NoteRequest};
use crate::artifact::source::{Lifecycle, Passage, Source};
use crate::artifact::{Analysis as Output, Research};
use crate::model::{Phase, Tier};
use crate::text;
use contradiction::ParsedPassage;

/// The least relevance of a passage that is used, as a share of the best passage of its step:
/// anything below reads as padding.
const RELEVANCE_CUT: f64 = 0.88;

/// The same for a step that a review wants widened, and for a chronicle, which has all entries.
const WIDE_RELEVANCE_CUT: f64 = 0.5;

/// The maximum number of insights in the summary.
const SUMMARY_INSIGHTS: usize = 3;

/// The maximum number of words of the summary: what is read at a glance.
const SUMMARY_WORDS: usize = 90;

/// The weight of relevance in an insight's confidence.
const CONFIDENCE_RELEVANCE: f64 = 0.5;

/// The weight of agreement in an insight's confidence.
const CONFIDENCE_AGREEMENT: f64 = 0.5;

/// The number of sources from which agreement is full.
const FULL_AGREEMENT: f64 = 3.0;

/// The factor on the confidence of an insight that another source contradicts, and on the strength
/// of its corroboration.
const DISPUTED: f64 = 0.7;

/// The analyst.
pub struct Analyst;

/// The analyst's input.
#[derive(Debug, Clone)]
pub struct AnalystInput {
    /// The findings.
    pub research: Research,
    /// The notes of earlier reviews of this research.
    pub notes: Vec<Note>,
}

impl Agent for Analyst {
    type Input = AnalystInput;
    type Output = Output;
    const NAME: &'static str = "analyst";
    const TIER: Tier = Tier::Analytical;
    const PHASE: Phase = Phase::Finishing;
    const PROMPT: &'static str = include_str!("../../../prompts/analyst.md");

    fn rule(input: &AnalystInput) -> Output {
        let research = &input.research;
        let parsed: BTreeMap<&str, ParsedPassage> = research
            .passages
            .iter()
            .map(|passage| (passage.id.as_str(), ParsedPassage::of(passage, research)))
            .collect();
        // Contradictions first: a passage that contradicts another does not agree with it, however
        // similar the two are.
        let contradictions = contradiction::find(&research.topic, parsed.values());
        let mut insights = insights(input, &parsed, &contradictions);
        credibility::corroborate(research, &mut insights, &contradictions);
        let summary = summary(&insights, research);
        let recommendations = of_facet(&insights, Facet::Recommendations);
        Analysis {
            topic: research.topic.clone(),
            gaps: gaps(research),
            themes: theme::themes(research, &insights),
            conclusion: conclusion(&recommendations, &summary),
            summary_statements: Vec::new(),
            credibility: credibility::credibility(research, &insights, &contradictions),
            knowledge_graph: knowledge::graph(research),
            summary,
            recommendations,
            insights,
            contradictions,
        }
    }
}

/// The conclusion without words: the insights that recommend something, else the best one.
fn conclusion(recommendations: &[String], summary: &[String]) -> Conclusion {
    Conclusion {
        insights: match recommendations {
            [] => summary.iter().take(1).cloned().collect(),
            some => some.to_vec(),
        },
        statements: Vec::new(),
    }
}

/// The insights: for each step its relevant passages in turn, each with the passages of other
/// sources that agree with it. A passage belongs to at most one insight.
fn insights(
    input: &AnalystInput,
    parsed: &BTreeMap<&str, ParsedPassage<'_>>,
    contradictions: &[Contradiction],
) -> Vec<Insight> {
    let contradicts = |one: &str, other: &str| {
        contradictions
            .iter()
            .any(|pair| pair.is_between(one, other))
    };
    // A dropped passage counts as used, so that it neither begins nor joins an insight.
    let mut used: BTreeSet<&str> = dropped(&input.notes);
    let mut insights: Vec<Insight> = Vec::new();
    for (step, passages) in relevant(input) {
        for passage in passages {
            if !used.insert(&passage.id) {
                continue;
            }
            let Some(own) = parsed.get(passage.id.as_str()) else {
                continue;
            };
            let mut agreeing = Vec::new();
            for other in &input.research.passages {
                let is_restatement = parsed
                    .get(other.id.as_str())
                    .is_some_and(|other| own.is_restated_by(other));
                if is_restatement && !contradicts(&passage.id, &other.id) && used.insert(&other.id)
                {
                    agreeing.push(other.id.clone());
                }
            }
            let is_disputed = contradictions.iter().any(|pair| pair.disputes(&passage.id));
            insights.push(Insight {
                id: format!("I{}", insights.len() + 1),
                step: step.id.clone(),
                facet: step.facet,
                passage: passage.id.clone(),
                confidence: confidence(passage.relevance, 1 + agreeing.len(), is_disputed),
                agreeing,
                text: None,
                further: Vec::new(),
                verdict: None,
                corroboration: None,
                quote: None,
            });
        }
    }
    insights
}

/// The confidence of an insight: the mean of its relevance and of the agreement of sources,
/// min(1, n / 3); lower if another source contradicts it.
fn confidence(relevance: f64, sources: usize, is_disputed: bool) -> f64 {
    // Saturates: a fourth source that agrees adds no certainty.
    let agreement = (sources as f64 / FULL_AGREEMENT).min(1.0);
    let confidence = CONFIDENCE_RELEVANCE * relevance + CONFIDENCE_AGREEMENT * agreement;
    rounded(if is_disputed {
        DISPUTED * confidence
    } else {
        confidence
    })
}

/// The passages that reviews want dropped.
fn dropped(notes: &[Note]) -> BTreeSet<&str> {
    notes
        .iter()
        .filter_map(|note| match &note.request {
            NoteRequest::Drop { passage } => Some(passage.as_str()),
            _ => None,
        })
        .collect()
}

/// Each step with those of its passages that are relevant enough, or that a note requests.
fn relevant(input: &AnalystInput) -> Vec<(&PlanStep, Vec<&Passage>)> {
    let research = &input.research;
    let steps = research.plan.steps.iter().filter_map(|step| {
        let mut findings = research.findings.iter();
        let finding = findings.find(|finding| finding.step == step.id)?;
        let passages: Vec<_> = finding
            .passages
            .iter()
            .filter_map(|id| research.passage(id))
            .collect();
        // The cut is relative to the best passage, since scores of different steps do not compare.
        let best = passages
            .iter()
            .map(|passage| passage.relevance)
            .fold(0.0, f64::max);
        // Answers were cut by their scores when they were selected.
        let is_answers = matches!(
            step.facet,
            Facet::Entries | Facet::Overview | Facet::Question | Facet::Side | Facet::Aspect
        );
        let is_wide = is_answers || is_widened(&input.notes, &step.id);
        let cut = if is_wide {
            best * WIDE_RELEVANCE_CUT
        } else {
            best * RELEVANCE_CUT
        };
        let relevant = passages
            .into_iter()
            .filter(|passage| {
                passage.relevance >= cut || is_requested(&input.notes, &passage.quote)
            })
            .collect();
        Some((step, relevant))
    });
    steps.collect()
}

fn is_widened(notes: &[Note], step: &str) -> bool {
    notes
        .iter()
        .any(|note| matches!(&note.request, NoteRequest::Widen { step: other } if other == step))
}

/// `true` if a note asks for a term that the quotation contains.
fn is_requested(notes: &[Note], quote: &str) -> bool {
    let terms = text::terms(quote);
    notes.iter().any(|note| match &note.request {
        NoteRequest::Cover { term } | NoteRequest::Research { term } => {
            // A single word is stemmed, several are as the reviewer wrote them.
            let words = text::terms(term);
            terms.contains(term) || words.len() > 1 && words.iter().all(|word| terms.contains(word))
        }
        _ => false,
    })
}

/// The insights of the summary: the answers, best first, then the best ones on the requested
/// aspect, as many as fit; of a comparison two answers, then each side; of a compound question the
/// first answer to each.
fn summary(insights: &[Insight], research: &Research) -> Vec<String> {
    // A chronicle is its own summary: a selection of its entries would mislead.
    let is_entry = |insight: &Insight| insight.facet == Facet::Entries;
    if insights.iter().any(is_entry) {
        return Vec::new();
    }
    let of = |facet: Facet| {
        insights
            .iter()
            .filter(move |insight| insight.facet == facet)
    };
    // What hardly answers a further question is not told in brief.
    let is_answer = |insight: &&Insight| !research.is_in_doubt(&insight.step, DOUBT_THRESHOLD);
    let further = first_of_each_step(of(Facet::Question).filter(is_answer));
    let sides = first_of_each_step(of(Facet::Side));
    let requested = research.classification.requested_facet;
    // Who asks for drawbacks by name is answered by drawbacks; how and why something is so may
    // stand in a section of its own, beside the sentence with the words of the question.
    let question = Question::parse(&research.topic);
    // The lowest cost is a value, and no drawback.
    let is_named = matches!(
        requested,
        Facet::Costs | Facet::Alternatives | Facet::Recommendations
    ) && question.asks_for_most().is_none()
        && !begins_with_items(of(Facet::Overview).next(), &question, research);
    let named = of(requested).filter(|_| is_named).take(2);
    // The section by that name may be quoted whole as the answer.
    let named = named.map(|insight| {
        let mut answers = of(Facet::Overview);
        let whole = answers.find(|answer| is_part_of(insight, answer, research));
        whole.unwrap_or(insight)
    });
    let beside = of(requested).filter(|insight| insight.facet != Facet::Overview);
    // A fact is told by the sentences that have it, and by nothing else.
    let is_wide = !question.answer_type.is_factual();
    let in_order = named
        .chain(of(Facet::Overview).take(1))
        .chain(further)
        .chain(beside.take(1))
        .chain(of(Facet::Overview).skip(1))
        .take(if sides.is_empty() { usize::MAX } else { 2 })
        .chain(sides)
        .chain(of(Facet::Overview))
        .chain(of(requested))
        .chain(insights.iter().filter(|_| is_wide));
    let in_order: Vec<&Insight> = in_order.collect();
    let in_order = without_withdrawn(in_order, &question, research);
    let mut summary: Vec<&Insight> = Vec::new();
    let mut words = 0;
    for insight in in_order {
        let Some(passage) = research.passage(&insight.passage) else {
            continue;
        };
        let more = text::length_in_words(&passage.quote);
        let is_new = summary.iter().all(|other| other.id != insight.id);
        // The first is taken whatever its length: a summary without the answer is none.
        let fits = summary.is_empty() || words + more <= SUMMARY_WORDS;
        if is_new && fits && summary.len() < SUMMARY_INSIGHTS {
            words += more;
            summary.push(insight);
        }
    }
    if is_wide {
        with_other_source(&mut summary, insights, research);
    }
    in_reading_order(&mut summary, research);
    summary.iter().map(|insight| insight.id.clone()).collect()
}

/// `true` if the first answer is what stands below the heading that names what is asked for,
/// "Risks".
fn begins_with_items(first: Option<&Insight>, question: &Question, research: &Research) -> bool {
    let passage = first.and_then(|first| research.passage(&first.passage));
    let heading = passage.and_then(|own| own.headings.last());
    heading.is_some_and(|own| question.has_items_below(&text::without_number(own)))
}

/// Insights without those of sources that were withdrawn or retracted, if others answer and the
/// question is not about such a source: what it says stands further down, with its mark.
fn without_withdrawn<'a>(
    insights: Vec<&'a Insight>,
    question: &Question,
    research: &Research,
) -> Vec<&'a Insight> {
    let words = text::folded(&question.text);
    let asks_for_withdrawal = words
        .iter()
        .any(|word| word.starts_with("retract") || word.starts_with("withdr"));
    let names = |source: &Source| {
        let mut own = question.named_in(&source.title).into_iter();
        own.any(|term| term.is_name && term.word.starts_with(char::is_alphabetic))
    };
    let is_withdrawn = |insight: &&&Insight| {
        let passage = research.passage(&insight.passage);
        let source = passage.and_then(|own| research.source(&own.source));
        source.is_some_and(|own| own.status.lifecycle == Some(Lifecycle::Withdrawn) && !names(own))
    };
    let (withdrawn, others): (Vec<&Insight>, Vec<&Insight>) =
        insights.iter().partition(|own| is_withdrawn(own));
    let is_asked_about = asks_for_withdrawal || question.asks_what_became();
    let is_needed = is_asked_about || others.is_empty() || withdrawn.is_empty();
    if is_needed { insights } else { others }
}

/// Puts an insight of another source in the place of the last of a summary that quotes nothing but
/// one document of a party, a press release or a letter: beside what that says of its own matter
/// stands what somebody else says.
fn with_other_source<'a>(
    summary: &mut Vec<&'a Insight>,
    insights: &'a [Insight],
    research: &Research,
) {
    let source = |insight: &Insight| {
        let passage = research.passage(&insight.passage)?;
        research.source(&passage.source)
    };
    let only = summary.first().and_then(|first| source(first));
    let Some(party) = only.filter(|only| party::is_of_party(only)) else {
        return;
    };
    let is_other = |insight: &&Insight| source(insight).is_some_and(|own| own.id != party.id);
    if summary.iter().any(is_other) {
        return;
    }
    let not_of_party =
        |insight: &&Insight| source(insight).is_some_and(|own| !party::is_of_party(own));
    if let Some(other) = insights.iter().find(not_of_party) {
        summary.truncate(SUMMARY_INSIGHTS - 1);
        summary.push(other);
    }
}

/// `true` if the passage of an insight is a part of that of another one.
fn is_part_of(insight: &Insight, whole: &Insight, research: &Research) -> bool {
    let passages = [insight, whole].map(|own| research.passage(&own.passage));
    let [Some(part), Some(whole)] = passages else {
        return false;
    };
    part.source == whole.source && whole.start <= part.start && part.end <= whole.end
}

/// Puts the insights of a summary after the first into the order of their documents, so that what
/// one document says is read together and in its own order.
fn in_reading_order(summary: &mut [&Insight], research: &Research) {
    let position = |insight: &Insight| {
        let passage = research.passage(&insight.passage);
        passage.map(|passage| (passage.source.clone(), passage.start))
    };
    let positions: Vec<_> = summary.iter().map(|insight| position(insight)).collect();
    let rank = |insight: &&Insight| {
        let own = position(insight);
        let source = own.as_ref().map(|(source, _)| source);
        let first = positions
            .iter()
            .position(|other| other.as_ref().map(|(source, _)| source) == source);
        (first, own.map(|(_, start)| start))
    };
    if let Some((_, others)) = summary.split_first_mut() {
        others.sort_by_key(rank);
    }
}

/// The first insight of each step.
fn first_of_each_step<'a>(insights: impl Iterator<Item = &'a Insight>) -> Vec<&'a Insight> {
    let mut first: Vec<&Insight> = Vec::new();
    for insight in insights {
        if first.iter().all(|other| other.step != insight.step) {
            first.push(insight);
        }
    }
    first
}

/// The aspects without findings, of those that the topic asks for by name; of a comparison also its
/// sides. How a thing works is not asked by who asks what to do.
fn gaps(research: &Research) -> Vec<String> {
    research
        .findings
        .iter()
        .filter(|finding| finding.passages.is_empty())
        .filter_map(|finding| {
            let mut steps = research.plan.steps.iter();
            steps.find(|step| step.id == finding.step)
        })
        .filter(|step| is_requested_step(research, step) && !gives_reasons(research, step))
        .map(|step| step.heading().to_owned())
        .collect()
}

/// `true` if a step is on the reasons that a question asks for, and the first passage gives one, or
/// some passage stands under a heading of reasons: "Causes".
fn gives_reasons(research: &Research, step: &PlanStep) -> bool {
    let question = Question::parse(&research.topic);
    let mut headings = research
        .passages
        .iter()
        .filter_map(|own| own.headings.last());
    step.facet == Facet::Why
        && question.answer_type == AnswerType::Reason
        && (headings.any(|heading| question.is_reason_heading(heading))
            || research
                .passages
                .first()
                .is_some_and(|own| question.is_answered_by_type(&own.quote)))
}

/// `true` if a step is on what the topic asks for, and not on an aspect that the plan added.
fn is_requested_step(research: &Research, step: &PlanStep) -> bool {
    let is_mechanism =
        step.facet == Facet::How && Question::parse(&research.topic).asks_for_steps();
    let is_requested = step.facet == research.classification.requested_facet;
    is_requested && !is_mechanism || step.facet == Facet::Side
}

fn of_facet(insights: &[Insight], facet: Facet) -> Vec<String> {
    insights
        .iter()
        .filter(|insight| insight.facet == facet)
        .map(|insight| insight.id.clone())
        .collect()
}
