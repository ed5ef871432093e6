//! The agents, one file each: a typed judgement, with the rule that makes it in plain code.
//!
//! An agent sees its typed input and nothing else: no file, no network, no clock. Its rule is a pure function, so the same
//! input gives the same output. No rule writes a sentence of a report: it chooses among sentences of the sources.

mod analyst;
mod aspect;
mod contradiction;
mod coordinator;
mod planner;
mod quotation;
mod reflector;
mod researcher;
mod reviewer;
mod writer;

use anyhow::Result;
use serde::Serialize;

use crate::pipeline::{Digest, Recipe};

pub use analyst::{Analyst, AnalystInput};
pub use coordinator::{Coordinator, CoordinatorInput};
pub use planner::{Planner, PlannerInput};
pub use reflector::{Reflector, ReflectorInput};
pub use researcher::{
    Candidate, Chosen, FoundDocument, Researcher, ResearcherInput, ResearcherOutput, TermWeight,
    share,
};
pub use reviewer::{Reviewer, ReviewerInput};
pub use writer::{Writer, WriterInput};

/// A typed judgement.
pub trait Agent {
    /// Everything that it may see.
    type Input;
    /// What it decides.
    type Output;
    /// Its name, that of its file and of its prompt.
    const NAME: &'static str;
    /// Which model would serve it.
    const TIER: Tier;
    /// What a model is told.
    const PROMPT: &'static str;

    /// The judgement made by plain code.
    fn rule(input: &Self::Input) -> Self::Output;
}

/// How demanding an agent's judgement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Quick and cheap.
    Simple,
    /// Careful.
    Analytical,
    /// The best there is.
    Complex,
}

/// What there is to know of an agent without asking it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card {
    /// Its name.
    pub name: &'static str,
    /// Which model would serve it.
    pub tier: Tier,
    /// What a model is told.
    pub prompt: &'static str,
}

/// The card of an agent.
pub const fn card<A: Agent>() -> Card {
    Card {
        name: A::NAME,
        tier: A::TIER,
        prompt: A::PROMPT,
    }
}

/// Who answers for the agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    /// Their rules: no key, no network.
    Rules,
}

impl Judge {
    /// Asks an agent.
    ///
    /// # Errors
    /// Rules do not fail; a model may.
    pub async fn ask<A: Agent>(self, input: &A::Input) -> Result<A::Output> {
        match self {
            Self::Rules => Ok(A::rule(input)),
        }
    }

    /// What a gate is made by when these agents judge under this configuration.
    pub fn recipe(self, agents: &[Card], configuration: &impl Serialize) -> Recipe {
        let names: Vec<_> = agents.iter().map(|agent| agent.name).collect();
        let prompts: Vec<_> = agents.iter().map(|agent| agent.prompt).collect();
        Recipe {
            agent: names.join(", "),
            answered_by: self.name().to_owned(),
            prompt: Digest::of(prompts.join("\0")),
            configuration: Digest::of_value(configuration),
        }
    }

    /// What is recorded as having answered.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
        }
    }
}

/// Rounds a score to three places, so that it reads well in a file.
pub(crate) fn rounded(score: f64) -> f64 {
    (score * 1000.0).round() / 1000.0
}
