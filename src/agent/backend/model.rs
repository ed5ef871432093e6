//! The backend that answers for the agents with language models, in a session.
//!
//! Every paid call goes through the write-ahead journal of calls, so a resumed run sends only the
//! requests that were not answered. When an agent's call fails for good its rule (plain code)
//! answers as a fallback, and the report says so; when the models fail altogether (an outage) the
//! stage stops and can be resumed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::Result;

use super::super::definition::{AgentInfo, DepthShape, ModelAgent, expected_calls};
use super::prompts::Prompts;
use super::session_budget::{SessionBudget, amount};
use crate::model::{
    Amount, BudgetExhausted, ModelError, Models, Needs, Replay, Reservation, Usage,
};
use crate::pipeline::Workspace;
use crate::quota::SharedQuotas;

/// The number of consecutive calls that fail for good, from which it counts as an outage of the
/// models (chosen by hand: one bad prompt should not stop a session, a dead provider should).
const OUTAGE: u32 = 3;

/// The models, prompts and budget of a session.
pub struct ModelBackend {
    /// The models.
    pub models: Arc<Models>,
    /// The prompts.
    pub prompts: Arc<Prompts>,
    /// The day of the session, as the prompts state it.
    pub date: String,
    /// The budget.
    pub budget: SessionBudget,
    /// The recorded answers of another session, which are used instead of sending requests.
    pub replay: Option<Replay>,
    /// The quotas that are asked besides the rate limits of the providers.
    quotas: SharedQuotas,
    /// The table of the agents that it answers for.
    agents: &'static [AgentInfo],
    /// The figures of the session's depth.
    shape: DepthShape,
    rules_when_exhausted: bool,
    /// The number of calls that failed for good since the last answer.
    consecutive_failures: AtomicU32,
}

impl ModelBackend {
    /// The backend of a session.
    pub fn new(
        models: Arc<Models>,
        prompts: Arc<Prompts>,
        agents: &'static [AgentInfo],
        shape: DepthShape,
        date: String,
        budget: SessionBudget,
        replay: Option<Replay>,
    ) -> Self {
        Self {
            models,
            prompts,
            date,
            budget,
            replay,
            quotas: SharedQuotas::default(),
            agents,
            shape,
            rules_when_exhausted: false,
            consecutive_failures: AtomicU32::new(0),
        }
    }

    /// The same backend, in which the rules answer for gathering agents once the budget for that is
    /// exhausted, instead of ending research.
    #[must_use]
    pub fn with_rules_when_exhausted(self) -> Self {
        Self {
            rules_when_exhausted: true,
            ..self
        }
    }

    /// The same backend, whose calls wait for these quotas.
    #[must_use]
    pub fn with_quotas(self, quotas: SharedQuotas) -> Self {
        Self { quotas, ..self }
    }

    /// The quotas.
    pub(super) fn quotas(&self) -> &SharedQuotas {
        &self.quotas
    }

    /// `true` if a model answers for the agent of this name.
    pub(super) fn answers_for(&self, agent: &str) -> bool {
        self.agents.iter().any(|own| own.name == agent)
    }

    /// `true` if a rule answers in place of a call that failed with this error.
    pub(super) fn is_replaced_by_rule(&self, error: &anyhow::Error) -> bool {
        self.rules_when_exhausted && error.is::<BudgetExhausted>()
    }

    /// The names of its models, as recorded in the provenance of what they answered.
    pub fn name(&self) -> String {
        self.models
            .distinct()
            .into_keys()
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// `Ok` if the budget allows this many more calls of an agent; else why it does not.
    ///
    /// # Errors
    /// When the amount spent so far cannot be read.
    pub(super) fn can_afford<A: ModelAgent>(
        &self,
        workspace: &Workspace,
        calls: usize,
    ) -> Result<Result<(), BudgetExhausted>> {
        self.begin(workspace)?;
        Ok(self.budget.can_afford(self.upper_bound::<A>(calls)))
    }

    /// Reserves the price of searching the web.
    ///
    /// # Errors
    /// When the budget does not allow it, or the amount spent so far cannot be read.
    pub(super) fn reserve_search(
        &self,
        workspace: &Workspace,
        usd: f64,
    ) -> Result<Reservation<'_>> {
        self.begin(workspace)?;
        self.budget.reserve_search(usd)
    }

    /// Loads the amount that earlier runs of the session spent into the budget, once, and sets the
    /// reserve for the calls that finish the report.
    pub(super) fn begin(&self, workspace: &Workspace) -> Result<()> {
        let price_of = |tier| self.models.for_tier(tier).map(|model| model.price);
        let needs = || Needs::of(&expected_calls(self.agents, self.shape), price_of);
        let models = self.models.distinct();
        self.budget.begin(workspace, needs, |model| {
            models.get(model).map(|(model, _)| model.price)
        })
    }

    /// The upper bound of the amount that this many calls of an agent can come to.
    fn upper_bound<A: ModelAgent>(&self, calls: usize) -> Amount {
        let Some(model) = self.models.for_tier(A::TIER) else {
            return Amount::default();
        };
        let usage = Usage {
            input: (calls * A::expected(self.shape).input_tokens) as u64,
            // Thinking is billed as output, beyond the answer itself.
            output: calls as u64 * u64::from(A::OUTPUT_TOKENS + model.price.thinking_tokens),
            ..Usage::default()
        };
        amount(&usage, Some(model.price.cost(&usage)))
    }

    /// Notes that a call was answered: the models are not in an outage.
    pub(super) fn count_answer(&self) {
        self.consecutive_failures.store(0, Ordering::Relaxed);
    }

    /// Counts a call that failed for good. Returns `true` if it is an outage, so that the stage
    /// must stop instead of falling back to the rule.
    pub(super) fn count_failure(&self, error: &ModelError) -> bool {
        let failures = self.consecutive_failures.fetch_add(1, Ordering::Relaxed) + 1;
        let may_recover = match error {
            // Without credit or a key nothing is answered any more.
            ModelError::QuotaExceeded(_) | ModelError::MissingKey(_) => false,
            // A provider that takes no request will not take the next one either, unless it took
            // another before: then only this request is at fault, or it is down for a moment.
            ModelError::Refused(_)
            | ModelError::Unreachable(_)
            | ModelError::Unavailable { .. } => self.models.have_answered(),
            _ => true,
        };
        !may_recover || failures >= OUTAGE
    }
}
