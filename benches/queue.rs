//! The throughput of workers of a queue, and the processor time that the queue costs, as ratios:
//! 1.00 is the limit.
//!
//! `cargo bench --features nats --bench queue`, with `-- throughput` or `overhead` for one part.
//! The server is Debian's; the provider runs in this process; the workers are children. Processor
//! time is measured with TMPDIR in memory: what a disk takes for flushes differs from run to run by
//! more than the limit.

#[path = "../tests/it/models/answers.rs"]
mod answers;
#[path = "measure/child.rs"]
mod child;
mod measure;
#[path = "../tests/it/models/server.rs"]
#[expect(
    dead_code,
    clippy::unwrap_used,
    reason = "the tests' provider, of which a measurement needs a part"
)]
mod models;
#[path = "../tests/it/queue/nats_server.rs"]
#[expect(
    dead_code,
    clippy::unwrap_used,
    reason = "the tests' server, of which a measurement needs a part"
)]
mod nats_server;
#[path = "measure/parts.rs"]
mod parts;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Result;
use tempfile::TempDir;

use child::{tell, watched};
use measure::{children, of_process};
use nats_server::Server;
use parts::Parts;

/// The time that a call takes, the topics of each worker, and how many it runs at once.
const LATENCY: Duration = Duration::from_millis(200);
const TOPICS: usize = 160;
const JOBS: &str = "-j8";
/// The share of the throughput that so many times one worker would have.
const SHARE_OF_LINEAR: f64 = 0.9;

/// Topics without a model by which processor time is measured, and how often; the best counts.
const CHEAP_TOPICS: usize = 1000;
const REPETITIONS: usize = 3;
/// What a session of a queue may take more than one of a batch: of the worker and of the server.
const OVERHEAD_MILLISECONDS: f64 = 2.0;

const OPTIONS: [&str; 4] = ["--depth", "quick", "--docs", "docs"];

fn main() -> Result<()> {
    let parts = Parts::of_arguments();
    if parts.have("throughput") {
        throughput()?;
    }
    if parts.have("overhead") {
        overhead()?;
    }
    Ok(())
}

fn throughput() -> Result<()> {
    let alone = seconds(1)?;
    for workers in [2, 4] {
        // Each worker has as many topics as the one alone.
        let share = alone / seconds(workers)?;
        let rate = (workers * TOPICS) as f64 * share / alone;
        tell(
            &format!("one worker's throughput to that of each of {workers} ({rate:.1} a second)"),
            100.0 / share,
            100.0 / SHARE_OF_LINEAR,
            "%",
        );
    }
    Ok(())
}

/// The seconds until so many workers have emptied a queue.
fn seconds(workers: usize) -> Result<f64> {
    let models = models::Server::sound(LATENCY);
    let (server, directory) = (Server::start(), directory(workers * TOPICS)?);
    submit(&directory, &server)?;
    let begun = Instant::now();
    let start = |_| worker(&directory, &server, Some(&models));
    let workers: Vec<Child> = (0..workers).map(start).collect::<Result<_>>()?;
    for worker in workers {
        watched(worker)?;
    }
    Ok(begun.elapsed().as_secs_f64())
}

fn overhead() -> Result<()> {
    let best = |measured: fn() -> Result<f64>| -> Result<f64> {
        let all: Vec<f64> = (0..REPETITIONS)
            .map(|_| measured())
            .collect::<Result<_>>()?;
        Ok(all.into_iter().fold(f64::INFINITY, f64::min) / CHEAP_TOPICS as f64)
    };
    let batch = best(|| {
        let (directory, before) = (directory(CHEAP_TOPICS)?, children()?.all());
        let batch = [&["batch", "list.txt", JOBS], &OPTIONS[..]].concat();
        watched(program(&directory, &batch).spawn()?)?;
        Ok(children()?.all() - before)
    })?;
    let queue = best(|| {
        let (server, directory) = (Server::start(), directory(CHEAP_TOPICS)?);
        let before = children()?.all();
        submit(&directory, &server)?;
        watched(worker(&directory, &server, None)?)?;
        Ok(children()?.all() - before + of_process(server.id())?)
    })?;
    tell(
        &format!("processor time of the queue and its server a session ({batch:.1} ms without)"),
        queue - batch,
        OVERHEAD_MILLISECONDS,
        "ms",
    );
    Ok(())
}

/// A directory with the documents and so many topics.
fn directory(topics: usize) -> Result<TempDir> {
    let directory = tempfile::tempdir()?;
    let docs = directory.path().join("docs");
    fs::create_dir(&docs)?;
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/heat-pumps");
    for file in fs::read_dir(examples)? {
        let file = file?;
        fs::copy(file.path(), docs.join(file.file_name()))?;
    }
    let topic = |number| format!("What does heat pump {number} cost?\n");
    let list: String = (0..topics).map(topic).collect();
    fs::write(directory.path().join("list.txt"), list)?;
    Ok(directory)
}

fn submit(directory: &TempDir, server: &Server) -> Result<()> {
    let submit = [&["submit", "list.txt"], &OPTIONS[..]].concat();
    let mut program = program(directory, &submit);
    watched(program.env("RESEARCH_QUEUE__URL", server.url()).spawn()?)?;
    Ok(())
}

fn worker(directory: &TempDir, server: &Server, models: Option<&models::Server>) -> Result<Child> {
    let worker = [&["worker", "--until-empty", JOBS], &OPTIONS[..]].concat();
    let mut command = program(directory, &worker);
    command.env("RESEARCH_QUEUE__URL", server.url());
    if let Some(models) = models {
        command
            .env("OPENAI_BASE_URL", models.url())
            .env("RESEARCH_MODEL", "openai:fake");
    }
    Ok(command.spawn()?)
}

fn program(directory: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_research"));
    command
        .current_dir(directory)
        .env_clear()
        .env("HOME", directory.path())
        .env("RESEARCH_MODEL", "rules")
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}
