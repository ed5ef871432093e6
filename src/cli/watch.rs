//! Follows a session that another process runs: reads its event log until that process ends.

use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use chrono::DateTime;

use super::Program;
use super::progress::Progress;
use crate::pipeline::{Event, EventReader, Lock, LogEntry};

/// The interval at which the log is read (chosen by hand: a person sees no delay).
const POLL: Duration = Duration::from_millis(200);

/// Shows the events of the run in the session at `path`, from its start until its end: as JSON
/// lines with `--json`, else as the run itself does. A session that nobody runs shows none.
pub(super) fn watch(program: &Program<'_>, path: &Path) -> Result<()> {
    let mut is_running = Lock::is_locked(path);
    if !is_running {
        return Ok(());
    }
    let mut log = EventReader::new(path);
    let first = of_last_run(log.read());
    let progress = Progress::since(*program.output, program.verbose, age(program, &first));
    let mut entries = first;
    loop {
        for entry in &entries {
            show(program, &progress, entry)?;
        }
        if !is_running {
            break;
        }
        thread::sleep(POLL);
        // Asked before the log is read, so that the last events are not missed.
        is_running = Lock::is_locked(path);
        entries = log.read();
    }
    progress.finish();
    Ok(())
}

fn show(program: &Program<'_>, progress: &Progress, entry: &LogEntry) -> Result<()> {
    if program.output.json {
        program.output.line(entry)?;
    } else {
        progress.show(&entry.event);
    }
    Ok(())
}

/// Returns the events since the last start of a run.
fn of_last_run(mut entries: Vec<LogEntry>) -> Vec<LogEntry> {
    let is_start = |entry: &LogEntry| matches!(entry.event, Event::RunStarted { .. });
    let start = entries.iter().rposition(is_start);
    entries.split_off(start.unwrap_or(0))
}

/// Returns the time since the first of these events.
fn age(program: &Program<'_>, entries: &[LogEntry]) -> Duration {
    let began = entries.first().map(|entry| entry.at.as_str());
    let began = began.and_then(|at| DateTime::parse_from_rfc3339(at).ok());
    let age = began.map(|began| program.clock.now().signed_duration_since(began));
    age.and_then(|age| age.to_std().ok()).unwrap_or_default()
}
