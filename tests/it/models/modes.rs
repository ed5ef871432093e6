//! Modes of research, direct answers, follow-up sessions and clarifying questions.

use std::time::Duration;

use super::server::{Act, ChatRequest, Server};
use super::{RUN_ARGUMENTS, run};
use crate::harness::{Ran, Scratch, TOPIC, parsed};
use crate::online;
use crate::server::Server as Web;

const NONE: Duration = Duration::ZERO;

/// The beginning of a report that a model wrote from its own knowledge.
const WITHOUT_SOURCES: &str = "> **Answered without sources.**";

fn sound() -> (Scratch, Server) {
    (Scratch::with_few(), Server::sound(NONE))
}

/// Runs a topic in session `s` with these further arguments.
fn run_topic(scratch: &Scratch, server: &Server, topic: &str, more: &[&str]) -> Ran {
    let arguments = [&["run", topic, "--session", "s"], more].concat();
    run(scratch, server, &arguments)
}

/// The agents that were asked, in order.
fn agents(server: &Server) -> Vec<String> {
    let seen = server.seen().into_iter();
    seen.map(|(request, _)| request.agent).collect()
}

fn assert_direct(scratch: &Scratch, ran: &Ran) {
    ran.assert_ended(0, "direct");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[2].starts_with(WITHOUT_SOURCES), "{}", ran.stdout);
    assert!(ran.stdout.contains("from memory"), "{}", ran.stdout);
    assert!(ran.stderr.contains("without sources"), "{}", ran.stderr);
    let report = &scratch.json("report.json")["content"];
    assert_eq!(report["outcome"], "direct");
    assert_eq!(report["verification"]["supported"], 0);
    assert_eq!(report["claims"].as_array().unwrap().len(), 0);
    let status = scratch.expect(0, &["status", "s"]).stdout;
    assert!(status.contains("COMPLETE (without sources)"), "{status}");
    scratch.expect(0, &["verify", "s"]);
    for format in ["html", "json", "md"] {
        let exported = scratch.expect(0, &["export", "s", "--format", format]);
        assert!(exported.stdout.contains("from memory"), "{format}");
    }
}

#[test]
fn simple_question_is_answered_directly_in_one_call() {
    let (scratch, server) = sound();
    let ran = run_topic(&scratch, &server, "What is 2 + 2?", &["--docs", "docs"]);
    assert_direct(&scratch, &ran);
    assert_eq!(agents(&server), ["coordinator"]);
    let again = run(&scratch, &server, &["run", "--resume", "s"]);
    assert!(again.stderr.contains("nothing to do"), "{}", again.stderr);
}

#[test]
fn question_about_facts_is_researched_whatever_the_model_says() {
    let hasty = |_: u64, request: &ChatRequest| {
        if request.agent != "coordinator" {
            return Act::Answer;
        }
        let answer = super::answers::answer("coordinator", &request.prompt).to_string();
        let answer = answer.replace("\"is_simple_query\":false", "\"is_simple_query\":true");
        let empty = "\"direct_response\":\"\"";
        Act::Say(answer.replace(empty, "\"direct_response\":\"Yes.\""), false)
    };
    let (scratch, server) = (Scratch::with_few(), Server::start(NONE, Box::new(hasty)));
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "researched");
    let classification = &scratch.json("research/classification.json")["content"];
    assert_eq!(classification["is_simple_query"], false);
    assert!(classification["direct_response"].is_null());
    let calls = scratch.expect(0, &["calls", "s", "--json"]).stdout;
    assert!(calls.contains("a topic that needs sources"), "{calls}");
}

#[test]
fn rules_say_why_small_talk_is_not_researched() {
    let scratch = Scratch::with_few();
    for topic in ["Hello, who are you?", "What is 2 + 2?"] {
        let ran = scratch.expect(5, &["run", topic, "--docs", "docs"]);
        assert!(
            ran.stdout.contains("Nothing was researched"),
            "{}",
            ran.stdout
        );
        assert!(
            ran.stderr.contains("nothing was researched"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn mode_simple_answers_from_documents_and_else_directly() {
    let (scratch, server) = sound();
    let mode = ["--mode", "simple"];
    let ran = run_topic(&scratch, &server, TOPIC, &mode);
    assert_direct(&scratch, &ran);
    assert_eq!(agents(&server), ["coordinator"]);
    assert_eq!(scratch.json("session.json")["mode"], "simple");

    let (scratch, server) = sound();
    let ran = run_topic(
        &scratch,
        &server,
        TOPIC,
        &[&mode[..], &["--docs", "docs"]].concat(),
    );
    ran.assert_ended(0, "documents");
    assert_eq!(agents(&server), ["coordinator", "writer"]);
    assert!(!ran.stdout.contains("without sources"), "{}", ran.stdout);
    let plan = &scratch.json("research.json")["content"]["plan"];
    assert_eq!(plan["steps"].as_array().unwrap().len(), 1);
    let answered_by = |gate| scratch.json(gate)["provenance"]["recipe"]["answered_by"].clone();
    assert_eq!(answered_by("analysis.json"), "rules");
    assert_eq!(answered_by("report.json"), "openai:fake");
}

#[test]
fn mode_simple_without_documents_needs_a_model() {
    let scratch = Scratch::with_few();
    let arguments = ["run", TOPIC, "--mode", "simple"];
    let ran = scratch.expect(2, &arguments);
    assert!(
        ran.stderr.contains("needs a language model"),
        "{}",
        ran.stderr
    );
    assert!(!scratch.path().join("research-output").exists());
    // With documents, the rules answer.
    scratch.expect(0, &[&arguments[..], &["--docs", "docs"]].concat());
}

#[test]
fn modes_refuse_options_that_contradict_them() {
    let scratch = Scratch::with_few();
    for (more, message) in [
        (
            ["--mode", "simple", "--search", "searxng"],
            "mode simple does not search",
        ),
        (
            ["--mode", "simple", "--depth", "deep"],
            "works at depth quick",
        ),
        (
            ["--mode", "web_search", "--depth", "deep"],
            "works at depth quick",
        ),
        (
            ["--mode", "web_search", "--search", "none"],
            "needs a search service",
        ),
    ] {
        let arguments = [&["run", TOPIC, "--docs", "docs"], &more[..]].concat();
        let ran = scratch.expect(2, &arguments);
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
}

#[test]
fn clarification_reads_what_the_earlier_session_stored() {
    let (scratch, server) = sound();
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "first");
    let follow = |topic: &str, name: &str| {
        run_named(&scratch, &server, topic, name).assert_ended(0, topic);
        let session = parsed(&scratch.read(&format!("research-output/{name}/session.json")));
        assert_eq!(session["follows"], "../s");
        let inherited = session["inherited"].as_array().unwrap().len();
        assert_eq!(inherited, 1, "{session}");
        let file = format!("research-output/{name}/research.json");
        let searched = &parsed(&scratch.read(&file))["content"]["documents"]["searched"];
        searched.as_u64().unwrap()
    };
    let stored = scratch.json("research.json")["content"]["sources"].clone();
    let stored = stored.as_array().unwrap().len() as u64;
    let why = "Why do heat pumps work in old houses?";
    assert_eq!(follow(why, "clarification"), stored);
    let how = "How much do heat pumps for old houses cost in Norway?";
    // What was stored are copies of the documents that are searched.
    assert_eq!(follow(how, "complex"), 4);
    // It is complete without the earlier one.
    std::fs::remove_dir_all(scratch.session()).unwrap();
    scratch.expect(0, &["verify", "clarification"]);
}

#[test]
fn clarification_that_the_earlier_session_cannot_answer_is_searched_anew() {
    let (scratch, server) = sound();
    // The earlier session read one document of two.
    let costs = std::fs::rename(
        scratch.path().join("docs/costs.md"),
        scratch.path().join("costs.md"),
    );
    costs.unwrap();
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "first");
    scratch.write(
        "docs/honey.md",
        "# Honey\n\nHoney is sweet because bees evaporate nectar.\n",
    );
    let ran = run_named(&scratch, &server, "Why is honey sweet?", "anew");
    ran.assert_ended(0, "searched anew");
    let research = parsed(&scratch.read("research-output/anew/research.json"));
    let quoted = research["content"]["passages"].to_string();
    assert!(quoted.contains("evaporate nectar"), "{quoted}");
    let log = scratch.read("research-output/anew/events.jsonl");
    assert!(log.contains("searching anew"), "{log}");
    // An answer that is there needs no search.
    let ran = run_named(
        &scratch,
        &server,
        "Why do heat pumps work in old houses?",
        "known",
    );
    ran.assert_ended(0, "known");
    let log = scratch.read("research-output/known/events.jsonl");
    assert!(!log.contains("searching anew"), "{log}");
}

/// Runs a topic that follows session `s`.
fn run_named(scratch: &Scratch, server: &Server, topic: &str, name: &str) -> Ran {
    let arguments = [
        "run",
        topic,
        "--follow",
        "s",
        "--session",
        name,
        "--depth",
        "quick",
    ];
    run(scratch, server, &arguments)
}

#[test]
fn answer_on_the_command_line_goes_on_at_once() {
    let (scratch, server) = sound();
    let topic = "An ambiguous question on heat pumps in old houses";
    let arguments = ["--docs", "docs", "--depth", "quick"];
    let answer = ["--answer", "the one of 1950"];
    let ran = run_topic(
        &scratch,
        &server,
        topic,
        &[&arguments[..], &answer].concat(),
    );
    ran.assert_ended(0, "answered");
    let written = &scratch.json("research/clarification.json")["content"];
    assert_eq!(written["answer"], "the one of 1950");
    // The report is headed by the topic as it was made clear.
    let report = scratch.read("research-output/s/final_report.md");
    let title = format!("# {topic}: the one of 1950\n");
    assert!(report.starts_with(&title), "{report}");
    let (request, _) = server.seen().into_iter().nth(1).unwrap();
    assert!(
        request.prompt.contains("the one of 1950"),
        "{}",
        request.prompt
    );

    let (scratch, server) = sound();
    let waits = run_topic(&scratch, &server, topic, &arguments);
    waits.assert_ended(4, "nobody to ask");
    assert!(waits.stderr.contains("--answer"), "{}", waits.stderr);
    let calls = server.calls();
    let resumed = [&["run", "--resume", "s"], &answer[..]].concat();
    run(&scratch, &server, &resumed).assert_ended(0, "resumed");
    // The first classification is not asked for again.
    let classifications = agents(&server)[calls..]
        .iter()
        .filter(|name| *name == "coordinator")
        .count();
    assert_eq!(classifications, 1);
}

#[test]
fn planner_is_shown_what_a_first_search_finds() {
    let (scratch, server) = sound();
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "looked around");
    assert_eq!(
        agents(&server)[..3],
        ["coordinator", "background", "planner"]
    );
    let looked = &scratch.json("research/background.json")["content"];
    assert_eq!(looked["queries"].as_array().unwrap().len(), 2);
    let title = looked["results"][0]["title"].as_str().unwrap();
    let prompt = &server.seen()[2].0.prompt;
    assert!(prompt.contains(title), "{prompt}");
    // Without it, and by rule, nothing is searched and nothing written.
    let (scratch, server) = sound();
    let mut command = super::command(&scratch, &server, &RUN_ARGUMENTS);
    command.env("RESEARCH_AGENTS__BACKGROUND__ENABLE", "false");
    Ran::from(command.output().unwrap()).assert_ended(0, "not looked around");
    assert!(!agents(&server).contains(&"background".to_owned()));
    assert!(!scratch.session().join("research/background.json").exists());
}

/// The scratch directory of a web, and the program with it and a model.
fn search_web(web: &Web, server: &Server, more: &[&str]) -> (Scratch, Ran) {
    let scratch = online::scratch(web);
    let asking = ["run", TOPIC, "--search", "searxng", "--session", "s"];
    let arguments = [&asking[..], &["--mode", "web_search"], more].concat();
    let mut command = super::command(&scratch, server, &arguments);
    let ran = online::onto(web, &mut command);
    (scratch, ran)
}

#[test]
fn mode_web_search_reports_what_one_search_finds() {
    let (web, server) = (online::web(), Server::sound(NONE));
    let (scratch, ran) = search_web(&web, &server, &[]);
    ran.assert_ended(0, "found");
    assert!(!ran.stdout.contains(WITHOUT_SOURCES), "{}", ran.stdout);
    assert_eq!(agents(&server), ["coordinator", "researcher", "writer"]);
    let research = &scratch.json("research.json")["content"];
    assert_eq!(research["depth"], "quick");
    assert_eq!(research["plan"]["steps"].as_array().unwrap().len(), 1);
}

#[test]
fn mode_web_search_falls_back_to_a_direct_answer_in_time() {
    // The service takes the question and says nothing.
    let silent = Web::new(|_, stream| {
        let mut end = [0; 1];
        std::io::Read::read(stream, &mut end).map(drop)
    });
    let server = Server::sound(NONE);
    let (scratch, ran) = search_web(&silent, &server, &["--timeout", "1"]);
    ran.assert_ended(0, "fallen back");
    assert!(ran.stdout.contains(WITHOUT_SOURCES), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("mode simple answered"),
        "{}",
        ran.stdout
    );
    assert_eq!(agents(&server), ["coordinator"]);
    assert_eq!(scratch.json("session.json")["mode"], "web_search");
}

#[test]
fn mode_web_search_with_nothing_to_fall_back_to_fails_as_the_search_does() {
    let web = Web::new(|_, _| Ok(()));
    let scratch = online::scratch(&web).and_few();
    let arguments = ["run", TOPIC, "--search", "searxng", "--mode", "web_search"];
    let arguments = [&arguments[..], &["--session", "s"]].concat();
    let ran = online::onto(&web, &mut scratch.command(&arguments));
    ran.assert_ended(1, "no answer from the service, no model");
    assert!(
        ran.stderr.contains("the web search failed"),
        "{}",
        ran.stderr
    );
    assert!(!scratch.session().join("research.json").exists());
    // With documents these are searched, and the report says so.
    let arguments = [&arguments[..6], &["--docs", "docs", "--session", "t"]].concat();
    let ran = online::onto(&web, &mut scratch.command(&arguments));
    ran.assert_ended(0, "from the documents");
    assert!(
        ran.stdout.contains("A search with searxng failed"),
        "{}",
        ran.stdout
    );
}

#[test]
fn time_limit_ends_a_web_search_by_rule_too() {
    let silent = Web::new(|_, stream| {
        let mut end = [0; 1];
        std::io::Read::read(stream, &mut end).map(drop)
    });
    let scratch = online::scratch(&silent);
    let arguments = [
        "run",
        TOPIC,
        "--search",
        "searxng",
        "--session",
        "s",
        "--timeout",
        "1",
    ];
    let ran = online::onto(&silent, &mut scratch.command(&arguments));
    ran.assert_ended(6, "one second");
    assert!(
        ran.stderr.contains("time for gathering was over"),
        "{}",
        ran.stderr
    );
}

#[test]
fn clarification_of_a_web_session_reads_its_copied_pages_without_the_web() {
    let web = online::web();
    let scratch = online::scratch(&web);
    let first = ["run", TOPIC, "--search", "searxng", "--session", "s"];
    online::onto(&web, &mut scratch.command(&first)).assert_ended(0, "first");
    let requests = web.requests.load(std::sync::atomic::Ordering::SeqCst);
    let topic = "Why do heat pumps work in old houses?";
    let second = ["run", topic, "--follow", "s", "--session", "next"];
    online::onto(&web, &mut scratch.command(&second)).assert_ended(0, "second");
    let requests_after = web.requests.load(std::sync::atomic::Ordering::SeqCst);
    assert_eq!(requests_after, requests);
    let copied = parsed(&scratch.read("research-output/next/research/web-0.json"));
    assert!(
        copied["content"]["pages"][0]["digest"].is_string(),
        "{copied}"
    );
    let report = parsed(&scratch.read("research-output/next/report.json"));
    let locator = report["content"]["references"][0]["locator"]
        .as_str()
        .unwrap();
    assert!(locator.starts_with("http://"), "{locator}");
}
