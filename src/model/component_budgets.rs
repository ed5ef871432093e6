//! The budgets of single agents in a session, in tokens: an agent that has used up its own leaves
//! what is left of the session's to the others.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The budget of an agent does not allow a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("its budget of {0} tokens is used up")]
pub struct ComponentExhausted(u64);

/// The budgets of single agents, by name; an agent without one has no limit.
#[derive(Debug, Default)]
pub struct ComponentBudgets {
    limits: BTreeMap<String, u64>,
    /// The tokens of finished calls and the upper bounds of those in flight.
    taken: Mutex<BTreeMap<String, u64>>,
}

impl ComponentBudgets {
    /// Budgets with these limits; 0 is no limit.
    pub fn new(mut limits: BTreeMap<String, u64>) -> Self {
        limits.retain(|_, limit| *limit > 0);
        Self {
            limits,
            taken: Mutex::default(),
        }
    }

    fn taken(&self) -> MutexGuard<'_, BTreeMap<String, u64>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Charges an agent with the tokens of an earlier run.
    pub fn charge(&self, agent: &str, tokens: u64) {
        let mut taken = self.taken();
        let own = taken.entry(agent.to_owned()).or_default();
        *own = own.saturating_add(tokens);
    }

    /// Reserves the upper bound of a call of an agent.
    ///
    /// # Errors
    /// When that exceeds the agent's limit.
    pub fn reserve(
        &self,
        agent: &str,
        upper_bound: u64,
    ) -> Result<ComponentReservation<'_>, ComponentExhausted> {
        let mut taken = self.taken();
        let own = taken.entry(agent.to_owned()).or_default();
        let next = own.saturating_add(upper_bound);
        match self.limits.get(agent) {
            Some(limit) if next > *limit => return Err(ComponentExhausted(*limit)),
            _ => *own = next,
        }
        Ok(ComponentReservation {
            budgets: self,
            agent: agent.to_owned(),
            upper_bound,
        })
    }
}

/// A reservation for a call of an agent. It is released if dropped without a commit.
#[must_use]
pub struct ComponentReservation<'a> {
    budgets: &'a ComponentBudgets,
    agent: String,
    upper_bound: u64,
}

impl ComponentReservation<'_> {
    /// Commits the tokens of the call, and releases the rest.
    pub fn commit(self, tokens: u64) {
        self.budgets.charge(&self.agent, tokens);
    }
}

impl Drop for ComponentReservation<'_> {
    fn drop(&mut self) {
        let mut taken = self.budgets.taken();
        if let Some(own) = taken.get_mut(&self.agent) {
            *own = own.saturating_sub(self.upper_bound);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_takes_no_more_than_its_own_and_leaves_the_others_theirs() {
        let limits = [("planner", 100), ("writer", 0)];
        let limits = limits.map(|(agent, limit)| (agent.to_owned(), limit));
        let budgets = ComponentBudgets::new(BTreeMap::from(limits));
        budgets.charge("planner", 30);
        let reservation = budgets.reserve("planner", 60).unwrap();
        assert!(budgets.reserve("planner", 11).is_err());
        reservation.commit(20);
        let abandoned = budgets.reserve("planner", 50).unwrap();
        drop(abandoned);
        let error = budgets.reserve("planner", 51).err().unwrap();
        assert_eq!(error.to_string(), "its budget of 100 tokens is used up");
        // No limit: zero, or none at all.
        budgets
            .reserve("writer", u64::MAX)
            .unwrap()
            .commit(u64::MAX);
        assert!(budgets.reserve("analyst", u64::MAX).is_ok());
    }
}
