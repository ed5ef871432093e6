//! The researcher's model side: in each turn the model searches, reads, thinks or finishes. It
//! names hits and passages by their numbers, and never sees or writes an address.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Context, json};

use super::super::answer::{Numbers, line, rounded};
use super::super::definition::{
    Agent, DepthShape, INSTRUCTION_TOKENS, ModelAgent, SENTENCE_TOKENS,
};
use super::super::writer::on_subject;
use super::program::{self, GivenArguments};
use super::transcript::{Observation, ShownPassage, Transcript};
use super::{Action, Researcher, ResearcherInput, ResearcherOutput, Selected, Turn, by_rule};
use crate::artifact::plan::Facet;
use crate::artifact::verification::Verdict;
use crate::cite::{support, supporting_passages};
use crate::model::CallEstimate;
use crate::text;

/// The number of passages that are shown to a researcher that finishes at once, and on average in
/// a turn of others (for the forecast).
const SHOWN_AT_ONCE: usize = 12;
const SHOWN: usize = 28;

/// The maximum length of a thought, a statement or a question, in characters.
const SENTENCE: usize = 400;

/// The maximum length of a query, in characters.
const QUERY: usize = 200;

/// The maximum number of passages of a finding.
const PASSAGES: usize = 4;

/// The maximum number of questions that a finding raises.
const FOLLOW_UP: usize = 2;

/// The loss of relevance from a finding to the next, so that they keep their order.
const RANK_LOSS: f64 = 0.05;

/// One turn.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ResearcherAnswer {
    /// What is known so far and what is missing, in one or two sentences.
    #[serde(default)]
    thought: String,
    /// What to do now.
    #[serde(default)]
    action: ActionAnswer,
    /// For search: a few words that a text with the answer would contain; else empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    query: String,
    /// For search: where, one of the names that were given; empty for everywhere.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    service: String,
    /// For read: the numbers of the hits; for open: the number of one passage; else empty.
    #[serde(default, skip_serializing_if = "is_empty")]
    #[schemars(length(max = 3))]
    numbers: Numbers,
    /// For tool: its name; else empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    tool: String,
    /// For tool: the arguments that it takes; leave out the others.
    #[serde(default, skip_serializing_if = "GivenArguments::is_empty")]
    arguments: GivenArguments,
    /// For finish: what was found, most important first; else empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 10))]
    findings: Vec<FindingAnswer>,
    /// For finish: questions that came up and are worth a step of their own; mostly empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 2))]
    follow_up: Vec<String>,
}

/// What to do in a turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ActionAnswer {
    Search,
    Read,
    Open,
    Tool,
    Think,
    #[default]
    Finish,
}

impl ActionAnswer {
    fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Read => "read",
            Self::Open => "open",
            Self::Tool => "tool",
            Self::Think => "think",
            Self::Finish => "finish",
        }
    }
}

/// One finding.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct FindingAnswer {
    /// The numbers of the passages that show it.
    #[serde(default)]
    #[schemars(length(max = 4))]
    passages: Numbers,
    /// What they say on the step, in one sentence of your own.
    #[serde(default)]
    statement: String,
}

fn is_empty(numbers: &Numbers) -> bool {
    numbers.0.is_empty()
}

impl ModelAgent for Researcher {
    type Answer = ResearcherAnswer;
    const OUTPUT_TOKENS: u32 = 1500;

    fn expected(shape: DepthShape) -> CallEstimate {
        let shown = match shape.turns_per_step {
            0 | 1 => SHOWN_AT_ONCE,
            _ => SHOWN,
        };
        CallEstimate {
            calls: shape.steps * shape.turns_per_step,
            input_tokens: INSTRUCTION_TOKENS + SENTENCE_TOKENS * shown,
            output_tokens: 40 + 40 * shape.passages_per_step / shape.turns_per_step.max(1),
        }
    }

    fn about(input: &ResearcherInput) -> String {
        input.step.id.clone()
    }

    fn items(input: &ResearcherInput) -> usize {
        input
            .transcript
            .as_ref()
            .map_or(0, |transcript| transcript.passages.len())
    }

    fn is_question(input: &ResearcherInput) -> bool {
        let transcript = input.transcript.as_ref();
        transcript.is_some_and(|transcript| {
            let is_over = transcript.left.finish_because.is_some();
            !transcript.passages.is_empty() || !is_over
        })
    }

    fn context(input: &ResearcherInput, items: usize) -> Context {
        let transcript = input.transcript.clone().unwrap_or_default();
        let first = transcript.observations.first().cloned().unwrap_or_default();
        json!({
            "topic": input.research_topic,
            "step": input.step,
            "limit": input.limit,
            "services": transcript.services,
            "is_classic": is_classic(&transcript),
            "tools": input.tools.iter().map(program::described).collect::<Vec<_>>(),
            "agent": input.agent.as_ref().map(|agent| json!({
                "name": agent.name, "prompt": agent.prompt, "actions": program::actions(input),
            })),
            "observation": observation(&transcript, &first, items),
        })
    }

    fn exchanges(input: &ResearcherInput, items: usize) -> Vec<(String, Context)> {
        let Some(transcript) = &input.transcript else {
            return Vec::new();
        };
        let answers = transcript.answers.iter().cloned();
        let observations = transcript.observations.iter().skip(1);
        let contexts = observations.map(|own| {
            json!({
                "is_classic": false,
                "observation": observation(transcript, own, items),
            })
        });
        answers.zip(contexts).collect()
    }

    fn fit_schema(input: &ResearcherInput, schema: &mut Context) {
        let is_turn = !input.transcript.as_ref().is_some_and(is_classic);
        if is_turn {
            program::fit_schema(input, schema);
        } else if let Some(properties) = schema["properties"].as_object_mut() {
            properties.retain(|name, _| ["thought", "findings", "follow_up"].contains(&&**name));
        }
    }

    fn validate(
        input: &ResearcherInput,
        items: usize,
        answer: ResearcherAnswer,
        left_out: &mut Vec<String>,
    ) -> Result<Turn, String> {
        let Some(transcript) = &input.transcript else {
            return Ok(Researcher::rule(input));
        };
        let repeated = serde_json::to_string(&answer).map_err(|error| error.to_string())?;
        let action = match next_action(input, transcript, items, &answer) {
            Ok(Some(action)) => action,
            Err(problem) if answer.findings.is_empty() => return Err(problem),
            // Findings finish a step that is over, or whose action cannot be taken.
            Ok(None) | Err(_) => {
                Action::Finish(finish(input, transcript, items, &answer, left_out))
            }
        };
        Ok(Turn {
            thought: line(&answer.thought, SENTENCE),
            answer: repeated,
            action,
        })
    }
}

/// The action of an answer; `None` for one that finishes.
fn next_action(
    input: &ResearcherInput,
    transcript: &Transcript,
    items: usize,
    answer: &ResearcherAnswer,
) -> Result<Option<Action>, String> {
    let is_over = transcript.left.finish_because.is_some();
    let action = match answer.action {
        ActionAnswer::Finish => return Ok(None),
        _ if is_over => {
            return Err("no turn is left: the action must be finish".to_owned());
        }
        other if !program::actions(input).contains(&other.name()) => {
            let actions = program::actions(input).join(", ");
            return Err(format!("the action must be one of {actions}"));
        }
        ActionAnswer::Tool => program::action(input, &answer.tool, &answer.arguments)?,
        ActionAnswer::Search => search(transcript, answer)?,
        // What was to be read by a query, and not by number, is to be searched.
        ActionAnswer::Read => read(transcript, answer)
            .or_else(|problem| search(transcript, answer).map_err(|_| problem))?,
        ActionAnswer::Open => open(transcript, items, answer)?,
        ActionAnswer::Think => Action::Think,
    };
    Ok(Some(action))
}

/// `true` for a researcher that finishes in its first turn: it is only asked for its findings.
fn is_classic(transcript: &Transcript) -> bool {
    transcript.answers.is_empty() && transcript.left.finish_because.is_some()
}

/// What a turn showed, as the template `observation` prints it.
fn observation(transcript: &Transcript, own: &Observation, items: usize) -> Context {
    let hits: Vec<Context> = own
        .hits
        .clone()
        .filter_map(|index| {
            let hit = transcript.hits.get(index)?;
            Some(json!({
                "number": index + 1,
                "title": hit.title,
                "date": hit.date,
                "snippet": hit.snippet,
                "service": hit.service,
            }))
        })
        .collect();
    let passages: Vec<Context> = transcript
        .shown(own, items)
        .filter_map(|index| {
            let passage = transcript.passages.get(index)?;
            Some(json!({
                "number": index + 1,
                "headings": passage.headings,
                "text": passage.text,
            }))
        })
        .collect();
    json!({
        "outcome": own.outcome,
        "hits": hits,
        "passages": passages,
        "searches_left": own.left.searches,
        "calls_left": own.left.calls,
        "finish_because": own.left.finish_because,
    })
}

fn search(transcript: &Transcript, answer: &ResearcherAnswer) -> Result<Action, String> {
    let query = line(&answer.query, QUERY);
    if text::terms(&query).is_empty() {
        return Err("a search needs a query".to_owned());
    }
    if transcript.left.searches == 0 {
        return Err("no search is left: read, open, think or finish".to_owned());
    }
    // A service that a model made up is as good as none: everything is searched.
    let named = answer.service.trim().to_lowercase();
    let service = transcript.services.iter().find(|own| **own == named);
    Ok(Action::Search {
        query,
        service: service.cloned(),
    })
}

fn read(transcript: &Transcript, answer: &ResearcherAnswer) -> Result<Action, String> {
    let mut hits: Vec<usize> = Vec::new();
    for number in &answer.numbers.0 {
        let index = number.checked_sub(1);
        let index = index.filter(|index| *index < transcript.hits.len());
        hits.extend(index.filter(|index| !hits.contains(index)));
    }
    if hits.is_empty() {
        return Err(match transcript.hits.len() {
            0 => "there is no hit to read: search, open, think or finish".to_owned(),
            count => format!("a read needs numbers of hits, which are 1 to {count}"),
        });
    }
    hits.truncate(transcript.left.calls.max(1));
    Ok(Action::Read { hits })
}

fn open(
    transcript: &Transcript,
    items: usize,
    answer: &ResearcherAnswer,
) -> Result<Action, String> {
    let passage = answer.numbers.0.first().copied().unwrap_or_default();
    match transcript.passage(passage, items) {
        Some(_) => Ok(Action::Open {
            passage: passage - 1,
        }),
        None => Err("open needs the number of a passage that was shown".to_owned()),
    }
}

/// The findings whose passages were shown; a finding without a passage does not exist.
fn finish(
    input: &ResearcherInput,
    transcript: &Transcript,
    items: usize,
    answer: &ResearcherAnswer,
    left_out: &mut Vec<String>,
) -> ResearcherOutput {
    let mut output = ResearcherOutput::default();
    for (rank, finding) in answer.findings.iter().enumerate() {
        let statement = on_subject(&line(&finding.statement, SENTENCE)).unwrap_or_default();
        if output.statements.iter().any(|(own, _)| *own == statement) {
            left_out.push(format!("left out a repeated finding: {statement:?}"));
            continue;
        }
        let (passages, problem) = evidence(&statement, finding, transcript, items, left_out);
        if passages.is_empty() {
            left_out.push(format!(
                "left out a finding without a passage: {statement:?}"
            ));
            continue;
        }
        if output.statements.len().max(rank) >= input.limit {
            left_out.push(format!(
                "left out a finding beyond {}: {statement:?}",
                input.limit
            ));
            continue;
        }
        let relevance = rounded((1.0 - RANK_LOSS * rank as f64).max(0.0));
        let indices = passages
            .iter()
            .map(|passage| select(&mut output.selected, &passage.quotation, relevance))
            .collect();
        match problem {
            None => output.statements.push((statement, indices)),
            // The passages stay: they are the source's own words.
            Some(problem) => left_out.push(format!(
                "left out the statement {statement:?}, and kept its passages: {problem}"
            )),
        }
    }
    let is_judged = answer.action == ActionAnswer::Finish && !output.selected.is_empty();
    if !is_judged && input.step.facet == Facet::Overview {
        // Weak models reject every passage that does not answer in full, or search until no turn
        // is left. The analyst may still leave out what the rule selects.
        let is_empty = output.selected.is_empty();
        output = with_rule(by_rule(input), output, left_out);
        if is_empty && !output.selected.is_empty() {
            return output;
        }
    }
    let follow_up = answer.follow_up.iter().map(|own| line(own, SENTENCE));
    let topic = text::terms(&input.research_topic);
    output.follow_up = follow_up
        .filter(|question| is_question(question, &topic))
        .take(FOLLOW_UP)
        .collect();
    output.observation = match line(&answer.thought, SENTENCE) {
        empty if empty.is_empty() => super::observation(output.selected.len(), 0),
        thought => thought,
    };
    output
}

/// `true` if what a finding raises asks for something: small models write what they do next there,
/// "continue reading".
fn is_question(question: &str, topic: &[String]) -> bool {
    let terms = text::terms(question);
    let is_on_topic = terms.iter().any(|term| topic.contains(term));
    !terms.is_empty() && (is_on_topic || question.trim_end().ends_with('?'))
}

/// What a model found, with what the rule selects: in place of it, if that is nothing.
fn with_rule(
    ruled: ResearcherOutput,
    mut output: ResearcherOutput,
    left_out: &mut Vec<String>,
) -> ResearcherOutput {
    if ruled.selected.is_empty() {
        return output;
    }
    if output.selected.is_empty() {
        left_out.push("no finding has a passage: what the rule finds is kept".to_owned());
        return ruled;
    }
    left_out.push("the step ended with its turns: what the rule finds is kept, too".to_owned());
    for own in &ruled.selected {
        select(&mut output.selected, own, own.relevance);
    }
    output
}

/// The index of a quotation among those that are selected, to which it is added if it is new.
fn select(selected: &mut Vec<Selected>, quotation: &Selected, relevance: f64) -> usize {
    let same = |own: &Selected| {
        Selected {
            relevance: quotation.relevance,
            ..own.clone()
        } == *quotation
    };
    if let Some(index) = selected.iter().position(same) {
        return index;
    }
    selected.push(Selected {
        relevance,
        ..quotation.clone()
    });
    selected.len() - 1
}

/// The passages of a finding, and the reason why they do not show its statement, if they do not.
fn evidence<'a>(
    statement: &str,
    finding: &FindingAnswer,
    transcript: &'a Transcript,
    items: usize,
    left_out: &mut Vec<String>,
) -> (Vec<&'a ShownPassage>, Option<String>) {
    let mut seen = BTreeSet::new();
    let numbers = finding.passages.0.iter();
    let passages: Vec<&ShownPassage> = numbers
        .filter(|number| seen.insert(**number))
        .filter_map(|number| transcript.passage(*number, items))
        .take(PASSAGES)
        .collect();
    let Some(problem) = problem(statement, &passages) else {
        return (passages, None);
    };
    // Small models write what one passage says, and the number of another.
    let shown = transcript.all_shown(items);
    let texts: Vec<&str> = shown.iter().map(|own| own.text.as_str()).collect();
    let right = supporting_passages(statement, &texts);
    if right.is_empty() {
        return (passages, Some(problem));
    }
    left_out.push(format!(
        "corrected the passages of the statement {statement:?}: {problem}"
    ));
    (right.into_iter().map(|index| shown[index]).collect(), None)
}

/// The reason why a statement is not shown by its passages; `None` if they show it at least in
/// part.
fn problem(statement: &str, passages: &[&ShownPassage]) -> Option<String> {
    if text::terms(statement).is_empty() {
        return Some("it says nothing on the subject".to_owned());
    }
    if passages.is_empty() {
        return Some("it names no passage".to_owned());
    }
    let evidence: Vec<&str> = passages.iter().map(|own| own.text.as_str()).collect();
    let support = support(statement, &evidence.join("\n"));
    let is_shown = matches!(support.verdict, Verdict::Supported | Verdict::Partial);
    (!is_shown).then(|| {
        let verdict = format!("{:?}", support.verdict).to_lowercase();
        let reasons = support.reasons.into_iter().take(2);
        std::iter::once(verdict)
            .chain(reasons)
            .collect::<Vec<_>>()
            .join("; ")
    })
}
