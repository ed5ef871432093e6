//! The rate limiter of a model provider: concurrent calls, requests per minute and tokens per
//! minute. Shared by all sessions of a process. The rate limiter of the web is
//! `web/rate_limiter.rs`.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Provider;
use crate::quota::{Gcra, Rate};

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
            requests: Gcra::new(Rate::per_minute(provider.requests_per_minute)),
            tokens: Gcra::new(Rate::per_minute(provider.tokens_per_minute)),
        }
    }

    /// Replaces the estimate of a call's tokens by their count. The call itself is done: tokens
    /// beyond the estimate delay the next call.
    pub(super) fn correct(&self, estimated: u64, counted: u64) {
        self.tokens.correct(estimated, counted);
    }

    /// Waits until a call of this many tokens may be sent; the permit ends when it is dropped.
    pub(super) async fn acquire(&self, tokens: u64) -> Option<OwnedSemaphorePermit> {
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
