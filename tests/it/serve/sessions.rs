//! Sessions as resources, from the question to the export, against what the command line says.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{LONGEST, Serving, request, wait_until};
use crate::harness::{DEMANDING, Scratch, TOPIC, WIDE_TOPIC, parsed, unversioned};
use crate::models::server::Server as Models;

/// A server over a session that is complete, and the session's name.
pub(super) fn with_session(scratch: &Scratch) -> (Serving, String) {
    let server = Serving::start(scratch, &["--docs", "docs"], &[]);
    let started = server.post("/v1/sessions", &json!({"topic": TOPIC, "session": "s"}));
    assert_eq!(started.status, 201, "{}", started.body);
    assert_eq!(started.header("location"), Some("/v1/sessions/s"));
    // The lock is released after the last gate is written.
    wait_until("the end of the run", || {
        let status = &server.get("/v1/sessions/s").json()["status"];
        status["state"] == "COMPLETE" && status["running"].is_null()
    });
    (server, "s".to_owned())
}

pub(super) fn state(server: &Serving, id: &str) -> String {
    let view = server.get(&format!("/v1/sessions/{id}")).json();
    view["status"]["state"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn a_session_is_started_followed_shown_checked_and_exported() {
    let scratch = Scratch::with_few();
    let (server, id) = with_session(&scratch);
    let printed = |arguments: &[&str]| scratch.expect(0, &[arguments, &["--json"]].concat()).stdout;
    let json_of = |arguments: &[&str]| unversioned(&printed(arguments));
    let get = |path: &str| server.get(&format!("/v1/sessions/{id}{path}")).json();
    // The tasks of the plan are in a file of their own.
    let mut status = json_of(&["status", &id]);
    for own in ["tasks", "updated_at"] {
        status.as_object_mut().unwrap().remove(own);
    }
    assert_eq!(get("")["status"], status);
    assert_eq!(get("/verification"), json_of(&["verify", &id]));
    assert_eq!(get("/calls"), json_of(&["calls", &id]));
    assert_eq!(get("/graph"), json_of(&["graph", &id]));
    assert_eq!(get("/plan")["nothing_to_do"], true);
    let exported = parsed(&printed(&["export", &id]));
    assert_eq!(get("/export?format=json"), exported);
    let html = server.get(&format!("/v1/sessions/{id}/export?format=html"));
    assert!(html.body.starts_with("<!DOCTYPE html>"));
    let disposition = html.header("content-disposition").unwrap();
    assert_eq!(disposition, "attachment; filename=\"s.html\"");
    // The same question is the same session; a key is for one question.
    let again = server.post("/v1/sessions", &json!({"topic": TOPIC, "session": "s"}));
    assert_eq!(again.status, 200);
    assert_eq!(again.json()["status"]["id"], "s");
}

#[test]
fn requests_at_once_for_one_name_make_one_session_of_one_question() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let ask = |topic: String| {
        let body = json!({"topic": topic, "session": "s"});
        server.post("/v1/sessions", &body).status
    };
    let at_once = |topic: fn(usize) -> String| {
        std::thread::scope(|scope| {
            let asked: Vec<_> = (0..8)
                .map(|number| scope.spawn(move || ask(topic(number))))
                .collect();
            let mut statuses: Vec<u16> = asked
                .into_iter()
                .map(|asked| asked.join().unwrap())
                .collect();
            statuses.sort_unstable();
            statuses
        })
    };
    let others = at_once(|number| format!("{TOPIC} {number}"));
    assert_eq!(others, [&[201][..], &[422; 7]].concat());
    scratch.expect(2, &["run", "bees", "--docs", "docs", "--session", "s"]);
    wait_until("the end of the run", || state(&server, "s") == "COMPLETE");
    let ran = scratch.expect(0, &["list", "--json"]);
    assert_eq!(parsed(&ran.stdout).as_array().unwrap().len(), 1);
}

#[test]
fn requests_at_once_for_one_question_make_it_once() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let body = json!({"topic": TOPIC});
    let ask = || server.post("/v1/sessions", &body).status;
    let statuses = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        let statuses = asked.into_iter().map(|asked| asked.join().unwrap());
        statuses.collect::<Vec<u16>>()
    });
    assert_eq!(statuses.iter().filter(|own| **own == 201).count(), 1);
    assert!(
        statuses.iter().all(|own| [200, 201].contains(own)),
        "{statuses:?}"
    );
}

#[test]
fn an_idempotency_key_is_for_one_question() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let headers = "Content-Type: application/json\r\nIdempotency-Key: k\r\n";
    let ask = |topic: &str| {
        let body = json!({"topic": topic}).to_string();
        server.send(&request("POST", "/v1/sessions", headers, &body))
    };
    assert_eq!(ask(TOPIC).status, 201);
    assert_eq!(ask(TOPIC).status, 200);
    ask("bees").assert_problem(422, "another question");
    assert_eq!(
        server.get("/v1/sessions").json()["sessions"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

/// Runs the session of this name on a day of November.
fn begin(scratch: &Scratch, name: &str, day: u32) {
    let topic = format!("{TOPIC} {name}");
    let mut command = scratch.command(&["run", &topic, "--docs", "docs", "--session", name]);
    command.env("RESEARCH_NOW", format!("2026-11-{day}T12:00:00Z"));
    assert!(command.output().unwrap().status.success());
}

#[test]
fn the_list_has_filters_and_pages() {
    let scratch = Scratch::with_few();
    // The latest first, and by name what began at the same time.
    for (name, day) in [("d", 22), ("b", 23), ("c", 22), ("a", 21)] {
        begin(&scratch, name, day);
    }
    scratch.write("research-output/broken/session.json", "{");
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let list = |query: &str| server.get(&format!("/v1/sessions{query}")).json();
    let ids = |list: &Value| -> Vec<String> {
        let sessions = list["sessions"].as_array().unwrap().iter();
        sessions
            .map(|one| one["status"]["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = list("");
    assert_eq!(ids(&all), ["b", "c", "d", "a"]);
    assert!(
        all["problems"][0].as_str().unwrap().starts_with("broken: "),
        "{all}"
    );
    let first = list("?limit=2");
    assert_eq!(ids(&first), ["b", "c"]);
    // The place in the list is that of a session that is gone, and new ones come before it.
    scratch.expect(0, &["rm", "c", "--yes"]);
    begin(&scratch, "e", 24);
    let next = first["next"].as_str().unwrap();
    let rest = list(&format!("?limit=2&after={next}"));
    assert_eq!(ids(&rest), ["d", "a"]);
    assert_eq!(rest["next"], Value::Null);
    assert_eq!(ids(&list("?topic=HOUSES%3F%20b")), ["b"]);
    assert_eq!(ids(&list("?state=PENDING")), Vec::<String>::new());
    for query in [
        "?limit=0",
        "?limit=101",
        "?limit=x",
        "?state=nothing",
        "?unknown=1",
        "?after=b",
    ] {
        server
            .get(&format!("/v1/sessions{query}"))
            .assert_problem(422, query);
    }
    let problem = server.get("/v1/sessions?limit=x").json();
    assert_eq!(problem["detail"], "limit: not a whole number from 0");
    assert_eq!(problem["pointer"], "/limit");
}

#[test]
fn a_forecast_spends_and_writes_nothing() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let forecast = server.post("/v1/forecasts", &json!({"topic": TOPIC}));
    assert_eq!(forecast.status, 200, "{}", forecast.body);
    assert_eq!(forecast.json()["exists"], false);
    assert_eq!(forecast.json()["stages"].as_array().unwrap().len(), 4);
    assert!(!scratch.path().join("research-output").exists());
}

#[test]
fn events_are_streamed_and_resumed_where_a_client_left_them() {
    let scratch = Scratch::with_few();
    let errors = scratch.path().join("errors.txt");
    let file = File::create(&errors).unwrap();
    let server = Serving::start_with_errors(&scratch, &["--docs", "docs"], &[], file.into());
    let asked = server.post("/v1/sessions", &json!({"topic": TOPIC, "session": "s"}));
    assert_eq!(asked.status, 201, "{}", asked.body);
    let began = Instant::now();
    let follow = |headers: &str| -> Vec<(String, Value)> {
        let stream = server.open(&request("GET", "/v1/sessions/s/events", headers, ""));
        let mut events = Vec::new();
        let mut id = String::new();
        for line in BufReader::new(stream).lines() {
            let line = line.unwrap();
            // The stream lives on comments, whatever became of the run.
            let errors = || fs::read_to_string(&errors).unwrap();
            assert!(began.elapsed() < LONGEST, "{events:?} {}", errors());
            if let Some(own) = line.strip_prefix("id: ") {
                id = own.to_owned();
            }
            if let Some(data) = line.strip_prefix("data: ") {
                events.push((id.clone(), parsed(data)["event"].clone()));
            }
            if events
                .last()
                .is_some_and(|(_, event)| event == "run_finished")
            {
                break;
            }
        }
        events
    };
    let events = follow("");
    assert!(events.len() > 10);
    assert!(events[0].1["run_started"].is_object());
    // Nothing is lost and nothing comes twice, wherever the client left.
    for at in [1, events.len() / 2, events.len() - 2] {
        let rest = follow(&format!("Last-Event-ID: {}\r\n", events[at].0));
        assert_eq!(rest, events[at + 1..]);
    }
    assert_eq!(follow("Last-Event-ID: 3\r\n"), events);
    assert_eq!(follow("Last-Event-ID: no number\r\n"), events);
    // The stream of a session in which nothing runs any more ends, and a client that comes back for
    // more is told that there is none.
    wait_until("the run is over", || {
        server.get("/ready").json()["running"] == 0
    });
    let all = server.get("/v1/sessions/s/events");
    assert_eq!(
        all.body.matches("\ndata: ").count(),
        events.len(),
        "{}",
        all.body
    );
    let last = &events[events.len() - 1].0;
    let seen = server.get(&format!("/v1/sessions/s/events?after={last}"));
    assert_eq!((seen.status, seen.body.as_str()), (204, ""));
    let log = scratch.read("research-output/s/events.jsonl");
    assert_eq!(log.lines().count(), events.len());
}

#[test]
fn runs_are_cancelled_resumed_and_redone() {
    let scratch = Scratch::with_few();
    let server = Serving::start(
        &scratch,
        &["--docs", "docs"],
        &[("RESEARCH_SERVER__MAX_RUNS", "1")],
    );
    let ask = |name: &str| json!({"topic": format!("{TOPIC} {name}"), "session": name});
    server.post("/v1/sessions", &ask("first"));
    let waiting = server.post("/v1/sessions", &ask("second")).json();
    let act = |path: &str, body: Value| server.post(&format!("/v1/sessions/second/{path}"), &body);
    if waiting["queued"].is_u64() {
        assert_eq!(act("cancel", json!({})).status, 202);
        assert_eq!(state(&server, "second"), "PENDING");
    }
    act("cancel", json!({})).assert_problem(409, "it does not run");
    act("approve", json!({})).assert_problem(409, "no plan waits");
    act("answer", json!({"text": "yes"})).assert_problem(409, "no question waits");
    act("resume", json!({"from": "nothing"})).assert_problem(422, "stage");
    act("resume", json!({"from": "write", "until": "research"})).assert_problem(422, "range");
    act("resume", json!({"max_rounds": 0})).assert_problem(422, "rounds");
    assert_eq!(act("resume", json!({"until": "research"})).status, 202);
    wait_until("research", || state(&server, "second") == "ANALYZING");
    wait_until("the run is over", || {
        server.get("/ready").json()["running"] == 0
    });
    assert_eq!(act("resume", json!({})).status, 202);
    wait_until("a report", || state(&server, "second") == "COMPLETE");
    wait_until("the run is over", || {
        server.get("/ready").json()["running"] == 0
    });
    assert_eq!(act("resume", json!({"from": "write"})).status, 202);
    let moved = scratch
        .path()
        .join("research-output/second/superseded/1/report.json");
    wait_until("the old report is set aside", || moved.exists());
    wait_until("a new report", || state(&server, "second") == "COMPLETE");
}

#[test]
fn a_cancelled_run_is_said_to_stop_until_it_has() {
    let scratch = Scratch::with_few();
    let models = Models::sound(Duration::from_millis(300));
    let url = models.url();
    let variables = [
        ("RESEARCH_MODEL", "openai:fake"),
        ("OPENAI_BASE_URL", url.as_str()),
    ];
    let server = Serving::start(&scratch, &["--docs", "docs"], &variables);
    server.post("/v1/sessions", &json!({"topic": TOPIC, "session": "s"}));
    wait_until("a call", || models.calls() > 0);
    assert!(server.get("/v1/sessions/s").json()["stopping"].is_null());
    let view = server.post("/v1/sessions/s/cancel", &json!({})).json();
    let has_stopped = view["status"]["state"] == "INTERRUPTED";
    assert!(view["stopping"] == true || has_stopped, "{view}");
    wait_until("the run is over", || state(&server, "s") == "INTERRUPTED");
    wait_until("the queue knows", || {
        server.get("/v1/sessions/s").json()["stopping"].is_null()
    });
}

#[test]
fn a_plan_waits_for_approval() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let ask = json!({"topic": TOPIC, "session": "s", "approve_plan": true});
    server.post("/v1/sessions", &ask);
    let waits = || server.get("/v1/sessions/s").json()["status"]["waits_for"].is_string();
    wait_until("a plan", waits);
    let approved = server.post("/v1/sessions/s/approve", &json!({}));
    assert_eq!(approved.status, 202, "{}", approved.body);
    wait_until("a report", || state(&server, "s") == "COMPLETE");
}

#[test]
fn rounds_and_sessions_are_compared() {
    let scratch = Scratch::with_few();
    let arguments = ["run", WIDE_TOPIC, "--docs", "docs", "--session", "s"];
    scratch.expect(0, &[&arguments[..], &DEMANDING].concat());
    scratch.expect(0, &["run", TOPIC, "--docs", "docs", "--session", "t"]);
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let diff = |query: &str| server.get(&format!("/v1/sessions/s/diff{query}"));
    let printed = unversioned(&scratch.expect(0, &["diff", "s", "--json"]).stdout);
    assert_eq!(diff("").json(), printed);
    assert_eq!(diff("?from=2&to=3").json(), printed);
    let both = unversioned(&scratch.expect(0, &["diff", "s", "t", "--json"]).stdout);
    assert_eq!(diff("?with=t").json(), both);
    diff("?with=t&from=1").assert_problem(422, "both");
    diff("?with=nothing").assert_problem(404, "other");
    diff("?from=1&to=99").assert_problem(422, "round");
    server
        .get("/v1/sessions/t/diff")
        .assert_problem(409, "only one round");
}

#[test]
fn what_is_no_session_is_not_found_on_any_route() {
    let scratch = Scratch::with_few();
    scratch.research();
    scratch.write(
        "secret/session.json",
        scratch.read("research-output/s/session.json"),
    );
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let names = [
        "nothing",
        "..",
        "%2e%2e",
        "..%2fsecret",
        "%2fetc",
        "last",
        ".",
        "s%2f..%2fs",
        ".s",
    ];
    for name in names {
        for path in [
            "",
            "/events",
            "/files",
            "/plan",
            "/diff",
            "/export",
            "/verification",
        ] {
            let answer = server.get(&format!("/v1/sessions/{name}{path}"));
            answer.assert_problem(404, &format!("{name}{path}"));
        }
        let answer = server.post(&format!("/v1/sessions/{name}/resume"), &json!({}));
        answer.assert_problem(404, name);
    }
    let ask = json!({"topic": TOPIC, "docs": ["../secret"]});
    server
        .post("/v1/sessions", &ask)
        .assert_problem(422, "docs");
    let ask = json!({"topic": TOPIC, "session": "../x"});
    server
        .post("/v1/sessions", &ask)
        .assert_problem(422, "name");
}

#[test]
fn a_session_of_a_stranger_reads_nothing_that_is_not_served() {
    let scratch = Scratch::with_few();
    let outside = Scratch::with_few();
    scratch.expect(
        0,
        &[
            "run",
            TOPIC,
            "--docs",
            "docs",
            "--session",
            "s",
            "--until",
            "research",
        ],
    );
    let documents = outside.path().join("docs").display().to_string();
    scratch.edit("session.json", "../../docs", &documents);
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let refused = server.post("/v1/sessions/s/resume", &json!({}));
    refused.assert_problem(409, "documents elsewhere");
    let server = Serving::start(&scratch, &["--docs", &documents], &[]);
    assert_eq!(server.post("/v1/sessions/s/resume", &json!({})).status, 202);
}
