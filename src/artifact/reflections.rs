//! `research/reflections.jsonl`: the decision after each batch of steps. One artifact per line.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The decision after a batch of steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reflection {
    /// The steps completed so far.
    pub after: Vec<String>,
    /// The decision.
    pub decision: ReflectionDecision,
    /// The reasons.
    pub reasoning: String,
    /// The changes that the planner should make, for `ADJUST`.
    pub suggested_changes: Option<Vec<String>>,
}

/// The decision of a reflection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReflectionDecision {
    /// Do the next steps.
    Continue,
    /// Plan again, keeping the completed steps.
    Adjust,
    /// The findings are sufficient: skip the remaining steps.
    Complete,
}
