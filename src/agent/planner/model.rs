//! The planner's model side: its own steps, with their titles, queries, dependencies and
//! priorities. Ids, limits and the order are set by code, and what was done is not planned again.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::line;
use super::super::background::known_before_plan;
use super::super::definition::{DepthShape, ModelAgent, SessionView};
use super::repetition::is_same_search;
use super::{Planner, PlannerInput};
use crate::artifact::classification::Kind;
use crate::artifact::plan::{Facet, PlanStep, StepStatus, StepType, Task};
use crate::artifact::{self, Classification, Plan};
use crate::model::CallEstimate;
use crate::text::{self, counted};
use crate::web::is_social;

/// The maximum length of a title, in characters.
const TITLE_CHARACTERS: usize = 100;

/// The maximum length of a description, in characters.
const DESCRIPTION_CHARACTERS: usize = 400;

/// The maximum length of a query, in characters.
const QUERY: usize = 400;

/// The range of priorities: 1 is first.
const PRIORITIES: (u32, u32) = (1, 10);

/// Tokens of the instructions for a plan of one step, of several, and of what one query of the
/// background agent shows (measured as [`INSTRUCTION_TOKENS`] is).
///
/// [`INSTRUCTION_TOKENS`]: super::super::definition::INSTRUCTION_TOKENS
const SINGLE_TOKENS: usize = 600;
const SEVERAL_TOKENS: usize = 1050;
const SHOWN_BEFORE: usize = 180;

/// A research plan.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct PlannerAnswer {
    /// The reason for these steps, in one sentence of at most 20 words.
    thought: String,
    /// True only if what was found so far is enough for a report: then there are no steps.
    #[serde(default)]
    has_enough_context: bool,
    /// True only if the steps are separate parts of the topic, such as things to be compared: then
    /// they are worked on at the same time, else one after the other.
    #[serde(default)]
    independent: bool,
    /// The new steps, in the order in which they make sense.
    #[schemars(length(max = 10))]
    #[serde(default)]
    steps: Vec<StepAnswer>,
}

/// One step.
#[derive(Debug, Deserialize, JsonSchema)]
struct StepAnswer {
    /// The aspect of the topic, in a few words.
    title: String,
    /// The expected answer, in one sentence of at most 20 words.
    #[serde(default)]
    description: String,
    /// RESEARCH searches; ANALYSIS searches nothing, it works on what other steps find.
    #[serde(default = "research_step")]
    step_type: StepType,
    /// `web`, or `social` for one step.
    #[serde(default)]
    task: Task,
    /// The role of what it finds; `aspect` if no other fits.
    #[serde(default = "any_aspect")]
    facet: Facet,
    /// The search queries: words that a document that answers it would contain. None for ANALYSIS.
    #[schemars(length(max = 4))]
    #[serde(default)]
    queries: Vec<String>,
    /// The numbers of the steps above in this list, or the ids of completed steps, that it needs
    /// the findings of. Mostly none.
    #[schemars(length(max = 4), with = "Vec<String>")]
    #[serde(default)]
    depends_on: Vec<Context>,
    /// From 1, first, to 10, last.
    #[serde(default)]
    priority: i64,
    /// The name of the agent to whom it is delegated; empty for most.
    #[serde(default)]
    agent: String,
}

fn research_step() -> StepType {
    StepType::Research
}

fn any_aspect() -> Facet {
    Facet::Aspect
}

impl ModelAgent for Planner {
    type Answer = PlannerAnswer;
    const OUTPUT_TOKENS: u32 = 2500;

    fn expected(shape: DepthShape) -> CallEstimate {
        let instructions = match shape.steps {
            1 => SINGLE_TOKENS,
            _ => SEVERAL_TOKENS,
        };
        CallEstimate {
            calls: 1,
            input_tokens: instructions + SHOWN_BEFORE * shape.background_queries,
            output_tokens: 20 + 90 * shape.steps,
        }
    }

    fn context(input: &PlannerInput, _items: usize) -> Context {
        json!({
            "topic": input.topic,
            "classification": input.classification,
            "is_single": input.is_single(),
            "max_steps": input.max_steps,
            "max_queries": input.max_queries,
            "completed": input.completed,
            "passages": input.passages,
            "wanted": input.wanted,
            "reasoning": input.reasoning,
            "background": input.background,
            "agents": input.agents.iter().map(|agent| json!({
                "name": agent.name, "description": agent.description.trim(),
            })).collect::<Vec<_>>(),
            "is_social": input.is_social,
        })
    }

    fn fit_schema(input: &PlannerInput, schema: &mut Context) {
        let remove = |schema: &mut Context, names: &[&str]| {
            if let Some(fields) = schema["properties"].as_object_mut() {
                fields.retain(|name, _| !names.contains(&&**name));
            }
        };
        let step = &mut schema["properties"]["steps"]["items"];
        if input.agents.is_empty() {
            remove(step, &["agent"]);
        }
        if !input.is_social {
            remove(step, &["task"]);
        }
        if input.is_single() {
            remove(step, &["facet", "step_type", "depends_on", "priority"]);
            remove(schema, &["has_enough_context", "independent"]);
        }
    }

    /// A later plan without steps is valid: there may be nothing new to research.
    fn validate(
        input: &PlannerInput,
        _items: usize,
        answer: PlannerAnswer,
        left_out: &mut Vec<String>,
    ) -> Result<Plan, String> {
        let thought = line(&answer.thought, DESCRIPTION_CHARACTERS);
        let mut planning = Planning {
            input,
            steps: Vec::new(),
            ids: Vec::new(),
        };
        let mut too_many = 0;
        for planned in answer.steps {
            if planning.steps.len() < input.max_steps {
                planning.add(planned, left_out);
            } else {
                too_many += 1;
            }
        }
        if too_many > 0 {
            let steps = counted(too_many, "step");
            left_out.push(format!("left out {steps}: enough are planned"));
        }
        if answer.has_enough_context && input.passages > 0 && planning.steps.is_empty() {
            let plan = input.plan(thought, Vec::new());
            return Ok(Plan {
                has_enough_context: true,
                ..plan
            });
        }
        // Small models say so in every plan, and plan steps all the same.
        if answer.has_enough_context {
            let problem = if input.passages == 0 {
                "nothing has been found yet"
            } else {
                "steps are planned all the same"
            };
            left_out.push(format!("has_enough_context: {problem}"));
        }
        if planning.steps.is_empty() && input.iteration == 1 && input.max_steps > 0 {
            return Err("no step has both a title and a query".to_owned());
        }
        let is_parallel = answer.independent || input.classification.kind == Kind::Comparison;
        Ok(input.plan(thought, planning.scheduled(is_parallel)))
    }

    fn preview(session: &SessionView<'_>) -> Result<Option<PlannerInput>> {
        let settings = session.settings;
        let classification: Classification = session.content("research/classification.json")?;
        let looked: Option<artifact::Background> = session.content(artifact::Background::FILE).ok();
        let messages = &session.session.messages;
        let is_social = session.session.search.iter().any(|own| is_social(own));
        Ok(Some(PlannerInput {
            background: known_before_plan(&classification, messages, looked.as_ref()),
            topic: session.session.topic.clone(),
            max_steps: settings
                .limits(session.session.depth)
                .planned_steps(classification.kind == Kind::Comparison, is_social),
            max_queries: settings.agents.researcher.max_search_queries,
            classification,
            iteration: 1,
            completed: Vec::new(),
            passages: 0,
            wanted: Vec::new(),
            reasoning: String::new(),
            agents: Vec::new(),
            is_social,
        }))
    }
}

/// A model's plan while its steps are checked, one by one.
struct Planning<'a> {
    input: &'a PlannerInput,
    /// The steps that are accepted so far.
    steps: Vec<PlanStep>,
    /// By number in the answer: the id of the step, if it was accepted.
    ids: Vec<Option<String>>,
}

/// `true` for a heading that begins with the id of a step, "1-overview" or "c4-figures": small
/// models plan to research a step, as it stands in the list of those that are done.
fn names_step(heading: &str) -> bool {
    let first = heading.split_whitespace().next().unwrap_or_default();
    let parts = first.split_once('-');
    parts.is_some_and(|(number, name)| {
        let digits = number.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
        number.len() <= digits.len() + 1 && digits.parse::<u32>().is_ok() && is_name
    })
}

impl Planning<'_> {
    /// Adds a step, or names it as left out.
    fn add(&mut self, planned: StepAnswer, left_out: &mut Vec<String>) {
        let mut step = self.step(planned, left_out);
        if let Some(step) = &mut step
            && self.steps.iter().any(|other| is_same_search(step, other))
        {
            // Small models write the same queries below every title.
            step.queries = vec![line(step.heading(), QUERY)];
        }
        let problem = match &step {
            None => "a step: it has no title or no query".to_owned(),
            Some(step) if self.input.is_repeated(step, &self.steps) => {
                format!(
                    "the step {:?}: it is done or planned already",
                    step.heading()
                )
            }
            Some(step) if names_step(step.heading()) => {
                format!(
                    "the step {:?}: that names a step, and no subject",
                    step.heading()
                )
            }
            Some(step) => {
                self.ids.push(Some(step.id.clone()));
                self.steps.push(step.clone());
                return;
            }
        };
        self.ids.push(None);
        left_out.push(format!("left out {problem}"));
    }

    /// The step as it was planned, with an id; `None` without a title or, for a search, a query.
    fn step(&self, planned: StepAnswer, left_out: &mut Vec<String>) -> Option<PlanStep> {
        let is_research = planned.step_type == StepType::Research;
        let verb = if is_research { "Research" } else { "Analyse" };
        // Removed if the model wrote it, since it is added here.
        let title = planned.title.trim();
        let title = line(title.strip_prefix(verb).unwrap_or(title), TITLE_CHARACTERS);
        let mut queries = self.queries(&title, &planned.queries);
        if title.is_empty() || is_research && queries.is_empty() {
            return None;
        }
        if !is_research {
            queries.clear();
        }
        let is_social = self.input.is_social && is_research;
        let task = if is_social { planned.task } else { Task::Web };
        let dependencies = self.dependencies(&planned, left_out);
        let agent = self.agent(&planned, left_out);
        let number = self.input.first_number() + self.steps.len();
        let facet = match planned.facet {
            // A term is a single word, and the questions are divided by the rule alone.
            Facet::Term | Facet::Question => Facet::Aspect,
            _ if self.input.is_single() => Facet::Overview,
            facet => facet,
        };
        let name = format!("{facet:?}").to_lowercase();
        let (first, last) = PRIORITIES;
        let by_place = u32::try_from(self.steps.len() + 1).unwrap_or(last);
        let priority = u32::try_from(planned.priority).ok().filter(|own| *own > 0);
        Some(PlanStep {
            id: format!("{number}-{name}"),
            title: format!("{verb} {title}"),
            description: line(&planned.description, DESCRIPTION_CHARACTERS),
            facet,
            step_type: planned.step_type,
            task,
            needs_search: is_research,
            queries,
            priority: priority.unwrap_or(by_place).clamp(first, last),
            dependencies,
            status: StepStatus::Pending,
            observation: None,
            agent,
        })
    }

    /// The sub-agent to whom a search is delegated, if there is one of that name.
    fn agent(&self, planned: &StepAnswer, left_out: &mut Vec<String>) -> Option<String> {
        let name = planned.agent.trim();
        if name.is_empty() || planned.step_type != StepType::Research {
            return None;
        }
        let mut agents = self.input.agents.iter();
        let agent = agents.find(|agent| agent.name == name);
        if agent.is_none() {
            let step = line(&planned.title, TITLE_CHARACTERS);
            let name = line(name, TITLE_CHARACTERS);
            left_out.push(format!(
                "left out that {step:?} is for {name:?}: no such agent"
            ));
        }
        agent.map(|agent| agent.name.clone())
    }

    /// The queries with words in them, each once, as many as a step may have. A single word that is
    /// not of the topic searches for anything: it is joined with the title.
    fn queries(&self, title: &str, planned: &[String]) -> Vec<String> {
        let topic = &self.input.classification.terms;
        let mut queries: Vec<String> = Vec::new();
        for query in planned {
            let query = match text::terms(query).as_slice() {
                [single] if !topic.contains(single) => line(&format!("{title} {query}"), QUERY),
                _ => line(query, QUERY),
            };
            if !text::terms(&query).is_empty() && !queries.contains(&query) {
                queries.push(query);
            }
        }
        queries.truncate(self.input.max_queries.max(1));
        queries
    }

    /// The ids of the steps that a step needs: only earlier ones, so that there is no cycle. An
    /// analysis that names none needs all.
    fn dependencies(&self, planned: &StepAnswer, left_out: &mut Vec<String>) -> Vec<String> {
        let mut ids: Vec<String> = Vec::new();
        for named in &planned.depends_on {
            let named = named
                .as_str()
                .map_or_else(|| named.to_string(), str::to_owned);
            match self.earlier(&named) {
                Some(id) if ids.contains(&id) => {}
                Some(id) => ids.push(id),
                None => left_out.push(format!(
                    "left out that step {} needs {:?}: no such step comes before it",
                    self.ids.len() + 1,
                    line(&named, TITLE_CHARACTERS)
                )),
            }
        }
        if ids.is_empty() && planned.step_type == StepType::Analysis {
            let all = self.input.completed.iter().chain(&self.steps);
            ids.extend(all.map(|step| step.id.clone()));
        }
        ids
    }

    /// The id of an earlier step, by its id or by its number in the answer.
    fn earlier(&self, named: &str) -> Option<String> {
        let mut steps = self.input.completed.iter().chain(&self.steps);
        let named = named.trim();
        let is_named =
            |step: &PlanStep| step.id == named || step.heading().eq_ignore_ascii_case(named);
        if let Some(step) = steps.find(|step| is_named(step)) {
            return Some(step.id.clone());
        }
        // "step 2" is as good as "2".
        let digits = named.trim_matches(|c: char| !c.is_ascii_digit());
        let number: usize = digits.parse().ok()?;
        self.ids.get(number.checked_sub(1)?)?.clone()
    }

    /// The steps in the order in which they are done: by priority, but none before one that it
    /// needs. Unless they are parallel, each search also needs the step before it, so that by
    /// default one researcher is at work.
    fn scheduled(self, is_parallel: bool) -> Vec<PlanStep> {
        let mut rest = self.steps;
        let mut steps: Vec<PlanStep> = Vec::with_capacity(rest.len());
        while !rest.is_empty() {
            let is_planned = |id: &String| rest.iter().any(|other| other.id == *id);
            let next = (0..rest.len())
                .filter(|index| !rest[*index].dependencies.iter().any(is_planned))
                .min_by_key(|index| rest[*index].priority);
            let mut step = rest.remove(next.unwrap_or_default());
            // A social step is always done beside the others.
            let is_chained = !is_parallel && step.needs_search && step.task.is_web();
            let mut web = steps.iter().rev().filter(|own| own.task.is_web());
            if let Some(before) = web.next().filter(|_| is_chained)
                && !step.dependencies.contains(&before.id)
            {
                step.dependencies.push(before.id.clone());
            }
            steps.push(step);
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::names_step;

    #[test]
    fn ids_of_steps_are_no_subjects() {
        for id in [
            "1-overview",
            "c4-figures",
            " 12-why",
            "4-overview COMPLETED: costs",
        ] {
            assert!(names_step(id), "{id}");
        }
        for subject in [
            "Costs",
            "R290-heat pumps",
            "2024-25",
            "why 1-overview",
            "x86-64",
            "A4-paper",
        ] {
            assert!(!names_step(subject), "{subject}");
        }
    }
}
