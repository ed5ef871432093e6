//! A reply that comes piece by piece, put together again.
//!
//! Whoever writes slowly is heard all the time, so that silence means what it says.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use futures::StreamExt as _;
use genai::chat::{
    ChatFrameSink, ChatStreamEvent, ChatStreamResponse, FrameCtx, RawFrameRef, StreamEnd, Usage,
};
use serde_json::{Value, json};

use super::ModelError;

/// Bytes of a reply at most: far more than any model writes in one.
const LIMIT: usize = 16 << 20;

/// The last frames that are kept: they say why the model stopped and what was counted.
const LAST: usize = 3;

/// A streamed reply in one piece.
pub(super) struct Gathered {
    /// Its words.
    pub(super) text: String,
    /// Its thinking, where it is told apart.
    pub(super) thinking: Option<String>,
    /// Why it stopped and what was counted.
    pub(super) end: StreamEnd,
}

/// Why a stream came to no reply.
pub(super) enum Torn {
    /// The library's error: what came before it is lost.
    Library(Box<genai::Error>),
    /// Our own judgement.
    ModelError(ModelError),
}

/// Waits for all pieces.
pub(super) async fn gathered(
    response: ChatStreamResponse,
    frames: &Frames,
) -> Result<Gathered, Torn> {
    let mut stream = response.stream;
    let (mut text, mut thinking) = (String::new(), String::new());
    while let Some(event) = stream.next().await {
        let event = match event {
            // An event of a kind that nobody asked for, as a step of a tool on the provider's side.
            Err(genai::Error::JsonValueExt(_)) => continue,
            event => event.map_err(|error| Torn::Library(Box::new(error)))?,
        };
        match event {
            ChatStreamEvent::Chunk(chunk) => text.push_str(&chunk.content),
            ChatStreamEvent::ReasoningChunk(chunk) => thinking.push_str(&chunk.content),
            ChatStreamEvent::End(end) => {
                return Ok(Gathered {
                    text,
                    thinking: (!thinking.is_empty()).then_some(thinking),
                    end,
                });
            }
            _ => {}
        }
        if text.len() + thinking.len() > LIMIT {
            let problem = format!("the reply is longer than {} MiB", LIMIT >> 20);
            return Err(Torn::ModelError(ModelError::MalformedResponse(problem)));
        }
    }
    Err(Torn::ModelError(match frames.count() {
        0 => ModelError::MalformedResponse(
            "no event came: if the server cannot stream, say `streams = false` in its entry of providers.toml"
                .to_owned(),
        ),
        count => ModelError::ConnectionLost(format!("the reply ended after {count} events without its end")),
    }))
}

/// What a provider says around the words of a streamed reply: its first frame and its last ones, as
/// they came.
#[derive(Clone, Default)]
pub(super) struct Frames(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    count: u64,
    first: String,
    last: VecDeque<String>,
}

impl ChatFrameSink for Frames {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        // A comment, or a line that is no event's.
        if frame.data.is_empty() {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.count += 1;
        if kept.count == 1 {
            frame.data.clone_into(&mut kept.first);
            return;
        }
        // The oldest one's place is written anew.
        let oldest = (kept.last.len() == LAST).then(|| kept.last.pop_front());
        let mut place = oldest.flatten().unwrap_or_default();
        frame.data.clone_into(&mut place);
        kept.last.push_back(place);
    }
}

impl Frames {
    fn count(&self) -> u64 {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.count
    }

    /// What was counted, where it stands in another frame than the library looks into.
    pub(super) fn counted(&self) -> Option<Usage> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut frames = kept.last.iter().rev();
        frames.find_map(|frame| {
            let mut frame: Value = serde_json::from_str(frame).ok()?;
            serde_json::from_value(frame["usage"].take()).ok()
        })
    }

    /// The frames as JSON, with how many there were.
    pub(super) fn told(&self) -> Value {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = |text: &String| {
            serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()))
        };
        let last: Vec<Value> = kept.last.iter().map(value).collect();
        json!({"streamed_events": kept.count, "first": value(&kept.first), "last": last})
    }
}
