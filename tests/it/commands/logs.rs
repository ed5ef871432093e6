//! Diagnostics on standard error: log levels, JSON lines, and no secret in any of them.

use std::time::Duration;

use serde_json::Value;

use crate::harness::{Ran, Scratch, parsed};
use crate::models::server::Server as ModelServer;
use crate::models::{RUN_ARGUMENTS, command};
use crate::server::{Server, page};

const KEY: &str = "sk-logged-0123456789abcdef";

/// Runs a session with a model, an API key in the environment and these options.
fn logged(variables: &[(&str, &str)], options: &[&str]) -> (Scratch, Ran) {
    let (scratch, server) = (Scratch::with_few(), ModelServer::sound(Duration::ZERO));
    let mut command = command(&scratch, &server, &[&RUN_ARGUMENTS, options].concat());
    let command = command.env("OPENAI_API_KEY", KEY);
    let ran: Ran = command
        .envs(variables.iter().copied())
        .output()
        .unwrap()
        .into();
    ran.assert_ended(0, &options.join(" "));
    assert!(!ran.stderr.contains(KEY), "{}", ran.stderr);
    (scratch, ran)
}

fn json_lines(ran: &Ran) -> Vec<Value> {
    ran.stderr.lines().map(parsed).collect()
}

/// `true` if a line says that a span of this name was closed, and how long it took.
fn is_closed(lines: &[Value], name: &str) -> bool {
    lines.iter().any(|line| {
        let fields = &line["fields"];
        let is_close = fields["message"] == "close" && fields["time.busy"].is_string();
        is_close && line["span"]["name"] == name
    })
}

#[test]
fn json_log_is_one_object_per_line_without_api_key() {
    // RUST_LOG cannot make libraries log what they send.
    let everything = ("RUST_LOG", "trace");
    for variables in [&[][..], &[everything]] {
        let (_scratch, ran) = logged(variables, &["-vv", "--log-format", "json"]);
        let lines = json_lines(&ran);
        for line in &lines {
            assert!(line["level"].is_string(), "{line}");
            let target = line["target"].as_str().unwrap();
            assert!(target.starts_with("research"), "{line}");
        }
        let messages: Vec<&str> = lines
            .iter()
            .filter(|line| line["target"] == "research::message")
            .map(|line| line["fields"]["message"].as_str().unwrap())
            .collect();
        assert!(messages.contains(&"starting"), "{messages:?}");
        let last = messages.last().unwrap();
        assert!(last.starts_with("complete: "), "{messages:?}");
    }
}

#[test]
fn json_log_has_spans_of_run_stage_step_and_call() {
    let (_scratch, ran) = logged(&[], &["-vv", "--log-format", "json"]);
    let lines = json_lines(&ran);
    for name in ["run", "stage", "step", "call"] {
        assert!(is_closed(&lines, name), "{name}: {}", ran.stderr);
    }
    let scratch = Scratch::with_few();
    let options = ["-vv", "--log-format", "json"];
    let ruled = scratch.expect(0, &[&RUN_ARGUMENTS[..], &options].concat());
    assert!(is_closed(&json_lines(&ruled), "rule"), "{}", ruled.stderr);
    // Without debug logs, no span is.
    let (_scratch, ran) = logged(&[], &["-v", "--log-format", "json"]);
    assert!(!ran.stderr.contains("time.busy"), "{}", ran.stderr);
}

#[test]
fn json_log_has_a_span_of_each_fetch() {
    let web = Server::new(|_, stream| page(stream, "200 OK", "text/plain", b"Heat pumps work."));
    let scratch = Scratch::new();
    let url = web.url("/page");
    let mut command = scratch.command(&["read", &url, "-vv", "--log-format", "json"]);
    command.env("RESEARCH_NETWORK__ALLOW", "127.0.0.1");
    let ran: Ran = command.output().unwrap().into();
    ran.assert_ended(0, &url);
    assert!(is_closed(&json_lines(&ran), "fetch"), "{}", ran.stderr);
}

#[test]
fn errors_and_remarks_are_json_lines_at_any_verbosity() {
    let scratch = Scratch::with_few();
    for (options, expected) in [(&[][..], "ERROR"), (&["-q"], "ERROR")] {
        let arguments = [&["verify", "nothing", "--log-format", "json"], options].concat();
        let ran = scratch.expect(2, &arguments);
        let [line] = &json_lines(&ran)[..] else {
            panic!("{}", ran.stderr);
        };
        assert_eq!(line["level"], expected);
    }
    let ran = scratch.expect(0, &["list", "--log-format", "json"]);
    assert_eq!(json_lines(&ran)[0]["level"], "INFO");
    let ran = scratch.expect(0, &["list", "--log-format", "json", "-q"]);
    assert_eq!(ran.stderr, "");
}

#[test]
fn log_levels_of_the_environment_are_checked() {
    let scratch = Scratch::new();
    let list = |directives: &str| -> Ran {
        let mut command = scratch.command(&["list"]);
        command.env("RUST_LOG", directives).output().unwrap().into()
    };
    list("research=debug,hyper=off").assert_ended(0, "valid");
    let refused = list("research=loud");
    refused.assert_ended(2, "invalid");
    assert!(refused.stderr.contains("RUST_LOG"), "{}", refused.stderr);
}

#[test]
fn verbose_lines_tell_how_long_each_stage_and_step_took() {
    let scratch = Scratch::with_few();
    let ran = scratch.expect(0, &[&RUN_ARGUMENTS[..], &["-v"]].concat());
    let took = |beginning: &str| {
        let mut lines = ran.stderr.lines();
        lines.any(|line| line.starts_with(beginning) && line.ends_with(" s)"))
    };
    for beginning in ["research: done (", "review: done (", "step 1-"] {
        assert!(took(beginning), "{beginning}: {}", ran.stderr);
    }
    // Only there: what a run writes and prints is the same at any speed.
    assert!(
        !scratch
            .read("research-output/s/events.jsonl")
            .contains(" s)")
    );
    let quiet = Scratch::with_few();
    let ran = quiet.expect(0, &RUN_ARGUMENTS);
    assert!(!ran.stderr.contains(" s)"), "{}", ran.stderr);
}
