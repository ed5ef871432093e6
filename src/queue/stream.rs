//! The streams of a server.

use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use async_nats::jetstream::context::{CreateStreamError, CreateStreamErrorKind};
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::{Config, RawMessageErrorKind, RetentionPolicy, Stream};
use async_nats::jetstream::{Context, ErrorCode};
use backon::{ExponentialBuilder, Retryable as _};
use tokio::time::sleep;

/// The pause before a stream that another worker creates is looked for again; the next is twice as
/// long, and so on three times (chosen by hand: a server takes some milliseconds to create one).
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// The stream of these settings; created if it is missing.
///
/// # Errors
/// When it cannot be created, or its subjects are those of another stream.
pub(super) async fn get_or_create(
    context: &Context,
    config: Config,
) -> Result<Stream, CreateStreamError> {
    // The second of two workers that create it at once is refused: its subjects are taken already.
    let overlaps = |error: &CreateStreamError| match error.kind() {
        CreateStreamErrorKind::JetStream(error) => {
            error.error_code() == ErrorCode::STREAM_SUBJECT_OVERLAP
        }
        _ => false,
    };
    (|| context.get_or_create_stream(config.clone()))
        .retry(ExponentialBuilder::default().with_min_delay(FIRST_PAUSE))
        .sleep(sleep)
        .when(overlaps)
        .await
}

/// The stream of this name; created if it is missing.
///
/// # Errors
/// When the server has no JetStream, or the stream was made for something else.
pub(super) async fn open_stream(
    context: &Context,
    name: &str,
    root: &str,
    is_work_queue: bool,
    replicas: usize,
) -> Result<Stream> {
    let wanted = Config {
        name: name.to_owned(),
        subjects: vec![format!("{root}.>")],
        retention: if is_work_queue {
            RetentionPolicy::WorkQueue
        } else {
            RetentionPolicy::Limits
        },
        // A topic is there once: see `Connection::put`.
        max_messages_per_subject: 1,
        num_replicas: replicas,
        ..Config::default()
    };
    let stream = get_or_create(context, wanted.clone()).await;
    let stream = stream.map_err(|error| match error.kind() {
        CreateStreamErrorKind::JetStreamUnavailable | CreateStreamErrorKind::TimedOut => anyhow!(
            "the server of the queue has no JetStream for this account; start it with \
             `nats-server -js -sd DIRECTORY`, or have the administrator enable it"
        ),
        _ => anyhow!("the stream {name} of the queue could not be opened: {error}"),
    })?;
    let config = &stream.cached_info().config;
    if config.retention != wanted.retention
        || config.subjects != wanted.subjects
        || config.max_messages_per_subject != wanted.max_messages_per_subject
    {
        bail!(
            "the server of the queue has a stream {name} that was made for something else; give \
             `research` an account of its own there, or remove the stream"
        );
    }
    Ok(stream)
}

/// The first message of a stream after the one with the sequence number `last`, of those whose
/// subjects begin with `root`.
pub(super) async fn next_message(
    stream: &Stream,
    root: &str,
    last: u64,
) -> Result<Option<StreamMessage>> {
    let next = stream
        .raw_message_builder()
        .next_by_subject(format!("{root}.>"));
    match next.sequence(last + 1).send().await {
        Ok(message) => Ok(Some(message)),
        Err(error) => match error.kind() {
            RawMessageErrorKind::NoMessageFound => Ok(None),
            RawMessageErrorKind::JetStream(error)
                if error.error_code() == ErrorCode::NO_MESSAGE_FOUND =>
            {
                Ok(None)
            }
            _ => Err(error.into()),
        },
    }
}
