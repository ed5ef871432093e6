//! The budget of a session across its runs, whatever backend answers in it: on first use a
//! [`Budget`] is charged with what earlier runs spent on calls and searches.

use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::artifact::Paid;
use crate::model::{
    Amount, Budget, BudgetExhausted, ComponentBudgets, ComponentExhausted, ComponentReservation,
    Needs, Phase, Price, Request, Reservation, Usage, calls,
};
use crate::pipeline::Workspace;

/// A [`Budget`] that on first use is charged with the spending of the session's earlier runs, as
/// the journal of calls and the record of paid searches have it.
pub struct SessionBudget {
    budget: Budget,
    components: ComponentBudgets,
    begun: OnceLock<()>,
}

/// What the runs of a session spent on calls and searches.
pub struct Spent {
    /// All of it.
    pub total: Amount,
    /// The tokens of each call, by its agent.
    by_agent: Vec<(String, u64)>,
}

impl Spent {
    /// Reads what the runs of the session at `path` spent. A request without a reply may have been
    /// billed: it counts with its upper bound, by the price of its model.
    ///
    /// # Errors
    /// When the journal of calls, or the record of paid searches, cannot be read.
    pub fn read(path: &Path, price: impl Fn(&str) -> Option<Price>) -> Result<Self> {
        let mut total = Amount {
            tokens: 0,
            usd: Paid::searches_usd(path)?,
        };
        let mut by_agent = Vec::new();
        for call in calls(path)? {
            let mut own = Amount::default();
            if let Some(reply) = &call.reply {
                own = own.plus(amount(&reply.usage, reply.cost_usd));
            }
            let bound = upper_bound(&call.to_request(), price(&call.model).as_ref());
            for _ in 0..call.possibly_billed_sends() {
                own = own.plus(bound);
            }
            total = total.plus(own);
            by_agent.push((call.agent, own.tokens));
        }
        Ok(Self { total, by_agent })
    }
}

impl SessionBudget {
    /// A session's budget, not yet charged with earlier runs.
    pub fn new(budget: Budget) -> Self {
        Self {
            budget,
            components: ComponentBudgets::default(),
            begun: OnceLock::new(),
        }
    }

    /// The same budget with limits of single agents.
    #[must_use]
    pub fn with_components(self, components: ComponentBudgets) -> Self {
        Self { components, ..self }
    }

    /// Charges the budget with what earlier runs of the session spent on calls and searches, and
    /// sets the reserve for finishing it. Does nothing the second time.
    pub(super) fn begin(
        &self,
        workspace: &Workspace,
        needs: impl FnOnce() -> Needs,
        price: impl Fn(&str) -> Option<Price>,
    ) -> Result<()> {
        if self.begun.get().is_some() {
            return Ok(());
        }
        let Spent { total, by_agent } = Spent::read(workspace.root(), price)?;
        // Only after calls and searches were read: a failure leaves the budget to be begun again.
        self.budget.begin(total, needs())?;
        for (agent, tokens) in by_agent {
            self.components.charge(&agent, tokens);
        }
        let _ = self.begun.set(());
        Ok(())
    }

    /// `Ok` if this amount can still be spent while research gathers; else why it cannot.
    pub(super) fn can_afford(&self, amount: Amount) -> Result<(), BudgetExhausted> {
        self.budget.can_afford(amount)
    }

    /// The time that is left for calls of a phase; `None` if there is no limit.
    pub(super) fn remaining_time(&self, phase: Phase) -> Option<Duration> {
        self.budget.remaining_time(phase)
    }

    /// `Ok` if the time of a phase is not over.
    pub(super) fn check_time(&self, phase: Phase) -> Result<(), BudgetExhausted> {
        self.budget.check_time(phase)
    }

    /// The moment at which gathering ends; `None` if there is no limit.
    pub(super) fn gathering_deadline(&self) -> Option<Instant> {
        self.budget.gathering_deadline()
    }

    /// Reserves the upper bound of a call.
    pub(super) fn reserve(
        &self,
        upper_bound: Amount,
        phase: Phase,
    ) -> Result<Reservation<'_>, BudgetExhausted> {
        self.budget.reserve(upper_bound, phase)
    }

    /// Reserves the upper bound of a call in the budget of its agent.
    pub(super) fn reserve_component(
        &self,
        agent: &str,
        upper_bound: Amount,
    ) -> Result<ComponentReservation<'_>, ComponentExhausted> {
        self.components.reserve(agent, upper_bound.tokens)
    }

    /// Reserves the price of searching the web.
    pub(super) fn reserve_search(&self, usd: f64) -> Result<Reservation<'_>> {
        let price = Amount { tokens: 0, usd };
        Ok(self.budget.reserve(price, Phase::Gathering)?)
    }
}

/// The upper bound of the amount that a request can come to.
pub(super) fn upper_bound(request: &Request, price: Option<&Price>) -> Amount {
    let usage = Usage {
        input: request.input_tokens() as u64,
        output: u64::from(request.max_output_tokens),
        ..Usage::default()
    };
    amount(&usage, price.map(|price| price.cost(&usage)))
}

/// The amount of a usage, as a budget counts it.
pub(super) fn amount(usage: &Usage, cost_usd: Option<f64>) -> Amount {
    Amount {
        tokens: usage.input + usage.output,
        usd: cost_usd.unwrap_or(0.0),
    }
}
