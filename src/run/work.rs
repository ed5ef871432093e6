//! What the workers of a batch do, and what they share.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Error, Result, anyhow, ensure};
use futures::executor::block_on;

use super::batch::{Batch, Entry, Summary, Teller, Told};
use super::finished::{Finished, Key, Table};
use super::record::{AHEAD, Ending, Record};
use super::{Overrides, Shared, content, live, pipeline_over};
use crate::artifact::report::ReportOutcome;
use crate::artifact::{Report, Review};
use crate::model::BudgetExhausted;
use crate::pipeline::{
    Best, Busy, Engine, Interrupted, Next, Observer, Pipeline, Plan, Request, Tree, Waiting,
};
use crate::session::{self, Asked, Names, Place, Question, Terms};

/// A topic that a worker is to look at.
pub(super) struct Job {
    pub(super) place: u64,
    pub(super) line: u64,
    /// Its documents as they were named; none means those of the batch.
    pub(super) documents: Option<Vec<PathBuf>>,
    pub(super) name: Option<String>,
    pub(super) question: Question,
    pub(super) overrides: Overrides,
    pub(super) key: Key,
    pub(super) configuration: u64,
    /// The session that was found for it before.
    pub(super) id: Option<String>,
}

pub(super) fn entry(line: u64, topic: String, ending: Ending) -> Entry {
    Entry {
        line,
        topic,
        session: None,
        ending,
        made: false,
        score: None,
        reason: None,
    }
}

/// What else of a session is looked at if rounds were sent back.
pub(super) fn files_of_rounds(rounds: u16) -> impl Iterator<Item = String> {
    let directory = (rounds > 0).then(|| "rounds".to_owned());
    let decisions = (1..=rounds).map(|round| format!("rounds/{round}/review.json"));
    directory.into_iter().chain(decisions)
}

/// The endings that are kept, by the numbers under which they are.
const KEPT: [Ending; 3] = [Ending::Complete, Ending::BelowThreshold, Ending::NoEvidence];

pub(super) fn ending_of(number: u8) -> Option<Ending> {
    KEPT.get(usize::from(number)).copied()
}

/// What the workers share.
pub(super) struct Work<'a> {
    pub(super) batch: &'a Batch,
    tell: &'a Teller,
    shared: Shared,
    /// Listed when a question is first met that is not known.
    names: Mutex<Option<Arc<Names>>>,
    pub(super) finished: Mutex<Table>,
    pub(super) files: Vec<String>,
    kept: Mutex<Kept>,
    /// Told when a worker has taken the record on; the one who may wait for that is the one who
    /// reads the list.
    written: Condvar,
    /// Set when no new topic is to be begun.
    stopped: AtomicBool,
}

struct Kept {
    record: Record,
    summary: Summary,
    live: live::Told,
    /// Why the record could not be written.
    problem: Option<Error>,
}

/// A session at hand.
struct Opened {
    key: Key,
    configuration: u64,
    id: String,
    path: PathBuf,
    pipeline: Pipeline,
}

/// What a session has come to.
struct Standing {
    ending: Ending,
    score: Option<f64>,
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Work<'a> {
    /// The work of a batch; `files` are those by which a finished session is recognised.
    pub(super) fn new(
        batch: &'a Batch,
        tell: &'a Teller,
        record: Record,
        files: Vec<String>,
    ) -> Self {
        let table = Table::load(&batch.settings.run.output_dir, batch.disk.clone());
        Self {
            batch,
            tell,
            shared: Shared {
                online: batch.online.clone(),
                ..Shared::default()
            },
            names: Mutex::new(None),
            finished: Mutex::new(table),
            files,
            kept: Mutex::new(Kept {
                record,
                summary: Summary::default(),
                live: live::Told::new(batch),
                problem: None,
            }),
            written: Condvar::new(),
            stopped: AtomicBool::new(false),
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst) || self.batch.interrupted.load(Ordering::SeqCst)
    }

    /// Waits until the record is not too far behind.
    pub(super) fn wait_for_turn(&self, place: u64) {
        let kept = lock(&self.kept);
        let behind = |kept: &mut Kept| {
            kept.problem.is_none() && !self.is_stopped() && place - kept.record.next >= AHEAD
        };
        drop(self.written.wait_while(kept, behind));
    }

    pub(super) fn put(&self, place: u64, worker: Option<usize>, entry: Entry) {
        if entry.ending == Ending::Failed && !self.batch.keep_going {
            self.stopped.store(true, Ordering::SeqCst);
        }
        let mut kept = lock(&self.kept);
        kept.summary.count(&entry);
        kept.live.finished(entry.made);
        let count = kept.summary.topics;
        let entry_told = &entry;
        (self.tell)(&Told::Finished {
            worker,
            count,
            entry: entry_told,
        });
        let show = |entry: &Entry| (self.tell)(&Told::InOrder(entry));
        if let Err(error) = kept.record.put(place, entry, show) {
            kept.problem.get_or_insert(error);
            self.stopped.store(true, Ordering::SeqCst);
        }
        if worker.is_some() {
            self.written.notify_all();
        }
    }

    pub(super) fn finish(self, whole_list: Result<bool>) -> Result<Summary> {
        let kept = self.kept.into_inner();
        let mut kept = kept.unwrap_or_else(PoisonError::into_inner);
        if let Some(problem) = kept.problem {
            return Err(problem);
        }
        let tell = self.tell;
        kept.summary.whole_list = *whole_list.as_ref().unwrap_or(&false);
        let show = |entry: &Entry| tell(&Told::InOrder(entry));
        kept.record.finish(&kept.summary, show)?;
        whole_list?;
        Ok(kept.summary)
    }

    /// Does jobs as long as there are any.
    pub(super) fn take_jobs(&self, worker: usize, waiting: &Mutex<Receiver<Job>>) {
        let mut young: Option<Opened> = None;
        loop {
            let job = lock(waiting).recv();
            let Ok(job) = job else {
                break;
            };
            if self.is_stopped() {
                continue;
            }
            let (tell, topic) = (self.tell, job.question.topic.as_str());
            tell(&Told::Started { worker, topic });
            let (place, line) = (job.place, job.line);
            let (done, opened) = self.entry(worker, job);
            // By now the files of the one before are old enough to be recognised by their times.
            if let Some(young) = young.take() {
                let _ = self.standing(&young);
            }
            young = opened;
            self.put(place, Some(worker), Entry { line, ..done });
        }
        if let Some(young) = young {
            let _ = self.standing(&young);
        }
    }

    /// What a job comes to, and its session if something was made there.
    fn entry(&self, worker: usize, job: Job) -> (Entry, Option<Opened>) {
        let mut entry = entry(job.line, job.question.topic.clone(), Ending::Failed);
        let mut opened = None;
        let done = catch_unwind(AssertUnwindSafe(|| {
            self.research(worker, &job, &mut entry, &mut opened)
        }));
        let done = done.unwrap_or_else(|_| Err(anyhow!("the program has a fault: it panicked")));
        if let Err(error) = done {
            entry.ending = match () {
                () if error.is::<Busy>() => Ending::InUse,
                () if error.is::<BudgetExhausted>() => Ending::Exhausted,
                () if error.is::<Interrupted>() => Ending::Interrupted,
                () if error.is::<Waiting>() => Ending::NeedsClarification,
                () => Ending::Failed,
            };
            entry.reason = Some(format!("{error:#}"));
        }
        let opened = opened.filter(|_| entry.made && entry.ending.is_published());
        (entry, opened)
    }

    fn research(
        &self,
        worker: usize,
        job: &Job,
        entry: &mut Entry,
        kept: &mut Option<Opened>,
    ) -> Result<()> {
        let place = self.place(job)?;
        let opened = kept.insert(self.open(job, place.clone())?);
        entry.session = Some(opened.id.clone());
        if place.exists
            && !self.batch.looks_again()
            && let Some(standing) = self.standing(opened)?
        {
            (entry.ending, entry.score) = (standing.ending, standing.score);
            return Ok(());
        }
        let request = &self.batch.request;
        let engine = Engine {
            disk: self.batch.disk.clone(),
            clock: self.batch.clock,
            observer: Some(self.observer(worker)),
            interrupted: self.batch.interrupted.clone(),
            wait: self.batch.wait,
        };
        if self.batch.dry_run {
            let plan = engine.plan(&opened.path, &opened.pipeline, request)?;
            match (&plan.next, &plan.best) {
                (Next::Nothing, Some(best)) if plan.complete => {
                    let standing = standing(&opened.path, best);
                    (entry.ending, entry.score) = (standing.ending, standing.score);
                }
                (Next::Nothing, _) => entry.ending = Ending::Stopped,
                _ => {
                    entry.ending = Ending::WouldRun;
                    entry.reason = Some(reason(&plan));
                }
            }
            return Ok(());
        }
        let outcome = block_on(engine.run(&opened.path, &opened.pipeline, request))?;
        entry.made = outcome.done > 0;
        let best = outcome.best.filter(|_| outcome.complete);
        let standing = best.map(|best| standing(&opened.path, &best));
        entry.ending = standing.as_ref().map_or(Ending::Stopped, |it| it.ending);
        entry.score = standing.and_then(|standing| standing.score);
        Ok(())
    }

    fn observer(&self, worker: usize) -> Observer {
        let tell = self.tell.clone();
        Arc::new(move |event| tell(&Told::Happened { worker, event }))
    }

    fn place(&self, job: &Job) -> Result<Place> {
        let output_dir = &self.batch.settings.run.output_dir;
        if let Some(path) = job.id.as_ref().map(|id| output_dir.join(id))
            && session::read(&path).is_ok_and(|session| job.question.is_of(&session))
        {
            return Ok(Place { path, exists: true });
        }
        let names = self.names(job)?;
        let name = job.name.as_deref();
        job.question
            .place(output_dir, name, &names, self.batch.clock)
    }

    fn names(&self, job: &Job) -> Result<Arc<Names>> {
        if job.name.is_some() {
            return Ok(Arc::default());
        }
        let mut names = lock(&self.names);
        if let Some(names) = &*names {
            return Ok(names.clone());
        }
        let listed = Names::list(&self.batch.settings.run.output_dir, self.batch.clock)?;
        Ok(names.insert(Arc::new(listed)).clone())
    }

    /// The session at a place: read, written, or only thought of.
    fn open(&self, job: &Job, place: Place) -> Result<Opened> {
        let Batch {
            settings,
            clock,
            disk,
            ..
        } = self.batch;
        let Place { path, exists } = place;
        let session = if exists {
            session::read(&path)?
        } else {
            let asked = Asked {
                topic: job.question.topic.clone(),
                depth: job.question.depth,
                documents: match &job.documents {
                    Some(documents) => documents.clone(),
                    None => self.batch.documents.clone(),
                },
                web: job.question.web.clone(),
            };
            ensure!(
                !asked.documents.is_empty() || !asked.web.search.is_empty(),
                "there is nothing to search: name documents with --docs PATH, or as \"docs\" in the list, or services with --search"
            );
            let terms = Terms {
                threshold: job.overrides.threshold.unwrap_or(settings.run.threshold),
                max_rounds: job.overrides.max_rounds.unwrap_or(settings.run.max_rounds),
                clarify: !job.overrides.no_clarify,
                owner: settings.run.owner.clone(),
                messages: Vec::new(),
            };
            match self.batch.dry_run {
                true => session::draft(&path, &asked, &terms, *clock)?,
                false => session::open(&path, &asked, &terms, disk, *clock)?,
            }
        };
        ensure!(
            job.question.is_of(&session),
            "{} was begun for another topic at the same moment; run the batch again",
            path.display()
        );
        let shared = self.shared.clone();
        Ok(Opened {
            key: job.key,
            configuration: job.configuration,
            pipeline: pipeline_over(
                &path,
                &session,
                settings,
                job.overrides,
                shared,
                &self.batch.answers,
            )?,
            id: path
                .file_name()
                .map(|id| id.to_string_lossy().into_owned())
                .context("a session has no name")?,
            path,
        })
    }

    /// What a session has come to if there is nothing to do in it. That is kept, unless its files
    /// are too young.
    fn standing(&self, opened: &Opened) -> Result<Option<Standing>> {
        let path = &opened.path;
        let is_round = |round: &u16| path.join(format!("rounds/{round}/review.json")).exists();
        let rounds = (1..u16::MAX).take_while(is_round).last().unwrap_or(0);
        let files: Vec<_> = self
            .files
            .iter()
            .cloned()
            .chain(files_of_rounds(rounds))
            .collect();
        // Taken before the plan, so that what moves in between is seen to have moved.
        let tree = Tree::open(&self.batch.settings.run.output_dir);
        let signature =
            tree.and_then(|mut tree| tree.signature(&opened.id, files.iter().map(String::as_str)));
        let engine = Engine::default();
        let (plan, used) = engine.survey(path, &opened.pipeline, &Request::default())?;
        let (Next::Nothing, true, Some(best)) = (&plan.next, plan.complete, &plan.best) else {
            return Ok(None);
        };
        let standing = standing(path, best);
        if let Ok(signature) = signature
            && !signature.is_racy()
            && !self.batch.dry_run
            && used.iter().all(|file| files.contains(file))
            && let Some(ending) = KEPT.iter().position(|ending| *ending == standing.ending)
        {
            lock(&self.finished).keep(&Finished {
                key: opened.key,
                configuration: opened.configuration,
                signature: signature.value,
                score: standing.score.unwrap_or(f64::NAN),
                rounds,
                ending: u8::try_from(ending).unwrap_or(u8::MAX),
                id: opened.id.clone(),
            });
        }
        Ok(Some(standing))
    }
}

/// What the session at `path` has come to, whose best round is published.
fn standing(path: &Path, best: &Best) -> Standing {
    let directory = &best.directory;
    let review: Option<Review> = content(path, &format!("{directory}review.json"));
    let report: Option<Report> = content(path, &format!("{directory}report.json"));
    let is_silent = report.is_some_and(|report| report.outcome == ReportOutcome::NoEvidence);
    Standing {
        ending: match (is_silent, best.below_threshold) {
            (true, _) => Ending::NoEvidence,
            (_, true) => Ending::BelowThreshold,
            _ => Ending::Complete,
        },
        score: review.map(|review| review.score),
    }
}

/// The first thing that a plan would do, and why.
fn reason(plan: &Plan) -> String {
    let line = plan.lines.iter().find(|line| !line.reason.keeps());
    match line {
        Some(line) => format!("{} {}", line.gate, line.reason),
        None => "publishes, or begins the next round".to_owned(),
    }
}
