//! `research batch --events`: what happens in a batch, as lines of JSON.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Output, Program};
use crate::batch::Entry;
use crate::pipeline::{Clock, Event, Report};

/// A line of `research batch --events`.
#[derive(Serialize, JsonSchema)]
pub(super) struct BatchEvent<'a> {
    /// The time, RFC 3339.
    at: String,
    /// The worker, from 0, which has one topic at a time; none for a topic that needed no work.
    worker: Option<usize>,
    event: Happening<'a>,
}

/// Something that happened in a batch.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Happening<'a> {
    /// A worker began a topic.
    TopicStarted {
        /// The topic.
        topic: &'a str,
    },
    /// A topic is finished.
    TopicFinished {
        /// The number of topics that are finished, this one included.
        finished: u64,
        /// The topic and its outcome.
        topic: &'a Entry,
    },
    /// Something happened in the session of the worker's topic, as in its `events.jsonl`.
    #[serde(untagged)]
    Session(&'a Event),
}

/// Prints what happens in a batch, a line each.
pub(super) struct BatchEvents {
    output: Output,
    clock: Clock,
}

impl BatchEvents {
    pub(super) fn new(program: &Program<'_>) -> Self {
        Self {
            output: *program.output,
            clock: program.clock,
        }
    }

    /// Prints a report. A reader that closes the pipe does not stop the batch.
    pub(super) fn show(&self, report: Report<'_, Entry>) {
        let (worker, event) = match report {
            Report::JobStarted { worker, name } => {
                (Some(worker), Happening::TopicStarted { topic: name })
            }
            Report::Session { worker, event } => (worker, Happening::Session(event)),
            Report::JobFinished {
                worker,
                finished,
                job: topic,
            } => (worker, Happening::TopicFinished { finished, topic }),
            // Reported when it was finished.
            Report::JobInOrder(_) => return,
        };
        let at = self.clock.timestamp();
        let _ = self.output.line(&BatchEvent { at, worker, event });
    }
}
