//! Collects the outcomes of a batch: counts them, reports them, and puts them into the record in
//! the order of the list.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use anyhow::{Error, Result};

use super::options::Batch;
use super::outcome::{Entry, Outcome, Summary};
use super::record::{Record, max_ahead};
use super::source::TopicSource;
use super::status_file::BatchStatus;
use crate::pipeline::{Report, Reporter};
use crate::session::Layout;

/// The collector, which the scheduler and all workers share.
pub(super) struct Collector<'a> {
    batch: &'a Batch,
    /// Of the directory of the sessions, looked at once for all of them.
    layout: Layout<'a>,
    source: &'a dyn TopicSource,
    pub(super) reporter: &'a Reporter<Entry>,
    collected: Mutex<Collected>,
    /// Notified when a worker has added an entry; only the scheduler waits for it.
    added: Condvar,
}

struct Collected {
    record: Record,
    summary: Summary,
    status: BatchStatus,
    /// The first error in writing the record.
    problem: Option<Error>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(
        batch: &'a Batch,
        source: &'a dyn TopicSource,
        reporter: &'a Reporter<Entry>,
        record: Record,
    ) -> Self {
        Self {
            batch,
            layout: Layout::of(&batch.settings.run.output_dir),
            source,
            reporter,
            collected: Mutex::new(Collected {
                record,
                summary: Summary::default(),
                status: BatchStatus::open(batch, !source.redelivers()),
                problem: None,
            }),
            added: Condvar::new(),
        }
    }

    /// Blocks while the topic at `position` of the list is too far ahead of the record.
    pub(super) fn wait_for_record(&self, position: u64) {
        let is_behind = |collected: &mut Collected| {
            collected.problem.is_none()
                && !self.batch.is_stopped()
                && position - collected.record.next >= max_ahead(self.batch.jobs)
        };
        drop(self.added.wait_while(self.lock(), is_behind));
    }

    /// Adds the entry of the topic at `position` of the list; `worker` is the worker that ran it.
    pub(super) fn add(&self, position: u64, worker: Option<usize>, entry: Entry) {
        let session = entry.session.as_deref();
        let path = session.map(|session| text_of(self.layout.path(session)));
        let entry = Entry { path, ..entry };
        if entry.outcome == Outcome::Failed && !self.batch.keep_going {
            self.batch.stopped.store(true, Ordering::SeqCst);
        }
        self.source.settle(&entry);
        // Counted, reported and recorded under a single lock, so that reports are in the order of
        // the counts.
        let mut collected = self.lock();
        // Without an order, the topic that is finished next is the next one.
        let next = collected.record.next;
        let position = if self.source.redelivers() {
            next
        } else {
            position
        };
        collected.summary.count(&entry);
        collected.status.count(entry.made);
        (self.reporter)(&Report::JobFinished {
            worker,
            finished: collected.summary.topics,
            job: &entry,
        });
        let in_order = |entry: &Entry| (self.reporter)(&Report::JobInOrder(entry));
        if let Err(error) = collected.record.add(position, entry, in_order) {
            collected.problem.get_or_insert(error);
            self.batch.stopped.store(true, Ordering::SeqCst);
        }
        // Entries without a worker come from the scheduler, which need not notify itself.
        if worker.is_some() {
            self.added.notify_all();
        }
    }

    /// Completes the record, after all workers have ended. `reached_end` is the scheduler's result.
    pub(super) fn finish(self, reached_end: Result<bool>) -> Result<Summary> {
        let mut collected = self
            .collected
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(problem) = collected.problem {
            return Err(problem);
        }
        // A batch that stopped at its last topic leaves no rest.
        let is_whole = self.batch.topics == Some(collected.summary.topics);
        collected.summary.reached_end = *reached_end.as_ref().unwrap_or(&false) || is_whole;
        let in_order = |entry: &Entry| (self.reporter)(&Report::JobInOrder(entry));
        collected.record.finish(&collected.summary, in_order)?;
        reached_end?;
        Ok(collected.summary)
    }

    fn lock(&self) -> MutexGuard<'_, Collected> {
        // Entries are complete even if a worker panicked: the code under the lock cannot panic.
        self.collected
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// A path as text. A path in UTF-8, as nearly all are, is checked once and not copied.
fn text_of(path: PathBuf) -> String {
    let text = path.into_os_string().into_string();
    text.unwrap_or_else(|path| path.to_string_lossy().into_owned())
}
