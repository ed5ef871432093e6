//! Replies as providers really write them: with fields that nobody knows, and without those that
//! one expects.

use std::time::Duration;

use futures::executor::block_on;
use research::config::Settings;
use research::model::{Catalogue, Message, ModelError, Models, Reply, Request, Role, Tier};
use research::quota::SharedQuotas;
use serde_json::{Value, json};

use super::server::{Act, ChatRequest, Server};
use crate::harness::{parsed, skipped};

/// What a provider's whole reply comes to.
fn read(provider: &str, body: String) -> Result<Reply, ModelError> {
    let plan = move |_: u64, _: &ChatRequest| Act::Body(body.clone());
    let server = Server::start(Duration::ZERO, Box::new(plan));
    ask(provider, &server, false, 600)
}

/// What a provider's streamed reply comes to, if its pieces come so slowly, and silence is borne
/// for so many seconds.
fn read_slowly(
    provider: &str,
    events: &str,
    pause: Duration,
    patience: u64,
) -> (Result<Reply, ModelError>, usize) {
    let events = events.to_owned();
    let plan = move |_: u64, _: &ChatRequest| Act::Events(events.clone(), pause);
    let server = Server::start(Duration::ZERO, Box::new(plan));
    (ask(provider, &server, true, patience), server.calls())
}

fn read_events(provider: &str, events: &str) -> Result<Reply, ModelError> {
    read_slowly(provider, events, Duration::ZERO, 600).0
}

fn ask(provider: &str, server: &Server, streams: bool, patience: u64) -> Result<Reply, ModelError> {
    let mut catalogue = Catalogue::built_in().unwrap();
    let url = server.url();
    let protocol = match provider {
        "anthropic" | "gemini" => provider,
        _ => "openai",
    };
    let entry = format!(
        "[{provider}]\nprotocol = \"{protocol}\"\nbase_url = \"{url}/v1/\"\n\
         schema = \"native\"\nstreams = {streams}\n"
    );
    catalogue.add_providers(&entry).unwrap();
    let mut settings = Settings::load().unwrap().models;
    settings.reply_timeout_seconds = patience;
    settings.default = format!("{provider}:fake");
    let models = Models::find(&settings, &catalogue).unwrap().unwrap();
    let model = models.for_tier(Tier::Simple).unwrap();
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
    let quotas = SharedQuotas::default();
    block_on(models.send(model, &request.into(), (1, 1), None, &quotas))
}

#[test]
fn unknown_reply_fields_and_missing_usage_are_tolerated() {
    let said = json!({"role": "assistant", "content": "hello"});
    let choice = json!([{"index": 0, "finish_reason": "stop", "message": said, "new": [1]}]);
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
            json!({
                "choices": choice, "x": {},
                "usage": {"prompt_tokens": 3, "completion_tokens": 1, "new": {"a": 1}},
            }),
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
            json!({
                "content": message, "stop_reason": "end_turn",
                "usage": {"input_tokens": 3, "output_tokens": 1, "tier": "x"},
            }),
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
fn malformed_responses_are_model_errors() {
    for body in [
        "{}",
        "[]",
        "null",
        "{\"choices\": []}",
        "{\"choices\": [{}]}",
        "{\"error\": {\"message\": \"x\"}}",
        "<html>",
    ] {
        let result = read("openai", body.to_owned());
        assert!(
            matches!(result, Err(ModelError::MalformedResponse(_))),
            "{body}: {result:?}"
        );
    }
}

#[test]
fn thinking_and_truncated_replies_are_recognised() {
    let message = json!({"content": "he", "reasoning_content": "hm"});
    let body = json!({"choices": [{"finish_reason": "length", "message": message}]});
    let reply = read("openai", body.to_string()).unwrap();
    assert!(reply.truncated);
    assert_eq!(reply.thinking.as_deref(), Some("hm"));
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "s"});
    let body = json!({
        "content": [thinking, {"type": "text", "text": "he"}], "stop_reason": "max_tokens",
        "usage": {"input_tokens": 3, "output_tokens": 1},
    });
    let reply = read("anthropic", body.to_string()).unwrap();
    assert!(reply.truncated);
    assert_eq!(reply.text, "he");
}

const WORDS: &str = concat!(
    "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n",
    "data: {\"choices\":[{\"delta\":{\"content\":\"he\"}}]}\n\n",
    ": ping\n\n",
    "data: {\"new\":1,\"choices\":[{\"delta\":{\"content\":\"llo\"}}]}\n\n",
);
const STOP: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\n";
const COUNTED: &str =
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":1}}\n\n";
const DONE: &str = "data: [DONE]\n\n";

#[test]
fn streamed_chunks_are_collected_with_or_without_usage() {
    for (events, estimated) in [
        (format!("{WORDS}{STOP}{COUNTED}{DONE}"), false),
        // As OpenRouter counts: beside a choice that says nothing.
        (
            format!(
                "{WORDS}{STOP}{}{DONE}",
                COUNTED.replace("[]", "[{\"delta\":{\"content\":\"\"}}]")
            ),
            false,
        ),
        (format!("{WORDS}{STOP}{DONE}"), true),
    ] {
        let reply = read_events("openai", &events).unwrap();
        assert_eq!(reply.text, "hello");
        assert_eq!(reply.thinking.as_deref(), Some("hm"));
        assert!(reply.truncated);
        assert_eq!(reply.usage.estimated, estimated);
        assert_eq!(reply.raw["last"].as_array().unwrap().len(), 3);
    }
}

#[test]
fn broken_streams_map_to_model_errors() {
    let overloaded = "event: error\ndata: {\"type\":\"error\",\"error\":{\
                      \"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    let failed = "data: {\"error\":{\"code\":429,\"message\":\"slow down\"}}\n\n";
    let error_of = |provider: &str, events: &str| read_events(provider, events).unwrap_err();
    let broken = error_of("openai", &format!("{WORDS}{STOP}"));
    assert!(matches!(broken, ModelError::ConnectionLost(_)), "{broken}");
    let garbled = error_of("openai", &format!("{WORDS}data: {{\"choices\n\n{DONE}"));
    assert!(
        matches!(garbled, ModelError::MalformedResponse(_)),
        "{garbled}"
    );
    let nothing = error_of("openai", "{\"choices\": []}");
    assert!(
        matches!(&nothing, ModelError::MalformedResponse(text) if text.contains("streams = false")),
        "{nothing}"
    );
    let empty = error_of("openai", DONE);
    assert!(matches!(empty, ModelError::MalformedResponse(_)), "{empty}");
    let limited = error_of("openai", &format!("{WORDS}{failed}"));
    assert!(
        matches!(limited, ModelError::RateLimited { .. }),
        "{limited}"
    );
    let unavailable = error_of("anthropic", overloaded);
    assert!(
        matches!(unavailable, ModelError::Unavailable { .. }),
        "{unavailable}"
    );
}

/// What an endless reply comes to, and how many MiB of it were taken.
fn read_flood(streams: bool, status: u16, piece: &'static str) -> (ModelError, u64) {
    let plan = move |_: u64, _: &ChatRequest| Act::Flood(status, piece);
    let server = Server::start(Duration::ZERO, Box::new(plan));
    let error = ask("openai", &server, streams, 600).unwrap_err();
    (error, server.flooded() >> 20)
}

#[test]
fn endless_replies_are_cut_off_and_name_the_server_and_the_limit() {
    for (streams, limit) in [(false, "16 MiB in one reply"), (true, "1 MiB in one line")] {
        let (error, mebibytes) = read_flood(streams, 200, "x");
        let ModelError::MalformedResponse(text) = &error else {
            panic!("{error:?}");
        };
        let expected = format!("sends more than {limit}");
        assert!(text.starts_with("http://127.0.0.1:"), "{text}");
        assert!(text.contains(&expected), "{text}");
        assert!(mebibytes < 48, "{mebibytes} MiB of {limit}");
    }
}

#[test]
fn endless_error_bodies_are_cut_off() {
    for streams in [false, true] {
        for piece in ["x", "x\n\n"] {
            let (error, mebibytes) = read_flood(streams, 400, piece);
            assert!(
                matches!(&error, ModelError::Refused(text) if text.starts_with("400: x")),
                "{error}"
            );
            assert!(mebibytes < 32, "{mebibytes} MiB");
        }
    }
}

#[test]
fn stream_timeout_applies_to_each_event_and_not_to_the_reply() {
    let events = format!("{WORDS}{WORDS}{WORDS}{STOP}{COUNTED}{DONE}");
    // Longer as a whole than silence is borne.
    let (reply, calls) = read_slowly("openai", &events, Duration::from_millis(250), 2);
    assert_eq!(reply.unwrap().text, "hellohellohello");
    assert_eq!(calls, 1);
}

/// Replies that were recorded from services: one object a line, with `provider` and `body`, or
/// `events` where it came in pieces.
#[test]
fn recorded_provider_replies_are_parsed() {
    let Ok(path) = std::env::var("RESEARCH_TEST_REPLIES") else {
        skipped("RESEARCH_TEST_REPLIES names no file of recorded replies");
        return;
    };
    let (mut count, mut counted) = (0, 0);
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let recorded: Value = parsed(line);
        let provider = recorded["provider"].as_str().unwrap();
        let (body, has_usage) = match recorded["events"].as_str() {
            Some(events) => (events.to_owned(), events.contains("_tokens\":")),
            None => {
                let counts = [
                    &recorded["body"]["usage"],
                    &recorded["body"]["usageMetadata"],
                ];
                let has_usage = counts.iter().any(|count| count.is_object());
                (recorded["body"].to_string(), has_usage)
            }
        };
        let reply = if recorded["events"].is_string() {
            read_events(provider, &body)
        } else {
            read(provider, body.clone())
        };
        let reply = reply.unwrap_or_else(|fault| panic!("{body}: {fault}"));
        assert_eq!(reply.usage.estimated, !has_usage, "{body}");
        count += 1;
        counted += usize::from(has_usage);
    }
    assert!(
        count > 0 && counted > 0,
        "{count} replies, {counted} with usage"
    );
}

#[test]
fn tokens_of_the_cache_are_counted_apart() {
    let body = json!({
        "content": [{"type": "text", "text": "hello"}], "stop_reason": "end_turn",
        "usage": {
            "input_tokens": 3, "output_tokens": 1,
            "cache_read_input_tokens": 2000, "cache_creation_input_tokens": 400,
        },
    });
    let usage = read("anthropic", body.to_string()).unwrap().usage;
    assert_eq!(
        (usage.input, usage.cached, usage.cache_written),
        (2403, 2000, 400)
    );
}
