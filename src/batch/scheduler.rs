//! The scheduler of a batch: takes topics from their source, recognises duplicates and finished
//! sessions, and passes the other topics to the workers in their order.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Error, Result};
use foldhash::{HashSet, HashSetExt as _};
use tracing::debug;

use super::collector::Collector;
use super::options::Batch;
use super::outcome::{Entry, Outcome};
use super::skip_cache::SkipCache;
use super::skip_record::TopicKey;
use super::source::TopicSource;
use super::topics::{TopicLine, TopicSpec};
use super::worker::Job;
use crate::pipeline::{Digest, FingerprintReader, Pipeline, Stamp, hash_mix};
use crate::read::{Kinds, walk};
use crate::run::Overrides;
use crate::session;

/// The scheduler.
pub(super) struct Scheduler<'a> {
    batch: &'a Batch,
    collector: &'a Collector<'a>,
    skip_cache: &'a SkipCache,
    /// The reader of the fingerprints of sessions; `None` if the output directory cannot be opened,
    /// and then nothing is skipped.
    fingerprints: Option<FingerprintReader>,
    /// See [`TopicSource::redelivers`].
    redelivers: bool,
    /// The low bits of the keys of all topics so far.
    seen: HashSet<u64>,
    /// A hash of the program's version and of every stage's recipe.
    recipes: Digest,
    /// The documents of the batch, as a session names them, and the hash of their stamps.
    batch_documents: (Arc<[String]>, u64),
    /// The documents of the previous topic and their names in a session: a list mostly repeats
    /// them.
    last_documents: (Vec<PathBuf>, Arc<[String]>),
    /// The hashes of the documents that single topics name, by those names.
    document_hashes: HashMap<Vec<PathBuf>, u64>,
    /// The overrides of the previous topic and the hash of its configuration.
    last_configuration: (Overrides, u64),
}

impl<'a> Scheduler<'a> {
    /// A scheduler; `template` is the pipeline of any session.
    pub(super) fn new(
        batch: &'a Batch,
        collector: &'a Collector<'a>,
        skip_cache: &'a SkipCache,
        template: &Pipeline,
    ) -> Result<Self> {
        let output_dir = &batch.settings.run.output_dir;
        let recipes: Vec<_> = template.stages.iter().map(|stage| stage.recipe()).collect();
        let mut scheduler = Self {
            batch,
            collector,
            skip_cache,
            fingerprints: FingerprintReader::open(output_dir).ok(),
            redelivers: false,
            seen: HashSet::new(),
            recipes: Digest::of_value(&(env!("CARGO_PKG_VERSION"), recipes)),
            batch_documents: (
                session::name_documents(output_dir, &batch.documents)?.into(),
                stamps_hash(&batch.documents),
            ),
            last_documents: (Vec::new(), Arc::default()),
            document_hashes: HashMap::new(),
            last_configuration: (batch.overrides, 0),
        };
        scheduler.last_configuration.1 = scheduler.configuration(batch.overrides);
        Ok(scheduler)
    }

    /// Schedules all topics of the source; returns `true` if it reached the end.
    pub(super) fn run(
        mut self,
        source: &dyn TopicSource,
        mut dispatch: impl FnMut(Job),
    ) -> Result<bool> {
        self.redelivers = source.redelivers();
        let mut position = 0;
        while !self.batch.is_stopped() {
            let line = source.next_topic()?;
            // A source that waits for topics ends when the batch is stopped, perhaps within a line.
            if self.batch.is_stopped() {
                break;
            }
            let Some(line) = line else {
                return Ok(true);
            };
            // Back-pressure: finished entries must not pile up in memory behind a slow topic.
            self.collector.wait_for_record(position);
            match self.schedule(position, line) {
                Ok(job) => dispatch(job),
                Err(entry) => self.collector.add(position, None, *entry),
            }
            position += 1;
        }
        Ok(false)
    }

    /// The job of a line; as `Err`, the finished entry of a line that needs no worker.
    fn schedule(&mut self, position: u64, line: TopicLine) -> Result<Job, Box<Entry>> {
        let number = line.line;
        let failed = |topic: String, error: &Error| {
            Box::new(Entry {
                reason: Some(format!("{error:#}")),
                ..Entry::new(number, topic, Outcome::Failed)
            })
        };
        let spec = line.spec.map_err(|own| failed(own.text, &own.error))?;
        if let Some(documents) = &spec.docs
            && let Err(error) = self.name_documents(documents)
        {
            return Err(failed(spec.topic, &error));
        }
        let job = self.job(position, number, spec);
        // The key covers topic, depth, documents, web and name: a topic may be listed twice with
        // different options.
        if !self.redelivers && !self.seen.insert(job.key.low_bits()) {
            let topic = job.session_key.topic;
            return Err(Box::new(Entry::new(number, topic, Outcome::Duplicate)));
        }
        self.skip_if_finished(job)
    }

    /// Makes `last_documents` those of the current topic.
    fn name_documents(&mut self, documents: &[PathBuf]) -> Result<()> {
        if self.last_documents.0 != documents {
            let output_dir = &self.batch.settings.run.output_dir;
            let names = session::name_documents(output_dir, documents)?;
            self.last_documents = (documents.to_vec(), names.into());
        }
        Ok(())
    }

    fn job(&mut self, position: u64, line: u64, spec: TopicSpec) -> Job {
        let batch = self.batch;
        let documents = match spec.docs {
            Some(_) => &self.last_documents.1,
            None => &self.batch_documents.0,
        };
        let session_key = batch.session_key(&spec, documents.clone());
        let overrides = Overrides {
            threshold: spec.threshold.or(batch.overrides.threshold),
            max_rounds: spec.max_rounds.or(batch.overrides.max_rounds),
            ..batch.overrides
        };
        if self.last_configuration.0 != overrides {
            self.last_configuration = (overrides, self.configuration(overrides));
        }
        let documents_hash = self.documents_hash(spec.docs.as_ref());
        let key = TopicKey::new(&session_key, spec.session.as_deref());
        Job {
            position,
            line,
            documents: spec.docs,
            name: spec.session,
            session_key,
            overrides,
            key,
            configuration: hash_mix(self.last_configuration.1, documents_hash),
            cached_id: None,
        }
    }

    /// The hash of the documents that a topic names, or of those of the batch, taken once.
    fn documents_hash(&mut self, documents: Option<&Vec<PathBuf>>) -> u64 {
        let Some(roots) = documents else {
            return self.batch_documents.1;
        };
        if let Some(hash) = self.document_hashes.get(roots) {
            return *hash;
        }
        let hash = stamps_hash(roots);
        self.document_hashes.insert(roots.clone(), hash);
        hash
    }

    /// A hash of all that a plan depends on, besides the files of a session.
    fn configuration(&self, overrides: Overrides) -> u64 {
        Digest::of_value(&(&self.recipes, overrides)).leading_u64()
    }

    /// The job; as `Err`, the entry of the skip cache if the files of its session did not change.
    fn skip_if_finished(&mut self, mut job: Job) -> Result<Job, Box<Entry>> {
        let line = job.line;
        let Some(record) = self.skip_cache.find(job.key) else {
            debug!(line, "skip cache miss");
            return Ok(job);
        };
        if record.configuration == job.configuration
            && !self.batch.replans_finished()
            && let Some(fingerprints) = &mut self.fingerprints
            && let Ok(current) =
                self.skip_cache
                    .fingerprint(fingerprints, &record.id, record.rounds)
            && current.value == record.fingerprint
        {
            debug!(line, session = record.id, "skip cache hit");
            return Err(Box::new(Entry {
                session: Some(record.id),
                score: record.score,
                ..Entry::new(line, job.session_key.topic, record.outcome)
            }));
        }
        debug!(line, session = record.id, "skip cache entry is stale");
        // Most likely this is still the right session, which saves listing all of them.
        job.cached_id = Some(record.id);
        Ok(job)
    }
}

/// A hash of the names and stamps of documents.
fn stamps_hash(roots: &[PathBuf]) -> u64 {
    // Documents that cannot be listed count as unchanged, as in a plan.
    let files = walk(roots, &Kinds::built_in()).map_or_else(|_| Vec::new(), |list| list.files);
    let stamps: Vec<_> = files
        .iter()
        .map(|file| (&file.name, Stamp::of_file(&file.path).ok()))
        .collect();
    Digest::of_value(&stamps).leading_u64()
}
