//! The record of a batch, `batch.json`: the outcome of each topic in the order of the list,
//! streamed to disk as topics finish.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context as _, Result};

use super::outcome::{Entry, Summary};
use crate::pipeline::{Disk, Stream};

/// The number of entries in memory that may wait for an earlier topic in any batch. Chosen by hand:
/// a few hundred kilobytes.
const MIN_AHEAD: u64 = 1024;

/// The maximum number of entries in memory that wait for an earlier topic, for a number of workers:
/// while one is slow, each of the others finishes a topic at least.
pub(super) fn max_ahead(workers: usize) -> u64 {
    MIN_AHEAD.max(2 * workers as u64)
}

/// Writes entries in the order of the list.
pub(super) struct Record {
    stream: Option<Stream>,
    written: u64,
    /// The buffer of the line being written, reused to save an allocation per entry.
    line: Vec<u8>,
    /// The position in the list of the next entry in order.
    pub(super) next: u64,
    /// The reorder buffer: entries that arrived early, by position.
    early: BTreeMap<u64, Entry>,
}

impl Record {
    /// Begins a record at `path`; without a path, entries are only put in order.
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

    /// Adds the entry of the topic at `position` of the list; writes and shows all entries that are
    /// next in order.
    pub(super) fn add(&mut self, position: u64, entry: Entry, show: impl Fn(&Entry)) -> Result<()> {
        // An entry waits in the reorder buffer until all earlier ones are written.
        if position != self.next {
            self.early.insert(position, entry);
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

    /// Writes the remaining entries and the summary, and publishes the file under its name.
    pub(super) fn finish(mut self, summary: &Summary, show: impl Fn(&Entry)) -> Result<()> {
        // After a stop, these still wait for earlier topics that were never started.
        for (_, entry) in std::mem::take(&mut self.early) {
            self.write(&entry, &show)?;
        }
        let Some(mut stream) = self.stream else {
            return Ok(());
        };
        // The file gets its name only now, so that a killed batch leaves the previous record
        // intact.
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
pub fn each_entry(path: &Path, mut show: impl FnMut(&Entry)) -> Result<()> {
    let file = File::open(path).with_context(|| format!("failed to read {}", path.display()))?;
    for line in BufReader::new(file).lines() {
        let line = line.with_context(|| format!("failed to read {}", path.display()))?;
        // One entry per line, as written above, so that a record of any length is read in constant
        // memory.
        let entry = line.trim_start().trim_end_matches(',');
        // The first and the last lines of the file are not entries.
        if let Ok(entry) = serde_json::from_str::<Entry>(entry) {
            show(&entry);
        }
    }
    Ok(())
}
