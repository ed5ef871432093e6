//! How the program ends: one code for each way.

use std::process::ExitCode;

use anyhow::Error;
use clap::error::ErrorKind;

use crate::model::BudgetExhausted;
use crate::pipeline::{Busy, InputRequired, Interrupted};

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Everything asked for is there.
    Complete = 0,
    /// Something failed.
    Failed = 1,
    /// The command line or a setting cannot be used.
    Usage = 2,
    /// Complete, but no round reached the threshold, and `--strict` was given.
    BelowThreshold = 3,
    /// The topic is not clear.
    NeedsClarification = 4,
    /// The documents are silent on the topic.
    NoEvidence = 5,
    /// The budget or the time is exhausted; can be resumed.
    Exhausted = 6,
    /// Another process works on the session.
    InUse = 7,
    /// Interrupted; can be resumed.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Marks an error as one of usage.
#[derive(Debug, thiserror::Error)]
#[error("{0:#}")]
struct UsageError(Error);

/// Marks an error as one of usage: exit code 2.
pub(super) fn usage(error: Error) -> Error {
    UsageError(error).into()
}

/// What the program ends with on this error.
pub(super) fn of_error(error: &Error) -> Exit {
    if is_broken_pipe(error) {
        Exit::Complete
    } else if error.is::<UsageError>() {
        Exit::Usage
    } else if error.is::<BudgetExhausted>() {
        Exit::Exhausted
    } else if error.is::<Busy>() {
        Exit::InUse
    } else if error.is::<Interrupted>() {
        Exit::Interrupted
    } else if error.is::<InputRequired>() {
        Exit::NeedsClarification
    } else {
        Exit::Failed
    }
}

/// Prints what clap has to say: help and version to standard output, errors to standard error.
pub(super) fn of_usage(error: &clap::Error) -> Exit {
    // If even this cannot be printed, nobody is listening.
    let _ = error.print();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Complete,
        _ => Exit::Usage,
    }
}

/// Whether somebody stopped reading our output: their choice, and no error.
fn is_broken_pipe(error: &Error) -> bool {
    let mut causes = error.chain();
    causes.any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
