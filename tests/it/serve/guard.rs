//! Who may send what: pages of other origins, names of other hosts, bodies of other kinds.

use std::io::Read as _;

use research::pipeline::Lock;
use serde_json::json;

use super::{Serving, request, wait_until};
use crate::harness::{NOW, Scratch, TOPIC};

const RUN: &str = r#"{"query": "bees"}"#;

fn serving(scratch: &Scratch) -> Serving {
    Serving::start(scratch, &["--docs", "docs"], &[])
}

#[test]
fn only_the_names_of_this_server_are_answered() {
    let scratch = Scratch::with_few();
    let server = Serving::start(
        &scratch,
        &["--docs", "docs"],
        &[("RESEARCH_SERVER__HOSTS", "research.test")],
    );
    let get = |host: &str| format!("GET /health HTTP/1.1\r\nConnection: close\r\n{host}\r\n");
    for host in [
        "Host: HOST\r\n",
        "Host: localhost\r\n",
        "Host: localhost:9\r\n",
        "Host: [::1]:80\r\n",
        "Host: research.test\r\n",
    ] {
        assert_eq!(server.send(&get(host)).status, 200, "{host}");
    }
    // After DNS rebinding, a page of evil.test would send the second.
    for host in [
        "",
        "Host: evil.test\r\n",
        "Host: evil.test:8731\r\n",
        "Host: HOST\r\nHost: evil.test\r\n",
        "Host: localhost.evil.test\r\n",
        "Host: 127.0.0.1@evil.test\r\n",
        "Host: \r\n",
    ] {
        let answer = server.send(&get(host));
        assert!(
            [400, 421].contains(&answer.status),
            "{host}: {}",
            answer.status
        );
    }
}

#[test]
fn a_page_of_another_origin_changes_nothing() {
    let scratch = Scratch::with_few();
    let server = serving(&scratch);
    for headers in [
        "Origin: http://evil.test\r\n",
        "Origin: null\r\n",
        "Origin: http://localhost:1\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n",
    ] {
        let headers = format!("Content-Type: application/json\r\n{headers}");
        let answer = server.send(&request("POST", "/run", &headers, RUN));
        answer.assert_problem(403, &headers);
    }
    // What a form or a plain script of any page can send without asking first.
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "",
    ] {
        let headers = format!("Content-Type: {kind}\r\n");
        server
            .send(&request("POST", "/run", &headers, RUN))
            .assert_problem(415, kind);
    }
    assert!(!scratch.path().join("research-output").exists());
}

#[test]
fn answers_may_not_be_read_framed_or_run_by_other_origins() {
    let scratch = Scratch::with_few();
    let server = serving(&scratch);
    for path in ["/health", "/nothing"] {
        let get = request("GET", path, "Origin: http://evil.test\r\n", "");
        let answer = server.send(&get);
        assert_eq!(answer.header("access-control-allow-origin"), None);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(
            answer.header("cross-origin-resource-policy"),
            Some("same-origin")
        );
        assert_eq!(answer.header("referrer-policy"), Some("same-origin"));
    }
}

#[test]
fn a_browser_gets_a_page_at_an_address_without_one() {
    let scratch = Scratch::with_few();
    let server = serving(&scratch);
    let browser = "Accept: text/html,application/xhtml+xml\r\n";
    let answer = server.send(&request("GET", "/nothing", browser, ""));
    assert_eq!(answer.status, 404);
    let kind = answer.header("content-type").unwrap_or_default();
    assert!(kind.starts_with("text/html"), "{kind}");
    for part in ["There is nothing at this address.", "href=\"/\""] {
        assert!(answer.body.contains(part), "{part}: {}", answer.body);
    }
}

#[test]
fn requests_that_do_not_fit_get_problem_details() {
    let scratch = Scratch::with_few();
    let server = serving(&scratch);
    server.get("/nothing").assert_problem(404, "path");
    let answer = server.send(&request("DELETE", "/health", "", ""));
    answer.assert_problem(405, "method");
    assert!(
        answer
            .header("allow")
            .is_some_and(|allow| allow.contains("GET"))
    );
    server
        .send(&request("OPTIONS", "/run", "", ""))
        .assert_problem(405, "no CORS");
    let json = "Content-Type: application/json\r\n";
    for body in ["", "{", "{\"query\": \"bees\"} x", "\u{0}"] {
        server
            .send(&request("POST", "/run", json, body))
            .assert_problem(400, body);
    }
    let huge = format!(r#"{{"query": "{}"}}"#, "x".repeat(2 << 20));
    server
        .send(&request("POST", "/run", json, &huge))
        .assert_problem(413, "size");
    let nested = "[".repeat(100_000);
    server
        .send(&request("POST", "/run", json, &nested))
        .assert_problem(422, "depth");
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn clients_that_send_half_a_request_do_not_keep_others_out() {
    let scratch = Scratch::with_few();
    // Four connections for each request at once.
    let limits = [
        ("RESEARCH_SERVER__MAX_REQUESTS", "2"),
        ("RESEARCH_SERVER__READ_TIMEOUT_SECONDS", "1"),
    ];
    let server = Serving::start(&scratch, &[], &limits);
    let half = |request: &str| server.open(&request[..request.len() - 4]);
    let heads = request("GET", "/health", "", "");
    let mut waiting: Vec<_> = (0..7).map(|_| half(&heads)).collect();
    let json = "Content-Type: application/json\r\n";
    let mut body = half(&request("POST", "/run", json, "{\"query\": \"bees\"}"));
    assert_eq!(server.get("/health").status, 200);
    for stream in &mut waiting {
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).unwrap();
        assert!(!rest.starts_with(b"HTTP/1.1 200"), "{rest:?}");
    }
    let mut rest = String::new();
    body.read_to_string(&mut rest).unwrap();
    assert!(rest.starts_with("HTTP/1.1 408"), "{rest}");
    assert!(rest.contains("did not come within 1 second;"), "{rest}");
}

#[test]
fn an_address_that_others_reach_is_refused() {
    let scratch = Scratch::new();
    for address in ["0.0.0.0:0", "[::]:0"] {
        let refused = scratch.expect(2, &["serve", "--listen", address]);
        assert!(refused.stderr.contains("127.0.0.1"), "{}", refused.stderr);
    }
    scratch.expect(2, &["serve", "--listen", "localhost"]);
    scratch.expect(2, &["serve", "--docs", "nothing"]);
}

#[test]
fn those_who_watch_do_not_shut_out_those_who_ask() {
    let scratch = Scratch::with_few();
    scratch.expect(0, &["run", TOPIC, "--docs", "docs", "--session", "s"]);
    // A stream lasts as long as somebody works in the session.
    let _lock = Lock::acquire(&scratch.session(), true, NOW).unwrap();
    let limit = [("RESEARCH_SERVER__MAX_REQUESTS", "2")];
    let server = Serving::start(&scratch, &["--docs", "docs"], &limit);
    let events = request("GET", "/v1/sessions/s/events", "", "");
    let watching: Vec<_> = (0..2)
        .map(|_| {
            let mut stream = server.open(&events);
            // It is open once anything of it is here.
            stream.read_exact(&mut [0; 300]).unwrap();
            stream
        })
        .collect();
    assert_eq!(server.get("/health").status, 200);
    assert_eq!(server.get("/v1/sessions").status, 200);
    server
        .send(&events)
        .assert_problem(429, "one stream too many");
    drop(watching);
    wait_until("a stream is free again", || {
        let mut status = [0; 12];
        server.open(&events).read_exact(&mut status).unwrap();
        status.ends_with(b"200")
    });
}

#[test]
fn a_limit_of_money_for_a_model_without_a_price_is_refused() {
    let scratch = Scratch::with_few();
    let models = crate::models::server::Server::sound(std::time::Duration::ZERO);
    let url = models.url();
    let variables = [
        ("RESEARCH_MODEL", "openai:fake"),
        ("OPENAI_BASE_URL", url.as_str()),
    ];
    let server = Serving::start(&scratch, &["--docs", "docs"], &variables);
    let ask = json!({"topic": "heat pumps", "session": "s", "max_cost_usd": 0.5});
    let refused = server.post("/v1/sessions", &ask);
    refused.assert_problem(422, "no price");
    let problem = refused.json();
    assert_eq!(problem["pointer"], "/max_cost_usd", "{problem}");
    let detail = problem["detail"].as_str().unwrap();
    let reason = "the price of openai:fake is not known, so a limit of money cannot be kept";
    assert!(detail.starts_with(reason), "{detail}");
    assert!(!scratch.session().exists());
    assert_eq!(models.calls(), 0);
    // Neither does a run that goes on have it; without a model it costs nothing.
    scratch.expect(0, &["run", TOPIC, "--docs", "docs", "--session", "s"]);
    let terms = json!({"max_cost_usd": 0.5});
    let resumed = server.post("/v1/sessions/s/resume", &terms);
    resumed.assert_problem(422, "no price of a run that goes on");
    let offline = json!({"topic": "pumps", "max_cost_usd": 0.5, "offline": true});
    assert_eq!(server.post("/v1/sessions", &offline).status, 201);
    // The limit of an owner is the server's own.
    let mut command = scratch.command(&["serve", "--docs", "docs", "--port", "0"]);
    command.envs(variables);
    command.env("RESEARCH_SERVER__OWNER_MAX_COST_USD", "1");
    let ran = crate::harness::Ran::from(command.output().unwrap());
    ran.assert_ended(2, "no price of an owner's limit");
    let name = "server.owner_max_cost_usd";
    assert!(ran.stderr.contains(name), "{}", ran.stderr);
}
