//! The planner divides the topic into steps, one per aspect, and adds steps when a reflection, a
//! review or a finding asks for more.

mod model;
mod repetition;

use super::answer::line;
use super::definition::Agent;
use crate::answering::{Question, further_questions};
use crate::artifact::Classification;
use crate::artifact::classification::Kind;
use crate::artifact::plan::{Facet, Plan, PlanStep, StepStatus, StepType, Task};
use crate::extension::SubAgent;
use crate::model::{Phase, Tier};
use crate::pipeline::Digest;
use crate::text::{self, counted, one_line, truncate};

use repetition::repeats;

/// The maximum length of a query, in characters (chosen by hand): a whole document may be passed as
/// a topic, and a longer query does not give better results.
const MAX_QUERY_CHARACTERS: usize = 400;

/// The maximum length of a title, in characters.
const TITLE: usize = 120;

/// The planner.
pub struct Planner;

/// The planner's input.
#[derive(Debug, Clone)]
pub struct PlannerInput {
    /// The topic.
    pub topic: String,
    /// Its classification.
    pub classification: Classification,
    /// The number of this plan in the session, from 1.
    pub iteration: u32,
    /// The maximum number of new steps.
    pub max_steps: usize,
    /// The maximum number of searches of a step.
    pub max_queries: usize,
    /// The steps of the plan before, none of which is pending any more; they stay in the plan.
    pub completed: Vec<PlanStep>,
    /// The number of passages found so far.
    pub passages: usize,
    /// Aspects to research besides, each in words; empty for the first plan.
    pub wanted: Vec<String>,
    /// The reasons of the reflection that wants them; empty if none does.
    pub reasoning: String,
    /// What is known before the plan, see [`super::known_before_plan`]; empty if nothing is.
    pub background: String,
    /// The sub-agents to whom steps can be delegated.
    pub agents: Vec<SubAgent>,
    /// `true` if people's posts are searched, or the topic asks for them.
    pub is_social: bool,
}

impl PlannerInput {
    /// The number of the first new step. Steps may have been removed from a plan by hand, so that
    /// their number is not enough.
    fn first_number(&self) -> usize {
        let number = |step: &PlanStep| step.id.split('-').next()?.parse::<u32>().ok();
        let numbers = self.completed.iter().filter_map(number);
        let last = numbers.max().unwrap_or_default() as usize;
        last.max(self.completed.len()) + 1
    }

    /// `true` for a first plan of one step, which needs no other and waits for none.
    fn is_single(&self) -> bool {
        self.iteration == 1 && self.max_steps == 1
    }

    /// `true` if a step would do again what a completed step or one of `new` does.
    fn is_repeated(&self, step: &PlanStep, new: &[PlanStep]) -> bool {
        let completed = |other: &&PlanStep| other.status == StepStatus::Completed;
        let earlier = self.completed.iter().filter(completed);
        earlier.chain(new).any(|other| repeats(step, other))
    }

    /// The plan with these new steps. A skipped step that a new one repeats is dropped: it would be
    /// named as not looked into.
    fn plan(&self, thought: String, new: Vec<PlanStep>) -> Plan {
        let is_dropped = |old: &PlanStep| {
            old.status == StepStatus::Skipped && new.iter().any(|step| repeats(step, old))
        };
        let retained = self.completed.iter().filter(|old| !is_dropped(old));
        Plan {
            id: uuid(&format!("{}\n{}", self.topic, self.iteration)),
            title: line(&self.topic, TITLE),
            thought,
            steps: retained.cloned().chain(new.iter().cloned()).collect(),
            has_enough_context: false,
            iteration: self.iteration,
        }
    }
}

impl Agent for Planner {
    type Input = PlannerInput;
    type Output = Plan;
    const NAME: &'static str = "planner";
    const TIER: Tier = Tier::Analytical;
    const PHASE: Phase = Phase::Gathering;
    const PROMPT: &'static str = include_str!("../../../prompts/planner.md");

    fn rule(input: &PlannerInput) -> Plan {
        let steps = if input.iteration == 1 {
            first_steps(input)
        } else {
            added_steps(input)
        };
        let aspects = counted(steps.len(), "aspect");
        let thought = match (input.iteration, steps.len()) {
            (1, 1) => "the topic as a whole".to_owned(),
            (1, _) => format!("{aspects} of the topic, each looked into by itself"),
            _ => format!("{aspects} that nothing was found on yet"),
        };
        input.plan(thought, steps)
    }
}

/// The steps of the first plan: the topic itself, its further questions, the sides of a comparison,
/// then its aspects.
fn first_steps(input: &PlannerInput) -> Vec<PlanStep> {
    let facets = facets(input);
    let (first, others) = facets.split_at(1);
    // In the place of the last step: it runs beside the others.
    let social = usize::from(input.is_social && input.max_steps > 1);
    let aspect = |facet: &Facet| (*facet, "");
    let sides = input.classification.sides.iter();
    let further = further_questions(&input.topic);
    // No question is left out for want of steps.
    let max_steps = (input.max_steps - social).max(1 + further.len());
    let mut steps: Vec<PlanStep> = first
        .iter()
        .map(aspect)
        .chain(
            further
                .iter()
                .map(|own| (Facet::Question, own.text.as_str())),
        )
        .chain(sides.map(|side| (Facet::Side, side.as_str())))
        .chain(others.iter().map(aspect))
        .take(max_steps)
        .enumerate()
        .map(|(index, (facet, about))| step(input, index + 1, facet, about))
        .collect();
    for (step, own) in steps.iter_mut().skip(1).zip(&further) {
        step.queries = vec![own.in_full.clone()];
    }
    if social > 0 {
        steps.push(social_step(input, steps.len() + 1));
    }
    steps
}

/// The step that searches the social services: first of all, beside the overview.
fn social_step(input: &PlannerInput, number: usize) -> PlanStep {
    let terms = &input.classification.terms;
    let topic = shortened(&input.topic);
    // These services match words, and no question.
    let words: Vec<&str> = text::words(&topic)
        .map(|word| word.text)
        .filter(|word| terms.contains(&text::stem(&text::fold(word))))
        .collect();
    let words = if words.is_empty() {
        topic.clone()
    } else {
        words.join(" ")
    };
    let mut queries = vec![words.clone(), format!("{words} experience")];
    queries.truncate(input.max_queries.max(1));
    PlanStep {
        id: format!("{number}-social"),
        title: "Research what people think".to_owned(),
        description: "Find threads in which people write what they think of it.".to_owned(),
        task: Task::Social,
        priority: 1,
        queries,
        ..step(input, number, Facet::Aspect, &topic)
    }
}

/// The steps of a later plan: one for each aspect that is wanted. A single word must stand in what
/// is quoted; several are searched for as a question of their own.
fn added_steps(input: &PlannerInput) -> Vec<PlanStep> {
    let first = input.first_number();
    let mut steps: Vec<PlanStep> = Vec::new();
    for wanted in &input.wanted {
        let facet = match text::terms(wanted).len() {
            0 | 1 => Facet::Term,
            _ => Facet::Aspect,
        };
        let step = step(input, first + steps.len(), facet, &shortened(wanted));
        if steps.len() < input.max_steps && !input.is_repeated(&step, &steps) {
            steps.push(step);
        }
    }
    steps
}

/// The aspects of a topic, most important first: the requested aspect, then those of its kind. The
/// order was chosen by hand.
fn facets(input: &PlannerInput) -> Vec<Facet> {
    use Facet::{Alternatives, Costs, Entries, Figures, How, Open, Overview, Recommendations, Why};
    let requested = input.classification.requested_facet;
    let of_kind = match input.classification.kind {
        // Who asks for a fact, or why, wants neither mechanism nor drawbacks beside it.
        Kind::Explanation if asks_for_one(&input.topic, requested) => [].as_slice(),
        Kind::Explanation => &[How, Why, Costs, Alternatives, Open],
        Kind::Decision => &[
            Why,
            Costs,
            Recommendations,
            Alternatives,
            Figures,
            How,
            Open,
        ],
        Kind::Comparison => &[Why, Costs, Figures, How, Recommendations, Open],
        Kind::Chronicle => &[Why, Open, How, Costs, Alternatives],
    };
    let first = match input.classification.kind {
        Kind::Chronicle => Entries,
        _ => Overview,
    };
    // The overview comes first, whatever else is requested; each aspect once.
    let mut facets = vec![first];
    for facet in std::iter::once(&requested).chain(of_kind) {
        if !facets.contains(facet) {
            facets.push(*facet);
        }
    }
    facets
}

/// Words of questions for one thing among others, folded, in English and German.
const WHICH: &[&str] = &[
    "which", "whose", "welche", "welchem", "welchen", "welcher", "welches", "wessen",
];

/// `true` if a topic asks for a fact, for a thing among others or its name, or for one aspect.
fn asks_for_one(topic: &str, requested: Facet) -> bool {
    let words = text::folded(topic);
    // "In which year" and "For whose garden" begin with a preposition.
    let mut first = words.iter().take(2).map(String::as_str);
    let is_which = topic.trim_end().ends_with('?') && first.any(|word| WHICH.contains(&word));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_name = matches!(
        words[..],
        ["what", "is" | "was", "the", "name" | "title", "of", ..]
    );
    let is_one = is_which || is_name || requested != Facet::Overview;
    is_one || Question::parse(topic).answer_type.is_factual()
}

/// A step. Its queries are the topic alone, which ranks documents, and the topic with words that
/// sentences on the aspect contain.
fn step(input: &PlannerInput, number: usize, facet: Facet, about: &str) -> PlanStep {
    let (name, aspect, words) = match facet {
        Facet::Overview => ("overview", "what is said on the topic".to_owned(), ""),
        Facet::Side => ("side", about.to_owned(), ""),
        Facet::Question => ("question", line(about, TITLE), ""),
        Facet::How => ("how", "how it works".to_owned(), "how works way method"),
        Facet::Why => (
            "why",
            "reasons and benefits".to_owned(),
            "why reason benefit advantage",
        ),
        Facet::Costs => (
            "costs",
            "costs and drawbacks".to_owned(),
            "cost drawback disadvantage risk",
        ),
        Facet::Alternatives => (
            "alternatives",
            "other options".to_owned(),
            "alternative instead option",
        ),
        Facet::Figures => (
            "figures",
            "figures and measurements".to_owned(),
            "measured number percent",
        ),
        Facet::Recommendations => (
            "recommendations",
            "what is recommended".to_owned(),
            "recommend should advice",
        ),
        Facet::Entries => ("entries", "each document by itself".to_owned(), ""),
        Facet::Open => (
            "open",
            "what is left open".to_owned(),
            "unresolved open question future",
        ),
        Facet::Term => ("term", about.to_owned(), ""),
        Facet::Aspect => ("aspect", line(about, TITLE), ""),
    };
    let topic = shortened(&input.topic);
    let mut queries = match facet {
        Facet::Side | Facet::Question | Facet::Term | Facet::Aspect => {
            vec![about.to_owned(), format!("{topic} {about}")]
        }
        Facet::Overview | Facet::Entries => vec![topic],
        _ => vec![topic.clone(), format!("{topic} {words}")],
    };
    // At least one query, whatever the settings say: a step without a query has no results.
    queries.truncate(input.max_queries.max(1));
    PlanStep {
        id: format!("{number}-{name}"),
        title: format!("Research {aspect}"),
        description: format!("Find sentences of the documents on: {aspect}."),
        facet,
        step_type: StepType::Research,
        task: Task::Web,
        needs_search: true,
        queries,
        priority: u32::try_from(number).unwrap_or(10).min(10),
        dependencies: Vec::new(),
        status: StepStatus::Pending,
        observation: None,
        agent: None,
    }
}

fn shortened(topic: &str) -> String {
    truncate(&one_line(topic), MAX_QUERY_CHARACTERS).to_owned()
}

/// A UUID of version 8 (RFC 9562, section 5.8) from the bits of a hash, so that the same plan has
/// the same id.
fn uuid(text: &str) -> String {
    // Version 8 is for custom data; a random UUID would differ from run to run.
    let digest = Digest::of(text);
    let hex = digest.as_str();
    // The digits 8 and a are the version and the variant.
    format!(
        "{}-{}-8{}-a{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[13..16],
        &hex[17..20],
        &hex[20..32]
    )
}

#[cfg(test)]
mod tests {
    use super::super::{Coordinator, CoordinatorInput};
    use super::*;

    fn input(topic: &str) -> PlannerInput {
        PlannerInput {
            topic: topic.to_owned(),
            classification: Coordinator::rule(&CoordinatorInput {
                topic: topic.to_owned(),
                max_questions: 3,
                ..CoordinatorInput::default()
            }),
            iteration: 1,
            max_steps: 3,
            max_queries: 2,
            completed: Vec::new(),
            passages: 0,
            wanted: Vec::new(),
            reasoning: String::new(),
            background: String::new(),
            agents: Vec::new(),
            is_social: false,
        }
    }

    #[test]
    fn sides_of_a_comparison_follow_the_topic_itself() {
        let plan = Planner::rule(&input("R290 vs R32"));
        let ids: Vec<_> = plan.steps.iter().map(|step| step.id.as_str()).collect();
        assert_eq!(ids, ["1-overview", "2-side", "3-side"]);
        assert_eq!(plan.steps[1].queries, ["R290", "R290 vs R32 R290"]);
    }

    #[test]
    fn a_question_for_one_aspect_is_not_researched_on_others() {
        let ids = |topic: &str| {
            let steps = Planner::rule(&PlannerInput {
                max_steps: 6,
                ..input(topic)
            })
            .steps;
            let ids: Vec<String> = steps.into_iter().map(|step| step.id).collect();
            ids.join(" ")
        };
        assert_eq!(ids("Why do heat pumps ice up?"), "1-overview 2-why");
        assert_eq!(ids("How does a heat pump defrost?"), "1-overview 2-how");
        assert_eq!(ids("drawbacks of heat pumps"), "1-overview 2-costs");
        assert_eq!(ids("How loud is a heat pump?"), "1-overview");
        for specific in [
            "Which court annulled the permit?",
            "In welchem Jahr wurde die Anlage gebaut?",
            "What is the name of the plant manager?",
        ] {
            assert_eq!(ids(specific), "1-overview", "{specific}");
        }
        let drawbacks = ids("Which drawbacks do heat pumps have?");
        assert_eq!(drawbacks, "1-overview 2-costs");
        assert_eq!(
            ids("Do heat pumps work in old houses?"),
            "1-overview 2-why 3-costs 4-recommendations 5-alternatives 6-figures"
        );
    }

    #[test]
    fn a_social_step_takes_the_last_place_and_is_done_beside_the_first() {
        let plan = Planner::rule(&PlannerInput {
            is_social: true,
            ..input("What do people think about heat pumps in old houses?")
        });
        let ids: Vec<_> = plan.steps.iter().map(|step| step.id.as_str()).collect();
        assert_eq!(ids.len(), 3, "{ids:?}");
        let social = &plan.steps[2];
        assert_eq!(
            (social.task, social.id.as_str()),
            (Task::Social, "3-social")
        );
        assert_eq!(
            social.queries,
            ["heat pumps old houses", "heat pumps old houses experience"]
        );
        let next = plan.next_steps(2);
        assert!(next.iter().any(|step| step.id == social.id));
        let one = Planner::rule(&PlannerInput {
            is_social: true,
            max_steps: 1,
            ..input("Do heat pumps work?")
        });
        assert!(one.steps.iter().all(|step| step.task.is_web()));
    }

    #[test]
    fn a_later_plan_keeps_completed_steps() {
        let mut input = input("Do heat pumps work?");
        input.completed = Planner::rule(&input).steps;
        input.iteration = 2;
        input.wanted = vec!["noise".to_owned()];
        let plan = Planner::rule(&input);
        assert_eq!(plan.steps.len(), 4);
        assert_eq!(plan.steps[3].id, "4-term");
        assert_eq!(plan.steps[..3], input.completed[..]);
    }

    #[test]
    fn an_aspect_in_words_is_searched_for_in_full_and_only_once() {
        let mut input = input("Do heat pumps work?");
        let wanted = "noise limits in residential areas at night";
        input.iteration = 2;
        input.wanted = vec![wanted.to_owned(), wanted.to_uppercase()];
        let plan = Planner::rule(&input);
        assert_eq!(plan.steps.len(), 1);
        assert_eq!(plan.steps[0].facet, Facet::Aspect);
        assert_eq!(plan.steps[0].heading(), wanted);
        assert_eq!(plan.steps[0].queries[0], wanted);
        input.completed = plan.steps;
        input.completed[0].status = StepStatus::Completed;
        assert_eq!(Planner::rule(&input).steps, input.completed);
    }
}
