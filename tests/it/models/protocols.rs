//! A full session with a model, over each protocol.

use std::time::Duration;

use super::server::{Act, Server};
use super::{RUN_ARGUMENTS, command, run};
use crate::harness::{Scratch, parsed};

#[test]
fn openai_protocol_serves_a_full_session() {
    let (scratch, server) = (Scratch::with_few(), Server::sound(Duration::ZERO));
    let ran = run(&scratch, &server, &RUN_ARGUMENTS);
    ran.assert_ended(0, "a sound model");
    // The line names the host that gets the documents.
    let host = server.url().replace("http://", "");
    let line = format!("answered by openai:fake at {host}, found in OPENAI_BASE_URL");
    assert!(ran.stderr.contains(&line), "{}", ran.stderr);
    let report = scratch.json("report.json");
    assert_eq!(report["provenance"]["recipe"]["answered_by"], "openai:fake");
    assert!(report["content"]["claims"].as_array().unwrap().len() >= 3);
    let calls = scratch.tree();
    let calls = calls
        .keys()
        .filter(|name| name.starts_with("calls/"))
        .count();
    assert_eq!(calls, server.calls());
    assert_eq!(calls, 10);
    let verified = scratch.run(&["verify", "s"]);
    verified.assert_ended(0, "verify");
    let again = run(&scratch, &server, &RUN_ARGUMENTS);
    assert!(again.stderr.contains("nothing to do"), "{}", again.stderr);
    assert_eq!(server.calls(), 10);
}

#[test]
fn anthropic_protocol_serves_a_full_session() {
    let (scratch, server) = (Scratch::with_few(), Server::sound(Duration::ZERO));
    let mut command = command(&scratch, &server, &RUN_ARGUMENTS);
    let ran = command
        .env_remove("OPENAI_BASE_URL")
        .env("ANTHROPIC_BASE_URL", server.url())
        .env("ANTHROPIC_API_KEY", "key-of-anthropic")
        .output()
        .unwrap();
    crate::harness::Ran::from(ran).assert_ended(0, "messages");
    let (request, _) = &server.seen()[0];
    assert_eq!(request.path, "/v1/messages");
    assert_eq!(request.headers["x-api-key"], "key-of-anthropic");
    // The system message is the same in all calls of an agent: it is cached on request only.
    let system = &request.body["system"][0];
    assert_eq!(system["cache_control"]["type"], "ephemeral", "{system}");
    assert!(request.body["messages"][0]["content"].is_string());
    let name = scratch.tree();
    let call = name
        .iter()
        .find(|(name, _)| name.starts_with("calls/"))
        .unwrap();
    let call = parsed(&String::from_utf8_lossy(call.1));
    assert_eq!(call["reply"]["usage"]["estimated"], false);
}

#[test]
fn streamed_and_unstreamed_replies_make_the_same_report() {
    let mut reports = Vec::new();
    for (protocol, server) in [
        ("OPENAI_BASE_URL", Server::sound(Duration::ZERO)),
        (
            "OPENAI_BASE_URL",
            Server::streaming(Duration::ZERO, Box::new(|_, _| Act::Answer)),
        ),
        (
            "ANTHROPIC_BASE_URL",
            Server::streaming(Duration::ZERO, Box::new(|_, _| Act::Answer)),
        ),
    ] {
        let scratch = Scratch::with_few();
        let mut command = command(&scratch, &server, &RUN_ARGUMENTS);
        let ran = command
            .env_remove("OPENAI_BASE_URL")
            .env(protocol, server.url())
            .output()
            .unwrap();
        crate::harness::Ran::from(ran).assert_ended(0, protocol);
        let streamed = server.seen()[0].0.body["stream"] == true;
        assert_eq!(streamed, !reports.is_empty(), "{protocol}");
        assert_eq!(server.calls(), 10);
        for (name, bytes) in scratch.tree() {
            if name.starts_with("calls/") {
                let call = parsed(&String::from_utf8_lossy(&bytes));
                assert_eq!(call["reply"]["usage"]["estimated"], false, "{name}");
                assert_eq!(call["reply"]["raw"]["last"].is_array(), streamed, "{name}");
            }
        }
        let report = scratch.json("report.json")["content"]["claims"].clone();
        reports.push(report);
    }
    assert_eq!(reports[0], reports[1]);
    assert_eq!(reports[0], reports[2]);
}
