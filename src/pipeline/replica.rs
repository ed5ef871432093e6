//! The replica of a session elsewhere, which is told of every change of its files.

use std::path::Path;

use anyhow::Result;

/// A change of a session's files that is complete on the local disk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change<'a> {
    /// A file was written and flushed.
    Written(&'a Path),
    /// A file was written or appended to without flushing: a power failure may lose it.
    Unflushed(&'a Path),
    /// A file or a directory was moved.
    Moved(&'a Path, &'a Path),
    /// A file or a directory was removed.
    Removed(&'a Path),
}

/// The replica of one session, such as in an object store.
///
/// What survives the loss of the machine is what survives a power failure: when a flushed change
/// returns, the replica has it, while an unflushed one is there with the next flushed one at the
/// earliest.
pub trait Replica: Send + Sync {
    /// Claims the session for this process, once it has the session's lock: from then on no other
    /// process can change the replica without this one noticing.
    ///
    /// # Errors
    /// When the replica cannot be reached, or is not what the local files were made from.
    fn claim(&self) -> Result<()>;

    /// Takes over a change.
    ///
    /// # Errors
    /// [`super::Busy`] when another process has claimed the session since, or when the replica
    /// cannot be reached.
    fn replicate(&self, change: &Change<'_>) -> Result<()>;

    /// Takes over the unflushed changes, at the end of a run.
    ///
    /// # Errors
    /// As [`Self::replicate`].
    fn finish(&self) -> Result<()>;
}
