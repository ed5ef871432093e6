//! Adds the findings up: insights with how sure they are, what sources share, where they
//! contradict, what is missing.

mod contradiction;
mod model;

use std::collections::{BTreeMap, BTreeSet};

use super::answer::rounded;
use super::definition::Agent;
use crate::artifact::analysis::{
    Analysis, Contradiction, Edge, Insight, KnowledgeGraph, SourceCredibility, Theme,
};
use crate::artifact::classification::Kind;
use crate::artifact::plan::{Facet, PlanStep};
use crate::artifact::review::{Note, NoteRequest};
use crate::artifact::source::{Credibility, Passage, ordinal};
use crate::artifact::{Analysis as Output, Research};
use crate::model::{Phase, Tier};
use crate::text;
use contradiction::Spoken;

/// A passage is used if it is at least this relevant, as a share of the best of its step (set on
/// twenty questions to a corpus of design documents: what is below reads as padding) …
const CUT: f64 = 0.88;

/// … or this, once a review asked for more of the step. A chronicle has all entries that were
/// found.
const WIDE_CUT: f64 = 0.5;

/// Insights in brief at most.
const IN_BRIEF: usize = 3;

/// In brief a second source is heard if its insight is worth this share of the best one.
const NEAR_BEST: f64 = 0.85;

/// Insights in brief at least, if there are so many.
const FEWEST_IN_BRIEF: usize = 2;

/// Themes at most.
const THEMES: usize = 6;

/// The analyst.
pub struct Analyst;

/// What the analyst sees.
#[derive(Debug, Clone)]
pub struct AnalystInput {
    /// What was found.
    pub research: Research,
    /// What earlier reviews of this research asked for.
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
        let topic = &research.classification.terms;
        let spoken: BTreeMap<&str, Spoken> = research
            .passages
            .iter()
            .map(|passage| (passage.id.as_str(), Spoken::of(passage, topic)))
            .collect();
        let contradictions = contradiction::all(spoken.values());
        let insights = insights(input, &spoken, &contradictions);
        let themes = themes(research, &insights);
        Analysis {
            topic: research.topic.clone(),
            summary: summary(&insights, research),
            gaps: gaps(research),
            recommendations: of_facet(&insights, Facet::Recommendations),
            credibility: credibility(research, &insights, &contradictions),
            knowledge_graph: graph(research, &insights, &themes, &contradictions),
            insights,
            themes,
            contradictions,
        }
    }
}

fn insights(
    input: &AnalystInput,
    spoken: &BTreeMap<&str, Spoken<'_>>,
    contradictions: &[Contradiction],
) -> Vec<Insight> {
    let disputed = |one: &str, other: &str| {
        contradictions.iter().any(|found| {
            (found.one == one && found.other == other) || (found.one == other && found.other == one)
        })
    };
    let mut used: BTreeSet<&str> = dropped(&input.notes);
    let mut insights: Vec<Insight> = Vec::new();
    for (step, passages) in wanted(input) {
        for passage in passages {
            if !used.insert(&passage.id) {
                continue;
            }
            let Some(mine) = spoken.get(passage.id.as_str()) else {
                continue;
            };
            let mut agreeing = Vec::new();
            for other in &input.research.passages {
                let likens = spoken
                    .get(other.id.as_str())
                    .is_some_and(|other| mine.is_like(other));
                if likens && !disputed(&passage.id, &other.id) && used.insert(&other.id) {
                    agreeing.push(other.id.clone());
                }
            }
            let is_disputed = contradictions
                .iter()
                .any(|c| c.one == passage.id || c.other == passage.id);
            insights.push(Insight {
                id: format!("I{}", insights.len() + 1),
                step: step.id.clone(),
                facet: step.facet,
                passage: passage.id.clone(),
                confidence: confidence(passage.relevance, 1 + agreeing.len(), is_disputed),
                agreeing,
            });
        }
    }
    insights
}

/// How sure an insight is: half how well it fits, half how many sources say it, of which three are
/// enough (document 001's strength of a claim: share × min(1, n / 3)); three tenths less if another
/// source contradicts it.
fn confidence(relevance: f64, sources: usize, is_disputed: bool) -> f64 {
    let agreement = (sources as f64 / 3.0).min(1.0);
    let sure = 0.5 * relevance + 0.5 * agreement;
    rounded(if is_disputed { 0.7 * sure } else { sure })
}

fn dropped(notes: &[Note]) -> BTreeSet<&str> {
    notes
        .iter()
        .filter_map(|note| match &note.request {
            NoteRequest::Drop { passage } => Some(passage.as_str()),
            _ => None,
        })
        .collect()
}

/// Each step with the passages of it that are good enough, or that a note asked for.
fn wanted(input: &AnalystInput) -> Vec<(&PlanStep, Vec<&Passage>)> {
    let research = &input.research;
    let steps = research.plan.steps.iter();
    steps
        .filter_map(|step| {
            let finding = research
                .findings
                .iter()
                .find(|finding| finding.step == step.id)?;
            let passages: Vec<_> = finding
                .passages
                .iter()
                .filter_map(|id| research.passage(id))
                .collect();
            let best = passages
                .iter()
                .map(|passage| passage.relevance)
                .fold(0.0, f64::max);
            let cut = best
                * if step.facet == Facet::Entries || is_widened(&input.notes, &step.id) {
                    WIDE_CUT
                } else {
                    CUT
                };
            let is_wanted = |passage: &&Passage| {
                passage.relevance >= cut || is_asked_for(&input.notes, &passage.quote)
            };
            Some((step, passages.into_iter().filter(is_wanted).collect()))
        })
        .collect()
}

fn is_widened(notes: &[Note], step: &str) -> bool {
    notes
        .iter()
        .any(|note| matches!(&note.request, NoteRequest::Widen { step: wanted } if wanted == step))
}

fn is_asked_for(notes: &[Note], quote: &str) -> bool {
    let terms = text::terms(quote);
    notes.iter().any(|note| match &note.request {
        NoteRequest::Cover { term } | NoteRequest::Research { term } => terms.contains(term),
        _ => false,
    })
}

/// The insights that answer best: what is said on the topic itself, then on the aspect that was
/// asked for, then of other sources that are worth nearly as much.
fn summary(insights: &[Insight], research: &Research) -> Vec<String> {
    // A chronicle is its own summary: a choice of its entries would be a wrong one.
    if insights.iter().any(|one| one.facet == Facet::Entries) {
        return Vec::new();
    }
    let passage = |one: &Insight| research.passage(&one.passage);
    let score = |one: &Insight| {
        let relevance = passage(one).map_or(0.0, |passage| passage.relevance);
        relevance + 0.5 * one.confidence
    };
    let asked = research.classification.asked;
    let is_on_topic = |one: &&Insight| matches!(one.facet, Facet::Overview | Facet::Side);
    let mut by_score: Vec<&Insight> = insights
        .iter()
        .filter(|one| is_on_topic(one) || one.facet == asked)
        .collect();
    by_score.sort_by(|a, b| {
        score(b)
            .total_cmp(&score(a))
            .then(ordinal(&a.id).cmp(&ordinal(&b.id)))
    });
    let least = NEAR_BEST * by_score.first().map_or(0.0, |best| score(best));
    let mut brief: Vec<&Insight> = Vec::new();
    brief.extend(by_score.iter().find(|one| is_on_topic(one)));
    let answers = by_score.iter().filter(|one| one.facet == asked);
    for one in answers.chain(&by_score) {
        let source = passage(one).map(|passage| &passage.source);
        let is_new = |other: &&Insight| passage(other).map(|other| &other.source) != source;
        let is_second =
            brief.len() < FEWEST_IN_BRIEF && brief.iter().all(|other| other.id != one.id);
        let is_heard = score(one) >= least && brief.iter().all(is_new);
        if brief.len() < IN_BRIEF && (is_second || is_heard) {
            brief.push(one);
        }
    }
    brief.iter().map(|one| one.id.clone()).collect()
}

/// The aspects on which nothing was found, of those that the topic asks for: for and against too,
/// if it asks for yes or no.
fn gaps(research: &Research) -> Vec<String> {
    let empty = research
        .findings
        .iter()
        .filter(|finding| finding.passages.is_empty());
    let steps = empty.filter_map(|finding| {
        let mut steps = research.plan.steps.iter();
        steps.find(|step| step.id == finding.step)
    });
    let classification = &research.classification;
    let is_asked = |step: &&PlanStep| match step.facet {
        facet if facet == classification.asked => true,
        Facet::Side => true,
        Facet::Why | Facet::Costs => classification.kind == Kind::Decision,
        _ => false,
    };
    steps
        .filter(is_asked)
        .map(|step| step.title.trim_start_matches("Research ").to_owned())
        .collect()
}

fn of_facet(insights: &[Insight], facet: Facet) -> Vec<String> {
    let found = insights.iter().filter(|one| one.facet == facet);
    found.map(|one| one.id.clone()).collect()
}

/// Pairs of neighbouring terms that at least two sources use, by how many, then by the alphabet.
fn themes(research: &Research, insights: &[Insight]) -> Vec<Theme> {
    // By stems, with the first form of the phrase by the alphabet: "heat pump" and "heat pumps" are
    // one.
    let mut users: BTreeMap<Vec<String>, (String, BTreeSet<String>)> = BTreeMap::new();
    for insight in insights {
        for id in std::iter::once(&insight.passage).chain(&insight.agreeing) {
            let Some(passage) = research.passage(id) else {
                continue;
            };
            for phrase in phrases(&passage.quote) {
                let stems = phrase.split(' ').map(text::stem).collect();
                let (form, sources) = users.entry(stems).or_default();
                sources.insert(passage.source.clone());
                if form.is_empty() || phrase < *form {
                    *form = phrase;
                }
            }
        }
    }
    let mut themes: Vec<Theme> = users
        .into_values()
        .filter(|(_, sources)| sources.len() > 1)
        .map(|(phrase, sources)| Theme {
            phrase,
            sources: sources.into_iter().collect(),
        })
        .collect();
    themes.sort_by_key(|theme| std::cmp::Reverse(theme.sources.len()));
    themes.truncate(THEMES);
    themes
}

/// Two content words in a row, as they are written, in lower case.
fn phrases(quote: &str) -> BTreeSet<String> {
    let words: Vec<_> = text::words(quote).collect();
    words
        .windows(2)
        .filter(|pair| {
            quote[pair[0].range.end..pair[1].range.start]
                .chars()
                .all(|c| c == ' ')
        })
        .map(|pair| [text::fold(pair[0].text), text::fold(pair[1].text)])
        .filter(|pair| {
            let tells = |word: &String| {
                word.chars().count() > 2
                    && word.chars().all(char::is_alphabetic)
                    && !text::is_stop_word(word)
            };
            pair.iter().all(tells)
        })
        .map(|pair| pair.join(" "))
        .collect()
}

/// What a source is trusted before, more if others agree with it, less if others contradict it.
pub(super) fn credibility(
    research: &Research,
    insights: &[Insight],
    contradictions: &[Contradiction],
) -> Vec<SourceCredibility> {
    let source_of = |id: &str| research.passage(id).map(|passage| passage.source.as_str());
    let mut judged = Vec::new();
    for source in &research.sources {
        let shares = |one: &&Insight| {
            let mut all = std::iter::once(&one.passage).chain(&one.agreeing);
            !one.agreeing.is_empty() && all.any(|id| source_of(id) == Some(&source.id))
        };
        let agreed = insights.iter().filter(shares).count();
        let sides = contradictions.iter().flat_map(|c| [&c.one, &c.other]);
        let disputed = sides.filter(|id| source_of(id) == Some(&source.id)).count();
        let mut credibility = source.credibility.clone();
        if agreed > 0 {
            credibility.reasons.push(format!(
                "other sources say the like of {agreed} of its passages"
            ));
        }
        if disputed > 0 {
            credibility
                .reasons
                .push(format!("another source contradicts it {disputed} times"));
        }
        let score = credibility.score + 0.1 * agreed.min(3) as f64 - 0.1 * disputed.min(3) as f64;
        judged.push(SourceCredibility {
            source: source.id.clone(),
            credibility: Credibility {
                score: rounded(score.clamp(0.0, 1.0)),
                ..credibility
            },
        });
    }
    judged
}

pub(super) fn graph(
    research: &Research,
    insights: &[Insight],
    themes: &[Theme],
    contradictions: &[Contradiction],
) -> KnowledgeGraph {
    let mut graph = KnowledgeGraph::default();
    let source_of = |id: &str| research.passage(id).map(|passage| passage.source.clone());
    let mut edge = |from: Option<String>, relation: &str, to: Option<String>| {
        if let (Some(from), Some(to)) = (from, to) {
            graph.edges.push(Edge {
                from,
                relation: relation.to_owned(),
                to,
            });
        }
    };
    for insight in insights {
        edge(
            source_of(&insight.passage),
            "states",
            Some(insight.id.clone()),
        );
        for id in &insight.agreeing {
            edge(source_of(id), "agrees", Some(insight.id.clone()));
        }
    }
    for theme in themes {
        for source in &theme.sources {
            edge(Some(source.clone()), "mentions", Some(theme.phrase.clone()));
        }
    }
    for found in contradictions {
        edge(
            source_of(&found.one),
            "contradicts",
            source_of(&found.other),
        );
    }
    let ids = research.sources.iter().map(|source| source.id.clone());
    let insights = insights.iter().map(|insight| insight.id.clone());
    let themes = themes.iter().map(|theme| theme.phrase.clone());
    graph.nodes = ids.chain(insights).chain(themes).collect();
    graph
}
