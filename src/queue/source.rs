//! The queue as the source of a worker's topics.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Error, Result, anyhow};
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures::{StreamExt as _, TryStreamExt as _};
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::timeout;
use tracing::{debug, warn};

use super::connection::Connection;
use super::fleet::FleetQuotas;
use super::lane::{Lane, Turns};
use super::lease::{Lease, Leases};
use super::orphans::Suspects;
use crate::batch::{Entry, Outcome, TopicLine, TopicSource};
use crate::session::check_topic;

/// The number of deliveries after which a topic that fails becomes a dead letter.
const MAX_DELIVERIES: u64 = 5;
/// The pause of a worker for which there is no topic (chosen by hand: it is short for people, and
/// four requests a second are nothing to the server).
const POLL: Duration = Duration::from_millis(250);

/// The topics that a worker takes from the queue.
pub struct QueueSource<'a, F> {
    connection: &'a Connection,
    /// The number of topics at a time. None is taken that would wait for a slot here.
    slots: usize,
    /// `true` if the queue ends when no topic waits, nor is leased by any worker.
    ends_when_empty: bool,
    is_over: F,
    leases: Leases,
    /// Notified when a topic has ended, so that there is a slot.
    settled: Condvar,
    taken: AtomicU64,
    turns: Mutex<Turns>,
    /// The lanes, and the moment at which they were listed.
    consumers: Mutex<Option<(Instant, Consumers)>>,
    suspects: AsyncMutex<Suspects>,
}

/// The lanes with their consumers.
type Consumers = BTreeMap<Lane, PullConsumer>;

/// The time in which the server answers (that of the client's other requests).
const PATIENCE: Duration = Duration::from_secs(5);
/// The time for which a list of lanes is good (chosen by hand: a new tenant waits no longer).
const LISTED_FOR: Duration = Duration::from_secs(2);

/// The way in which a lease ends.
#[derive(Debug, PartialEq, Eq)]
enum End {
    /// The session is finished.
    Done,
    /// Another delivery, after this time.
    Again(Duration),
    /// Another delivery, of a copy of which none were counted.
    Afresh,
    /// A dead letter.
    Dead,
}

impl End {
    /// `is_refused` if the money of all workers is used up.
    fn of(entry: &Entry, lease: &Lease, is_refused: bool) -> Self {
        let is_last = lease.delivered >= MAX_DELIVERIES;
        match entry.outcome {
            outcome if outcome.is_published() => Self::Done,
            Outcome::Stopped | Outcome::Duplicate | Outcome::WouldRun => Self::Done,
            // To hand back is no failure, so that no number of times makes a dead letter.
            Outcome::Interrupted | Outcome::InUse if is_last => Self::Afresh,
            Outcome::Exhausted if is_refused && is_last => Self::Afresh,
            Outcome::Interrupted => Self::Again(Duration::ZERO),
            Outcome::InUse => Self::Again(lease.length),
            Outcome::Failed | Outcome::Exhausted if !is_last && !lease.is_malformed => {
                Self::Again(lease.length)
            }
            _ => Self::Dead,
        }
    }
}

impl<'a, F: Fn() -> bool + Sync> QueueSource<'a, F> {
    /// The topics of the queue, at most `slots` at a time, until `is_over` returns `true`.
    pub fn new(
        connection: &'a Connection,
        slots: usize,
        ends_when_empty: bool,
        is_over: F,
    ) -> Self {
        let leases = Leases::default();
        connection.runtime.spawn(leases.clone().renew());
        let client = connection.context.client();
        connection.runtime.spawn(leases.clone().answer(client));
        Self {
            connection,
            slots,
            ends_when_empty,
            is_over,
            leases,
            settled: Condvar::new(),
            taken: AtomicU64::new(0),
            turns: Mutex::default(),
            consumers: Mutex::default(),
            suspects: AsyncMutex::default(),
        }
    }

    /// Hands back what was taken and not settled, and waits until the server knows all.
    pub fn finish(self) {
        let left = std::mem::take(&mut *self.leases.lock());
        self.connection.runtime.block_on(async {
            for lease in left.into_values() {
                let _ = lease.message.ack_with(AckKind::Nak(None)).await;
            }
            if let Err(error) = self.connection.context.client().flush().await {
                debug!("the queue did not hear of all: {error}");
            }
        });
    }

    /// Takes the next topic of the lane whose turn it is; `None` if there is none now.
    async fn take(&self) -> Result<Option<TopicLine>> {
        let lanes = self.lanes().await?;
        let names: Vec<Lane> = lanes.keys().cloned().collect();
        let order = self.turns().order(&names);
        for lane in order {
            let consumer = &lanes[&lane];
            let mut messages = consumer.fetch().max_messages(1).messages().await?;
            while let Some(message) = messages.next().await {
                let message = message.map_err(failed)?;
                self.turns().serve(&lane);
                let length = consumer.cached_info().config.ack_wait;
                if let Some(line) = self.lease(message, length).await? {
                    return Ok(Some(line));
                }
            }
        }
        Ok(None)
    }

    /// The lanes that there are. Only their names are listed, and now and then: to count what waits
    /// in a lane, the server looks at each message.
    async fn lanes(&self) -> Result<Consumers> {
        let listed = self.consumers().clone();
        if let Some((since, consumers)) = listed
            && since.elapsed() < LISTED_FOR
        {
            return Ok(consumers);
        }
        let topics = &self.connection.topics;
        let names: Vec<String> = topics.consumer_names().try_collect().await?;
        let mut consumers = Consumers::new();
        for name in names {
            if let Some(lane) = Lane::of_consumer(&name) {
                consumers.insert(lane, topics.get_consumer(&name).await.map_err(failed)?);
            }
        }
        *self.consumers() = Some((Instant::now(), consumers.clone()));
        Ok(consumers)
    }

    /// The quotas, if the money of all workers is used up; then no topic is begun.
    fn without_funds(&self) -> Option<&FleetQuotas> {
        let quotas = self.connection.quotas.as_ref()?;
        let has_funds = self.connection.runtime.block_on(quotas.has_funds());
        (!has_funds).then_some(quotas)
    }

    /// `true` if this queue ends when it is empty, and is. A worker that goes on only looks for
    /// orphans now and then.
    async fn is_over_when_empty(&self) -> Result<bool> {
        let is_due = self.suspects.lock().await.is_due(self.connection.lease);
        if !is_due && !self.ends_when_empty {
            return Ok(false);
        }
        let is_empty = self.is_empty().await?;
        Ok(is_empty && self.ends_when_empty)
    }

    /// `true` if no topic waits, nor is leased by any worker. What the server counts as leased may
    /// be gone, and what it counts as done may still be there.
    async fn is_empty(&self) -> Result<bool> {
        if self.connection.topics.get_info().await?.state.messages == 0 {
            return Ok(true);
        }
        let mut consumers = self.connection.topics.consumers();
        while let Some(consumer) = consumers.try_next().await? {
            if consumer.num_pending > 0 {
                return Ok(false);
            }
        }
        let mut suspects = self.suspects.lock().await;
        suspects.adopt(self.connection, &self.leases).await
    }

    /// Leases a topic, unless its deliveries are used up.
    async fn lease(&self, message: Message, length: Duration) -> Result<Option<TopicLine>> {
        let info = message.info().map_err(failed)?;
        let (delivered, sequence) = (info.delivered.unsigned_abs(), info.stream_sequence);
        let number = self.taken.fetch_add(1, Ordering::SeqCst) + 1;
        let line = TopicLine::parse(number, &message.payload);
        let topic = line.spec.as_ref().map(|spec| &spec.topic);
        let lease = Lease {
            length,
            delivered,
            sequence,
            is_malformed: topic.map_or(true, |topic| check_topic(topic).is_err()),
            renewed: Instant::now(),
            message: message.into(),
        };
        if delivered > MAX_DELIVERIES {
            let reason = format!("its worker ended {MAX_DELIVERIES} times before it was done");
            self.end(&lease, &End::Dead, &reason).await?;
            return Ok(None);
        }
        self.leases.lock().insert(number, lease);
        Ok(Some(line))
    }

    async fn end(&self, lease: &Lease, end: &End, reason: &str) -> Result<()> {
        let message = &lease.message;
        let kind = match end {
            End::Done => AckKind::Ack,
            End::Again(delay) => {
                self.leases.hand_back(lease, *delay);
                AckKind::Nak(Some(*delay).filter(|delay| !delay.is_zero()))
            }
            End::Afresh => {
                // The copy takes the place of the message, if that is still the one on its subject.
                let (subject, payload) = (message.subject.to_string(), message.payload.to_vec());
                self.connection
                    .put(subject, payload, lease.sequence)
                    .await?;
                AckKind::Ack
            }
            End::Dead => {
                let connection = self.connection;
                connection
                    .bury(&message.subject, &message.payload, reason)
                    .await?;
                AckKind::Ack
            }
        };
        message.ack_with(kind).await.map_err(failed)
    }

    /// Waits before the queue is asked again: until a topic has ended, if all slots were taken.
    fn wait(&self, leased: usize) {
        if leased < self.slots {
            return thread::sleep(POLL);
        }
        let is_full = |leases: &mut BTreeMap<u64, Lease>| leases.len() >= self.slots;
        let waited = self
            .settled
            .wait_timeout_while(self.leases.lock(), POLL, is_full);
        drop(waited);
    }

    fn consumers(&self) -> MutexGuard<'_, Option<(Instant, Consumers)>> {
        self.consumers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The errors of the client are boxed, which `anyhow` does not take.
fn failed(error: impl Display) -> Error {
    anyhow!("{error}")
}

impl<F: Fn() -> bool + Sync> TopicSource for QueueSource<'_, F> {
    fn next_topic(&self) -> Result<Option<TopicLine>> {
        let mut was_reached = true;
        let mut refused_since = None;
        while !(self.is_over)() {
            let leased = self.leases.lock().len();
            if leased < self.slots
                && let Some(quotas) = self.without_funds()
            {
                // What runs may put something back, and a server that is away is waited for.
                let is_settled = leased == 0 && quotas.is_connected();
                let since = refused_since.filter(|_| is_settled);
                let since = since.unwrap_or_else(Instant::now);
                refused_since = Some(since);
                if self.ends_when_empty && since.elapsed() >= PATIENCE {
                    quotas.notify_of_rest();
                    return Ok(None);
                }
            } else if leased < self.slots {
                refused_since = None;
                let taken = self.connection.runtime.block_on(async {
                    // A server that is started again forgets that it was asked.
                    match timeout(PATIENCE, self.take()).await?? {
                        None => anyhow::Ok((None, self.is_over_when_empty().await?)),
                        line => Ok((line, false)),
                    }
                });
                match taken {
                    Ok((None, false)) => was_reached = true,
                    Ok((line, _)) => return Ok(line),
                    // The connection is made anew: a server that is away is waited for.
                    Err(error) if was_reached => {
                        was_reached = false;
                        warn!("the queue does not answer, and is asked again: {error:#}");
                    }
                    Err(_) => {}
                }
            }
            self.wait(leased);
        }
        Ok(None)
    }

    fn settle(&self, entry: &Entry) {
        let Some(lease) = self.leases.lock().remove(&entry.line) else {
            return;
        };
        self.settled.notify_all();
        let reason = entry
            .reason
            .as_deref()
            .unwrap_or(entry.outcome.description());
        let quotas = self.connection.quotas.as_ref();
        let end = End::of(entry, &lease, quotas.is_some_and(FleetQuotas::is_refused));
        let ended = self.end(&lease, &end, reason);
        if let Err(error) = self.connection.runtime.block_on(ended) {
            // Its lease expires then, and the next worker sees that its session is finished.
            warn!("the queue was not told of {:?}: {error:#}", entry.topic);
        }
    }

    fn redelivers(&self) -> bool {
        true
    }
}
