//! `research/clarification.json`: the coordinator's questions to the person, and the answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Questions to the person. Research goes on once `answer` is filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Clarification {
    /// The questions.
    pub questions: Vec<String>,
    /// The person's answer; edit the file and resume.
    pub answer: Option<String>,
}
