//! The words of a reply that the client library does not understand as a whole: we ask for no
//! tools, but a provider may answer with a broken call of one beside its words.

use serde_json::Value;

use super::request::{Reply, Request, Usage, estimate_tokens};

/// The reply in a provider's body, if there are words in it.
pub(super) fn salvaged(raw: &Value, request: &Request) -> Option<Reply> {
    let choice = &raw["choices"][0];
    let content = match choice["message"]["content"] {
        Value::Null => &raw["content"],
        ref content => content,
    };
    let text = words(content)?;
    let stopped = choice["finish_reason"]
        .as_str()
        .or(raw["stop_reason"].as_str());
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
            output: output.unwrap_or(estimate_tokens(&text) as u64),
            estimated: input.is_none() || output.is_none(),
        },
        text,
        raw: raw.clone(),
    })
}

fn words(content: &Value) -> Option<String> {
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
