//! Chat completions: a session as a model of the protocol of OpenAI.

use serde_json::{Value, json};

use super::{Answer, Serving};
use crate::harness::{Scratch, TOPIC, parsed};

fn complete(server: &Serving, messages: &Value, is_streamed: bool) -> Answer {
    // What clients of language models send besides is left alone.
    let body = json!({
        "model": "research-quick", "messages": messages, "stream": is_streamed,
        "temperature": 0.7, "stream_options": {"include_usage": true},
    });
    server.post("/v1/chat/completions", &body)
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

#[test]
fn a_conversation_is_answered_with_reports_and_follows_up() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let models = server.get("/v1/models").json();
    assert_eq!(models["data"][0]["id"], "research", "{models}");
    assert_eq!(server.get("/v1/models/research-deep").status, 200);
    let system = json!({"role": "system", "content": "Be brief."});
    let answer = complete(&server, &json!([system, user(TOPIC)]), false);
    assert_eq!(answer.status, 200, "{}", answer.body);
    let answer = answer.json();
    assert_eq!(answer["object"], "chat.completion");
    let choice = &answer["choices"][0];
    assert_eq!(choice["finish_reason"], "stop");
    let report = choice["message"]["content"].as_str().unwrap();
    assert!(report.starts_with(&format!("# {TOPIC}")), "{report}");
    assert!(report.contains("](/v1/sessions/"), "{report}");
    assert!(!report.contains("](sources/"), "{report}");
    // The same conversation is the same session; the next question follows it up.
    let again = complete(&server, &json!([user(TOPIC)]), false).json();
    assert_eq!(again["choices"], answer["choices"]);
    let parts =
        json!({"role": "user", "content": [{"type": "text", "text": "What does it cost?"}]});
    let next = complete(
        &server,
        &json!([user(TOPIC), choice["message"], parts]),
        false,
    );
    assert_eq!(next.status, 200, "{}", next.body);
    let sessions = server.get("/v1/sessions").json()["sessions"].clone();
    assert_eq!(sessions.as_array().unwrap().len(), 2, "{sessions}");
    let id = next.json()["id"].as_str().unwrap().replace("chatcmpl-", "");
    let session = parsed(&scratch.read(&format!("research-output/{id}/session.json")));
    assert!(session["follows"].is_string(), "{session}");
}

#[test]
fn progress_is_streamed_as_reasoning_and_the_report_as_content() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let streamed = complete(&server, &json!([user(TOPIC)]), true);
    assert_eq!(streamed.header("content-type"), Some("text/event-stream"));
    let lines = streamed
        .body
        .lines()
        .filter_map(|line| line.strip_prefix("data: "));
    let mut lines: Vec<&str> = lines.collect();
    assert_eq!(lines.pop(), Some("[DONE]"));
    let chunks: Vec<Value> = lines.into_iter().map(parsed).collect();
    let text = |name: &str| -> String {
        let deltas = chunks.iter().map(|chunk| &chunk["choices"][0]["delta"]);
        deltas.filter_map(|delta| delta[name].as_str()).collect()
    };
    assert_eq!(text("role"), "assistant");
    assert!(text("content").starts_with(&format!("# {TOPIC}")));
    let reasoning = text("reasoning_content");
    assert!(reasoning.lines().count() > 5, "{reasoning}");
    assert_eq!(
        chunks.last().unwrap()["choices"][0]["finish_reason"],
        "stop"
    );
    assert!(
        chunks
            .iter()
            .all(|chunk| chunk["object"] == "chat.completion.chunk")
    );
}

#[test]
fn what_cannot_be_answered_is_a_problem() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let silent = json!([{"role": "system", "content": "Be brief."}]);
    complete(&server, &silent, false).assert_problem(422, "no question");
    complete(&server, &json!([user(" ")]), true).assert_problem(422, "an empty question");
    let other = json!({"model": "gpt-4o", "messages": [user("x")]});
    server
        .post("/v1/chat/completions", &other)
        .assert_problem(404, "another model");
    server
        .get("/v1/models/gpt-4o")
        .assert_problem(404, "another model");
    assert!(!scratch.path().join("research-output").exists());
}

#[test]
fn prompts_of_open_webui_about_a_conversation_start_no_session() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let prompt = format!(
        "### Task:\nGenerate a concise title.\n### Chat History:\n<chat_history>\nUSER: {TOPIC}\n\
         ASSISTANT: # {TOPIC}\n</chat_history>"
    );
    let whole = complete(&server, &json!([user(&prompt)]), false).json();
    let text = whole["choices"][0]["message"]["content"].as_str().unwrap();
    let answer = parsed(text);
    assert_eq!(answer["title"], TOPIC);
    for list in ["tags", "follow_ups", "queries"] {
        assert_eq!(answer[list], json!([]), "{list}");
    }
    let streamed = complete(&server, &json!([user(&prompt)]), true).body;
    assert!(streamed.contains("follow_ups") && streamed.contains("[DONE]"));
    assert!(!scratch.path().join("research-output").exists());
}

#[test]
fn a_web_or_a_model_that_cannot_be_reached_is_a_bad_gateway() {
    // Nothing listens on port 1.
    let nowhere = "http://127.0.0.1:1";
    let search = [
        ("RESEARCH_SEARCH__SERVICES", "searxng"),
        ("SEARXNG_URL", nowhere),
    ];
    let models = [
        ("RESEARCH_MODEL", "openai:fake"),
        ("OPENAI_BASE_URL", nowhere),
        ("RESEARCH_MODELS__TRIES", "1"),
    ];
    for (arguments, variables) in [(&[][..], &search[..]), (&["--docs", "docs"], &models)] {
        let scratch = Scratch::with_few();
        let server = Serving::start(&scratch, arguments, variables);
        complete(&server, &json!([user(TOPIC)]), false).assert_problem(502, nowhere);
    }
}
