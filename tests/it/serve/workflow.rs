//! Health, a run in one request, the graph: the shapes that other programs rely on.

use serde_json::json;

use super::Serving;
use crate::harness::{Scratch, TOPIC, parsed, unversioned};

#[test]
fn health_readiness_and_graph_are_told() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let health = server.get("/health");
    assert_eq!(health.status, 200);
    assert_eq!(health.json()["status"], "healthy");
    assert_eq!(health.json()["version"], env!("CARGO_PKG_VERSION"));
    let ready = server.get("/ready").json();
    assert_eq!(ready, json!({"status": "ready", "running": 0, "queued": 0}));
    let graph = server.get("/graph").json();
    assert_eq!(
        graph,
        unversioned(&scratch.expect(0, &["graph", "--json"]).stdout)
    );
    assert!(graph["nodes"].is_array() && graph["edges"].is_array());
}

#[test]
fn a_run_answers_with_the_report_that_the_command_line_shows() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let question = json!({"query": TOPIC, "max_iterations": 2, "mock": true});
    let answer = server.post("/run", &question);
    assert_eq!(answer.status, 200, "{}", answer.body);
    let reply = answer.json();
    assert_eq!(reply["query"], TOPIC);
    assert_eq!(reply["status"], "COMPLETE");
    for count in ["message_count", "iteration_count", "research_count"] {
        assert!(reply[count].as_u64().unwrap() > 0, "{count}");
    }
    let id = reply["task_id"].as_str().unwrap();
    let report = scratch.read(&format!("research-output/{id}/final_report.md"));
    // Its links lead to the sources from where the client is.
    let files = format!("/v1/sessions/{id}/files/");
    let linked = report.replace("](sources/", &format!("]({files}sources/"));
    assert_eq!(reply["final_output"], linked);
    let (_, link) = linked.split_once("](/v1/").unwrap();
    let (path, _) = link.split_once(' ').unwrap();
    assert_eq!(server.get(&format!("/v1/{path}")).status, 200, "{path}");
    let status = parsed(&scratch.expect(0, &["status", id, "--json"]).stdout);
    assert_eq!(status["round"], reply["iteration_count"]);
    scratch.expect(0, &["verify", id]);
    // The same question again is the same session, and nothing is done twice.
    let events = scratch.read(&format!("research-output/{id}/events.jsonl"));
    assert_eq!(server.post("/run", &question).json(), reply);
    assert_eq!(
        scratch.read(&format!("research-output/{id}/events.jsonl")),
        events
    );
}

#[test]
fn a_run_that_cannot_be_is_refused_before_anything_is_written() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    for (body, pointer) in [
        (json!({"query": ""}), "/query"),
        (json!({"query": "  "}), "/query"),
        (
            json!({"query": "bees", "max_iterations": 11}),
            "/max_iterations",
        ),
        (
            json!({"query": "bees", "max_iterations": 0}),
            "/max_iterations",
        ),
        (
            json!({"query": "bees", "max_iterations": -1}),
            "/max_iterations",
        ),
        (json!({"query": "bees", "mock": "yes"}), "/mock"),
        (json!({"query": 7}), "/query"),
    ] {
        let answer = server.post("/run", &body);
        answer.assert_problem(422, &body.to_string());
        assert_eq!(answer.json()["pointer"], pointer, "{body}");
    }
    for body in [
        json!({}),
        json!({"query": "bees", "rounds": 3}),
        json!([]),
        json!(["bees", 3, true]),
    ] {
        server
            .post("/run", &body)
            .assert_problem(422, &body.to_string());
    }
    assert!(!scratch.path().join("research-output").exists());
    let bare = Scratch::new();
    let server = Serving::start(&bare, &[], &[]);
    let answer = server.post("/run", &json!({"query": "bees"}));
    answer.assert_problem(422, "no documents");
    assert!(answer.body.contains("--docs"), "{}", answer.body);
}
