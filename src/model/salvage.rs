//! Salvages the text of a reply that the client library rejects as a whole. No tools are offered,
//! but a model may emit a malformed tool call next to its text.

use serde_json::Value;

use super::request::{Reply, Request, Usage, estimate_tokens};

/// Returns the reply in a provider's raw body, if it holds any text. The fields are those of
/// OpenAI's chat completions, else of Anthropic's messages.
pub(super) fn salvage(raw: &Value, request: &Request) -> Option<Reply> {
    let choice = &raw["choices"][0];
    let content = match choice["message"]["content"] {
        Value::Null => &raw["content"],
        ref content => content,
    };
    // Only a reply with text is salvaged: without any, the library's error stands.
    let text = text_of(content)?;
    let stopped = choice["finish_reason"]
        .as_str()
        .or(raw["stop_reason"].as_str());
    // Reported counts are used; a missing count is estimated, and marked as such.
    let usage = &raw["usage"];
    let count = |names: [&str; 2]| names.iter().find_map(|name| usage[*name].as_u64());
    let input = count(["prompt_tokens", "input_tokens"]);
    let output = count(["completion_tokens", "output_tokens"]);
    Some(Reply {
        thinking: None,
        truncated: matches!(stopped, Some("length" | "max_tokens")),
        stop_reason: stopped.map(str::to_owned),
        usage: Usage {
            input: input.unwrap_or(request.input_tokens() as u64),
            cached: 0,
            cache_written: 0,
            output: output.unwrap_or(estimate_tokens(&text) as u64),
            estimated: input.is_none() || output.is_none(),
        },
        text,
        raw: raw.clone(),
    })
}

fn text_of(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part["text"].as_str());
            let text: String = texts.collect();
            (!text.is_empty()).then_some(text)
        }
        _ => None,
    }
}
