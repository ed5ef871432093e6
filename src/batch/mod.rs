//! A batch: a list of topics, run concurrently, each in the session that `run` would choose for it.
//!
//! A scheduler takes topics from a source, a list or a shard of it, and passes unfinished ones to
//! workers, which run them;
//! the record has the outcomes in the order of the list. Memory hardly grows with the list: 64 bits
//! per topic are stored, to recognise duplicates. The session of a topic that is in the skip cache
//! with unchanged files is not even opened. A batch only decides which topic comes next: the work
//! in a session is decided by its plan.

mod collector;
mod options;
mod outcome;
mod record;
mod scheduler;
mod shard;
mod skip_cache;
mod skip_record;
mod source;
mod status_file;
mod topics;
mod worker;

use std::path::Path;
use std::sync::mpsc;
use std::thread;

use anyhow::Result;
use futures::executor::block_on;
use futures::future::join_all;

use crate::artifact::Session;
use crate::artifact::session::{Mode, Style};
use crate::pipeline::{Pipeline, Reporter, Version};
use crate::run::{self, BackendConfig, Overrides, Shared};
use collector::Collector;
use record::Record;
use scheduler::Scheduler;
use skip_cache::SkipCache;
use worker::Workers;

pub use options::Batch;
pub use outcome::{Entry, Outcome, Summary};
pub use record::each_entry;
pub use shard::Shard;
pub use source::{Growing, ListSource, Stream, TopicSource};
pub use topics::{InvalidLine, TopicLine, TopicList, TopicSpec, is_header_of_table};

/// The number of threads. A batch of more sessions at once runs several on each: a session waits
/// for models most of the time, and its own work is short. Chosen by hand: a disk flushes the
/// files of so many sessions side by side.
const MAX_THREADS: usize = 64;

impl Batch {
    /// Runs the topics of a source. A topic that fails is an entry of the record, not an error.
    ///
    /// # Errors
    /// When the source cannot be read, or the record cannot be written.
    pub fn run(&self, source: &dyn TopicSource, reporter: &Reporter<Entry>) -> Result<Summary> {
        let output_dir = &self.settings.run.output_dir;
        if !self.dry_run {
            self.disk.create_directory(output_dir)?;
        }
        let record = Some(self.record()).filter(|_| !self.dry_run && !source.redelivers());
        let record = Record::begin(record.as_deref(), &self.disk)?;
        let template = template_pipeline(self)?;
        let collector = Collector::new(self, source, reporter, record);
        let skip_cache = SkipCache::load(output_dir, self.disk.clone(), session_files(&template));
        let workers = Workers::new(self, &collector, &skip_cache);
        // Workers announce that they are free: a job is passed on only when one is, so that the
        // scheduler's check for finished sessions is as recent as possible.
        let (free, free_workers) = mpsc::channel();
        let reached_end = thread::scope(|scope| {
            let (workers, jobs, mut threads) = (&workers, self.jobs.max(1), 0);
            let dispatch = |job| {
                // Threads are started on demand: a batch with nothing to do starts none.
                if threads < jobs.min(MAX_THREADS) {
                    let (numbers, free) = ((threads..jobs).step_by(MAX_THREADS), free.clone());
                    let run = move |number| workers.run_jobs(number, free.clone());
                    scope.spawn(move || block_on(join_all(numbers.map(run))));
                    threads += 1;
                }
                // This fails only if no worker is left; the collector then has the reason.
                if let Ok(worker) = free_workers.recv() {
                    let _ = worker.send(job);
                }
            };
            let reached_end = Scheduler::new(self, &collector, &skip_cache, &template)
                .and_then(|scheduler| scheduler.run(source, dispatch));
            // Workers that wait for a job end.
            drop(free_workers);
            reached_end
        });
        drop(workers);
        collector.finish(reached_end)
    }
}

/// The pipeline of a template session, for the gates and recipes that all sessions share.
fn template_pipeline(batch: &Batch) -> Result<Pipeline> {
    let session = Session {
        version: Version,
        id: String::new(),
        topic: String::new(),
        mode: Mode::DeepResearch,
        depth: batch.depth,
        documents: Vec::new(),
        follows: None,
        inherited: Vec::new(),
        search: Vec::new(),
        domains: Vec::new(),
        style: Style::default(),
        threshold: 0.0,
        max_rounds: 1,
        clarify: true,
        owner: String::new(),
        first_run: None,
        messages: Vec::new(),
        started_at: String::new(),
    };
    run::pipeline(
        Path::new(""),
        &session,
        &batch.settings,
        Overrides::default(),
        &BackendConfig::default(),
        Shared::default(),
    )
}

/// The names of the files that identify a finished session with a single round: the gates, which
/// people edit. The program's own records are only replaced whole, which the times of their
/// directory show.
fn session_files(pipeline: &Pipeline) -> Vec<String> {
    let gates = pipeline.stages.iter().map(|stage| stage.gate().to_owned());
    gates.collect()
}
