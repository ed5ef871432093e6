//! Keys never appear in anything that is written or printed.

use std::time::Duration;

use super::server::{Act, ChatRequest, Plan, Server};
use super::{RUN_ARGUMENTS, command};
use crate::harness::{Ran, Scratch, tree};

const KEY: &str = "sk-planted-0123456789abcdef";
const OTHER: &str = "planted-by-somebody-else-42";

fn assert_clean(scratch: &Scratch, ran: &Ran, case: &str) {
    for key in [KEY, OTHER] {
        assert!(!ran.stdout.contains(key), "{case}: standard output");
        assert!(!ran.stderr.contains(key), "{case}: {}", ran.stderr);
        for (name, bytes) in tree(scratch.path()) {
            let text = String::from_utf8_lossy(&bytes);
            assert!(!text.contains(key), "{case}: {name}");
        }
        let log = scratch.path().join("research-output/s/events.jsonl");
        let log = std::fs::read_to_string(log).unwrap_or_default();
        assert!(!log.contains(key), "{case}: {log}");
    }
}

#[test]
fn api_keys_are_redacted_from_files_and_output() {
    let echo =
        format!("{{\"error\":{{\"message\":\"Incorrect API key provided: {KEY}, {OTHER}\"}}}}");
    let acts: [(&str, Act); 6] = [
        ("refused", Act::Status(401, echo.clone(), String::new())),
        ("failing", Act::Status(500, echo.clone(), String::new())),
        ("limited", Act::Status(402, echo.clone(), String::new())),
        ("garbled", Act::Body(format!("{{\"x\": \"{KEY} {OTHER}\""))),
        (
            "other JSON",
            Act::Body(format!("{{\"x\": \"{KEY} {OTHER}\"}}")),
        ),
        (
            "said",
            Act::Say(format!("my key is {KEY}, and {OTHER}"), false),
        ),
    ];
    type Start = fn(Duration, Plan) -> Server;
    let starts: [Start; 2] = [Server::start, Server::streaming];
    for (case, act) in acts {
        for (last, start) in [&["--json"][..], &["--verbose"]].into_iter().zip(starts) {
            let act = act.clone();
            let plan = move |number: u64, _: &ChatRequest| match number {
                0 => Act::Answer,
                _ => act.clone(),
            };
            let (scratch, server) = (Scratch::with_few(), start(Duration::ZERO, Box::new(plan)));
            let arguments = [&RUN_ARGUMENTS, last].concat();
            let mut command = command(&scratch, &server, &arguments);
            let ran = command
                .env("OPENAI_API_KEY", KEY)
                .env("ANTHROPIC_API_KEY", OTHER)
                .output()
                .unwrap();
            let ran = Ran::from(ran);
            assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
            let (request, _) = &server.seen()[0];
            assert_eq!(request.headers["authorization"], format!("Bearer {KEY}"));
            assert_clean(&scratch, &ran, case);
        }
    }
}

#[test]
fn secrets_in_the_address_of_a_server_are_neither_printed_nor_stored() {
    const PASSWORD: &str = "Pa55";
    const QUERY_KEY: &str = "planted-in-the-query";
    let refused = |arguments: &[&str], address: String| {
        let scratch = Scratch::with_few();
        let mut command = scratch.command(arguments);
        command
            .env("RESEARCH_MODEL", "openai:m")
            .env("RESEARCH_MODELS__TRIES", "1")
            // A port at which nobody listens.
            .env("OPENAI_BASE_URL", address);
        let ran = Ran::from(command.output().unwrap());
        let printed = format!("{}{}", ran.stdout, ran.stderr);
        assert!(printed.contains("127.0.0.1:1"), "{printed}");
        let is_clean = |text: &str| !text.contains(PASSWORD) && !text.contains(QUERY_KEY);
        assert!(is_clean(&printed), "{printed}");
        let log = scratch.path().join("research-output/s/events.jsonl");
        let log = std::fs::read(log).unwrap_or_default();
        for bytes in tree(scratch.path()).values().chain([&log]) {
            assert!(is_clean(&String::from_utf8_lossy(bytes)));
        }
    };
    for arguments in [&RUN_ARGUMENTS[..], &["doctor"]] {
        refused(
            arguments,
            format!("http://alice:{PASSWORD}@127.0.0.1:1/v1/"),
        );
        refused(
            arguments,
            format!("http://127.0.0.1:1/v1/?api_key={QUERY_KEY}"),
        );
    }
}
