//! The background agent looks around before the plan: its searches show the planner what there is.
//! It reads no page, and nothing that it finds is quoted.
//!
//! Only a model plans differently by what it sees. By rule the queries are those of the first
//! steps, so that without a model nothing is searched twice and nothing is written.

mod model;

use super::answer::line;
use super::definition::Agent;
use crate::artifact::classification::FollowUpType;
use crate::artifact::plan::Facet;
use crate::artifact::{self, Classification};
use crate::model::{Phase, Tier};

/// The maximum length of a query, in characters.
const QUERY: usize = 200;

/// The background agent.
pub struct Background;

/// The background agent's input.
#[derive(Debug, Clone)]
pub struct BackgroundInput {
    /// The topic.
    pub topic: String,
    /// Its classification.
    pub classification: Classification,
    /// The maximum number of queries.
    pub max_queries: usize,
}

impl Agent for Background {
    type Input = BackgroundInput;
    type Output = Vec<String>;
    const NAME: &'static str = "background";
    const TIER: Tier = Tier::Simple;
    const PHASE: Phase = Phase::Gathering;
    const PROMPT: &'static str = include_str!("../../../prompts/background.md");

    fn rule(input: &BackgroundInput) -> Vec<String> {
        let topic = line(&input.topic, QUERY);
        let Classification {
            sides,
            requested_facet,
            ..
        } = &input.classification;
        let facets = match requested_facet {
            Facet::Costs => ["cost drawback risk", "reason benefit"],
            Facet::How => ["how works method", "cost drawback risk"],
            _ => ["reason benefit", "cost drawback risk"],
        };
        let others: Vec<String> = if sides.is_empty() {
            facets
                .iter()
                .map(|words| format!("{topic} {words}"))
                .collect()
        } else {
            sides.clone()
        };
        let queries = std::iter::once(topic).chain(others);
        queries.take(input.max_queries).collect()
    }
}

/// What is known before the plan, as the planner is shown it: the findings of the earlier session
/// that the topic builds on, and the results of the first look. Empty if there is nothing.
pub fn known_before_plan(
    classification: &Classification,
    messages: &[String],
    background: Option<&artifact::Background>,
) -> String {
    let builds_on = classification.follow_up_type == FollowUpType::ComplexFollowUp;
    let earlier = messages
        .iter()
        .filter(|_| builds_on)
        .map(|message| format!("In an earlier session: {message}"));
    let results = background.iter().flat_map(|background| &background.results);
    let results = results.map(|result| {
        let date = result
            .date
            .as_ref()
            .map_or(String::new(), |date| format!(", {date}"));
        let snippet = result.snippet.as_ref();
        let snippet = snippet.map_or(String::new(), |snippet| format!(": {snippet}"));
        format!("- {} ({}{date}){snippet}", result.title, result.origin)
    });
    earlier.chain(results).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::super::{Coordinator, CoordinatorInput};
    use super::*;

    fn input(topic: &str, max_queries: usize) -> BackgroundInput {
        BackgroundInput {
            topic: topic.to_owned(),
            classification: Coordinator::rule(&CoordinatorInput {
                topic: topic.to_owned(),
                messages: vec!["Asked: Do heat pumps work?".to_owned()],
                ..CoordinatorInput::default()
            }),
            max_queries,
        }
    }

    #[test]
    fn queries_are_the_topic_and_two_facets_or_sides() {
        let queries = Background::rule(&input("Do bees dance?", 3));
        assert_eq!(queries.len(), 3);
        assert_eq!(queries[0], "Do bees dance?");
        let queries = Background::rule(&input("R290 vs R32", 2));
        assert_eq!(queries, ["R290 vs R32", "R290"]);
    }

    #[test]
    fn the_planner_sees_earlier_findings_only_if_the_topic_builds_on_them() {
        let messages = vec!["Answered: They do.".to_owned()];
        let known =
            |topic: &str| known_before_plan(&input(topic, 3).classification, &messages, None);
        assert_eq!(known("Do bees dance?"), "");
        let topic = "How do subsidies for heat pumps compare between Norway and Germany?";
        assert_eq!(known(topic), "In an earlier session: Answered: They do.");
    }
}
