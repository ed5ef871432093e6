//! A streamed reply (server-sent events), collected into one.
//!
//! Streaming lets the timeout apply to each event instead of the whole reply, so that a slow model
//! is distinguished from a dead one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use futures::StreamExt as _;
use genai::chat::{
    ChatFrameSink, ChatStreamEvent, ChatStreamResponse, FrameCtx, RawFrameRef, StreamEnd, Usage,
};
use serde_json::{Value, json};

use super::ModelError;
use crate::text::counted;

/// The largest reply, in bytes (chosen by hand: far more than any model writes in a reply).
pub(super) const MAX_BYTES: usize = 16 << 20;

/// The number of last frames to record (chosen by hand): they contain the stop reason and the
/// usage.
const LAST_FRAMES: usize = 3;

/// A streamed reply in one piece.
pub(super) struct StreamedReply {
    /// The text.
    pub(super) text: String,
    /// The model's thinking, if the provider marks it.
    pub(super) thinking: Option<String>,
    /// The stop reason and the usage.
    pub(super) end: StreamEnd,
}

/// The error of a stream without a complete reply.
pub(super) enum StreamError {
    /// The library's error.
    Library(Box<genai::Error>),
    /// An error detected here.
    Model(ModelError),
}

/// Collects the events of a stream.
pub(super) async fn collect_stream(
    response: ChatStreamResponse,
    frames: &FrameLog,
) -> Result<StreamedReply, StreamError> {
    let mut stream = response.stream;
    let (mut text, mut thinking) = (String::new(), String::new());
    while let Some(event) = stream.next().await {
        let event = match event {
            // An event of a kind that was not requested, such as a step of a tool on the provider's
            // side.
            Err(genai::Error::JsonValueExt(_)) => continue,
            event => event.map_err(|error| StreamError::Library(Box::new(error)))?,
        };
        match event {
            ChatStreamEvent::Chunk(chunk) => text.push_str(&chunk.content),
            ChatStreamEvent::ReasoningChunk(chunk) => thinking.push_str(&chunk.content),
            ChatStreamEvent::End(end) => {
                return Ok(StreamedReply {
                    text,
                    thinking: (!thinking.is_empty()).then_some(thinking),
                    end,
                });
            }
            _ => {}
        }
        // Checked at each event: an endless stream must not fill the memory.
        if text.len() + thinking.len() > MAX_BYTES {
            let problem = format!("the reply is longer than {} MiB", MAX_BYTES >> 20);
            return Err(StreamError::Model(ModelError::MalformedResponse(problem)));
        }
    }
    Err(StreamError::Model(match frames.count() {
        0 => ModelError::MalformedResponse(
            "no event came: if the server cannot stream, say `streams = false` in its entry of \
             providers.toml"
                .to_owned(),
        ),
        count => ModelError::ConnectionLost(format!(
            "the reply ended after {} without its end",
            counted(usize::try_from(count).unwrap_or(usize::MAX), "event")
        )),
    }))
}

/// The record of a stream for the journal: its first and its last frames, as received.
#[derive(Clone, Default)]
pub(super) struct FrameLog(Arc<Mutex<RecordedFrames>>);

#[derive(Default)]
struct RecordedFrames {
    count: u64,
    first: String,
    last: VecDeque<String>,
}

impl ChatFrameSink for FrameLog {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        // A comment, or a line without data.
        if frame.data.is_empty() {
            return;
        }
        let mut recorded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        recorded.count += 1;
        if recorded.count == 1 {
            frame.data.clone_into(&mut recorded.first);
            return;
        }
        // A ring buffer: the string of the oldest frame is reused instead of allocating another.
        let oldest = (recorded.last.len() == LAST_FRAMES).then(|| recorded.last.pop_front());
        let mut latest = oldest.flatten().unwrap_or_default();
        frame.data.clone_into(&mut latest);
        recorded.last.push_back(latest);
    }
}

impl FrameLog {
    fn count(&self) -> u64 {
        let recorded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        recorded.count
    }

    /// Returns the usage, if it is in a frame other than the one that the library reads.
    pub(super) fn usage(&self) -> Option<Usage> {
        let recorded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut frames = recorded.last.iter().rev();
        frames.find_map(|frame| {
            let mut frame: Value = serde_json::from_str(frame).ok()?;
            serde_json::from_value(frame["usage"].take()).ok()
        })
    }

    /// Returns the frames as JSON, with their number.
    pub(super) fn to_json(&self) -> Value {
        let recorded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = |text: &String| {
            serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()))
        };
        let last: Vec<Value> = recorded.last.iter().map(value).collect();
        json!({"streamed_events": recorded.count, "first": value(&recorded.first), "last": last})
    }
}
