//! What it takes to have models answer: processor time, memory and time against a fake provider, as
//! ratios: 1.00 is the limit.
//!
//! `cargo bench --bench models`, with `-- quick`, `chain`, `batch` or `waiting` for one part. The
//! provider runs in this process and answers soundly after a while; the program is a child.

#[path = "../tests/it/models/answers.rs"]
mod answers;
#[path = "measure/child.rs"]
mod child;
mod measure;
#[path = "measure/parts.rs"]
mod parts;
#[path = "../tests/it/models/server.rs"]
#[expect(
    dead_code,
    clippy::unwrap_used,
    reason = "the tests' provider, of which a measurement needs a part"
)]
mod server;

use std::fs::{self, DirEntry};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

use child::{memory, tell, watched};
use measure::children;
use parts::Parts;
use server::{Act, Server};

const TOPIC: &str = "Do heat pumps work in old houses?";

/// Sessions for one figure of processor time.
const RUNS: u32 = 40;
/// What a session may take on a provider that answers at once: processor milliseconds, more of them
/// for each call, and mebibytes.
const CPU_MILLISECONDS: f64 = 70.0;
const CPU_MILLISECONDS_A_CALL: f64 = 3.0;
const MEBIBYTES: f64 = 34.0;

/// A slow provider. The calls of a session of three steps that wait for each other, besides those
/// of a batch of steps: coordinator, background, planner, analyst, writer and reviewer; and those
/// of a batch: researchers side by side, and the reflector.
const SLOW: Duration = Duration::from_millis(200);
const STEPS: u32 = 3;
const CHAIN: u32 = 6;
const CHAIN_OF_BATCH: u32 = 2;
const CHAIN_SHARE: f64 = 1.05;

/// Settings under which a session of depth quick has three steps and asks every agent.
const ALL_AGENTS: [(&str, &str); 3] = [
    ("RESEARCH_DEPTH__QUICK__MODEL_STEPS", "3"),
    ("RESEARCH_DEPTH__QUICK__BACKGROUND", "true"),
    ("RESEARCH_DEPTH__QUICK__REFLECTION", "true"),
];

/// Topics of a batch, at once, calls of each, how long a call takes, and how many calls the
/// provider bears at once (as `config/providers.toml` has it for this protocol).
const TOPICS: u32 = 1000;
const AT_ONCE: &str = "256";
const CALLS: u32 = 9;
const DELAY: Duration = Duration::from_millis(50);
const CALLS_AT_ONCE: u32 = 16;
const BATCH_MEBIBYTES: f64 = 200.0;
const BATCH_SHARE: f64 = 1.15;

/// Sessions that wait at once for a provider that never answers, and the memory of all of them.
const WAITING: usize = 10_000;
const WAITING_MEBIBYTES: f64 = 1024.0;
/// The longest that they may take to begin.
const PATIENCE: Duration = Duration::from_secs(1800);

fn main() -> Result<()> {
    let parts = Parts::of_arguments();
    if parts.have("quick") {
        quick()?;
    }
    if parts.have("chain") {
        chain()?;
    }
    if parts.have("batch") {
        batch()?;
    }
    if parts.have("waiting") {
        waiting()?;
    }
    Ok(())
}

fn quick() -> Result<()> {
    let (server, scratch) = (Server::sound(Duration::ZERO), tempfile::tempdir()?);
    let (before, mut most) = (children()?.all(), 0.0_f64);
    for number in 0..RUNS {
        let session = format!("s{number}");
        let arguments = ["run", TOPIC, "--depth", "quick", "--session", &session];
        let mut program = program(scratch.path(), &server, &arguments);
        most = most.max(watched(program.envs(ALL_AGENTS).spawn()?)?);
    }
    let cpu = (children()?.all() - before) / f64::from(RUNS);
    let calls = server.calls() as f64 / f64::from(RUNS);
    tell(
        &format!("processor time of a session of {calls} calls"),
        cpu,
        CPU_MILLISECONDS + CPU_MILLISECONDS_A_CALL * calls,
        "ms",
    );
    tell("its memory", most, MEBIBYTES, "MiB");
    Ok(())
}

fn chain() -> Result<()> {
    for researchers in 1..=STEPS {
        let (server, scratch) = (Server::sound(SLOW), tempfile::tempdir()?);
        let begun = Instant::now();
        let arguments = ["run", TOPIC, "--depth", "quick", "--session", "s"];
        let mut program = program(scratch.path(), &server, &arguments);
        let at_once = "RESEARCH_AGENTS__RESEARCHER__MAX_CONCURRENT_RESEARCH_UNITS";
        program
            .envs(ALL_AGENTS)
            .env(at_once, researchers.to_string());
        watched(program.spawn()?)?;
        let took = begun.elapsed().as_secs_f64() * 1000.0;
        let chain = CHAIN + CHAIN_OF_BATCH * STEPS.div_ceil(researchers);
        let allowed = (SLOW * chain).as_secs_f64() * 1000.0 * CHAIN_SHARE;
        tell(
            &format!("time of {chain} calls in a row, {researchers} researchers"),
            took,
            allowed,
            "ms",
        );
    }
    Ok(())
}

fn batch() -> Result<()> {
    let (server, scratch) = (Server::sound(DELAY), tempfile::tempdir()?);
    let topics =
        (0..TOPICS).map(|number| format!("{TOPIC}{}\n", "?".repeat(number as usize % 1000 + 1)));
    fs::write(
        scratch.path().join("topics.txt"),
        topics.collect::<String>(),
    )?;
    let begun = Instant::now();
    let arguments = [
        "batch",
        "topics.txt",
        "--depth",
        "quick",
        "-j",
        AT_ONCE,
        "--timeout",
        "0",
    ];
    let most = watched(program(scratch.path(), &server, &arguments).spawn()?)?;
    let took = begun.elapsed().as_secs_f64() * 1000.0;
    let waits = (DELAY * CALLS * TOPICS / CALLS_AT_ONCE).as_secs_f64() * 1000.0;
    tell(
        "time of 1000 topics, 256 at once",
        took,
        waits * BATCH_SHARE,
        "ms",
    );
    tell("their memory", most, BATCH_MEBIBYTES, "MiB");
    Ok(())
}

fn waiting() -> Result<()> {
    let server = Server::start(Duration::ZERO, Box::new(|_, _| Act::Hang));
    let scratch = tempfile::tempdir()?;
    let topic = |number| format!("What does heat pump {number} cost?\n");
    let topics: String = (0..WAITING).map(topic).collect();
    fs::write(scratch.path().join("topics.txt"), topics)?;
    let jobs = WAITING.to_string();
    let arguments = ["batch", "topics.txt", "--depth", "quick", "-j", &jobs];
    let mut batch = program(scratch.path(), &server, &arguments).spawn()?;
    let begun = Instant::now();
    // A session waits when its first call is in its journal.
    let output = scratch.path().join("research-output");
    let mut waiting = 0;
    while waiting < WAITING && begun.elapsed() < PATIENCE && batch.try_wait()?.is_none() {
        sleep(Duration::from_secs(1));
        let sessions = fs::read_dir(&output).into_iter().flatten();
        let waits = |session: &DirEntry| session.path().join("calls").exists();
        waiting = sessions.flatten().filter(waits).count();
    }
    let most = memory(batch.id());
    batch.kill()?;
    batch.wait()?;
    let most = most.context("the batch has ended")?;
    tell(
        &format!("memory of {waiting} sessions that wait"),
        most,
        WAITING_MEBIBYTES,
        "MiB",
    );
    ensure!(waiting == WAITING, "only {waiting} sessions wait");
    Ok(())
}

fn program(directory: &Path, server: &Server, arguments: &[&str]) -> Command {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/heat-pumps");
    let mut command = Command::new(env!("CARGO_BIN_EXE_research"));
    command
        .current_dir(directory)
        .env_clear()
        .env("HOME", directory)
        .env("OPENAI_BASE_URL", server.url())
        .env("RESEARCH_MODEL", "openai:fake")
        .args(arguments)
        .arg("--docs")
        .arg(docs)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}
