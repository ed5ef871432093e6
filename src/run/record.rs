//! What a batch came to, topic by topic in the order of its list: `batch.json`, written as it goes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::pipeline::{Disk, Stream};

/// Topics that may be finished before an earlier one is: so many are held in memory at most.
pub(super) const AHEAD: u64 = 1024;

/// How one topic of a batch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Its report is there.
    Complete,
    /// Its report is there, but no round reached the threshold.
    BelowThreshold,
    /// Its report is there and says that the documents are silent.
    NoEvidence,
    /// As far as `--until` says.
    Stopped,
    /// It would run (`--dry-run`).
    WouldRun,
    /// The list has it a second time.
    Duplicate,
    /// Another process works on it.
    InUse,
    /// It waits for an answer.
    NeedsClarification,
    /// Its budget, or that of the batch, is exhausted; it can be resumed.
    Exhausted,
    /// It was interrupted.
    Interrupted,
    /// It failed.
    Failed,
}

impl Ending {
    /// As people read it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::BelowThreshold => "below threshold",
            Self::NoEvidence => "no evidence",
            Self::Stopped => "stopped as asked",
            Self::WouldRun => "would run",
            Self::Duplicate => "duplicate",
            Self::InUse => "in use",
            Self::NeedsClarification => "not clear",
            Self::Exhausted => "budget exhausted",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }

    /// Whether there is a report.
    pub fn is_published(self) -> bool {
        matches!(
            self,
            Self::Complete | Self::BelowThreshold | Self::NoEvidence
        )
    }
}

/// What one topic of a batch came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its line in the list, from 1.
    pub line: u64,
    /// What was to be researched; the line as it stands if it could not be understood.
    pub topic: String,
    /// Its session, once it is known.
    pub session: Option<String>,
    /// How it ended.
    pub ending: Ending,
    /// Whether anything was done, now.
    pub made: bool,
    /// The score of the published round, 0 to 1.
    pub score: Option<f64>,
    /// Why it would run, or did not end well.
    pub reason: Option<String>,
}

/// How many topics of a batch ended in which way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// All that were looked at.
    pub topics: u64,
    /// See [`Ending::Complete`]; and so on.
    pub complete: u64,
    /// See [`Ending::BelowThreshold`].
    pub below_threshold: u64,
    /// See [`Ending::NoEvidence`].
    pub no_evidence: u64,
    /// See [`Ending::Stopped`].
    pub stopped: u64,
    /// See [`Ending::WouldRun`].
    pub would_run: u64,
    /// See [`Ending::Duplicate`].
    pub duplicate: u64,
    /// See [`Ending::InUse`].
    pub in_use: u64,
    /// See [`Ending::NeedsClarification`].
    pub needs_clarification: u64,
    /// See [`Ending::Exhausted`].
    pub exhausted: u64,
    /// See [`Ending::Interrupted`].
    pub interrupted: u64,
    /// See [`Ending::Failed`].
    pub failed: u64,
    /// Of all these, those for which there was nothing to do.
    pub nothing_to_do: u64,
    /// Whether the list was worked through to its end.
    pub whole_list: bool,
}

impl Summary {
    pub(super) fn count(&mut self, entry: &Entry) {
        self.topics += 1;
        *match entry.ending {
            Ending::Complete => &mut self.complete,
            Ending::BelowThreshold => &mut self.below_threshold,
            Ending::NoEvidence => &mut self.no_evidence,
            Ending::Stopped => &mut self.stopped,
            Ending::WouldRun => &mut self.would_run,
            Ending::Duplicate => &mut self.duplicate,
            Ending::InUse => &mut self.in_use,
            Ending::NeedsClarification => &mut self.needs_clarification,
            Ending::Exhausted => &mut self.exhausted,
            Ending::Interrupted => &mut self.interrupted,
            Ending::Failed => &mut self.failed,
        } += 1;
        let stands = entry.ending.is_published() || entry.ending == Ending::Stopped;
        self.nothing_to_do += u64::from(stands && !entry.made);
    }
}

/// Puts entries into the order of the list and writes them down.
pub(super) struct Record {
    stream: Option<Stream>,
    written: u64,
    /// The line being written, kept to spare an allocation.
    line: Vec<u8>,
    /// The place in the list of the next entry in order.
    pub(super) next: u64,
    early: BTreeMap<u64, Entry>,
}

impl Record {
    /// A record at `path`, or one that is not written down.
    pub(super) fn begin(path: Option<&Path>, disk: &Disk) -> Result<Self> {
        let mut stream = path.map(|path| disk.stream(path)).transpose()?;
        if let Some(stream) = &mut stream {
            stream.add(b"{\n  \"version\": 1,\n  \"topics\": [")?;
        }
        Ok(Self {
            stream,
            written: 0,
            line: Vec::new(),
            next: 0,
            early: BTreeMap::new(),
        })
    }

    /// Takes what the topic at `place` of the list came to, and shows those whose turn it is.
    pub(super) fn put(&mut self, place: u64, entry: Entry, show: impl Fn(&Entry)) -> Result<()> {
        if place != self.next {
            self.early.insert(place, entry);
            return Ok(());
        }
        self.write(&entry, &show)?;
        self.next += 1;
        while let Some(entry) = self.early.remove(&self.next) {
            self.write(&entry, &show)?;
            self.next += 1;
        }
        Ok(())
    }

    fn write(&mut self, entry: &Entry, show: impl Fn(&Entry)) -> Result<()> {
        show(entry);
        if let Some(stream) = &mut self.stream {
            let before = if self.written == 0 {
                "\n    "
            } else {
                ",\n    "
            };
            self.line.clear();
            self.line.extend_from_slice(before.as_bytes());
            serde_json::to_writer(&mut self.line, entry)?;
            stream.add(&self.line)?;
            self.written += 1;
        }
        Ok(())
    }

    /// Writes what is left, some topics before which were never begun, and puts the record in its
    /// place.
    pub(super) fn finish(mut self, summary: &Summary, show: impl Fn(&Entry)) -> Result<()> {
        for (_, entry) in std::mem::take(&mut self.early) {
            self.write(&entry, &show)?;
        }
        let Some(mut stream) = self.stream else {
            return Ok(());
        };
        let summary = serde_json::to_string(summary)?;
        let end = if self.written == 0 { "]" } else { "\n  ]" };
        stream.add(format!("{end},\n  \"summary\": {summary}\n}}\n").as_bytes())?;
        stream.finish()
    }
}

/// Reads the entries of a record one by one.
///
/// # Errors
/// When the record cannot be read.
pub fn each(path: &Path, mut show: impl FnMut(&Entry)) -> Result<()> {
    let file = File::open(path).with_context(|| format!("failed to read {}", path.display()))?;
    for line in BufReader::new(file).lines() {
        let line = line.with_context(|| format!("failed to read {}", path.display()))?;
        let entry = line.trim_start().trim_end_matches(',');
        // The head and the foot of the file are no entries.
        if let Ok(entry) = serde_json::from_str::<Entry>(entry) {
            show(&entry);
        }
    }
    Ok(())
}
