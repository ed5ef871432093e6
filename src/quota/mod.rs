//! Quotas: how fast a process may send requests, and how much money it may spend.
//!
//! A process has its own: a [`Gcra`] for each provider of models, a gap for each host, a budget. A
//! process of a fleet asks besides for those that all processes share, through the trait
//! [`Quotas`]. The rooms below ask it and know nothing of where the shared state is; a process on
//! its own has the [`Unlimited`] ones.

mod gcra;

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use futures::future::{self, BoxFuture, FutureExt as _};

pub use gcra::{Gcra, Rate};

/// The budget does not allow a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the budget of {limit} {problem}")]
pub struct BudgetExhausted {
    /// The limit that was reached, as text: `0.5 US dollars`.
    pub limit: String,
    /// The problem with it, and how much is needed to go on.
    pub problem: String,
}

/// The quotas that the processes of a fleet share. They come on top of those of each process, which
/// hold alone while the shared ones cannot be asked; only money is refused then.
pub trait Quotas: Send + Sync {
    /// Waits until a call of a model may be sent that takes this many tokens. Returns `true` if the
    /// tokens were taken from the quota, to be corrected later.
    fn admit_call<'a>(&'a self, model: &'a str, tokens: u64) -> BoxFuture<'a, bool>;

    /// Replaces the estimate of the tokens of a call by their count.
    fn correct_tokens<'a>(
        &'a self,
        model: &'a str,
        estimated: u64,
        counted: u64,
    ) -> BoxFuture<'a, ()>;

    /// Waits until a request may be sent to a host.
    fn admit_request<'a>(&'a self, host: &'a str) -> BoxFuture<'a, ()>;

    /// Draws an amount of US dollars, which is this process's to spend from then on. It blocks for
    /// seconds at most.
    ///
    /// # Errors
    /// When so much is not left, or cannot be asked for.
    fn draw(&self, usd: f64) -> Result<(), BudgetExhausted>;

    /// Puts back what was drawn and not spent. Returns `false` if it stays with this process.
    fn put_back(&self, usd: f64) -> bool;
}

/// The quotas of a process that shares none.
#[derive(Debug)]
pub struct Unlimited;

impl Quotas for Unlimited {
    fn admit_call<'a>(&'a self, _: &'a str, _: u64) -> BoxFuture<'a, bool> {
        future::ready(false).boxed()
    }

    fn correct_tokens<'a>(&'a self, _: &'a str, _: u64, _: u64) -> BoxFuture<'a, ()> {
        future::ready(()).boxed()
    }

    fn admit_request<'a>(&'a self, _: &'a str) -> BoxFuture<'a, ()> {
        future::ready(()).boxed()
    }

    fn draw(&self, _: f64) -> Result<(), BudgetExhausted> {
        Ok(())
    }

    fn put_back(&self, _: f64) -> bool {
        true
    }
}

/// The quotas that all parts of a process ask; by default [`Unlimited`].
#[derive(Clone)]
pub struct SharedQuotas(Arc<dyn Quotas>);

impl SharedQuotas {
    /// These quotas.
    pub fn new(quotas: impl Quotas + 'static) -> Self {
        Self(Arc::new(quotas))
    }
}

impl Default for SharedQuotas {
    fn default() -> Self {
        Self::new(Unlimited)
    }
}

impl Deref for SharedQuotas {
    type Target = dyn Quotas;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl fmt::Debug for SharedQuotas {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SharedQuotas")
    }
}
