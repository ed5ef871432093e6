//! Collects the outcomes of a batch: counts them, reports them, and puts them into the record in
//! the order of the list.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use anyhow::{Error, Result};

use super::options::Batch;
use super::outcome::{Entry, Outcome, Summary};
use super::record::{MAX_AHEAD, Record};
use super::status_file::BatchStatus;
use crate::pipeline::{Report, Reporter};

/// The collector, which the scheduler and all workers share.
pub(super) struct Collector<'a> {
    batch: &'a Batch,
    pub(super) reporter: &'a Reporter<Entry>,
    collected: Mutex<Collected>,
    /// Notified when a worker has added an entry; only the scheduler waits for it.
    added: Condvar,
    /// Set when no new topic must be started.
    stopped: AtomicBool,
}

struct Collected {
    record: Record,
    summary: Summary,
    status: BatchStatus,
    /// The first error in writing the record.
    problem: Option<Error>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(batch: &'a Batch, reporter: &'a Reporter<Entry>, record: Record) -> Self {
        Self {
            batch,
            reporter,
            collected: Mutex::new(Collected {
                record,
                summary: Summary::default(),
                status: BatchStatus::open(batch),
                problem: None,
            }),
            added: Condvar::new(),
            stopped: AtomicBool::new(false),
        }
    }

    /// Returns `true` if no new topic must be started: after a failure, or an interruption.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst) || self.batch.interrupted.load(Ordering::SeqCst)
    }

    /// Blocks while the topic at `position` of the list is too far ahead of the record.
    pub(super) fn wait_for_record(&self, position: u64) {
        let is_behind = |collected: &mut Collected| {
            collected.problem.is_none()
                && !self.is_stopped()
                && position - collected.record.next >= MAX_AHEAD
        };
        drop(self.added.wait_while(self.lock(), is_behind));
    }

    /// Adds the entry of the topic at `position` of the list; `worker` is the worker that ran it.
    pub(super) fn add(&self, position: u64, worker: Option<usize>, entry: Entry) {
        if entry.outcome == Outcome::Failed && !self.batch.keep_going {
            self.stopped.store(true, Ordering::SeqCst);
        }
        // Counted, reported and recorded under a single lock, so that reports are in the order of
        // the counts.
        let mut collected = self.lock();
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
            self.stopped.store(true, Ordering::SeqCst);
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
        collected.summary.reached_end = *reached_end.as_ref().unwrap_or(&false);
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
