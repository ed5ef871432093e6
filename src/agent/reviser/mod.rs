//! The reviser writes one sentence from the passages that are to show it: where a sentence did not
//! hold, or a section has none. Its rule writes none.

mod model;

use super::definition::Agent;
use super::writer::Material;
use crate::model::{Phase, Tier};

/// The reviser.
pub struct Reviser;

/// The reviser's input.
#[derive(Debug, Clone)]
pub struct ReviserInput {
    /// The passages.
    pub passages: Vec<Material>,
    /// The sentence that did not hold, and the reason; none if there is none yet.
    pub rejected: Option<(String, String)>,
    /// The language; empty: that of the passages.
    pub language: String,
}

impl Agent for Reviser {
    type Input = ReviserInput;
    type Output = Option<String>;
    const NAME: &'static str = "reviser";
    const TIER: Tier = Tier::Complex;
    const PHASE: Phase = Phase::Finishing;
    const PROMPT: &'static str = include_str!("../../../prompts/reviser.md");

    fn rule(_input: &ReviserInput) -> Option<String> {
        None
    }
}
