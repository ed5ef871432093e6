//! The journal: what it says of each call, its sums, and a session that is answered from it alone.

use std::time::Duration;

use super::server::{Act, ChatRequest, Server};
use super::{AGENTS, ALL_AGENTS, RUN_ARGUMENTS, command, replay, run};
use crate::harness::{Ran, Scratch, parsed};

fn finished() -> (Scratch, Server) {
    let (scratch, server) = (Scratch::with_few(), Server::sound(Duration::ZERO));
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "sound");
    (scratch, server)
}

#[test]
fn calls_command_lists_the_journal_by_stage_and_agent_with_sums() {
    let (scratch, _server) = finished();
    let listed = parsed(&scratch.expect(0, &["calls", "s", "--json"]).stdout);
    let agents: Vec<&str> = listed["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|sum| sum["agent"].as_str().unwrap())
        .collect();
    assert_eq!(agents, AGENTS);
    assert_eq!(listed["total"]["calls"], 10);
    let sum: u64 = listed["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| call["input_tokens"].as_u64().unwrap())
        .sum();
    assert_eq!(listed["total"]["input_tokens"], sum);
    assert!(listed["total"]["cost_usd"].is_null());
    let text = scratch.expect(0, &["calls", "s"]).stdout;
    assert!(text.contains("total of 10 calls"), "{text}");
    assert!(text.contains("unknown price"), "{text}");
}

#[test]
fn journal_records_the_request_the_reply_and_the_usage_of_a_call() {
    let (scratch, server) = finished();
    let tree = scratch.tree();
    let (_, bytes) = tree
        .iter()
        .find(|(name, _)| name.contains("-writer-"))
        .unwrap();
    let call = parsed(&String::from_utf8_lossy(bytes));
    assert_eq!(call["stage"], "write");
    assert_eq!(call["attempt"], 1);
    assert_eq!(call["model"], "openai:fake");
    assert_eq!(call["messages"][0]["role"], "system");
    assert_eq!(call["reply"]["raw"]["choices"][0]["finish_reason"], "stop");
    assert_eq!(call["reply"]["usage"]["estimated"], false);
    let (request, _) = server
        .seen()
        .into_iter()
        .find(|(request, _)| request.agent == "analyst")
        .unwrap();
    let format = &request.body["response_format"]["json_schema"];
    assert_eq!(format["name"], "analyst");
    assert_eq!(format["strict"], true);
    assert_eq!(request.body["temperature"], 0.0);
}

#[test]
fn replay_repeats_a_session_from_its_journal_alone() {
    let (scratch, server) = finished();
    let calls = server.calls();
    // Without a provider in the environment, and the first one never asked.
    let ran = replay(&scratch, &["--session", "again"]);
    ran.assert_ended(0, "replay");
    assert!(
        ran.stderr.contains("answered from the journal"),
        "{}",
        ran.stderr
    );
    assert_eq!(server.calls(), calls);
    for file in [
        "research.json",
        "analysis.json",
        "report.json",
        "review.json",
        "final_report.md",
    ] {
        let one = scratch.read(&format!("research-output/s/{file}"));
        let other = scratch.read(&format!("research-output/again/{file}"));
        let without_inputs = |text: String| -> String {
            let lines = text
                .lines()
                .filter(|line| !line.contains("\"session.json\""));
            lines.collect::<Vec<_>>().join("\n")
        };
        match file {
            "research.json" => assert_eq!(without_inputs(one), without_inputs(other)),
            "final_report.md" => assert_eq!(one, other),
            _ => assert_eq!(parsed(&one)["content"], parsed(&other)["content"], "{file}"),
        }
    }
    // Another name is taken each time.
    replay(&scratch, &[]).assert_ended(0, "replay");
    replay(&scratch, &[]).assert_ended(0, "replay");
    assert!(
        scratch
            .path()
            .join("research-output/s-replay-2/final_report.md")
            .is_file()
    );
}

#[test]
fn replay_fails_at_the_first_request_that_is_not_in_the_journal() {
    let (scratch, _server) = finished();
    scratch.write("prompts/writer.md", "You write a report otherwise.");
    let mut replay = scratch.command(&["run", "--replay", "s"]);
    let ran = replay
        .envs(ALL_AGENTS)
        .env("RESEARCH_MODELS__PROMPTS_DIR", "prompts")
        .output()
        .unwrap();
    let ran = Ran::from(ran);
    ran.assert_ended(1, "another prompt");
    assert!(
        ran.stderr.contains("the writer in stage write"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("what is asked has changed"),
        "{}",
        ran.stderr
    );
    let ruled = Scratch::with_few();
    ruled.research();
    let ran = ruled.run(&["run", "--replay", "s"]);
    ran.assert_ended(2, "nothing to replay");
}

#[test]
fn possibly_billed_calls_are_listed() {
    let scratch = Scratch::with_few();
    let plan = |_: u64, request: &ChatRequest| match request.agent.as_str() {
        "planner" => Act::CutOff,
        _ => Act::Answer,
    };
    let server = Server::start(Duration::ZERO, Box::new(plan));
    let mut first = command(&scratch, &server, &RUN_ARGUMENTS);
    first.env("RESEARCH_MODELS__TRIES", "2");
    Ran::from(first.output().unwrap()).assert_ended(0, "the planner's reply breaks off");
    let listed = parsed(&scratch.expect(0, &["calls", "s", "--json"]).stdout);
    assert_eq!(listed["possibly_billed"], 2);
    let text = scratch.expect(0, &["calls", "s"]).stdout;
    assert!(text.contains("2 calls more may have been billed"), "{text}");
    assert!(text.contains("no reply"), "{text}");
}

#[test]
fn replay_is_named_after_the_directory_of_its_original() {
    let (scratch, server) = (Scratch::with_few(), Server::sound(Duration::ZERO));
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "the original");
    scratch.edit("session.json", "\"id\": \"s\"", "\"id\": \"../../posing\"");
    replay(&scratch, &[]).assert_ended(0, "replay");
    assert!(scratch.path().join("research-output/s-replay").is_dir());
}

#[test]
fn changed_document_asks_nothing_again_that_it_does_not_touch() {
    let (scratch, server) = (Scratch::with_few(), Server::sound(Duration::ZERO));
    scratch.write("docs/moon.md", "# The moon\n\nThe moon is far away.\n");
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "sound");
    let calls = server.calls();
    scratch.write("docs/moon.md", "# The moon\n\nThe moon is very far away.\n");
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "changed");
    let seen = server.seen();
    let more: Vec<String> = seen[calls..]
        .iter()
        .map(|(request, _)| format!("{}: {}", request.agent, request.body))
        .collect();
    assert!(more.is_empty(), "{more:#?}");
    let explained = scratch.expect(0, &["explain", "s"]).stdout;
    assert!(explained.contains("nothing to do"), "{explained}");
}
