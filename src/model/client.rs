//! The one place that speaks to providers: the client library behind one function.
//!
//! It sends once; what to do about a fault is decided elsewhere. The library's errors can hold
//! whole prompts and replies, so none of them leaves this file: what leaves is short and cleared of
//! keys.

use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use chrono::Utc;
use genai::adapter::AdapterKind;
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ChatResponseFormat, JsonSpec, StopReason,
};
use genai::resolver::{AuthData, Endpoint};
use genai::webc::StreamTimeout;
use genai::{ModelIden, ServiceTarget};
use reqwest::header::HeaderMap;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use super::request::{Reply, Request, Role, Usage, estimate_tokens};
use super::salvage::salvaged;
use super::secrets::Secrets;
use super::stream::{Frames, Torn, gathered};
use super::{Catalogue, ModelError, Protocol, Provider};
use crate::config::ModelSettings;
use crate::text::{one_line, truncate};
use crate::web::retry_after;

/// How long a connection may take to be made.
const CONNECTING: Duration = Duration::from_secs(20);

/// How often a silent connection is asked whether the other side still lives: a slow reply is
/// waited for, a dead peer not.
const KEEP_ALIVE: Duration = Duration::from_secs(30);

/// Characters of what a provider says of a fault that are passed on.
const SAID: usize = 300;

/// The status of a fault that names none.
const UNNAMED: u16 = 500;

/// What stands for a key where none is needed: the library wants one.
const NO_KEY: &str = "none";

/// Speaks to one model.
#[derive(Clone)]
pub(super) struct Client {
    library: genai::Client,
    kind: AdapterKind,
    base_url: String,
    model: String,
    key: Option<SecretString>,
    secrets: Secrets,
    silence: Duration,
    streams: bool,
}

/// A reply in the library's words, whole or put together.
struct Answered {
    text: String,
    thinking: Option<String>,
    stop: Option<StopReason>,
    counted: genai::chat::Usage,
    raw: Value,
}

/// Connections to a provider with our limits, and with one for a whole reply. The cryptography is
/// installed once a process.
pub(super) fn connections(
    base_url: &str,
    whole_reply: Option<Duration>,
) -> Result<reqwest::Client> {
    static CRYPTOGRAPHY: OnceLock<()> = OnceLock::new();
    CRYPTOGRAPHY.get_or_init(|| {
        // It fails if somebody else has installed one, and then there is one.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    let mut builder = reqwest::Client::builder()
        .connect_timeout(CONNECTING)
        .tcp_keepalive(KEEP_ALIVE)
        .redirect(reqwest::redirect::Policy::none());
    if let Some(limit) = whole_reply {
        builder = builder.timeout(limit);
    }
    if !base_url.starts_with("https:") {
        // Reading the system's certificates takes longer than many a call.
        builder = builder.tls_certs_only([]);
    }
    builder
        .build()
        .context("failed to make connections to models possible")
}

/// A request with the provider's key, if there is one.
pub(super) fn authorised(
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
    /// Speaks to a model of a provider.
    pub(super) fn new(
        provider: &Provider,
        model: &str,
        settings: &ModelSettings,
        catalogue: &Catalogue,
        streams: bool,
    ) -> Result<Self> {
        let patience = provider.reply_timeout_seconds;
        let silence = Duration::from_secs(settings.reply_timeout_seconds.max(patience));
        let whole_reply = (!streams).then_some(silence);
        let library = genai::Client::builder()
            .with_reqwest(connections(&provider.base_url, whole_reply)?)
            .build()
            .map_err(|error| anyhow!("failed to set up a client for models: {error}"))?;
        Ok(Self {
            library,
            kind: match provider.protocol {
                Protocol::Openai => AdapterKind::OpenAI,
                Protocol::Anthropic => AdapterKind::Anthropic,
                Protocol::Gemini => AdapterKind::Gemini,
            },
            base_url: provider.base_url.clone(),
            model: model.to_owned(),
            key: provider.key.clone(),
            secrets: catalogue.secrets.clone(),
            silence,
            streams,
        })
    }

    /// Speaks to another model of the same provider, over the same connections.
    pub(super) fn to(&self, model: &str) -> Self {
        Self {
            model: model.to_owned(),
            ..self.clone()
        }
    }

    /// Sends a request, once.
    pub(super) async fn send(&self, request: &Request) -> Result<Reply, ModelError> {
        let target = ServiceTarget {
            endpoint: Endpoint::from_owned(self.base_url.as_str()),
            auth: AuthData::Key(
                self.key
                    .as_ref()
                    .map_or(NO_KEY, |key| key.expose_secret())
                    .to_owned(),
            ),
            model: ModelIden::new(self.kind, self.model.as_str()),
        };
        let chat = chat_request(request);
        match self.streams {
            true => self.streamed(target, chat, request).await,
            false => self.whole(target, chat, request).await,
        }
    }

    async fn whole(
        &self,
        target: ServiceTarget,
        chat: ChatRequest,
        request: &Request,
    ) -> Result<Reply, ModelError> {
        let options = options(request).with_capture_raw_body(true);
        let answered = self.library.exec_chat(target, chat, Some(&options)).await;
        match answered {
            Ok(response) => {
                let answered = Answered {
                    raw: response.captured_raw_body.clone().unwrap_or(Value::Null),
                    thinking: response.reasoning_content.clone(),
                    stop: response.stop_reason.clone(),
                    counted: response.usage.clone(),
                    text: response.into_texts().concat(),
                };
                self.reply(answered, request)
            }
            Err(error) => self
                .salvage(&error, request)
                .ok_or_else(|| self.fault(error)),
        }
    }

    async fn streamed(
        &self,
        target: ServiceTarget,
        chat: ChatRequest,
        request: &Request,
    ) -> Result<Reply, ModelError> {
        let frames = Frames::default();
        let options = options(request)
            .with_capture_usage(true)
            .with_stream_header_timeout(self.silence)
            .with_stream_read_timeout(self.silence)
            .with_raw_frame_sink(frames.clone());
        let begun = self
            .library
            .exec_chat_stream(target, chat, Some(&options))
            .await
            .map_err(|error| self.fault(error))?;
        let whole = gathered(begun, &frames).await.map_err(|torn| match torn {
            Torn::Library(error) => self.fault(*error),
            Torn::ModelError(fault) => fault,
        })?;
        let answered = Answered {
            text: whole.text,
            thinking: whole.thinking,
            stop: whole.end.captured_stop_reason,
            counted: whole
                .end
                .captured_usage
                .or_else(|| frames.counted())
                .unwrap_or_default(),
            raw: frames.told(),
        };
        self.reply(answered, request)
    }

    fn salvage(&self, error: &genai::Error, request: &Request) -> Option<Reply> {
        let genai::Error::ChatResponseGeneration { response_body, .. } = error else {
            return None;
        };
        let reply = salvaged(&self.cleared(response_body.as_ref().clone()), request)?;
        Some(Reply {
            text: self.secrets.clear(&reply.text),
            ..reply
        })
    }

    fn reply(&self, answered: Answered, request: &Request) -> Result<Reply, ModelError> {
        let Answered {
            text,
            thinking,
            stop,
            counted,
            raw,
        } = answered;
        let raw = self.cleared(raw);
        let is_reply = stop.is_some() || !text.is_empty() || thinking.is_some();
        if !is_reply {
            return Err(ModelError::MalformedResponse(self.said(&raw.to_string())));
        }
        let usage = usage(&counted, request, &text, thinking.as_deref());
        Ok(Reply {
            text: self.secrets.clear(&text),
            thinking: thinking.map(|thinking| self.secrets.clear(&thinking)),
            truncated: stop.as_ref().is_some_and(StopReason::is_max_tokens),
            stop_reason: stop.map(|reason| reason.raw().to_owned()),
            usage,
            raw,
        })
    }

    fn cleared(&self, raw: Value) -> Value {
        let text = raw.to_string();
        if !self.secrets.is_in(&text) {
            return raw;
        }
        let cleared = self.secrets.clear(&text);
        serde_json::from_str(&cleared).unwrap_or(Value::String(cleared))
    }

    fn fault(&self, error: genai::Error) -> ModelError {
        use genai::webc::Error as Web;
        match error {
            genai::Error::WebModelCall { webc_error, .. } => match webc_error {
                Web::ResponseFailedStatus {
                    status,
                    body,
                    headers,
                } => self.refused(status.as_u16(), &body, &headers),
                Web::ResponseFailedNotJson { content_type, body } => ModelError::MalformedResponse(
                    format!("{content_type:?} instead of JSON: {}", self.said(&body)),
                ),
                Web::ResponseFailedInvalidJson { body, .. } => ModelError::MalformedResponse(
                    format!("JSON that cannot be read: {}", self.said(&body)),
                ),
                Web::Reqwest(error) => self.broken(error),
                Web::JsonValueExt(error) => {
                    ModelError::MalformedResponse(self.said(&error.to_string()))
                }
            },
            genai::Error::ChatResponseGeneration { cause, .. } => {
                ModelError::MalformedResponse(self.said(&cause))
            }
            genai::Error::WebStream { error, .. } => self.torn(error),
            genai::Error::ChatResponse { body, .. } => self.told(&body),
            genai::Error::StreamParse { serde_error, .. } => ModelError::MalformedResponse(
                format!("an event that cannot be read: {serde_error}"),
            ),
            other => ModelError::Refused(self.said(&other.to_string())),
        }
    }

    /// What a status says, with what came with it.
    fn refused(&self, status: u16, body: &str, headers: &HeaderMap) -> ModelError {
        let text = format!("{status}: {}", self.said(body));
        ModelError::from_status(status, text, retry_after(headers, Utc::now()))
    }

    /// What broke a stream.
    fn torn(&self, error: Box<dyn std::error::Error + Send + Sync>) -> ModelError {
        let error = match error.downcast::<genai::Error>() {
            Ok(error) => match *error {
                genai::Error::HttpError {
                    status,
                    body,
                    headers,
                    ..
                } => return self.refused(status.as_u16(), &body, &headers),
                other => return ModelError::ConnectionLost(self.said(&other.to_string())),
            },
            Err(error) => error,
        };
        let error = match error.downcast::<reqwest::Error>() {
            Ok(error) => return self.broken(*error),
            Err(error) => error,
        };
        match error.is::<StreamTimeout>() {
            true => self.silent(),
            false => ModelError::ConnectionLost(self.said(&error.to_string())),
        }
    }

    /// What a provider says of a fault after it has begun to answer: there is no status then but
    /// the one it may name.
    fn told(&self, body: &Value) -> ModelError {
        let said = self.said(&body.to_string());
        let status = body["code"].as_u64().or(body["status"].as_u64());
        let status = status.and_then(|status| u16::try_from(status).ok());
        ModelError::from_status(status.unwrap_or(UNNAMED), said, None)
    }

    fn silent(&self) -> ModelError {
        ModelError::Timeout(format!("nothing for {} s", self.silence.as_secs()))
    }

    fn broken(&self, error: reqwest::Error) -> ModelError {
        let error = error.without_url();
        let text = self.said(&format!("{:#}", anyhow::Error::new(error_chain(&error))));
        if error.is_connect() {
            ModelError::Unreachable(format!("{}: {text}", self.base_url))
        } else if error.is_timeout() {
            self.silent()
        } else {
            ModelError::ConnectionLost(text)
        }
    }

    /// What a provider says, in one line and without keys.
    fn said(&self, text: &str) -> String {
        let line = self.secrets.clear(&one_line(text));
        truncate(&line, SAID).to_owned()
    }
}

/// An error and what caused it, as one text.
fn error_chain(error: &reqwest::Error) -> std::io::Error {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    std::io::Error::other(text)
}

fn options(request: &Request) -> ChatOptions {
    let mut options = ChatOptions::default().with_max_tokens(request.max_output_tokens);
    if let Some(temperature) = request.temperature {
        options = options.with_temperature(temperature);
    }
    if let Some(schema) = &request.schema {
        let spec = JsonSpec::new(request.schema_name.as_str(), schema.clone());
        options = options.with_response_format(ChatResponseFormat::JsonSpec(spec));
    }
    options
}

fn chat_request(request: &Request) -> ChatRequest {
    let messages = request.messages.iter().map(|message| {
        let text = message.text.as_str();
        match message.role {
            Role::System => ChatMessage::system(text),
            Role::User => ChatMessage::user(text),
            Role::Assistant => ChatMessage::assistant(text),
        }
    });
    ChatRequest::new(messages.collect())
}

/// What the provider counted; estimated where it did not.
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
        output: output.unwrap_or(written as u64),
        estimated: input.is_none() || output.is_none(),
    }
}
