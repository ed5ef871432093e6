//! Replies as providers really write them: with fields that nobody knows, and without those that one expects.

use std::time::Duration;

use futures::executor::block_on;
use research::config::Settings;
use research::model::{Catalogue, Fault, Message, Models, Reply, Request, Role, Tier};
use serde_json::{Value, json};

use super::server::{Act, Asked, Server};
use crate::harness::{parsed, skipped};

/// What a provider's reply comes to.
fn read(provider: &str, body: String) -> Result<Reply, Fault> {
    let plan = move |_: u64, _: &Asked| Act::Body(body.clone());
    let server = Server::start(Duration::ZERO, Box::new(plan));
    let mut catalogue = Catalogue::built_in().unwrap();
    catalogue.place(provider, &server.url());
    let mut settings = Settings::load().unwrap().models;
    settings.default = format!("{provider}:fake");
    let models = Models::find(&settings, &catalogue).unwrap().unwrap();
    let model = models.of(Tier::Simple).unwrap();
    let request = Request {
        model: model.name.clone(),
        messages: vec![Message {
            role: Role::User,
            text: "Hello".to_owned(),
        }],
        schema: None,
        schema_name: "greeting".to_owned(),
        max_output_tokens: 100,
        temperature: None,
    };
    block_on(models.send(model, &request))
}

#[test]
fn unknown_fields_and_missing_usage_break_nothing() {
    let choice = json!([{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hello"}, "new": [1]}]);
    let message = json!([{"type": "text", "text": "hello", "citations": null}]);
    for (provider, body, estimated) in [
        ("openai", json!({"choices": choice}), true),
        (
            "openai",
            json!({"choices": choice, "usage": null, "model": null}),
            true,
        ),
        (
            "openai",
            json!({"choices": choice, "usage": {"prompt_tokens": 3, "completion_tokens": 1, "new": {"a": 1}}, "x": {}}),
            false,
        ),
        (
            "openai",
            json!({"choices": choice, "usage": {"prompt_tokens": 3}}),
            true,
        ),
        (
            "anthropic",
            json!({"type": "message", "content": message, "stop_reason": "end_turn"}),
            true,
        ),
        (
            "anthropic",
            json!({"content": message, "stop_reason": "end_turn", "usage": {"input_tokens": 3, "output_tokens": 1, "tier": "x"}}),
            false,
        ),
    ] {
        let reply =
            read(provider, body.to_string()).unwrap_or_else(|fault| panic!("{body}: {fault}"));
        assert_eq!(reply.text, "hello", "{body}");
        assert_eq!(reply.usage.estimated, estimated, "{body}");
        assert!(reply.usage.input > 0 && reply.usage.output > 0, "{body}");
        assert_eq!(reply.raw, body);
    }
}

#[test]
fn reply_that_is_none_is_told_apart() {
    for body in [
        "{}",
        "[]",
        "null",
        "{\"choices\": []}",
        "{\"choices\": [{}]}",
        "{\"error\": {\"message\": \"x\"}}",
        "<html>",
    ] {
        let found = read("openai", body.to_owned());
        assert!(matches!(found, Err(Fault::Garbled(_))), "{body}: {found:?}");
    }
}

#[test]
fn thinking_and_cut_off_replies_are_seen_as_such() {
    let body = json!({"choices": [{"finish_reason": "length", "message": {"content": "he", "reasoning_content": "hm"}}]});
    let reply = read("openai", body.to_string()).unwrap();
    assert!(reply.cut_off);
    assert_eq!(reply.thinking.as_deref(), Some("hm"));
    let body = json!({"content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "he"}],
        "stop_reason": "max_tokens", "usage": {"input_tokens": 3, "output_tokens": 1}});
    let reply = read("anthropic", body.to_string()).unwrap();
    assert!(reply.cut_off);
    assert_eq!(reply.text, "he");
}

/// Replies that were recorded from services: one object a line, with `provider` and `body`.
#[test]
fn recorded_replies_are_read() {
    let Ok(path) = std::env::var("RESEARCH_TEST_REPLIES") else {
        skipped("RESEARCH_TEST_REPLIES names no file of recorded replies");
        return;
    };
    let (mut count, mut counted) = (0, 0);
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let recorded: Value = parsed(line);
        let provider = recorded["provider"].as_str().unwrap();
        let body = recorded["body"].to_string();
        let reply = read(provider, body.clone()).unwrap_or_else(|fault| panic!("{body}: {fault}"));
        let has_usage = recorded["body"]["usage"].is_object();
        assert_eq!(reply.usage.estimated, !has_usage, "{body}");
        count += 1;
        counted += usize::from(has_usage);
    }
    assert!(
        count > 0 && counted > 0,
        "{count} replies, {counted} with usage"
    );
}
