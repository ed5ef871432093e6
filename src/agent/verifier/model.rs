//! The verifier's model side. The words by which it calls a claim supported must stand in a
//! passage.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Context, json};

use super::super::answer::line;
use super::super::definition::{DepthShape, ModelAgent};
use super::{Verifier, VerifierInput};
use crate::artifact::verification::{ModelVerdict, Verdict};
use crate::model::CallEstimate;
use crate::text;

/// The maximum length of the reason and of the subject of a call, in characters.
const REASON: usize = 300;
const ABOUT: usize = 40;

/// The least number of words that show a claim (chosen by hand: two may stand anywhere).
const WORDS: usize = 3;

/// The judgement on a claim.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct VerifierAnswer {
    /// The words of a passage that say it, copied exactly; empty if none do.
    words: String,
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
            calls: if shape.verifies {
                shape.passages().div_ceil(10)
            } else {
                0
            },
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
        let passages = input.passages.iter();
        let passages: Vec<Context> = passages
            .map(|(origin, text)| json!({ "origin": origin, "text": text }))
            .collect();
        json!({ "claim": input.claim, "passages": passages })
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
        let words = text::one_line(&answer.words);
        let stands = input.passages.iter().any(|(_, text)| stands(&words, text));
        if verdict == Verdict::Supported && !stands {
            left_out.push(format!(
                "{words:?} stands in no passage: the verdict is partial"
            ));
            verdict = Verdict::Partial;
        }
        Ok(Some(ModelVerdict {
            verdict,
            words: if stands { words } else { String::new() },
            reason: line(&answer.difference, REASON),
        }))
    }
}

/// `true` if words stand in a text, but for case, punctuation and white space, which models change
/// when they copy.
fn stands(quote: &str, text: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text::words(text)
            .map(|word| text::fold(word.text))
            .collect()
    };
    let (quote, text) = (words(quote), words(text));
    quote.len() >= WORDS.min(text.len()).max(1)
        && text.windows(quote.len()).any(|window| window == quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_passage_are_told_from_others() {
        let passage = "A heat pump needs\n> large radiators in every old house.";
        assert!(stands("a heat pump needs large radiators", passage));
        assert!(stands("Large radiators in every old house", passage));
        assert!(!stands("large radiators in no old house", passage));
        assert!(!stands("heat pump", passage));
        assert!(!stands("", passage));
        assert!(stands("It works", "It works."));
    }

    #[test]
    fn a_verdict_whose_words_stand_nowhere_is_partial() {
        let input = VerifierInput {
            claim: "Heat pumps are loud.".to_owned(),
            passages: vec![(String::new(), "Heat pumps are rather loud.".to_owned())],
        };
        let verdict = |words: &str| {
            let answer = VerifierAnswer {
                words: words.to_owned(),
                difference: String::new(),
                verdict: VerdictAnswer::Supported,
            };
            let judged = Verifier::validate(&input, 0, answer, &mut Vec::new());
            judged.unwrap().unwrap().verdict
        };
        assert_eq!(verdict("heat pumps are rather loud"), Verdict::Supported);
        assert_eq!(verdict("heat pumps are very loud"), Verdict::Partial);
        assert_eq!(verdict(""), Verdict::Partial);
    }
}
