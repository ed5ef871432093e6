//! The analyst's model side: the ids that the model names must exist, and what can be counted is
//! counted by the rule (the plain code that stands in for a model, in `mod.rs`).

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::{clamped_score, line};
use super::super::definition::{Agent, DepthShape, ModelAgent, SessionView};
use super::theme::THEMES;
use super::{Analyst, AnalystInput, SUMMARY_INSIGHTS, credibility, dropped, graph};
use crate::artifact::Research;
use crate::artifact::analysis::{Analysis, Contradiction, ContradictionKind, Insight, Theme};
use crate::artifact::plan::Facet;
use crate::artifact::source::Passage;
use crate::model::CallEstimate;

/// The maximum number of gaps.
const GAPS: usize = 6;

/// The maximum length of a theme's phrase, in characters.
const PHRASE_CHARACTERS: usize = 60;

/// The maximum length of a gap or a difference, in characters.
const SENTENCE_CHARACTERS: usize = 200;

/// The analysis of the passages.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct AnalystAnswer {
    /// The statements of the sources, most important for the topic first.
    insights: Vec<InsightAnswer>,
    /// Pairs of passages of different sources that do not go together.
    contradictions: Vec<ContradictionAnswer>,
    /// Short phrases that passages of several sources share, word for word.
    themes: Vec<String>,
    /// Aspects of the topic on which no passage says anything.
    gaps: Vec<String>,
}

/// One insight.
#[derive(Debug, Deserialize, JsonSchema)]
struct InsightAnswer {
    /// The passage that says it, by id.
    passage: String,
    /// Passages of other sources that say the like, by id.
    agreeing: Vec<String>,
    /// The confidence in it, from 0 to 1.
    confidence: f64,
    /// `true` if it recommends something.
    recommends: bool,
}

/// One contradiction.
#[derive(Debug, Deserialize, JsonSchema)]
struct ContradictionAnswer {
    /// One side's passage, by id.
    one: String,
    /// The other side's passage, by id.
    other: String,
    /// The kind of difference: a number, or one says so and the other says not.
    kind: ContradictionKind,
    /// The difference, in a few words, such as "3.1 against 31".
    difference: String,
}

impl ModelAgent for Analyst {
    type Answer = AnalystAnswer;
    const OUTPUT_TOKENS: u32 = 4000;

    fn expected(shape: DepthShape) -> CallEstimate {
        shape.call_with_all_passages(100 + 45 * shape.passages())
    }

    fn items(input: &AnalystInput) -> usize {
        input.research.passages.len()
    }

    fn is_question(input: &AnalystInput) -> bool {
        !input.research.passages.is_empty()
    }

    fn context(input: &AnalystInput, items: usize) -> Context {
        let research = &input.research;
        let titles: BTreeMap<&str, &str> = steps_of(research)
            .into_iter()
            .filter_map(|(passage, step)| {
                let mut steps = research.plan.steps.iter();
                let step = steps.find(|other| other.id == step)?;
                Some((passage, step.title.as_str()))
            })
            .collect();
        let passages: Vec<Context> = shown(research, items)
            .into_iter()
            .map(|passage| {
                let step = titles.get(passage.id.as_str()).copied().unwrap_or_default();
                json!({
                    "id": passage.id,
                    "source": passage.source,
                    "quote": passage.quote,
                    "step": step,
                })
            })
            .collect();
        json!({
            "research": json!({ "topic": research.topic, "passages": passages }),
            "notes": input.notes,
        })
    }

    fn validate(
        input: &AnalystInput,
        items: usize,
        answer: AnalystAnswer,
        left_out: &mut Vec<String>,
    ) -> Result<Analysis, String> {
        let research = &input.research;
        let shown: BTreeSet<&str> = shown(research, items)
            .into_iter()
            .map(|passage| passage.id.as_str())
            .collect();
        let (insights, recommendations) = insights(input, &answer.insights, &shown, left_out);
        if insights.is_empty() && !shown.is_empty() {
            return Err(format!(
                "no insight rests on a passage that is there; the ids are {}",
                shown.into_iter().collect::<Vec<_>>().join(", ")
            ));
        }
        let contradictions = contradictions(research, answer.contradictions, &shown, left_out);
        let themes = themes(research, &answer.themes);
        // The rule's gaps are certain, since their steps have no findings; the model may add
        // others.
        let by_rule = Analyst::rule(input);
        let mut gaps = by_rule.gaps;
        for gap in answer.gaps.iter().map(|gap| line(gap, SENTENCE_CHARACTERS)) {
            if !gap.is_empty() && gaps.len() < GAPS && !gaps.contains(&gap) {
                gaps.push(gap);
            }
        }
        Ok(Analysis {
            topic: research.topic.clone(),
            summary: summary(research, &insights),
            gaps,
            recommendations,
            credibility: credibility(research, &insights, &contradictions),
            knowledge_graph: graph(research, &insights, &themes, &contradictions),
            insights,
            themes,
            contradictions,
        })
    }

    fn preview(session: &SessionView<'_>) -> Result<Option<AnalystInput>> {
        Ok(Some(AnalystInput {
            research: session.content("research.json")?,
            notes: Vec::new(),
        }))
    }
}

/// The passages in the prompt: the most relevant ones, in their order.
fn shown(research: &Research, items: usize) -> Vec<&Passage> {
    let mut shown: Vec<(usize, &Passage)> = research.passages.iter().enumerate().collect();
    shown.sort_by(|(index, passage), (other_index, other)| {
        other
            .relevance
            .total_cmp(&passage.relevance)
            .then(index.cmp(other_index))
    });
    // Ties go to the earlier passage, so that the same research gives the same prompt.
    shown.truncate(items);
    shown.sort_by_key(|(index, _)| *index);
    shown.into_iter().map(|(_, passage)| passage).collect()
}

/// The first step in which each passage was selected.
fn steps_of(research: &Research) -> BTreeMap<&str, &str> {
    let mut steps = BTreeMap::new();
    for finding in &research.findings {
        for passage in &finding.passages {
            steps
                .entry(passage.as_str())
                .or_insert(finding.step.as_str());
        }
    }
    steps
}

/// The insights that rest on passages of the prompt, and the ids of those that recommend something.
fn insights(
    input: &AnalystInput,
    answers: &[InsightAnswer],
    shown: &BTreeSet<&str>,
    left_out: &mut Vec<String>,
) -> (Vec<Insight>, Vec<String>) {
    let research = &input.research;
    let steps = steps_of(research);
    let dropped = dropped(&input.notes);
    let source = |id: &str| research.passage(id).map(|passage| passage.source.as_str());
    let mut used = BTreeSet::new();
    let (mut insights, mut recommendations): (Vec<Insight>, Vec<String>) = Default::default();
    for answer in answers {
        let id = answer.passage.trim();
        let Some(step_id) = steps
            .get(id)
            .filter(|_| shown.contains(id) && !dropped.contains(id))
        else {
            left_out.push(format!(
                "left out an insight on {id:?}: there is no such passage to use"
            ));
            continue;
        };
        // A passage belongs to one insight at most, as by the rule.
        if !used.insert(id.to_owned()) {
            continue;
        }
        // Agreement is between sources: a passage of the same source confirms nothing.
        let agreeing: Vec<String> = answer
            .agreeing
            .iter()
            .map(|other| other.trim())
            .filter(|other| shown.contains(other) && !dropped.contains(other))
            .filter(|other| source(other) != source(id))
            .map(str::to_owned)
            .filter(|other| used.insert(other.clone()))
            .collect();
        let step = research.plan.steps.iter().find(|step| step.id == *step_id);
        let name = format!("I{}", insights.len() + 1);
        if answer.recommends {
            recommendations.push(name.clone());
        }
        insights.push(Insight {
            id: name,
            step: (*step_id).to_owned(),
            facet: step.map_or(Facet::Overview, |step| step.facet),
            passage: id.to_owned(),
            agreeing,
            confidence: clamped_score(answer.confidence),
        });
    }
    (insights, recommendations)
}

/// The contradictions between passages of the prompt that are of different sources.
fn contradictions(
    research: &Research,
    answers: Vec<ContradictionAnswer>,
    shown: &BTreeSet<&str>,
    left_out: &mut Vec<String>,
) -> Vec<Contradiction> {
    let source = |id: &str| research.passage(id).map(|passage| &passage.source);
    let mut contradictions: Vec<Contradiction> = Vec::new();
    for answer in answers {
        let (one, other) = (answer.one.trim(), answer.other.trim());
        // A model may invent ids, or name passages that were not in its prompt.
        let are_shown = shown.contains(one) && shown.contains(other);
        if !are_shown || source(one) == source(other) {
            left_out.push(format!(
                "left out a contradiction of {:?} and {:?}",
                answer.one, answer.other
            ));
            continue;
        }
        if !contradictions
            .iter()
            .any(|pair| pair.is_between(one, other))
        {
            contradictions.push(Contradiction {
                kind: answer.kind,
                difference: line(&answer.difference, SENTENCE_CHARACTERS),
                one: one.to_owned(),
                other: other.to_owned(),
                settled_by: Vec::new(),
            });
        }
    }
    contradictions
}

/// The phrases that are in passages of at least two sources, as themes.
fn themes(research: &Research, phrases: &[String]) -> Vec<Theme> {
    let mut themes: Vec<Theme> = Vec::new();
    for phrase in phrases {
        let phrase = line(phrase, PHRASE_CHARACTERS).to_lowercase();
        // A phrase must be in the text: the sources are counted here, not by the model.
        let sources: BTreeSet<String> = research
            .passages
            .iter()
            .filter(|passage| passage.quote.to_lowercase().contains(&phrase))
            .map(|passage| passage.source.clone())
            .collect();
        let is_new = themes.iter().all(|theme| theme.phrase != phrase);
        if !phrase.is_empty() && sources.len() > 1 && is_new {
            themes.push(Theme {
                phrase,
                sources: sources.into_iter().collect(),
            });
        }
    }
    themes.truncate(THEMES);
    themes
}

/// The summary: the first insights, each of another source. The prompt asks for the most important
/// ones first.
fn summary(research: &Research, insights: &[Insight]) -> Vec<String> {
    let mut sources = BTreeSet::new();
    insights
        .iter()
        .filter(|insight| {
            let passage = research.passage(&insight.passage);
            passage.is_some_and(|passage| sources.insert(passage.source.as_str()))
        })
        .take(SUMMARY_INSIGHTS)
        .map(|insight| insight.id.clone())
        .collect()
}
