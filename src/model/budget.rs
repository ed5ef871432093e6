//! The budget of a session: money, tokens and time. A batch has a budget of its own, which its
//! sessions share.
//!
//! Two-phase accounting: the upper bound of a call is reserved before it is sent, and its actual
//! cost is committed afterwards, so that the limits hold for any number of concurrent calls. While
//! research gathers material, a finishing reserve is held back, enough to analyze, write and review
//! it. A budget may draw on the quotas that the processes of a fleet share: money is drawn from
//! them before it is spent, reserved or held back, and what is not needed is put back.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::config::BudgetSettings;
use crate::quota::{BudgetExhausted, SharedQuotas};

/// The share of the time in which research may gather material; the rest is for analyzing, writing
/// and reviewing it (chosen by hand).
const GATHERING_SHARE: f64 = 0.6;

/// Tokens and money.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Amount {
    /// Tokens, read and written.
    pub tokens: u64,
    /// US dollars; 0 if there is no price for the model.
    pub usd: f64,
}

impl Amount {
    /// Returns the sum of two amounts.
    pub fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            usd: self.usd + other.usd,
        }
    }

    /// Returns the larger of each of two amounts.
    pub(super) fn max(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.max(other.tokens),
            usd: self.usd.max(other.usd),
        }
    }

    /// The option that allows this many US dollars.
    pub fn max_cost(self) -> String {
        format!("--max-cost {}", rounded_up(self.usd))
    }

    /// The option that allows this many tokens.
    pub fn max_tokens(self) -> String {
        format!("--max-tokens {}", self.tokens)
    }

    fn minus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_sub(other.tokens),
            usd: (self.usd - other.usd).max(0.0),
        }
    }
}

/// The amounts that a session may need: upper bounds, from the calls that it is expected to make.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Needs {
    /// All calls of a round.
    pub round: Amount,
    /// Of these, the calls that finish a report: the reserve.
    pub finishing: Amount,
    /// The largest single call.
    pub call: Amount,
}

impl Needs {
    /// The limit with which a session that has spent this much can finish its round: the needs of a
    /// whole round, or what was spent plus one more call and the finishing reserve, whichever is
    /// larger.
    pub fn enough(self, spent: Amount) -> Amount {
        self.round.max(spent.plus(self.finishing).plus(self.call))
    }
}

/// The phase of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Gathering: the call must not use the finishing reserve.
    Gathering,
    /// Analyzing, writing or reviewing: the call may use the finishing reserve.
    Finishing,
}

/// A budget: its limits and what has been spent.
pub struct Budget {
    limits: BudgetSettings,
    began: Instant,
    /// The time limit of gathering, if it has one of its own: then finishing has none.
    gathering_seconds: Option<u64>,
    balance: Mutex<Balance>,
    parent: Option<Arc<Budget>>,
    /// The quotas of which the money is drawn.
    quotas: SharedQuotas,
}

#[derive(Default, Clone, Copy)]
struct Balance {
    /// The cost of finished calls.
    spent: Amount,
    /// The upper bounds of the calls in flight.
    in_flight: Amount,
    /// The amount held back for finishing what was gathered.
    finishing_reserve: Amount,
    /// What the session may need; of a budget that sessions share, nothing.
    needs: Needs,
    /// The US dollars that were drawn from the quotas and not put back. Never less than `spent`,
    /// `in_flight` and `finishing_reserve` together.
    drawn_usd: f64,
}

impl Balance {
    /// Returns the sum of everything spent, in flight and held back, and `more`.
    fn total_with(&self, more: Amount) -> Amount {
        self.spent
            .plus(self.in_flight)
            .plus(self.finishing_reserve)
            .plus(more)
    }

    /// Removes what was drawn beyond all that may be needed again, and returns it. As much as is in
    /// flight and held back is kept, so that a busy process does not draw and put back all the
    /// time.
    fn remove_surplus(&mut self) -> f64 {
        let open_usd = self.in_flight.usd + self.finishing_reserve.usd;
        let surplus = (self.drawn_usd - self.spent.usd - 2.0 * open_usd).max(0.0);
        self.drawn_usd -= surplus;
        surplus
    }
}

impl Budget {
    /// A budget with these limits; every amount is taken from the budget `parent` as well.
    pub fn new(limits: BudgetSettings, parent: Option<Arc<Budget>>) -> Self {
        Self {
            limits,
            began: Instant::now(),
            gathering_seconds: None,
            balance: Mutex::default(),
            parent,
            quotas: SharedQuotas::default(),
        }
    }

    /// The same budget, whose money is drawn on these quotas.
    #[must_use]
    pub fn drawn_on(mut self, quotas: SharedQuotas) -> Self {
        self.quotas = quotas;
        self
    }

    /// The same budget with a time limit that only gathering has: what is found by then is written
    /// up, however long that takes. 0 is no limit.
    #[must_use]
    pub fn with_gathering_limit(mut self, seconds: u64) -> Self {
        self.gathering_seconds = Some(seconds);
        self
    }

    fn balance(&self) -> MutexGuard<'_, Balance> {
        self.balance.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a session with the amount that its earlier runs spent, and holds back a reserve to
    /// finish it, of what it may need.
    ///
    /// # Errors
    /// When the parent cannot hold back that much any more.
    pub fn begin(&self, spent: Amount, needs: Needs) -> Result<(), BudgetExhausted> {
        if let Some(parent) = &self.parent {
            parent.hold_back(needs.finishing)?;
        }
        let mut balance = self.balance();
        balance.spent = spent;
        balance.finishing_reserve = needs.finishing;
        balance.needs = needs;
        Ok(())
    }

    /// Adds to the finishing reserve.
    fn hold_back(&self, reserve: Amount) -> Result<(), BudgetExhausted> {
        let mut balance = self.balance();
        self.check(&balance, reserve)?;
        self.draw(&mut balance, reserve)?;
        balance.finishing_reserve = balance.finishing_reserve.plus(reserve);
        Ok(())
    }

    /// Reserves the upper bound of the cost of a call.
    ///
    /// # Errors
    /// When that exceeds a limit.
    pub fn reserve(
        &self,
        upper_bound: Amount,
        phase: Phase,
    ) -> Result<Reservation<'_>, BudgetExhausted> {
        let reserved = self.check_time(phase).and_then(|()| {
            self.take(upper_bound, phase)?;
            let Some(parent) = &self.parent else {
                return Ok(());
            };
            // Both or neither: if the parent refuses, the amount is released here.
            parent.take(upper_bound, phase).inspect_err(|_| {
                let mut balance = self.balance();
                balance.in_flight = balance.in_flight.minus(upper_bound);
            })
        });
        if let Err(exhausted) = reserved {
            tracing::debug!(
                limit = exhausted.limit,
                tokens = upper_bound.tokens,
                usd = upper_bound.usd,
                ?phase,
                "budget refused"
            );
            return Err(exhausted);
        }
        Ok(Reservation {
            budget: self,
            upper_bound,
        })
    }

    /// Checks and adds under one lock, so that concurrent calls cannot overspend in sum.
    fn take(&self, upper_bound: Amount, phase: Phase) -> Result<(), BudgetExhausted> {
        let mut balance = self.balance();
        let mut next = *balance;
        if phase == Phase::Finishing {
            // The reserve was held back for this call, so the amount must not count twice.
            next.finishing_reserve = next.finishing_reserve.minus(upper_bound);
        }
        self.check(&next, upper_bound)?;
        self.draw(&mut next, upper_bound)?;
        next.in_flight = next.in_flight.plus(upper_bound);
        *balance = next;
        Ok(())
    }

    /// Checks that everything spent, in flight and held back, plus `more`, is within the limits.
    fn check(&self, balance: &Balance, more: Amount) -> Result<(), BudgetExhausted> {
        let (max_cost_usd, max_tokens) = (self.limits.max_cost_usd, self.limits.max_tokens);
        let (spent, all) = (balance.spent, balance.total_with(more));
        let enough = balance.needs.enough(spent).max(all);
        // What a budget that is shared must allow depends on sessions that have not begun.
        let is_for_round = balance.needs != Needs::default();
        // A limit of 0 means no limit.
        if max_cost_usd > 0.0 && all.usd > max_cost_usd {
            let dollars = if max_cost_usd == 1.0 {
                "dollar"
            } else {
                "dollars"
            };
            let limit = format!("{max_cost_usd} US {dollars}");
            let is_begun = spent.usd > 0.0;
            return Err(too_small(limit, is_begun, &enough.max_cost(), is_for_round));
        }
        if max_tokens > 0 && all.tokens > max_tokens {
            let (limit, is_begun) = (format!("{max_tokens} tokens"), spent.tokens > 0);
            let option = enough.max_tokens();
            return Err(too_small(limit, is_begun, &option, is_for_round));
        }
        Ok(())
    }

    /// Draws what `more` needs beyond what was drawn before. The lock is held meanwhile, so that
    /// two calls do not draw for the same need.
    fn draw(&self, balance: &mut Balance, more: Amount) -> Result<(), BudgetExhausted> {
        let needed = balance.total_with(more).usd;
        if needed > balance.drawn_usd {
            self.quotas.draw(needed - balance.drawn_usd)?;
            balance.drawn_usd = needed;
        }
        Ok(())
    }

    /// Puts back what was drawn and is not needed any more, and ends the use of the balance.
    fn put_back(&self, mut balance: MutexGuard<'_, Balance>) {
        let surplus = balance.remove_surplus();
        drop(balance);
        if surplus > 0.0 && !self.quotas.put_back(surplus) {
            self.balance().drawn_usd += surplus;
        }
    }

    /// Checks that the time of a phase is not over.
    ///
    /// # Errors
    /// When it is.
    pub fn check_time(&self, phase: Phase) -> Result<(), BudgetExhausted> {
        if self.remaining_time(phase) == Some(Duration::ZERO) {
            let seconds = self
                .gathering_seconds
                .unwrap_or(self.limits.timeout_seconds);
            let unit = if seconds == 1 { "second" } else { "seconds" };
            return Err(BudgetExhausted {
                limit: format!("{seconds} {unit}"),
                problem: "is used up; go on with a larger --timeout".to_owned(),
            });
        }
        Ok(())
    }

    /// Returns the time that is left for a phase: a call that is running ends with it. `None` if
    /// there is no limit.
    pub fn remaining_time(&self, phase: Phase) -> Option<Duration> {
        Some(
            self.allowed_time(phase)?
                .saturating_sub(self.began.elapsed()),
        )
    }

    /// Returns the moment at which gathering ends; `None` if there is no limit.
    pub fn gathering_deadline(&self) -> Option<Instant> {
        // A limit that is too large to be a moment is none.
        self.began.checked_add(self.allowed_time(Phase::Gathering)?)
    }

    fn allowed_time(&self, phase: Phase) -> Option<Duration> {
        let (seconds, share) = match (self.gathering_seconds, phase) {
            (Some(seconds), Phase::Gathering) => (seconds, 1.0),
            (Some(_), Phase::Finishing) => return None,
            (None, Phase::Gathering) => (self.limits.timeout_seconds, GATHERING_SHARE),
            (None, Phase::Finishing) => (self.limits.timeout_seconds, 1.0),
        };
        // The largest limit, as a fraction and rounded, is too large for a `Duration`: no limit.
        let allowed = Duration::try_from_secs_f64(seconds as f64 * share).ok();
        allowed.filter(|_| seconds > 0)
    }

    /// Replaces the upper bound of a call in flight by its actual cost, here and in the parent.
    fn settle(&self, upper_bound: Amount, spent: Amount) {
        let mut balance = self.balance();
        balance.in_flight = balance.in_flight.minus(upper_bound);
        balance.spent = balance.spent.plus(spent);
        // Released before the parent is locked: a thread has only one lock at a time, so none can
        // deadlock.
        self.put_back(balance);
        if let Some(parent) = &self.parent {
            parent.settle(upper_bound, spent);
        }
    }

    /// Checks that calls with this upper bound can be paid while research gathers material, and
    /// draws the money for them from the quotas of the fleet, if the budget has any.
    ///
    /// # Errors
    /// When they cannot, with the limit that forbids it.
    pub fn can_afford(&self, upper_bound: Amount) -> Result<(), BudgetExhausted> {
        self.check_time(Phase::Gathering)?;
        let allows = |budget: &Self| {
            let mut balance = budget.balance();
            budget.check(&balance, upper_bound)?;
            budget.draw(&mut balance, upper_bound)
        };
        allows(self)?;
        self.parent.as_deref().map_or(Ok(()), allows)
    }

    /// Returns the amount spent so far.
    pub fn spent(&self) -> Amount {
        self.balance().spent
    }
}

/// The error of a limit of cost or tokens that does not allow what comes next, with the option that
/// is enough for a round, or else for the next call.
fn too_small(limit: String, is_begun: bool, option: &str, is_for_round: bool) -> BudgetExhausted {
    let (problem, remark) = if is_begun {
        ("is used up", "; everything gathered is kept")
    } else {
        ("is too small to begin with", "")
    };
    let needed = if is_for_round {
        format!("{option} is enough for a round, with what was spent so far")
    } else {
        format!(
            "the next call and the reserve for writing and reviewing need {option}, with what was \
             spent so far, and the calls after it more"
        )
    };
    BudgetExhausted {
        limit,
        problem: format!("{problem}: {needed}{remark}"),
    }
}

/// An amount of US dollars in whole cents, rounded up; a smaller one to its second digit.
fn rounded_up(usd: f64) -> f64 {
    let step = if usd >= 0.1 {
        100.0
    } else {
        10_f64.powf(1.0 - usd.max(1e-9).log10().floor())
    };
    (usd * step).ceil() / step
}

/// A reservation for a call. It is released if dropped without a commit.
#[must_use]
pub struct Reservation<'a> {
    budget: &'a Budget,
    upper_bound: Amount,
}

impl Reservation<'_> {
    /// Commits the cost of the call, and releases the rest.
    pub fn commit(mut self, spent: Amount) {
        self.budget.settle(self.upper_bound, spent);
        // The drop that follows must not release the same amount again.
        self.upper_bound = Amount::default();
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        self.budget.settle(self.upper_bound, Amount::default());
    }
}

impl Drop for Budget {
    /// Returns what this session had held back to the other sessions of the batch.
    fn drop(&mut self) {
        let finishing_reserve = self.balance().finishing_reserve;
        if let Some(parent) = &self.parent {
            let mut balance = parent.balance();
            balance.finishing_reserve = balance.finishing_reserve.minus(finishing_reserve);
            parent.put_back(balance);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::future::{self, BoxFuture, FutureExt as _};

    use super::*;
    use crate::quota::Quotas;

    fn tokens(tokens: u64) -> Amount {
        Amount { tokens, usd: 0.0 }
    }

    fn reserve(finishing: Amount) -> Needs {
        Needs {
            finishing,
            ..Needs::default()
        }
    }

    fn budget(max_tokens: u64) -> BudgetSettings {
        BudgetSettings {
            max_tokens,
            ..BudgetSettings::default()
        }
    }

    #[test]
    fn gathering_leaves_the_finishing_reserve() {
        let budget = Budget::new(budget(100), None);
        budget.begin(tokens(10), reserve(tokens(40))).unwrap();
        let reservation = budget.reserve(tokens(50), Phase::Gathering).unwrap();
        assert!(budget.reserve(tokens(1), Phase::Gathering).is_err());
        reservation.commit(tokens(20));
        let reservation = budget.reserve(tokens(30), Phase::Gathering).unwrap();
        reservation.commit(tokens(30));
        assert!(budget.can_afford(tokens(1)).is_err());
        let _reservation = budget.reserve(tokens(40), Phase::Finishing).unwrap();
        assert!(budget.reserve(tokens(1), Phase::Finishing).is_err());
    }

    #[test]
    fn sessions_share_the_budget_of_their_batch() {
        let parent = Arc::new(Budget::new(budget(100), None));
        let first = Budget::new(budget(0), Some(parent.clone()));
        let second = Budget::new(budget(0), Some(parent.clone()));
        first.begin(tokens(0), reserve(tokens(40))).unwrap();
        second.begin(tokens(0), reserve(tokens(40))).unwrap();
        assert!(first.reserve(tokens(21), Phase::Gathering).is_err());
        // An abandoned call takes nothing.
        drop(first.reserve(tokens(20), Phase::Gathering).unwrap());
        let reservation = first.reserve(tokens(20), Phase::Gathering).unwrap();
        reservation.commit(tokens(20));
        let third = Budget::new(budget(0), Some(parent.clone()));
        assert!(third.begin(tokens(0), reserve(tokens(1))).is_err());
        drop(second);
        third.begin(tokens(0), reserve(tokens(1))).unwrap();
        assert_eq!(parent.spent(), tokens(20));
    }

    /// A fleet's dollars that are left.
    struct FleetBudget(Mutex<f64>);

    impl Quotas for Arc<FleetBudget> {
        fn admit_call<'a>(&'a self, _: &'a str, _: u64) -> BoxFuture<'a, bool> {
            future::ready(false).boxed()
        }

        fn correct_tokens<'a>(&'a self, _: &'a str, _: u64, _: u64) -> BoxFuture<'a, ()> {
            future::ready(()).boxed()
        }

        fn admit_request<'a>(&'a self, _: &'a str) -> BoxFuture<'a, ()> {
            future::ready(()).boxed()
        }

        fn draw(&self, usd: f64) -> Result<(), BudgetExhausted> {
            let mut left = self.0.lock().unwrap();
            if usd > *left {
                return Err(too_small("a fleet".to_owned(), true, "more", false));
            }
            *left -= usd;
            Ok(())
        }

        fn put_back(&self, usd: f64) -> bool {
            *self.0.lock().unwrap() += usd;
            true
        }
    }

    #[test]
    fn money_is_drawn_before_it_is_spent_and_the_rest_is_put_back() {
        let fleet = Arc::new(FleetBudget(Mutex::new(10.0)));
        let quotas = SharedQuotas::new(fleet.clone());
        let left = || *fleet.0.lock().unwrap();
        let usd = |usd| Amount { tokens: 0, usd };
        let batch = Arc::new(Budget::new(budget(0), None).drawn_on(quotas));
        let session = Budget::new(budget(0), Some(batch.clone()));
        session.begin(usd(7.0), reserve(usd(4.0))).unwrap();
        assert_eq!(left(), 6.0, "the reserve, not what earlier runs spent");
        let call = session.reserve(usd(5.0), Phase::Gathering).unwrap();
        assert_eq!(left(), 1.0);
        assert!(session.reserve(usd(2.0), Phase::Gathering).is_err());
        call.commit(usd(1.0));
        assert_eq!(
            left(),
            1.0,
            "as much as the reserve is kept for the next call"
        );
        let call = session.reserve(usd(4.0), Phase::Gathering).unwrap();
        assert_eq!(left(), 1.0);
        drop(call);
        let call = session.reserve(usd(3.0), Phase::Finishing).unwrap();
        call.commit(usd(2.0));
        drop(session);
        assert_eq!(left(), 7.0, "all but the 3 dollars that were spent");
    }

    #[test]
    fn zero_means_no_limit() {
        let budget = Budget::new(budget(0), None);
        assert!(budget.reserve(tokens(u64::MAX), Phase::Gathering).is_ok());
    }

    #[test]
    fn largest_time_limit_does_not_overflow() {
        let limits = BudgetSettings {
            timeout_seconds: u64::MAX,
            ..budget(0)
        };
        let budget = Budget::new(limits, None);
        assert!(budget.check_time(Phase::Finishing).is_ok());
        assert_eq!(budget.gathering_deadline(), None);
    }

    #[test]
    fn gathering_leaves_time_for_finishing() {
        let limits = BudgetSettings {
            timeout_seconds: 1000,
            ..budget(0)
        };
        let whole = Budget::new(limits.clone(), None);
        let left = |budget: &Budget, phase| budget.remaining_time(phase).map(|left| left.as_secs());
        assert_eq!(left(&whole, Phase::Gathering), Some(599));
        assert_eq!(left(&whole, Phase::Finishing), Some(999));
        let quick = Budget::new(limits, None).with_gathering_limit(15);
        assert_eq!(left(&quick, Phase::Gathering), Some(14));
        assert_eq!(left(&quick, Phase::Finishing), None);
    }

    #[test]
    fn amounts_are_rounded_up_to_what_is_enough() {
        let amounts = [0.1234, 1.5, 0.0412, 0.000_123_4, 7.0].map(rounded_up);
        assert_eq!(amounts, [0.13, 1.5, 0.042, 0.000_13, 7.0]);
    }

    #[test]
    fn the_error_names_the_limit_with_the_right_plural() {
        let limits = BudgetSettings {
            max_cost_usd: 1.0,
            ..budget(0)
        };
        let dollar = Budget::new(limits, None);
        let over = Amount {
            tokens: 0,
            usd: 1.5,
        };
        let error = dollar.can_afford(over).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("of 1 US dollar is too small"), "{error}");
        assert!(error.contains("--max-cost 1.5,"), "{error}");
    }
}
