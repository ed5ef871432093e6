//! The writer's model side: the model orders quotations under headings. A claim whose quotation is
//! not in its passage is left out, and the report prints the passage itself.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::line;
use super::super::definition::{DepthShape, ModelAgent, SessionView};
use super::draft::{Draft, Repetition};
use super::{TITLE, Writer, WriterInput};
use crate::artifact::claims::DraftSection;
use crate::artifact::source::Passage;
use crate::artifact::{Claims, Research};
use crate::model::CallEstimate;
use crate::text;

/// The maximum length of a heading, in characters.
const HEADING: usize = 80;

/// The least number of words of a quotation, unless its passage has fewer. Chosen by hand: two
/// words may occur in any passage.
const WORDS: usize = 4;

/// A report.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct WriterAnswer {
    /// The report's title.
    title: String,
    /// Two to four claims that answer the topic by themselves.
    summary: Vec<ClaimAnswer>,
    /// One section for each aspect.
    sections: Vec<SectionAnswer>,
}

/// A part of the report.
#[derive(Debug, Deserialize, JsonSchema)]
struct SectionAnswer {
    /// Its heading, in a few words.
    heading: String,
    /// Its claims, in order. No claim that was made before.
    claims: Vec<ClaimAnswer>,
}

/// One claim.
#[derive(Debug, Deserialize, JsonSchema)]
struct ClaimAnswer {
    /// The passage that it rests on, by id, such as P3.
    passage: String,
    /// The words of that passage that say it, copied exactly.
    quote: String,
}

impl ModelAgent for Writer {
    type Answer = WriterAnswer;
    const OUTPUT_TOKENS: u32 = 5000;

    fn expected(shape: DepthShape) -> CallEstimate {
        shape.call_with_all_passages(100 + 60 * shape.passages())
    }

    fn items(input: &WriterInput) -> usize {
        input.analysis.insights.len()
    }

    fn is_question(input: &WriterInput) -> bool {
        !input.analysis.insights.is_empty()
    }

    fn context(input: &WriterInput, items: usize) -> Context {
        let insights: Vec<Context> = input
            .analysis
            .insights
            .iter()
            .take(items)
            .filter_map(|insight| {
                let passage = input.research.passage(&insight.passage)?;
                Some(json!({
                    "id": insight.id,
                    "passage": insight.passage,
                    "source": passage.source,
                    "agreeing": insight.agreeing,
                    "confidence": insight.confidence,
                    "quote": passage.quote,
                }))
            })
            .collect();
        json!({
            "analysis": json!({
                "topic": input.analysis.topic,
                "insights": insights,
                "contradictions": input.analysis.contradictions,
            }),
            "kind": input.research.classification.kind,
        })
    }

    fn validate(
        input: &WriterInput,
        _items: usize,
        answer: WriterAnswer,
        left_out: &mut Vec<String>,
    ) -> Result<Claims, String> {
        let mut draft = Draft::new(input, Repetition::SamePassage);
        let first = left_out.len();
        // Numbered in the order of the report: a passage that the summary quotes is not quoted
        // again below it.
        let summary = add(input, &mut draft, &answer.summary, left_out);
        let disagreements = draft.disagreements(&input.analysis);
        let mut sections: Vec<DraftSection> = Vec::new();
        for section in answer.sections {
            let heading = line(&section.heading, HEADING);
            let claims = add(input, &mut draft, &section.claims, left_out);
            if !claims.is_empty() && !heading.is_empty() {
                sections.push(DraftSection { heading, claims });
            }
        }
        if draft.claims.is_empty() && !input.analysis.insights.is_empty() {
            let problems = left_out[first..].join("; ");
            return Err(format!("no claim can be printed: {problems}"));
        }
        let title = line(&answer.title, TITLE);
        Ok(Claims {
            title: if title.is_empty() {
                line(&input.analysis.topic, TITLE)
            } else {
                title
            },
            summary,
            sections,
            disagreements,
            claims: draft.claims,
        })
    }

    fn preview(session: &SessionView<'_>) -> Result<Option<WriterInput>> {
        Ok(Some(WriterInput {
            analysis: session.content("analysis.json")?,
            research: session.content("research.json")?,
        }))
    }
}

/// Adds the claims that quote their passages; returns their ids.
fn add<'a>(
    input: &'a WriterInput,
    draft: &mut Draft<'a>,
    answers: &[ClaimAnswer],
    left_out: &mut Vec<String>,
) -> Vec<String> {
    answers
        .iter()
        .filter_map(|answer| draft.add(quoted_passage(&input.research, answer, left_out)?))
        .collect()
}

/// The passage that a claim quotes; `None`, with the reason in `left_out`, if it does not exist or
/// the quotation is not in it.
fn quoted_passage<'a>(
    research: &'a Research,
    answer: &ClaimAnswer,
    left_out: &mut Vec<String>,
) -> Option<&'a Passage> {
    let id = answer.passage.trim();
    let Some(passage) = research.passage(id) else {
        left_out.push(format!("left out a claim: there is no passage {id:?}"));
        return None;
    };
    if !is_quoted(&answer.quote, &passage.quote) {
        let quote = line(&answer.quote, HEADING);
        left_out.push(format!(
            "left out a claim: {quote:?} does not stand in {id}"
        ));
        return None;
    }
    Some(passage)
}

/// `true` if a quotation is in a passage word for word, and long enough. Case, punctuation and
/// white space do not count: models change them when they copy.
fn is_quoted(quote: &str, passage: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text::words(text)
            .map(|word| text::fold(word.text))
            .collect()
    };
    let (quote, passage) = (words(quote), words(passage));
    // At least one word: an empty quotation would be in any passage.
    let least = WORDS.min(passage.len()).max(1);
    quote.len() >= least && passage.windows(quote.len()).any(|window| window == quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_check_ignores_case_and_punctuation_and_needs_four_words() {
        let passage = "A heat pump needs\n> large radiators in every old house.";
        assert!(is_quoted("a heat pump needs large radiators", passage));
        assert!(is_quoted("Large radiators in every old house", passage));
        assert!(!is_quoted("large radiators in no old house", passage));
        assert!(!is_quoted("heat pump", passage));
        assert!(!is_quoted("", passage));
        assert!(is_quoted("It works", "It works."));
    }
}
