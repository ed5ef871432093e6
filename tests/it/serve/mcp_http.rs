//! The Model Context Protocol over HTTP, under the identity of all other requests.

use serde_json::{Value, json};

use super::identity::{token, with_secret};
use super::{Answer, Serving, request};
use crate::harness::{Scratch, TOPIC, parsed};

const KINDS: &str = "Content-Type: application/json\r\nAccept: application/json, \
                     text/event-stream\r\n";

/// Sends a message as an owner, within a connection.
fn send(server: &Serving, owner: &str, connection: &str, message: &Value) -> Answer {
    let headers = format!(
        "{KINDS}Authorization: Bearer {}\r\n{connection}",
        token(owner)
    );
    server.send(&request("POST", "/mcp", &headers, &message.to_string()))
}

/// The messages of an answer, which is a stream of events.
fn messages(answer: &Answer) -> Vec<Value> {
    let lines = answer
        .body
        .lines()
        .filter_map(|line| line.strip_prefix("data:"));
    let lines = lines.map(str::trim).filter(|line| !line.is_empty());
    lines.map(parsed).collect()
}

/// Opens a connection; returns its header.
fn connect(server: &Serving, owner: &str) -> String {
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }});
    let opened = send(server, owner, "", &initialize);
    assert_eq!(opened.status, 200, "{}", opened.body);
    let id = opened.header("mcp-session-id").unwrap();
    let connection = format!("Mcp-Session-Id: {id}\r\n");
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(send(server, owner, &connection, &ready).status, 202);
    connection
}

fn call(tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": 7}});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
}

#[test]
fn a_session_is_run_over_http_and_only_its_owner_sees_it() {
    let scratch = Scratch::with_few();
    let server = with_secret(&scratch);
    let refused = server.send(&request("POST", "/mcp", KINDS, "{}"));
    refused.assert_problem(401, "no token");
    let ann = connect(&server, "ann");
    let research = call("research", &json!({"topic": TOPIC, "session": "s"}));
    let answered = messages(&send(&server, "ann", &ann, &research));
    let progress = answered
        .iter()
        .filter(|one| one["method"] == "notifications/progress");
    assert!(progress.count() > 5, "{answered:?}");
    let result = &answered.last().unwrap()["result"];
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with(&format!("# {TOPIC}")), "{result}");
    let bob = connect(&server, "bob");
    let read = call("read_report", &json!({"session": "s"}));
    let refused = messages(&send(&server, "bob", &bob, &read));
    assert_eq!(
        refused.last().unwrap()["result"]["isError"],
        true,
        "{refused:?}"
    );
    // The connection of another owner is none.
    assert_eq!(send(&server, "bob", &ann, &read).status, 404);
    assert_eq!(send(&server, "ann", &ann, &read).status, 200);
}

#[test]
fn a_page_of_another_origin_reaches_no_tool() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let headers = format!("{KINDS}Origin: http://evil.test\r\n");
    server
        .send(&request("POST", "/mcp", &headers, "{}"))
        .assert_problem(403, "another origin");
}
