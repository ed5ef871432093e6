//! The events of a batch, and who they are reported to.

use std::sync::Arc;

use super::outcome::Entry;
use crate::pipeline::Event;

/// An event of a batch. Workers are numbered from 0.
#[derive(Debug, Clone, Copy)]
pub enum BatchEvent<'a> {
    /// A worker begins with a topic.
    Started {
        /// The worker.
        worker: usize,
        /// The topic.
        topic: &'a str,
    },
    /// An event of the session that a worker is at.
    Session {
        /// The worker.
        worker: usize,
        /// The event.
        event: &'a Event,
    },
    /// A topic is finished; these come in the order in which topics finish.
    Finished {
        /// The worker; `None` if none was needed.
        worker: Option<usize>,
        /// The number of topics finished by now.
        count: u64,
        /// The topic and its outcome.
        entry: &'a Entry,
    },
    /// The same, in the order of the list.
    InOrder(&'a Entry),
}

/// Receives the events of a batch: the progress display.
pub type Reporter = Arc<dyn Fn(&BatchEvent<'_>) + Send + Sync>;
