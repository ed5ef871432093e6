//! The state of the queue: the topics of each lane.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use futures::TryStreamExt as _;
use schemars::JsonSchema;
use serde::Serialize;

use super::connection::Connection;
use super::dead::REASON;
use super::lane::Lane;

/// The number of dead letters whose reasons are listed.
const MAX_LETTERS: usize = 100;

/// The state of the queue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QueueStatus {
    /// The lanes, by priority and tenant.
    pub lanes: Vec<LaneStatus>,
    /// The first dead letters, at most a hundred.
    pub letters: Vec<DeadLetter>,
}

/// The state of a lane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LaneStatus {
    /// The lane.
    pub lane: Lane,
    /// The number of topics that wait for their first delivery.
    pub pending: u64,
    /// The number of topics that workers have, or had until their leases expired.
    pub leased: u64,
    /// The number of dead letters.
    pub dead: u64,
}

/// A topic that failed for the last time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DeadLetter {
    /// The lane from which it came.
    pub lane: Lane,
    /// Its message.
    pub message: String,
    /// The reason of the last failure.
    pub reason: String,
}

impl Connection {
    /// Reads the state of the queue.
    ///
    /// # Errors
    /// When the server does not answer.
    pub fn status(&self) -> Result<QueueStatus> {
        self.runtime.block_on(async {
            let mut lanes = BTreeMap::new();
            let messages = self.topics.get_info().await;
            let messages = messages.context("failed to read the state of the queue")?;
            // A server that was killed may count what is gone.
            let mut rest = messages.state.messages;
            let mut consumers = self.topics.consumers();
            while let Some(consumer) = consumers.try_next().await? {
                if let Some(lane) = Lane::of_consumer(&consumer.name) {
                    rest = rest.saturating_sub(consumer.num_pending);
                    let leased = rest.min(consumer.num_ack_pending as u64);
                    rest -= leased;
                    lanes.insert(lane, (consumer.num_pending, leased, 0));
                }
            }
            let dead = self.dead.info_with_subjects(">").await;
            let mut dead = dead.context("failed to list the dead letters")?;
            while let Some((subject, count)) = dead.try_next().await? {
                if let Some(lane) = Lane::of_subject(&subject) {
                    lanes.entry(lane).or_default().2 += count as u64;
                }
            }
            let status = |(lane, (pending, leased, dead))| LaneStatus {
                lane,
                pending,
                leased,
                dead,
            };
            Ok(QueueStatus {
                lanes: lanes.into_iter().map(status).collect(),
                letters: self.letters().await?,
            })
        })
    }

    async fn letters(&self) -> Result<Vec<DeadLetter>> {
        let (mut letters, mut last) = (Vec::new(), 0);
        while letters.len() < MAX_LETTERS
            && let Some(letter) = self.next_dead(last).await?
        {
            last = letter.sequence;
            let reason = letter.headers.get(REASON).map(ToString::to_string);
            if let Some(lane) = Lane::of_subject(&letter.subject) {
                letters.push(DeadLetter {
                    lane,
                    message: String::from_utf8_lossy(&letter.payload).into_owned(),
                    reason: reason.unwrap_or_default(),
                });
            }
        }
        Ok(letters)
    }
}
