//! What may still be spent: money, tokens, time. A batch has a budget of its own, from which those
//! of its sessions take.
//!
//! Before a call is sent its upper_bound is set aside, and afterwards what it came to is counted: so the
//! limits hold whatever happens at the same time. While research gathers, enough is kept back to
//! analyse, write and review what was gathered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::config::BudgetSettings;

/// Share of the time in which research may gather: the rest is for analysing, writing and
/// reviewing.
const GATHERING: f64 = 0.6;

/// The budget does not allow a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the budget is exhausted: {0}; everything gathered is kept")]
pub struct BudgetExhausted(pub String);

/// Tokens and money.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Amount {
    /// Tokens, read and written.
    pub tokens: u64,
    /// US dollars; 0 where the price is not known.
    pub usd: f64,
}

impl Amount {
    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            usd: self.usd + other.usd,
        }
    }

    fn minus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_sub(other.tokens),
            usd: (self.usd - other.usd).max(0.0),
        }
    }
}

/// What a call is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Gathering: it leaves the reserve alone.
    Gathering,
    /// Analysing, writing, reviewing: it takes from the reserve.
    Finishing,
}

/// What may be spent, and what was.
pub struct Budget {
    limits: BudgetSettings,
    began: Instant,
    counts: Mutex<Counts>,
    parent: Option<Arc<Budget>>,
}

#[derive(Default, Clone, Copy)]
struct Counts {
    spent: Amount,
    held: Amount,
    reserved: Amount,
}

impl Budget {
    /// A budget with a budget; `parent` is the one that it takes from.
    pub fn new(limits: BudgetSettings, parent: Option<Arc<Budget>>) -> Self {
        Self {
            limits,
            began: Instant::now(),
            counts: Mutex::default(),
            parent,
        }
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a session: what earlier runs spent of its budget, and what is kept back to finish it.
    ///
    /// # Errors
    /// When the parent of which this is a part cannot keep that back any more.
    pub fn begin(&self, spent: Amount, reserve: Amount) -> Result<(), BudgetExhausted> {
        if let Some(parent) = &self.parent {
            parent.earmark(reserve)?;
        }
        let mut counts = self.counts();
        counts.spent = spent;
        counts.reserved = reserve;
        Ok(())
    }

    fn earmark(&self, reserve: Amount) -> Result<(), BudgetExhausted> {
        let mut counts = self.counts();
        let all = counts
            .spent
            .plus(counts.held)
            .plus(counts.reserved)
            .plus(reserve);
        self.check(all)?;
        counts.reserved = counts.reserved.plus(reserve);
        Ok(())
    }

    /// Sets aside the upper_bound that a call can come to.
    ///
    /// # Errors
    /// When that is more than may be spent.
    pub fn reserve(
        &self,
        upper_bound: Amount,
        phase: Phase,
    ) -> Result<Reservation<'_>, BudgetExhausted> {
        self.check_time(phase)?;
        self.take(upper_bound, phase)?;
        if let Some(parent) = &self.parent
            && let Err(exhausted) = parent.take(upper_bound, phase)
        {
            let mut counts = self.counts();
            counts.held = counts.held.minus(upper_bound);
            return Err(exhausted);
        }
        Ok(Reservation {
            budget: self,
            upper_bound,
        })
    }

    fn take(&self, upper_bound: Amount, phase: Phase) -> Result<(), BudgetExhausted> {
        let mut counts = self.counts();
        let reserved = match phase {
            Phase::Gathering => counts.reserved,
            Phase::Finishing => counts.reserved.minus(upper_bound),
        };
        self.check(
            counts
                .spent
                .plus(counts.held)
                .plus(reserved)
                .plus(upper_bound),
        )?;
        counts.reserved = reserved;
        counts.held = counts.held.plus(upper_bound);
        Ok(())
    }

    fn check(&self, all: Amount) -> Result<(), BudgetExhausted> {
        let BudgetSettings {
            max_cost_usd,
            max_tokens,
            ..
        } = self.limits;
        if max_cost_usd > 0.0 && all.usd > max_cost_usd {
            return Err(BudgetExhausted(format!("{max_cost_usd} US dollars")));
        }
        if max_tokens > 0 && all.tokens > max_tokens {
            return Err(BudgetExhausted(format!("{max_tokens} tokens")));
        }
        Ok(())
    }

    fn check_time(&self, phase: Phase) -> Result<(), BudgetExhausted> {
        let seconds = self.limits.timeout_seconds;
        let share = match phase {
            Phase::Gathering => GATHERING,
            Phase::Finishing => 1.0,
        };
        let allowed = Duration::from_secs(seconds).mul_f64(share);
        if seconds > 0 && self.began.elapsed() > allowed {
            return Err(BudgetExhausted(format!("{seconds} seconds")));
        }
        Ok(())
    }

    fn release(&self, upper_bound: Amount, spent: Amount) {
        let mut counts = self.counts();
        counts.held = counts.held.minus(upper_bound);
        counts.spent = counts.spent.plus(spent);
        drop(counts);
        if let Some(parent) = &self.parent {
            parent.release(upper_bound, spent);
        }
    }

    /// Whether so many more calls of this size may be sent while research gathers.
    ///
    /// # Errors
    /// When not, why.
    pub fn can_afford(&self, upper_bound: Amount) -> Result<(), BudgetExhausted> {
        self.check_time(Phase::Gathering)?;
        let all = |budget: &Self| {
            let counts = budget.counts();
            counts
                .spent
                .plus(counts.held)
                .plus(counts.reserved)
                .plus(upper_bound)
        };
        self.check(all(self))?;
        match &self.parent {
            Some(parent) => parent.check(all(parent)),
            None => Ok(()),
        }
    }

    /// What was spent so far.
    pub fn spent(&self) -> Amount {
        self.counts().spent
    }
}

/// What is set aside for a call. Dropped, it is free again.
#[must_use]
pub struct Reservation<'a> {
    budget: &'a Budget,
    upper_bound: Amount,
}

impl Reservation<'_> {
    /// Counts what the call came to.
    pub fn commit(mut self, spent: Amount) {
        self.budget.release(self.upper_bound, spent);
        self.upper_bound = Amount::default();
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        self.budget.release(self.upper_bound, Amount::default());
    }
}

impl Drop for Budget {
    /// What this session kept back is free for the others.
    fn drop(&mut self) {
        let reserved = self.counts().reserved;
        if let Some(parent) = &self.parent {
            let mut counts = parent.counts();
            counts.reserved = counts.reserved.minus(reserved);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(tokens: u64) -> Amount {
        Amount { tokens, usd: 0.0 }
    }

    fn budget(max_tokens: u64) -> BudgetSettings {
        BudgetSettings {
            max_cost_usd: 0.0,
            max_tokens,
            timeout_seconds: 0,
        }
    }

    #[test]
    fn gathering_leaves_the_reserve_alone() {
        let budget = Budget::new(budget(100), None);
        budget.begin(tokens(10), tokens(40)).unwrap();
        let held = budget.reserve(tokens(50), Phase::Gathering).unwrap();
        assert!(budget.reserve(tokens(1), Phase::Gathering).is_err());
        held.commit(tokens(20));
        let held = budget.reserve(tokens(30), Phase::Gathering).unwrap();
        held.commit(tokens(30));
        assert!(budget.can_afford(tokens(1)).is_err());
        let _held = budget.reserve(tokens(40), Phase::Finishing).unwrap();
        assert!(budget.reserve(tokens(1), Phase::Finishing).is_err());
    }

    #[test]
    fn sessions_take_from_the_purse_of_their_batch() {
        let parent = Arc::new(Budget::new(budget(100), None));
        let one = Budget::new(budget(0), Some(parent.clone()));
        let other = Budget::new(budget(0), Some(parent.clone()));
        one.begin(tokens(0), tokens(40)).unwrap();
        other.begin(tokens(0), tokens(40)).unwrap();
        assert!(one.reserve(tokens(21), Phase::Gathering).is_err());
        // A call that is given up takes nothing.
        drop(one.reserve(tokens(20), Phase::Gathering).unwrap());
        let held = one.reserve(tokens(20), Phase::Gathering).unwrap();
        held.commit(tokens(20));
        let third = Budget::new(budget(0), Some(parent.clone()));
        assert!(third.begin(tokens(0), tokens(1)).is_err());
        drop(other);
        third.begin(tokens(0), tokens(1)).unwrap();
        assert_eq!(parent.spent(), tokens(20));
    }

    #[test]
    fn no_budget_is_no_limit() {
        let budget = Budget::new(budget(0), None);
        assert!(budget.reserve(tokens(u64::MAX), Phase::Gathering).is_ok());
    }
}
