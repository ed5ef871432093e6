//! Passages of documents and sources, checked claims, tasks and removal.

use serde_json::json;

use super::sessions::{state, with_session};
use super::{Serving, request, wait_until};
use crate::harness::{Scratch, TOPIC, parsed};

#[test]
fn documents_are_searched_as_on_the_command_line() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let query = "insulation of old houses";
    let search = ["search", query, "--docs", "docs", "--limit", "2", "--json"];
    let printed = parsed(&scratch.expect(0, &search).stdout);
    let path = format!("/v1/search?query={}&limit=2", query.replace(' ', "+"));
    assert_eq!(server.get(&path).json()["passages"], printed["results"]);
    for query in ["", "?query=", "?query=x&limit=0", "?query=x&limit=101"] {
        let path = format!("/v1/search{query}");
        server.get(&path).assert_problem(422, query);
    }
}

#[test]
fn a_citation_leads_to_the_words_of_its_source() {
    let scratch = Scratch::with_few();
    let (server, id) = with_session(&scratch);
    let report = parsed(&scratch.read(&format!("research-output/{id}/report.json")));
    let citation = &report["content"]["claims"][0]["citations"][0];
    let (source, start, end) = (
        citation["source"].as_str().unwrap(),
        &citation["start"],
        &citation["end"],
    );
    let base = format!("/v1/sessions/{id}/sources");
    let passage = server.get(&format!("{base}/{source}?start={start}&end={end}"));
    assert_eq!(passage.status, 200, "{}", passage.body);
    assert_eq!(passage.json()["text"], citation["quote"]);
    let whole = server.get(&format!("{base}/{source}")).json();
    let stored = scratch.read(&format!("research-output/{id}/sources/{source}.md"));
    assert_eq!(whole["text"], stored);
    for range in [
        "start=9&end=3",
        "start=0&end=99999999",
        "start=x",
        "middle=1",
    ] {
        let path = format!("{base}/{source}?{range}");
        server.get(&path).assert_problem(422, range);
    }
    for none in ["S999", "..%2Freport", "S1.md"] {
        let path = format!("{base}/{none}");
        server.get(&path).assert_problem(404, none);
    }
}

#[test]
fn a_claim_is_checked_against_passages() {
    let scratch = Scratch::new();
    let server = Serving::start(&scratch, &[], &[]);
    let check = |claim: &str, passages: &[&str]| {
        server.post("/v1/check", &json!({"claim": claim, "passages": passages}))
    };
    let passage = ["A heat pump for a detached house costs 25,000 euros."];
    let verdict = check("A heat pump costs 25,000 euros.", &passage).json();
    assert_eq!(verdict["verdict"], "supported", "{verdict}");
    let verdict = check("A heat pump costs 52,000 euros.", &passage).json();
    assert_ne!(verdict["verdict"], "supported", "{verdict}");
    assert!(
        verdict["unsupported"].to_string().contains("52,000"),
        "{verdict}"
    );
    assert_eq!(check("Bees sleep.", &[]).json()["verdict"], "unsupported");
    assert_eq!(check("x", &passage).json()["verdict"], "unsupported");
    check(" ", &passage).assert_problem(422, "no claim");
    check("x", &["x"; 101]).assert_problem(422, "too many");
}

#[test]
fn tasks_are_listed_and_a_session_is_removed() {
    let scratch = Scratch::with_few();
    let (server, id) = with_session(&scratch);
    let tasks = server.get(&format!("/v1/sessions/{id}/tasks")).json();
    let status = parsed(&scratch.expect(0, &["status", &id, "--json"]).stdout);
    assert_eq!(tasks["tasks"], status["tasks"]);
    assert!(
        tasks["tasks"]
            .as_array()
            .is_some_and(|tasks| !tasks.is_empty())
    );
    let remove = |id: &str| server.send(&request("DELETE", &format!("/v1/sessions/{id}"), "", ""));
    let follow = json!({"topic": format!("{TOPIC} And then?"), "session": "t", "follow": id});
    assert_eq!(server.post("/v1/sessions", &follow).status, 201);
    remove(&id).assert_problem(409, "it is followed");
    super::wait_until("the follower", || {
        super::sessions::state(&server, "t") == "COMPLETE"
    });
    for id in ["t", &id] {
        super::wait_until("the end of the run", || remove(id).status != 409);
        remove(id).assert_problem(404, id);
    }
    assert!(!scratch.session().exists());
}

#[test]
fn tasks_are_assigned_and_added_by_an_edit_of_the_plan() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let ask = json!({"topic": TOPIC, "session": "s", "approve_plan": true});
    assert_eq!(server.post("/v1/sessions", &ask).status, 201);
    let waits = || server.get("/v1/sessions/s").json()["status"]["waits_for"].is_string();
    wait_until("a plan", waits);
    let path = "/v1/sessions/s/files/research/plan-1.json";
    let read = server.get(path);
    let mut plan = read.json();
    let steps = plan["content"]["steps"].as_array_mut().unwrap();
    let mut added = steps[0].clone();
    added["id"] = json!("added");
    added["queries"] = json!(["what a heat pump costs"]);
    steps.push(added);
    steps[1]["task"] = json!("social");
    let assigned = steps[1]["id"].clone();
    let headers = format!("If-Match: {}\r\n", read.header("etag").unwrap());
    let written = server.send(&request("PUT", path, &headers, &plan.to_string()));
    assert_eq!(written.status, 204, "{}", written.body);
    let approved = server.post("/v1/sessions/s/approve", &json!({}));
    assert_eq!(approved.status, 202, "{}", approved.body);
    wait_until("a report", || state(&server, "s") == "COMPLETE");
    let tasks = server.get("/v1/sessions/s/tasks").json();
    for (id, agent) in [(assigned, "social"), (json!("added"), "researcher")] {
        let mut listed = tasks["tasks"].as_array().unwrap().iter();
        let task = listed.find(|task| task["id"] == id).unwrap();
        assert_eq!(
            (&task["agent"], &task["status"]),
            (&json!(agent), &json!("COMPLETED"))
        );
    }
}
