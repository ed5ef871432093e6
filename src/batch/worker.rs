//! The workers of a batch: each takes jobs from the scheduler's queue, opens the session of a topic
//! and runs it.

use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, anyhow, ensure};
use futures::FutureExt as _;
use futures::channel::oneshot;
use tracing::{Instrument as _, debug, info_span};

use super::collector::Collector;
use super::options::Batch;
use super::outcome::{Entry, Outcome};
use super::skip_cache::SkipCache;
use super::skip_record::{SkipRecord, TopicKey};
use crate::artifact::report::ReportOutcome;
use crate::artifact::{Report, Review};
use crate::export::not_answered;
use crate::inspect;
use crate::model::Fallbacks;
use crate::pipeline::{
    self, BestRound, Disk, Engine, ExternalDigests, FingerprintReader, Lock, Manifest, Next,
    Pipeline, Plan, Request, worker_reporter,
};
use crate::run::artifacts::content;
use crate::run::{self, Overrides, Shared};
use crate::session::{
    self, NewSession, Opened, ReviewTerms, SessionKey, SessionNames, SessionPath,
};

/// A topic for a worker.
pub(super) struct Job {
    /// Its position in the list, from 0: duplicates count, lines of other shards do not.
    pub(super) position: u64,
    /// The number of its line, from 1.
    pub(super) line: u64,
    /// Its documents as the list names them; `None` for those of the batch.
    pub(super) documents: Option<Vec<PathBuf>>,
    /// The name of its session, if the list gives a name.
    pub(super) name: Option<String>,
    pub(super) session_key: SessionKey,
    pub(super) overrides: Overrides,
    pub(super) key: TopicKey,
    /// A hash of all that a plan depends on, besides the files of the session.
    pub(super) configuration: u64,
    /// The session of the topic in the skip cache.
    pub(super) cached_id: Option<String>,
}

/// The state that the workers share.
pub(super) struct Workers<'a> {
    batch: &'a Batch,
    collector: &'a Collector<'a>,
    skip_cache: &'a SkipCache,
    shared: Shared,
    /// The digests of documents.
    external: ExternalDigests,
    /// The names of all sessions; listed at the first topic that is not in the skip cache.
    names: Mutex<Option<Arc<SessionNames>>>,
}

/// A session with its pipeline.
struct OpenSession {
    key: TopicKey,
    configuration: u64,
    id: String,
    path: PathBuf,
    pipeline: Pipeline,
    /// The lock of a session that this job made, until its run takes it.
    lock: Option<Lock>,
}

/// A finished session's outcome and score.
struct Finished {
    outcome: Outcome,
    score: Option<f64>,
    /// The first claim that was changed by hand, if one was.
    altered: Option<String>,
}

impl Finished {
    fn enter(self, entry: &mut Entry) {
        (entry.outcome, entry.score) = (self.outcome, self.score);
        entry.reason = self.altered;
    }
}

impl<'a> Workers<'a> {
    pub(super) fn new(
        batch: &'a Batch,
        collector: &'a Collector<'a>,
        skip_cache: &'a SkipCache,
    ) -> Self {
        Self {
            batch,
            collector,
            skip_cache,
            shared: Shared {
                web: batch.web_client.clone(),
                ..Shared::default()
            },
            external: ExternalDigests::default(),
            names: Mutex::new(None),
        }
    }

    /// Announces that this worker is free, and runs the job that it gets, until there are no more.
    pub(super) async fn run_jobs(&self, worker: usize, free: Sender<oneshot::Sender<Job>>) {
        // Files younger than the clock's resolution cannot be recognised by their times, so a
        // session enters the skip cache a job later.
        let mut previous: Option<OpenSession> = None;
        loop {
            let (sender, job) = oneshot::channel();
            // The scheduler has ended, or does not wait for this worker any more.
            if free.send(sender).is_err() {
                break;
            }
            let Ok(job) = job.await else {
                break;
            };
            if self.batch.is_stopped() {
                // Jobs are taken all the same, so that the scheduler does not wait forever.
                continue;
            }
            let span = info_span!("topic", worker, line = job.line);
            (self.collector.reporter)(&pipeline::Report::JobStarted {
                worker,
                name: &job.session_key.topic,
            });
            let position = job.position;
            // Boxed, so that a worker without a job takes no memory.
            let run = Box::pin(self.run_job(worker, job).instrument(span));
            let (entry, opened) = run.await;
            if let Some(previous) = std::mem::replace(&mut previous, opened) {
                self.record_finished(&previous);
            }
            self.collector.add(position, Some(worker), entry);
        }
        if let Some(previous) = previous {
            self.record_finished(&previous);
        }
    }

    /// Runs a job. Returns its entry, and its session if a report was made there.
    async fn run_job(&self, worker: usize, job: Job) -> (Entry, Option<OpenSession>) {
        let mut entry = Entry::new(job.line, job.session_key.topic.clone(), Outcome::Failed);
        let mut opened = None;
        // A panic in a topic must not end the others.
        let result = AssertUnwindSafe(self.research(worker, &job, &mut entry, &mut opened))
            .catch_unwind()
            .await
            .unwrap_or_else(|_| Err(anyhow!("the program has a fault: it panicked")));
        if let Err(error) = result {
            entry.outcome = Outcome::from(&error);
            entry.reason = Some(format!("{error:#}"));
        }
        let opened = opened.filter(|_| entry.made && entry.outcome.is_published());
        (entry, opened)
    }

    /// Opens the session of a job and runs it, unless it is finished.
    async fn research(
        &self,
        worker: usize,
        job: &Job,
        entry: &mut Entry,
        opened: &mut Option<OpenSession>,
    ) -> Result<()> {
        let mut session = self.session_path(job)?;
        let disk = self.checkout(&mut session)?;
        let exists = session.exists;
        let opened = opened.insert(self.open(job, session, &disk)?);
        entry.session = Some(opened.id.clone());
        // The same plan decides that a session is finished and that it may enter the skip cache.
        if exists
            && !self.batch.replans_finished()
            && let Some(finished) = self.record_if_finished(opened)?
        {
            finished.enter(entry);
            return Ok(());
        }
        let request = &self.batch.request;
        let engine = Engine {
            disk,
            clock: self.batch.clock,
            reporter: Some(worker_reporter(self.collector.reporter, worker)),
            interrupted: self.batch.interrupted.clone(),
            external: self.external.clone(),
            wait: self.batch.wait,
            lock: opened.lock.take(),
            ..Engine::default()
        };
        if self.batch.dry_run {
            let plan = engine.plan(&opened.path, &opened.pipeline, request)?;
            foresee(&opened.path, &plan, entry);
            return Ok(());
        }
        let outcome = run::execute(&engine, &opened.path, &opened.pipeline, request).await?;
        entry.made = outcome.actions > 0;
        let finished = outcome
            .best
            .filter(|_| outcome.complete)
            .map(|best| finished(&opened.path, &best));
        entry.outcome = Outcome::Stopped;
        if let Some(finished) = finished {
            finished.enter(entry);
        }
        if entry.made && outcome.complete && entry.reason.is_none() {
            let fallbacks = Fallbacks::read(&opened.path)?;
            entry.reason = fallbacks.map(|fallbacks| fallbacks.to_string());
        }
        Ok(())
    }

    /// The directory of the session of a job: the session that the skip cache names if its topic is
    /// the same, else the session that `research run` would choose.
    fn session_path(&self, job: &Job) -> Result<SessionPath> {
        let output_dir = &self.batch.settings.run.output_dir;
        if let Some(path) = job
            .cached_id
            .as_ref()
            .map(|id| session::path(output_dir, id))
            && session::read(&path).is_ok_and(|session| job.session_key.matches(&session))
        {
            return Ok(SessionPath { path, exists: true });
        }
        let names = self.names(job)?;
        let name = job.name.as_deref();
        job.session_key.locate(output_dir, name, &names)
    }

    /// The writer of a session, which is brought to the state of its replica first, if there is
    /// one.
    fn checkout(&self, session: &mut SessionPath) -> Result<Disk> {
        let Batch { disk, clock, .. } = self.batch;
        let Some(replicas) = self.batch.replicas.as_ref().filter(|_| !self.batch.dry_run) else {
            return Ok(disk.clone());
        };
        let replica = replicas.checkout(&session.path, disk, &clock.timestamp())?;
        session.exists = session.path.join(session::FILE).exists();
        Ok(disk.replicated(replica))
    }

    /// The names of all sessions, listed once; none for a job that gives its session's name.
    fn names(&self, job: &Job) -> Result<Arc<SessionNames>> {
        if job.name.is_some() {
            return Ok(Arc::default());
        }
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(names) = &*names {
            return Ok(names.clone());
        }
        let listed = SessionNames::list(&self.batch.settings.run.output_dir)?;
        Ok(names.insert(Arc::new(listed)).clone())
    }

    /// Opens the session of a job: read, written, or in a dry run only drafted.
    fn open(&self, job: &Job, session: SessionPath, disk: &Disk) -> Result<OpenSession> {
        let Batch {
            settings, clock, ..
        } = self.batch;
        let SessionPath { path, exists } = session;
        let Opened { session, lock } = if exists {
            session::read(&path)?.into()
        } else {
            let new = self.new_session(job)?;
            let terms = ReviewTerms {
                threshold: job.overrides.threshold.unwrap_or(settings.run.threshold),
                max_rounds: job.overrides.max_rounds.unwrap_or(settings.run.max_rounds),
                clarify: !job.overrides.no_clarify,
                owner: settings.run.owner.clone(),
                first_run: None,
                messages: Vec::new(),
            };
            if self.batch.dry_run {
                session::draft(&path, &new, &terms, *clock)?.into()
            } else {
                session::open_for_run(&path, &new, &terms, disk, *clock)?
            }
        };
        ensure!(
            job.session_key.matches(&session),
            "{} was begun for another topic at the same moment; run the batch again",
            path.display()
        );
        Ok(OpenSession {
            key: job.key,
            configuration: job.configuration,
            pipeline: run::pipeline(
                &path,
                &session,
                settings,
                job.overrides,
                &self.batch.backend,
                self.shared.clone(),
            )?,
            id: path
                .file_name()
                .map(|id| id.to_string_lossy().into_owned())
                .context("a session has no name")?,
            path,
            lock,
        })
    }

    fn new_session(&self, job: &Job) -> Result<NewSession> {
        let documents = job.documents.as_ref().unwrap_or(&self.batch.documents);
        let new = NewSession {
            topic: job.session_key.topic.clone(),
            mode: job.session_key.mode,
            depth: job.session_key.depth,
            documents: documents.clone(),
            follows: None,
            inherited: Vec::new(),
            web: (*job.session_key.web).clone(),
            style: (*job.session_key.style).clone(),
        };
        new.require_sources(self.batch.backend.models().is_some())?;
        Ok(new)
    }

    /// Adds a session that this batch finished to the skip cache. A failure only costs the next
    /// batch time.
    fn record_finished(&self, opened: &OpenSession) {
        if let Err(error) = self.record_if_finished(opened) {
            debug!(
                session = opened.id,
                "not added to the skip cache: {error:#}"
            );
        }
    }

    /// Plans a session; if there is nothing to do in it, adds it to the skip cache and returns its
    /// outcome. A session whose files are too young to be recognised by their times is not added.
    fn record_if_finished(&self, opened: &OpenSession) -> Result<Option<Finished>> {
        let path = &opened.path;
        let rounds = (1..u16::MAX)
            .take_while(|round| path.join(format!("rounds/{round}/review.json")).exists())
            .last()
            .unwrap_or(0);
        // The fingerprint is taken before the plan: a file that changes in between then differs
        // from it at the next batch.
        let fingerprint = FingerprintReader::open(&self.batch.settings.run.output_dir)
            .and_then(|mut tree| self.skip_cache.fingerprint(&mut tree, &opened.id, rounds));
        let engine = Engine {
            external: self.external.clone(),
            ..Engine::default()
        };
        let (plan, used) =
            engine.plan_with_dependencies(path, &opened.pipeline, &Request::default())?;
        let (Next::Nothing, true, Some(best)) = (&plan.next, plan.complete, &plan.best) else {
            return Ok(None);
        };
        let finished = finished(path, best);
        let files: Vec<String> = self.skip_cache.files(rounds).collect();
        if let Ok(fingerprint) = fingerprint
            && !fingerprint.is_racy()
            && !self.batch.dry_run
            // A plan that depends on a file outside the fingerprint cannot be skipped by it. The
            // program's own records are only replaced whole, which the fingerprint of the directory
            // shows; the files that the manifest names are part of the configuration.
            && used.iter().all(|file| {
                files.contains(file) || [session::FILE, Manifest::FILE].contains(&file.as_str())
            })
        {
            self.skip_cache.add(&SkipRecord {
                key: opened.key,
                configuration: opened.configuration,
                fingerprint: fingerprint.value,
                score: finished.score,
                rounds,
                outcome: finished.outcome,
                id: opened.id.clone(),
            });
        }
        Ok(Some(finished))
    }
}

/// Sets the outcome that a dry run predicts.
fn foresee(path: &Path, plan: &Plan, entry: &mut Entry) {
    match (&plan.next, &plan.best) {
        (Next::Nothing, Some(best)) if plan.complete => {
            finished(path, best).enter(entry);
        }
        (Next::Nothing, _) => entry.outcome = Outcome::Stopped,
        _ => {
            entry.outcome = Outcome::WouldRun;
            entry.reason = Some(first_step(plan));
        }
    }
}

/// Reads the outcome of the session at `path`, whose best round is published.
fn finished(path: &Path, best: &BestRound) -> Finished {
    let directory = &best.directory;
    let review: Option<Review> = content(path, &format!("{directory}review.json"));
    let report: Option<Report> = content(path, &format!("{directory}report.json"));
    let is = |outcome| {
        report
            .as_ref()
            .is_some_and(|report| report.outcome == outcome)
    };
    let is_answered = || {
        report
            .as_ref()
            .is_none_or(|report| not_answered(report).is_none())
    };
    let altered = inspect::altered_report(path).into_iter().next();
    Finished {
        outcome: if is(ReportOutcome::NoEvidence) {
            Outcome::NoEvidence
        } else if altered.is_some() {
            Outcome::Altered
        } else if is(ReportOutcome::Answered) && !is_answered() {
            Outcome::NotAnswered
        } else if best.below_threshold {
            Outcome::BelowThreshold
        } else {
            Outcome::Complete
        },
        score: review.map(|review| review.score),
        altered,
    }
}

/// The first action of a plan, and the reason.
fn first_step(plan: &Plan) -> String {
    match plan.stages.iter().find(|line| !line.reason.skips()) {
        Some(line) => format!("{}: {}", line.gate, line.reason),
        None => "publishes, or begins the next round".to_owned(),
    }
}
