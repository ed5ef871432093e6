//! The files of a session: read with an etag, edited by whoever has seen them, and never another.

use std::os::unix::fs::symlink;

use research::pipeline::Lock;
use serde_json::json;

use super::sessions::state;
use super::{Answer, Serving, request, wait_until};
use crate::harness::{NOW, Scratch};

fn serving(scratch: &Scratch) -> Serving {
    scratch.research();
    Serving::start(scratch, &["--docs", "docs"], &[])
}

fn put(server: &Serving, name: &str, tag: Option<&str>, text: &str) -> Answer {
    let tag = tag.map_or(String::new(), |tag| format!("If-Match: {tag}\r\n"));
    let path = format!("/v1/sessions/s/files/{name}");
    server.send(&request("PUT", &path, &tag, text))
}

#[test]
fn an_edit_of_what_was_seen_stands_and_what_follows_is_made_again() {
    let scratch = Scratch::with_few();
    let server = serving(&scratch);
    let read = server.get("/v1/sessions/s/files/research.json");
    assert_eq!(read.header("content-type"), Some("application/json"));
    assert_eq!(read.body, scratch.read("research-output/s/research.json"));
    let tag = read.header("etag").unwrap();
    let seen = format!("If-None-Match: {tag}\r\n");
    let again = server.send(&request(
        "GET",
        "/v1/sessions/s/files/research.json",
        &seen,
        "",
    ));
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    let edited = read
        .body
        .replacen("\"observation\": \"", "\"observation\": \"Edited. ", 1);
    assert_ne!(edited, read.body);
    put(&server, "research.json", None, &edited).assert_problem(428, "no etag");
    let saved = put(&server, "research.json", Some(tag), &edited);
    assert_eq!(saved.status, 204, "{}", saved.body);
    assert_ne!(saved.header("etag"), Some(tag));
    // Somebody else saw the file as it was before.
    let stale = put(&server, "research.json", Some(tag), &read.body);
    stale.assert_problem(412, "overwritten unseen");
    assert_eq!(scratch.read("research-output/s/research.json"), edited);
    let plan = server.get("/v1/sessions/s/plan").json();
    assert_eq!(plan["stages"][0]["runs"], false);
    assert_eq!(plan["stages"][1]["runs"], true);
    server.post("/v1/sessions/s/resume", &json!({}));
    wait_until("a new report", || state(&server, "s") == "COMPLETE");
    assert!(
        scratch
            .read("research-output/s/research.json")
            .contains("Edited. ")
    );
}

#[test]
fn what_is_no_such_file_or_not_for_editing_is_refused() {
    let scratch = Scratch::with_few();
    let server = serving(&scratch);
    let tag = |name: &str| {
        let read = server.get(&format!("/v1/sessions/s/files/{name}"));
        read.header("etag").unwrap().to_owned()
    };
    let gate = tag("report.json");
    for text in ["", "{", "{}", "[]", "null", "{\"version\": 1}", "\u{0}"] {
        put(&server, "report.json", Some(&gate), text).assert_problem(422, text);
    }
    for name in [
        "session.json",
        "manifest.json",
        "events.jsonl",
        "sources/S1.md",
        "report.md",
    ] {
        put(&server, name, Some(&tag(name)), "{}").assert_problem(403, name);
    }
    put(&server, "analysis-2.json", Some("\"x\""), "{}").assert_problem(404, "new file");
    let lock = Lock::acquire(&scratch.session(), false, NOW).unwrap();
    let text = scratch.read("research-output/s/report.json");
    put(&server, "report.json", Some(&gate), &text).assert_problem(409, "in use");
    drop(lock);
    assert_eq!(put(&server, "report.json", Some(&gate), &text).status, 204);
}

#[test]
fn nothing_outside_of_a_session_is_read() {
    let scratch = Scratch::with_few();
    let server = serving(&scratch);
    scratch.write("secret.md", "secret");
    scratch.write("research-output/s/.hidden", "secret");
    symlink(
        scratch.path().join("secret.md"),
        scratch.session().join("link.md"),
    )
    .unwrap();
    symlink(scratch.path(), scratch.session().join("directory")).unwrap();
    for name in [
        "../../secret.md",
        "..%2f..%2fsecret.md",
        "%2e%2e/%2e%2e/secret.md",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "link.md",
        "directory/secret.md",
        ".hidden",
        ".lock",
        "sources",
        "nothing",
        "sources/./S1.md",
        "sources//S1.md",
        "%00",
    ] {
        let answer = server.get(&format!("/v1/sessions/s/files/{name}"));
        answer.assert_problem(404, name);
    }
    let list = server.get("/v1/sessions/s/files").body;
    assert!(list.contains("sources/S1.md"), "{list}");
    for name in ["secret", "link.md", ".lock", ".hidden", "directory"] {
        assert!(!list.contains(name), "{name}: {list}");
    }
}

#[test]
fn a_page_in_a_session_is_served_as_text() {
    let scratch = Scratch::with_few();
    let server = serving(&scratch);
    let hostile = "<script>alert(1)</script>";
    for (name, kind) in [
        ("x.html", "text/plain; charset=utf-8"),
        ("x.svg", "application/octet-stream"),
        ("x.js", "application/octet-stream"),
    ] {
        scratch.write(&format!("research-output/s/{name}"), hostile);
        let answer = server.get(&format!("/v1/sessions/s/files/{name}"));
        assert_eq!(answer.header("content-type"), Some(kind), "{name}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("sandbox"), "{policy}");
    }
}
