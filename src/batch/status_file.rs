//! The status file of a batch: its progress, for `research status` in another terminal.

use super::options::Batch;
use crate::inspect::{BATCH_STATUS, RunningBatch};
use crate::pipeline::{StatusFile, process_label};

/// The interval, in topics, at which progress is written if no topic needs work.
const IDLE_INTERVAL: u64 = 1000;

/// The status file of this batch.
pub(super) struct BatchStatus {
    /// `None` in a dry run, and where no file can be opened: progress is for display only.
    file: Option<StatusFile>,
    progress: RunningBatch,
}

impl BatchStatus {
    /// Opens the file and writes the first status, if there is a list and it is no dry run.
    pub(super) fn open(batch: &Batch, has_list: bool) -> Self {
        let path = batch.settings.run.output_dir.join(BATCH_STATUS);
        let file = (has_list && !batch.dry_run).then(|| StatusFile::open(&path, &batch.disk).ok());
        let status = Self {
            file: file.flatten(),
            progress: RunningBatch {
                by: process_label(&batch.clock.timestamp()),
                finished: 0,
                topics: batch.topics,
                record: batch.record().display().to_string(),
            },
        };
        status.write();
        status
    }

    /// Counts a finished topic. A write would cost more than a topic with nothing to do, so only
    /// topics with `made` are written at once.
    pub(super) fn count(&mut self, made: bool) {
        self.progress.finished += 1;
        if made || self.progress.finished.is_multiple_of(IDLE_INTERVAL) {
            self.write();
        }
    }

    fn write(&self) {
        if let (Some(file), Ok(text)) = (&self.file, serde_json::to_string(&self.progress)) {
            file.update(&text);
        }
    }
}
