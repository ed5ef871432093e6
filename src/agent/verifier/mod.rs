//! The verifier checks one claim against its passages, and sees nothing else of the report. Its
//! rule is the check in plain code.

mod model;

use super::definition::Agent;
use crate::artifact::verification::{ModelVerdict, Verdict};
use crate::model::{Phase, Tier};

/// The verifier.
pub struct Verifier;

/// The verifier's input.
#[derive(Debug, Clone)]
pub struct VerifierInput {
    /// The claim.
    pub claim: String,
    /// The words of its passages, each with the title of its document in front.
    pub passages: Vec<(String, String)>,
    /// `true` to show the claim before the passages: models are swayed by what they read last.
    pub claim_first: bool,
}

impl Agent for Verifier {
    type Input = VerifierInput;
    type Output = Option<ModelVerdict>;
    const NAME: &'static str = "verifier";
    const TIER: Tier = Tier::Analytical;
    const PHASE: Phase = Phase::Finishing;
    const PROMPT: &'static str = include_str!("../../../prompts/verifier.md");

    fn rule(_input: &VerifierInput) -> Option<ModelVerdict> {
        None
    }
}

/// Returns the stricter of two verdicts.
pub fn stricter(one: Verdict, other: Verdict) -> Verdict {
    let rank = |verdict: Verdict| match verdict {
        Verdict::Supported => 0,
        Verdict::Abstained => 1,
        Verdict::Partial => 2,
        Verdict::Unsupported => 3,
        Verdict::Contradicted => 4,
    };
    if rank(other) > rank(one) { other } else { one }
}
