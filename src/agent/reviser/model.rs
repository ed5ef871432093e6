//! The reviser's model side: a sentence in plain text, or the word DROP.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::line;
use super::super::definition::{DepthShape, ModelAgent};
use super::super::writer::one_sentence;
use super::{Reviser, ReviserInput};
use crate::model::CallEstimate;
use crate::model::lenient::{self, Parsed};

/// The word for a sentence that cannot be written.
const DROP: &str = "DROP";

/// The maximum length of the subject of a call, in characters.
const ABOUT: usize = 40;

/// One sentence.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ReviserAnswer(String);

impl ModelAgent for Reviser {
    type Answer = ReviserAnswer;
    const OUTPUT_TOKENS: u32 = 300;
    const IS_TEXT: bool = true;

    /// Half of the passages become sentences, of which a tenth is written again.
    fn expected(shape: DepthShape) -> CallEstimate {
        CallEstimate {
            calls: shape.passages().div_ceil(20),
            input_tokens: 450,
            output_tokens: 40,
        }
    }

    fn parse(reply: &str) -> Result<Parsed<ReviserAnswer>, String> {
        let Parsed { answer, repairs } = lenient::plain(reply)?;
        Ok(Parsed {
            answer: ReviserAnswer(answer),
            repairs,
        })
    }

    fn about(input: &ReviserInput) -> String {
        let passages: Vec<&str> = input.passages.iter().map(|own| own.id.as_str()).collect();
        line(&passages.join(", "), ABOUT)
    }

    fn is_question(input: &ReviserInput) -> bool {
        !input.passages.is_empty()
    }

    fn context(input: &ReviserInput, _items: usize) -> Context {
        let passages = input.passages.iter();
        let passages: Vec<Context> = passages
            .map(|own| json!({ "id": own.id, "origin": own.origin, "text": own.text }))
            .collect();
        let rejected = input.rejected.as_ref();
        json!({
            "passages": passages,
            "rejected": rejected.map(|(sentence, reason)| {
                json!({ "sentence": sentence, "reason": reason })
            }),
            "language": input.language,
        })
    }

    fn validate(
        _input: &ReviserInput,
        _items: usize,
        answer: ReviserAnswer,
        _left_out: &mut Vec<String>,
    ) -> Result<Option<String>, String> {
        let reply = answer.0.trim();
        if reply.trim_matches(|c: char| !c.is_alphanumeric()) == DROP {
            return Ok(None);
        }
        let sentence = one_sentence(reply);
        let sentence = sentence.ok_or("the reply is no sentence on the subject of the passages")?;
        Ok(Some(sentence))
    }
}
