//! The quotas of all workers of a queue: requests and tokens of each model, requests to each host,
//! and money for each day.
//!
//! A rate is one number under one key: the theoretical arrival time of the GCRA by the server's
//! clock, in nanoseconds. Whoever takes from it moves it on by compare-and-set and sleeps until its
//! turn. The callers of a process queue for each model and host, so that the number lies ahead by
//! no more than what each worker takes at once. The budget of a day is one number too: what the
//! workers drew, in billionths of a dollar. They draw before they spend, and put back what they did
//! not; a worker that is killed takes with it what it had drawn.
//!
//! When the bucket is away, the limits of each worker hold alone, and money is refused.

use std::collections::HashMap;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::future::{BoxFuture, FutureExt as _};
use tokio::runtime::Handle;
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::sleep;

use super::bucket::{Bucket, PATIENCE};
use crate::quota::{BudgetExhausted, Quotas, Rate};

/// Billionths in a dollar.
const NANOS: f64 = 1e9;

/// The limits of all workers together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FleetLimits {
    /// The requests to each model in a minute; 0 for no limit.
    pub requests_per_minute: u64,
    /// The tokens of each model in a minute; 0 for no limit.
    pub tokens_per_minute: u64,
    /// The time between two requests to one host; zero for no limit.
    pub gap: Duration,
    /// The cost of a day, by the server's clock and UTC, in US dollars; 0 for no limit.
    pub usd_per_day: f64,
}

/// The quotas of all workers.
#[derive(Clone)]
pub struct FleetQuotas {
    bucket: Arc<Bucket>,
    runtime: Handle,
    requests: Option<Rate>,
    tokens: Option<Rate>,
    gap: Option<Rate>,
    usd_per_day: f64,
    /// A queue of the callers for each model and host.
    turns: Arc<Mutex<HashMap<String, Turn>>>,
    funds: Arc<Mutex<Funds>>,
}

type Turn = Arc<AsyncMutex<()>>;

/// The money that this worker drew.
#[derive(Default)]
struct Funds {
    /// The key of the day of the last draw.
    key: String,
    /// What was drawn on that day and not put back.
    drawn: u64,
    /// What was drawn and what was refused beyond it, until that much is left again: less would
    /// lead to the same refusal.
    refused: Option<u64>,
}

impl FleetQuotas {
    pub(super) fn new(bucket: Bucket, runtime: Handle, limits: &FleetLimits) -> Self {
        Self {
            bucket: Arc::new(bucket),
            runtime,
            requests: Rate::per_minute(limits.requests_per_minute),
            tokens: Rate::per_minute(limits.tokens_per_minute),
            gap: Rate::one_every(limits.gap),
            usd_per_day: limits.usd_per_day,
            turns: Arc::default(),
            funds: Arc::default(),
        }
    }

    /// `true` if money was refused to this worker, and is still.
    pub(super) fn is_refused(&self) -> bool {
        self.funds().refused.is_some()
    }

    /// `true` if there is a connection to the server.
    pub(super) fn is_connected(&self) -> bool {
        self.bucket.is_connected()
    }

    /// Gives people the notice that topics are left.
    pub(super) fn notify_of_rest(&self) {
        let text = "the budget of all workers is used up: what is left stays in the queue";
        self.bucket.notify(text);
    }

    /// `true` unless money was refused, and so much is not left yet.
    pub(super) async fn has_funds(&self) -> bool {
        let wanted = {
            let funds = self.funds();
            let Some(refused) = funds.refused else {
                return true;
            };
            // What was drawn until then and put back since is drawn again on the way there.
            refused.saturating_sub(funds.drawn).max(1)
        };
        let limit = billionths(self.usd_per_day);
        let has_it = self.bucket.ask(false, async {
            let key = self.bucket.today().await?;
            let is_left = |drawn: u64, _| (drawn, drawn.saturating_add(wanted) <= limit);
            self.bucket.update(&key, is_left).await
        });
        let has_it = has_it.await.unwrap_or(false);
        if has_it {
            self.funds().refused = None;
        }
        has_it
    }

    /// Takes amounts from rates, and waits until they may be used. Returns `false` if the bucket is
    /// away.
    async fn admit(&self, name: &str, amounts: &[(&str, Option<Rate>, u64)]) -> bool {
        let turn = self.turn(name);
        let _turn = turn.lock().await;
        let take = async {
            let mut longest = Duration::ZERO;
            for (kind, rate, amount) in amounts {
                if let Some(rate) = rate {
                    let wait = self.bucket.take(&key(kind, name), rate, *amount).await?;
                    longest = longest.max(wait);
                }
            }
            Ok(longest)
        };
        let Some(wait) = self.bucket.ask(false, take).await else {
            return false;
        };
        if !wait.is_zero() {
            tracing::debug!(
                milliseconds = wait.as_millis(),
                name,
                "throttled by the limits of all workers"
            );
            sleep(wait).await;
        }
        true
    }

    fn turn(&self, name: &str) -> Turn {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.entry(name.to_owned()).or_default().clone()
    }

    fn funds(&self) -> MutexGuard<'_, Funds> {
        self.funds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The result of a task on the thread of the queue; `None` if it takes too long. The caller may
    /// be a thread of any kind.
    fn wait_for<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let (sender, receiver) = sync_channel(1);
        self.runtime.spawn(async move {
            let _ = sender.send(task.await);
        });
        receiver.recv_timeout(3 * PATIENCE).ok()
    }

    fn refusal(&self, problem: &str) -> BudgetExhausted {
        BudgetExhausted {
            limit: format!("{} US dollars a day for all workers", self.usd_per_day),
            problem: problem.to_owned(),
        }
    }
}

impl Quotas for FleetQuotas {
    fn admit_call<'a>(&'a self, model: &'a str, tokens: u64) -> BoxFuture<'a, bool> {
        async move {
            let amounts = [(REQUESTS, self.requests, 1), (TOKENS, self.tokens, tokens)];
            let is_limited = self.requests.is_some() || self.tokens.is_some();
            is_limited && self.admit(model, &amounts).await && self.tokens.is_some()
        }
        .boxed()
    }

    fn correct_tokens<'a>(
        &'a self,
        model: &'a str,
        estimated: u64,
        counted: u64,
    ) -> BoxFuture<'a, ()> {
        async move {
            let Some(rate) = self.tokens else {
                return;
            };
            let correct = |arrival, now| {
                let arrival = Duration::from_nanos(arrival);
                (nanos(rate.correct(arrival, now, estimated, counted)), ())
            };
            let key = key(TOKENS, model);
            self.bucket
                .ask(false, self.bucket.update(&key, correct))
                .await;
        }
        .boxed()
    }

    fn admit_request<'a>(&'a self, host: &'a str) -> BoxFuture<'a, ()> {
        async move {
            if self.gap.is_some() {
                self.admit(host, &[(HOST, self.gap, 1)]).await;
            }
        }
        .boxed()
    }

    fn draw(&self, usd: f64) -> Result<(), BudgetExhausted> {
        if self.usd_per_day == 0.0 {
            return Ok(());
        }
        // Rounded against the worker, so that roundings never overspend.
        let wanted = (usd * NANOS).ceil() as u64;
        let (bucket, limit) = (self.bucket.clone(), billionths(self.usd_per_day));
        let answer = self.wait_for(async move {
            let draw = async {
                let key = bucket.today().await?;
                let is_drawn = bucket.update(&key, |drawn, _| match drawn.checked_add(wanted) {
                    Some(sum) if sum <= limit => (sum, true),
                    _ => (drawn, false),
                });
                Ok((is_drawn.await?, key))
            };
            bucket.ask(true, draw).await
        });
        let mut funds = self.funds();
        let problem = match answer.flatten() {
            Some((true, key)) => {
                if funds.key != key {
                    (funds.key, funds.drawn) = (key, 0);
                }
                funds.drawn += wanted;
                return Ok(());
            }
            Some((false, _)) => "is used up; go on tomorrow, or raise queue.max_cost_usd_per_day",
            None => "cannot be asked for, since the queue does not answer; go on when it does",
        };
        funds.refused = Some(funds.drawn.saturating_add(wanted));
        Err(self.refusal(problem))
    }

    fn put_back(&self, usd: f64) -> bool {
        let (key, drawn) = {
            let funds = self.funds();
            (funds.key.clone(), funds.drawn)
        };
        // What was drawn yesterday is not put back today.
        let amount = ((usd * NANOS).floor() as u64).min(drawn);
        if self.usd_per_day == 0.0 || amount == 0 {
            return true;
        }
        let (bucket, same_key) = (self.bucket.clone(), key.clone());
        let answer = self.wait_for(async move {
            let subtract = |drawn: u64, _| (drawn.saturating_sub(amount), ());
            bucket.ask(false, bucket.update(&same_key, subtract)).await
        });
        let is_back = answer.flatten().is_some();
        let mut funds = self.funds();
        if is_back && funds.key == key {
            funds.drawn = funds.drawn.saturating_sub(amount);
        }
        is_back
    }
}

/// The kinds of keys.
const REQUESTS: &str = "requests";
const TOKENS: &str = "tokens";
const HOST: &str = "host";
const BUDGET: &str = "budget";

impl Bucket {
    /// Takes an amount from a rate, and returns the time to wait for it.
    async fn take(&self, key: &str, rate: &Rate, amount: u64) -> anyhow::Result<Duration> {
        let take = |arrival, now| {
            let arrival = rate.plausible(Duration::from_nanos(arrival), now);
            let (next, wait) = rate.take(arrival, now, amount);
            (nanos(next), wait)
        };
        self.update(key, take).await
    }

    /// The key of the budget of the day, by the server's clock.
    async fn today(&self) -> anyhow::Result<String> {
        let now = DateTime::<Utc>::UNIX_EPOCH + self.time().await?;
        Ok(format!("{BUDGET}.{}", now.format("%F")))
    }
}

/// A key of this kind and name. What a key may not hold is written as `=` and two digits.
fn key(kind: &str, name: &str) -> String {
    let mut key = format!("{kind}.");
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_".contains(&byte) {
            key.push(char::from(byte));
        } else {
            key.push_str(&format!("={byte:02X}"));
        }
    }
    key
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// A limit in billionths of a dollar; cents are exact.
fn billionths(usd: f64) -> u64 {
    (usd * NANOS).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_hold_what_a_bucket_takes_and_stay_apart() {
        assert_eq!(key(REQUESTS, "openai:gpt-4o"), "requests.openai=3Agpt-4o");
        assert_eq!(key(HOST, "a..b:443"), "host.a=2E=2Eb=3A443");
        assert_ne!(key(HOST, "a=2E"), key(HOST, "a."));
    }
}
