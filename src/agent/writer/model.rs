//! The writer, answered by a model: it orders quotations under headings. A claim without a
//! quotation that stands in its passage is left out, and what is printed is the passage itself.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::line;
use super::super::definition::{
    DepthShape, INSTRUCTION_TOKENS, ModelAgent, SENTENCE_TOKENS, SessionView,
};
use super::{TITLE, Writer, WriterInput};
use crate::artifact::claims::{Citation, Claim, Disagreement, DraftSection};
use crate::artifact::source::Passage;
use crate::artifact::{Claims, Research};
use crate::cite;
use crate::model::CallEstimate;
use crate::text;

/// Disagreements at most.
const DISAGREEMENTS: usize = 8;

/// Characters of a heading.
const HEADING: usize = 80;

/// Words of a quotation at least, unless its passage has fewer: two words stand in any passage.
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
    /// What it says, in order. Nothing that was said before.
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
        CallEstimate {
            calls: 1,
            input_tokens: INSTRUCTION_TOKENS + SENTENCE_TOKENS * shape.passages(),
            output_tokens: 100 + 60 * shape.passages(),
        }
    }

    fn items(input: &WriterInput) -> usize {
        input.analysis.insights.len()
    }

    fn is_question(input: &WriterInput) -> bool {
        !input.analysis.insights.is_empty()
    }

    fn context(input: &WriterInput, items: usize) -> Context {
        let insights = input.analysis.insights.iter().take(items);
        let insights: Vec<Context> = insights
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
        let mut draft = Draft::new(input);
        let first = left_out.len();
        let mut place = |claims: Vec<ClaimAnswer>, draft: &mut Draft<'_>| -> Vec<String> {
            let claims = claims.iter();
            claims
                .filter_map(|claim| draft.place(claim, left_out))
                .collect()
        };
        let summary = place(answer.summary, &mut draft);
        let disagreements = draft.disagreements(input);
        let mut sections: Vec<DraftSection> = Vec::new();
        for section in answer.sections {
            let heading = line(&section.heading, HEADING);
            let claims = place(section.claims, &mut draft);
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

struct Draft<'a> {
    research: &'a Research,
    /// How sure the insight on a passage is.
    confidence: BTreeMap<&'a str, f64>,
    claims: Vec<Claim>,
    placed: BTreeSet<&'a str>,
}

impl<'a> Draft<'a> {
    fn new(input: &'a WriterInput) -> Self {
        let insights = input.analysis.insights.iter();
        Self {
            research: &input.research,
            confidence: insights
                .map(|insight| (insight.passage.as_str(), insight.confidence))
                .collect(),
            claims: Vec::new(),
            placed: BTreeSet::new(),
        }
    }

    /// The claim for an answer, unless its quotation does not hold or its passage stands somewhere
    /// already.
    fn place(&mut self, answer: &ClaimAnswer, left_out: &mut Vec<String>) -> Option<String> {
        let id = answer.passage.trim();
        let Some(passage) = self.research.passage(id) else {
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
        self.claim(passage)
    }

    fn claim(&mut self, passage: &'a Passage) -> Option<String> {
        if !self.placed.insert(&passage.id) {
            return None;
        }
        let id = format!("C{}", self.claims.len() + 1);
        self.claims.push(Claim {
            id: id.clone(),
            text: cite::as_sentence(&passage.quote),
            citations: vec![citation(passage)],
            confidence: self
                .confidence
                .get(passage.id.as_str())
                .copied()
                .unwrap_or(0.0),
        });
        Some(id)
    }

    fn disagreements(&mut self, input: &'a WriterInput) -> Vec<Disagreement> {
        let mut found = Vec::new();
        for contradiction in input.analysis.contradictions.iter().take(DISAGREEMENTS) {
            let sides = [&contradiction.one, &contradiction.other].map(|side| self.side(side));
            if let [Some(one), Some(other)] = sides {
                found.push(Disagreement {
                    difference: contradiction.difference.clone(),
                    one,
                    other,
                });
            }
        }
        found
    }

    /// The claim for one side: it may have been stated already.
    fn side(&mut self, passage: &str) -> Option<String> {
        let rests = |claim: &&Claim| claim.citations.iter().any(|one| one.passage == passage);
        if let Some(claim) = self.claims.iter().find(rests) {
            return Some(claim.id.clone());
        }
        let passage = self.research.passage(passage)?;
        self.claim(passage)
    }
}

/// Whether words stand in a passage in their order, case, marks and white space aside, and are
/// enough of them.
fn is_quoted(quote: &str, passage: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text::words(text)
            .map(|word| text::fold(word.text))
            .collect()
    };
    let (quote, passage) = (words(quote), words(passage));
    let enough = WORDS.min(passage.len());
    quote.len() >= enough.max(1) && passage.windows(quote.len()).any(|window| window == quote)
}

fn citation(passage: &Passage) -> Citation {
    Citation {
        source: passage.source.clone(),
        passage: passage.id.clone(),
        start: passage.start,
        end: passage.end,
        quote: passage.quote.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_is_words_of_its_passage_in_their_order() {
        let passage = "A heat pump needs\n> large radiators in every old house.";
        assert!(is_quoted("a heat pump needs large radiators", passage));
        assert!(is_quoted("Large radiators in every old house", passage));
        assert!(!is_quoted("large radiators in no old house", passage));
        assert!(!is_quoted("heat pump", passage));
        assert!(!is_quoted("", passage));
        assert!(is_quoted("It works", "It works."));
    }
}
