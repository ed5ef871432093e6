//! The researcher carries out a step: in turns it searches, reads and thinks, and finally says what
//! it found, with the passages that show it, or abstains if the sources do not answer.
//!
//! The rule finishes at once: the planned searches are made and the best pages are read before its
//! turn, and it selects the sentences that are worth quoting.

mod answers;
mod aspect;
mod candidate;
mod certainty;
mod context;
mod disagreement;
mod exception;
mod form;
mod input;
mod leading;
mod model;
mod program;
mod quotation;
mod relevance;
mod rows;
mod sections;
mod selection;
mod sequel;
mod steps;
mod style;
mod taken_back;
mod transcript;
mod turn;

use std::collections::BTreeSet;

use super::answer::rounded;
use super::definition::Agent;
use crate::answering::SILENCE_THRESHOLD;
use crate::artifact::plan::Facet;
use crate::model::{Phase, Tier};
use context::Context;
use selection::Selection;

pub use candidate::{Candidate, ListPart};
pub use input::{ResearcherInput, ResearcherOutput, TermWeight, TopicDocument, coverage};
pub use quotation::{Selected, quotable};
pub use transcript::{Observation, ShownHit, ShownPassage, Transcript, TurnsLeft};
pub use turn::{Action, Turn};

/// The researcher.
pub struct Researcher;

impl Agent for Researcher {
    type Input = ResearcherInput;
    type Output = Turn;
    const NAME: &'static str = "researcher";
    const TIER: Tier = Tier::Analytical;
    const PHASE: Phase = Phase::Gathering;
    const PROMPT: &'static str = include_str!("../../../prompts/researcher.md");

    fn rule(input: &ResearcherInput) -> Turn {
        Turn {
            thought: String::new(),
            answer: String::new(),
            action: Action::Finish(by_rule(input)),
        }
    }
}

/// What the rule finds: the sentences that answer, or those on the step's aspect.
fn by_rule(input: &ResearcherInput) -> ResearcherOutput {
    // Rows beyond a number need have no word of the question, and sentences that contradict no
    // other one do not answer where documents disagree, whatever words they have.
    let context = &Context::new(input);
    let is_unanswerable =
        input.confidence < SILENCE_THRESHOLD || context.question.asks_for_all_disagreements();
    let is_silent = is_unanswerable && !answers::are_by_form(context);
    let selected = if is_silent {
        Vec::new()
    } else {
        Selection::new(context).selected()
    };
    let confidence = certainty::confidence(context, &selected);
    let documents: BTreeSet<_> = selected
        .iter()
        .map(|quotation| input.candidates[quotation.first].document)
        .collect();
    let is_for_answers = matches!(input.step.facet, Facet::Overview | Facet::Question);
    ResearcherOutput {
        observation: observation(selected.len(), documents.len()),
        confidence: is_for_answers.then(|| rounded(confidence)),
        margin: input.margin.filter(|_| is_for_answers).map(rounded),
        selected,
        ..ResearcherOutput::default()
    }
}

fn observation(quotations: usize, documents: usize) -> String {
    match quotations {
        0 => "Nothing was found.".to_owned(),
        1 => "One quotation was found, in one document.".to_owned(),
        _ if documents == 1 => format!("{quotations} quotations were found, all in one document."),
        _ => format!("{quotations} quotations were found in {documents} documents."),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Coordinator, CoordinatorInput, Planner, PlannerInput};
    use super::*;
    use crate::text;

    fn candidate(document: usize, sentence: &str) -> Candidate {
        Candidate {
            document,
            paragraph: 0,
            paragraph_in_section: 0,
            is_caseless: false,
            sentence: sentence.into(),
            terms: text::terms(sentence).into(),
            headings: Arc::from(Vec::new()),
            heading_terms: Arc::from(Vec::new()),
            match_score: 0.5,
            is_lead: false,
            list: ListPart::None,
            step: None,
            is_condition: false,
            mail_age: 0,
            quotability: Arc::default(),
            stems: Arc::default(),
        }
    }

    fn input(topic: &str, sentences: &[&str]) -> ResearcherInput {
        let classification = Coordinator::rule(&CoordinatorInput {
            topic: topic.to_owned(),
            max_questions: 1,
            ..CoordinatorInput::default()
        });
        let weigh = |term: &String| TermWeight {
            term: term.clone(),
            weight: 1.0,
        };
        let terms = classification.terms.iter().map(weigh).collect();
        let plan = Planner::rule(&PlannerInput {
            topic: topic.to_owned(),
            classification,
            iteration: 1,
            max_steps: 1,
            max_queries: 1,
            completed: Vec::new(),
            passages: 0,
            wanted: Vec::new(),
            reasoning: String::new(),
            background: String::new(),
            agents: Vec::new(),
            is_social: false,
        });
        let candidates = sentences.iter().enumerate();
        ResearcherInput {
            step: plan.steps[0].clone(),
            research_topic: topic.to_owned(),
            topic: topic.to_owned(),
            requested_facet: Facet::Overview,
            terms,
            candidates: candidates
                .map(|(index, sentence)| candidate(index, sentence))
                .collect(),
            required_term: None,
            documents: (0..sentences.len())
                .map(|index| TopicDocument {
                    index,
                    title: String::new(),
                    date: None,
                    lifecycle: None,
                    successor: None,
                    score: 0.5,
                    topicality: 0.5,
                    anchor: 0.0,
                })
                .collect(),
            answers: (0..sentences.len())
                .filter(|index| sentences[*index].contains("heat pump"))
                .map(|index| (index, 5.0))
                .collect(),
            confidence: 1.0,
            margin: None,
            limit: 2,
            documents_searched: 3,
            transcript: None,
            tools: Vec::new(),
            agent: None,
        }
    }

    #[test]
    fn corroborating_sentences_of_other_documents_are_selected() {
        let sentences = [
            "Bees collect nectar from the flowers of the garden in summer.",
            "A heat pump needs large radiators in every old house of stone.",
            "A heat pump needs no large radiators in an old house of stone.",
        ];
        let output = by_rule(&input("heat pump in an old house", &sentences));
        let selected: Vec<_> = output
            .selected
            .iter()
            .map(|selected| selected.first)
            .collect();
        assert_eq!(selected, [1, 2]);
    }

    #[test]
    fn documents_off_topic_are_not_quoted() {
        let sentences = ["Bees collect nectar from the flowers of the garden in summer."];
        let output = by_rule(&input("heat pump in an old house", &sentences));
        assert!(output.selected.is_empty());
        assert_eq!(output.observation, "Nothing was found.");
    }
}
