//! How often and how many at a time a host is asked.
//!
//! A semaphore and the time of the next turn for each host are all there is to it, so no library of
//! rate limits is taken in.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Mutex as Turn, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// Hands out turns.
#[derive(Debug)]
pub(super) struct Pace {
    per_host: usize,
    gap: Duration,
    all: Arc<Semaphore>,
    hosts: Mutex<HashMap<String, Arc<Host>>>,
}

#[derive(Debug)]
struct Host {
    places: Arc<Semaphore>,
    next: Turn<Instant>,
}

/// The right to ask a host, until it is dropped.
#[derive(Debug)]
pub(super) struct Permit {
    _host: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl Pace {
    pub(super) fn new(per_host: usize, at_once: usize, gap: Duration) -> Self {
        Self {
            per_host: per_host.max(1),
            gap,
            all: Arc::new(Semaphore::new(at_once.max(1))),
            hosts: Mutex::default(),
        }
    }

    /// Waits for a turn at a host; none if the program is ending.
    pub(super) async fn turn(&self, host: &str) -> Option<Permit> {
        self.turn_after(host, Duration::ZERO).await
    }

    /// The same at a host that wants at least this time between two turns.
    pub(super) async fn turn_after(&self, host: &str, gap: Duration) -> Option<Permit> {
        let gap = gap.max(self.gap);
        let host = self.host(host);
        // The host's place first, so that many requests to one host do not hold the places of all.
        let place = host.places.clone().acquire_owned().await.ok()?;
        let any = self.all.clone().acquire_owned().await.ok()?;
        if !gap.is_zero() {
            let mut next = host.next.lock().await;
            tokio::time::sleep_until(*next).await;
            *next = Instant::now() + gap;
        }
        Some(Permit {
            _host: place,
            _all: any,
        })
    }

    fn host(&self, name: &str) -> Arc<Host> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let host = hosts.entry(name.to_owned()).or_insert_with(|| {
            Arc::new(Host {
                places: Arc::new(Semaphore::new(self.per_host)),
                next: Turn::new(Instant::now()),
            })
        });
        host.clone()
    }
}
