//! The reviewer's model side: length, citations and efficiency are counted by the rule (the plain
//! code that stands in for a model, in `mod.rs`), the other criteria are scored by the model.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::{clamped_score, id, line};
use super::super::definition::{Agent, DepthShape, ModelAgent, SessionView};
use super::{Reviewer, ReviewerInput, decision, summary_claims, weighted_mean};
use crate::artifact::claims::Claim;
use crate::artifact::report::ReportOutcome;
use crate::artifact::review::{Criterion, Note, NoteRequest};
use crate::artifact::{Report, Research, Review};
use crate::cite;
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
    summary: ScoreAnswer,
    structure: ScoreAnswer,
    comprehensiveness: ScoreAnswer,
    clarity: ScoreAnswer,
    /// Changes that would make it better, each of which can be carried out.
    #[serde(default)]
    #[schemars(length(max = 8))]
    notes: Vec<NoteAnswer>,
}

/// One score.
#[derive(Debug, Deserialize, JsonSchema)]
struct ScoreAnswer {
    // No description: it would stand in the prompt four times.
    reason: String,
    score: f64,
}

/// One note.
#[derive(Debug, Deserialize, JsonSchema)]
struct NoteAnswer {
    /// The reason for it, in a sentence.
    text: String,
    /// The action.
    action: Action,
    /// The step's id, the term, or the claim's id.
    target: String,
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
        shape.call_with_all_passages(200)
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
        let evidence: Vec<Context> = summary_claims(input)
            .into_iter()
            .map(|claim| json!({ "id": claim.id, "quotes": other_words(claim) }))
            .filter(|claim| claim["quotes"] != json!([]))
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
                "unanswered": input.report.unanswered,
            }),
            "evidence": evidence,
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
        // What the report itself says that it does not answer, no summary answers.
        let is_unanswered = |name: &str| name == "summary" && !input.report.unanswered.is_empty();
        let criteria: Vec<Criterion> = by_rule
            .criteria
            .into_iter()
            .map(|criterion| match scored(&criterion.name) {
                Some(_) if is_unanswered(&criterion.name) => criterion,
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

/// The quotations behind a claim that are not the claim itself.
fn other_words(claim: &Claim) -> Vec<&str> {
    let citations = claim.citations.iter();
    citations
        .filter(|citation| !cite::is_printed(citation, &claim.text))
        .map(|citation| citation.quote.as_str())
        .collect()
}

/// The request of a note; `None` if its target does not exist or it is not possible any more. What
/// a model writes around an id or a term does not matter.
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
        Action::Widen => NoteRequest::Widen {
            step: step(research, target)?.to_owned(),
        },
        Action::Drop => {
            // The model sees claims; it may name a passage all the same.
            let claim = id('C', target).and_then(|id| input.report.claim(&id));
            let of_claim = claim.and_then(|claim| claim.citations.first());
            let passage = match of_claim {
                Some(citation) => citation.passage.clone(),
                None => id('P', target)?,
            };
            NoteRequest::Drop {
                passage: research.passage(&passage)?.id.clone(),
            }
        }
        Action::Cover => {
            let quoted: Vec<Vec<String>> = research
                .passages
                .iter()
                .map(|passage| text::terms(&passage.quote))
                .collect();
            let is_quoted = |words: &[String]| {
                let mut quoted = quoted.iter();
                quoted.any(|quoted| words.iter().all(|word| quoted.contains(word)))
            };
            let mut single = words.iter();
            // Of words that no passage has together, the first that one has.
            NoteRequest::Cover {
                term: term().filter(|_| is_quoted(&words)).or_else(|| {
                    single
                        .find(|word| is_quoted(std::slice::from_ref(word)))
                        .cloned()
                })?,
            }
        }
        Action::Research if input.may_research => {
            let term = term()?;
            let title = format!("Research {term}");
            // The title of a step on a term contains the term, so that it is not researched
            // twice.
            let is_done = research.plan.steps.iter().any(|step| step.title == title);
            if is_done {
                return None;
            }
            NoteRequest::Research { term }
        }
        Action::Research => return None,
    })
}

/// The step that a model names: by its id, or by its number alone.
fn step<'a>(research: &'a Research, target: &str) -> Option<&'a str> {
    let steps = || {
        research
            .findings
            .iter()
            .map(|finding| finding.step.as_str())
    };
    let digits = |text: &str| {
        let mut words = text::words(text);
        words.find_map(|word| word.text.parse::<u32>().ok())
    };
    let number = digits(target);
    let is_numbered = |step: &&str| number.is_some() && digits(step) == number;
    steps()
        .find(|step| target.contains(step))
        .or_else(|| steps().find(is_numbered))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::review::ReviewDecision;
    use crate::artifact::{self, Artifact};
    use crate::config::Settings;

    fn content<T: serde::de::DeserializeOwned>(file: &str) -> T {
        let path = "tests/golden/heat-pumps/session";
        let path = format!("{}/{path}/{file}", env!("CARGO_MANIFEST_DIR"));
        let artifact: Artifact<T> = artifact::parse(&std::fs::read(path).unwrap()).unwrap();
        artifact.content
    }

    fn input() -> ReviewerInput {
        ReviewerInput {
            report: content("report.json"),
            research: content("research.json"),
            weights: Settings::load().unwrap().reviewer.weights,
            threshold: 0.6,
            wanted_claims: 6,
            may_research: true,
        }
    }

    #[test]
    fn targets_of_notes_are_read_leniently() {
        let input = input();
        for (action, target, expected) in [
            (Action::Widen, "step 2-why (why)", Some("2-why")),
            (Action::Widen, "Step 2", Some("2-why")),
            (Action::Widen, "step 77", None),
            (Action::Drop, "claim C1.", Some("P1")),
            (Action::Drop, "P2 of S2", Some("P2")),
            (Action::Drop, "C77 and P2", Some("P2")),
            (Action::Drop, "P77", None),
            (
                Action::Cover,
                "the unknown electricity",
                Some("electricity"),
            ),
            (Action::Cover, "the unknown", None),
            (Action::Research, "noise", Some("nois")),
            (Action::Research, "", None),
        ] {
            let resolved = request(&input, action, target).map(|request| match request {
                NoteRequest::Widen { step } => step,
                NoteRequest::Drop { passage } => passage,
                NoteRequest::Cover { term } | NoteRequest::Research { term } => term,
            });
            assert_eq!(resolved.as_deref(), expected, "{action:?} {target}");
        }
    }

    #[test]
    fn efficiency_counts_supported_claims_for_what_was_spent() {
        let mut input = input();
        let efficiency = |input: &ReviewerInput| {
            let mut criteria = Reviewer::rule(input).criteria.into_iter();
            criteria
                .find(|criterion| criterion.name == "efficiency")
                .unwrap()
        };
        let full = efficiency(&input);
        let queries = input.research.search_queries.len();
        assert_eq!(
            (full.score, full.reason),
            (
                1.0,
                format!("18 supported claims from {queries} queries in 6 steps")
            )
        );
        input.report.verification.supported = 6;
        let less = efficiency(&input);
        assert!(
            (less.score - 6.0 / (queries + 6) as f64).abs() < 1e-3,
            "{less:?}"
        );
    }

    #[test]
    fn what_is_not_answered_scores_low_and_is_not_made_longer() {
        let mut input = input();
        let full = Reviewer::rule(&input);
        assert_eq!(full.decision, ReviewDecision::Accept);
        input.report.unanswered = vec!["moon".to_owned()];
        let review = Reviewer::rule(&input);
        assert!(review.score < input.threshold, "{review:?}");
        let widens = |note: &Note| matches!(note.request, NoteRequest::Widen { .. });
        assert!(!review.notes.iter().any(widens), "{:?}", review.notes);
    }

    #[test]
    fn the_prompt_has_what_is_behind_the_summary_and_what_is_missing() {
        let mut input = input();
        let context = Reviewer::context(&input, 99);
        // Quotations are their own evidence.
        assert_eq!(context["evidence"], json!([]));
        input.report.claims[0].text = "Heat pumps work.".to_owned();
        input.report.unanswered = vec!["noise".to_owned()];
        let context = Reviewer::context(&input, 99);
        assert_eq!(context["evidence"][0]["id"], "C1");
        let quote = &input.report.claims[0].citations[0].quote;
        assert_eq!(context["evidence"][0]["quotes"], json!([quote]));
        assert_eq!(context["report"]["unanswered"], json!(["noise"]));
    }
}
