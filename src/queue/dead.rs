//! The dead letters: topics that failed for the last time, each with the reason.

use anyhow::{Context as _, Result};
use async_nats::HeaderMap;
use async_nats::jetstream::message::StreamMessage;

use super::connection::Connection;
use super::lane::{DEAD, TOPICS};
use super::stream::next_message;

/// The header that holds the reason.
pub(super) const REASON: &str = "Research-Reason";
/// The longest reason, in characters: what fits on a screen.
const REASON_CHARACTERS: usize = 2000;

impl Connection {
    /// Writes the dead letter of a topic, in place of an earlier one.
    pub(super) async fn bury(&self, subject: &str, payload: &[u8], reason: &str) -> Result<()> {
        // A header is a line.
        let reason = reason.chars().take(REASON_CHARACTERS);
        let reason: String = reason
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let mut headers = HeaderMap::new();
        headers.insert(REASON, reason.as_str());
        let subject = subject.replacen(TOPICS, DEAD, 1);
        let payload = payload.to_vec().into();
        let receipt = self.context.publish_with_headers(subject, headers, payload);
        let receipt = receipt.await.context("failed to write a dead letter")?;
        receipt.await.context("failed to write a dead letter")?;
        Ok(())
    }

    /// The first dead letter after the one with the sequence number `last`.
    pub(super) async fn next_dead(&self, last: u64) -> Result<Option<StreamMessage>> {
        let letter = next_message(&self.dead, DEAD, last).await;
        letter.context("failed to read the dead letters")
    }
}
