//! Sessions in an object store: S3 and its like, or a directory that machines share.
//!
//! ```text
//! PREFIX/SESSION/log/0000000001.json     a commit: the files of the session, each by its digest
//! PREFIX/SESSION/blobs/DIGEST            the bytes of a file
//! ```
//!
//! Both are written once, with create-if-absent, and never changed: the log is the write-ahead
//! journal of the session, and who creates the next number has written. So a commit of many files
//! appears at once, and of two writers one wins; the other one finds the number taken, reads what
//! won, and stops. A worker claims a session by a commit of its own before it goes on with it. One
//! that was stopped past its lease can therefore change nothing when it wakes up: the numbers after
//! the claim are the other one's (fencing).
//!
//! The engine knows nothing of this. It writes to the local disk as ever, and `SessionReplica`
//! is told of each change that is complete there.

mod commit;
mod connection;
mod copy;
mod log;
mod replica;
mod session_store;

pub use copy::Diverged;
pub use session_store::{SessionStore, Transfer};
