//! The limits that this program holds itself to, as ratios: 1.00 is the limit, less is better.
//!
//! `cargo bench --bench limits`. A finished session is resumed, and the program is started, many
//! times over; the processor time is that which the system accounts to finished children, in ticks
//! of 10 ms, so many runs are needed for one figure.

mod measure;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use measure::{children, print};

/// Runs for one figure.
const RUNS: u32 = 300;
/// Processor time for a finished session, in milliseconds.
const NO_OP_MILLISECONDS: f64 = 5.0;
/// Time to start, in milliseconds.
const START_MILLISECONDS: f64 = 10.0;

fn main() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let output = scratch
        .path()
        .to_str()
        .context("the scratch directory is not UTF-8")?;
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/heat-pumps");
    let docs = docs.to_str().context("the example's path is not UTF-8")?;
    let topic = "Do heat pumps work in old houses?";
    run(&["run", topic, "--docs", docs, "--output-dir", output, "-q"])?;
    let resume = ["run", "--resume", "last", "--output-dir", output, "-q"];
    let (cpu, _) = measured(&resume)?;
    let (_, wall) = measured(&["--version"])?;
    tell(
        "processor time of a finished session",
        cpu,
        NO_OP_MILLISECONDS,
    );
    tell("time to start", wall, START_MILLISECONDS);
    Ok(())
}

/// Milliseconds of processor time and of time for one run, the mean of many.
fn measured(arguments: &[&str]) -> Result<(f64, f64)> {
    let (before, start) = (children()?.all(), Instant::now());
    for _ in 0..RUNS {
        run(arguments)?;
    }
    let wall = start.elapsed().as_secs_f64() * 1000.0 / f64::from(RUNS);
    let cpu = (children()?.all() - before) / f64::from(RUNS);
    Ok((cpu, wall))
}

fn run(arguments: &[&str]) -> Result<()> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_research"));
    let status = command.args(arguments).stdout(Stdio::null()).status()?;
    ensure!(
        status.success(),
        "research {arguments:?} ended with {status}"
    );
    Ok(())
}

fn tell(what: &str, milliseconds: f64, limit: f64) {
    print(&format!(
        "{what}: {:.2} of the limit ({milliseconds:.2} ms of {limit} ms)",
        milliseconds / limit
    ));
}
