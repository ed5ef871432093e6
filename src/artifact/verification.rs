//! `verification.json`: each claim of the draft, checked against the stored texts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::claims::Claim;
use crate::pipeline::Digest;

/// The result of the check of a draft.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verification {
    /// The verdicts, one per claim, in the order of the draft.
    pub verdicts: Vec<ClaimVerdict>,
    /// The number of claims by verdict.
    pub summary: VerificationSummary,
}

impl Verification {
    /// The verification with these verdicts.
    pub fn of(verdicts: Vec<ClaimVerdict>) -> Self {
        let is_supported = |own: &&ClaimVerdict| own.verdict == Verdict::Supported;
        let supported = verdicts.iter().filter(is_supported).count();
        Self {
            summary: VerificationSummary {
                claims: verdicts.len(),
                supported,
                failed: verdicts.len() - supported,
            },
            verdicts,
        }
    }
}

/// The verdict on one claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimVerdict {
    /// The claim.
    pub claim: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason.
    pub reason: String,
    /// The score of the check in plain code, 0 to 1, for a claim in words of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The verdict of a model that saw the claim and its passages alone. Of both verdicts the
    /// stricter counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelVerdict>,
}

impl ClaimVerdict {
    /// The verdict of the check in plain code.
    pub fn of(claim: &Claim, verdict: Verdict, reason: String) -> Self {
        Self {
            claim: claim.id.clone(),
            verdict,
            reason,
            score: None,
            model: None,
        }
    }

    /// The verdict with its score, of three decimal places.
    #[must_use]
    pub fn with_score(self, score: f64) -> Self {
        Self {
            score: Some((score * 1000.0).round() / 1000.0),
            ..self
        }
    }
}

/// The verdict of a model on a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelVerdict {
    /// The verdict.
    pub verdict: Verdict,
    /// The digest of the sentence and the quotations that it is on: a claim that was changed since
    /// has another, and no verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Digest>,
    /// The words of a passage by which it holds; empty if there are none.
    pub words: String,
    /// What the claim says and the passages do not; empty if nothing.
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

impl Verdict {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Partial => "partial",
            Self::Unsupported => "unsupported",
            Self::Contradicted => "contradicted",
            Self::Abstained => "abstained",
        }
    }
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
