//! The replicas of all sessions, from which runs get that of theirs.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;

use super::{Disk, Replica};

/// The replicas of all sessions.
pub trait Replicas: Send + Sync {
    /// Makes the directory of a session what its replica has, if it has anything, and returns the
    /// replica for a run; `since` is the current time, for the message to other processes.
    ///
    /// # Errors
    /// [`super::Busy`] when another process works on it; when the replica cannot be read.
    fn checkout(&self, session: &Path, disk: &Disk, since: &str) -> Result<Arc<dyn Replica>>;
}
