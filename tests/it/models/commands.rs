//! Commands and options with a model: tiers, prompts, the doctor, a follow-up session.

use std::time::Duration;

use super::server::{Act, Server};
use super::{RUN_ARGUMENTS, command, run};
use crate::harness::{Ran, Scratch, parsed};

const NONE: Duration = Duration::ZERO;

#[test]
fn each_tier_is_served_by_its_model_and_provider_entry() {
    let (scratch, server) = (Scratch::with_few(), Server::sound(NONE));
    scratch.write(
        "config/research.toml",
        "[models]\ndefault = \"openai:middle\"\nsimple = \"openai:small\"\n\
         complex = \"mine:large\"\n",
    );
    // A provider is an entry and no code.
    let entry = "protocol = \"anthropic\"\nschema = \"prompt\"\nkey_variable = \"MY_KEY\"";
    scratch.write(
        ".config/research/providers.toml",
        format!("[mine]\nbase_url = \"{}/v1/\"\n{entry}\n", server.url()),
    );
    let mut run = command(&scratch, &server, &RUN_ARGUMENTS);
    let ran = Ran::from(run.env("MY_KEY", "mine-mine-mine").output().unwrap());
    ran.assert_ended(0, "three models");
    for (request, _) in server.seen() {
        let expected = match request.agent.as_str() {
            "coordinator" | "background" | "reflector" => ("small", "/v1/chat/completions"),
            "writer" => ("large", "/v1/messages"),
            _ => ("middle", "/v1/chat/completions"),
        };
        assert_eq!(
            (
                request.body["model"].as_str().unwrap(),
                request.path.as_str()
            ),
            expected
        );
        // In the text of the first message whether or not the provider takes it beside the text.
        let is_text = request.agent == "writer";
        let has_shape = request.body.to_string().contains("of this shape");
        assert_eq!(has_shape, !is_text);
        assert_eq!(
            request.body["response_format"].is_null(),
            request.agent == "writer"
        );
    }
    let names = scratch.json("report.json")["provenance"]["recipe"]["answered_by"].to_string();
    assert!(
        names.contains("mine:large") && names.contains("openai:small"),
        "{names}"
    );
}

#[test]
fn unknown_providers_and_models_are_usage_errors() {
    let scratch = Scratch::with_few();
    for (model, message) in [
        ("gpt-4o", "named provider:model"),
        ("nobody:gpt-4o", "there is no provider"),
    ] {
        let ran = scratch.expect(2, &[&RUN_ARGUMENTS[..], &["--model", model]].concat());
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
    scratch.write(
        ".config/research/providers.toml",
        "[x]\nprotocol = \"smoke signals\"\n",
    );
    let server = Server::sound(NONE);
    let ran = run(&scratch, &server, &RUN_ARGUMENTS);
    ran.assert_ended(2, "an entry that cannot be used");
    assert!(
        ran.stderr.contains(".config/research/providers.toml"),
        "{}",
        ran.stderr
    );
}

#[test]
fn offline_run_calls_no_model_and_writes_no_journal() {
    let (scratch, server) = (Scratch::with_few(), Server::sound(NONE));
    run(
        &scratch,
        &server,
        &[&RUN_ARGUMENTS[..], &["--offline"]].concat(),
    )
    .assert_ended(0, "offline");
    assert_eq!(server.calls(), 0);
    assert!(!scratch.tree().keys().any(|name| name.starts_with("calls/")));
    // Said, not done: calls cost money.
    let explained = command(&scratch, &server, &["explain", "s"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&explained.stdout).into_owned();
    assert!(
        text.contains("answered by was rules, is now openai:fake"),
        "{text}"
    );
    assert_eq!(server.calls(), 0);
}

#[test]
fn doctor_does_not_wait_for_a_reply_without_end() {
    let server = Server::start(NONE, Box::new(|_, _| Act::Hang));
    let scratch = Scratch::new();
    let mut doctor = command(&scratch, &server, &["doctor"]);
    doctor.env("RESEARCH_BUDGET__TIMEOUT_SECONDS", "1");
    let ran = Ran::from(doctor.output().unwrap());
    ran.assert_ended(1, "the model does not respond");
    let problem = "no whole reply within 1 second";
    assert!(ran.stdout.contains(problem), "{}", ran.stdout);
}

#[test]
fn doctor_pings_each_model_once_and_reports_the_cost() {
    let (scratch, server) = (Scratch::new(), Server::sound(NONE));
    let ran = run(&scratch, &server, &["doctor"]);
    ran.assert_ended(0, "well");
    assert_eq!(server.calls(), 1);
    assert!(
        ran.stdout
            .contains("openai:fake (simple, analytical, complex) responded"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("unknown price"), "{}", ran.stdout);
    let none = scratch.expect(0, &["doctor"]);
    assert!(
        none.stdout
            .contains("none found: the agents follow their rules"),
        "{}",
        none.stdout
    );
}

#[test]
fn prompts_are_listed_overridden_and_rendered_for_a_session() {
    let (scratch, server) = (Scratch::with_few(), Server::sound(NONE));
    scratch.write(
        "mine/planner.md",
        "You plan research on a topic, my way: {{ topic }}.\nAt most 2 steps.\n",
    );
    let mine = |arguments: &[&str]| {
        let mut command = command(&scratch, &server, arguments);
        Ran::from(
            command
                .env("RESEARCH_MODELS__PROMPTS_DIR", "mine")
                .output()
                .unwrap(),
        )
    };
    mine(&RUN_ARGUMENTS).assert_ended(0, "my way");
    let (request, _) = server
        .seen()
        .into_iter()
        .find(|(request, _)| request.agent == "planner")
        .unwrap();
    assert!(
        request.prompt.contains("my way: Do heat pumps"),
        "{}",
        request.prompt
    );
    let listed = mine(&["prompts"]).stdout;
    assert!(
        listed
            .lines()
            .any(|line| line.starts_with("planner      custom")),
        "{listed}"
    );
    assert!(
        mine(&["prompts", "planner", "s"])
            .stdout
            .contains("my way: Do heat pumps")
    );
    // What is rendered for a session is what was asked in it.
    for (request, _) in server
        .seen()
        .into_iter()
        .filter(|(request, _)| request.agent != "researcher")
    {
        let ran = mine(&["prompts", &request.agent, "s"]);
        ran.assert_ended(0, &request.agent);
        assert_eq!(
            ran.stdout.trim(),
            request.prompt.trim(),
            "{}",
            request.agent
        );
    }
    scratch.expect(2, &["prompts", "nothing"]);
}

#[test]
fn follow_up_session_gets_the_conversation_and_the_passages() {
    let (scratch, server) = (Scratch::with_few(), Server::sound(NONE));
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "first");
    let arguments = [
        "run",
        "What does a heat pump cost?",
        "--follow",
        "s",
        "--session",
        "next",
        "--depth",
        "quick",
    ];
    run(&scratch, &server, &arguments).assert_ended(0, "second");
    let (request, _) = server
        .seen()
        .into_iter()
        .rfind(|(request, _)| request.agent == "coordinator")
        .unwrap();
    assert!(
        request
            .prompt
            .contains("Asked: Do heat pumps work in old houses?"),
        "{}",
        request.prompt
    );
    assert!(request.prompt.contains("Answered: "), "{}", request.prompt);
    let session = parsed(&scratch.read("research-output/next/session.json"));
    assert_eq!(session["messages"].as_array().unwrap().len(), 2);
    // What it quotes is what the first one has stored.
    let research = parsed(&scratch.read("research-output/next/research.json"));
    assert!(
        !research["content"]["passages"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let third = [
        "run",
        "And then?",
        "--follow",
        "next",
        "--session",
        "third",
        "--depth",
        "quick",
        "--no-clarify",
        "--docs",
        "docs",
    ];
    let third = run(&scratch, &server, &third);
    assert!(matches!(third.code, Some(0 | 5)), "{}", third.stderr);
    let session = parsed(&scratch.read("research-output/third/session.json"));
    assert_eq!(session["messages"].as_array().unwrap().len(), 4);
}

#[test]
fn key_that_cannot_be_sent_fails_at_once() {
    let scratch = Scratch::with_few();
    let server = Server::sound(Duration::ZERO);
    let mut command = command(&scratch, &server, &RUN_ARGUMENTS);
    let ran: Ran = command
        .env("OPENAI_API_KEY", "a\nb")
        .output()
        .unwrap()
        .into();
    ran.assert_ended(1, "line break in the key");
    let words = "the request cannot be sent";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
}

#[test]
fn server_on_this_machine_is_not_asked_through_a_proxy() {
    let (scratch, server) = (Scratch::with_few(), Server::sound(NONE));
    let mut doctor = command(&scratch, &server, &["doctor"]);
    // Nobody listens there.
    doctor.env("http_proxy", "http://127.0.0.1:1");
    Ran::from(doctor.output().unwrap()).assert_ended(0, "doctor");
    assert_eq!(server.calls(), 1);
}

#[test]
fn missing_key_is_an_error_before_any_request() {
    let scratch = Scratch::with_few();
    let mut command = scratch.command(&RUN_ARGUMENTS);
    command.env("RESEARCH_MODEL", "openai:gpt-4o");
    let ran = Ran::from(command.output().unwrap());
    assert_eq!(ran.code, Some(2));
    let expected = "OPENAI_API_KEY is not set";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    assert!(!ran.stderr.contains("connection"), "{}", ran.stderr);
    // Nothing has answered, and no session is left that would make a prefix ambiguous.
    assert!(!ran.stderr.contains("answered by"), "{}", ran.stderr);
    assert!(!scratch.path().join("research-output").exists());
}

#[test]
fn no_model_is_named_where_there_is_nothing_to_answer() {
    let scratch = Scratch::with_few();
    scratch.research();
    let resume = ["run", "--resume", "s", "--model", "openai:gpt-4o"];
    for arguments in [&resume[..], &["update", "s", "--model", "openai:gpt-4o"]] {
        let ran = scratch.expect(0, arguments);
        assert!(!ran.stderr.contains("answered by"), "{}", ran.stderr);
    }
    let again = [&resume[..], &["--from", "research"]].concat();
    let ran = scratch.run(&again);
    assert!(ran.stderr.contains("answered by openai"), "{}", ran.stderr);
    let command = "to go on without a model: research run --resume research-output/s --offline";
    assert!(ran.stderr.contains(command), "{}", ran.stderr);
}
