//! A fake provider on loopback that speaks the OpenAI and the Anthropic protocol, answers at once
//! or late, and fails on request.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::answers;

/// The pieces of a streamed reply.
const PIECES: usize = 4;

/// The bytes of a flood: not endless, so that a test that fails does not fill the memory.
const FLOOD_BYTES: u64 = 96 << 20;

/// What the provider does with a request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Act {
    /// Answers as a sound model would.
    Answer,
    /// Answers with this text, complete or cut off at the length limit.
    Say(String, bool),
    /// Replies with this status, body and header line.
    Status(u16, String, String),
    /// Closes the connection without a word.
    Reset,
    /// Closes it in the middle of the reply.
    CutOff,
    /// Says nothing for as long as the other side waits.
    Hang,
    /// Replies with these bytes as JSON.
    Body(String),
    /// Replies with these bytes as events, with a pause before each.
    Events(String, Duration),
    /// Replies with this status, and with these bytes again and again, far more than any reply has.
    Flood(u16, &'static str),
}

/// Decides what is done with a request: by its number, from 0, and what it asks.
pub(crate) type Plan = Box<dyn Fn(u64, &ChatRequest) -> Act + Send + Sync>;

/// A request as the provider sees it.
#[derive(Debug, Clone)]
pub(crate) struct ChatRequest {
    /// The moment at which it was here.
    #[cfg(feature = "nats")]
    pub(crate) at: std::time::Instant,
    /// The path that was asked.
    pub(crate) path: String,
    /// Its body.
    pub(crate) body: Value,
    /// The agent that asks.
    pub(crate) agent: String,
    /// What it says last.
    pub(crate) prompt: String,
    /// Every header, in lower case.
    pub(crate) headers: BTreeMap<String, String>,
}

/// What was asked, and what was done.
pub(crate) type Seen = (ChatRequest, Act);

impl ChatRequest {
    fn without_content(self) -> Self {
        Self {
            body: Value::Null,
            prompt: String::new(),
            headers: BTreeMap::new(),
            ..self
        }
    }
}

struct Shared {
    plan: Plan,
    delay: Duration,
    owner: &'static str,
    /// `true` if it keeps the contents of requests.
    remembers: bool,
    seen: Mutex<Vec<Seen>>,
    more: Condvar,
    next: AtomicU64,
    /// The bytes of floods that the other side took.
    flooded: AtomicU64,
}

/// The provider, for as long as the test process runs.
pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    /// A provider that answers everything soundly, after a while.
    pub(crate) fn sound(delay: Duration) -> Self {
        Self::start(delay, Box::new(|_, _| Act::Answer))
    }

    /// A provider that answers whole.
    pub(crate) fn start(delay: Duration, plan: Plan) -> Self {
        Self::owned_by("fake", delay, plan)
    }

    /// A provider that answers piece by piece where it is asked to.
    pub(crate) fn streaming(delay: Duration, plan: Plan) -> Self {
        Self::owned_by("llamacpp", delay, plan)
    }

    /// A provider that answers whole, and does not keep what it was asked.
    #[cfg(feature = "nats")]
    pub(crate) fn forgetful(plan: Plan) -> Self {
        Self::serving("fake", Duration::ZERO, plan, false)
    }

    fn owned_by(owner: &'static str, delay: Duration, plan: Plan) -> Self {
        Self::serving(owner, delay, plan, true)
    }

    fn serving(owner: &'static str, delay: Duration, plan: Plan, remembers: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            plan,
            delay,
            owner,
            remembers,
            seen: Mutex::default(),
            more: Condvar::new(),
            next: AtomicU64::new(0),
            flooded: AtomicU64::new(0),
        });
        let state = shared.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = state.clone();
                let serve = move || {
                    let _ = serve(stream, &state);
                };
                thread::Builder::new()
                    .stack_size(256 << 10)
                    .spawn(serve)
                    .unwrap();
            }
        });
        Self { address, shared }
    }

    /// Where it is, without a version.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its port on loopback.
    #[cfg(feature = "nats")]
    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// What it was asked so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.shared.seen.lock().unwrap().clone()
    }

    /// How often it was asked for an answer.
    pub(crate) fn calls(&self) -> usize {
        self.shared.seen.lock().unwrap().len()
    }

    /// How many bytes of floods the other side took.
    pub(crate) fn flooded(&self) -> u64 {
        self.shared.flooded.load(Ordering::SeqCst)
    }

    /// Waits until it was asked so often.
    pub(crate) fn wait_for(&self, calls: usize) {
        let seen = self.shared.seen.lock().unwrap();
        let patience = Duration::from_secs(60);
        let few = |seen: &mut Vec<Seen>| seen.len() < calls;
        let waited = self.shared.more.wait_timeout_while(seen, patience, few);
        assert!(!waited.unwrap().1.timed_out(), "{calls} calls never came");
    }

    /// How often it answered each request well.
    pub(crate) fn answered(&self) -> BTreeMap<String, usize> {
        let mut answered = BTreeMap::new();
        for (request, act) in self.shared.seen.lock().unwrap().iter() {
            if matches!(act, Act::Answer | Act::Say(..)) {
                let key = format!("{} {}", request.agent, request.body);
                *answered.entry(key).or_default() += 1;
            }
        }
        answered
    }
}

fn serve(stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut stream = stream;
    loop {
        let Some((path, headers, body)) = read(&mut reader)? else {
            return Ok(());
        };
        if path.ends_with("/models") {
            reply(
                &mut stream,
                200,
                "",
                &json!({"data": [{"id": "fake", "owned_by": shared.owner}]}).to_string(),
            )?;
            continue;
        }
        let request = chat_request(path, headers, &body);
        let number = shared.next.fetch_add(1, Ordering::SeqCst);
        let act = (shared.plan)(number, &request);
        if !shared.delay.is_zero() {
            thread::sleep(shared.delay);
        }
        let whole = match &act {
            Act::Answer => envelope(
                &request,
                &answers::text(&request.agent, &request.prompt),
                false,
            ),
            Act::Say(text, cut) => envelope(&request, text, *cut),
            Act::CutOff => envelope(&request, "{}", false),
            Act::Body(body) | Act::Events(body, _) => body.clone(),
            _ => String::new(),
        };
        let is_stream = request.body["stream"] == true || matches!(act, Act::Events(..));
        let kind = if is_stream {
            "text/event-stream"
        } else {
            "application/json"
        };
        let request = if shared.remembers {
            request
        } else {
            request.without_content()
        };
        shared.seen.lock().unwrap().push((request, act.clone()));
        shared.more.notify_all();
        let goes_on = match act {
            Act::Hang => {
                // Until the other side gives up.
                let _ = reader.read(&mut [0; 1])?;
                false
            }
            Act::Flood(status, piece) => {
                flood(&mut stream, shared, status, piece)?;
                false
            }
            act => perform(act, &mut stream, kind, &whole)?,
        };
        if !goes_on {
            return Ok(());
        }
    }
}

/// Replies, and says whether the connection is kept.
fn perform(act: Act, stream: &mut TcpStream, kind: &str, whole: &str) -> std::io::Result<bool> {
    match act {
        Act::Answer | Act::Say(..) => {
            reply(stream, 200, &format!("content-type: {kind}"), whole)?;
        }
        Act::Body(_) => reply(stream, 200, "", whole)?,
        Act::Status(status, body, header) => reply(stream, status, &header, &body)?,
        Act::Events(events, pause) => {
            write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n"
            )?;
            for event in events.split_inclusive("\n\n") {
                thread::sleep(pause);
                stream.write_all(event.as_bytes())?;
            }
            return Ok(false);
        }
        Act::CutOff => {
            let half = &whole[..whole.len() / 2];
            write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{half}",
                whole.len()
            )?;
            return Ok(false);
        }
        Act::Reset | Act::Hang | Act::Flood(..) => return Ok(false),
    }
    Ok(true)
}

/// Replies with the same bytes until the other side has enough of them.
fn flood(stream: &mut TcpStream, shared: &Shared, status: u16, piece: &str) -> std::io::Result<()> {
    let head = "content-type: application/json\r\nconnection: close";
    write!(stream, "HTTP/1.1 {status} Status\r\n{head}\r\n\r\n")?;
    let block = piece.repeat((64 << 10) / piece.len());
    while shared.flooded.load(Ordering::SeqCst) < FLOOD_BYTES {
        stream.write_all(block.as_bytes())?;
        let taken = u64::try_from(block.len()).unwrap();
        shared.flooded.fetch_add(taken, Ordering::SeqCst);
    }
    Ok(())
}

type Head = (String, BTreeMap<String, String>, Vec<u8>);

fn read(reader: &mut impl BufRead) -> std::io::Result<Option<Head>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.insert(name.to_lowercase(), value.trim().to_owned());
    }
    let length = headers
        .get("content-length")
        .and_then(|text| text.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body)?;
    Ok(Some((path, headers, body)))
}

fn reply(stream: &mut TcpStream, status: u16, header: &str, body: &str) -> std::io::Result<()> {
    let kind = if header.contains("content-type") {
        ""
    } else {
        "content-type: application/json\r\n"
    };
    let header = match header {
        "" => String::new(),
        header => format!("{header}\r\n"),
    };
    let whole = format!(
        "HTTP/1.1 {status} Status\r\n{kind}{header}content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(whole.as_bytes())
}

fn chat_request(path: String, headers: BTreeMap<String, String>, body: &[u8]) -> ChatRequest {
    let body: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let text = |message: &Value| match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .map(|part| part["text"].as_str().unwrap_or_default())
            .collect(),
        _ => String::new(),
    };
    let users: Vec<String> = messages
        .iter()
        .filter(|message| message["role"] == "user")
        .map(text)
        .collect();
    let prompt = users.first().cloned().unwrap_or_default();
    ChatRequest {
        #[cfg(feature = "nats")]
        at: std::time::Instant::now(),
        agent: answers::agent(&prompt),
        prompt,
        path,
        headers,
        body,
    }
}

/// A text as the protocol wraps it.
fn envelope(request: &ChatRequest, text: &str, cut: bool) -> String {
    let (input, output) = (request.prompt.len() / 4, text.len() / 4);
    if request.body["stream"] == true {
        return events(request, text, cut, input, output);
    }
    if request.path.ends_with("/messages") {
        return json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": "fake",
            "content": [{"type": "text", "text": text}],
            "stop_reason": if cut { "max_tokens" } else { "end_turn" },
            "usage": {"input_tokens": input, "output_tokens": output},
        })
        .to_string();
    }
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "fake",
        "choices": [{
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "finish_reason": if cut { "length" } else { "stop" },
        }],
        "usage": {
            "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output,
        },
    })
    .to_string()
}

/// A text in pieces, as the protocol streams it.
fn events(request: &ChatRequest, text: &str, cut: bool, input: usize, output: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    let pieces = letters.chunks(letters.len().div_ceil(PIECES).max(1));
    let pieces = pieces.map(|piece| piece.iter().collect::<String>());
    if request.path.ends_with("/messages") {
        let event = |value: Value| {
            format!(
                "event: {}\ndata: {value}\n\n",
                value["type"].as_str().unwrap()
            )
        };
        let usage = json!({"input_tokens": input, "output_tokens": 1});
        let block = json!({"type": "text", "text": ""});
        let begin = [
            json!({"type": "message_start", "message": {"usage": usage}}),
            json!({"type": "content_block_start", "index": 0, "content_block": block}),
        ];
        let deltas = pieces.map(|piece| {
            let delta = json!({"type": "text_delta", "text": piece});
            json!({"type": "content_block_delta", "index": 0, "delta": delta})
        });
        let stop = if cut { "max_tokens" } else { "end_turn" };
        let end = [
            json!({"type": "content_block_stop", "index": 0}),
            json!({
                "type": "message_delta", "delta": {"stop_reason": stop},
                "usage": {"output_tokens": output},
            }),
            json!({"type": "message_stop"}),
        ];
        return begin
            .into_iter()
            .chain(deltas)
            .chain(end)
            .map(event)
            .collect();
    }
    let chunk = |delta: Value, stop: Value| {
        let choice = json!([{"index": 0, "delta": delta, "finish_reason": stop}]);
        let chunk = json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "fake",
            "choices": choice,
        });
        format!("data: {chunk}\n\n")
    };
    let words: String = pieces
        .map(|piece| chunk(json!({"content": piece}), Value::Null))
        .collect();
    let stop = chunk(json!({}), json!(if cut { "length" } else { "stop" }));
    let usage = json!({
        "choices": [],
        "usage": {
            "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output,
        },
    });
    format!("{words}{stop}data: {usage}\n\ndata: [DONE]\n\n")
}
