//! Orphans: topics that are in the queue, that no worker has, and that the server never delivers.
//!
//! A server writes apart that a topic was acknowledged and that it was removed. One that is killed
//! in between may remember the first alone: then the topic stays, and counts as done. So workers
//! tell one another which topics they have, and one without work puts afresh what none of them has
//! had for two leases. A session that is finished is only acknowledged again. In a cluster the
//! server that delivers may be the one that lost topics; then another one takes its place.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use anyhow::Result;
use async_nats::Client;
use async_nats::jetstream::response::Response;
use futures::StreamExt as _;
use serde_json::Value;
use tokio::time::{sleep, timeout_at};
use tracing::{debug, warn};

use super::connection::Connection;
use super::lane::{Lane, TOPICS};
use super::lease::Leases;
use super::stream::next_message;

/// The subject on which workers ask one another for the topics that they have.
const LEASES: &str = "research.leases";
/// The time in which workers answer.
const PATIENCE: Duration = Duration::from_secs(1);
/// The pause before a subscription that failed is tried again.
const RETRIED_AFTER: Duration = Duration::from_secs(1);
/// The number of leases for which nobody has an orphan: what is handed back, or left by a worker
/// that died, is delivered after one.
const UNLEASED_FOR: u32 = 2;
/// The maximum number of topics that are looked at.
const MAX_TOPICS: usize = 256;

/// The topics that no worker had, by their sequence numbers, since they were first seen.
#[derive(Default)]
pub(super) struct Suspects {
    since: BTreeMap<u64, Instant>,
    looked_at: Option<Instant>,
}

/// A topic in the queue.
struct Topic {
    sequence: u64,
    subject: String,
    payload: Vec<u8>,
}

impl Suspects {
    /// `true` if the last look is a lease ago.
    pub(super) fn is_due(&self, lease: Duration) -> bool {
        self.looked_at
            .is_none_or(|moment| moment.elapsed() >= lease)
    }

    /// Puts afresh what no worker has had for two leases; looks once a lease at most. Returns
    /// `true` if there is no topic in any lane.
    ///
    /// # Errors
    /// When the server does not answer.
    pub(super) async fn adopt(&mut self, connection: &Connection, own: &Leases) -> Result<bool> {
        let lease = connection.lease;
        if !self.is_due(lease) {
            return Ok(false);
        }
        self.looked_at = Some(Instant::now());
        let topics = connection.topics_in_lanes().await?;
        let mut leased = connection.leased().await?;
        leased.extend(own.sequences());
        let orphans: Vec<Topic> = topics
            .into_iter()
            .filter(|topic| !leased.contains(&topic.sequence))
            .collect();
        if orphans.is_empty() && leased.is_empty() {
            return Ok(true);
        }
        let sequences: BTreeSet<u64> = orphans.iter().map(|topic| topic.sequence).collect();
        self.since
            .retain(|sequence, _| sequences.contains(sequence));
        let is_lost = |since: &Instant| since.elapsed() >= lease * UNLEASED_FOR;
        if self.since.values().any(is_lost) {
            connection.change_leaders().await;
        }
        for topic in orphans {
            let since = *self
                .since
                .entry(topic.sequence)
                .or_insert_with(Instant::now);
            if is_lost(&since) {
                warn!("the queue lost track of a topic, which is queued again");
                self.since.remove(&topic.sequence);
                connection
                    .put(topic.subject, topic.payload, topic.sequence)
                    .await?;
            }
        }
        Ok(false)
    }
}

impl Leases {
    /// Answers the workers that ask which topics this one has.
    pub(super) async fn answer(self, client: Client) {
        loop {
            match client.subscribe(LEASES).await {
                Ok(mut questions) => {
                    while let Some(question) = questions.next().await {
                        let sequences: Vec<u64> = self.sequences().collect();
                        let answer = serde_json::json!(sequences).to_string();
                        let Some(inbox) = question.reply else {
                            continue;
                        };
                        if let Err(error) = client.publish(inbox, answer.into()).await {
                            debug!("a worker was not told of the leases: {error}");
                        }
                    }
                }
                Err(error) => debug!("no worker can ask for the leases: {error}"),
            }
            sleep(RETRIED_AFTER).await;
        }
    }
}

impl Connection {
    /// Has another server of a cluster deliver the topics of each lane. One that was killed while
    /// it wrote may have come back without topics that the others have, and delivers none of them.
    /// A single server refuses, which changes nothing.
    async fn change_leaders(&self) {
        let stream = &self.topics.cached_info().config.name;
        let mut names = self.topics.consumer_names();
        while let Some(Ok(name)) = names.next().await {
            let subject = format!("CONSUMER.LEADER.STEPDOWN.{stream}.{name}");
            let answer: Result<Response<Value>, _> = self.context.request(subject, &()).await;
            debug!("another server is to deliver {name}: {answer:?}");
        }
    }

    /// The sequence numbers of the topics that the workers have which answer.
    async fn leased(&self) -> Result<BTreeSet<u64>> {
        let client = self.context.client();
        let inbox = client.new_inbox();
        let mut answers = client.subscribe(inbox.clone()).await?;
        client.publish_with_reply(LEASES, inbox, "".into()).await?;
        let deadline = tokio::time::Instant::now() + PATIENCE;
        let mut leased = BTreeSet::new();
        while let Ok(Some(answer)) = timeout_at(deadline, answers.next()).await {
            let sequences: Vec<u64> = serde_json::from_slice(&answer.payload).unwrap_or_default();
            leased.extend(sequences);
        }
        Ok(leased)
    }

    /// The first topics in the queue, but for those of no lane, which no worker takes.
    async fn topics_in_lanes(&self) -> Result<Vec<Topic>> {
        let (mut topics, mut last) = (Vec::new(), 0);
        while topics.len() < MAX_TOPICS
            && let Some(message) = next_message(&self.topics, TOPICS, last).await?
        {
            last = message.sequence;
            if Lane::of_subject(&message.subject).is_some() {
                topics.push(Topic {
                    sequence: message.sequence,
                    subject: message.subject.to_string(),
                    payload: message.payload.to_vec(),
                });
            }
        }
        Ok(topics)
    }
}
