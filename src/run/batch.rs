//! Many topics: each in the session that `run` would choose for it, as many at once as wanted.
//!
//! The list is read as it is worked through, and what was done is written down as it is done, so
//! that memory does not grow with either; only a number a topic is kept, by which a second mention
//! is recognised. A topic that was found finished before and whose files did not move is not even
//! opened. All that is decided here is which topics there are and which comes next: what happens in
//! a session is decided by its plan.

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::thread;

use anyhow::Result;

use super::feed::Feed;
use super::record::Record;
use super::work::{Job, Work};
use super::{Answers, Overrides, Shared, pipeline_over};
use crate::artifact::Session;
use crate::artifact::session::{Depth, Mode};
use crate::config::Settings;
use crate::pipeline::{Clock, Digest, Disk, Event, Pipeline, Request, Version};
use crate::session::{self, Web};
use crate::web::Online;

pub use super::list::{Item, List, Wish};
pub use super::record::{Ending, Entry, Summary, each};

/// What a batch does, beyond its list.
pub struct Batch {
    /// All settings.
    pub settings: Settings,
    /// The clock.
    pub clock: Clock,
    /// The writer.
    pub disk: Disk,
    /// Set when the batch should stop at the next opportunity.
    pub interrupted: Arc<AtomicBool>,
    /// Topics at once, at least 1.
    pub jobs: usize,
    /// Whether new topics are begun after one has failed.
    pub keep_going: bool,
    /// The part of the list that is meant.
    pub shard: Option<Shard>,
    /// Wait for sessions that other processes work on, instead of passing them over.
    pub wait: bool,
    /// Say what would run, and do nothing.
    pub dry_run: bool,
    /// How many topics there are, if they were counted: only for display.
    pub topics: Option<u64>,
    /// The documents of each topic that names none.
    pub documents: Vec<PathBuf>,
    /// Where the web is searched for each topic.
    pub web: Web,
    /// Whether also for a topic that names documents of its own.
    pub web_for_all: bool,
    /// The web; nothing where it is not to be used.
    pub online: Option<Arc<Online>>,
    /// The depth of each topic that names none.
    pub depth: Depth,
    /// Terms of each topic that names none.
    pub overrides: Overrides,
    /// What is asked for of each topic, beyond going on.
    pub request: Request,
    /// Who answers.
    pub answers: Answers,
}

/// One of several parts of a list. Every topic is in exactly one of them, wherever it stands in the
/// list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    part: u64,
    of: u64,
}

impl Shard {
    fn takes(self, text: &str) -> bool {
        number(&Digest::of(text)) % self.of == self.part - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let parts = parts.and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((part, of)) if (1..=of).contains(&part) => Ok(Self { part, of }),
            _ => Err("expected I/N with 1 ≤ I ≤ N, as in 2/4".to_owned()),
        }
    }
}

/// What a batch tells while it works. Workers are numbered from 0.
#[derive(Debug, Clone, Copy)]
pub enum Told<'a> {
    /// A worker begins with a topic.
    Started {
        /// Which worker.
        worker: usize,
        /// The topic.
        topic: &'a str,
    },
    /// Something happened in the session that a worker is at.
    Happened {
        /// Which worker.
        worker: usize,
        /// What.
        event: &'a Event,
    },
    /// A topic is finished; these come as they happen.
    Finished {
        /// By which worker; `None` if none was needed.
        worker: Option<usize>,
        /// How many are finished with it.
        count: u64,
        /// The topic.
        entry: &'a Entry,
    },
    /// The same, in the order of the list.
    InOrder(&'a Entry),
}

/// Who is told.
pub type Teller = Arc<dyn Fn(&Told<'_>) + Send + Sync>;

impl Batch {
    /// Where it is written down what each topic came to.
    pub fn record(&self) -> PathBuf {
        let name = match self.shard {
            None => "batch.json".to_owned(),
            Some(Shard { part, of }) => format!("batch-{part}-of-{of}.json"),
        };
        self.settings.run.output_dir.join(name)
    }

    /// How many topics a list has, of this part of it.
    ///
    /// # Errors
    /// When the list cannot be read; unless it goes on after failures, also for a line that cannot
    /// be used.
    pub fn count(&self, list: impl BufRead) -> Result<u64> {
        if self.keep_going && self.shard.is_none() {
            return List::new(list).count();
        }
        let (mut list, mut count) = (List::new(list), 0);
        while let Some(item) = list.item()? {
            if !self.is_mine(&item) {
                continue;
            }
            if !self.keep_going {
                item.wish?;
            }
            count += 1;
        }
        Ok(count)
    }

    /// Whether a finished session is looked at again, since something may be asked for in it.
    pub(super) fn looks_again(&self) -> bool {
        self.request.from.is_some() || self.request.refresh
    }

    pub(super) fn is_mine(&self, item: &Item) -> bool {
        let topic = item.wish.as_ref().map_or(&item.text, |wish| &wish.topic);
        self.shard.is_none_or(|shard| shard.takes(topic))
    }

    /// Works through a list. That a topic failed is no error, but an entry.
    ///
    /// # Errors
    /// When the list cannot be read, or the record not be written.
    pub fn run(&self, list: impl BufRead, tell: &Teller) -> Result<Summary> {
        let output_dir = &self.settings.run.output_dir;
        if !self.dry_run {
            self.disk.create_directory(output_dir)?;
        }
        let record = Some(self.record()).filter(|_| !self.dry_run);
        let record = Record::begin(record.as_deref(), &self.disk)?;
        let work = Work::new(self, tell, record, watched(&session_pipeline(self)?));
        let (jobs, waiting) = sync_channel::<Job>(0);
        let waiting = Mutex::new(waiting);
        let whole_list = thread::scope(|scope| {
            let (work, waiting, mut workers) = (&work, &waiting, 0);
            let whole_list = Feed::new(work)?.all(list, |job| {
                if workers < self.jobs.max(1) {
                    let worker = workers;
                    scope.spawn(move || work.take_jobs(worker, waiting));
                    workers += 1;
                }
                // It fails when no worker is left, and then there is a problem to tell of.
                let _ = jobs.send(job);
            });
            drop(jobs);
            whole_list
        });
        work.finish(whole_list)
    }
}

/// The pipeline of any session, for what all have in common.
pub(super) fn session_pipeline(batch: &Batch) -> Result<Pipeline> {
    let session = Session {
        version: Version,
        id: String::new(),
        topic: String::new(),
        mode: Mode::DeepResearch,
        depth: batch.depth,
        documents: Vec::new(),
        search: Vec::new(),
        domains: Vec::new(),
        threshold: 0.0,
        max_rounds: 1,
        clarify: true,
        owner: String::new(),
        messages: Vec::new(),
        started_at: String::new(),
    };
    let overrides = Overrides::default();
    pipeline_over(
        Path::new(""),
        &session,
        &batch.settings,
        overrides,
        Shared::default(),
        &Answers::default(),
    )
}

/// The files by which a finished session of one round is recognised.
fn watched(pipeline: &Pipeline) -> Vec<String> {
    let gates = pipeline.stages.iter().map(|stage| stage.gate().to_owned());
    std::iter::once(session::FILE.to_owned())
        .chain(gates)
        .collect()
}

/// A digest's beginning as a number.
pub(super) fn number(digest: &Digest) -> u64 {
    u64::from_str_radix(&digest.as_str()[..16], 16).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_is_in_exactly_one_shard() {
        let shards: Vec<Shard> = (1..=5)
            .map(|part| format!("{part}/5").parse().unwrap())
            .collect();
        let mut sizes = [0; 5];
        for topic in 0..500 {
            let topic = format!("topic {topic}");
            let takers: Vec<usize> = (0..5).filter(|it| shards[*it].takes(&topic)).collect();
            assert_eq!(takers.len(), 1);
            sizes[takers[0]] += 1;
        }
        assert!(
            sizes.iter().all(|size| (60..140).contains(size)),
            "{sizes:?}"
        );
    }

    #[test]
    fn a_shard_is_written_as_a_part_of_a_number() {
        assert_eq!("2/4".parse(), Ok(Shard { part: 2, of: 4 }));
        for text in ["", "0/4", "5/4", "1/0", "1", "/", "a/b", "-1/4", "1/4/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
