//! Topics into the queue: each on its own subject, unless it is there already.

use anyhow::{Context as _, Result};
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use futures::{StreamExt as _, TryStreamExt as _, stream};

use super::connection::Connection;
use super::lane::{DEAD, Lane, TOPICS};

/// The number of messages that wait for the server's receipt at once: enough to hide the way there
/// and back (chosen by hand).
const IN_FLIGHT: usize = 256;

/// The number of topics that were submitted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Submission {
    /// Those that were queued.
    pub queued: u64,
    /// Those that were there already: they wait, or a worker has them.
    pub waiting: u64,
}

impl Submission {
    fn count(mut self, is_new: bool) -> Self {
        self.queued += u64::from(is_new);
        self.waiting += u64::from(!is_new);
        self
    }
}

impl Connection {
    /// Queues topics in a lane: each its key and its message.
    ///
    /// # Errors
    /// When the server does not take them, or `topics` has an error; those before it are queued.
    pub fn submit(
        &self,
        lane: &Lane,
        topics: impl Iterator<Item = Result<(String, String)>>,
    ) -> Result<Submission> {
        let put = async |topic: Result<(String, String)>| {
            let (key, message) = topic?;
            let subject = lane.subject(TOPICS, &key);
            self.put(subject, message.into_bytes(), 0).await
        };
        self.runtime.block_on(async {
            self.open_lane(lane).await?;
            let receipts = stream::iter(topics.map(put)).buffered(IN_FLIGHT);
            let count = async |so_far: Submission, is_new| Ok(so_far.count(is_new));
            receipts.try_fold(Submission::default(), count).await
        })
    }

    /// Queues the dead letters again, each in its lane.
    ///
    /// # Errors
    /// When the server does not hand them out or take them; those before it are queued.
    pub fn submit_dead(&self) -> Result<Submission> {
        self.runtime.block_on(async {
            let mut submission = Submission::default();
            let mut last = 0;
            while let Some(letter) = self.next_dead(last).await? {
                let lane = Lane::of_subject(&letter.subject);
                let lane = lane.context("a dead letter belongs to no lane")?;
                self.open_lane(&lane).await?;
                let subject = letter.subject.replacen(DEAD, TOPICS, 1);
                let is_new = self.put(subject, letter.payload.to_vec(), 0).await?;
                submission = submission.count(is_new);
                last = letter.sequence;
                // Only now: after an end in between it is there twice, which does no harm.
                let deleted = self.dead.delete_message(last).await;
                deleted.context("failed to remove a dead letter")?;
            }
            Ok(submission)
        })
    }

    /// Creates the consumer of a lane, unless it is there.
    async fn open_lane(&self, lane: &Lane) -> Result<()> {
        let config = pull::Config {
            durable_name: Some(lane.consumer()),
            filter_subject: lane.filter(),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.lease,
            // Workers count deliveries, since what is handed back has not failed.
            max_deliver: -1,
            max_ack_pending: -1,
            ..pull::Config::default()
        };
        let name = lane.consumer();
        let consumer = self.topics.get_or_create_consumer(&name, config).await;
        consumer.context("failed to open a lane of the queue")?;
        Ok(())
    }

    /// Publishes a message if the last one on its subject has the sequence number `last`; 0 is none
    /// at all. Returns `false` if it has not. The server compares and sets in one step, so that a
    /// topic is never there twice.
    pub(super) async fn put(&self, subject: String, payload: Vec<u8>, last: u64) -> Result<bool> {
        let message = PublishMessage::build()
            .payload(payload.into())
            .expected_last_subject_sequence(last);
        let receipt = match self.context.send_publish(subject, message).await {
            Ok(receipt) => receipt.await.map(|_| true),
            Err(error) => Err(error),
        };
        match receipt {
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(false),
            receipt => receipt.context("the queue did not take a topic"),
        }
    }
}
