//! The reviewer's model side: length and citations are counted by the rule (the plain code that
//! stands in for a model, in `mod.rs`), the other criteria are scored by the model.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::{clamped_score, line};
use super::super::definition::{Agent, DepthShape, ModelAgent, SessionView};
use super::{Reviewer, ReviewerInput, decision, weighted_mean};
use crate::artifact::report::ReportOutcome;
use crate::artifact::review::{Criterion, Note, NoteRequest};
use crate::artifact::{Report, Research, Review};
use crate::model::CallEstimate;
use crate::text;

/// The maximum length of a reason and of a note, in characters.
const SENTENCE_CHARACTERS: usize = 300;

/// The maximum length of a term to cover or to research, in characters.
const TERM_CHARACTERS: usize = 200;

/// The maximum number of notes.
const NOTES: usize = 8;

/// The criteria that the model scores; the others are counted.
const SCORED_BY_MODEL: [&str; 4] = ["summary", "structure", "comprehensiveness", "clarity"];

/// The judgement on a report.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ReviewerAnswer {
    /// The summary answers the topic.
    summary: ScoreAnswer,
    /// The parts fit the kind of question.
    structure: ScoreAnswer,
    /// Every aspect of the topic is addressed.
    comprehensiveness: ScoreAnswer,
    /// Each sentence is understood by itself, and none is about the report.
    clarity: ScoreAnswer,
    /// Changes that would make it better, each of which can be carried out.
    notes: Vec<NoteAnswer>,
}

/// One score.
#[derive(Debug, Deserialize, JsonSchema)]
struct ScoreAnswer {
    /// From 0 to 1.
    score: f64,
    /// The reason, in a few words.
    reason: String,
}

/// One note.
#[derive(Debug, Deserialize, JsonSchema)]
struct NoteAnswer {
    /// The action: widen (use more of a step), cover (use a passage that speaks of a term),
    /// research (a term that nothing speaks of), drop (do without a passage).
    action: Action,
    /// The step's id, the term, or the passage's id.
    target: String,
    /// The same in a sentence.
    text: String,
}

/// An action.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Widen,
    Cover,
    Research,
    Drop,
}

impl ModelAgent for Reviewer {
    type Answer = ReviewerAnswer;
    const OUTPUT_TOKENS: u32 = 2000;

    fn expected(shape: DepthShape) -> CallEstimate {
        shape.call_with_all_passages(400)
    }

    fn items(input: &ReviewerInput) -> usize {
        input.report.claims.len()
    }

    fn is_question(input: &ReviewerInput) -> bool {
        !input.report.claims.is_empty()
    }

    fn context(input: &ReviewerInput, items: usize) -> Context {
        let by_rule = Reviewer::rule(input);
        let counted: Vec<_> = by_rule
            .criteria
            .into_iter()
            .filter(|criterion| !is_scored_by_model(criterion))
            .collect();
        let claims: Vec<Context> = input
            .report
            .claims
            .iter()
            .take(items)
            .map(|claim| json!({ "id": claim.id, "text": claim.text }))
            .collect();
        let steps: Vec<Context> = input
            .research
            .findings
            .iter()
            .map(|finding| json!({ "id": finding.step, "passages": finding.passages.len() }))
            .collect();
        json!({
            "research": json!({ "topic": input.research.topic }),
            "report": json!({
                "title": input.report.title,
                "sections": input.report.sections,
                "executive_summary": input.report.executive_summary,
                "claims": claims,
            }),
            "steps": steps,
            "counted": counted,
            "wanted_claims": input.wanted_claims,
            "threshold": input.threshold,
            "may_research": input.may_research,
        })
    }

    fn validate(
        input: &ReviewerInput,
        _items: usize,
        answer: ReviewerAnswer,
        left_out: &mut Vec<String>,
    ) -> Result<Review, String> {
        let by_rule = Reviewer::rule(input);
        // A report without findings has nothing to score.
        if input.report.outcome != ReportOutcome::Answered {
            return Ok(by_rule);
        }
        let scored = |name: &str| match name {
            "summary" => Some(&answer.summary),
            "structure" => Some(&answer.structure),
            "comprehensiveness" => Some(&answer.comprehensiveness),
            "clarity" => Some(&answer.clarity),
            _ => None,
        };
        let criteria: Vec<Criterion> = by_rule
            .criteria
            .into_iter()
            .map(|criterion| match scored(&criterion.name) {
                Some(answer) => Criterion {
                    score: clamped_score(answer.score),
                    reason: line(&answer.reason, SENTENCE_CHARACTERS),
                    ..criterion
                },
                None => criterion,
            })
            .collect();
        let notes = notes(input, &answer.notes, left_out);
        // The score and the decision follow from the criteria by the same formula as the rule's: a
        // model cannot accept its own report.
        let score = weighted_mean(&criteria);
        Ok(Review {
            score,
            threshold: input.threshold,
            decision: decision(score, input.threshold, &notes),
            criteria,
            notes,
        })
    }

    fn preview(session: &SessionView<'_>) -> Result<Option<ReviewerInput>> {
        let research: Research = session.content("research.json")?;
        let report: Report = session.content("report.json")?;
        Ok(Some(ReviewerInput {
            wanted_claims: 2 * session.settings.limits(research.depth).min_steps,
            weights: session.settings.reviewer.weights,
            threshold: session.session.threshold,
            may_research: true,
            report,
            research,
        }))
    }
}

fn is_scored_by_model(criterion: &Criterion) -> bool {
    SCORED_BY_MODEL.contains(&criterion.name.as_str())
}

/// The notes that can be carried out.
fn notes(input: &ReviewerInput, answers: &[NoteAnswer], left_out: &mut Vec<String>) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for answer in answers {
        let target = line(&answer.target, SENTENCE_CHARACTERS);
        let Some(request) = request(input, answer.action, &target) else {
            left_out.push(format!(
                "left out a note: {:?} of {target:?} is not possible",
                answer.action
            ));
            continue;
        };
        if notes.len() < NOTES && notes.iter().all(|note| note.request != request) {
            notes.push(Note {
                criterion: match request {
                    NoteRequest::Drop { .. } => "citations".to_owned(),
                    _ => "comprehensiveness".to_owned(),
                },
                request,
                text: line(&answer.text, SENTENCE_CHARACTERS),
            });
        }
    }
    notes
}

/// The request of a note; `None` if its target does not exist or it is not possible any more.
fn request(input: &ReviewerInput, action: Action, target: &str) -> Option<NoteRequest> {
    let research = &input.research;
    // One word is compared as a stem; several are kept whole, as they are searched for.
    let words = text::terms(target);
    let term = || match words.as_slice() {
        [] => None,
        [word] => Some(word.clone()),
        _ => Some(line(target, TERM_CHARACTERS)),
    };
    Some(match action {
        Action::Widen => {
            let mut findings = research.findings.iter();
            findings.find(|finding| finding.step == target)?;
            NoteRequest::Widen {
                step: target.to_owned(),
            }
        }
        Action::Drop => {
            // The model sees claims, so it may name a claim in place of its passage.
            let of_claim = input.report.claim(target);
            let of_claim = of_claim.and_then(|claim| claim.citations.first());
            let passage = of_claim.map_or(target, |citation| citation.passage.as_str());
            NoteRequest::Drop {
                passage: research.passage(passage)?.id.clone(),
            }
        }
        Action::Cover => {
            let term = term()?;
            let mut passages = research.passages.iter();
            passages.find(|passage| {
                let quoted = text::terms(&passage.quote);
                words.iter().all(|word| quoted.contains(word))
            })?;
            NoteRequest::Cover { term }
        }
        Action::Research if input.may_research => {
            let title = format!("Research {}", term()?);
            // The title of a step on a term contains the term, so that it is not researched
            // twice.
            let is_done = research.plan.steps.iter().any(|step| step.title == title);
            if is_done {
                return None;
            }
            NoteRequest::Research { term: term()? }
        }
        Action::Research => return None,
    })
}
