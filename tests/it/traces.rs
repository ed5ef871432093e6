//! Traces, with the feature `otel`: a collector on loopback gets the spans of a run.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;

use crate::harness::{Ran, Scratch, TOPIC};

/// A collector, which stores the bodies that it gets by their paths.
fn collector() -> (String, Arc<Mutex<Vec<(String, Vec<u8>)>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let bodies: Arc<Mutex<Vec<_>>> = Arc::default();
    let stored = bodies.clone();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut head = Vec::new();
            let mut line = String::new();
            while reader.read_line(&mut line).unwrap() > 2 {
                head.push(std::mem::take(&mut line).to_lowercase());
            }
            let length = |line: &String| line.strip_prefix("content-length:")?.trim().parse().ok();
            let mut body = vec![0; head.iter().find_map(length).unwrap_or(0)];
            reader.read_exact(&mut body).unwrap();
            let path = head[0].split(' ').nth(1).unwrap().to_owned();
            stored.lock().unwrap().push((path, body));
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    (address, bodies)
}

#[test]
fn a_collector_gets_the_spans_of_a_run() {
    let scratch = Scratch::with_few();
    let (address, bodies) = collector();
    let mut command = scratch.command(&["run", TOPIC, "--docs", "docs", "--session", "s"]);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", &address);
    let ran: Ran = command.output().unwrap().into();
    ran.assert_ended(0, "with a collector");
    let bodies = bodies.lock().unwrap();
    let text: Vec<u8> = bodies.iter().flat_map(|(_, body)| body.clone()).collect();
    let text = String::from_utf8_lossy(&text);
    assert!(
        bodies.iter().all(|(path, _)| path == "/v1/traces"),
        "{bodies:?}"
    );
    for part in [
        "service.name",
        "research",
        "run",
        "stage",
        "step",
        "planner",
    ] {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn without_a_collector_that_answers_a_run_ends_well() {
    let scratch = Scratch::with_few();
    let mut command = scratch.command(&["run", TOPIC, "--docs", "docs", "--session", "s"]);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1");
    let ran: Ran = command.output().unwrap().into();
    ran.assert_ended(0, "without a collector");
    assert!(ran.stdout.starts_with("# "), "{}", ran.stdout);
}
