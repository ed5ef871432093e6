//! The agents, one file each: a typed judgement, with the rule that makes it in plain code.
//!
//! An agent sees its typed input and nothing else: no file, no network, no clock. Its rule is a
//! pure function, so the same input gives the same output. No rule writes a sentence of a report:
//! it chooses among sentences of the sources.

pub mod allowance;
mod analyst;
pub mod answers;
mod aspect;
mod contradiction;
mod coordinator;
pub mod panel;
mod planner;
pub mod prompts;
mod quotation;
mod reflector;
mod researcher;
mod reviewer;
mod writer;

use std::sync::Arc;

use anyhow::Result;
use serde::Serialize;

use crate::model::{Amount, BudgetExhausted, Reservation, Shape};
use crate::pipeline::{Digest, Recipe, Stage, Workspace};
use allowance::Allowance;
use answers::Answering;
use panel::Panel;

pub use crate::model::Tier;

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

/// The cards of all agents, in the order in which they are asked first.
pub const AGENTS: [Card; 7] = [
    card::<Coordinator>(),
    card::<Planner>(),
    card::<Researcher>(),
    card::<Reflector>(),
    card::<Analyst>(),
    card::<Writer>(),
    card::<Reviewer>(),
];

/// Where the replies of those who finish a report are cut off, by their names.
fn output_tokens(agent: &str) -> u32 {
    match agent {
        Analyst::NAME => Analyst::OUTPUT_TOKENS,
        Writer::NAME => Writer::OUTPUT_TOKENS,
        Reviewer::NAME => Reviewer::OUTPUT_TOKENS,
        _ => 0,
    }
}

/// The figures of a depth that a forecast is made from.
pub fn shape(steps: usize, at_once: usize, passages: usize) -> Shape {
    Shape {
        steps,
        at_once,
        passages,
        candidates: answers::SHOWN,
    }
}

/// Who answers for the agents.
#[derive(Clone)]
pub enum Judge {
    /// Their rules: no key, no network. Searching the web may cost all the same.
    Rules(Arc<Allowance>),
    /// Language models, and the rules where these fail.
    Models(Arc<Panel>),
}

impl Judge {
    /// Asks an agent on behalf of a stage.
    ///
    /// # Errors
    /// Rules do not fail; models may, altogether or by their budget.
    pub async fn ask<A: Answering>(
        &self,
        workspace: &Workspace,
        stage: &dyn Stage,
        input: &A::Input,
    ) -> Result<A::Output> {
        match self {
            Self::Rules(_) => Ok(A::rule(input)),
            Self::Models(panel) => panel.ask::<A>(workspace, stage, input).await,
        }
    }

    /// Whether so many steps may be worked on next; if not, why.
    ///
    /// # Errors
    /// When what was spent so far cannot be read.
    pub fn may_gather(
        &self,
        workspace: &Workspace,
        steps: usize,
    ) -> Result<Result<(), BudgetExhausted>> {
        match self {
            Self::Rules(_) => Ok(Ok(())),
            Self::Models(panel) => {
                let most = panel::most_of::<Researcher>(panel, panel.shape.step_tokens(), steps);
                panel.may_gather(workspace, most)
            }
        }
    }

    /// Sets aside what searching the web may cost, in US dollars.
    ///
    /// # Errors
    /// When that is more than may be spent, as [`BudgetExhausted`], or what was spent so far cannot be
    /// read.
    pub fn hold_search(&self, workspace: &Workspace, usd: f64) -> Result<Reservation<'_>> {
        match self {
            Self::Rules(allowance) => {
                allowance.begin(workspace, Amount::default, |_| None)?;
                allowance.hold_search(usd)
            }
            Self::Models(panel) => panel.hold_search(workspace, usd),
        }
    }

    /// What a gate is made by when these agents judge under this configuration.
    pub fn recipe(&self, agents: &[Card], configuration: &impl Serialize) -> Recipe {
        let names: Vec<_> = agents.iter().map(|agent| agent.name).collect();
        let prompts: Vec<_> = agents.iter().map(|agent| self.prompt(agent)).collect();
        Recipe {
            agent: names.join(", "),
            answered_by: self.name(),
            prompt: Digest::of(prompts.join("\0")),
            configuration: Digest::of_value(configuration),
        }
    }

    fn prompt<'a>(&'a self, agent: &'a Card) -> &'a str {
        match self {
            Self::Rules(_) => agent.prompt,
            Self::Models(panel) => panel.prompts.source(agent.name).unwrap_or(agent.prompt),
        }
    }

    /// What is recorded as having answered.
    pub fn name(&self) -> String {
        match self {
            Self::Rules(_) => "rules".to_owned(),
            Self::Models(panel) => panel.name(),
        }
    }
}

/// Rounds a score to three places, so that it reads well in a file.
pub(crate) fn rounded(score: f64) -> f64 {
    (score * 1000.0).round() / 1000.0
}
