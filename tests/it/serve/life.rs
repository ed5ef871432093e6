//! The life of runs: they outlive their clients, wait in order, stop with the server and go on
//! with the next one, and share sessions with other processes.

use std::fs;
use std::process::Stdio;

use research::pipeline::Lock;
use serde_json::json;

use super::{Serving, post, states, wait_until};
use crate::harness::{NOW, Scratch, parsed};

const TOPICS: [&str; 3] = [
    "Do heat pumps work in old houses?",
    "What do heat pumps cost?",
    "Is insulation needed first?",
];

const ONE_AT_A_TIME: (&str, &str) = ("RESEARCH_SERVER__MAX_RUNS", "1");

fn is_complete(scratch: &Scratch, count: usize) -> bool {
    let states = states(scratch);
    states.len() == count && states.iter().all(|(_, state)| state == "COMPLETE")
}

#[test]
fn a_run_goes_on_when_the_client_goes_away_and_others_wait_in_order() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[ONE_AT_A_TIME]);
    for (count, topic) in (1..).zip(TOPICS) {
        let client = server.open(&post("/run", &json!({"query": topic})));
        wait_until("a session", || states(&scratch).len() == count);
        drop(client);
    }
    wait_until("all reports", || is_complete(&scratch, TOPICS.len()));
    let published = |topic: &str| {
        let sessions = fs::read_dir(scratch.path().join("research-output")).unwrap();
        let mut paths = sessions.map(|entry| entry.unwrap().path());
        let path = paths.find(|path| {
            let request = fs::read_to_string(path.join("research_request.md"));
            request.is_ok_and(|request| request.contains(topic))
        });
        let report = path.unwrap().join("final_report.md");
        fs::metadata(report).unwrap().modified().unwrap()
    };
    assert!(TOPICS.map(published).is_sorted());
}

#[test]
fn the_server_ends_with_resumable_sessions_and_the_next_one_resumes_them() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[ONE_AT_A_TIME]);
    let mut streams = Vec::new();
    for (count, topic) in (1..).zip(TOPICS) {
        streams.push(server.open(&post("/run", &json!({"query": topic}))));
        wait_until("a session", || states(&scratch).len() == count);
    }
    server.terminate();
    let states = states(&scratch);
    assert!(
        states.iter().any(|(_, state)| state != "COMPLETE"),
        "{states:?}"
    );
    // Without being told so, the next server leaves them alone.
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    assert_eq!(server.get("/ready").json()["running"], 0);
    server.terminate();
    let arguments = ["--docs", "docs", "--resume-interrupted"];
    let server = Serving::start(&scratch, &arguments, &[]);
    wait_until("all reports", || is_complete(&scratch, TOPICS.len()));
    assert_eq!(
        server.post("/run", &json!({"query": TOPICS[2]})).status,
        200
    );
}

#[test]
fn a_session_that_another_process_runs_is_left_to_it() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let question = json!({"query": TOPICS[0]});
    let id = server.post("/run", &question).json()["task_id"].clone();
    let path = scratch
        .path()
        .join("research-output")
        .join(id.as_str().unwrap());
    fs::remove_file(path.join("final_report.md")).unwrap();
    let lock = Lock::acquire(&path, false, NOW).unwrap();
    let refused = server.post("/run", &question);
    refused.assert_problem(409, "in use");
    assert!(refused.body.contains("in use by pid"), "{}", refused.body);
    drop(lock);
    assert_eq!(server.post("/run", &question).status, 200);
}

#[test]
fn a_session_remembers_the_terms_of_its_first_run() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let plain = json!({"topic": TOPICS[0], "session": "plain"});
    assert_eq!(server.post("/v1/sessions", &plain).status, 201);
    let terms = json!({"topic": TOPICS[0], "session": "s", "offline": true, "max_tokens": 5000});
    assert_eq!(server.post("/v1/sessions", &terms).status, 201);
    let session =
        |name: &str| parsed(&scratch.read(&format!("research-output/{name}/session.json")));
    assert!(session("plain").get("first_run").is_none());
    let first = &session("s")["first_run"];
    assert_eq!(
        (&first["offline"], &first["max_tokens"]),
        (&json!(true), &json!(5000))
    );
}

#[test]
fn servers_and_command_lines_share_a_directory() {
    let scratch = Scratch::with_few();
    let start = || Serving::start(&scratch, &["--docs", "docs"], &[ONE_AT_A_TIME]);
    let servers = [start(), start(), start()];
    scratch.write("topics.txt", TOPICS.join("\n"));
    let arguments = [
        "batch",
        "topics.txt",
        "--docs",
        "docs",
        "-j",
        "2",
        "--keep-going",
    ];
    let mut batch = scratch.command(&arguments);
    let mut batch = batch
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Each is asked for each topic, while the command line researches them too.
    for topic in TOPICS {
        for server in &servers {
            let started = server.post("/v1/sessions", &json!({"topic": topic}));
            // Whoever runs it already is named.
            assert!(
                [200, 201, 409].contains(&started.status),
                "{}",
                started.body
            );
        }
    }
    assert!([Some(0), Some(1), Some(7)].contains(&batch.wait().unwrap().code()));
    wait_until("all reports", || is_complete(&scratch, TOPICS.len()));
    for session in fs::read_dir(scratch.path().join("research-output")).unwrap() {
        let log = session.unwrap().path().join("events.jsonl");
        let Ok(log) = fs::read_to_string(log) else {
            continue;
        };
        for stage in ["research", "analysis", "write", "review"] {
            let begun = format!("\"stage_started\":{{\"stage\":\"{stage}\"");
            assert_eq!(log.matches(&begun).count(), 1, "{stage}: {log}");
        }
    }
}

#[test]
fn runs_that_fail_and_the_way_to_go_on_are_on_standard_error() {
    let scratch = Scratch::with_few();
    let errors = fs::File::create(scratch.path().join("errors")).unwrap();
    // Nobody listens there.
    let variables = [
        ("RESEARCH_SEARCH__SERVICES", "searxng"),
        ("SEARXNG_URL", "http://127.0.0.1:1"),
    ];
    let server = Serving::start_with_errors(&scratch, &[], &variables, errors.into());
    let asked = server.post("/run", &json!({"query": TOPICS[0]}));
    asked.assert_problem(502, "nobody listens");
    server.terminate();
    let errors = scratch.read("errors");
    let failures = errors
        .lines()
        .filter(|line| line.contains("stage research failed"));
    let failures: Vec<&str> = failures.collect();
    assert_eq!(failures.len(), 1, "{errors}");
    let session = "research: research-output/do-heat-pumps-work-in-old-houses";
    assert!(failures[0].starts_with(session), "{errors}");
    assert!(failures[0].contains("127.0.0.1:1"), "{errors}");
    assert!(errors.contains("--resume-interrupted"), "{errors}");
}
