//! The dead letters: topics that failed for the last time, each with the reason.

use anyhow::{Context as _, Result};
use async_nats::HeaderMap;
use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::RawMessageErrorKind;

use super::connection::Connection;
use super::lane::{DEAD, TOPICS};

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
        let all = format!("{DEAD}.>");
        let next = self.dead.raw_message_builder().next_by_subject(all);
        match next.sequence(last + 1).send().await {
            Ok(letter) => Ok(Some(letter)),
            Err(error) => match error.kind() {
                RawMessageErrorKind::NoMessageFound => Ok(None),
                RawMessageErrorKind::JetStream(error)
                    if error.error_code() == ErrorCode::NO_MESSAGE_FOUND =>
                {
                    Ok(None)
                }
                _ => Err(error).context("failed to read the dead letters"),
            },
        }
    }
}
