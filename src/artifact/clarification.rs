//! `research/clarification.json`: the coordinator's questions to the user, and the answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Questions to the user. Research continues once `answer` is filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Clarification {
    /// The questions.
    pub questions: Vec<String>,
    /// The user's answer; edit the file and resume.
    pub answer: Option<String>,
}

impl Clarification {
    /// Its file.
    pub const FILE: &'static str = "research/clarification.json";
}
