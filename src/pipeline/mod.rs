//! Runs stages over a directory of artifacts, and knows nothing of research.
//!
//! A [`Pipeline`] is a list of [`Stage`]s, each with one *gate*: the file that it writes.
//! [`Snapshot`] reads what exists, [`plan()`] decides purely what would happen next and why, and
//! [`Engine::run`] does the next thing and looks again, until nothing is left. So every decision is
//! read from the directory, and a run killed anywhere goes on where it was.
//!
//! Invariants:
//! - **An artifact exists if and only if it is complete.** [`Disk`] is the only code that writes,
//!   and it flushes.
//! - **Nothing is deleted.** What is superseded moves aside whole, announced first in a file of its
//!   own ([`MoveIntent`]).
//! - **[`plan()`] does no I/O**, and nothing but [`plan()`] decides what runs.
//! - **Neither the event log nor the stamps are ever a source of truth**: without them the same
//!   things happen.

mod clock;
mod digest;
mod digest_cache;
mod disk;
mod engine;
mod events;
mod fingerprint;
mod gate;
mod lock;
mod plan;
mod snapshot;
mod stage;
mod supersede;
mod workspace;

pub use clock::{Clock, Stopwatch};
pub use digest::Digest;
pub use digest_cache::{DigestCache, Stamp, open_file, read_file, read_text};
pub use disk::{Disk, DiskObserver, Operation, Stream};
pub use engine::{Engine, InputRequired, Interrupted, Outcome};
pub use events::{Entry, Event, EventLog, Report, Reporter, read_events, worker_reporter};
pub use fingerprint::{Fingerprint, FingerprintReader, hash_mix};
pub use gate::{Decision, Header, Provenance, Recipe, Unreadable, Version};
pub use lock::{Busy, Lock, StatusFile, holder, process_label, read_status_files};
pub use plan::{Next, Plan, Reason, Request, StagePlan, plan};
pub use snapshot::{GateState, PastRound, Snapshot};
pub use stage::{BestRound, Pipeline, Publish, Published, Stage};
pub use supersede::MoveIntent;
pub use workspace::Workspace;
