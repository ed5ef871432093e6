//! A request to a model and its reply, independent of the provider's protocol.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::pipeline::Digest;

/// The minimum number of bytes of ASCII text in a token (chosen by hand: by OpenAI's rule of thumb
/// English has about four; code and names have fewer).
const ASCII_BYTES_PER_TOKEN: f64 = 3.0;

/// The maximum number of tokens of a non-ASCII character in current tokenizers (chosen by hand).
const TOKENS_PER_CHARACTER: f64 = 1.5;

/// The tokens of a message besides its text: role and separators (chosen by hand).
const TOKENS_PER_MESSAGE: usize = 8;

/// One request: everything that a reply depends on, and nothing else.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Request {
    /// `provider:name`.
    pub model: String,
    /// The messages, in order.
    pub messages: Vec<Message>,
    /// The JSON schema of the answer, if the provider takes it separately from the text.
    pub schema: Option<Arc<Value>>,
    /// The schema's name.
    pub schema_name: String,
    /// The limit of the reply, in tokens.
    pub max_output_tokens: u32,
    /// The sampling temperature: 0 for the most likely words; `None` for the model's default.
    pub temperature: Option<f64>,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// The author.
    pub role: Role,
    /// The text.
    pub text: String,
}

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The instructions.
    System,
    /// The user: here, an agent.
    User,
    /// The model, in an earlier turn.
    Assistant,
}

impl Request {
    /// Returns the digest that identifies a request in the journal.
    pub fn digest(&self) -> Digest {
        Digest::of_value(self)
    }

    /// Returns an upper estimate of the tokens that the request takes of a context window.
    pub fn input_tokens(&self) -> usize {
        let messages: usize = self
            .messages
            .iter()
            .map(|message| TOKENS_PER_MESSAGE + estimate_tokens(&message.text))
            .sum();
        // The schema counts even if it is sent separately from the text: OpenAI and Gemini bill it
        // as input, a local server makes a grammar of it, and the estimate is an upper bound.
        let schema = self
            .schema
            .as_ref()
            .map_or(0, |schema| estimate_tokens(&schema.to_string()));
        messages + schema
    }

    /// Returns an upper estimate of the tokens of the request and its reply.
    pub fn max_tokens(&self) -> usize {
        self.input_tokens() + self.max_output_tokens as usize
    }
}

/// Returns an upper estimate of the number of tokens of a text, without the tokenizer of each
/// provider.
pub fn estimate_tokens(text: &str) -> usize {
    // Counted separately, since tokenizers split other scripts into more tokens per character.
    let ascii = text.bytes().filter(u8::is_ascii).count() as f64;
    let others = text.chars().filter(|c| !c.is_ascii()).count() as f64;
    (ascii / ASCII_BYTES_PER_TOKEN + others * TOKENS_PER_CHARACTER).ceil() as usize
}

/// A model's reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The text.
    pub text: String,
    /// The model's thinking, if the provider marks it.
    pub thinking: Option<String>,
    /// `true` if the reply was truncated at its length limit.
    pub truncated: bool,
    /// The reason why the model stopped, as the provider names it.
    pub stop_reason: Option<String>,
    /// The tokens of the call.
    pub usage: Usage,
    /// The provider's raw reply.
    pub raw: Value,
}

/// Tokens of one call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens read by the model, including those from a cache.
    pub input: u64,
    /// Tokens of these that came from the provider's cache.
    pub cached: u64,
    /// Tokens of these that were written into the provider's cache, where that has a price.
    #[serde(default, skip_serializing_if = "is_none")]
    pub cache_written: u64,
    /// Tokens written by the model, including its thinking.
    pub output: u64,
    /// `true` if the counts were estimated here, since the provider gave none.
    pub estimated: bool,
}

fn is_none(tokens: &u64) -> bool {
    *tokens == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_estimates_are_upper_bounds() {
        assert_eq!(estimate_tokens(""), 0);
        assert_eq!(estimate_tokens("heat pump"), 3);
        assert!(estimate_tokens("热泵") >= 2);
    }
}
