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
    let stat = fs::read_to_string("/proc/self/stat")?;
    let (_, fields) = stat
        .rsplit_once(')')
        .context("/proc/self/stat has another shape")?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let times = fields.get(13..15).context("/proc/self/stat is short")?;
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
