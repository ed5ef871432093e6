//! A sandbox for parsers of untrusted documents: a thread of its own with a large stack, a time
//! limit and a guard against panics. A parser that panics or hangs costs an error, not the program.
//!
//! Memory is not limited here: that is for the limits of each format, and for the child process of
//! PDF.

use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The stack of a sandbox thread; chosen by hand, for recursion over the deepest trees allowed.
const STACK_BYTES: usize = 64 * 1024 * 1024;

/// The time limit of a document, chosen by hand: parsers take quadratic time for some rare input.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The failure of a parser.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It holds, or inflates to, more than the reader's limit.
    TooLarge,
    /// The document is malformed; the problem completes "cannot read x: ".
    Broken(String),
}

impl From<String> for Failure {
    fn from(problem: String) -> Self {
        Self::Broken(problem)
    }
}

impl From<&str> for Failure {
    fn from(problem: &str) -> Self {
        Self::Broken(problem.to_owned())
    }
}

/// A parser with its document.
type Job = Box<dyn FnOnce() + Send>;

/// The thread pool: idle threads that wait for the next document, since starting one takes longer
/// than parsing many a page.
static IDLE: Mutex<Vec<Sender<Job>>> = Mutex::new(Vec::new());

/// The limit on idle threads, chosen by hand.
const MAX_IDLE: usize = 4;

/// Runs a parser in a sandbox thread, and returns its result if it comes in time.
pub(super) fn sandboxed<T: Send + 'static>(
    parse: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    // A poisoned lock is used on: pushing and popping a sender cannot be left half done.
    let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let thread = idle.map_or_else(start_thread, Ok)?;
    let (sender, result) = mpsc::channel();
    let job: Job = Box::new(move || {
        let _ = sender.send(parse());
    });
    // A thread ends only when nobody can send to it any more.
    thread.send(job).map_err(|_| "its parser is gone")?;
    let result = result.recv_timeout(TIMEOUT);
    // A thread cannot be killed: one that is late is left behind, and ends when it is done.
    if !matches!(result, Err(RecvTimeoutError::Timeout)) {
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MAX_IDLE {
            idle.push(thread);
        }
    }
    result.map_err(no_result)?
}

fn start_thread() -> Result<Sender<Job>, Failure> {
    let (sender, jobs) = mpsc::channel::<Job>();
    thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || {
            for job in jobs {
                // The caller learns of a panic by its channel, whose sender is dropped.
                let _ = panic::catch_unwind(AssertUnwindSafe(job));
            }
        })
        .map_err(|error| format!("no thread to parse it in: {error}"))?;
    Ok(sender)
}

fn no_result(error: RecvTimeoutError) -> Failure {
    match error {
        RecvTimeoutError::Timeout => {
            tracing::debug!(
                limit_seconds = TIMEOUT.as_secs(),
                "sandbox time limit is over"
            );
            "it took too long".into()
        }
        RecvTimeoutError::Disconnected => {
            tracing::debug!("parser panicked in the sandbox");
            "its parser gave up on it".into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sandbox_turns_a_panic_into_an_error() {
        let answer: Result<(), Failure> = sandboxed(|| panic!("as some parsers do"));
        assert_eq!(answer, Err("its parser gave up on it".into()));
        assert_eq!(sandboxed(|| Ok(3)), Ok(3));
    }
}
