//! What may still be spent: money, tokens, time. A batch has a purse of its own, from which those
//! of its sessions take.
//!
//! Before a call is sent its most is set aside, and afterwards what it came to is counted: so the
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
pub struct Exhausted(pub String);

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
pub struct Purse {
    budget: BudgetSettings,
    began: Instant,
    counts: Mutex<Counts>,
    whole: Option<Arc<Purse>>,
}

#[derive(Default, Clone, Copy)]
struct Counts {
    spent: Amount,
    held: Amount,
    reserved: Amount,
}

impl Purse {
    /// A purse with a budget; `whole` is the one that it takes from.
    pub fn new(budget: BudgetSettings, whole: Option<Arc<Purse>>) -> Self {
        Self {
            budget,
            began: Instant::now(),
            counts: Mutex::default(),
            whole,
        }
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a session: what earlier runs spent of its budget, and what is kept back to finish it.
    ///
    /// # Errors
    /// When the whole of which this is a part cannot keep that back any more.
    pub fn begin(&self, spent: Amount, reserve: Amount) -> Result<(), Exhausted> {
        if let Some(whole) = &self.whole {
            whole.reserve(reserve)?;
        }
        let mut counts = self.counts();
        counts.spent = spent;
        counts.reserved = reserve;
        Ok(())
    }

    fn reserve(&self, reserve: Amount) -> Result<(), Exhausted> {
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

    /// Sets aside the most that a call can come to.
    ///
    /// # Errors
    /// When that is more than may be spent.
    pub fn hold(&self, most: Amount, phase: Phase) -> Result<Held<'_>, Exhausted> {
        self.check_time(phase)?;
        self.take(most, phase)?;
        if let Some(whole) = &self.whole
            && let Err(exhausted) = whole.take(most, phase)
        {
            let mut counts = self.counts();
            counts.held = counts.held.minus(most);
            return Err(exhausted);
        }
        Ok(Held { purse: self, most })
    }

    fn take(&self, most: Amount, phase: Phase) -> Result<(), Exhausted> {
        let mut counts = self.counts();
        let reserved = match phase {
            Phase::Gathering => counts.reserved,
            Phase::Finishing => counts.reserved.minus(most),
        };
        self.check(counts.spent.plus(counts.held).plus(reserved).plus(most))?;
        counts.reserved = reserved;
        counts.held = counts.held.plus(most);
        Ok(())
    }

    fn check(&self, all: Amount) -> Result<(), Exhausted> {
        let BudgetSettings {
            max_cost_usd,
            max_tokens,
            ..
        } = self.budget;
        if max_cost_usd > 0.0 && all.usd > max_cost_usd {
            return Err(Exhausted(format!("{max_cost_usd} US dollars")));
        }
        if max_tokens > 0 && all.tokens > max_tokens {
            return Err(Exhausted(format!("{max_tokens} tokens")));
        }
        Ok(())
    }

    fn check_time(&self, phase: Phase) -> Result<(), Exhausted> {
        let seconds = self.budget.timeout_seconds;
        let share = match phase {
            Phase::Gathering => GATHERING,
            Phase::Finishing => 1.0,
        };
        let allowed = Duration::from_secs(seconds).mul_f64(share);
        if seconds > 0 && self.began.elapsed() > allowed {
            return Err(Exhausted(format!("{seconds} seconds")));
        }
        Ok(())
    }

    fn settle(&self, most: Amount, spent: Amount) {
        let mut counts = self.counts();
        counts.held = counts.held.minus(most);
        counts.spent = counts.spent.plus(spent);
        drop(counts);
        if let Some(whole) = &self.whole {
            whole.settle(most, spent);
        }
    }

    /// Whether so many more calls of this size may be sent while research gathers.
    ///
    /// # Errors
    /// When not, why.
    pub fn may_gather(&self, most: Amount) -> Result<(), Exhausted> {
        self.check_time(Phase::Gathering)?;
        let all = |purse: &Self| {
            let counts = purse.counts();
            counts
                .spent
                .plus(counts.held)
                .plus(counts.reserved)
                .plus(most)
        };
        self.check(all(self))?;
        match &self.whole {
            Some(whole) => whole.check(all(whole)),
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
pub struct Held<'a> {
    purse: &'a Purse,
    most: Amount,
}

impl Held<'_> {
    /// Counts what the call came to.
    pub fn settle(mut self, spent: Amount) {
        self.purse.settle(self.most, spent);
        self.most = Amount::default();
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.purse.settle(self.most, Amount::default());
    }
}

impl Drop for Purse {
    /// What this session kept back is free for the others.
    fn drop(&mut self) {
        let reserved = self.counts().reserved;
        if let Some(whole) = &self.whole {
            let mut counts = whole.counts();
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
        let purse = Purse::new(budget(100), None);
        purse.begin(tokens(10), tokens(40)).unwrap();
        let held = purse.hold(tokens(50), Phase::Gathering).unwrap();
        assert!(purse.hold(tokens(1), Phase::Gathering).is_err());
        held.settle(tokens(20));
        let held = purse.hold(tokens(30), Phase::Gathering).unwrap();
        held.settle(tokens(30));
        assert!(purse.may_gather(tokens(1)).is_err());
        let _held = purse.hold(tokens(40), Phase::Finishing).unwrap();
        assert!(purse.hold(tokens(1), Phase::Finishing).is_err());
    }

    #[test]
    fn sessions_take_from_the_purse_of_their_batch() {
        let whole = Arc::new(Purse::new(budget(100), None));
        let one = Purse::new(budget(0), Some(whole.clone()));
        let other = Purse::new(budget(0), Some(whole.clone()));
        one.begin(tokens(0), tokens(40)).unwrap();
        other.begin(tokens(0), tokens(40)).unwrap();
        assert!(one.hold(tokens(21), Phase::Gathering).is_err());
        // A call that is given up takes nothing.
        drop(one.hold(tokens(20), Phase::Gathering).unwrap());
        let held = one.hold(tokens(20), Phase::Gathering).unwrap();
        held.settle(tokens(20));
        let third = Purse::new(budget(0), Some(whole.clone()));
        assert!(third.begin(tokens(0), tokens(1)).is_err());
        drop(other);
        third.begin(tokens(0), tokens(1)).unwrap();
        assert_eq!(whole.spent(), tokens(20));
    }

    #[test]
    fn no_budget_is_no_limit() {
        let purse = Purse::new(budget(0), None);
        assert!(purse.hold(tokens(u64::MAX), Phase::Gathering).is_ok());
    }
}
