//! A step of analysis: reasons over passages that earlier steps found, and searches for nothing. A
//! model is asked as a researcher whose searches have been made, so that each of its statements is
//! checked in the same way; the rule selects the passages that belong to the step.

use std::collections::{BTreeMap, BTreeSet};

use crate::agent::{
    Observation, ResearcherInput, ResearcherOutput, Selected, ShownPassage, Transcript, TurnsLeft,
};
use crate::artifact::plan::{Facet, PlanStep};
use crate::artifact::source::Passage;
use crate::artifact::step::FoundStatement;
use crate::artifact::{Session, StepFinding};
use crate::text::{self, counted};

/// Returns the material of a step: the passages of the steps that it depends on, or all of them if
/// it depends on none that found any.
pub(super) fn material(
    step: &PlanStep,
    findings: &BTreeMap<String, StepFinding>,
    passages: &[Passage],
) -> Vec<Passage> {
    let needed: BTreeSet<&str> = step
        .dependencies
        .iter()
        .filter_map(|id| findings.get(id))
        .flat_map(|finding| &finding.passages)
        .map(|passage| passage.id.as_str())
        .collect();
    passages
        .iter()
        .filter(|passage| needed.is_empty() || needed.contains(passage.id.as_str()))
        .cloned()
        .collect()
}

/// Returns the question to a researcher: what the material says on the step.
pub(super) fn question(
    step: &PlanStep,
    session: &Session,
    material: &[Passage],
    limit: usize,
) -> ResearcherInput {
    let shown = material.iter().enumerate().map(|(index, passage)| {
        let source = std::iter::once(&passage.source);
        ShownPassage {
            headings: source.chain(&passage.headings).cloned().collect(),
            text: text::one_line(&passage.quote),
            quotation: Selected {
                retrieval: 0,
                first: index,
                last: index,
                skip: 0,
                relevance: passage.relevance,
            },
        }
    });
    let left = TurnsLeft {
        finish_because: Some("this step searches nothing".to_owned()),
        ..TurnsLeft::default()
    };
    let observation = Observation {
        outcome: "What earlier steps found.".to_owned(),
        passages: 0..material.len(),
        left: left.clone(),
        ..Observation::default()
    };
    ResearcherInput {
        step: step.clone(),
        research_topic: session.topic.clone(),
        topic: session.topic.clone(),
        requested_facet: Facet::Overview,
        terms: Vec::new(),
        required_term: None,
        documents: Vec::new(),
        candidates: Vec::new(),
        answers: Vec::new(),
        confidence: 0.0,
        margin: None,
        limit,
        documents_searched: 0,
        transcript: Some(Transcript {
            passages: shown.collect(),
            observations: vec![observation],
            left,
            ..Transcript::default()
        }),
        tools: Vec::new(),
        agent: None,
    }
}

/// Returns the passages that a researcher selected of the material, and the statements that they
/// show.
pub(super) fn evidence(
    output: &ResearcherOutput,
    material: &[Passage],
) -> (Vec<Passage>, Vec<FoundStatement>) {
    let selected = output.selected.iter();
    let passages: Vec<Passage> = selected
        .filter_map(|selected| material.get(selected.first).cloned())
        .collect();
    let statements = output.statements.iter().map(|(text, indices)| {
        let ids = indices.iter().filter_map(|index| passages.get(*index));
        FoundStatement {
            text: text.clone(),
            passages: ids.map(|passage| passage.id.clone()).collect(),
        }
    });
    (passages.clone(), statements.collect())
}

/// Returns the passages that belong to a step by rule, at most `limit`, and the observation: those
/// that share most words with its title and description, in the order in which they were found.
pub(super) fn select(
    step: &PlanStep,
    material: &[Passage],
    limit: usize,
) -> (Vec<Passage>, String) {
    let words = text::terms(&format!("{} {}", step.heading(), step.description));
    let words: BTreeSet<String> = words.into_iter().collect();
    let shared = |passage: &Passage| {
        let quoted: BTreeSet<String> = text::terms(&passage.quote).into_iter().collect();
        words.intersection(&quoted).count()
    };
    let mut ranked: Vec<(usize, usize)> = material
        .iter()
        .map(shared)
        .enumerate()
        .filter(|(_, shared)| *shared > 0)
        .collect();
    // The sort is stable: of equal ones the first that was found.
    ranked.sort_by_key(|(_, shared)| std::cmp::Reverse(*shared));
    ranked.truncate(limit);
    ranked.sort_unstable();
    let passages: Vec<Passage> = ranked
        .into_iter()
        .map(|(position, _)| material[position].clone())
        .collect();
    let observation = format!(
        "Of {} found before, {} to this step.",
        counted(material.len(), "passage"),
        match passages.len() {
            0 => "none belongs".to_owned(),
            1 => "1 belongs".to_owned(),
            several => format!("{several} belong"),
        }
    );
    (passages, observation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::plan::{Facet, StepStatus, StepType, Task};

    fn passage(id: &str, quote: &str) -> Passage {
        Passage {
            id: id.to_owned(),
            source: "S1".to_owned(),
            start: 0,
            end: quote.len(),
            line: None,
            page: None,
            quote: quote.to_owned(),
            columns: Vec::new(),
            headings: Vec::new(),
            relevance: 0.5,
        }
    }

    fn step(title: &str, dependencies: &[&str]) -> PlanStep {
        PlanStep {
            id: "3-aspect".to_owned(),
            title: format!("Analyse {title}"),
            description: String::new(),
            facet: Facet::Aspect,
            step_type: StepType::Analysis,
            task: Task::Web,
            needs_search: false,
            queries: Vec::new(),
            priority: 3,
            dependencies: dependencies.iter().map(|id| (*id).to_owned()).collect(),
            status: StepStatus::Pending,
            observation: None,
            agent: None,
        }
    }

    #[test]
    fn material_is_that_of_the_dependencies_else_all() {
        let passages = [passage("P1", "Noise."), passage("P2", "Grants.")];
        let finding = StepFinding {
            passages: vec![passages[1].clone()],
            ..StepFinding::empty("2-costs", "2026-11-21T12:00:00Z")
        };
        let findings = BTreeMap::from([("2-costs".to_owned(), finding)]);
        let ids = |dependencies: &[&str]| -> Vec<String> {
            let step = step("noise", dependencies);
            let material = material(&step, &findings, &passages);
            material.iter().map(|passage| passage.id.clone()).collect()
        };
        assert_eq!(ids(&["2-costs"]), ["P2"]);
        assert_eq!(ids(&[]), ["P1", "P2"]);
        assert_eq!(ids(&["9-unknown"]), ["P1", "P2"]);
    }

    #[test]
    fn passages_that_share_most_words_belong_to_a_step() {
        let passages = [
            passage("P1", "A grant pays a third of the price."),
            passage("P2", "The noise of the pump is low at night."),
            passage("P3", "At night the limit of noise is 35 decibels."),
        ];
        let (selected, observation) = select(&step("noise limits at night", &[]), &passages, 1);
        assert_eq!(selected[0].id, "P3");
        assert_eq!(
            observation,
            "Of 3 passages found before, 1 belongs to this step."
        );
        let (selected, _) = select(&step("bees", &[]), &passages, 3);
        assert!(selected.is_empty());
    }
}
