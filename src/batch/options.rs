//! The options of a batch.

use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;

use super::shard::Shard;
use super::skip_record::TopicKey;
use super::source::{ListSource, TopicSource as _};
use super::topics::{TopicList, TopicSpec};
use crate::artifact::session::{Depth, Mode, Style};
use crate::config::Settings;
use crate::pipeline::{Clock, Disk, Replicas, Request};
use crate::run::{BackendConfig, Overrides};
use crate::session::{self, SessionKey, WebScope};
use crate::web::WebClient;

/// The options of a batch.
pub struct Batch {
    /// The settings.
    pub settings: Settings,
    /// The clock.
    pub clock: Clock,
    /// The writer of all files.
    pub disk: Disk,
    /// The replicas of all sessions, if they are anywhere else than in the output directory.
    pub replicas: Option<Arc<dyn Replicas>>,
    /// Set by a signal when the batch must stop at the next opportunity.
    pub interrupted: Arc<AtomicBool>,
    /// Set when no new topic must be started, while those that run go on.
    pub stopped: Arc<AtomicBool>,
    /// The number of workers, at least 1.
    pub jobs: usize,
    /// `true` if new topics are started after a failure (`--keep-going`).
    pub keep_going: bool,
    /// The shard of the list to work on; `None` for the whole list.
    pub shard: Option<Shard>,
    /// `true` to wait for sessions that other processes work on, instead of skipping them.
    pub wait: bool,
    /// `true` to report what would run, and run nothing.
    pub dry_run: bool,
    /// The number of topics, if they were counted: for display only.
    pub topics: Option<u64>,
    /// The documents of topics that name none.
    pub documents: Vec<PathBuf>,
    /// The search services and domains for each topic.
    pub web: Arc<WebScope>,
    /// `true` if the web is searched also for a topic that names documents of its own.
    pub web_for_all: bool,
    /// The web client; `None` where the web must not be used.
    pub web_client: Option<Arc<WebClient>>,
    /// The mode of topics that name none.
    pub mode: Mode,
    /// The depth of topics that name none.
    pub depth: Depth,
    /// The style of all reports.
    pub style: Arc<Style>,
    /// The terms of topics that name none.
    pub overrides: Overrides,
    /// The request for each topic: `--from`, `--until`, `--refresh`.
    pub request: Request,
    /// The agents' rules (plain code), or the models that answer for the agents.
    pub backend: BackendConfig,
}

impl Batch {
    /// The path of the record of outcomes.
    pub fn record(&self) -> PathBuf {
        let name = match self.shard {
            None => "batch.json".to_owned(),
            Some(shard) => format!("batch-{shard}.json"),
        };
        self.settings.run.output_dir.join(name)
    }

    /// Counts the topics of a list, or of its shard.
    ///
    /// # Errors
    /// When the list cannot be read; without `keep_going` also for a malformed line, so that the
    /// mistake is reported before the first topic is started.
    pub fn count(&self, list: impl BufRead + Send) -> Result<u64> {
        // Lines need not be parsed to be counted.
        if self.keep_going && self.shard.is_none() {
            return TopicList::new(list).count();
        }
        let (source, mut count) = (ListSource::new(list, self.shard), 0);
        while let Some(line) = source.next_topic()? {
            if !self.keep_going {
                line.spec?;
            }
            count += 1;
        }
        Ok(count)
    }

    /// The key of the session of a topic over these documents, as a session names them.
    pub(super) fn session_key(&self, spec: &TopicSpec, documents: Arc<[String]>) -> SessionKey {
        let mode = spec.mode.unwrap_or(self.mode);
        let is_local = spec.docs.is_some() && !self.web_for_all || mode == Mode::Simple;
        SessionKey {
            topic: spec.topic.clone(),
            mode,
            depth: mode.depth().or(spec.depth).unwrap_or(self.depth),
            documents,
            follows: None,
            web: Some(&self.web)
                .filter(|_| !is_local)
                .cloned()
                .unwrap_or_default(),
            style: self.style.clone(),
        }
    }

    /// The key of a topic, which no other one has, and the topic as a line of a list that means the
    /// same with any defaults.
    ///
    /// # Errors
    /// When the topic or the name of its session cannot be used.
    pub fn resolve(&self, mut spec: TopicSpec) -> Result<(String, String)> {
        session::check_topic(&spec.topic)?;
        if let Some(name) = &spec.session {
            session::check_name(name)?;
        }
        let documents = spec.docs.as_ref().unwrap_or(&self.documents);
        let names = session::name_documents(&self.settings.run.output_dir, documents)?;
        let session_key = self.session_key(&spec, names.into());
        spec.docs = Some(documents.clone()).filter(|documents| !documents.is_empty());
        spec.mode = Some(session_key.mode);
        spec.depth = Some(session_key.depth);
        spec.threshold = spec.threshold.or(self.overrides.threshold);
        spec.max_rounds = spec.max_rounds.or(self.overrides.max_rounds);
        let key = TopicKey::new(&session_key, spec.session.as_deref());
        Ok((key.to_string(), serde_json::to_string(&spec)?))
    }

    /// Returns `true` if finished sessions must be planned again, since `--from`, `--refresh`
    /// or `--max-age` asks for work in them.
    pub(super) fn replans_finished(&self) -> bool {
        self.request.from.is_some() || self.request.refresh || self.request.fetched_since.is_some()
    }

    /// Returns `true` if no new topic must be started: after a failure, or an interruption.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst) || self.interrupted.load(Ordering::SeqCst)
    }
}
