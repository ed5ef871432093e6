//! The engine: runs stages over a directory of artifacts. It does not depend on what the stages do.
//!
//! A [`Pipeline`] is a list of [`Stage`]s, each with one *gate*: the file that it writes last.
//! [`Snapshot`] reads the files that exist, [`plan()`], a pure function, decides what happens next
//! and why (the staleness rule), and [`Engine::run`] takes that action and plans again, until
//! nothing is left to do. Every decision is derived from the directory, so each gate is a
//! checkpoint, and crash recovery is just the next run.
//!
//! # Invariants
//!
//! - **An artifact exists if and only if it is complete.** [`Disk`] is the only code that writes
//!   into a session, by atomic writes that it flushes.
//! - **Nothing is deleted.** Superseded files move away, announced first in a write-ahead journal
//!   of one record ([`MoveIntent`]).
//! - **[`plan()`] does no I/O**, and nothing but [`plan()`] decides which stage runs.
//! - **Neither the event log nor the digest cache is a source of truth**: without them the same
//!   actions are taken, only more slowly.
//!
//! # Glossary
//!
//! | word | meaning |
//! |---|---|
//! | gate | the file that a stage writes last; while it is fresh, the stage does not run |
//! | intermediate | a file that a stage writes on the way to its gate |
//! | rendering | a file made from a gate alone, for people to read |
//! | fresh, stale | the inputs recorded in a gate all have the same digests still, or not |
//! | recipe change | another prompt, model or setting made the gate; counts with `--refresh` only |
//! | superseded | moved to `superseded/N`, or to `rounds/N` with the round that it belongs to |
//! | round | one pass from the first stage of the round to the last, which judges it |
//! | manifest | the digests of the files outside of the session that a stage reads |
//! | publication | the file that appears when everything is done |
//! | digest | the SHA-256 of a file's bytes |
//! | stamp | the stat data of one file (size, inode, times), the key of a cached digest |
//! | fingerprint | the stamps of all files of a session as one number |
//! | status file | a file in which a living process shows its progress to others |
//! | report | a message to a [`Reporter`], of which an [`Event`] is one kind |

mod clock;
mod digest;
mod digest_cache;
mod disk;
mod engine;
mod events;
mod fingerprint;
mod gate;
mod interruption;
mod lock;
mod look;
mod manifest;
mod plan;
mod publication;
mod replica;
mod replicas;
mod round;
mod run_options;
mod score;
mod session_files;
mod snapshot;
mod stage;
mod stamp;
mod status_file;
mod supersede;
mod workspace;

pub use clock::{Clock, Stopwatch, to_the_second};
pub use digest::Digest;
pub use digest_cache::{DigestCache, ExternalDigests};
pub use disk::{Disk, DiskObserver, Operation, Stream, without_links};
pub use engine::{Engine, Outcome};
pub use events::{
    EVENTS_FILE, Event, EventLog, EventReader, LogEntry, PlannedStep, Report, Reporter, last_event,
    last_options, numbered_stage, read_events, turn, worker_reporter,
};
pub use fingerprint::{Fingerprint, FingerprintReader, hash_mix};
pub use gate::{Decision, Header, Provenance, Recipe, Unreadable, Version};
pub use interruption::{InputRequired, Interrupted};
pub use lock::{Busy, Lock, holder, process_label};
pub use manifest::{ExternalChange, ExternalFile, Manifest};
pub use plan::{Next, Plan, Reason, Request, StagePlan, plan};
pub use publication::{Publication, Published};
pub use replica::{Change, Replica};
pub use replicas::Replicas;
pub use round::{BestRound, PastRound};
pub use run_options::RunOptions;
pub use score::score_text;
pub use session_files::{is_inside, open_file, read_file, read_text};
pub use snapshot::{GateState, Snapshot};
pub use stage::{Fetched, Pipeline, Publish, Stage};
pub use stamp::Stamp;
pub use status_file::{StatusFile, read_status_files};
pub use supersede::{MoveIntent, SUPERSEDED};
pub use workspace::Workspace;
