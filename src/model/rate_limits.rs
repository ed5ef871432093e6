//! The rate limiter of a model provider: concurrent calls, requests per minute and tokens per
//! minute. Shared by all sessions of a process. The rate limiter of the web is
//! `web/rate_limiter.rs`.
//!
//! The rates are enforced by the generic cell rate algorithm (GCRA, ITU-T I.371), a token bucket
//! that stores a single timestamp. Unlike common rate-limiting crates it can refund: the tokens of
//! a call are an estimate until its reply has been counted.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::Provider;

const MINUTE: Duration = Duration::from_secs(60);

/// The longest time that one call takes at a rate, in minutes; chosen by hand. The count of tokens
/// comes from a server, and must neither overflow a time nor end a run by an endless wait.
const MAX_MINUTES: f64 = 60.0;

/// The rate limits of one provider.
pub(super) struct RateLimits {
    concurrent: Arc<Semaphore>,
    requests: Gcra,
    tokens: Gcra,
}

impl RateLimits {
    /// The rate limits in a provider's entry.
    pub(super) fn new(provider: &Provider) -> Self {
        Self {
            concurrent: Arc::new(Semaphore::new(
                provider.calls_at_once.clamp(1, Semaphore::MAX_PERMITS),
            )),
            requests: Gcra::new(provider.requests_per_minute),
            tokens: Gcra::new(provider.tokens_per_minute),
        }
    }

    /// Replaces the estimate of a call's tokens by their count.
    pub(super) fn correct(&self, estimated: usize, counted: u64) {
        let counted = usize::try_from(counted).unwrap_or(usize::MAX);
        self.tokens.refund(estimated.saturating_sub(counted));
        // The call itself is done: tokens beyond the estimate delay the next call.
        self.tokens.take(counted.saturating_sub(estimated));
    }

    /// Waits until a call of this many tokens may be sent; the permit ends when it is dropped.
    pub(super) async fn acquire(&self, tokens: usize) -> Option<OwnedSemaphorePermit> {
        // The permit first: a call that queues for it must not use up the rates meanwhile. The
        // semaphore is never closed, so there is always a permit.
        let permit = self.concurrent.clone().acquire_owned().await.ok();
        let wait = self.requests.take(1).max(self.tokens.take(tokens));
        if !wait.is_zero() {
            tracing::debug!(
                milliseconds = wait.as_millis(),
                "throttled by the rate limiter"
            );
            tokio::time::sleep(wait).await;
        }
        permit
    }
}

/// A rate limiter by GCRA: a rate per minute, with a burst of one minute's worth.
struct Gcra {
    /// The rate; 0 for no limit.
    per_minute: u64,
    /// The theoretical arrival time (TAT): the time at which everything taken so far will have been
    /// spent at the rate.
    arrival: Mutex<Option<Instant>>,
}

impl Gcra {
    fn new(per_minute: u64) -> Self {
        Self {
            per_minute,
            arrival: Mutex::new(None),
        }
    }

    /// Takes an amount, and returns the time to wait for it.
    fn take(&self, amount: usize) -> Duration {
        self.take_at(amount, Instant::now())
    }

    /// Returns the time that an amount takes at the rate: its emission interval.
    fn interval(&self, amount: usize) -> Duration {
        MINUTE.mul_f64((amount as f64 / self.per_minute as f64).min(MAX_MINUTES))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        self.arrival.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refunds an amount that was taken and not used.
    fn refund(&self, amount: usize) {
        if self.per_minute > 0 {
            let mut arrival = self.lock();
            *arrival = arrival.and_then(|arrival| arrival.checked_sub(self.interval(amount)));
        }
    }

    fn take_at(&self, amount: usize, now: Instant) -> Duration {
        if self.per_minute == 0 {
            return Duration::ZERO;
        }
        let interval = self.interval(amount);
        let mut arrival = self.lock();
        // TAT' = max(TAT, now) + interval; the amount conforms once now >= TAT' - burst.
        let from = arrival.map_or(now, |arrival| arrival.max(now));
        let next = from + interval;
        *arrival = Some(next);
        // An amount above the burst waits for an unused minute instead of forever.
        let conforming = now + MINUTE.max(interval);
        next.saturating_duration_since(conforming)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gcra_allows_a_burst_of_one_minute_and_spaces_the_rest() {
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
    fn gcra_refunds_what_was_not_used() {
        let (gcra, now) = (Gcra::new(60), Instant::now());
        assert_eq!(gcra.take_at(60, now), Duration::ZERO);
        gcra.refund(20);
        assert_eq!(gcra.take_at(20, now), Duration::ZERO);
        assert_eq!(gcra.take_at(1, now), Duration::from_secs(1));
    }

    #[test]
    fn absurd_count_of_tokens_neither_overflows_nor_waits_for_ever() {
        let (gcra, now) = (Gcra::new(1), Instant::now());
        assert_eq!(gcra.take_at(usize::MAX, now), Duration::ZERO);
        assert!(gcra.take_at(1, now) <= MINUTE.mul_f64(MAX_MINUTES));
    }

    #[test]
    fn zero_per_minute_is_no_limit() {
        let gcra = Gcra::new(0);
        assert_eq!(gcra.take(1_000_000), Duration::ZERO);
    }
}
