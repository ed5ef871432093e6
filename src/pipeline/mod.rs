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
//!   own ([`Aside`]).
//! - **[`plan()`] does no I/O**, and nothing but [`plan()`] decides what runs.
//! - **Neither the event log nor the stamps are ever a source of truth**: without them the same
//!   things happen.

mod aside;
mod clock;
mod digest;
mod disk;
mod engine;
mod events;
mod gate;
mod lock;
mod plan;
mod signature;
mod snapshot;
mod stage;
mod stamps;
mod workspace;

pub use aside::Aside;
pub use clock::{Clock, Stopwatch};
pub use digest::Digest;
pub use disk::{Disk, Operation, Stream, Watch};
pub use engine::{Engine, Interrupted, Outcome, Waiting};
pub use events::{Entry, Event, EventLog, Observer, read_events};
pub use gate::{Decision, Header, Provenance, Recipe, Unreadable, Version};
pub use lock::{Busy, Lock, Sign, holder, signs, this_process};
pub use plan::{Line, Next, Plan, Reason, Request, plan};
pub use signature::{Signature, Tree, mixed};
pub use snapshot::{GateState, PastRound, Snapshot};
pub use stage::{Best, Pipeline, Publish, Published, Stage};
pub use stamps::{Stamp, Stamps, open_file, read_file, read_text};
pub use workspace::Workspace;
