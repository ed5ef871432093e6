//! The page, without a browser: what it shows, what its forms do, and what hostile text does not.

use serde_json::json;

use super::sessions::state;
use super::{Answer, Serving, request, wait_until};
use crate::harness::{Scratch, TOPIC};

const HOSTILE: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{ 7*7 }}";

/// Sends a form as a browser does from a page of the server.
fn form(server: &Serving, path: &str, body: &str) -> Answer {
    let headers = "Content-Type: application/x-www-form-urlencoded\r\nOrigin: http://HOST\r\n\
                   Sec-Fetch-Site: same-origin\r\n";
    server.send(&request("POST", path, headers, body))
}

fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

#[test]
fn a_question_is_asked_followed_edited_and_compared_without_script() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let home = server.get("/");
    assert_eq!(home.status, 200, "{}", home.body);
    assert!(home.body.contains("name=\"topic\"") && home.body.contains("Documents: docs."));
    let topic = encoded(TOPIC);
    let ask = format!("topic={topic}&depth=quick&max_rounds=2&action=");
    let forecast = form(&server, "/ask", &format!("{ask}forecast"));
    assert!(
        forecast.body.contains("What it would take"),
        "{}",
        forecast.body
    );
    assert!(forecast.body.contains(TOPIC));
    assert!(!scratch.path().join("research-output").exists());
    let started = form(&server, "/ask", &format!("{ask}start"));
    assert_eq!(started.status, 303, "{}", started.body);
    let location = started.header("location").unwrap().to_owned();
    let id = location.strip_prefix("/sessions/").unwrap().to_owned();
    wait_until("a report", || state(&server, &id) == "COMPLETE");
    let page = server.get(&location);
    assert_eq!(page.status, 200, "{}", page.body);
    // The report with its passages, the gates, the sources.
    for part in [
        "class=\"claim\"",
        "research.json",
        "sources/S1.md",
        &format!("href=\"{location}/files/research.json\""),
        "Complete",
        "format=html",
    ] {
        assert!(page.body.contains(part), "{part}: {}", page.body);
    }
    assert!(server.get("/").body.contains(&location));
    let file = || server.get(&format!("{location}/files/research.json"));
    // The run that wrote the report may have to let go of the session first.
    wait_until("an editor", || file().body.contains("Save and resume"));
    let file = file();
    let seen = file.body.split("name=\"seen\" value=\"").nth(1).unwrap();
    let seen = seen.split('"').next().unwrap();
    let name = format!("research-output/{id}/research.json");
    let text = scratch.read(&name);
    let edited = text.replacen("\"observation\": \"", "\"observation\": \"Edited. ", 1);
    let save = format!(
        "text={}&seen={seen}&action=resume",
        encoded(&edited.replace('\n', "\r\n"))
    );
    let saved = form(&server, &format!("{location}/files/research.json"), &save);
    assert_eq!(saved.status, 303, "{}", saved.body);
    assert_eq!(scratch.read(&name), edited);
    wait_until("a new report", || state(&server, &id) == "COMPLETE");
    let unseen = form(&server, &format!("{location}/files/research.json"), &save);
    assert!(
        unseen.body.contains("has changed since you read it"),
        "{}",
        unseen.body
    );
    assert_eq!(server.get(&format!("{location}/files")).status, 200);
    assert_eq!(
        server.get(&format!("{location}/diff?with={id}")).status,
        200
    );
    assert_eq!(
        server.get(&format!("{location}/progress")).header("x-live"),
        Some("false")
    );
}

#[test]
fn empty_topic_is_refused_with_the_form_and_a_status() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    for action in ["start", "forecast"] {
        let ask = format!("topic=&depth=quick&max_rounds=2&action={action}");
        let refused = form(&server, "/ask", &ask);
        assert_eq!(refused.status, 422, "{}", refused.body);
        assert!(refused.body.contains("the topic is empty"));
        assert!(refused.body.contains("name=\"topic\""), "{}", refused.body);
    }
}

#[test]
fn the_answer_stands_before_how_it_was_made() {
    let scratch = Scratch::with_few();
    scratch.research();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let page = server.get("/sessions/s").body;
    let (before, after) = page.split_once("</article>").unwrap();
    for part in ["How it went", "Export:", "Files and how they were made"] {
        assert!(!before.contains(part), "{part}: {page}");
        assert!(after.contains(part), "{part}: {page}");
    }
}

#[test]
fn forms_are_taken_from_pages_of_the_server_alone() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let kind = "Content-Type: application/x-www-form-urlencoded\r\n";
    let body = "topic=bees&depth=quick&max_rounds=1&action=start";
    for headers in [
        "",
        "Origin: http://evil.test\r\n",
        "Origin: null\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
    ] {
        let headers = format!("{kind}{headers}");
        let refused = server.send(&request("POST", "/ask", &headers, body));
        assert_eq!(refused.status, 403, "{headers}: {}", refused.body);
    }
    assert!(!scratch.path().join("research-output").exists());
}

#[test]
fn hostile_text_stays_text_on_every_page() {
    let scratch = Scratch::with_few();
    let arguments = ["run", HOSTILE, "--docs", "docs", "--session", "s"];
    let ran = scratch.run(&arguments);
    assert!([Some(0), Some(5)].contains(&ran.code), "{}", ran.stderr);
    scratch.edit("research_request.md", "#", HOSTILE);
    let log = scratch.read("research-output/s/events.jsonl");
    let event =
        json!({"at": HOSTILE, "event": {"progress": {"stage": HOSTILE, "message": HOSTILE}}});
    scratch.write("research-output/s/events.jsonl", format!("{log}{event}\n"));
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let ask = format!(
        "topic={}&depth=quick&max_rounds=1&action=forecast",
        encoded(HOSTILE)
    );
    let mut pages = vec![form(&server, "/ask", &ask)];
    for path in [
        "/",
        "/sessions/s",
        "/sessions/s/progress",
        "/sessions/s/files",
        "/sessions/s/files/session.json",
        "/sessions/s/files/research_request.md",
        "/sessions/s/files/report.json",
        "/sessions/s/diff?with=s",
        "/sessions/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
        "/sessions/s/files/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
    ] {
        pages.push(server.get(path));
    }
    for page in pages {
        assert!(page.status < 500, "{}", page.body);
        assert!(!page.body.contains("<script>alert"), "{}", page.body);
        assert!(!page.body.contains("<img src=x"), "{}", page.body);
        assert!(!page.body.contains("'><img"), "{}", page.body);
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
    }
}

#[test]
fn list_of_the_page_says_which_report_does_not_answer() {
    let scratch = Scratch::with_few();
    scratch.research();
    let unanswered = "How loud is a heat pump in an old house?";
    let run = ["run", unanswered, "--docs", "docs", "--session", "t"];
    scratch.expect(0, &run);
    let listed = scratch.expect(0, &["list"]).stdout;
    assert!(listed.contains("(not answered as asked) How"), "{listed}");
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let remark = "not answered as asked";
    let home = server.get("/").body;
    assert_eq!(home.matches(remark).count(), 1, "{home}");
    let (_, of_session) = home.split_once("/sessions/t\"").unwrap();
    assert!(of_session.contains(remark), "{home}");
    assert!(server.get("/sessions/t").body.contains(remark));
}

#[test]
fn the_first_view_is_small_and_loads_nothing_from_elsewhere() {
    let scratch = Scratch::with_few();
    let server = Serving::start(&scratch, &["--docs", "docs"], &[]);
    let home = server.get("/");
    let nonce = |page: &Answer| {
        let policy = page.header("content-security-policy").unwrap();
        policy
            .split("'nonce-")
            .nth(1)
            .unwrap()
            .split('\'')
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(nonce(&home).len(), 32);
    assert_ne!(nonce(&home), nonce(&server.get("/")));
    let style = home
        .body
        .split("href=\"/assets/")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let style = server.get(&format!("/assets/{style}"));
    assert_eq!(style.status, 200);
    let bytes = home.body.len() + style.body.len() + home.headers.len() + style.headers.len();
    assert!(bytes <= 30_000, "{bytes}");
    for text in [&home.body, &style.body, &server.get("/assets/live.js").body] {
        assert!(
            !text.contains("//cdn") && !text.contains("url(http"),
            "{text}"
        );
        assert!(
            !text.contains("src=\"http") && !text.contains("@import"),
            "{text}"
        );
    }
}
