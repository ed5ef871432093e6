//! The rate limit of requests: a token bucket for each client, as the generic cell rate algorithm
//! (GCRA) has it, so that one time is all that is stored of a client.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The number of clients from which those that have sent nothing for long are forgotten.
const MAX_CLIENTS: usize = 10_000;

/// The time in which a client that sends nothing may send all requests again.
const WINDOW: Duration = Duration::from_secs(60);

/// Who sends a request, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Client {
    /// The owner that a valid token names.
    Owner(String),
    /// The address of the connection.
    Address(Option<IpAddr>),
}

/// The limit, and when each client would have sent its requests if it had kept to the pace.
pub(super) struct RequestRates {
    /// The time of one request at the pace of the limit; `None` without one.
    interval: Option<Duration>,
    times: Mutex<HashMap<Client, Instant>>,
}

impl RequestRates {
    /// So many requests a minute from each client, all at once if it likes; 0 is no limit.
    pub(super) fn new(per_minute: u32) -> Self {
        Self {
            interval: WINDOW.checked_div(per_minute),
            times: Mutex::default(),
        }
    }

    /// `true` if a request of a client at this time is within the limit.
    pub(super) fn admits(&self, client: Client, now: Instant) -> bool {
        let Some(interval) = self.interval else {
            return true;
        };
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        if times.len() >= MAX_CLIENTS {
            times.retain(|_, time| *time > now);
        }
        let time = times.entry(client).or_insert(now);
        let next = now.max(*time) + interval;
        let is_within = next <= now + WINDOW;
        if is_within {
            *time = next;
        }
        is_within
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
        let later = now + 2 * WINDOW;
        assert!((0..60).all(|_| rates.admits(ann.clone(), later)));
        assert!(!rates.admits(ann.clone(), later));
        assert!((0..1000).all(|_| RequestRates::new(0).admits(ann.clone(), now)));
    }
}
