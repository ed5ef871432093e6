//! What it takes to have models answer: processor time, memory and time against a fake provider, as
//! ratios: 1.00 is the limit.
//!
//! `cargo bench --bench models`, with `-- quick`, `chain` or `batch` for one part. The provider
//! runs in this process and answers soundly after a while; the program is a child.

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
mod server;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Result;

use child::{tell, watched};
use measure::children;
use server::Server;

const TOPIC: &str = "Do heat pumps work in old houses?";

/// Sessions for one figure of processor time.
const RUNS: u32 = 40;
/// What a quick session may take on a provider that answers at once: processor milliseconds and
/// mebibytes.
const CPU_MILLISECONDS: f64 = 100.0;
const MEBIBYTES: f64 = 40.0;

/// A slow provider, and the longest chain of calls that wait for each other: coordinator, planner,
/// a batch of steps, reflector, analyst, writer, reviewer.
const SLOW: Duration = Duration::from_millis(500);
const CHAIN: u32 = 7;
const CHAIN_SHARE: f64 = 1.05;

/// Topics of a batch, at once, calls of each, how long a call takes, and how many calls the
/// provider bears at once (as `config/providers.toml` has it for this protocol).
const TOPICS: u32 = 1000;
const AT_ONCE: &str = "256";
const CALLS: u32 = 9;
const DELAY: Duration = Duration::from_millis(50);
const CALLS_AT_ONCE: u32 = 16;
const BATCH_MEBIBYTES: f64 = 200.0;
const BATCH_SHARE: f64 = 1.15;

fn main() -> Result<()> {
    let named: Vec<String> = std::env::args()
        .skip(1)
        .filter(|name| !name.starts_with('-'))
        .collect();
    let wanted = |part: &str| named.is_empty() || named.iter().any(|name| name == part);
    if wanted("quick") {
        quick()?;
    }
    if wanted("chain") {
        chain()?;
    }
    if wanted("batch") {
        batch()?;
    }
    Ok(())
}

fn quick() -> Result<()> {
    let (server, scratch) = (Server::sound(Duration::ZERO), tempfile::tempdir()?);
    let (before, mut most) = (children()?.all(), 0.0_f64);
    for number in 0..RUNS {
        let session = format!("s{number}");
        let arguments = ["run", TOPIC, "--depth", "quick", "--session", &session];
        most = most.max(watched(program(scratch.path(), &server, &arguments)?)?);
    }
    let cpu = (children()?.all() - before) / f64::from(RUNS);
    tell(
        "processor time of a quick session",
        cpu,
        CPU_MILLISECONDS,
        "ms",
    );
    tell("its memory", most, MEBIBYTES, "MiB");
    Ok(())
}

fn chain() -> Result<()> {
    let (server, scratch) = (Server::sound(SLOW), tempfile::tempdir()?);
    let begun = Instant::now();
    let arguments = ["run", TOPIC, "--depth", "quick", "--session", "s"];
    watched(program(scratch.path(), &server, &arguments)?)?;
    let allowed = (SLOW * CHAIN).as_secs_f64() * 1000.0 * CHAIN_SHARE;
    let took = begun.elapsed().as_secs_f64() * 1000.0;
    tell(
        "time of a quick session at 500 ms a call",
        took,
        allowed,
        "ms",
    );
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
    let most = watched(program(scratch.path(), &server, &arguments)?)?;
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

fn program(directory: &Path, server: &Server, arguments: &[&str]) -> Result<Child> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/heat-pumps");
    let mut command = Command::new(env!("CARGO_BIN_EXE_research"));
    let child = command
        .current_dir(directory)
        .env_clear()
        .env("HOME", directory)
        .env("OPENAI_BASE_URL", server.url())
        .args(arguments)
        .arg("--docs")
        .arg(docs)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok(child)
}
