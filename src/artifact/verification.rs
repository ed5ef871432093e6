//! `verification.json`: each claim of the draft, checked against the stored texts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The result of the check of a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verification {
    /// The verdicts, one per claim, in the order of the draft.
    pub verdicts: Vec<ClaimVerdict>,
    /// The number of claims by verdict.
    pub summary: VerificationSummary,
}

/// The verdict on one claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimVerdict {
    /// The claim.
    pub claim: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason.
    pub reason: String,
}

/// The result of the check of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The passage says it.
    Supported,
    /// The passage says a part of it.
    Partial,
    /// The passage does not say it.
    Unsupported,
    /// The passage says the contrary.
    Contradicted,
    /// The question is undecided.
    Abstained,
}

/// The number of claims by verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerificationSummary {
    /// All claims.
    pub claims: usize,
    /// Of these, supported.
    pub supported: usize,
    /// Of these, not supported for any reason.
    pub failed: usize,
}
