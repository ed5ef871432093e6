//! Pairs of a claim and the passages that should support it, as lines of JSON.

use anyhow::{Result, ensure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::outcome::{Finding, rounded};
use crate::cite;
use crate::text::json_line_problem;

/// A claim and its passages.
#[derive(Debug, Deserialize)]
pub struct Pair {
    /// The id, which is returned as it is.
    #[serde(default)]
    pub id: Option<Value>,
    /// The claim.
    pub claim: String,
    /// The passages: a text or a list of texts, whatever the name says.
    #[serde(default)]
    passage: Option<Value>,
    #[serde(default)]
    passages: Option<Value>,
    #[serde(default)]
    evidence: Option<Value>,
}

impl Pair {
    /// Parses a line of JSON. Unknown fields are ignored, since labelled data has more.
    ///
    /// # Errors
    /// When it is no object with a claim, or has none of `passage`, `passages` and `evidence` with
    /// a text or a list of texts.
    pub fn parse(line: &str) -> Result<Self> {
        let pair: Self = serde_json::from_str(line)
            .map_err(|error| anyhow::anyhow!(json_line_problem(&error)))?;
        let mut fields = pair.fields().peekable();
        let has_passages = fields.peek().is_some();
        ensure!(has_passages, "missing field `passage` or `passages`");
        for (name, value) in fields {
            let is_text = texts(value).is_some();
            ensure!(is_text, "`{name}` is neither a text nor a list of texts");
        }
        Ok(pair)
    }

    /// The fields with passages.
    fn fields(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        let fields = [
            ("passage", &self.passage),
            ("passages", &self.passages),
            ("evidence", &self.evidence),
        ];
        let fields = fields.into_iter();
        fields.filter_map(|(name, value)| Some((name, value.as_ref()?)))
    }
}

/// The texts of a field: one, or a list. `None` for anything else.
fn texts(value: &Value) -> Option<Vec<&str>> {
    match value {
        Value::String(text) => Some(vec![text]),
        Value::Array(list) => list.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

/// A pair and its verdict.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckedPair {
    /// The id of the pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Value>,
    /// The claim.
    pub claim: String,
    /// The verdict.
    pub verdict: Finding,
    /// The score, 0 to 1.
    pub score: f64,
    /// What is missing or different, the weightiest first.
    pub reasons: Vec<String>,
    /// The words of the claim that nothing supports.
    pub unsupported: Vec<String>,
    /// The sentences that support it together, best first.
    pub matches: Vec<PassageMatch>,
}

/// A sentence of a passage that supports a claim.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PassageMatch {
    /// The index of the passage, from 0.
    pub passage: usize,
    /// The first byte in the passage.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// The words.
    pub text: String,
}

/// Checks a claim against its passages, which may support it together.
pub fn check_pair(pair: Pair) -> CheckedPair {
    let passages = pair.fields().filter_map(|(_, value)| texts(value));
    let passages: Vec<&str> = passages.flatten().collect();
    let support = cite::support_by(&pair.claim, &passages);
    let matches = support.matches.iter().filter_map(|own| {
        Some(PassageMatch {
            passage: own.passage,
            start: own.range.start,
            end: own.range.end,
            text: passages
                .get(own.passage)?
                .get(own.range.clone())?
                .to_owned(),
        })
    });
    let words = support.unsupported.iter().cloned();
    let words = words.filter_map(|range| Some(pair.claim.get(range)?.to_owned()));
    CheckedPair {
        id: pair.id.clone(),
        verdict: support.verdict.into(),
        score: rounded(support.score),
        reasons: support.reasons.clone(),
        unsupported: words.collect(),
        matches: matches.collect(),
        claim: pair.claim.clone(),
    }
}
