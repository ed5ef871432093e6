//! The rate limiter of the web: the maximum number of concurrent requests, to one host and in all,
//! and the minimum time between two requests to one host. This is the politeness of a crawler; the
//! rate limiter of models is `model/rate_limits.rs`. The processes of a fleet share besides the
//! time between two requests to one host: its [quotas](crate::quota).
//!
//! A semaphore and the time of the next request for each host are all there is to it, so no library
//! of rate limits is used.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Mutex as AsyncMutex, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::quota::SharedQuotas;

/// The rate limiter of all hosts.
#[derive(Debug, Clone)]
pub(super) struct RateLimiter {
    per_host: usize,
    gap: Duration,
    all: Arc<Semaphore>,
    /// The hosts; clones share them.
    hosts: Arc<Mutex<HashMap<String, Arc<Host>>>>,
    /// The quotas of the fleet, which are asked last.
    pub(super) quotas: SharedQuotas,
}

/// The state of one host.
#[derive(Debug)]
struct Host {
    permits: Arc<Semaphore>,
    next_request: AsyncMutex<Instant>,
}

/// The right to send a request to a host, until it is dropped.
#[derive(Debug)]
pub(super) struct Permit {
    _host: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl RateLimiter {
    pub(super) fn new(per_host: usize, at_once: usize, gap: Duration) -> Self {
        Self {
            per_host: per_host.max(1),
            gap,
            all: Arc::new(Semaphore::new(at_once.max(1))),
            hosts: Arc::default(),
            quotas: SharedQuotas::default(),
        }
    }

    /// Waits for a permit at a host; `None` if the program is ending.
    pub(super) async fn acquire(&self, host: &str) -> Option<Permit> {
        self.acquire_after(host, Duration::ZERO).await
    }

    /// The same at a host that wants at least this time between two requests.
    pub(super) async fn acquire_after(&self, name: &str, gap: Duration) -> Option<Permit> {
        let gap = gap.max(self.gap);
        let host = self.host(name);
        // The host's permit first, so that many requests to one host do not hold the permits of
        // all while they wait.
        let permit = host.permits.clone().acquire_owned().await.ok()?;
        let all = self.all.clone().acquire_owned().await.ok()?;
        if !gap.is_zero() {
            // Whoever waits holds the lock, so that requests to one host leave in single file.
            let mut next_request = host.next_request.lock().await;
            tokio::time::sleep_until(*next_request).await;
            *next_request = Instant::now() + gap;
        }
        self.quotas.admit_request(name).await;
        Some(Permit {
            _host: permit,
            _all: all,
        })
    }

    fn host(&self, name: &str) -> Arc<Host> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let host = hosts.entry(name.to_owned()).or_insert_with(|| {
            Arc::new(Host {
                permits: Arc::new(Semaphore::new(self.per_host)),
                next_request: AsyncMutex::new(Instant::now()),
            })
        });
        host.clone()
    }
}
