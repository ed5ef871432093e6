//! The metrics, and who may read them.

use super::identity::{token, with_secret};
use super::sessions::with_session;
use super::{Serving, request};
use crate::harness::Scratch;

/// The value of a sample.
fn value(text: &str, sample: &str) -> Option<f64> {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix(sample));
    lines.next()?.trim().parse().ok()
}

#[test]
fn requests_runs_and_sessions_are_counted() {
    let scratch = Scratch::with_few();
    let (server, _) = with_session(&scratch);
    server.get("/v1/sessions/nothing");
    server.send(&request("PATCH", "/nothing/at/all", "", ""));
    let metrics = server.get("/metrics");
    let kind = metrics.header("content-type").unwrap();
    assert!(kind.starts_with("text/plain; version=0.0.4"), "{kind}");
    let text = &metrics.body;
    let is_typed = |name: &str, text: &str| text.contains(&format!("# TYPE {name} counter\n"));
    assert!(is_typed("research_requests_total", text), "{text}");
    assert!(!text.contains("# EOF"), "{text}");
    let accept = "Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5\r\n";
    let open = server.send(&request("GET", "/metrics", accept, ""));
    let kind = open.header("content-type").unwrap();
    assert!(kind.starts_with("application/openmetrics-text"), "{kind}");
    assert!(is_typed("research_requests", &open.body), "{}", open.body);
    assert!(open.body.trim_end().ends_with("# EOF"), "{}", open.body);
    let requests = |route: &str, method: &str, status: u16| {
        let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
        value(text, &format!("research_requests_total{{{labels}}}"))
    };
    assert_eq!(requests("/v1/sessions", "POST", 201), Some(1.0), "{text}");
    assert_eq!(
        requests("/v1/sessions/{id}", "GET", 404),
        Some(1.0),
        "{text}"
    );
    assert_eq!(requests("none", "other", 404), Some(1.0), "{text}");
    let count = "research_request_duration_seconds_count{route=\"/v1/sessions\"}";
    assert_eq!(value(text, count), Some(1.0), "{text}");
    let sessions = "research_sessions{state=\"complete\"}";
    assert_eq!(value(text, sessions), Some(1.0), "{text}");
    let waiting = "research_runs{state=\"waiting\"}";
    assert_eq!(value(text, waiting), Some(0.0), "{text}");
}

#[test]
fn where_there_are_owners_the_metrics_are_for_operators() {
    let scratch = Scratch::with_few();
    let server = with_secret(&scratch);
    let get = |server: &Serving, owner: &str| {
        let headers = format!("Authorization: Bearer {}\r\n", token(owner));
        server
            .send(&request("GET", "/metrics", &headers, ""))
            .status
    };
    assert_eq!(get(&server, "ann"), 404);
    let operated = super::identity::serving(
        &scratch,
        &[
            ("RESEARCH_JWT_SECRET", super::identity::SECRET),
            ("RESEARCH_SERVER__OPERATORS", "eve, oscar"),
        ],
    );
    assert_eq!(get(&operated, "oscar"), 200);
    assert_eq!(get(&operated, "ann"), 404);
}
