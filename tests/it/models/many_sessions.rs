//! More sessions at once than a batch has threads.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use super::server::{Act, Server};
use super::{ALL_AGENTS, command};
use crate::harness::{Ran, Scratch, tree};

/// The sessions: more than a batch has threads.
const SESSIONS: usize = 72;

/// The longest that the calls of all sessions may take to arrive.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs all topics, so many at once, against a provider that bears as many calls.
fn batch(server: &Server, jobs: &str) -> Scratch {
    let scratch = Scratch::with_few();
    let topic = |number| format!("What does heat pump {number} cost?\n");
    scratch.write("list.txt", (0..SESSIONS).map(topic).collect::<String>());
    let entry = "protocol = \"openai\"\nschema = \"both\"\nstreams = false";
    scratch.write(
        ".config/research/providers.toml",
        format!(
            "[mine]\nbase_url = \"{}/v1/\"\n{entry}\ncalls_at_once = {SESSIONS}\n",
            server.url()
        ),
    );
    let arguments = ["batch", "list.txt", "--docs", "docs", "--depth", "quick"];
    let mut batch = command(&scratch, server, &[&arguments[..], &["-j", jobs]].concat());
    ALL_AGENTS.iter().for_each(|(name, _)| {
        batch.env_remove(name);
    });
    let ran = Ran::from(batch.env("RESEARCH_MODEL", "mine:fake").output().unwrap());
    ran.assert_ended(0, "a batch of many sessions at once");
    scratch
}

#[test]
fn more_sessions_than_threads_wait_at_once_and_end_with_the_same_bytes() {
    let arrived = Arc::new((Mutex::new(0), Condvar::new()));
    let shared = arrived.clone();
    // The first call of each session is answered when those of all others are here.
    let plan = move |_, _: &_| {
        let (count, changed) = &*shared;
        let mut count = count.lock().unwrap();
        *count += 1;
        changed.notify_all();
        let all_wait = changed.wait_timeout_while(count, PATIENCE, |count| *count < SESSIONS);
        let (count, wait) = all_wait.unwrap();
        assert!(!wait.timed_out(), "only {count} sessions call at once");
        Act::Answer
    };
    let server = Server::start(Duration::ZERO, Box::new(plan));
    let at_once = batch(&server, &SESSIONS.to_string());
    let few = batch(&Server::sound(Duration::ZERO), "4");
    let files = |scratch: &Scratch| {
        let mut files = tree(&scratch.path().join("research-output"));
        // Events have the times that calls took; locks, stamps and the batch are of this run.
        files.retain(|name, _| {
            let file = name.rsplit('/').next().unwrap();
            name.contains('/') && !file.starts_with('.') && file != "events.jsonl"
        });
        files
    };
    let (at_once, few) = (files(&at_once), files(&few));
    let reports = few.keys().filter(|name| name.ends_with("/report.md"));
    assert_eq!(reports.count(), SESSIONS);
    let differing = few
        .keys()
        .filter(|name| at_once.get(*name) != few.get(*name));
    assert_eq!(differing.collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(at_once.len(), few.len());
}
