//! Parsing of what strangers wrote, kept away from the rest: in a thread apart, with a stack that
//! deep trees fit in, for a time that is limited.
//!
//! Refuses to know what is parsed. A parser that panics or hangs costs an error, not the program.

use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The stack a tree is walked with.
const STACK_BYTES: usize = 64 * 1024 * 1024;

/// How long a document may take; what a parser does with some rare input grows with its square.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Why a document gave no text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It holds, or inflates to, more than the reader's limit.
    TooLarge,
    /// It is not what it should be, in words that complete "cannot read x: ".
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

/// A document to be parsed.
type Work = Box<dyn FnOnce() + Send>;

/// Threads that have answered and wait for the next document: to begin one costs more than many a
/// page.
static IDLE: Mutex<Vec<Sender<Work>>> = Mutex::new(Vec::new());

/// Threads that are kept waiting, at most.
const MOST_IDLE: usize = 4;

/// What a parser answers, if it does in time.
pub(super) fn sandboxed<T: Send + 'static>(
    parse: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let thread = idle.map_or_else(begun, Ok)?;
    let (sender, answer) = mpsc::channel();
    let work: Work = Box::new(move || {
        let _ = sender.send(parse());
    });
    // A thread ends only when nobody can send to it any more.
    thread.send(work).map_err(|_| "its parser is gone")?;
    let answer = answer.recv_timeout(TIMEOUT);
    // A thread that is late cannot be ended: it is left behind, and ends when it is done.
    if !matches!(answer, Err(RecvTimeoutError::Timeout)) {
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MOST_IDLE {
            idle.push(thread);
        }
    }
    answer.map_err(unanswered)?
}

fn begun() -> Result<Sender<Work>, Failure> {
    let (sender, waiting) = mpsc::channel::<Work>();
    thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || {
            for work in waiting {
                // Whoever waits for the answer learns of it by its channel.
                let _ = panic::catch_unwind(AssertUnwindSafe(work));
            }
        })
        .map_err(|error| format!("no thread to parse it in: {error}"))?;
    Ok(sender)
}

fn unanswered(error: RecvTimeoutError) -> Failure {
    match error {
        RecvTimeoutError::Timeout => "it took too long".into(),
        RecvTimeoutError::Disconnected => "its parser gave up on it".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parser_that_panics_is_an_error() {
        let answer: Result<(), Failure> = sandboxed(|| panic!("as some parsers do"));
        assert_eq!(answer, Err("its parser gave up on it".into()));
        assert_eq!(sandboxed(|| Ok(3)), Ok(3));
    }
}
