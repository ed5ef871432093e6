//! The throughput of workers and the processor time that the queue costs. Both measure time, so
//! they are run by hand, on a quiet machine:
//! `cargo test --release --features nats --test it throughput -- --ignored --nocapture`.

use std::fs;
use std::time::{Duration, Instant};

use super::{Queue, topics};
use crate::models::server::Server as Models;

/// The time that a model takes to answer.
const LATENCY: Duration = Duration::from_millis(200);

/// The topics of each worker, and how many it runs at once.
const TOPICS: usize = 80;
const JOBS: &str = "-j8";

/// The topics by which processor time is measured, without a model.
const CHEAP_TOPICS: usize = 400;

/// The processor time of all children that have ended, in seconds: the fields `cutime` and `cstime`
/// of `/proc/self/stat`, in ticks of 10 ms.
fn children_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let ticks = fields.split_whitespace().skip(13).take(2);
    ticks
        .map(|field| field.parse::<f64>().unwrap() / 100.0)
        .sum()
}

/// Seconds until so many workers have emptied a queue of [`TOPICS`] each.
fn seconds(workers: usize) -> f64 {
    let (queue, models) = (Queue::new(), Models::sound(LATENCY));
    let count = workers * TOPICS;
    let submitted = queue.submit(&topics(count), &["--depth", "quick"]);
    assert_eq!(submitted, (count as u64, 0));
    let start = |_| {
        let arguments = [
            "worker",
            "--until-empty",
            "--docs",
            "docs",
            JOBS,
            "--depth",
            "quick",
        ];
        let mut command = queue.command(&arguments);
        command
            .env_remove("RESEARCH_MODEL")
            .env("OPENAI_BASE_URL", models.url());
        super::Worker::start(command)
    };
    let begun = Instant::now();
    let started: Vec<_> = (0..workers).map(start).collect();
    let finished: usize = started
        .into_iter()
        .map(|worker| worker.finish().len())
        .sum();
    assert_eq!(finished, count);
    begun.elapsed().as_secs_f64()
}

#[test]
#[ignore = "measures time"]
fn throughput_of_workers_is_linear() {
    let alone = seconds(1);
    println!("1 worker: {:.1} sessions a second", TOPICS as f64 / alone);
    for workers in [2, 4] {
        let seconds = seconds(workers);
        println!(
            "{workers} workers: {:.1} sessions a second, {:.2} of linear",
            (workers * TOPICS) as f64 / seconds,
            alone / seconds
        );
    }
}

#[test]
#[ignore = "measures time"]
fn the_queue_costs_little_processor_time() {
    let topics = topics(CHEAP_TOPICS);
    let measured = |run: &dyn Fn()| {
        let before = children_seconds();
        run();
        (children_seconds() - before) * 1000.0 / CHEAP_TOPICS as f64
    };
    let best = |run: &dyn Fn() -> f64| (0..3).map(|_| run()).fold(f64::INFINITY, f64::min);
    let batch = best(&|| {
        let scratch = super::with_costs();
        scratch.write("list.txt", topics.join("\n"));
        let batch = ["batch", "list.txt", "--docs", "docs", JOBS, "--quiet"];
        measured(&|| {
            scratch.expect(0, &batch);
        })
    });
    let worker = best(&|| {
        let queue = Queue::new();
        queue.submit(&topics, &[]);
        measured(&|| {
            queue.worker(&[JOBS]).finish();
        })
    });
    println!("processor time of a session: {batch:.2} ms in a batch, {worker:.2} ms of a queue");
}
