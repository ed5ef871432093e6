//! The planner's model side. Ids, numbers and limits of steps are set by the rule (the plain code
//! that stands in for a model, in `mod.rs`).

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

/// The maximum length of a title, in characters.
const TITLE_CHARACTERS: usize = 100;

/// The maximum length of a description, in characters.
const DESCRIPTION_CHARACTERS: usize = 400;

/// The maximum length of a query, in characters.
const QUERY: usize = 400;

/// The first word of every step's title.
const RESEARCH: &str = "Research ";

/// A research plan.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct PlannerAnswer {
    /// The reason for these steps, in one sentence of at most 20 words.
    thought: String,
    /// The steps, most important first.
    steps: Vec<StepAnswer>,
}

/// One step.
#[derive(Debug, Deserialize, JsonSchema)]
struct StepAnswer {
    /// The aspect of the topic, in a few words.
    title: String,
    /// The expected answer, in one sentence of at most 20 words.
    description: String,
    /// The role of what it finds.
    facet: Facet,
    /// The search queries: words that a document that answers it would contain.
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
            "max_steps": max_steps(input),
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
        for planned in answer.steps {
            let index = steps.len() - first;
            if index == max_steps(input) {
                left_out.push(format!(
                    "left out the step {:?}: enough are planned",
                    line(&planned.title, TITLE_CHARACTERS)
                ));
                continue;
            }
            // The rule's step at this index is the template: later plans have a step per wanted
            // term, named by the rule.
            let template = by_rule.steps.get(first + index).or(by_rule.steps.last());
            let Some(template) = template else {
                continue;
            };
            match step(input, first + index + 1, planned, template) {
                Some(step) => steps.push(step),
                None => left_out.push("left out a step without a title or a query".to_owned()),
            }
        }
        if steps.len() == first && max_steps(input) > 0 {
            return Err("no step has both a title and a query".to_owned());
        }
        Ok(Plan {
            thought: line(&answer.thought, DESCRIPTION_CHARACTERS),
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

/// The maximum number of steps that may be added.
fn max_steps(input: &PlannerInput) -> usize {
    match input.iteration {
        1 => input.max_steps,
        _ => input.wanted.len().min(input.max_steps),
    }
}

/// A planned step, completed from the rule's template; `None` without a title or a query.
fn step(
    input: &PlannerInput,
    number: usize,
    planned: StepAnswer,
    template: &PlanStep,
) -> Option<PlanStep> {
    // Removed if the model wrote it, since it is added below.
    let title = line(planned.title.trim_start_matches(RESEARCH), TITLE_CHARACTERS);
    let mut queries: Vec<String> = Vec::new();
    for query in &planned.queries {
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
    if is_first && planned.facet != Facet::Side {
        // The topic itself ranks the documents; the model's words then select among their passages.
        queries.insert(0, line(&input.topic, QUERY));
        queries.dedup();
        queries.truncate(input.max_queries.max(1));
    }
    if !is_first {
        // The wanted term must be in every quotation, so the template's queries come first.
        queries = template.queries.iter().cloned().chain(queries).collect();
        queries.truncate(input.max_queries.max(1));
    }
    let facet = if is_first {
        planned.facet
    } else {
        template.facet
    };
    let name = format!("{facet:?}").to_lowercase();
    Some(PlanStep {
        id: format!("{number}-{name}"),
        // The reviewer recognises a researched term by this title, so it is not researched twice.
        title: if is_first {
            format!("{RESEARCH}{title}")
        } else {
            template.title.clone()
        },
        description: line(&planned.description, DESCRIPTION_CHARACTERS),
        facet,
        queries,
        priority: u32::try_from(number).unwrap_or(10).min(10),
        ..template.clone()
    })
}
