//! The queue of runs: at most so many at once, the others in the order in which they came.
//!
//! It holds nothing that the sessions do not: a run that is lost with the process leaves a session
//! that is resumed. The lock of a session is what keeps two processes from running it.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow};
use axum::http::StatusCode;
use futures::executor::block_on;
use tokio::sync::watch;

use super::problem::Problem;
use crate::pipeline::{Engine, InputRequired, Interrupted, Pipeline, Request};
use crate::run;
use crate::session::output_dir_of;

/// The longest wait for the end of a run that is over but for its last event, or was cancelled.
const ENDING: Duration = Duration::from_secs(5);

/// A run of a session.
pub(super) struct Job {
    /// The directory of the session, which is its key here: names are those of one owner.
    pub(super) path: PathBuf,
    /// The request to the engine.
    pub(super) request: Request,
    /// The engine; its `interrupted` is set to cancel the run.
    pub(super) engine: Engine,
    /// Makes the pipeline when the run begins, so that its time limit counts from there.
    pub(super) pipeline: Box<dyn FnOnce() -> Result<Pipeline> + Send>,
}

/// The end of a run: `None` while it lasts, then a problem if it failed.
pub(super) type Ended = Option<Result<(), Problem>>;

/// Takes a warning for whoever runs the server, in a line.
pub type Warn = Arc<dyn Fn(&str) + Send + Sync>;

/// The queue.
pub(super) struct Queue {
    warn: Warn,
    max_runs: usize,
    max_queued: usize,
    state: Mutex<State>,
    /// Notified when a run or a worker ends.
    ended: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<(Job, watch::Sender<Ended>)>,
    /// The runs that wait or last, by the directories of their sessions.
    runs: BTreeMap<PathBuf, Run>,
    workers: usize,
    is_closed: bool,
}

struct Run {
    interrupted: Arc<AtomicBool>,
    ended: watch::Receiver<Ended>,
}

impl Queue {
    /// A queue of `max_queued` runs, of which `max_runs` run at once; `warn` hears of those that
    /// fail.
    pub(super) fn new(max_runs: usize, max_queued: usize, warn: Warn) -> Self {
        Self {
            warn,
            max_runs,
            max_queued,
            state: Mutex::default(),
            ended: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a run, and returns its end. A session that waits or runs already is not added again,
    /// unless that run was cancelled or this one makes something again: it begins after the other.
    ///
    /// # Errors
    /// When the queue is full or closed, or the other run goes on.
    pub(super) fn add(self: &Arc<Self>, job: Job) -> Result<watch::Receiver<Ended>, Problem> {
        let mut state = self.state();
        if let Some(run) = state.runs.get(&job.path) {
            let is_cancelled = run.interrupted.load(Ordering::SeqCst);
            if !is_cancelled && job.request == Request::default() {
                return Ok(run.ended.clone());
            }
            // A run whose session is complete may still be writing its last event.
            let lasts = |state: &mut State| state.runs.contains_key(&job.path);
            let waited = self.ended.wait_timeout_while(state, ENDING, lasts);
            let (after, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            if timeout.timed_out() {
                let detail = "the session is running; cancel the run, or wait until it ends";
                return Err(Problem::new(StatusCode::CONFLICT, detail));
            }
            state = after;
        }
        if state.is_closed {
            let detail = "the server is shutting down; send the request again later";
            return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail));
        }
        if state.waiting.len() >= self.max_queued {
            let detail = "too many sessions are waiting for a run; send the request again later";
            return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, detail));
        }
        let (sender, ended) = watch::channel(None);
        let run = Run {
            interrupted: job.engine.interrupted.clone(),
            ended: ended.clone(),
        };
        state.runs.insert(job.path.clone(), run);
        state.waiting.push_back((job, sender));
        // Workers are threads of their own, as in a batch: a run computes and waits for its disk.
        if state.workers < self.max_runs {
            state.workers += 1;
            let queue = self.clone();
            thread::spawn(move || queue.work());
        }
        Ok(ended)
    }

    /// Runs jobs until none is waiting.
    fn work(&self) {
        loop {
            let mut state = self.state();
            let Some((job, ended)) = state.waiting.pop_front() else {
                state.workers -= 1;
                if state.workers == 0 {
                    // A server that waits holds no memory for documents.
                    run::end_children();
                }
                self.ended.notify_all();
                return;
            };
            drop(state);
            let path = job.path.clone();
            // A panic in a run must not end the others.
            let result = catch_unwind(AssertUnwindSafe(|| execute(job)))
                .unwrap_or_else(|_| Err(anyhow!("the program has a fault: it panicked")));
            // A run that waits for its user, or was stopped, has not failed.
            if let Err(error) = &result
                && !error.is::<InputRequired>()
                && !error.is::<Interrupted>()
            {
                (self.warn)(&format!("{}: {error:#}", path.display()));
            }
            let result = result.map_err(Problem::from);
            self.state().runs.remove(&path);
            self.ended.notify_all();
            ended.send_replace(Some(result));
        }
    }

    /// Cancels the run of a session that waits or runs here; `false` if there is none.
    pub(super) fn cancel(&self, session: &Path) -> bool {
        let mut state = self.state();
        if let Some(position) = state
            .waiting
            .iter()
            .position(|(job, _)| job.path == session)
        {
            state.waiting.remove(position);
            return state.runs.remove(session).is_some();
        }
        let run = state.runs.get(session);
        run.inspect(|run| run.interrupted.store(true, Ordering::SeqCst))
            .is_some()
    }

    /// `true` if a run of the session was cancelled here, and has not stopped yet.
    pub(super) fn is_stopping(&self, session: &Path) -> bool {
        let state = self.state();
        let run = state.runs.get(session);
        run.is_some_and(|run| run.interrupted.load(Ordering::SeqCst))
    }

    /// `true` if a run of the session waits or lasts here.
    pub(super) fn has(&self, session: &Path) -> bool {
        self.state().runs.contains_key(session)
    }

    /// The number of runs of the same owner before that of a session, if it waits here.
    pub(super) fn position(&self, session: &Path) -> Option<usize> {
        let state = self.state();
        let mut own = state.waiting.iter().map(|(job, _)| job.path.as_path());
        let mut own = own
            .by_ref()
            .filter(|path| output_dir_of(path) == output_dir_of(session));
        own.position(|path| path == session)
    }

    /// The numbers of runs that last, and of those that wait.
    pub(super) fn lengths(&self) -> (usize, usize) {
        let state = self.state();
        let waiting = state.waiting.len();
        (state.runs.len() - waiting, waiting)
    }

    /// Takes no more runs, forgets those that wait, interrupts the others and waits for them. All
    /// of their sessions can be resumed.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        let waiting: Vec<_> = state.waiting.drain(..).collect();
        for (job, _) in &waiting {
            state.runs.remove(&job.path);
        }
        for run in state.runs.values() {
            run.interrupted.store(true, Ordering::SeqCst);
        }
        while state.workers > 0 {
            state = self
                .ended
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn execute(job: Job) -> Result<()> {
    let pipeline = (job.pipeline)()?;
    block_on(run::execute(
        &job.engine,
        &job.path,
        &pipeline,
        &job.request,
    ))?;
    Ok(())
}
