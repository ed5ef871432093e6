//! Events and reporters. One enum, [`Event`], covers everything that happens in a session, and
//! feeds the event log, the progress display and other programs; a [`Report`] adds the jobs of a
//! batch.
//!
//! The log (`events.jsonl`) is informational: no decision reads it. An artifact is written before
//! its event, and a torn last line is cut off at the next start.

use std::convert::Infallible;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Error, Result};
use serde::{Deserialize, Serialize};

use super::session_files::read_file;
use super::{Clock, Digest, Disk};
use crate::platform::refuse_links;

/// The name of the event log in a session.
const NAME: &str = "events.jsonl";

/// Something that happened in a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A process acquired the session's lock and has something to do.
    RunStarted {
        /// The process id.
        pid: u32,
    },
    /// A stage began.
    StageStarted {
        /// The stage's name.
        stage: String,
        /// The round, from 1.
        round: u32,
        /// The reason why the stage runs.
        reason: String,
    },
    /// A stage reports its progress.
    Progress {
        /// The stage's name.
        stage: String,
        /// The work in progress, for display.
        message: String,
    },
    /// A stage's gate is on disk.
    StageFinished {
        /// The stage's name.
        stage: String,
        /// The round, from 1.
        round: u32,
        /// The gate's digest.
        digest: Digest,
    },
    /// A stage failed; everything that it has gathered is preserved.
    StageFailed {
        /// The stage's name.
        stage: String,
        /// The error.
        problem: String,
    },
    /// A stage waits for the user; everything that it has gathered is preserved.
    StageWaits {
        /// The stage's name.
        stage: String,
        /// The question to the user.
        message: String,
    },
    /// Files were superseded: moved to `superseded/N` or `rounds/N`.
    #[serde(rename = "set_aside")]
    Superseded {
        /// The directory of the session that they were moved to.
        to: String,
        /// The reason.
        reason: String,
        /// The files.
        files: Vec<String>,
    },
    /// The report was published.
    Published {
        /// The file.
        file: String,
        /// The round whose report it is.
        round: u32,
        /// `true` if no round reached the threshold.
        below_threshold: bool,
    },
    /// A run crashed while a paid call was in flight. The call is repeated, and may be billed
    /// twice.
    PossiblyBilled {
        /// The call's file.
        file: String,
    },
    /// The run was interrupted and can be resumed.
    Interrupted,
    /// Nothing is left to do.
    RunFinished,
    /// The log cannot be written, so it may lack everything from here on. Reported once per run,
    /// and never logged.
    LogLost {
        /// The error.
        problem: String,
    },
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    /// The time, RFC 3339.
    pub at: String,
    /// The event.
    pub event: Event,
}

/// A message to a [`Reporter`]. Workers are numbered from 0. `J` is the result of a job of a batch;
/// a run of a single session has none.
#[derive(Debug)]
pub enum Report<'a, J = Infallible> {
    /// Something happened in a session.
    Session {
        /// The worker of a batch that works on the session; `None` in a single run.
        worker: Option<usize>,
        /// The event.
        event: &'a Event,
    },
    /// A worker began a job.
    JobStarted {
        /// The worker.
        worker: usize,
        /// The job's name, for display.
        name: &'a str,
    },
    /// A job is finished. These reports come in the order in which jobs finish.
    JobFinished {
        /// The worker; `None` if the job needed none.
        worker: Option<usize>,
        /// The number of jobs that are finished, this one included.
        finished: u64,
        /// The result.
        job: &'a J,
    },
    /// The same result again, in the order of the list of jobs.
    JobInOrder(&'a J),
}

impl<J> Clone for Report<'_, J> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<J> Copy for Report<'_, J> {}

/// Receives each report as it happens: the progress display, a server. Engine, run and batch share
/// it.
pub type Reporter<J = Infallible> = Arc<dyn Fn(&Report<'_, J>) + Send + Sync>;

/// The reporter of one worker: passes the events of its sessions on to the batch's `reporter`.
pub fn worker_reporter<J: 'static>(reporter: &Reporter<J>, worker: usize) -> Reporter {
    let reporter = Arc::clone(reporter);
    Arc::new(move |report| {
        // The batch itself reports the start and the end of jobs.
        if let Report::Session { event, .. } = *report {
            let worker = Some(worker);
            reporter(&Report::Session { worker, event });
        }
    })
}

/// The log of one session, and the reporter that sees each event first.
#[derive(Clone)]
pub struct EventLog {
    path: PathBuf,
    disk: Disk,
    clock: Clock,
    reporter: Option<Reporter>,
    /// `true` once the failure to write the log has been reported.
    is_lost: Arc<AtomicBool>,
}

impl EventLog {
    /// The log in `session`.
    pub fn new(session: &Path, disk: Disk, clock: Clock, reporter: Option<Reporter>) -> Self {
        Self {
            path: session.join(NAME),
            disk,
            clock,
            reporter,
            is_lost: Arc::default(),
        }
    }

    /// Reports the event, then appends one line in one write. A failure to append is reported once
    /// and does not stop the run: the artifact that the line is about is on disk.
    pub fn log(&self, event: Event) {
        // Reported first: the display does not depend on the disk.
        self.report(&event);
        if let Err(error) = self.append(event) {
            self.report_lost(&error);
        }
    }

    fn report(&self, event: &Event) {
        if let Some(reporter) = &self.reporter {
            let worker = None;
            reporter(&Report::Session { worker, event });
        }
    }

    fn report_lost(&self, error: &Error) {
        if !self.is_lost.swap(true, Ordering::SeqCst) {
            let problem = format!("{error:#}");
            self.report(&Event::LogLost { problem });
        }
    }

    fn append(&self, event: Event) -> Result<()> {
        let entry = LogEntry {
            at: self.clock.timestamp(),
            event,
        };
        let mut line = serde_json::to_vec(&entry)?;
        line.push(b'\n');
        // A line torn by a full disk must not run into the next line, which reports the failure.
        self.disk.append(&self.path, &line).inspect_err(|_| {
            let _ = self.truncate_torn_line();
        })
    }

    /// Cuts off a last line that a crash left incomplete (crash recovery of the log); a failure is
    /// reported as in [`Self::log`].
    pub fn repair(&self) {
        if let Err(error) = self.truncate_torn_line() {
            self.report_lost(&error);
        }
    }

    fn truncate_torn_line(&self) -> Result<()> {
        // A missing log needs no repair; any other problem shows when the next line is appended.
        let Ok(bytes) = read_file(&self.path) else {
            return Ok(());
        };
        let length = complete_lines(&bytes).len();
        if length == bytes.len() {
            return Ok(());
        }
        refuse_links(OpenOptions::new().write(true))
            .open(&self.path)
            .and_then(|file| file.set_len(length as u64))
            .with_context(|| format!("failed to repair {}", self.path.display()))
    }
}

/// The events of a session, oldest first. A torn last line and lines of a newer program are
/// skipped.
pub fn read_events(session: &Path) -> Vec<LogEntry> {
    let bytes = read_file(&session.join(NAME)).unwrap_or_default();
    complete_lines(&bytes)
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect()
}

/// The bytes up to and including the last newline.
fn complete_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n');
    &bytes[..end.map_or(0, |position| position + 1)]
}
