//! The backend that answers for the agents: their rules (the plain code that stands in for a
//! model), or language models with the rules as fallback.

mod exchange;
mod model;
mod prompts;
mod session_budget;

use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;

use super::definition::{Agent, AgentInfo, ModelAgent};
use crate::model::{BudgetExhausted, Needs, Phase, Reservation};
use crate::pipeline::{Digest, Recipe, Stage, Workspace};

pub use model::ModelBackend;
pub use prompts::{Prompts, SHARED};
pub use session_budget::{SessionBudget, Spent};

/// The name of the rules in the provenance of what they answered.
const RULES: &str = "rules";

/// The backend that answers for the agents.
#[derive(Clone)]
pub enum Backend {
    /// The rules: no key, no network. Searching the web may cost all the same.
    Rules(Arc<SessionBudget>),
    /// Language models, and the rules where these fail.
    Models(Arc<ModelBackend>),
}

impl Backend {
    /// Asks an agent on behalf of a stage.
    ///
    /// # Errors
    /// Rules do not fail; models may, altogether or by their budget.
    pub async fn ask<A: ModelAgent>(
        &self,
        workspace: &Workspace,
        stage: &dyn Stage,
        input: &A::Input,
    ) -> Result<A::Output> {
        match self {
            Self::Rules(_) => Ok(by_rule::<A>(input)),
            Self::Models(models) if !models.answers_for(A::NAME) => Ok(by_rule::<A>(input)),
            Self::Models(models) => {
                let answered = exchange::ask::<A>(models, workspace, stage, input).await;
                match answered {
                    Err(error) if models.is_replaced_by_rule(&error) => Ok(by_rule::<A>(input)),
                    answered => answered,
                }
            }
        }
    }

    /// `true` if a model answers for the agent of this name.
    pub fn has_model(&self, agent: &str) -> bool {
        match self {
            Self::Rules(_) => false,
            Self::Models(models) => models.answers_for(agent),
        }
    }

    /// `Ok` if the time for gathering is not over.
    ///
    /// # Errors
    /// When it is, with the limit.
    pub fn check_time(&self) -> Result<(), BudgetExhausted> {
        self.budget().check_time(Phase::Gathering)
    }

    /// The moment at which gathering ends, and with it searches and pages that are under way;
    /// `None` if there is no limit.
    pub fn gathering_deadline(&self) -> Option<Instant> {
        self.budget().gathering_deadline()
    }

    fn budget(&self) -> &SessionBudget {
        match self {
            Self::Rules(budget) => budget,
            Self::Models(models) => &models.budget,
        }
    }

    /// `Ok` if the budget allows this many more calls of an agent; else why it does not.
    ///
    /// # Errors
    /// When the amount spent so far cannot be read.
    pub fn can_afford<A: ModelAgent>(
        &self,
        workspace: &Workspace,
        calls: usize,
    ) -> Result<Result<(), BudgetExhausted>> {
        match self {
            Self::Rules(_) => Ok(Ok(())),
            Self::Models(models) => models.can_afford::<A>(workspace, calls),
        }
    }

    /// Reserves the price of searching the web, in US dollars.
    ///
    /// # Errors
    /// When the budget does not allow it, as [`BudgetExhausted`], or the amount spent so far cannot
    /// be read.
    pub fn reserve_search(&self, workspace: &Workspace, usd: f64) -> Result<Reservation<'_>> {
        match self {
            Self::Rules(budget) => {
                budget.begin(workspace, Needs::default, |_| None)?;
                budget.reserve_search(usd)
            }
            Self::Models(models) => models.reserve_search(workspace, usd),
        }
    }

    /// The recipe of a gate that these agents make under the settings of this digest.
    pub fn recipe(&self, agents: &[AgentInfo], configuration: Digest) -> Recipe {
        let names: Vec<_> = agents.iter().map(|agent| agent.name).collect();
        let prompts: Vec<_> = agents.iter().map(|agent| self.prompt(agent)).collect();
        Recipe {
            agent: names.join(", "),
            answered_by: match self {
                Self::Models(models)
                    if agents.iter().any(|agent| models.answers_for(agent.name)) =>
                {
                    models.name()
                }
                _ => RULES.to_owned(),
            },
            prompt: Digest::of(prompts.join("\0")),
            configuration,
        }
    }

    fn prompt<'a>(&'a self, agent: &'a AgentInfo) -> &'a str {
        match self {
            Self::Rules(_) => agent.prompt,
            Self::Models(models) => models.prompts.source(agent.name).unwrap_or(agent.prompt),
        }
    }

    /// `true` if models answer.
    pub fn is_models(&self) -> bool {
        matches!(self, Self::Models(_))
    }

    /// The name that is recorded in the provenance of what it answered.
    pub fn name(&self) -> String {
        match self {
            Self::Rules(_) => RULES.to_owned(),
            Self::Models(models) => models.name(),
        }
    }
}

/// The judgement of an agent's rule, in a span that times it.
fn by_rule<A: Agent>(input: &A::Input) -> A::Output {
    tracing::info_span!("rule", agent = A::NAME).in_scope(|| A::rule(input))
}
