//! A provider that fails in every way, and a model that answers in every wrong one.

use std::io::Write as _;
use std::time::Duration;

use super::server::{Act, ChatRequest, Server};
use super::{RUN_ARGUMENTS, command, replay, run};
use crate::harness::{Ran, Scratch, TOPIC, parsed};
use crate::paper;

/// Sessions against the faulty provider.
const SESSIONS: usize = 50;

/// The sources of a session whose plan is made by rule, since the planner's answer was no use; a
/// sound plan has more.
const LEAST_SOURCES: usize = 2;

/// Numbers that look random and are the same every time (SplitMix64, Steele and others, OOPSLA
/// 2014).
pub(crate) fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// 20 % rate limits, 5 % errors, 5 % broken connections, 5 % cut-off and 5 % malformed replies, 1 %
/// hangs.
fn faulty(number: u64, _: &ChatRequest) -> Act {
    let text = "{\"error\":{\"message\":\"slow down\"}}".to_owned();
    let half = "{\"reasoning\": \"it is".to_owned();
    match mixed(number) % 100 {
        0..10 => Act::Status(429, text, "retry-after-ms: 5".to_owned()),
        10..20 => Act::Status(429, text, "retry-after: 0".to_owned()),
        20..25 => Act::Status(500, text, String::new()),
        25..28 => Act::Reset,
        28..30 => Act::CutOff,
        30..35 => Act::Say(half, true),
        35..38 => Act::Say(half, false),
        38..40 => Act::Body("{\"choices\": [{\"mess".to_owned()),
        40 => Act::Hang,
        _ => Act::Answer,
    }
}

#[test]
fn retries_complete_sessions_against_a_faulty_provider_and_pay_nothing_twice() {
    assert_all_complete(&Server::start(Duration::ZERO, Box::new(faulty)));
}

#[test]
fn retries_complete_sessions_against_a_faulty_streaming_provider_and_pay_nothing_twice() {
    assert_all_complete(&Server::streaming(Duration::ZERO, Box::new(faulty)));
}

fn assert_all_complete(server: &Server) {
    let scratch = Scratch::with_few();
    let topics: Vec<String> = (1..=SESSIONS)
        .map(|number| {
            // Other topics to the program, the same words to a search.
            let topic = format!("{TOPIC}{}", "?".repeat(number));
            format!("{{\"topic\": \"{topic}\", \"session\": \"t{number}\"}}")
        })
        .collect();
    scratch.write("topics.jsonl", topics.join("\n"));
    let arguments = [
        "batch",
        "topics.jsonl",
        "--docs",
        "docs",
        "--depth",
        "quick",
        "-j",
        "16",
        "--keep-going",
    ];
    let mut batch = command(&scratch, server, &arguments);
    let ran = batch
        .env("RESEARCH_MODELS__REPLY_TIMEOUT_SECONDS", "2")
        .output()
        .unwrap();
    let ran = Ran::from(ran);
    ran.assert_ended(0, "faulty");
    assert!(
        ran.stderr
            .contains(&format!("{SESSIONS} topics: {SESSIONS} complete")),
        "{}",
        ran.stderr
    );
    let mut recorded = 0;
    for number in 1..=SESSIONS {
        let session = scratch.path().join(format!("research-output/t{number}"));
        let tree = crate::harness::tree(&session);
        let sources = tree
            .keys()
            .filter(|name| name.starts_with("sources/") && name.ends_with(".md"));
        let sources = sources.count();
        assert!(
            sources >= LEAST_SOURCES,
            "session {number} has {sources} sources"
        );
        let calls = tree.iter().filter(|(name, _)| name.starts_with("calls/"));
        let answered = calls.filter(|(_, bytes)| {
            let call: serde_json::Value = serde_json::from_slice(bytes).unwrap();
            !call["reply"].is_null()
        });
        recorded += answered.count();
    }
    // Every answer that was given is kept under its own request: none was asked for twice, and none
    // is lost.
    assert_eq!(server.answered().values().sum::<usize>(), recorded);
}

/// What is said to one agent's first question; everything else is answered soundly.
fn once(agent: &'static str, act: Act) -> Server {
    let plan = move |_: u64, request: &ChatRequest| {
        let is_first = request.body["messages"]
            .as_array()
            .is_some_and(|all| all.len() == 2);
        if request.agent == agent && is_first {
            act.clone()
        } else {
            Act::Answer
        }
    };
    Server::start(Duration::ZERO, Box::new(plan))
}

fn call_of(scratch: &Scratch, agent: &str) -> Vec<serde_json::Value> {
    let tree = scratch.tree();
    let calls = tree.iter().filter(|(name, _)| name.starts_with("calls/"));
    calls
        .map(|(_, bytes)| serde_json::from_slice::<serde_json::Value>(bytes).unwrap())
        .filter(|call| call["agent"] == agent)
        .collect()
}

#[test]
fn rejected_answer_is_sent_back_with_a_correction() {
    for (text, cut, named) in [
        ("I would rather not.", false, "no JSON object"),
        (r#"{"summary": []}"#, false, "missing field"),
        (
            r#"{"insights":[{"text":"It works.","passages":["P99"],"confidence":1}]}"#,
            false,
            "no insight rests",
        ),
        (r#"{"insights": [{"text": "P1""#, true, "cut off"),
    ] {
        let (scratch, server) = (
            Scratch::with_few(),
            once("analyst", Act::Say(text.to_owned(), cut)),
        );
        run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, text);
        let request = server.seen();
        let last: Vec<String> = request
            .iter()
            .filter(|(request, _)| request.agent == "analyst")
            .map(|(request, _)| request.body["messages"].to_string())
            .collect();
        assert_eq!(last.len(), 2, "{text}");
        assert!(last[1].contains(named), "{named}: {}", last[1]);
        let calls = call_of(&scratch, "analyst");
        assert!(
            calls
                .iter()
                .any(|call| call["attempt"] == 2 && call["slip"].is_null())
        );
        let limits = scratch.json("report.json")["content"]["limits"].to_string();
        assert!(!limits.contains("by rule"), "{limits}");
    }
}

#[test]
fn lenient_json_repairs_are_recorded_in_the_journal() {
    let text = "<think>hm</think>```json\n{\"reasoning\": \"r\", \"decision\": \"CONTINUE\", \
                \"suggested_changes\": [],}\n```";
    let (scratch, server) = (
        Scratch::with_few(),
        once("reflector", Act::Say(text.to_owned(), false)),
    );
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, text);
    assert_eq!(server.calls(), 10);
    let call = &call_of(&scratch, "reflector")[0];
    let repairs = call["repairs"].to_string();
    for word in ["thinking", "fences", "llm_json"] {
        assert!(repairs.contains(word), "{repairs}");
    }
}

#[test]
fn hallucinated_quotes_of_the_writer_are_rejected() {
    let text = r#"{"title": "T",
        "summary": [
            {"passage": "P1", "quote": "Heat pumps cure every illness known to man."}],
        "sections": [{"heading": "H",
            "claims": [{"passage": "P77", "quote": "no such passage is there"}]}]}"#;
    let scratch = Scratch::with_few();
    let plan = move |_: u64, request: &ChatRequest| match request.agent.as_str() {
        "writer" => Act::Say(text.to_owned(), false),
        _ => Act::Answer,
    };
    let server = Server::start(Duration::ZERO, Box::new(plan));
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "made up");
    let report = scratch.json("report.json");
    let claims = report["content"]["claims"].to_string();
    assert!(!claims.contains("every illness"), "{claims}");
    let limits = report["content"]["limits"].to_string();
    assert!(
        limits.contains("The writer was answered by rule"),
        "{limits}"
    );
}

#[test]
fn request_beyond_the_context_window_is_retried_with_fewer_passages() {
    let scratch = Scratch::with_few();
    let plan = |_: u64, request: &ChatRequest| match request.agent.as_str() {
        "researcher" if request.prompt.matches("<<<").count() > 10 => {
            let body = r#"{"error":{"code":400,"type":"exceed_context_size_error",
                "message":"the request exceeds the available context size"}}"#;
            Act::Status(400, body.to_owned(), String::new())
        }
        _ => Act::Answer,
    };
    let server = Server::start(Duration::ZERO, Box::new(plan));
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "too long");
    let limits = scratch.json("report.json")["content"]["limits"].to_string();
    assert!(!limits.contains("by rule"), "{limits}");
    // What was too long was answered all the same: nothing is in doubt, and a replay repeats it.
    let listed = scratch.expect(0, &["calls", "s", "--json"]).stdout;
    assert_eq!(parsed(&listed)["possibly_billed"], 0, "{listed}");
    let calls = server.calls();
    replay(&scratch, &["--session", "again"]).assert_ended(0, "replay");
    assert_eq!(server.calls(), calls);
    let [report, again] = ["s", "again"]
        .map(|session| scratch.read(&format!("research-output/{session}/final_report.md")));
    assert_eq!(report, again);
}

#[test]
fn without_a_usable_answer_the_documents_are_not_said_to_be_silent() {
    let scratch = Scratch::with_few();
    // The second has the shape of a researcher's answer without findings.
    for (session, said) in [("s", "garbage"), ("t", "{}")] {
        let plan = move |_: u64, _: &ChatRequest| Act::Say(said.to_owned(), false);
        let server = Server::start(Duration::ZERO, Box::new(plan));
        let arguments = [
            "run",
            "chess tournaments",
            "--docs",
            "docs",
            "--session",
            session,
        ];
        let ran = run(&scratch, &server, &arguments);
        ran.assert_ended(5, said);
        let why =
            "no evidence found: the model's answers could not be used (background, coordinator";
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    }
    let ran = scratch.expect(5, &["run", "chess tournaments", "--docs", "docs"]);
    let said = "the documents do not cover this topic";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn endless_list_of_models_is_read_to_the_size_limit() {
    let server = crate::server::Server::new(|_, stream| {
        crate::server::begin(stream, "")?;
        loop {
            stream.write_all(&[b'a'; 65536])?;
        }
    });
    let scratch = Scratch::with_few();
    let mut command = scratch.command(&RUN_ARGUMENTS);
    command
        .env_remove("RESEARCH_MODEL")
        .env("OPENAI_BASE_URL", server.url("/v1/"));
    let ran = Ran::from(command.output().unwrap());
    // Without the limit, it would be the timeout that ends it.
    ran.assert_ended(2, "an endless list");
    assert!(
        ran.stderr
            .contains("models is no list of models: it sends more than 16 MiB"),
        "{}",
        ran.stderr
    );
}

#[test]
fn command_that_resumes_names_the_model_once() {
    let scratch = Scratch::with_few();
    let arguments = [&RUN_ARGUMENTS[..], &["--model", "openai:m"]].concat();
    let plan = |_: u64, _: &ChatRequest| Act::Status(503, "{}".to_owned(), String::new());
    let down = Server::start(Duration::ZERO, Box::new(plan));
    let mut command = command(&scratch, &down, &arguments);
    command.env("RESEARCH_MODELS__TRIES", "1");
    let ran = Ran::from(command.output().unwrap());
    let resume = ran.stderr.lines().last().unwrap().to_owned();
    assert!(resume.starts_with("to resume: "), "{resume}");
    assert_eq!(resume.matches("--model openai:m").count(), 1, "{resume}");
}

#[test]
fn address_at_which_nobody_listens_is_an_error_before_anything_else_is_said() {
    for model in ["", "openai:m"] {
        let scratch = Scratch::with_few();
        let mut command = scratch.command(&RUN_ARGUMENTS);
        command
            .env("RESEARCH_MODEL", model)
            .env("OPENAI_BASE_URL", "http://127.0.0.1:1/v1/");
        let ran = Ran::from(command.output().unwrap());
        ran.assert_ended(2, model);
        let said = "research: no server answers at http://127.0.0.1:1/v1/: start it, or change \
                    OPENAI_BASE_URL; --offline goes without a model\n";
        assert_eq!(ran.stderr, said);
        assert!(!scratch.session().exists());
    }
}

/// Fails unless each format has the notice of a published report, and the JSON the positions of the
/// sentences below it.
fn assert_in_every_format(scratch: &Scratch, report: &str, notice: &str) {
    let export = |format| {
        scratch
            .expect(0, &["export", "s", "--format", format])
            .stdout
    };
    let html = export("html");
    assert!(html.contains("<strong>Rules answered.</strong> This report has "));
    let docx = &paper::parts(scratch, "detailed")["word/document.xml"];
    assert!(docx.contains("Rules answered."), "{docx}");
    assert!(export("md").contains(notice));
    let exported = parsed(&export("json"));
    let sentence = exported["rules_answered"].as_str().unwrap();
    assert!(notice.ends_with(sentence), "{sentence}");
    let published: Vec<char> = report.chars().collect();
    let position = &exported["positions"][0];
    let at = |end: &str| usize::try_from(position[end].as_u64().unwrap()).unwrap();
    let words: String = published[at("start")..at("end")].iter().collect();
    assert_eq!(exported["claims"][0]["text"], words);
}

#[test]
fn answers_that_cannot_be_used_are_told_at_the_end_and_above_the_report() {
    let scratch = Scratch::with_few();
    let plan = |_: u64, _: &ChatRequest| Act::Say("lorem ipsum".to_owned(), false);
    let server = Server::start(Duration::ZERO, Box::new(plan));
    let ran = run(&scratch, &server, &RUN_ARGUMENTS);
    ran.assert_ended(0, "garbage");
    let warnings: Vec<&str> = ran
        .stderr
        .lines()
        .filter(|line| line.starts_with("research: rules answered "))
        .collect();
    let [warning] = warnings[..] else {
        panic!("{}", ran.stderr);
    };
    let (_, counts) = warning.split_once(": ").unwrap();
    let counts = counts
        .split_once(": ")
        .unwrap()
        .1
        .split(';')
        .next()
        .unwrap();
    let all = format!("of its {} calls gave no usable answer", server.calls());
    assert!(counts.ends_with(&all), "{warning}");
    let report = scratch.read("research-output/s/final_report.md");
    let notice = report.lines().nth(2).unwrap();
    assert!(notice.starts_with("> **Rules answered.** This report has "));
    assert!(notice.contains(counts), "{notice}");
    assert_in_every_format(&scratch, &report, notice);
    // Which no source needs to show.
    let check = ["check", "research-output/s/report.md", "--docs", "docs"];
    let checked = scratch.run(&[&check[..], &["--offline"]].concat()).stdout;
    assert!(!checked.contains("Rules answered"), "{checked}");
    // The position of a sentence is that in the report with its notice.
    let report: Vec<char> = scratch
        .read("research-output/s/report.md")
        .chars()
        .collect();
    let content = &scratch.json("report.json")["content"];
    let position = &content["positions"][0];
    let at = |end: &str| usize::try_from(position[end].as_u64().unwrap()).unwrap();
    let sentence: String = report[at("start")..at("end")].iter().collect();
    let claims = content["claims"].as_array().unwrap();
    let claim = claims.iter().find(|claim| claim["id"] == position["claim"]);
    assert_eq!(claim.unwrap()["text"], sentence);
    // What parsers say is for the model, and for `calls`.
    let limits = content["limits"].to_string();
    assert!(
        limits.contains("The reflector was answered by rule (after "),
        "{limits}"
    );
    // The rules alone have nothing to tell.
    let rules = scratch.expect(0, &["run", crate::harness::TOPIC, "--docs", "docs"]);
    assert!(!rules.stderr.contains("rules answered"), "{}", rules.stderr);
}

#[test]
fn limits_tell_a_broken_answer_without_the_words_of_its_parser() {
    let scratch = Scratch::with_few();
    let plan = |_: u64, request: &ChatRequest| match request.agent.as_str() {
        "analyst" => Act::Say("{\"insights\": [}]\"".to_owned(), false),
        _ => Act::Answer,
    };
    let server = Server::start(Duration::ZERO, Box::new(plan));
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "broken");
    let limits = scratch.json("report.json")["content"]["limits"].to_string();
    let said =
        "The analyst was answered by rule, because the model's answer could not be used: the ";
    assert!(limits.contains(said), "{limits}");
    for word in [" line ", " column ", "after repair", "missing field"] {
        assert!(!limits.contains(word), "{word}: {limits}");
    }
}

#[test]
fn line_of_a_batch_says_that_rules_answered() {
    let scratch = Scratch::with_few();
    scratch.write("topics.txt", crate::harness::TOPIC);
    let plan = |_: u64, _: &ChatRequest| Act::Say("no".to_owned(), false);
    let server = Server::start(Duration::ZERO, Box::new(plan));
    let ran = run(
        &scratch,
        &server,
        &["batch", "topics.txt", "--docs", "docs"],
    );
    ran.assert_ended(0, "garbage");
    let line = ran.stderr.lines().find(|line| line.starts_with("[1/1]"));
    let line = line.unwrap_or_else(|| panic!("{}", ran.stderr));
    assert!(line.contains("in place of the model"), "{line}");
}

#[test]
fn a_model_that_answers_nothing_fails_a_strict_run_and_its_calls_are_counted() {
    let silence = |_: u64, _: &ChatRequest| Act::Hang;
    let (scratch, server) = (
        Scratch::with_few(),
        Server::start(Duration::ZERO, Box::new(silence)),
    );
    let late = [&RUN_ARGUMENTS[..], &["--timeout", "1"]].concat();
    run(&scratch, &server, &late).assert_ended(0, "not strict");
    let spent = parsed(&scratch.expect(0, &["status", "s", "--json"]).stdout)["spent"].clone();
    assert!(spent["made"].as_u64() > Some(0), "{spent}");
    assert_eq!(spent["made"], spent["unusable"], "{spent}");
    // Also a report that is up to date is not what was asked for.
    let strict = [&RUN_ARGUMENTS[..], &["--strict"]].concat();
    let ran = run(&scratch, &server, &strict);
    ran.assert_ended(1, "strict");
    assert!(ran.stderr.contains("rules answered "), "{}", ran.stderr);

    let (scratch, server) = (Scratch::with_few(), Server::sound(Duration::ZERO));
    run(&scratch, &server, &strict).assert_ended(0, "sound");
    let spent = parsed(&scratch.expect(0, &["status", "s", "--json"]).stdout)["spent"].clone();
    assert_eq!(spent["made"], spent["calls"], "{spent}");
}
