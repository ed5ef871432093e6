//! The leases of a worker: the topics that it has taken and not settled yet.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::{AckKind, Message};
use tokio::time::sleep;
use tracing::debug;

/// The interval at which leases are looked at: several times within the shortest one, a second.
const TICK: Duration = Duration::from_millis(200);
/// The share of a lease after which it is renewed: two renewals may fail.
const RENEWED_AFTER: u32 = 3;

/// A topic that this worker has taken.
#[derive(Clone)]
pub(super) struct Lease {
    pub(super) message: Arc<Message>,
    /// The time after which it is delivered again, unless it is renewed.
    pub(super) length: Duration,
    /// The number of times that it was delivered, this one included.
    pub(super) delivered: u64,
    /// The sequence number of its message.
    pub(super) sequence: u64,
    /// `true` if its message can never be run.
    pub(super) is_malformed: bool,
    pub(super) renewed: Instant,
}

/// The leases of a worker, by the numbers under which it knows their topics.
#[derive(Clone, Default)]
pub(super) struct Leases {
    taken: Arc<Mutex<BTreeMap<u64, Lease>>>,
    /// The sequence numbers of what was handed back, and the moments until which it may wait for
    /// its next delivery.
    returned: Arc<Mutex<BTreeMap<u64, Instant>>>,
}

impl Leases {
    pub(super) fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Lease>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a lease is handed back, to be delivered again after a delay.
    pub(super) fn hand_back(&self, lease: &Lease, delay: Duration) {
        let now = Instant::now();
        let mut returned = self.returned();
        returned.retain(|_, until| *until > now);
        returned.insert(lease.sequence, now + delay + lease.length);
    }

    /// The sequence numbers of what this worker has, or handed back a short time ago.
    pub(super) fn sequences(&self) -> impl Iterator<Item = u64> {
        let taken = self.lock();
        let mut sequences: Vec<u64> = taken.values().map(|lease| lease.sequence).collect();
        drop(taken);
        let now = Instant::now();
        let returned = self.returned();
        let waiting = returned.iter().filter(|(_, until)| **until > now);
        sequences.extend(waiting.map(|(sequence, _)| *sequence));
        sequences.into_iter()
    }

    fn returned(&self) -> MutexGuard<'_, BTreeMap<u64, Instant>> {
        self.returned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Renews the leases for as long as they are held. A process that is stopped renews none.
    pub(super) async fn renew(self) {
        loop {
            for lease in self.due() {
                if let Err(error) = lease.message.ack_with(AckKind::Progress).await {
                    debug!("a lease was not renewed: {error}");
                }
            }
            sleep(TICK).await;
        }
    }

    /// The leases that are to be renewed now.
    fn due(&self) -> Vec<Lease> {
        let mut leases = self.lock();
        let due = leases
            .values_mut()
            .filter(|lease| lease.renewed.elapsed() >= lease.length / RENEWED_AFTER);
        due.map(|lease| {
            lease.renewed = Instant::now();
            lease.clone()
        })
        .collect()
    }
}
