//! What a session may still spend, whoever answers in it: its purse, which is told once what its
//! earlier runs spent.

use std::sync::OnceLock;

use anyhow::Result;

use crate::artifact::Paid;
use crate::model::{Amount, Budget, Phase, Price, Request, Reservation, Usage, calls};
use crate::pipeline::Workspace;

/// The allowance of one session.
pub struct SessionBudget {
    purse: Budget,
    begun: OnceLock<()>,
}

impl SessionBudget {
    /// An allowance that is held by this purse.
    pub fn new(purse: Budget) -> Self {
        Self {
            purse,
            begun: OnceLock::new(),
        }
    }

    /// The purse.
    pub(super) fn purse(&self) -> &Budget {
        &self.purse
    }

    /// Tells the purse what earlier runs of the session spent on calls and searches, and what is
    /// kept back to finish it.
    pub(super) fn begin(
        &self,
        workspace: &Workspace,
        reserve: impl FnOnce() -> Amount,
        price: impl Fn(&str) -> Option<Price>,
    ) -> Result<()> {
        if self.begun.get().is_some() {
            return Ok(());
        }
        let mut spent = Amount {
            tokens: 0,
            usd: Paid::by(workspace.root())?,
        };
        for call in calls(workspace.root())? {
            if let Some(reply) = &call.reply {
                spent = spent.plus(amount(&reply.usage, reply.cost_usd));
            }
            let most = most_of_request(&call.to_request(), price(&call.model).as_ref());
            for _ in 0..call.possibly_billed_sends() {
                spent = spent.plus(most);
            }
        }
        self.purse.begin(spent, reserve())?;
        let _ = self.begun.set(());
        Ok(())
    }

    /// Sets aside what searching the web may cost.
    pub(super) fn reserve_search(&self, usd: f64) -> Result<Reservation<'_>> {
        let most = Amount { tokens: 0, usd };
        Ok(self.purse.reserve(most, Phase::Gathering)?)
    }
}

/// The most that a request can come to.
pub(super) fn most_of_request(request: &Request, price: Option<&Price>) -> Amount {
    let usage = Usage {
        input: request.input_tokens() as u64,
        output: u64::from(request.max_output_tokens),
        ..Usage::default()
    };
    amount(&usage, price.map(|price| price.cost(&usage)))
}

/// What was used, as a budget counts it.
pub(super) fn amount(usage: &Usage, cost_usd: Option<f64>) -> Amount {
    Amount {
        tokens: usage.input + usage.output,
        usd: cost_usd.unwrap_or(0.0),
    }
}
