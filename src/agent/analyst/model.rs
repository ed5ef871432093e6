//! The analyst, answered by a model: what it names must be there, and what can be counted is
//! counted here.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::{clamped_score, line};
use super::super::definition::{
    Agent, DepthShape, INSTRUCTION_TOKENS, ModelAgent, SENTENCE_TOKENS, SessionView,
};
use super::{Analyst, AnalystInput, credibility, graph};
use crate::artifact::Research;
use crate::artifact::analysis::{Analysis, Contradiction, ContradictionKind, Insight, Theme};
use crate::artifact::plan::Facet;
use crate::artifact::review::NoteRequest;
use crate::artifact::source::Passage;
use crate::model::CallEstimate;

/// Insights in brief at most.
const IN_BRIEF: usize = 3;

/// Themes and gaps at most.
const THEMES: usize = 6;
const GAPS: usize = 6;

/// Characters of a phrase, of a gap, and of a difference.
const PHRASE: usize = 60;
const SENTENCE: usize = 200;

/// What the passages add up to.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct AnalystAnswer {
    /// What the sources say, most telling first.
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
    /// How sure it is, from 0 to 1.
    confidence: f64,
    /// Whether it recommends something.
    recommends: bool,
}

/// One contradiction.
#[derive(Debug, Deserialize, JsonSchema)]
struct ContradictionAnswer {
    /// One side's passage, by id.
    one: String,
    /// The other side's passage, by id.
    other: String,
    /// In what they differ: a number, or one says so and the other says not.
    kind: ContradictionKind,
    /// What differs, in a few words, such as "3.1 against 31".
    difference: String,
}

impl ModelAgent for Analyst {
    type Answer = AnalystAnswer;
    const OUTPUT_TOKENS: u32 = 4000;

    fn expected(shape: DepthShape) -> CallEstimate {
        CallEstimate {
            calls: 1,
            input_tokens: INSTRUCTION_TOKENS + SENTENCE_TOKENS * shape.passages(),
            output_tokens: 100 + 45 * shape.passages(),
        }
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
                json!({ "id": passage.id, "source": passage.source, "quote": passage.quote, "step": step })
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
        let known: BTreeSet<&str> = shown(research, items)
            .into_iter()
            .map(|passage| passage.id.as_str())
            .collect();
        let (insights, recommendations) = insights(input, &answer.insights, &known, left_out);
        if insights.is_empty() && !known.is_empty() {
            return Err(format!(
                "no insight rests on a passage that is there; the ids are {}",
                known.into_iter().collect::<Vec<_>>().join(", ")
            ));
        }
        let contradictions = contradictions(research, answer.contradictions, &known, left_out);
        let themes = themes(research, &answer.themes);
        let by_rule = Analyst::rule(input);
        let mut gaps = by_rule.gaps;
        for gap in answer.gaps.iter().map(|gap| line(gap, SENTENCE)) {
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

/// The passages that are shown: the most relevant, in their order.
fn shown(research: &Research, items: usize) -> Vec<&Passage> {
    let mut shown: Vec<(usize, &Passage)> = research.passages.iter().enumerate().collect();
    shown.sort_by(|(place, one), (other_place, other)| {
        other
            .relevance
            .total_cmp(&one.relevance)
            .then(place.cmp(other_place))
    });
    shown.truncate(items);
    shown.sort_by_key(|(place, _)| *place);
    shown.into_iter().map(|(_, passage)| passage).collect()
}

/// The step that found each passage first.
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

fn insights(
    input: &AnalystInput,
    answered: &[InsightAnswer],
    known: &BTreeSet<&str>,
    left_out: &mut Vec<String>,
) -> (Vec<Insight>, Vec<String>) {
    let research = &input.research;
    let steps = steps_of(research);
    let dropped: BTreeSet<&str> = input
        .notes
        .iter()
        .filter_map(|note| match &note.request {
            NoteRequest::Drop { passage } => Some(passage.as_str()),
            _ => None,
        })
        .collect();
    let source = |id: &str| research.passage(id).map(|passage| passage.source.as_str());
    let mut used = BTreeSet::new();
    let (mut insights, mut recommendations): (Vec<Insight>, Vec<String>) = Default::default();
    for found in answered {
        let id = found.passage.trim();
        let Some(step) = steps
            .get(id)
            .filter(|_| known.contains(id) && !dropped.contains(id))
        else {
            left_out.push(format!(
                "left out an insight on {id:?}: there is no such passage to use"
            ));
            continue;
        };
        if !used.insert(id.to_owned()) {
            continue;
        }
        let agreeing = found.agreeing.iter().map(|other| other.trim());
        let agreeing: Vec<String> = agreeing
            .filter(|other| known.contains(other) && !dropped.contains(other))
            .filter(|other| source(other) != source(id))
            .map(str::to_owned)
            .filter(|other| used.insert(other.clone()))
            .collect();
        let facet = research.plan.steps.iter().find(|one| one.id == *step);
        let name = format!("I{}", insights.len() + 1);
        if found.recommends {
            recommendations.push(name.clone());
        }
        insights.push(Insight {
            id: name,
            step: (*step).to_owned(),
            facet: facet.map_or(Facet::Overview, |step| step.facet),
            passage: id.to_owned(),
            agreeing,
            confidence: clamped_score(found.confidence),
        });
    }
    (insights, recommendations)
}

fn contradictions(
    research: &Research,
    answered: Vec<ContradictionAnswer>,
    known: &BTreeSet<&str>,
    left_out: &mut Vec<String>,
) -> Vec<Contradiction> {
    let mut found: Vec<Contradiction> = Vec::new();
    for ContradictionAnswer {
        one,
        other,
        kind,
        difference,
    } in answered
    {
        let source = |id: &str| research.passage(id).map(|passage| &passage.source);
        let are_known = known.contains(one.trim()) && known.contains(other.trim());
        if !are_known || source(one.trim()) == source(other.trim()) {
            left_out.push(format!("left out a contradiction of {one:?} and {other:?}"));
            continue;
        }
        let (one, other) = (one.trim().to_owned(), other.trim().to_owned());
        let is_told = found.iter().any(|told| {
            (told.one == one && told.other == other) || (told.one == other && told.other == one)
        });
        if !is_told {
            found.push(Contradiction {
                kind,
                difference: line(&difference, SENTENCE),
                one,
                other,
            });
        }
    }
    found
}

/// Phrases that stand in passages of at least two sources.
fn themes(research: &Research, phrases: &[String]) -> Vec<Theme> {
    let mut themes: Vec<Theme> = Vec::new();
    for phrase in phrases {
        let phrase = line(phrase, PHRASE).to_lowercase();
        let users = research
            .passages
            .iter()
            .filter(|passage| passage.quote.to_lowercase().contains(&phrase));
        let sources: BTreeSet<String> = users.map(|passage| passage.source.clone()).collect();
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

/// The first insights, each of another source.
fn summary(research: &Research, insights: &[Insight]) -> Vec<String> {
    let mut sources = BTreeSet::new();
    let first = insights.iter().filter(|insight| {
        let passage = research.passage(&insight.passage);
        passage.is_some_and(|passage| sources.insert(passage.source.as_str()))
    });
    first
        .take(IN_BRIEF)
        .map(|insight| insight.id.clone())
        .collect()
}
