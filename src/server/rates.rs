//! The rate limit of requests: a token bucket for each client, of which one time is all that is
//! stored.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::quota::Rate;

/// The number of clients from which those that have sent nothing for long are forgotten.
const MAX_CLIENTS: usize = 10_000;

/// Who sends a request, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Client {
    /// The owner that a valid token names.
    Owner(String),
    /// The address of the connection.
    Address(Option<IpAddr>),
}

/// The limit, and the theoretical arrival time of each client.
pub(super) struct RequestRates {
    rate: Option<Rate>,
    began: Instant,
    arrivals: Mutex<HashMap<Client, Duration>>,
}

impl RequestRates {
    /// So many requests a minute from each client, all at once if it likes; 0 is no limit.
    pub(super) fn new(per_minute: u32) -> Self {
        Self {
            rate: Rate::per_minute(per_minute.into()),
            began: Instant::now(),
            arrivals: Mutex::default(),
        }
    }

    /// `true` if a request of a client at this time is within the limit.
    pub(super) fn admits(&self, client: Client, now: Instant) -> bool {
        let Some(rate) = &self.rate else {
            return true;
        };
        let now = now.saturating_duration_since(self.began);
        let arrivals = self.arrivals.lock();
        let mut arrivals = arrivals.unwrap_or_else(PoisonError::into_inner);
        if arrivals.len() >= MAX_CLIENTS {
            arrivals.retain(|_, arrival| *arrival > now);
        }
        let arrival = arrivals.entry(client).or_default();
        let (next, wait) = rate.take(*arrival, now, 1);
        // What is refused takes nothing.
        if wait.is_zero() {
            *arrival = next;
        }
        wait.is_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_has_its_requests_of_a_minute_and_others_theirs() {
        let rates = RequestRates::new(60);
        let (ann, bob) = (Client::Owner("ann".to_owned()), Client::Address(None));
        let now = Instant::now();
        for number in 0..60 {
            assert!(rates.admits(ann.clone(), now), "{number}");
        }
        assert!(!rates.admits(ann.clone(), now));
        assert!(rates.admits(bob, now));
        let second = now + Duration::from_secs(1);
        assert!(rates.admits(ann.clone(), second));
        assert!(!rates.admits(ann.clone(), second));
        let later = now + Duration::from_secs(120);
        assert!((0..60).all(|_| rates.admits(ann.clone(), later)));
        assert!(!rates.admits(ann.clone(), later));
        assert!((0..1000).all(|_| RequestRates::new(0).admits(ann.clone(), now)));
    }
}
