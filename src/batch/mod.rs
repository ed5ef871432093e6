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
use std::sync::Mutex;
use std::sync::mpsc::sync_channel;
use std::thread;

use anyhow::Result;

use crate::artifact::Session;
use crate::artifact::session::{Mode, Style};
use crate::pipeline::{Pipeline, Reporter, Version};
use crate::run::{self, BackendConfig, Overrides, Shared};
use crate::session;
use collector::Collector;
use record::Record;
use scheduler::Scheduler;
use skip_cache::SkipCache;
use worker::{Job, Workers};

pub use options::Batch;
pub use outcome::{Entry, Outcome, Summary};
pub use record::each_entry;
pub use shard::Shard;
pub use source::{Growing, ListSource, TopicSource};
pub use topics::{TopicLine, TopicList, TopicSpec};

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
        // A channel without a buffer: the scheduler passes a job on only when a worker is free, so
        // that its check for finished sessions is as recent as possible.
        let (jobs, queue) = sync_channel::<Job>(0);
        let queue = Mutex::new(queue);
        let reached_end = thread::scope(|scope| {
            let (workers, queue, mut started) = (&workers, &queue, 0);
            let dispatch = |job| {
                // Workers are started on demand: a batch with nothing to do starts none.
                if started < self.jobs.max(1) {
                    let worker = started;
                    scope.spawn(move || workers.run_jobs(worker, queue));
                    started += 1;
                }
                // This fails only if no worker is left; the collector then has the reason.
                let _ = jobs.send(job);
            };
            let reached_end = Scheduler::new(self, &collector, &skip_cache, &template)
                .and_then(|scheduler| scheduler.run(source, dispatch));
            // Workers end when the channel is closed.
            drop(jobs);
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

/// The names of the files that identify a finished session with a single round.
fn session_files(pipeline: &Pipeline) -> Vec<String> {
    let gates = pipeline.stages.iter().map(|stage| stage.gate().to_owned());
    std::iter::once(session::FILE.to_owned())
        .chain(gates)
        .collect()
}
