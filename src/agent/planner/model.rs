//! The planner, answered by a model. Names, numbers and limits of steps are set by code.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::line;
use super::super::definition::{Agent, DepthShape, INSTRUCTION_TOKENS, ModelAgent, SessionView};
use super::{Planner, PlannerInput};
use crate::artifact::Plan;
use crate::artifact::plan::{Facet, PlanStep};
use crate::model::CallEstimate;
use crate::text;

/// Characters of a title, and of what to look for.
const TITLE: usize = 100;
const DESCRIPTION: usize = 400;

/// Characters of a query.
const QUERY: usize = 400;

/// The word that every step's title begins with.
const RESEARCH: &str = "Research ";

/// A research plan.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct PlannerAnswer {
    /// Why these steps, in one sentence of at most 20 words.
    thought: String,
    /// The steps, the most telling first.
    steps: Vec<StepAnswer>,
}

/// One step.
#[derive(Debug, Deserialize, JsonSchema)]
struct StepAnswer {
    /// The aspect of the topic, in a few words.
    title: String,
    /// What would count as an answer, in one sentence of at most 20 words.
    description: String,
    /// The role of what it finds.
    facet: Facet,
    /// What to search for: words that would stand in a document that answers it.
    queries: Vec<String>,
}

impl ModelAgent for Planner {
    type Answer = PlannerAnswer;
    const OUTPUT_TOKENS: u32 = 2500;

    fn expected(shape: DepthShape) -> CallEstimate {
        CallEstimate {
            calls: 1,
            input_tokens: INSTRUCTION_TOKENS,
            output_tokens: 90 * shape.steps,
        }
    }

    fn context(input: &PlannerInput, _items: usize) -> Context {
        json!({
            "topic": input.topic,
            "classification": input.classification,
            "max_steps": most(input),
            "max_queries": input.max_queries,
            "completed": input.completed,
            "wanted": input.wanted,
        })
    }

    fn validate(
        input: &PlannerInput,
        _items: usize,
        answer: PlannerAnswer,
        left_out: &mut Vec<String>,
    ) -> Result<Plan, String> {
        let by_rule = Planner::rule(input);
        let first = input.completed.len();
        let mut steps = input.completed.clone();
        for found in answer.steps {
            let place = steps.len() - first;
            if place == most(input) {
                left_out.push(format!(
                    "left out the step {:?}: enough are planned",
                    line(&found.title, TITLE)
                ));
                continue;
            }
            // Later plans have one step for each wanted term, as the rule names them.
            let like = by_rule.steps.get(first + place).or(by_rule.steps.last());
            let Some(like) = like else {
                continue;
            };
            match step(input, first + place + 1, found, like) {
                Some(step) => steps.push(step),
                None => left_out.push("left out a step without a title or a query".to_owned()),
            }
        }
        if steps.len() == first && most(input) > 0 {
            return Err("no step has both a title and a query".to_owned());
        }
        Ok(Plan {
            thought: line(&answer.thought, DESCRIPTION),
            steps,
            ..by_rule
        })
    }

    fn preview(session: &SessionView<'_>) -> Result<Option<PlannerInput>> {
        let settings = session.settings;
        Ok(Some(PlannerInput {
            topic: session.session.topic.clone(),
            max_steps: settings.limits(session.session.depth).max_steps,
            max_queries: settings.agents.researcher.max_search_queries,
            classification: session.content("research/classification.json")?,
            iteration: 1,
            completed: Vec::new(),
            wanted: Vec::new(),
        }))
    }
}

/// Steps that may be added.
fn most(input: &PlannerInput) -> usize {
    match input.iteration {
        1 => input.max_steps,
        _ => input.wanted.len().min(input.max_steps),
    }
}

fn step(
    input: &PlannerInput,
    number: usize,
    found: StepAnswer,
    like: &PlanStep,
) -> Option<PlanStep> {
    let title = line(found.title.trim_start_matches(RESEARCH), TITLE);
    let mut queries: Vec<String> = Vec::new();
    for query in &found.queries {
        let query = line(query, QUERY);
        if !text::terms(&query).is_empty() && !queries.contains(&query) {
            queries.push(query);
        }
    }
    queries.truncate(input.max_queries.max(1));
    if title.is_empty() || queries.is_empty() {
        return None;
    }
    let is_first = input.iteration == 1;
    if is_first && found.facet != Facet::Side {
        // What is read is on the topic; the model's words say what of it is looked for.
        queries.insert(0, line(&input.topic, QUERY));
        queries.dedup();
        queries.truncate(input.max_queries.max(1));
    }
    if !is_first {
        // The word itself is what a quotation must hold.
        queries = like.queries.iter().cloned().chain(queries).collect();
        queries.truncate(input.max_queries.max(1));
    }
    let facet = if is_first { found.facet } else { like.facet };
    let name = format!("{facet:?}").to_lowercase();
    Some(PlanStep {
        id: format!("{number}-{name}"),
        // A term is not researched twice: the reviewer knows it by the title.
        title: if is_first {
            format!("{RESEARCH}{title}")
        } else {
            like.title.clone()
        },
        description: line(&found.description, DESCRIPTION),
        facet,
        queries,
        priority: u32::try_from(number).unwrap_or(10).min(10),
        ..like.clone()
    })
}
