//! The relay: an HTTP server on loopback, between the client library and a provider, that bounds
//! every reply.
//!
//! The library reads a reply, or the body of an error, until the server ends it, and offers no hook
//! for its connection: a server that never ends one would fill the memory. So the library sends its
//! requests to this relay, which forwards each to the provider and passes back no more than a reply
//! may hold. TLS, proxies and timeouts are those of the relay's own connection; its errors, which
//! the library cannot see, are left in the [`Exchange`].
//!
//! Only requests of this process are forwarded: the first segment of the path is the random token
//! of an open exchange.

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::serve::ListenerExt as _;
use futures::{Stream, StreamExt as _, stream};
use tokio::net::TcpListener;
use tokio::time::timeout;

use super::stream::MAX_BYTES;

/// The largest streamed reply on the wire, in bytes (chosen by hand): an event for each word takes
/// up to a hundred times the bytes of the word. It is passed on, not held.
const MAX_STREAM_BYTES: usize = 16 * MAX_BYTES;

/// The largest line of a stream, in bytes (chosen by hand): the library copies the beginning of an
/// unfinished line with every chunk that it gets.
const MAX_LINE_BYTES: usize = 1 << 20;

/// The number of bytes of an error's body that are read, and the time to wait for them (chosen by
/// hand): an error needs no more.
const MAX_ERROR_BYTES: usize = 64 << 10;
const ERROR_TIMEOUT: Duration = Duration::from_secs(10);

/// The headers that belong to one connection and are not forwarded, in either direction. The
/// connection to the provider negotiates a compression of its own.
const OWN_HEADERS: [HeaderName; 7] = [
    header::HOST,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::CONTENT_ENCODING,
    header::ACCEPT_ENCODING,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// The error of an exchange that the client library does not see.
pub(super) enum Failure {
    /// The connection to the provider failed.
    Transport(reqwest::Error),
    /// The reply, or a line of it, is longer than this number of bytes.
    TooLong(&'static str, usize),
}

/// The relay of one provider.
pub(super) struct Relay {
    address: SocketAddr,
    state: Arc<Forwarding>,
}

/// The connections to the provider, and the open exchanges by their tokens.
struct Forwarding {
    client: reqwest::Client,
    base_url: String,
    streams: bool,
    exchanges: Mutex<HashMap<String, Option<Failure>>>,
}

/// One request to the provider and its reply. The relay forgets it when it is dropped.
pub(super) struct Exchange {
    /// The base URL at which the client library reaches the provider.
    pub(super) base_url: String,
    token: String,
    state: Arc<Forwarding>,
}

impl Relay {
    /// Starts a relay on the current runtime, with which it ends.
    pub(super) async fn start(
        client: reqwest::Client,
        base_url: String,
        streams: bool,
    ) -> Result<Self> {
        let state = Arc::new(Forwarding {
            client,
            base_url,
            streams,
            exchanges: Mutex::default(),
        });
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .await
            .context("failed to listen on loopback, over which models are asked")?;
        let address = listener.local_addr()?;
        // Without Nagle's algorithm, which would hold back the events of a stream.
        let listener = listener.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        let router = Router::new().fallback(forward).with_state(state.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { address, state })
    }

    /// Opens an exchange.
    pub(super) fn exchange(&self) -> Result<Exchange> {
        let mut random = [0_u8; 16];
        getrandom::fill(&mut random).context("failed to get random bytes")?;
        let token = format!("{:032x}", u128::from_le_bytes(random));
        self.state.exchanges().insert(token.clone(), None);
        let query = match self.state.base_url.split_once('?') {
            Some((_, query)) => format!("?{query}"),
            None => String::new(),
        };
        Ok(Exchange {
            base_url: format!("http://{}/{token}/{query}", self.address),
            token,
            state: self.state.clone(),
        })
    }
}

impl Exchange {
    /// Takes the failure, if the relay noticed one.
    pub(super) fn take_failure(&self) -> Option<Failure> {
        self.state.exchanges().get_mut(&self.token)?.take()
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.state.exchanges().remove(&self.token);
    }
}

impl Forwarding {
    fn exchanges(&self) -> MutexGuard<'_, HashMap<String, Option<Failure>>> {
        self.exchanges
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a failure, unless the exchange is over.
    fn fail(&self, token: &str, failure: Failure) {
        if let Some(own) = self.exchanges().get_mut(token) {
            *own = Some(failure);
        }
    }

    /// Returns the token of a request and the provider's URL for it; `None` if it is of no open
    /// exchange.
    fn target(&self, path: &str) -> Option<(String, String)> {
        let (token, rest) = path.strip_prefix('/')?.split_once('/')?;
        let is_open = self.exchanges().contains_key(token);
        let base = self.base_url.split('?').next().unwrap_or_default();
        is_open.then(|| (token.to_owned(), format!("{base}{rest}")))
    }
}

/// Forwards a request to the provider and its reply to the client library.
async fn forward(State(state): State<Arc<Forwarding>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let path = head.uri.path_and_query().map_or("", |path| path.as_str());
    let Some((token, url)) = state.target(path) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    // The request is this process's own, and in memory already.
    let Ok(body) = axum::body::to_bytes(body, usize::MAX).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let request = state.client.request(head.method, url);
    let request = request.headers(forwarded(&head.headers)).body(body);
    match request.send().await {
        Ok(response) => pass_back(&state, token, response).await,
        Err(error) => {
            state.fail(&token, Failure::Transport(error));
            StatusCode::BAD_GATEWAY.into_response()
        }
    }
}

/// Passes a reply back, bounded.
async fn pass_back(state: &Arc<Forwarding>, token: String, reply: reqwest::Response) -> Response {
    let (status, headers) = (reply.status(), forwarded(reply.headers()));
    let chunks = reply.bytes_stream();
    let body = if !status.is_success() {
        Body::from(beginning(chunks).await)
    } else if state.streams {
        Body::from_stream(bounded(
            state.clone(),
            token,
            chunks,
            Bound::new(MAX_STREAM_BYTES, MAX_LINE_BYTES),
        ))
    } else {
        Body::from_stream(bounded(
            state.clone(),
            token,
            chunks,
            Bound::new(MAX_BYTES, MAX_BYTES),
        ))
    };
    (status, headers, body).into_response()
}

/// Returns the headers without those of the connection.
fn forwarded(headers: &HeaderMap) -> HeaderMap {
    let mut headers = headers.clone();
    for name in OWN_HEADERS {
        headers.remove(name);
    }
    headers
}

/// Returns the beginning of the body of an error, as far as it comes in time.
async fn beginning(chunks: impl Stream<Item = reqwest::Result<Bytes>>) -> Vec<u8> {
    let mut body = Vec::new();
    let reading = async {
        let mut chunks = std::pin::pin!(chunks);
        while let Some(Ok(chunk)) = chunks.next().await {
            let left = MAX_ERROR_BYTES - body.len();
            body.extend_from_slice(chunk.get(..left).unwrap_or(&chunk));
            if body.len() == MAX_ERROR_BYTES {
                break;
            }
        }
    };
    // Without the rest, an error still has its status.
    let _ = timeout(ERROR_TIMEOUT, reading).await;
    body
}

/// Returns the chunks of a reply up to its first failure, which is recorded.
fn bounded(
    state: Arc<Forwarding>,
    token: String,
    chunks: impl Stream<Item = reqwest::Result<Bytes>> + Send + 'static,
    mut bound: Bound,
) -> impl Stream<Item = Result<Bytes, std::io::Error>> + Send + 'static {
    let checked = chunks.map(move |chunk| {
        let failure = match chunk {
            Err(error) => Failure::Transport(error),
            Ok(chunk) => match bound.exceeded_by(&chunk) {
                None => return Ok(chunk),
                Some((part, limit)) => Failure::TooLong(part, limit),
            },
        };
        state.fail(&token, failure);
        Err(std::io::Error::other("the reply was not forwarded whole"))
    });
    // The first failure is the last item: the connection to the provider is closed with it.
    stream::unfold(Some(Box::pin(checked)), |chunks| async move {
        let mut chunks = chunks?;
        let chunk = chunks.next().await?;
        let goes_on = chunk.is_ok();
        Some((chunk, goes_on.then_some(chunks)))
    })
}

/// The number of bytes that a reply, and a line of it, may still take.
struct Bound {
    limit: usize,
    line_limit: usize,
    received: usize,
    line: usize,
}

impl Bound {
    fn new(limit: usize, line_limit: usize) -> Self {
        Self {
            limit,
            line_limit,
            received: 0,
            line: 0,
        }
    }

    /// Counts a chunk and returns what exceeds which limit with it, if anything does.
    fn exceeded_by(&mut self, chunk: &[u8]) -> Option<(&'static str, usize)> {
        self.received += chunk.len();
        self.line = match chunk.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')) {
            Some(end) => chunk.len() - end - 1,
            None => self.line + chunk.len(),
        };
        if self.received > self.limit {
            Some(("reply", self.limit))
        } else if self.line > self.line_limit {
            Some(("line", self.line_limit))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_and_lines_are_bounded() {
        let mut bound = Bound::new(10, 4);
        assert_eq!(bound.exceeded_by(b"ab\nabcd"), None);
        assert_eq!(bound.exceeded_by(b"e"), Some(("line", 4)));
        let mut bound = Bound::new(10, 4);
        assert_eq!(bound.exceeded_by(b"a\na\na\na\na\n"), None);
        assert_eq!(bound.exceeded_by(b"a"), Some(("reply", 10)));
    }
}
