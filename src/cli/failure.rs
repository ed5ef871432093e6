//! Errors for other programs: with `--json` or `--events`, standard output ends in one JSON object
//! on a line of its own. Standard error says the same for people.

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use super::Exit;

/// The name of the schema, for `research schema`.
pub(super) const NAME: &str = "error";

/// The last line of standard output of a command that failed.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Failure {
    /// The error.
    pub(super) error: Problem,
}

/// An error.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Problem {
    /// The kind of error, which decides the exit code.
    pub(super) kind: Exit,
    /// The exit code.
    pub(super) exit_code: u8,
    /// The message, with its causes.
    pub(super) message: String,
    /// Remedies, such as a command that resumes the session.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) tips: Vec<String>,
}

impl Failure {
    /// The object for an error with this exit code.
    pub(super) fn new(exit: Exit, message: String, tips: Vec<String>) -> Self {
        Self {
            error: Problem::new(exit, message, tips),
        }
    }
}

impl Problem {
    /// An error with this exit code.
    pub(super) fn new(exit: Exit, message: String, tips: Vec<String>) -> Self {
        Self {
            kind: exit,
            exit_code: exit as u8,
            message,
            tips,
        }
    }
}

/// The JSON Schema of the object.
pub(super) fn schema() -> Schema {
    schema_for!(Failure)
}
