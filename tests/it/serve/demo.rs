//! The WebSocket: from the question through the states to the result.

use std::net::TcpStream;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Error, Message, WebSocket};

use super::Serving;
use crate::harness::{Scratch, TOPIC, parsed};

fn open(server: &Serving, origin: Option<&str>) -> Result<WebSocket<TcpStream>, u16> {
    let address = server.address();
    let mut request = format!("ws://{address}/demo")
        .into_client_request()
        .unwrap();
    if let Some(origin) = origin {
        let origin = origin.parse().unwrap();
        request.headers_mut().insert("origin", origin);
    }
    let stream = TcpStream::connect(address).unwrap();
    match tungstenite::client(request, stream) {
        Ok((socket, _)) => Ok(socket),
        Err(tungstenite::HandshakeError::Failure(Error::Http(refused))) => {
            Err(refused.status().as_u16())
        }
        Err(error) => panic!("{error}"),
    }
}

/// The messages that answer one.
fn converse(mut socket: WebSocket<TcpStream>, message: &str) -> Vec<Value> {
    socket.send(Message::text(message)).unwrap();
    let mut messages = Vec::new();
    while let Ok(message) = socket.read() {
        if let Message::Text(text) = message {
            messages.push(parsed(&text));
        }
    }
    messages
}

#[test]
fn a_run_is_told_state_by_state() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let question = json!({"query": TOPIC, "max_iterations": 1, "mock": true}).to_string();
    let messages = converse(open(&server, None).unwrap(), &question);
    let text = |message: &Value, name: &str| message[name].as_str().unwrap_or_default().to_owned();
    let (first, last) = (&messages[0], messages.last().unwrap());
    assert_eq!(text(first, "type"), "init", "{messages:?}");
    let changes = messages.iter().filter(|one| one["type"] == "state_change");
    let states: Vec<String> = changes.map(|change| text(change, "state")).collect();
    assert_eq!(states, ["RESEARCHING", "ANALYZING", "WRITING", "REVIEWING"]);
    assert_eq!(text(last, "type"), "complete");
    assert_eq!(last["result"]["status"], "COMPLETE");
    assert_eq!(last["result"]["task_id"], first["task_id"]);
}

#[test]
fn a_socket_is_opened_for_programs_and_own_pages_alone() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    assert_eq!(open(&server, Some("http://evil.test")).err(), Some(403));
    let own = format!("http://{}", server.address());
    for message in [
        "{",
        "{\"query\": \"\"}",
        "{\"query\": \"x\", \"max_iterations\": 11}",
    ] {
        let answer = converse(open(&server, Some(&own)).unwrap(), message);
        assert_eq!(answer[0]["type"], "error", "{message}");
        assert_eq!(answer[0]["problem"]["status"], 422, "{message}");
    }
    assert_eq!(server.get("/demo").status, 426);
}
