//! What happened, as it happens: one enum feeds the log, the progress display and other programs.
//!
//! The log is advice. An artifact is written first and its event after, a torn last line is cut off
//! at the next start, and nothing is ever decided by it.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Error, Result};
use serde::{Deserialize, Serialize};

use super::stamps::read_limited;
use super::{Clock, Digest, Disk};
use crate::platform::refuse_links;

const NAME: &str = "events.jsonl";

/// Something that happened in a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A process took the session's lock with something to do.
    RunStarted {
        /// The process.
        pid: u32,
    },
    /// A stage began.
    StageStarted {
        /// Its name.
        stage: String,
        /// The round, from 1.
        round: u32,
        /// Why it runs.
        reason: String,
    },
    /// A stage tells what it is doing.
    Progress {
        /// The stage's name.
        stage: String,
        /// What it is doing, for people.
        message: String,
    },
    /// A stage's gate is on disk.
    StageFinished {
        /// The stage's name.
        stage: String,
        /// The round, from 1.
        round: u32,
        /// The gate's hash.
        digest: Digest,
    },
    /// A stage gave up; what it had gathered is kept.
    StageFailed {
        /// The stage's name.
        stage: String,
        /// What went wrong.
        problem: String,
    },
    /// A stage waits for a person; what it had gathered is kept.
    StageWaits {
        /// The stage's name.
        stage: String,
        /// For what.
        message: String,
    },
    /// Files were moved aside.
    SetAside {
        /// Where to, in the session.
        to: String,
        /// Why.
        reason: String,
        /// Which.
        files: Vec<String>,
    },
    /// The report was published.
    Published {
        /// The file.
        file: String,
        /// The round whose report it is.
        round: u32,
        /// Whether no round reached the threshold.
        below_threshold: bool,
    },
    /// A run died waiting for the answer of a paid call. It is asked again, and may be paid for
    /// twice.
    PossiblyBilled {
        /// The call's file.
        file: String,
    },
    /// The run was interrupted and can be resumed.
    Interrupted,
    /// Nothing is left to do.
    RunFinished,
    /// The log cannot be written: what happens from here on may be missing in it. Told once a run,
    /// and only to the observer.
    LogLost {
        /// Why.
        problem: String,
    },
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// When, RFC 3339.
    pub at: String,
    /// What.
    pub event: Event,
}

/// Sees each event as it happens: the progress display, a server.
pub type Observer = Arc<dyn Fn(&Event) + Send + Sync>;

/// The log of one session, and who else listens.
#[derive(Clone)]
pub struct EventLog {
    path: PathBuf,
    disk: Disk,
    clock: Clock,
    observer: Option<Observer>,
    /// Whether it was told that the log cannot be written.
    is_lost: Arc<AtomicBool>,
}

impl EventLog {
    /// The log in `session`.
    pub fn new(session: &Path, disk: Disk, clock: Clock, observer: Option<Observer>) -> Self {
        Self {
            path: session.join(NAME),
            disk,
            clock,
            observer,
            is_lost: Arc::default(),
        }
    }

    /// Tells the observer, then appends one line in one write. That this fails is told once, and is
    /// no reason to stop: what the line tells of is there.
    pub fn log(&self, event: Event) {
        self.observe(&event);
        if let Err(error) = self.append(event) {
            self.lose(&error);
        }
    }

    fn observe(&self, event: &Event) {
        if let Some(observer) = &self.observer {
            observer(event);
        }
    }

    fn lose(&self, error: &Error) {
        if !self.is_lost.swap(true, Ordering::SeqCst) {
            let problem = format!("{error:#}");
            self.observe(&Event::LogLost { problem });
        }
    }

    fn append(&self, event: Event) -> Result<()> {
        let entry = Entry {
            at: self.clock.stamp(),
            event,
        };
        let mut line = serde_json::to_vec(&entry)?;
        line.push(b'\n');
        // A line that was torn must not swallow the next one, which tells of the failure.
        self.disk.append(&self.path, &line).inspect_err(|_| {
            let _ = self.cut();
        })
    }

    /// Cuts off a last line that a crash tore; that this fails is told as in [`Self::log`].
    pub fn mend(&self) {
        if let Err(error) = self.cut() {
            self.lose(&error);
        }
    }

    fn cut(&self) -> Result<()> {
        let Ok(bytes) = read_limited(&self.path) else {
            return Ok(());
        };
        let whole = whole_lines(&bytes).len();
        if whole == bytes.len() {
            return Ok(());
        }
        refuse_links(OpenOptions::new().write(true))
            .open(&self.path)
            .and_then(|file| file.set_len(whole as u64))
            .with_context(|| format!("failed to mend {}", self.path.display()))
    }
}

/// The events of a session, oldest first. A torn last line and lines of a newer program are passed
/// over.
pub fn read_events(session: &Path) -> Vec<Entry> {
    let bytes = read_limited(&session.join(NAME)).unwrap_or_default();
    whole_lines(&bytes)
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect()
}

fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n');
    &bytes[..end.map_or(0, |position| position + 1)]
}
