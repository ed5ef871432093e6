//! Exit codes, and the exit code of an error.

use std::io;
use std::process::ExitCode;

use anyhow::{Error, anyhow};
use schemars::JsonSchema;
use serde::Serialize;

use crate::inspect::{NoSuchRound, OnlyRound};
use crate::pipeline::{Busy, InputRequired, Interrupted};
use crate::read::ReadError;
use crate::run::InvalidQuestion;
use crate::stage;

/// An exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// Success: everything requested is complete.
    Complete = 0,
    /// Something failed, or a search found nothing, as with grep.
    Failed = 1,
    /// The command line or a setting is invalid.
    Usage = 2,
    /// Complete, but no round reached the threshold, or the report does not answer as asked, and
    /// `--strict` was given.
    BelowThreshold = 3,
    /// The topic needs clarification, or the plan approval.
    NeedsClarification = 4,
    /// There is no evidence on the topic.
    NoEvidence = 5,
    /// The budget or the time is exhausted; the run can be resumed.
    Exhausted = 6,
    /// Another process holds the lock of the session.
    InUse = 7,
    /// A report that was up to date before says something else now.
    Changed = 8,
    /// The run was interrupted; it can be resumed.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The marker of a usage error.
#[derive(Debug, thiserror::Error)]
#[error("{0:#}")]
struct UsageError(Error);

/// Marks an error as a usage error: exit code 2.
pub(super) fn usage(error: Error) -> Error {
    UsageError(error).into()
}

/// An error of a command whose exit code 1 is a finding, as grep's is: another code.
pub(super) fn of_finder(error: Error) -> Error {
    if of_error(&error) == Exit::Failed {
        usage(error)
    } else {
        error
    }
}

/// An error of a file that a user named, in plain words if there is none of this name.
pub(super) fn of_file(error: io::Error, missing: &'static str) -> Error {
    if error.kind() == io::ErrorKind::NotFound {
        anyhow!("there is no such file; {missing}")
    } else {
        error.into()
    }
}

/// The exit code of an error.
pub(super) fn of_error(error: &Error) -> Exit {
    // A closed pipe is success: the reader, such as `head`, has read enough. `is` looks through the
    // context that was added to an error.
    if is_broken_pipe(error) {
        Exit::Complete
    } else if is_usage(error) {
        Exit::Usage
    } else if stage::is_exhaustion(error) {
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

fn is_usage(error: &Error) -> bool {
    error.is::<UsageError>()
        || error.is::<InvalidQuestion>()
        || error.is::<NoSuchRound>()
        || error.is::<OnlyRound>()
        || is_without_documents(error)
}

/// `true` if the documents that were named hold nothing that can be read.
fn is_without_documents(error: &Error) -> bool {
    let mut causes = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<ReadError>());
    causes.any(|error| matches!(error, ReadError::NoDocuments { .. }))
}

/// `true` if the reader of our output closed the pipe, as `head` does: not an error.
fn is_broken_pipe(error: &Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
