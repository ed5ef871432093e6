//! The researcher, answered by a model: it chooses sentences by number and never sees an address.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::{clamped_score, line};
use super::super::definition::{
    Agent, DepthShape, INSTRUCTION_TOKENS, ModelAgent, SENTENCE_TOKENS,
};
use super::quotation::{self, Run};
use super::{Chosen, Researcher, ResearcherInput, ResearcherOutput};
use crate::model::CallEstimate;

/// Quotations that are shown at most.
const SHOWN: usize = 40;

/// Characters of an observation.
const SENTENCE: usize = 300;

/// What was found for the step.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ResearcherAnswer {
    /// The sentences that answer the step, best first; none if none does.
    chosen: Vec<ChosenAnswer>,
    /// What was found, in one sentence of at most 20 words.
    observation: String,
}

/// One sentence.
#[derive(Debug, Deserialize, JsonSchema)]
struct ChosenAnswer {
    /// Its number.
    number: i64,
    /// How well it answers the step, from 0 to 1.
    relevance: f64,
}

impl ModelAgent for Researcher {
    type Answer = ResearcherAnswer;
    const OUTPUT_TOKENS: u32 = 1200;

    fn expected(shape: DepthShape) -> CallEstimate {
        CallEstimate {
            calls: shape.steps,
            input_tokens: INSTRUCTION_TOKENS + SENTENCE_TOKENS * SHOWN,
            output_tokens: 40 + 20 * shape.passages_per_step,
        }
    }

    fn about(input: &ResearcherInput) -> String {
        input.step.id.clone()
    }

    fn items(input: &ResearcherInput) -> usize {
        shown(input, SHOWN).len()
    }

    fn is_question(input: &ResearcherInput) -> bool {
        !input.candidates.is_empty()
    }

    fn context(input: &ResearcherInput, items: usize) -> Context {
        let shown = shown(input, items).into_iter();
        let candidates: Vec<Context> = shown
            .map(|run| {
                let first = &input.candidates[run.first];
                let title = input
                    .documents
                    .get(first.document)
                    .map(|found| &found.title);
                let headings: Vec<&String> =
                    title.into_iter().chain(first.headings.iter()).collect();
                json!({ "headings": headings, "sentence": words(input, run) })
            })
            .collect();
        json!({ "step": input.step, "limit": input.limit, "candidates": candidates })
    }

    fn validate(
        input: &ResearcherInput,
        items: usize,
        answer: ResearcherAnswer,
        left_out: &mut Vec<String>,
    ) -> Result<ResearcherOutput, String> {
        let shown = shown(input, items);
        let mut seen = BTreeSet::new();
        let mut chosen = Vec::new();
        for found in &answer.chosen {
            let place = usize::try_from(found.number)
                .ok()
                .and_then(|number| number.checked_sub(1));
            let Some(run) = place.and_then(|place| shown.get(place)) else {
                left_out.push(format!("left out sentence {}: there is none", found.number));
                continue;
            };
            if chosen.len() < input.limit && seen.insert((run.first, run.last)) {
                chosen.push(Chosen {
                    first: run.first,
                    last: run.last,
                    skip: run.skip,
                    relevance: clamped_score(found.relevance),
                });
            }
        }
        if chosen.is_empty() && !answer.chosen.is_empty() {
            return Err(format!(
                "the sentences are numbered from 1 to {}",
                shown.len()
            ));
        }
        if chosen.is_empty() {
            // Weak models find that nothing answers a step in full. What is on it is passed on; the
            // analyst may leave it out.
            let by_rule = Researcher::rule(input);
            if !by_rule.chosen.is_empty() {
                left_out
                    .push("none was chosen: what the rule finds on the step is kept".to_owned());
                return Ok(by_rule);
            }
        }
        Ok(ResearcherOutput {
            chosen,
            observation: line(&answer.observation, SENTENCE),
        })
    }
}

/// What is shown: of the sentences that fit best, the runs in which they are understood, in the
/// order in which they stand.
fn shown(input: &ResearcherInput, items: usize) -> Vec<Run> {
    let fit = |place: usize| {
        let candidate = &input.candidates[place];
        let about = input.documents.get(candidate.document);
        about.map_or(0.0, |found| found.about) + candidate.match_score
    };
    let mut places: Vec<usize> = (0..input.candidates.len()).collect();
    places.sort_by(|one, other| fit(*other).total_cmp(&fit(*one)).then(one.cmp(other)));
    let mut runs: Vec<Run> = Vec::new();
    for place in places {
        if runs.len() >= items.min(SHOWN) {
            break;
        }
        let Some(run) = quotation::around(&input.candidates, place) else {
            continue;
        };
        let run = quotation::grown(&input.candidates, run);
        let is_new = |other: &Run| run.last < other.first || other.last < run.first;
        if runs.iter().all(is_new) {
            runs.push(run);
        }
    }
    runs.sort_by_key(|run| run.first);
    runs
}

/// The words of a run.
fn words(input: &ResearcherInput, run: Run) -> String {
    let sentences = input.candidates[run.first..=run.last].iter();
    let sentences: Vec<&str> = sentences.map(|one| &*one.sentence).collect();
    let text = sentences.join(" ");
    text.get(run.skip..).unwrap_or(&text).to_owned()
}
