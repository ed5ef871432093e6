//! What living processes are at, in a session and in a batch: read from their locks and from the
//! event log, for display only.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::batch::Batch;
use crate::pipeline::{Entry, Event, Lock, Sign, holder, read_events, signs, this_process};

/// The process that works on a session just now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Running {
    /// Which process, where and since when, as it says itself.
    pub by: String,
    /// The stage that it is at; `None` between two stages.
    pub stage: Option<Doing>,
    /// What it does in that stage.
    pub step: Option<Doing>,
}

/// Something that is being done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Doing {
    /// What, for people.
    pub what: String,
    /// Since when, RFC 3339.
    pub since: String,
}

/// What happens in the session at `path`; `None` if no process holds it.
pub(super) fn running(path: &Path) -> Option<Running> {
    if !Lock::is_held(path) {
        return None;
    }
    let mut running = Running {
        by: holder(path),
        stage: None,
        step: None,
    };
    let mut is_own = false;
    for Entry { at, event } in read_events(path) {
        let doing = |what| Some(Doing { what, since: at });
        match event {
            Event::StageStarted { stage, round, .. } if is_own => {
                running.stage = doing(format!("{stage} (round {round})"));
                running.step = None;
            }
            Event::Progress { message, .. } if is_own => running.step = doing(message),
            Event::SetAside { .. } | Event::Published { .. } => {}
            // What an earlier process left unfinished is not what happens now.
            Event::RunStarted { pid } => {
                is_own = running.by.starts_with(&format!("pid {pid} on "));
                (running.stage, running.step) = (None, None);
            }
            _ => (running.stage, running.step) = (None, None),
        }
    }
    Some(running)
}

/// A batch that is at work just now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runner {
    /// Which process, where and since when, as it says itself.
    pub by: String,
    /// Topics that are finished.
    pub finished: u64,
    /// Topics in its list, if they could be counted.
    pub topics: Option<u64>,
    /// Where it will say what each topic came to.
    pub record: String,
}

/// The name of the sign that a batch gives beside the sessions.
const SIGN: &str = "batch";

/// The batches that work in an output directory just now.
pub fn runners(output_dir: &Path) -> Vec<Runner> {
    let texts = signs(&output_dir.join(SIGN)).into_iter();
    texts
        .filter_map(|text| serde_json::from_str(&text).ok())
        .collect()
}

/// How far a batch says that it is.
pub(super) struct Told {
    sign: Option<Sign>,
    runner: Runner,
}

/// Topics after which a batch says how far it is though nothing was made.
const EACH: u64 = 1000;

impl Told {
    /// Begins to say it, unless nothing is done in earnest.
    pub(super) fn new(batch: &Batch) -> Self {
        let place = batch.settings.run.output_dir.join(SIGN);
        let sign = (!batch.dry_run).then(|| Sign::give(&place, &batch.disk).ok());
        let told = Self {
            sign: sign.flatten(),
            runner: Runner {
                by: this_process(&batch.clock.stamp()),
                finished: 0,
                topics: batch.topics,
                record: batch.record().display().to_string(),
            },
        };
        told.say();
        told
    }

    /// One more topic is finished; `made` says whether that took anything.
    pub(super) fn finished(&mut self, made: bool) {
        self.runner.finished += 1;
        if made || self.runner.finished.is_multiple_of(EACH) {
            self.say();
        }
    }

    fn say(&self) {
        if let (Some(sign), Ok(text)) = (&self.sign, serde_json::to_string(&self.runner)) {
            sign.say(&text);
        }
    }
}
