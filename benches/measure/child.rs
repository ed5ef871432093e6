//! What benchmarks of one run of the program share: its memory, and a ratio to a limit.

use std::fs;
use std::process::Child;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::measure::print;

/// Waits for a child, and says how much memory it had at most, in MiB.
pub(crate) fn watched(mut child: Child) -> Result<f64> {
    let mut most = 0.0;
    let status = loop {
        most = memory(child.id()).unwrap_or(most);
        if let Some(status) = child.try_wait()? {
            break status;
        }
        sleep(Duration::from_millis(2));
    };
    ensure!(status.success(), "the program ended with {status}");
    Ok(most)
}

/// The most memory that a process has had, in MiB.
pub(crate) fn memory(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes / 1024.0)
}

/// Prints what was found as a share of what is allowed.
pub(crate) fn tell(what: &str, measured: f64, allowed: f64, unit: &str) {
    print(&format!(
        "{:.2}  {what}: {measured:.0} {unit}, allowed {allowed:.0}",
        measured / allowed
    ));
}
