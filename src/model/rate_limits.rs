//! What a provider bears: calls at once, and requests and tokens a minute. Shared by all sessions
//! of a process.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::Provider;

const MINUTE: Duration = Duration::from_secs(60);

/// The limits of one provider.
pub(super) struct RateLimits {
    at_once: Arc<Semaphore>,
    requests: Gcra,
    tokens: Gcra,
}

impl RateLimits {
    pub(super) fn new(provider: &Provider) -> Self {
        Self {
            at_once: Arc::new(Semaphore::new(provider.calls_at_once.max(1))),
            requests: Gcra::new(provider.requests_per_minute),
            tokens: Gcra::new(provider.tokens_per_minute),
        }
    }

    /// Corrects what a call was taken to come to by what it did.
    pub(super) fn correct(&self, estimated: usize, counted: u64) {
        let counted = usize::try_from(counted).unwrap_or(usize::MAX);
        self.tokens.refund(estimated.saturating_sub(counted));
        // More than was estimated makes the next one wait.
        self.tokens.take(counted.saturating_sub(estimated));
    }

    /// Waits until a call of so many tokens may be sent; the turn ends when it is dropped.
    pub(super) async fn acquire(&self, tokens: usize) -> Option<OwnedSemaphorePermit> {
        // It is never closed.
        let permit = self.at_once.clone().acquire_owned().await.ok();
        let wait = self.requests.take(1).max(self.tokens.take(tokens));
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
        permit
    }
}

/// So much a minute, a minute's worth at once (the generic cell rate algorithm, ITU-T I.371).
struct Gcra {
    per_minute: u64,
    /// When everything taken so far will have flowed through.
    full_until: Mutex<Option<Instant>>,
}

impl Gcra {
    fn new(per_minute: u64) -> Self {
        Self {
            per_minute,
            full_until: Mutex::new(None),
        }
    }

    /// Takes an amount, and says how long to wait for it.
    fn take(&self, amount: usize) -> Duration {
        self.take_at(amount, Instant::now())
    }

    /// How long an amount takes to flow through.
    fn time_of(&self, amount: usize) -> Duration {
        MINUTE.mul_f64(amount as f64 / self.per_minute as f64)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        self.full_until
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes back what was taken and not used.
    fn refund(&self, amount: usize) {
        if self.per_minute > 0 {
            let mut full_until = self.lock();
            *full_until = full_until.and_then(|until| until.checked_sub(self.time_of(amount)));
        }
    }

    fn take_at(&self, amount: usize, now: Instant) -> Duration {
        if self.per_minute == 0 {
            return Duration::ZERO;
        }
        let takes = self.time_of(amount);
        let mut full_until = self.lock();
        let from = full_until.map_or(now, |until| until.max(now));
        let until = from + takes;
        *full_until = Some(until);
        // More than a minute's worth in one piece waits for an empty minute, not for ever.
        let allowed = now + MINUTE.max(takes);
        until.saturating_duration_since(allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minutes_worth_goes_at_once_and_the_rest_in_its_time() {
        let (gcra, now) = (Gcra::new(60), Instant::now());
        for _ in 0..60 {
            assert_eq!(gcra.take_at(1, now), Duration::ZERO);
        }
        assert_eq!(gcra.take_at(1, now), Duration::from_secs(1));
        assert_eq!(gcra.take_at(1, now), Duration::from_secs(2));
        assert_eq!(
            gcra.take_at(1, now + Duration::from_secs(62)),
            Duration::ZERO
        );
    }

    #[test]
    fn what_was_not_used_is_free_again() {
        let (gcra, now) = (Gcra::new(60), Instant::now());
        assert_eq!(gcra.take_at(60, now), Duration::ZERO);
        gcra.refund(20);
        assert_eq!(gcra.take_at(20, now), Duration::ZERO);
        assert_eq!(gcra.take_at(1, now), Duration::from_secs(1));
    }

    #[test]
    fn without_a_limit_nothing_waits() {
        let gcra = Gcra::new(0);
        assert_eq!(gcra.take(1_000_000), Duration::ZERO);
    }
}
