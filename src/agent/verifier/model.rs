//! The verifier's model side. It is shown the sentences of the passages with numbers, and names
//! those that say the claim: models change words that they copy.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::{Numbers, line};
use super::super::definition::{DepthShape, ModelAgent};
use super::{Verifier, VerifierInput};
use crate::artifact::verification::{ModelVerdict, Verdict};
use crate::model::CallEstimate;
use crate::text;

/// The maximum length of the reason and of the subject of a call, in characters.
const REASON: usize = 300;
const ABOUT: usize = 40;

/// The judgement on a claim.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct VerifierAnswer {
    /// The numbers of the sentences that say it, best first; empty if none do.
    shown_by: Numbers,
    /// What the claim says and the passages do not, in a few words; empty if nothing.
    difference: String,
    /// The verdict.
    verdict: VerdictAnswer,
}

/// A verdict.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum VerdictAnswer {
    Supported,
    Partial,
    Unsupported,
    Contradicted,
}

impl ModelAgent for Verifier {
    type Answer = VerifierAnswer;
    const OUTPUT_TOKENS: u32 = 400;

    /// Half of the passages become sentences, of a fifth of which the check in plain code is not
    /// sure.
    fn expected(shape: DepthShape) -> CallEstimate {
        CallEstimate {
            calls: shape.verifications * shape.passages().div_ceil(10),
            input_tokens: 550,
            output_tokens: 70,
        }
    }

    fn about(input: &VerifierInput) -> String {
        line(&input.claim, ABOUT)
    }

    fn is_question(input: &VerifierInput) -> bool {
        !input.passages.is_empty()
    }

    fn context(input: &VerifierInput, _items: usize) -> Context {
        let mut number = 0;
        let passages = input.passages.iter().map(|(origin, text)| {
            let sentences = sentences_of(text).map(|text| {
                number += 1;
                json!({ "number": number, "text": text })
            });
            json!({ "origin": origin, "sentences": sentences.collect::<Vec<_>>() })
        });
        let passages: Vec<Context> = passages.collect();
        json!({
            "claim": input.claim,
            "claim_first": input.claim_first,
            "passages": passages,
        })
    }

    fn validate(
        input: &VerifierInput,
        _items: usize,
        answer: VerifierAnswer,
        left_out: &mut Vec<String>,
    ) -> Result<Option<ModelVerdict>, String> {
        let mut verdict = match answer.verdict {
            VerdictAnswer::Supported => Verdict::Supported,
            VerdictAnswer::Partial => Verdict::Partial,
            VerdictAnswer::Unsupported => Verdict::Unsupported,
            VerdictAnswer::Contradicted => Verdict::Contradicted,
        };
        let passages = input.passages.iter();
        let sentences: Vec<&str> = passages.flat_map(|(_, text)| sentences_of(text)).collect();
        let numbers = answer.shown_by.0.iter();
        let shown_by = numbers.filter_map(|number| sentences.get(number.checked_sub(1)?));
        let words: Vec<&str> = shown_by.copied().collect();
        if verdict == Verdict::Supported && words.is_empty() {
            left_out.push("no sentence is named that says it: the verdict is partial".to_owned());
            verdict = Verdict::Partial;
        }
        Ok(Some(ModelVerdict {
            sha256: None,
            verdict,
            words: words.join(" "),
            reason: line(&answer.difference, REASON),
        }))
    }
}

fn sentences_of(text: &str) -> impl Iterator<Item = &str> {
    let ranges = text::sentences(text, 0..text.len());
    ranges.into_iter().map(|range| text[range].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_that_no_sentence_shows_is_partial() {
        let input = VerifierInput {
            claim: "Heat pumps are loud.".to_owned(),
            passages: vec![
                ("One".to_owned(), "It rains. They hum softly.".to_owned()),
                ("Two".to_owned(), "Heat pumps are rather loud.".to_owned()),
            ],
            claim_first: false,
        };
        let verdict = |numbers: &[usize]| {
            let answer = VerifierAnswer {
                shown_by: Numbers(numbers.to_vec()),
                difference: String::new(),
                verdict: VerdictAnswer::Supported,
            };
            let judged = Verifier::validate(&input, 0, answer, &mut Vec::new());
            judged.unwrap().unwrap()
        };
        assert_eq!(verdict(&[3]).verdict, Verdict::Supported);
        assert_eq!(
            verdict(&[3, 2]).words,
            "Heat pumps are rather loud. They hum softly."
        );
        assert_eq!(verdict(&[0, 4]).verdict, Verdict::Partial);
        assert_eq!(verdict(&[]).verdict, Verdict::Partial);
    }
}
