//! The writer's model side: the material that it is shown, and the sentences in its reply. A
//! sentence that names no material which was shown is left out.

use std::collections::BTreeSet;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::definition::{
    DepthShape, INSTRUCTION_TOKENS, ModelAgent, SENTENCE_TOKENS, SessionView,
};
use super::input::{Material, ReportPart, WrittenSection, WrittenSentence};
use super::lines::{Line, parse};
use super::parts::{calls, requests};
use super::{CONCLUSION, SUMMARY, Writer, WriterInput};
use crate::artifact::{Analysis, Research};
use crate::cite::supporting_passages;
use crate::model::CallEstimate;
use crate::model::lenient::{self, Parsed};

/// A report, or a part of one, line by line.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct WriterAnswer(String);

impl ModelAgent for Writer {
    type Answer = WriterAnswer;
    const OUTPUT_TOKENS: u32 = 4000;
    const IS_TEXT: bool = true;

    /// Twice the requested words, with their numbers: a small model that repeats itself is stopped.
    fn output_tokens(input: &WriterInput) -> u32 {
        let tokens = 300 + 3 * input.words;
        u32::try_from(tokens).map_or(Self::OUTPUT_TOKENS, |own| own.min(Self::OUTPUT_TOKENS))
    }

    /// Half of the passages are insights, and each call has as many of them as a part may have.
    fn expected(shape: DepthShape) -> CallEstimate {
        let passages = shape.passages().div_ceil(2);
        let calls = calls(passages);
        let shown = passages.div_ceil(calls);
        CallEstimate {
            calls,
            input_tokens: INSTRUCTION_TOKENS + SENTENCE_TOKENS * shown,
            output_tokens: 100 + 35 * shown,
        }
    }

    fn parse(reply: &str) -> Result<Parsed<WriterAnswer>, String> {
        let Parsed { answer, repairs } = lenient::plain(reply)?;
        Ok(Parsed {
            answer: WriterAnswer(answer),
            repairs,
        })
    }

    fn about(input: &WriterInput) -> String {
        match (input.part, &input.sections[..]) {
            (ReportPart::Section | ReportPart::Flow, [section]) => section.heading.clone(),
            (ReportPart::Frame, _) => SUMMARY.to_owned(),
            _ => String::new(),
        }
    }

    fn items(input: &WriterInput) -> usize {
        input
            .sections
            .iter()
            .map(|section| section.material.len())
            .sum()
    }

    fn is_question(input: &WriterInput) -> bool {
        Self::items(input) > 0
    }

    fn context(input: &WriterInput, items: usize) -> Context {
        // Numbered in the order in which they are shown: small models count, whatever the ids are.
        let mut number = 0;
        let mut sections = Vec::new();
        for section in &input.sections {
            let shown = section.material.iter().take(items - number);
            let material: Vec<Context> = shown
                .map(|own| {
                    number += 1;
                    json!({ "number": number, "origin": own.origin, "text": own.text })
                })
                .collect();
            if !material.is_empty() {
                sections.push(json!({ "heading": section.heading, "material": material }));
            }
        }
        json!({
            "topic": input.topic,
            "kind": input.kind,
            "part": match input.part {
                ReportPart::Whole => "whole",
                ReportPart::Section => "section",
                ReportPart::Flow => "flow",
                ReportPart::Frame => "frame",
            },
            "sections": sections,
            "summary": SUMMARY,
            "conclusion": CONCLUSION,
            "words": input.words,
            "style": input.style,
        })
    }

    fn validate(
        input: &WriterInput,
        items: usize,
        answer: WriterAnswer,
        left_out: &mut Vec<String>,
    ) -> Result<Vec<WrittenSection>, String> {
        let material = input.sections.iter().flat_map(|section| &section.material);
        let shown: Vec<&Material> = material.take(items).collect();
        let mut sections = vec![WrittenSection {
            heading: None,
            sentences: Vec::new(),
        }];
        for own in parse(&answer.0, shown.len()) {
            match own {
                Line::Heading(heading) => sections.push(WrittenSection {
                    heading: Some(heading),
                    sentences: Vec::new(),
                }),
                Line::LeftOut(words) => left_out.push(format!("left out {words:?}")),
                Line::Sentence { numbers, text } => {
                    let shown_by = shown_by(&text, &numbers, &shown);
                    if shown_by.is_empty() {
                        left_out.push(format!("left out {text:?}: it names nothing that shows it"));
                        continue;
                    }
                    if let Some(section) = sections.last_mut() {
                        section.sentences.push(WrittenSentence { text, shown_by });
                    }
                }
            }
        }
        sections.retain(|section| !section.sentences.is_empty());
        if sections.is_empty() {
            return Err(
                "no line begins with the number of a passage in square brackets, such as [1]"
                    .to_owned(),
            );
        }
        Ok(sections)
    }

    fn preview(session: &SessionView<'_>) -> Result<Option<WriterInput>> {
        let analysis: Analysis = session.content("analysis.json")?;
        let research: Research = session.content("research.json")?;
        let requests = requests(&analysis, &research, &session.session.style);
        Ok(requests.into_iter().next())
    }
}

/// The ids of the material that shows a sentence: what it names, or if it names none, what supports
/// it as the check has it. Small models write prose and forget the numbers.
fn shown_by(sentence: &str, numbers: &[usize], shown: &[&Material]) -> Vec<String> {
    let mut indices: BTreeSet<usize> = numbers.iter().map(|number| number - 1).collect();
    if indices.is_empty() {
        let texts: Vec<&str> = shown.iter().map(|own| own.text.as_str()).collect();
        indices.extend(supporting_passages(sentence, &texts));
    }
    let ids = indices.into_iter().filter_map(|index| shown.get(index));
    ids.map(|own| own.id.clone()).collect()
}
