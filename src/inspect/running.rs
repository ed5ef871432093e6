//! The activity of living processes, in a session and in a batch: read from locks, event logs and
//! status files, for display only.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pipeline::{Event, Lock, LogEntry, holder, read_events, read_status_files};

/// The process that works on a session now.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Running {
    /// The process, its host and the time of its start, as it says itself.
    pub by: String,
    /// The current stage; `None` between two stages.
    pub stage: Option<Activity>,
    /// The current step of that stage.
    pub step: Option<Activity>,
}

/// An activity of a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Activity {
    /// Its description, for people.
    pub what: String,
    /// The time at which it began, RFC 3339.
    pub since: String,
}

/// The activity in the session at `path`; `None` if no process holds its lock.
pub(super) fn running(path: &Path) -> Option<Running> {
    if !Lock::is_locked(path) {
        return None;
    }
    let mut running = Running {
        by: holder(path),
        stage: None,
        step: None,
    };
    // The log has the events of all runs. Only those since the start of the lock's holder count: an
    // earlier process may have died within a stage.
    let mut is_holder = false;
    for LogEntry { at, event } in read_events(path) {
        let activity = |what| Some(Activity { what, since: at });
        match event {
            Event::StageStarted { stage, round, .. } if is_holder => {
                running.stage = activity(format!("{stage} (round {round})"));
                running.step = None;
            }
            Event::RunStarted { pid, .. } => {
                is_holder = running.by.starts_with(&format!("pid {pid} on "));
                (running.stage, running.step) = (None, None);
            }
            Event::StageFinished { .. }
            | Event::StageFailed { .. }
            | Event::StageWaits { .. }
            | Event::Interrupted
            | Event::RunFinished => (running.stage, running.step) = (None, None),
            Event::Progress { message, .. } if is_holder => running.step = activity(message),
            event if is_holder && event.is_of_stage() => {
                running.step = activity(event.to_string());
            }
            // These happen within or between stages and end neither.
            _ => {}
        }
    }
    Some(running)
}

/// The progress of a running batch: the content of its status file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunningBatch {
    /// The process, its host and the time of its start, as it says itself.
    pub by: String,
    /// The number of finished topics.
    pub finished: u64,
    /// The number of topics in its list, if they could be counted.
    pub topics: Option<u64>,
    /// The path of the record that it will write.
    pub record: String,
}

/// The name of the status file of a batch, beside the sessions.
pub const BATCH_STATUS: &str = "batch";

/// Reads the status files of the batches that run in an output directory.
pub fn running_batches(output_dir: &Path) -> Vec<RunningBatch> {
    read_status_files(&output_dir.join(BATCH_STATUS))
        .into_iter()
        .filter_map(|text| serde_json::from_str(&text).ok())
        .collect()
}
