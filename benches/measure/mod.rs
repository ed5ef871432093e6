//! What benchmarks of the whole program share: the processor time of its runs, and where results
//! go.

use std::fs;

use anyhow::{Context, Result};

/// Linux counts children's time in hundredths of a second (`USER_HZ`).
const TICK_MILLISECONDS: f64 = 10.0;

/// Processor time in milliseconds.
pub(crate) struct Spent {
    /// By the programs themselves.
    pub(crate) own: f64,
    /// By the system for them.
    pub(crate) system: f64,
}

impl Spent {
    /// Both.
    pub(crate) fn all(&self) -> f64 {
        self.own + self.system
    }
}

/// What all finished children spent (fields 16 and 17 of proc_pid_stat(5)).
pub(crate) fn children() -> Result<Spent> {
    spent("/proc/self/stat", 13)
}

/// What a running process has spent (fields 14 and 15 of proc_pid_stat(5)).
#[allow(dead_code, reason = "not every measurement has a server")]
pub(crate) fn of_process(id: u32) -> Result<f64> {
    Ok(spent(&format!("/proc/{id}/stat"), 11)?.all())
}

/// The two times from a field of a `stat` file on, counted behind the name of the process.
fn spent(path: &str, first: usize) -> Result<Spent> {
    let stat = fs::read_to_string(path)?;
    let (_, fields) = stat
        .rsplit_once(')')
        .context("the file of a process has another shape")?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let times = fields
        .get(first..first + 2)
        .context("the file of a process is short")?;
    Ok(Spent {
        own: times[0].parse::<f64>()? * TICK_MILLISECONDS,
        system: times[1].parse::<f64>()? * TICK_MILLISECONDS,
    })
}

#[expect(
    clippy::print_stdout,
    reason = "a benchmark's result is what it prints"
)]
pub(crate) fn print(text: &str) {
    println!("{text}");
}
