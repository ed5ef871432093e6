//! The client of one model: the client library behind one function, which sends a request once.
//!
//! Retries are left to the caller. The library's errors can contain whole prompts and replies, so
//! none of them leaves this file: each is mapped to a [`ModelError`] that is short and redacted.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use genai::adapter::AdapterKind;
use genai::chat::{
    CacheControl, ChatMessage, ChatOptions, ChatRequest, ChatResponseFormat, JsonSpec, StopReason,
};
use genai::resolver::{AuthData, Endpoint};
use genai::webc::StreamTimeout;
use genai::{ModelIden, ServiceTarget};
use reqwest::header::HeaderMap;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio::sync::OnceCell;
use url::{Host, Url};

use super::relay::{Exchange, Failure, Relay};
use super::request::{Reply, Request, Role, Usage, estimate_tokens};
use super::salvage::salvage;
use super::secrets::Secrets;
use super::stream::{FrameLog, StreamError, collect_stream};
use super::{Catalogue, ModelError, Protocol, Provider};
use crate::config::ModelSettings;
use crate::pipeline::Clock;
use crate::text::{one_line, truncate};
use crate::web::retry_after;

/// The timeout for making a connection (chosen by hand).
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);

/// The interval of TCP keep-alive probes (chosen by hand): they tell a slow reply from a dead peer.
const KEEP_ALIVE: Duration = Duration::from_secs(30);

/// The maximum number of characters of a provider's error text to pass on (chosen by hand).
const EXCERPT_CHARACTERS: usize = 300;

/// The status assumed for an error without one: a server error, which is retried.
const DEFAULT_STATUS: u16 = 500;

/// The maximum length of a text in an answer by a grammar, in characters: no agent wants more. A
/// small model that repeats itself ends there, and not at the limit of its reply.
const LONGEST_TEXT: u64 = 1500;

/// An address of the relay, for the settings of the connection to it.
const RELAY_URL: &str = "http://127.0.0.1/";

/// The placeholder for a key if none is needed, since the library requires one.
const NO_KEY: &str = "none";

/// The client of one model.
#[derive(Clone)]
pub(super) struct Client {
    library: genai::Client,
    /// The connections to the provider, which the relay uses.
    connections: reqwest::Client,
    /// The relay, started at the first request, on the runtime that sends it.
    relay: Arc<OnceCell<Relay>>,
    kind: AdapterKind,
    base_url: String,
    /// The address without user name and password.
    shown_url: String,
    model: String,
    key: Option<SecretString>,
    /// The variable of the key, if the provider's own server wants one and it is not set.
    missing_key: Option<String>,
    secrets: Secrets,
    timeout: Duration,
    streams: bool,
}

/// A reply in the library's types, received whole or collected from a stream.
struct LibraryReply {
    text: String,
    thinking: Option<String>,
    stop: Option<StopReason>,
    counted: genai::chat::Usage,
    raw: Value,
}

/// Returns an HTTP client with our timeouts, including one for the whole reply if given. The
/// cryptography provider is installed once per process.
///
/// # Errors
/// When the system has no certificates, or its proxy is none.
pub fn http_client(base_url: &str, whole_reply: Option<Duration>) -> Result<reqwest::Client> {
    static CRYPTOGRAPHY: OnceLock<()> = OnceLock::new();
    CRYPTOGRAPHY.get_or_init(|| {
        // It fails if a provider is already installed, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    let mut builder = reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_keepalive(KEEP_ALIVE)
        // A redirect could carry the key to another host.
        .redirect(reqwest::redirect::Policy::none());
    if let Some(limit) = whole_reply {
        builder = builder.timeout(limit);
    }
    if is_on_this_machine(base_url) {
        // A proxy would see prompts and keys that are to stay here, and reach its own loopback.
        builder = builder.no_proxy();
    }
    if !base_url.starts_with("https:") {
        // Without TLS no certificates are needed, and loading those of the system takes time.
        builder = builder.tls_certs_only([]);
    }
    builder
        .build()
        .context("failed to make connections to models possible")
}

/// `true` for an address of the loopback interface.
pub fn is_on_this_machine(base_url: &str) -> bool {
    let url = Url::parse(base_url).ok();
    match url.as_ref().and_then(Url::host) {
        Some(Host::Domain(host)) => host == "localhost" || host.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Returns the body of a response, up to a limit.
pub(super) async fn beginning(
    mut response: reqwest::Response,
    limit: usize,
) -> Result<Vec<u8>, reqwest::Error> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        let left = limit - body.len();
        body.extend_from_slice(chunk.get(..left).unwrap_or(&chunk));
        if body.len() == limit {
            break;
        }
    }
    Ok(body)
}

/// Returns a request with the provider's key, if there is one.
pub(super) fn with_credentials(
    request: reqwest::RequestBuilder,
    provider: &Provider,
) -> reqwest::RequestBuilder {
    match (&provider.key, provider.protocol) {
        (None, _) => request,
        (Some(key), Protocol::Anthropic) => request
            .header("x-api-key", key.expose_secret())
            .header("anthropic-version", "2023-06-01"),
        (Some(key), _) => request.bearer_auth(key.expose_secret()),
    }
}

impl Client {
    /// The client of a model of a provider.
    pub(super) fn new(
        provider: &Provider,
        model: &str,
        settings: &ModelSettings,
        catalogue: &Catalogue,
        streams: bool,
    ) -> Result<Self> {
        let own_timeout = provider.reply_timeout_seconds;
        let timeout = Duration::from_secs(settings.reply_timeout_seconds.max(own_timeout));
        // Either the client has a timeout for whole replies, or the stream has one for each event:
        // with both, a long answer would be cut off while its words still arrive.
        let whole_reply = (!streams).then_some(timeout);
        let library = genai::Client::builder()
            .with_reqwest(http_client(RELAY_URL, None)?)
            .build()
            .map_err(|error| anyhow!("failed to set up a client for models: {error}"))?;
        Ok(Self {
            library,
            connections: http_client(&provider.base_url, whole_reply)?,
            relay: Arc::default(),
            kind: match provider.protocol {
                Protocol::Openai => AdapterKind::OpenAI,
                Protocol::Anthropic => AdapterKind::Anthropic,
                Protocol::Gemini => AdapterKind::Gemini,
            },
            base_url: provider.base_url.clone(),
            shown_url: provider.shown_url(),
            model: model.to_owned(),
            key: provider.key.clone(),
            missing_key: provider.missing_key(),
            secrets: catalogue.secrets.clone(),
            timeout,
            streams,
        })
    }

    /// Returns the client of another model of the same provider, over the same connections.
    pub(super) fn for_model(&self, model: &str) -> Self {
        Self {
            model: model.to_owned(),
            ..self.clone()
        }
    }

    /// The error with which every request fails, if the provider wants a key that is not set.
    pub(super) fn missing_key(&self) -> Option<ModelError> {
        self.missing_key.clone().map(ModelError::MissingKey)
    }

    /// Sends a request, once.
    pub(super) async fn send(&self, request: &Request) -> Result<Reply, ModelError> {
        if let Some(missing) = self.missing_key() {
            return Err(missing);
        }
        let exchange = self.exchange().await?;
        let target = ServiceTarget {
            endpoint: Endpoint::from_owned(exchange.base_url.as_str()),
            auth: AuthData::Key(
                self.key
                    .as_ref()
                    .map_or(NO_KEY, |key| key.expose_secret())
                    .to_owned(),
            ),
            model: ModelIden::new(self.kind, self.model.as_str()),
        };
        let chat = chat_request(request, self.kind);
        let answered = if self.streams {
            self.send_streaming(target, chat, request).await
        } else {
            self.send_whole(target, chat, request).await
        };
        // The library only sees that the relay ended the reply; the relay knows why.
        answered.map_err(|error| match exchange.take_failure() {
            Some(failure) => self.map_failure(failure),
            None => error,
        })
    }

    /// Opens an exchange with the provider over the relay.
    async fn exchange(&self) -> Result<Exchange, ModelError> {
        let start = || {
            let connections = self.connections.clone();
            Relay::start(connections, self.base_url.clone(), self.streams)
        };
        let relay = self.relay.get_or_try_init(start).await;
        relay
            .and_then(Relay::exchange)
            .map_err(|error| ModelError::Unreachable(format!("{error:#}")))
    }

    /// Maps the error of a connection of the relay to the provider.
    fn map_failure(&self, failure: Failure) -> ModelError {
        match failure {
            Failure::Transport(error) => self.map_transport_error(error),
            Failure::TooLong(part, limit) => ModelError::MalformedResponse(format!(
                "{} sends more than {} MiB in one {part}",
                self.shown_url,
                limit >> 20
            )),
        }
    }

    async fn send_whole(
        &self,
        target: ServiceTarget,
        chat: ChatRequest,
        request: &Request,
    ) -> Result<Reply, ModelError> {
        let is_local = is_on_this_machine(&self.base_url);
        let options = options(request, is_local).with_capture_raw_body(true);
        let answered = self.library.exec_chat(target, chat, Some(&options)).await;
        match answered {
            Ok(response) => {
                let reply = LibraryReply {
                    raw: response.captured_raw_body.clone().unwrap_or(Value::Null),
                    thinking: response.reasoning_content.clone(),
                    stop: response.stop_reason.clone(),
                    counted: response.usage.clone(),
                    text: response.into_texts().concat(),
                };
                self.finish(reply, request)
            }
            Err(error) => self
                .salvage(&error, request)
                .ok_or_else(|| self.map_error(error)),
        }
    }

    async fn send_streaming(
        &self,
        target: ServiceTarget,
        chat: ChatRequest,
        request: &Request,
    ) -> Result<Reply, ModelError> {
        let frames = FrameLog::default();
        let options = options(request, is_on_this_machine(&self.base_url))
            .with_capture_usage(true)
            .with_stream_header_timeout(self.timeout)
            .with_stream_read_timeout(self.timeout)
            .with_raw_frame_sink(frames.clone());
        let begun = self
            .library
            .exec_chat_stream(target, chat, Some(&options))
            .await
            .map_err(|error| self.map_error(error))?;
        let streamed = collect_stream(begun, &frames)
            .await
            .map_err(|error| match error {
                StreamError::Library(error) => self.map_error(*error),
                StreamError::Model(error) => error,
            })?;
        let reply = LibraryReply {
            text: streamed.text,
            thinking: streamed.thinking,
            stop: streamed.end.captured_stop_reason,
            counted: streamed
                .end
                .captured_usage
                .or_else(|| frames.usage())
                .unwrap_or_default(),
            raw: frames.to_json(),
        };
        self.finish(reply, request)
    }

    fn salvage(&self, error: &genai::Error, request: &Request) -> Option<Reply> {
        let genai::Error::ChatResponseGeneration { response_body, .. } = error else {
            return None;
        };
        let reply = salvage(&self.redacted(response_body.as_ref().clone()), request)?;
        Some(Reply {
            text: self.secrets.redact(&reply.text),
            ..reply
        })
    }

    fn finish(&self, reply: LibraryReply, request: &Request) -> Result<Reply, ModelError> {
        let LibraryReply {
            text,
            thinking,
            stop,
            counted,
            raw,
        } = reply;
        let raw = self.redacted(raw);
        // A body without text, thinking and stop reason is not a reply, regardless of its status:
        // an error object with status 200 parses as an empty one.
        let is_reply = stop.is_some() || !text.is_empty() || thinking.is_some();
        if !is_reply {
            return Err(ModelError::MalformedResponse(
                self.excerpt(&raw.to_string()),
            ));
        }
        let usage = usage(&counted, request, &text, thinking.as_deref());
        Ok(Reply {
            text: self.secrets.redact(&text),
            thinking: thinking.map(|thinking| self.secrets.redact(&thinking)),
            truncated: stop.as_ref().is_some_and(StopReason::is_max_tokens),
            stop_reason: stop.map(|reason| reason.raw().to_owned()),
            usage,
            raw,
        })
    }

    fn redacted(&self, raw: Value) -> Value {
        let text = raw.to_string();
        if !self.secrets.occur_in(&text) {
            return raw;
        }
        let redacted = self.secrets.redact(&text);
        serde_json::from_str(&redacted).unwrap_or(Value::String(redacted))
    }

    fn map_error(&self, error: genai::Error) -> ModelError {
        use genai::webc::Error as Web;
        match error {
            genai::Error::WebModelCall { webc_error, .. } => match webc_error {
                Web::ResponseFailedStatus {
                    status,
                    body,
                    headers,
                } => self.map_status(status.as_u16(), &body, &headers),
                Web::ResponseFailedNotJson { content_type, body } => ModelError::MalformedResponse(
                    format!("{content_type:?} instead of JSON: {}", self.excerpt(&body)),
                ),
                Web::ResponseFailedInvalidJson { body, .. } => ModelError::MalformedResponse(
                    format!("JSON that cannot be read: {}", self.excerpt(&body)),
                ),
                Web::Reqwest(error) => self.map_transport_error(error),
                Web::JsonValueExt(error) => {
                    ModelError::MalformedResponse(self.excerpt(&error.to_string()))
                }
            },
            genai::Error::ChatResponseGeneration { cause, .. } => {
                ModelError::MalformedResponse(self.excerpt(&cause))
            }
            genai::Error::WebStream { error, .. } => self.map_stream_error(error),
            genai::Error::ChatResponse { body, .. } => self.map_error_body(&body),
            genai::Error::StreamParse { serde_error, .. } => ModelError::MalformedResponse(
                format!("an event that cannot be read: {serde_error}"),
            ),
            other => ModelError::Refused(self.excerpt(&other.to_string())),
        }
    }

    /// Maps an HTTP status, with the body and headers that came with it.
    fn map_status(&self, status: u16, body: &str, headers: &HeaderMap) -> ModelError {
        let json: Value = serde_json::from_str(body).unwrap_or_default();
        let message = message_of(&json).map_or(Cow::Borrowed(body), Cow::Owned);
        let text = format!("{status}: {}", self.excerpt(&message));
        let retry_after = retry_after(headers, Clock::default().now());
        ModelError::from_status(status, body, text, retry_after)
    }

    /// Maps the error that ended a stream.
    fn map_stream_error(&self, error: Box<dyn std::error::Error + Send + Sync>) -> ModelError {
        let error = match error.downcast::<genai::Error>() {
            Ok(error) => match *error {
                genai::Error::HttpError {
                    status,
                    body,
                    headers,
                    ..
                } => return self.map_status(status.as_u16(), &body, &headers),
                other => return ModelError::ConnectionLost(self.excerpt(&other.to_string())),
            },
            Err(error) => error,
        };
        let error = match error.downcast::<reqwest::Error>() {
            Ok(error) => return self.map_transport_error(*error),
            Err(error) => error,
        };
        if error.is::<StreamTimeout>() {
            self.timed_out()
        } else {
            ModelError::ConnectionLost(self.excerpt(&error.to_string()))
        }
    }

    /// Maps an error that a provider sends after it has begun to answer, when there is no HTTP
    /// status other than the one that the body may contain.
    fn map_error_body(&self, body: &Value) -> ModelError {
        let json = body.to_string();
        let text = self.excerpt(&message_of(body).unwrap_or_else(|| json.clone()));
        let status = body["code"].as_u64().or(body["status"].as_u64());
        let status = status.and_then(|status| u16::try_from(status).ok());
        ModelError::from_status(status.unwrap_or(DEFAULT_STATUS), &json, text, None)
    }

    fn timed_out(&self) -> ModelError {
        ModelError::Timeout(format!("nothing for {} s", self.timeout.as_secs()))
    }

    fn map_transport_error(&self, error: reqwest::Error) -> ModelError {
        let error = error.without_url();
        let (is_connect, is_timeout) = (error.is_connect(), error.is_timeout());
        let is_builder = error.is_builder();
        // With the whole chain of causes, since the outermost error alone says very little.
        let text = self.excerpt(&format!("{:#}", anyhow::Error::new(error)));
        // A request that cannot be built, as with a line break in the key, never can.
        if is_builder {
            ModelError::Refused(format!(
                "the request cannot be sent: {text}; check key and address"
            ))
        } else if is_connect {
            ModelError::Unreachable(format!("{}: {text}", self.shown_url))
        } else if is_timeout {
            self.timed_out()
        } else {
            ModelError::ConnectionLost(text)
        }
    }

    /// Returns the beginning of a provider's text, in one line and redacted.
    fn excerpt(&self, text: &str) -> String {
        // Redacted before it is shortened: half a key would not be recognized.
        let line = self.secrets.redact(&one_line(text));
        truncate(&line, EXCERPT_CHARACTERS).to_owned()
    }
}

/// The message in the JSON of an error, with its kind and what a router quotes of another provider.
fn message_of(body: &Value) -> Option<String> {
    let error = body.get("error").unwrap_or(body);
    let text = |value: &Value| {
        value
            .as_str()
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let mut message = text(&error["message"])?;
    let details = text(&error["code"]).or_else(|| text(&error["type"]));
    for detail in details.into_iter().chain(text(&error["metadata"]["raw"])) {
        message = format!("{message} ({detail})");
    }
    Some(message)
}

/// The options of a request; `is_local` for a server on this machine, which makes a grammar of the
/// schema. Hosted providers refuse limits of texts.
fn options(request: &Request, is_local: bool) -> ChatOptions {
    let mut options = ChatOptions::default().with_max_tokens(request.max_output_tokens);
    if let Some(temperature) = request.temperature {
        options = options.with_temperature(temperature);
    }
    if let Some(schema) = &request.schema {
        let mut schema = Value::clone(schema);
        if is_local {
            limit_texts(&mut schema);
        }
        let spec = JsonSpec::new(request.schema_name.as_str(), schema);
        options = options.with_response_format(ChatResponseFormat::JsonSpec(spec));
    }
    options
}

/// Gives each text of a schema that names no values a limit.
fn limit_texts(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let is_text = fields.get("type").is_some_and(|own| own == "string");
            if is_text && !fields.contains_key("enum") {
                fields.insert("maxLength".to_owned(), Value::from(LONGEST_TEXT));
            }
            fields.values_mut().for_each(limit_texts);
        }
        Value::Array(values) => values.iter_mut().for_each(limit_texts),
        _ => {}
    }
}

/// Returns the request for the library, with the ends of the prefixes that later requests share as
/// cache breakpoints: only providers that cache on request see these.
fn chat_request(request: &Request, kind: AdapterKind) -> ChatRequest {
    let last = request.messages.len().saturating_sub(1);
    let messages = request.messages.iter().enumerate().map(|(index, message)| {
        let text = message.text.as_str();
        let chat = match message.role {
            Role::System => ChatMessage::system(text),
            Role::User => ChatMessage::user(text),
            Role::Assistant => ChatMessage::assistant(text),
        };
        // A conversation of one turn is not marked at its end: writing a cache costs more than
        // reading once what nobody repeats.
        let is_shared = message.role == Role::System || (index == last && last > 1);
        if kind == AdapterKind::Anthropic && is_shared {
            return chat.with_options(CacheControl::Ephemeral);
        }
        chat
    });
    ChatRequest::new(messages.collect())
}

/// Returns the provider's token counts, or estimates if it reports none.
fn usage(
    counted: &genai::chat::Usage,
    request: &Request,
    text: &str,
    thinking: Option<&str>,
) -> Usage {
    let count = |tokens: Option<i32>| tokens.and_then(|tokens| u64::try_from(tokens).ok());
    let (input, output) = (
        count(counted.prompt_tokens),
        count(counted.completion_tokens),
    );
    let cached = counted.prompt_tokens_details.as_ref();
    let written = estimate_tokens(text) + thinking.map_or(0, estimate_tokens);
    Usage {
        input: input.unwrap_or(request.input_tokens() as u64),
        cached: cached
            .and_then(|details| count(details.cached_tokens))
            .unwrap_or(0),
        cache_written: cached
            .and_then(|details| count(details.cache_creation_tokens))
            .unwrap_or(0),
        output: output.unwrap_or(written as u64),
        estimated: input.is_none() || output.is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Message;

    /// The positions of the messages that end a cached prefix.
    fn cached(roles: &[Role], kind: AdapterKind) -> Vec<usize> {
        let messages = roles.iter().map(|role| Message {
            role: *role,
            text: "text".to_owned(),
        });
        let request = Request {
            model: "model".to_owned(),
            messages: messages.collect(),
            schema: None,
            schema_name: "researcher".to_owned(),
            max_output_tokens: 100,
            temperature: None,
        };
        let messages = chat_request(&request, kind).messages.into_iter();
        let positions = messages.enumerate().filter_map(|(position, message)| {
            let cache = message.options.and_then(|options| options.cache_control);
            cache.map(|_| position)
        });
        positions.collect()
    }

    #[test]
    fn every_text_of_a_grammar_has_an_end() {
        let mut schema = serde_json::json!({"type": "object", "properties": {
            "action": {"type": "string", "enum": ["read"]},
            "findings": {"type": "array", "items": {"type": "string"}},
        }});
        limit_texts(&mut schema);
        let properties = &schema["properties"];
        assert_eq!(properties["findings"]["items"]["maxLength"], LONGEST_TEXT);
        assert!(properties["action"]["maxLength"].is_null(), "{schema}");
    }

    #[test]
    fn shared_prefixes_are_cached_where_that_must_be_asked_for() {
        let once = [Role::System, Role::User];
        let turns = [Role::System, Role::User, Role::Assistant, Role::User];
        assert_eq!(cached(&once, AdapterKind::Anthropic), [0]);
        assert_eq!(cached(&turns, AdapterKind::Anthropic), [0, 3]);
        assert_eq!(cached(&turns, AdapterKind::OpenAI), [0; 0]);
    }
}
