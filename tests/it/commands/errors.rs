//! Errors for other programs, and tips for people who do not know the commands yet.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::Stdio;
use std::time::Duration;

use research::cli::COMMANDS;
use serde_json::Value;

use super::finished;
use crate::harness::{Ran, Scratch, TOPIC, parsed, skipped};
use crate::models::server::{Act, Server};
use crate::models::{self, RUN_ARGUMENTS};

/// The error that a command printed on its last line of standard output, of which people read the
/// same on standard error.
fn error_of(ran: &Ran, case: &str) -> Value {
    let last = ran.stdout.lines().next_back().unwrap_or_default();
    let error = parsed(last)["error"].clone();
    assert_eq!(
        error["exit_code"].as_i64(),
        ran.code.map(i64::from),
        "{case}"
    );
    assert!(!error["message"].as_str().unwrap().is_empty(), "{case}");
    assert!(!ran.stderr.is_empty(), "{case}");
    error
}

#[test]
fn json_of_every_command_that_fails_is_one_error() {
    let scratch = Scratch::with_few();
    for command in COMMANDS {
        let arguments = [command.name, "--nothing-like-this", "--json"];
        let ran = scratch.expect(2, &arguments);
        let error = error_of(&ran, command.name);
        assert_eq!(error["kind"], "usage", "{}", command.name);
        assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    }
    for arguments in [
        &["--json"][..],
        &["status", "nope", "--json"],
        &["run", "--resume", "nope", "--json"],
        &["run", "--resume", "nope", "--events"],
        &["run", TOPIC, "--docs", "nope", "--json"],
        &["run", TOPIC, "--json", "--threshold", "7"],
        &["prompts", "nope", "--json"],
        &["schema", "nope", "--json"],
        &["search", "heat", "--json"],
        &["-C", "nope", "list", "--json"],
    ] {
        let case = arguments.join(" ");
        error_of(&scratch.expect(2, arguments), &case);
    }
    scratch.write("config/research.toml", "[run]\nthreshold = 7\n");
    error_of(&scratch.expect(2, &["list", "--json"]), "list");
    // What follows `--` is no option.
    assert_eq!(scratch.expect(2, &["run", "--", "--json"]).stdout, "");
}

#[test]
fn error_of_a_run_names_the_command_that_resumes_it() {
    let plan = |_: u64, _: &_| Act::Status(503, "{}".to_owned(), String::new());
    let down = Server::start(Duration::ZERO, Box::new(plan));
    for stream in ["--json", "--events"] {
        let scratch = Scratch::with_few();
        let ran = models::run(&scratch, &down, &[&RUN_ARGUMENTS[..], &[stream]].concat());
        ran.assert_ended(1, stream);
        let error = error_of(&ran, stream);
        assert_eq!(error["kind"], "failed");
        let tip = error["tips"][0].as_str().unwrap();
        assert!(tip.contains("--resume research-output/s"), "{tip}");
    }
}

#[test]
fn error_of_documents_that_are_gone_names_no_command_that_fails_again() {
    let scratch = finished();
    std::fs::remove_dir_all(scratch.path().join("docs")).unwrap();
    let ran = scratch.expect(1, &["run", "--resume", "s", "--json"]);
    let error = error_of(&ran, "gone");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("bring them back"), "{message}");
    assert!(!ran.stderr.contains("to resume"), "{}", ran.stderr);
}

#[test]
fn schemas_of_errors_and_events_name_their_fields() {
    let scratch = finished();
    let fields = |name: &str| -> BTreeSet<String> {
        let schema = parsed(&scratch.expect(0, &["schema", name]).stdout);
        schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect()
    };
    assert_eq!(fields("error"), BTreeSet::from(["error".to_owned()]));
    let schema = scratch.expect(0, &["schema", "event"]).stdout;
    let events = scratch.expect(0, &["run", "--resume", "s", "--events", "--from", "review"]);
    let lines: Vec<Value> = events.stdout.lines().map(parsed).collect();
    let (result, events) = lines.split_last().unwrap();
    assert_eq!(result["result"]["session"]["state"], "COMPLETE");
    assert!(events.len() > 3);
    for line in events {
        let line = line.as_object().unwrap();
        assert_eq!(
            line.keys().cloned().collect::<BTreeSet<_>>(),
            fields("event")
        );
        let event = &line["event"];
        let name = event.as_str().map(str::to_owned);
        let name =
            name.unwrap_or_else(|| event.as_object().unwrap().keys().next().unwrap().clone());
        assert!(schema.contains(&format!("\"{name}\"")), "{name}");
    }
}

#[test]
fn what_people_type_gets_the_right_tip() {
    let scratch = Scratch::with_few();
    let cases: &[(&[&str], &str)] = &[
        (&["rnu"], "similar subcommand exists: 'run'"),
        (&["--offline", "run", "x"], "'run --offline' exists"),
        (
            &["Do heat pumps work?"],
            "research run \"Do heat pumps work?\"",
        ),
        (
            &["what", "is", "x", "--docs", "d"],
            "research run \"what is x\"",
        ),
        (&["run", "what", "is", "x"], "research run \"what is x\""),
        (&["search", "flow", "rate"], "research search \"flow rate\""),
        (&["It costs $5"], "research run 'It costs $5'"),
        (&["run"], "research run --resume last"),
        (
            &[
                "run",
                "x",
                "--docs",
                "docs/costs.md",
                "docs/insulation-first.md",
            ],
            "name their folder, --docs docs, or repeat --docs",
        ),
    ];
    for (arguments, tip) in cases {
        let stderr = scratch.expect(2, arguments).stderr;
        assert!(stderr.contains(tip), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("research: "), "{arguments:?}: {stderr}");
    }
    // Commands that the program calls itself are no business of the user's.
    let stderr = scratch.expect(2, &["--quiet"]).stderr;
    assert!(!stderr.contains("__reader"), "{stderr}");
}

#[test]
fn topic_can_be_piped_and_the_cache_asks_before_it_is_cleared() {
    let scratch = Scratch::with_few();
    let mut command = scratch.command(&["run", "-", "--docs", "docs", "--session", "s", "-q"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{TOPIC}").unwrap();
    drop(input);
    assert!(child.wait().unwrap().success());
    assert_eq!(scratch.json("session.json")["topic"], TOPIC);
    let shown = scratch.expect(0, &["cache"]).stdout;
    assert!(
        shown.contains("1 set of documents with an index"),
        "{shown}"
    );
    let shown = scratch.expect(0, &["cache", "--clear", "--dry-run"]).stdout;
    assert!(shown.starts_with("would remove 0 entries"), "{shown}");
    assert!(
        scratch
            .expect(0, &["cache", "--clear"])
            .stdout
            .starts_with("removed")
    );
    scratch.expect(2, &["cache", "--yes"]);
    match scratch.on_terminal(&["cache", "--clear"], &[], "n\n") {
        Some(shown) => assert!(shown.contains("nothing was removed"), "{shown}"),
        None => skipped("there is no `script`"),
    }
}
