//! The pool of child processes in which documents of foreign formats are read: this program, run as
//! [`serve_documents`](super::serve_documents) does. What a document does to its parser, it does to
//! a child, which costs that document and nothing else.
//!
//! Children are started when they are needed, read one document after the other, and end with this
//! process.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use super::document::{Input, Isolation};
use super::failure::Failure;
use super::in_flight::InFlight;
use super::protocol::{self, Answer, CHILD_COMMAND, Request};
use crate::platform::{self, Confinement, Duplex};

/// The memory of a document that is read beside others: enough for 2 MB of HTML.
const SHARED_MEMORY: u64 = 64 << 20;

/// The most memory that a setting may give a document.
pub(super) const LARGEST_MEMORY: u64 = 2 << 30;

/// The processor time of a document without a byte, and of each MB more, unless the limit is lower:
/// thrice what large pages were seen to take. A document of [`Isolation::SlowProcess`] may take all
/// of the limit.
const FIRST_SECONDS: u64 = 3;
const SECONDS_PER_MB: u64 = 1;

/// The time that a child has for a document, in multiples of the processor time that it may take:
/// for machines that are busy, where only the latter depends on the document alone.
const PATIENCE: u32 = 20;

/// The time that documents wait in all until one more child is started for them: about what a
/// start takes, so that neither is ever much more than the other (ski rental).
const START: Duration = Duration::from_millis(20);

/// The time that a child has to start; chosen by hand, for machines that are busy.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// The problem of a document that takes more time than it may.
const TOO_LONG: &str = "it took too long";

/// The problem of a document whose reader was to end before it.
pub const OUT_OF_TIME: &str = "the time of the run was used up";

/// The longest text out of a document, in its limits: records are written with the names of their
/// fields.
const MAX_GROWTH: u64 = 4;

/// What a document may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Memory in bytes.
    pub(super) memory_bytes: u64,
    /// Processor time.
    pub(super) processor_time: Duration,
    /// The end of the time in which documents are read, if there is one.
    pub(super) deadline: Option<Instant>,
}

impl Limits {
    /// The limits of a document of so many bytes and of an isolation.
    fn of(self, isolation: Isolation, bytes: u64) -> Self {
        if isolation == Isolation::SlowProcess {
            return self;
        }
        let seconds = FIRST_SECONDS + SECONDS_PER_MB * (bytes >> 20);
        Self {
            processor_time: self.processor_time.min(Duration::from_secs(seconds)),
            ..self
        }
    }

    /// The moment by which a document that is begun now must be read.
    fn end(self, begun: Instant) -> Instant {
        let own = begun + self.processor_time.saturating_mul(PATIENCE);
        self.deadline.map_or(own, |deadline| deadline.min(own))
    }

    fn is_over(self) -> bool {
        self.deadline
            .is_some_and(|deadline| deadline <= Instant::now())
    }

    /// A failure for which there was no time as the end of the run, not of the document.
    fn failure(self, failure: Failure) -> Failure {
        match failure {
            Failure::Lost(_) if self.is_over() => Failure::Lost(OUT_OF_TIME.to_owned()),
            failure => failure,
        }
    }
}

/// A pool of child processes that read documents.
#[derive(Debug)]
pub struct Pool {
    program: PathBuf,
    /// The most children at once, whatever the number of jobs: one more than processors, for one
    /// that waits for its document. On a small machine their memory and that of the main process
    /// stay below 256 MiB that way.
    max_children: usize,
    state: Mutex<State>,
    /// Notified when a child becomes idle or ends.
    freed: Condvar,
    /// The bytes of documents that are in memory.
    pub(super) in_flight: InFlight,
    /// Held by documents that are read beside others, and exclusively by one that is read alone.
    memory: RwLock<()>,
}

#[derive(Debug, Default)]
struct State {
    idle: Vec<Worker>,
    /// The children, idle ones included.
    running: usize,
    /// The time that documents have waited since a child was started.
    waited: Duration,
}

/// A child.
#[derive(Debug)]
struct Worker {
    process: Child,
    stream: Duplex,
    confinement: Confinement,
    /// The time for which it has read; its processor time is no more.
    busy: Duration,
}

impl Pool {
    /// A pool of children that run this program with [`CHILD_COMMAND`].
    pub fn new(program: impl Into<PathBuf>) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            program: program.into(),
            max_children: processors + 1,
            state: Mutex::default(),
            freed: Condvar::new(),
            in_flight: InFlight::default(),
            memory: RwLock::default(),
        }
    }

    /// The confinement of the children, of which one is started if there is none.
    ///
    /// # Errors
    /// When none can be started.
    pub fn confinement(&self) -> io::Result<Confinement> {
        let worker = self.take()?;
        let confinement = worker.confinement;
        self.give_back(worker);
        Ok(confinement)
    }

    /// Reads a document in a child.
    pub(super) fn read(&self, input: &Input<'_>, bytes: &[u8], limits: Limits) -> Answer {
        let limits = limits.of(input.kind.isolation, bytes.len() as u64);
        // It may have waited for others.
        if limits.is_over() {
            return Err(Failure::Lost(OUT_OF_TIME.to_owned()));
        }
        let memory_bytes = limits.memory_bytes.min(SHARED_MEMORY);
        let shared = self.read_beside_others(
            input,
            bytes,
            Limits {
                memory_bytes,
                ..limits
            },
        );
        if !matches!(shared, Err(Failure::OutOfMemory)) {
            return shared;
        }
        // Whatever the child had in its memory besides: the answer depends on the document alone.
        tracing::debug!(name = %input.path.display(), "a document is read once more, alone");
        let _alone = self.memory.write().unwrap_or_else(PoisonError::into_inner);
        self.end_idle();
        let worker = self.take();
        let answer = self.ask(worker, input, bytes, limits);
        self.end_idle();
        answer
    }

    fn read_beside_others(&self, input: &Input<'_>, bytes: &[u8], limits: Limits) -> Answer {
        // A poisoned lock guards nothing that could be left half done.
        let _shared = self.memory.read().unwrap_or_else(PoisonError::into_inner);
        self.ask(self.take(), input, bytes, limits)
    }

    fn ask(
        &self,
        worker: io::Result<Worker>,
        input: &Input<'_>,
        bytes: &[u8],
        limits: Limits,
    ) -> Answer {
        let program = self.program.display();
        let mut worker =
            worker.map_err(|error| Failure::Lost(format!("{program} does not start: {error}")))?;
        let begun = Instant::now();
        let request = Request {
            name: input.path.to_string_lossy().into_owned(),
            kind: input.kind,
            charset: input.charset.map(str::to_owned),
            max_bytes: input.max_bytes,
            keeps_links: input.keeps_links,
            memory_bytes: limits.memory_bytes,
            processor_seconds: (worker.busy + limits.processor_time).as_secs() + 1,
        };
        match worker.answer(&request, bytes, limits.end(begun)) {
            Ok(answer) => {
                worker.busy += begun.elapsed();
                self.give_back(worker);
                answer
            }
            Err(error) => {
                let failure = worker.end(&error);
                self.forget(1);
                Err(limits.failure(failure))
            }
        }
    }

    /// An idle child, or a new one.
    fn take(&self) -> io::Result<Worker> {
        let mut state = self.state();
        loop {
            while let Some(mut worker) = state.idle.pop() {
                // One may have been killed from outside while it was idle.
                if matches!(worker.process.try_wait(), Ok(None)) {
                    return Ok(worker);
                }
                state.running -= 1;
            }
            if state.running >= self.max_children {
                let woken = self.freed.wait(state);
                state = woken.unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            if state.running == 0 || state.waited >= START {
                break;
            }
            let (begun, left) = (Instant::now(), START - state.waited);
            let woken = self.freed.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
            state.waited += begun.elapsed();
        }
        (state.running, state.waited) = (state.running + 1, Duration::ZERO);
        drop(state);
        Worker::start(&self.program).inspect_err(|_| self.forget(1))
    }

    fn give_back(&self, worker: Worker) {
        self.state().idle.push(worker);
        self.freed.notify_one();
    }

    fn forget(&self, ended: usize) {
        self.state().running -= ended;
        self.freed.notify_all();
    }

    /// Ends the children that read nothing.
    pub fn end_idle(&self) {
        let idle = std::mem::take(&mut self.state().idle);
        self.forget(idle.len());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that panics is done under this lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Worker {
    fn start(program: &Path) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.arg(CHILD_COMMAND);
        let (process, mut stream) = platform::spawn_with_duplex(command)?;
        stream.set_read_timeout(Some(START_TIMEOUT))?;
        let confinement = protocol::receive(&mut stream, protocol::MAX_REQUEST_BYTES);
        let mut worker = Self {
            process,
            stream,
            confinement: Confinement::default(),
            busy: Duration::ZERO,
        };
        worker.confinement = match confinement {
            Ok(confinement) => confinement,
            Err(error) => match worker.end(&error) {
                Failure::Lost(reason) | Failure::Broken(reason) => {
                    return Err(io::Error::new(error.kind(), reason));
                }
                _ => return Err(error),
            },
        };
        tracing::debug!(process = worker.process.id(), "a reader was started");
        Ok(worker)
    }

    fn answer(&mut self, request: &Request, bytes: &[u8], deadline: Instant) -> io::Result<Answer> {
        let mut stream = Timed {
            stream: &self.stream,
            deadline,
        };
        protocol::send(&mut stream, request)?;
        protocol::send_bytes(&mut stream, bytes)?;
        let limit = request.max_bytes.saturating_mul(MAX_GROWTH);
        protocol::receive(&mut stream, limit.saturating_add(1 << 20))
    }

    /// Ends a child that did not answer; the reason that it did not.
    fn end(mut self, error: &io::Error) -> Failure {
        tracing::debug!(process = self.process.id(), %error, "a reader is ended");
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                return Failure::Lost(TOO_LONG.to_owned());
            }
            io::ErrorKind::FileTooLarge => return Failure::TooLarge,
            _ => {}
        }
        // One that ends by itself has its status by the time its stream is closed, so that killing
        // changes nothing; one that closed it and goes on is killed.
        let _ = self.process.kill();
        match self.process.wait() {
            Ok(status) if platform::was_aborted(status) => Failure::OutOfMemory,
            Ok(status) if platform::was_out_of_time(status) => Failure::Broken(TOO_LONG.to_owned()),
            Ok(status) => Failure::Lost(format!("its reader ended with {status}")),
            Err(error) => Failure::Lost(error.to_string()),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A stream until a deadline.
struct Timed<'a> {
    stream: &'a Duplex,
    deadline: Instant,
}

impl Timed<'_> {
    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.deadline.checked_duration_since(Instant::now());
        let left = left.filter(|left| !left.is_zero());
        left.map(Some).ok_or_else(|| io::ErrorKind::TimedOut.into())
    }
}

impl io::Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut stream = self.stream;
        stream.set_read_timeout(self.left()?)?;
        stream.read(buffer)
    }
}

impl io::Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut stream = self.stream;
        stream.set_write_timeout(self.left()?)?;
        stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_grows_with_the_document_and_is_all_there_is_for_a_kind_that_is_slow() {
        let limits = Limits {
            memory_bytes: 136 << 20,
            processor_time: Duration::from_secs(30),
            deadline: None,
        };
        let seconds = |isolation, bytes| limits.of(isolation, bytes).processor_time.as_secs();
        assert_eq!(seconds(Isolation::Process, 2 << 10), 3);
        assert_eq!(seconds(Isolation::Process, 4 << 20), 7);
        assert_eq!(seconds(Isolation::Process, 32 << 20), 30);
        assert_eq!(seconds(Isolation::SlowProcess, 2 << 10), 30);
    }
}
