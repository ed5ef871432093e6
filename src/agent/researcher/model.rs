//! The researcher's model side: the model selects sentences by number and never sees an address.
//! If it selects none, the selection of the rule (the plain code that stands in for a model, in
//! `mod.rs`) is used.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::{clamped_score, line};
use super::super::definition::{
    Agent, DepthShape, INSTRUCTION_TOKENS, ModelAgent, SENTENCE_TOKENS,
};
use super::quotation::{self, Run};
use super::{Researcher, ResearcherInput, ResearcherOutput, Selected};
use crate::model::CallEstimate;

/// The maximum number of quotations in the prompt (chosen by hand: about 2,200 tokens).
const SHOWN: usize = 40;

/// The maximum length of an observation, in characters.
const OBSERVATION: usize = 300;

/// The findings of the step.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ResearcherAnswer {
    /// The sentences that answer the step, best first; none if none does.
    chosen: Vec<ChosenAnswer>,
    /// The finding, in one sentence of at most 20 words.
    observation: String,
}

/// One sentence.
#[derive(Debug, Deserialize, JsonSchema)]
struct ChosenAnswer {
    /// Its number.
    number: i64,
    /// Its relevance to the step, from 0 to 1.
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
        let candidates: Vec<Context> = shown(input, items)
            .into_iter()
            .map(|run| {
                let first = &input.candidates[run.first];
                let title = input
                    .documents
                    .get(first.document)
                    .map(|document| &document.title);
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
        let mut selected = Vec::new();
        for choice in &answer.chosen {
            // Numbers in the prompt begin with 1.
            let index = usize::try_from(choice.number)
                .ok()
                .and_then(|number| number.checked_sub(1));
            let Some(run) = index.and_then(|index| shown.get(index)) else {
                left_out.push(format!(
                    "left out sentence {}: there is none",
                    choice.number
                ));
                continue;
            };
            if selected.len() < input.limit && seen.insert((run.first, run.last)) {
                selected.push(Selected {
                    first: run.first,
                    last: run.last,
                    skip: run.skip,
                    relevance: clamped_score(choice.relevance),
                });
            }
        }
        if selected.is_empty() && !answer.chosen.is_empty() {
            return Err(format!(
                "the sentences are numbered from 1 to {}",
                shown.len()
            ));
        }
        if selected.is_empty() {
            // Weak models reject every sentence that does not answer the step in full. The rule's
            // selection is used instead; the analyst may leave it out.
            let by_rule = Researcher::rule(input);
            if !by_rule.selected.is_empty() {
                left_out
                    .push("none was chosen: what the rule finds on the step is kept".to_owned());
                return Ok(by_rule);
            }
        }
        Ok(ResearcherOutput {
            selected,
            observation: line(&answer.observation, OBSERVATION),
            confidence: None,
        })
    }
}

/// The quotations in the prompt: the runs around the best candidates, by topicality of the document
/// plus search score (equal weights, chosen by hand), in the order of the documents.
fn shown(input: &ResearcherInput, items: usize) -> Vec<Run> {
    let score = |index: usize| {
        let candidate = &input.candidates[index];
        let document = input.documents.get(candidate.document);
        document.map_or(0.0, |document| document.topicality) + candidate.match_score
    };
    let mut indices: Vec<usize> = (0..input.candidates.len()).collect();
    indices.sort_by(|a, b| score(*b).total_cmp(&score(*a)).then(a.cmp(b)));
    let mut runs: Vec<Run> = Vec::new();
    for index in indices {
        if runs.len() >= items.min(SHOWN) {
            break;
        }
        let Some(run) = quotation::around(&input.candidates, index) else {
            continue;
        };
        // The run as it would be quoted, so that the model judges what the report would print.
        let run = quotation::grown(&input.candidates, run);
        if runs
            .iter()
            .all(|other| run.last < other.first || other.last < run.first)
        {
            runs.push(run);
        }
    }
    runs.sort_by_key(|run| run.first);
    runs
}

/// The text of a run.
fn words(input: &ResearcherInput, run: Run) -> String {
    let sentences: Vec<&str> = input.candidates[run.first..=run.last]
        .iter()
        .map(|candidate| &*candidate.sentence)
        .collect();
    let text = sentences.join(" ");
    text.get(run.skip..).unwrap_or(&text).to_owned()
}
