//! The queue on a real server: each topic is finished once, whoever dies. `make test-nats`.

mod cluster;
mod contract;
mod fleet;
#[cfg(feature = "s3")]
mod machines;
mod members;
mod nats_server;
mod proxy;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};

use research::pipeline::Lock;

use crate::harness::{NOW, Ran, Scratch, parsed, tree};
use nats_server::Server;

/// The longest topic, and one more.
const TOO_LONG: usize = (1 << 20) + 1;

/// A directory with a document, and a server.
struct Queue {
    scratch: Scratch,
    server: Server,
}

impl Queue {
    fn new() -> Self {
        Self {
            scratch: with_costs(),
            server: Server::start(),
        }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.scratch.command(arguments);
        command.env("RESEARCH_QUEUE__URL", self.server.url());
        command.env("RESEARCH_QUEUE__LEASE_SECONDS", "1");
        command
    }

    fn expect(&self, code: i32, arguments: &[&str]) -> Ran {
        let ran: Ran = self.command(arguments).output().unwrap().into();
        ran.assert_ended(code, &arguments.join(" "));
        ran
    }

    fn submit(&self, topics: &[String], arguments: &[&str]) -> (u64, u64) {
        self.scratch.write("list.txt", topics.join("\n"));
        let submit = ["submit", "list.txt", "--docs", "docs", "--json"];
        self.submitted(&[&submit[..], arguments].concat())
    }

    fn submitted(&self, arguments: &[&str]) -> (u64, u64) {
        let result = parsed(&self.expect(0, arguments).stdout);
        let number = |name: &str| result[name].as_u64().unwrap();
        (number("queued"), number("waiting"))
    }

    fn worker(&self, arguments: &[&str]) -> Worker {
        let worker = ["worker", "--until-empty", "--docs", "docs"];
        Worker::start(self.command(&[&worker[..], arguments].concat()))
    }

    /// The topics that are pending, leased and dead, of all lanes.
    fn counts(&self) -> [u64; 3] {
        let status = parsed(&self.expect(0, &["status", "--queue", "--json"]).stdout);
        let lanes = status["lanes"].as_array().unwrap().clone();
        ["pending", "leased", "dead"]
            .map(|name| lanes.iter().map(|lane| lane[name].as_u64().unwrap()).sum())
    }

    /// The reasons of the dead letters.
    fn reasons(&self) -> Vec<String> {
        let status = parsed(&self.expect(0, &["status", "--queue", "--json"]).stdout);
        let letters = status["letters"].as_array().unwrap().clone();
        let reason = |letter: &serde_json::Value| letter["reason"].as_str().unwrap().to_owned();
        letters.iter().map(reason).collect()
    }
}

struct Worker {
    child: Child,
    reports: Lines<BufReader<ChildStdout>>,
    log: Lines<BufReader<ChildStderr>>,
}

impl Worker {
    fn start(mut command: Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        Self {
            reports: BufReader::new(child.stdout.take().unwrap()).lines(),
            log: BufReader::new(child.stderr.take().unwrap()).lines(),
            child,
        }
    }

    fn next_report(&mut self) -> String {
        self.reports.next().unwrap().unwrap()
    }

    fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for its end, and returns the reports that it printed since.
    fn finish(self) -> Vec<String> {
        self.finish_with_log().0
    }

    /// The same, and its log.
    fn finish_with_log(mut self) -> (Vec<String>, Vec<String>) {
        let reports: Vec<String> = self.reports.map(|line| line.unwrap()).collect();
        let log: Vec<String> = self.log.map(|line| line.unwrap()).collect();
        assert_eq!(self.child.wait().unwrap().code(), Some(0), "{log:?}");
        assert!(!log.iter().any(|line| line.contains("panicked")), "{log:?}");
        (reports, log)
    }
}

fn with_costs() -> Scratch {
    let (scratch, few) = (Scratch::new(), Scratch::with_few());
    scratch.write("docs/costs.md", few.read("docs/costs.md"));
    scratch
}

fn topics(count: usize) -> Vec<String> {
    let topic = |number| format!("What does a heat pump cost?{}", "!".repeat(number));
    (0..count).map(topic).collect()
}

/// Every file of all sessions, but for caches and logs.
fn all_files(scratch: &Scratch) -> BTreeMap<String, Vec<u8>> {
    let mut files = tree(&scratch.path().join("research-output"));
    files.retain(|name, _| {
        let (session, name) = name.split_once('/').unwrap_or((name, ""));
        !session.starts_with('.')
            && !["", "events.jsonl", ".lock", ".stamps.json"].contains(&name)
            && session != "batch"
    });
    files
}

/// The sessions of one batch of the same topics.
fn of_one_batch(topics: &[String]) -> BTreeMap<String, Vec<u8>> {
    let scratch = with_costs();
    scratch.write("list.txt", topics.join("\n"));
    scratch.expect(0, &["batch", "list.txt", "--docs", "docs", "--quiet"]);
    all_files(&scratch)
}

/// Fails unless all sessions are those of one batch, each published once.
fn assert_same(queue: &Queue, topics: &[String]) {
    let (ours, expected) = (all_files(&queue.scratch), of_one_batch(topics));
    assert!(ours.keys().eq(expected.keys()));
    assert!(ours == expected);
    let sessions = ours
        .keys()
        .filter_map(|name| name.strip_suffix("/session.json"));
    let mut count = 0;
    for session in sessions {
        let events = queue
            .scratch
            .read(&format!("research-output/{session}/events.jsonl"));
        let published = events.lines().filter(|line| line.contains("\"published\""));
        assert_eq!(published.count(), 1, "{session}: {events}");
        count += 1;
    }
    assert_eq!(count, topics.len());
}

#[test]
fn queue_finishes_each_topic_once_whoever_dies() {
    let (mut queue, topics) = (Queue::new(), topics(200));
    assert_eq!(queue.submit(&topics, &[]), (200, 0));
    let mut killed = queue.worker(&["-j4"]);
    let mut stopped = queue.worker(&["-j4"]);
    let mut alive = queue.worker(&["-j4"]);
    killed.next_report();
    killed.signal("-KILL");
    killed.child.wait().unwrap();
    stopped.next_report();
    stopped.signal("-STOP");
    alive.next_report();
    queue.server.kill();
    queue.server.start_again();
    // Until a lease of the stopped worker is over, or all is done.
    let is_in_use = |line: std::io::Result<String>| line.unwrap().contains("in use");
    alive.log.any(is_in_use);
    stopped.signal("-CONT");
    stopped.finish();
    alive.finish();
    assert_eq!(queue.counts(), [0, 0, 0]);
    assert_same(&queue, &topics);
}

#[test]
fn a_topic_that_the_server_never_delivers_is_queued_again() {
    let (queue, topics) = (Queue::new(), topics(3));
    queue.scratch.write("list.txt", topics.join("\n"));
    let mut submit = queue.command(&["submit", "list.txt", "--docs", "docs"]);
    submit.env("RESEARCH_QUEUE__LEASE_SECONDS", "600");
    assert!(submit.status().unwrap().success());
    // The server counts it as leased, and no worker has it.
    queue.server.take("normal-default");
    assert_eq!(queue.counts(), [2, 1, 0]);
    assert_eq!(queue.worker(&[]).finish().len(), 3);
    assert_eq!(queue.counts(), [0, 0, 0]);
    assert_same(&queue, &topics);
}

#[test]
fn submitted_twice_is_queued_once() {
    let (queue, topics) = (Queue::new(), topics(3));
    assert_eq!(queue.submit(&topics, &[]), (3, 0));
    assert_eq!(queue.submit(&topics, &[]), (0, 3));
    assert_eq!(queue.counts(), [3, 0, 0]);
    assert_eq!(queue.worker(&[]).finish().len(), 3);
    // What is finished is acknowledged without running.
    let before = all_files(&queue.scratch);
    assert_eq!(queue.submit(&topics, &[]), (3, 0));
    queue.worker(&[]).finish();
    assert_eq!(queue.counts(), [0, 0, 0]);
    assert!(all_files(&queue.scratch) == before);
    assert_same(&queue, &topics);
}

#[test]
fn poison_becomes_a_dead_letter_with_its_reason() {
    let queue = Queue::new();
    queue.submit(&topics(1), &[]);
    let long = format!("{{\"topic\": \"{}\"}}", "x".repeat(TOO_LONG));
    let missing = "{\"topic\": \"What is missing?\", \"docs\": [\"missing\"]}";
    let poison = [
        ("broken", "{\"topic\": "),
        ("long", &long),
        ("missing", missing),
    ];
    for (name, message) in poison {
        queue.server.publish(
            &format!("research.topics.normal.default.{name}"),
            message.as_bytes(),
        );
    }
    assert_eq!(queue.worker(&[]).finish().len(), 1);
    assert_eq!(queue.counts(), [0, 0, 3]);
    let reasons = queue.reasons();
    for expected in ["its JSON ends in the middle", "1048577 bytes", "missing"] {
        let has_it = |reason: &String| reason.contains(expected);
        assert!(reasons.iter().any(has_it), "{reasons:?}");
    }
    // What was missing is there at the second try.
    queue
        .scratch
        .write("missing/costs.md", queue.scratch.read("docs/costs.md"));
    assert_eq!(queue.submitted(&["submit", "--dead", "--json"]), (3, 0));
    assert_eq!(queue.counts(), [3, 0, 0]);
    queue.worker(&[]).finish();
    assert_eq!(queue.counts(), [0, 0, 2]);
    let text = queue.expect(0, &["status", "--queue"]).stdout;
    assert!(
        text.starts_with("normal-default    0 pending  0 leased  2 dead\n"),
        "{text}"
    );
    assert!(
        text.contains("dead  normal-default  {\"topic\":: "),
        "{text}"
    );
}

#[test]
fn worker_drains_at_a_signal_and_loses_nothing() {
    let (queue, topics) = (Queue::new(), topics(12));
    queue.submit(&topics, &[]);
    let mut first = queue.worker(&["-j2", "--grace", "0"]);
    first.next_report();
    first.signal("-TERM");
    let finished = 1 + first.finish().len() as u64;
    let [pending, leased, dead] = queue.counts();
    assert_eq!((pending + leased + finished, dead), (12, 0));
    let second = queue.worker(&[]).finish();
    assert!(second.len() as u64 >= 12 - finished);
    assert_eq!(queue.counts(), [0, 0, 0]);
    assert_same(&queue, &topics);
}

#[test]
fn session_in_use_is_handed_back_as_often_as_needed() {
    let (queue, topics) = (Queue::new(), topics(1));
    queue.submit(&topics, &[]);
    queue.worker(&[]).finish();
    let files = all_files(&queue.scratch);
    let id = files.keys().next().unwrap().split('/').next().unwrap();
    let path = queue.scratch.path().join("research-output").join(id);
    fs::remove_file(path.join("final_report.md")).unwrap();
    fs::remove_file(path.join("published.json")).unwrap();
    let lock = Lock::acquire(&path, true, NOW).unwrap();
    queue.submit(&topics, &[]);
    let mut worker = queue.worker(&[]);
    let in_use = worker.log.by_ref().map(|line| line.unwrap());
    assert_eq!(
        in_use
            .filter(|line| line.contains("in use"))
            .take(6)
            .count(),
        6
    );
    drop(lock);
    assert_eq!(worker.finish().len(), 1);
    assert_eq!(queue.counts(), [0, 0, 0]);
    assert!(all_files(&queue.scratch) == files);
}

#[test]
fn lanes_take_turns() {
    let (queue, topics) = (Queue::new(), topics(16));
    queue.submit(&topics[..13], &["--tenant", "large"]);
    queue.submit(&topics[13..14], &["--tenant", "small"]);
    queue.submit(&topics[14..], &["--tenant", "small", "--priority", "low"]);
    let reports = queue.worker(&["-j1"]).finish();
    let of = |topics: &[String]| {
        let list = of_one_batch(topics);
        let first = list.keys().next().unwrap();
        format!(
            "research-output/{}/final_report.md",
            first.split('/').next().unwrap()
        )
    };
    let turn = |topic: &[String]| reports.iter().position(|report| *report == of(topic));
    assert!(turn(&topics[13..14]).unwrap() <= 3, "{reports:?}");
    assert!(turn(&topics[15..]).unwrap() <= 7, "{reports:?}");
    assert_eq!(reports.len(), 16);
}

#[test]
fn errors_of_the_queue_say_what_to_do() {
    let scratch = with_costs();
    let refused = |server: &str, expected: &str| {
        let ran = scratch.expect(1, &["status", "--queue", server]);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        ran.stderr
    };
    refused("nats://127.0.0.1:1", "is `nats-server -js` running?");
    let secret = refused(
        "nats://me:secret@127.0.0.1:1",
        "set queue.credentials to its path",
    );
    assert!(!secret.contains("secret"), "{secret}");
    refused("http://127.0.0.1:1", "must be like nats://HOST:4222");
    let none = scratch.expect(1, &["worker"]);
    assert!(
        none.stderr.contains("no queue is set; give --queue"),
        "{}",
        none.stderr
    );
    let plain = Server::on(tempfile::tempdir().unwrap(), -1, "");
    refused(&plain.url(), "start it with `nats-server -js");
    let other = Server::start();
    let stream = br#"{"name": "RESEARCH", "subjects": ["other"], "storage": "file"}"#;
    other.publish("$JS.API.STREAM.CREATE.RESEARCH", stream);
    refused(&other.url(), "was made for something else");
    let denied = Server::on(
        tempfile::tempdir().unwrap(),
        -1,
        "authorization: { token: secret }",
    );
    refused(&denied.url(), "refuses the credentials");
}
