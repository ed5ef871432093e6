//! Workers on machines that share a queue and an object store, but no directory.

use super::{Queue, Worker, all_files, of_one_batch, topics, with_costs};
use crate::harness::Scratch;

/// A worker in a directory of its own.
fn worker(queue: &Queue, machine: &Scratch, store: &str) -> Worker {
    let arguments = [
        "worker",
        "--until-empty",
        "--docs",
        "docs",
        "-j4",
        "--store",
        store,
    ];
    let mut command = machine.command(&arguments);
    command.env("RESEARCH_QUEUE__URL", queue.server.url());
    command.env("RESEARCH_QUEUE__LEASE_SECONDS", "1");
    Worker::start(command)
}

#[test]
fn machines_finish_each_topic_with_the_same_bytes_whoever_dies() {
    let (mut queue, topics) = (Queue::new(), topics(60));
    assert_eq!(queue.submit(&topics, &[]), (60, 0));
    let directory = tempfile::tempdir().unwrap();
    let store = format!("file://{}", directory.path().display());
    let machines = [(); 3].map(|()| with_costs());
    let [mut killed, mut stopped, mut alive] = machines
        .each_ref()
        .map(|machine| worker(&queue, machine, &store));
    killed.next_report();
    killed.signal("-KILL");
    killed.child.wait().unwrap();
    stopped.next_report();
    stopped.signal("-STOP");
    alive.next_report();
    queue.server.kill();
    queue.server.start_again();
    // The stopped worker wakes up when all of its topics are done.
    alive.finish();
    stopped.signal("-CONT");
    stopped.finish();
    assert_eq!(queue.counts(), [0, 0, 0]);
    let reader = with_costs();
    reader.expect(0, &["pull", "--all", "--quiet", "--store", &store]);
    let (mut ours, expected) = (all_files(&reader), of_one_batch(&topics));
    ours.retain(|name, _| !name.ends_with("/.store.json"));
    let missing = expected.keys().find(|name| !ours.contains_key(*name));
    assert_eq!((ours.len(), missing), (expected.len(), None));
    assert!(ours == expected);
}
