//! The bucket in which all workers share their limits: numbers under keys, which they change by
//! compare-and-set, and the clock of the server that holds them.
//!
//! Clocks of machines differ, so none of a worker's counts: a worker writes an entry, reads when
//! the server wrote it, and counts on from there by its own monotonic clock. It is behind by the
//! way there and back at most, and by what two clocks drift apart in [`CALIBRATED_FOR`]. When
//! another server of a cluster takes over, the workers follow its clock within the same time.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use async_nats::Client;
use async_nats::connection::State;
use async_nats::jetstream::Context;
use async_nats::jetstream::kv::{Entry, Store, UpdateErrorKind};
use async_nats::jetstream::stream::{Config, DiscardPolicy};
use backon::{BackoffBuilder as _, ExponentialBuilder};
use tokio::time::{sleep, timeout};

use super::stream::get_or_create;

/// The name of the bucket.
const BUCKET: &str = "RESEARCH_LIMITS";
/// The age at which an entry that nobody writes is removed: a budget is needed for a day.
const MAX_AGE: Duration = Duration::from_secs(48 * 3600);
/// The key under which workers write to learn the time.
const CLOCK: &str = "clock";
/// The time for which a reading of the server's clock is good: clocks drift apart by some 100
/// millionths, 6 ms in that time.
const CALIBRATED_FOR: Duration = Duration::from_secs(60);

/// The time in which the bucket answers, however many workers write at once.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// The pause after an answer that did not come (chosen by hand: nobody waits for the next one).
const RETRIED_AFTER: Duration = Duration::from_secs(5);
/// The interval at which a lost connection is looked at.
const POLL: Duration = Duration::from_millis(50);

/// The pauses of workers that wrote at once: from the way there and back to that of many.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

/// Tells people what they should know of the limits.
pub type Notice = Box<dyn Fn(&str) + Send + Sync>;

/// The bucket.
pub(super) struct Bucket {
    client: Client,
    store: Store,
    clock: Mutex<Option<Reading>>,
    outage: Mutex<Option<Outage>>,
    notice: Notice,
}

/// A reading of the server's clock.
#[derive(Clone, Copy)]
struct Reading {
    /// The time that it showed, since 1970.
    time: Duration,
    at: Instant,
}

/// A time in which the bucket does not answer.
#[derive(Clone, Copy)]
struct Outage {
    since: Instant,
    /// The moment from which it is asked again.
    retried_at: Instant,
}

impl Bucket {
    /// Opens the bucket, which is created if it is missing.
    ///
    /// # Errors
    /// When the server does not allow it.
    pub(super) async fn open(context: &Context, replicas: usize, notice: Notice) -> Result<Self> {
        // A bucket is a stream like this. The client's own way to create one asks for the account
        // first, and cannot read what servers before 2.10 answer.
        let config = Config {
            name: format!("KV_{BUCKET}"),
            description: Some("The limits of all workers of research".to_owned()),
            subjects: vec![format!("$KV.{BUCKET}.>")],
            max_messages_per_subject: 1,
            max_age: MAX_AGE,
            num_replicas: replicas,
            discard: DiscardPolicy::New,
            allow_rollup: true,
            deny_delete: true,
            allow_direct: true,
            ..Config::default()
        };
        let refused = || format!("the queue has no bucket {BUCKET} for the limits of all workers");
        let stream = get_or_create(context, config).await;
        stream.with_context(refused)?;
        let store = context.get_key_value(BUCKET).await;
        let store = store.with_context(refused)?;
        Ok(Self {
            client: context.client(),
            store,
            clock: Mutex::default(),
            outage: Mutex::default(),
            notice,
        })
    }

    /// The answer to a question; `None` if the bucket is away. Then it is not asked for a while, so
    /// that not everybody waits, and people are told once. With `waits`, a connection that was
    /// just lost is waited for.
    pub(super) async fn ask<T>(
        &self,
        waits: bool,
        question: impl Future<Output = Result<T>>,
    ) -> Option<T> {
        let (begun, outage) = (Instant::now(), *self.outage());
        if outage.is_some_and(|outage| Instant::now() < outage.retried_at) {
            return None;
        }
        let since = outage.map_or_else(Instant::now, |outage| outage.since);
        while waits && !self.is_connected() && since.elapsed() < PATIENCE {
            sleep(POLL).await;
        }
        let is_connected = self.is_connected();
        let answer = if is_connected {
            let answer = timeout(PATIENCE, question).await;
            answer.unwrap_or_else(|_| Err(anyhow!("there was no answer within {PATIENCE:?}")))
        } else {
            Err(anyhow!("the connection is lost"))
        };
        match answer {
            Ok(answer) => {
                // An answer that was on its way when the outage began does not end it.
                let ended = self.outage().take_if(|outage| outage.since < begun);
                if ended.is_some() {
                    self.notify("the limits of all workers hold again");
                }
                Some(answer)
            }
            Err(error) => {
                // A connection says itself when it is back; anything else is tried.
                let pause = if is_connected {
                    RETRIED_AFTER
                } else {
                    Duration::ZERO
                };
                self.begin_outage(pause, &error);
                None
            }
        }
    }

    fn begin_outage(&self, pause: Duration, error: &anyhow::Error) {
        let now = Instant::now();
        let mut outage = self.outage();
        if outage.is_none() {
            self.notify(&format!(
                "the limits of all workers cannot be asked for ({error:#}): until they can, this \
                 worker goes by its own, and spends no money but what it has drawn"
            ));
        }
        *outage = Some(Outage {
            since: outage.map_or(now, |outage| outage.since),
            retried_at: now + pause,
        });
    }

    /// Gives people a notice.
    pub(super) fn notify(&self, text: &str) {
        (self.notice)(text);
    }

    /// `true` if there is a connection to a server, whether that has the bucket or not.
    pub(super) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Replaces the number of a key, 0 if there is none, by what `next` makes of it and of the
    /// server's time. Another worker that writes in between makes it begin again, after a pause.
    ///
    /// # Errors
    /// When the bucket does not answer, or holds no number.
    pub(super) async fn update<T>(
        &self,
        key: &str,
        next: impl Fn(u64, Duration) -> (u64, T),
    ) -> Result<T> {
        let mut pauses = ExponentialBuilder::default()
            .with_min_delay(FIRST_PAUSE)
            .with_max_delay(LONGEST_PAUSE)
            .with_jitter()
            .without_max_times()
            .build();
        loop {
            let now = self.time().await?;
            let entry = self.store.entry(key).await?;
            let number = entry.as_ref().map_or(Ok(0), number)?;
            let revision = entry.map_or(0, |entry| entry.revision);
            let (replacement, answer) = next(number, now);
            if replacement == number {
                return Ok(answer);
            }
            let digits = replacement.to_string().into();
            match self.store.update(key, digits, revision).await {
                Ok(_) => return Ok(answer),
                Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => {
                    sleep(pauses.next().unwrap_or(LONGEST_PAUSE)).await;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The time of the server, since 1970.
    ///
    /// # Errors
    /// When the bucket does not answer.
    pub(super) async fn time(&self) -> Result<Duration> {
        let reading = self.reading().await?;
        Ok(reading.time + reading.at.elapsed())
    }

    /// The last reading of its clock, a new one if that was long ago.
    async fn reading(&self) -> Result<Reading> {
        let last = *self.clock();
        if let Some(last) = last.filter(|last| last.at.elapsed() < CALIBRATED_FOR) {
            return Ok(last);
        }
        let revision = self.store.put(CLOCK, "".into()).await?;
        // A replica may be behind.
        let entry = loop {
            match self.store.entry(CLOCK).await? {
                Some(entry) if entry.revision >= revision => break entry,
                _ => sleep(LONGEST_PAUSE).await,
            }
        };
        let nanoseconds = entry.created.unix_timestamp_nanos();
        let reading = Reading {
            time: Duration::from_nanos(u64::try_from(nanoseconds)?),
            at: Instant::now(),
        };
        *self.clock() = Some(reading);
        Ok(reading)
    }

    fn clock(&self) -> MutexGuard<'_, Option<Reading>> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn outage(&self) -> MutexGuard<'_, Option<Outage>> {
        self.outage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number of an entry; one that was deleted has none.
fn number(entry: &Entry) -> Result<u64> {
    let text = std::str::from_utf8(&entry.value).unwrap_or_default();
    if text.is_empty() {
        return Ok(0);
    }
    let number = text.parse();
    number.with_context(|| format!("{} of the bucket {BUCKET} holds no number", entry.key))
}
