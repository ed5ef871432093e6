//! What is asked of a model and what it answers, in no provider's words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::pipeline::Digest;

/// Bytes of ASCII text that make a token at least; English has about four (OpenAI's rule of thumb),
/// code and names fewer.
const BYTES_PER_TOKEN: f64 = 3.0;

/// Tokens that a character outside of ASCII makes at most, in the tokenisers of today.
const TOKENS_PER_CHARACTER: f64 = 1.5;

/// Tokens that a message's frame takes.
const TOKENS_PER_MESSAGE: usize = 8;

/// One request: everything that a reply depends on, and nothing else.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Request {
    /// `provider:name`.
    pub model: String,
    /// What is said, in order.
    pub messages: Vec<Message>,
    /// The shape of the answer, where the provider is told of it beside the text.
    pub schema: Option<Value>,
    /// The schema's name.
    pub schema_name: String,
    /// Where the reply is cut off.
    pub max_output_tokens: u32,
    /// 0 for the most likely words; `None` leaves it to the model.
    pub temperature: Option<f64>,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What.
    pub text: String,
}

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The instructions.
    System,
    /// The one who asks.
    User,
    /// The model, earlier.
    Assistant,
}

impl Request {
    /// By which an answered request is recognised.
    pub fn digest(&self) -> Digest {
        Digest::of_value(self)
    }

    /// What it takes of a context window, estimated on the safe side.
    pub fn input_tokens(&self) -> usize {
        let said = self.messages.iter();
        let said: usize = said
            .map(|message| TOKENS_PER_MESSAGE + estimate_tokens(&message.text))
            .sum();
        let schema = self
            .schema
            .as_ref()
            .map_or(0, |schema| estimate_tokens(&schema.to_string()));
        said + schema
    }

    /// What it can come to at most, by the same estimate.
    pub fn max_tokens(&self) -> usize {
        self.input_tokens() + self.max_output_tokens as usize
    }
}

/// The tokens of a text, estimated on the safe side.
pub fn estimate_tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count() as f64;
    let others = text.chars().filter(|c| !c.is_ascii()).count() as f64;
    (ascii / BYTES_PER_TOKEN + others * TOKENS_PER_CHARACTER).ceil() as usize
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// Its words.
    pub text: String,
    /// Its thinking, where it is told apart.
    pub thinking: Option<String>,
    /// Whether it was cut off at its length limit.
    pub truncated: bool,
    /// Why it stopped, in the provider's word.
    pub stop_reason: Option<String>,
    /// What was counted.
    pub usage: Usage,
    /// The provider's whole reply.
    pub raw: Value,
}

/// Tokens of one call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Read by the model, those from a cache among them.
    pub input: u64,
    /// Of these, read from a cache.
    pub cached: u64,
    /// Written by the model, its thinking among them.
    pub output: u64,
    /// Whether they were estimated here, because the provider did not count.
    pub estimated: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_on_the_safe_side() {
        assert_eq!(estimate_tokens(""), 0);
        assert_eq!(estimate_tokens("heat pump"), 3);
        assert!(estimate_tokens("热泵") >= 2);
    }
}
