//! The protocol of OpenAI's chat completions, whose "model" is a research session, for programs
//! that speak nothing else: progress comes as reasoning, and the answer is the report.
//!
//! The last message of the user is the question. What the user wrote before in the same
//! conversation are the questions that it follows up, each of which has a session already; an
//! answer to questions back goes to the session that waits with them.
//!
//! Open WebUI sends prompts of its own about a conversation: for a title, tags, what to ask next.
//! They begin with [`TASK`], cost nothing and start no session.

use std::convert::Infallible;

use axum::Json;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures::stream::{self, Stream, StreamExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::app::{blocking, wait};
use super::ask::{Ask, RunTerms};
use super::extract::JsonBody;
use super::files::linked_report;
use super::problem::Problem;
use super::sessions::write_answer;
use super::tenant::{Started, Tenant};
use crate::artifact::session::Depth;
use crate::run;

/// The models, which are depths of research.
const MODELS: [(&str, Depth); 4] = [
    ("research", Depth::Auto),
    ("research-quick", Depth::Quick),
    ("research-standard", Depth::Standard),
    ("research-deep", Depth::Deep),
];

/// The begin of the prompts that Open WebUI sends about a conversation (its `TASKS` settings).
const TASK: &str = "### Task:";

/// The longest title of a conversation in characters: what its list shows. Chosen by hand.
const TITLE_CHARACTERS: usize = 60;

/// A request for a chat completion. Whatever else clients send is for language models.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ChatRequest {
    /// One of `GET /v1/models`.
    model: String,
    /// The conversation, oldest message first.
    #[schemars(length(min = 1))]
    messages: Vec<Message>,
    /// `true` for server-sent events.
    #[serde(default)]
    stream: Option<bool>,
}

/// A message of a conversation.
#[derive(Debug, Deserialize, JsonSchema)]
struct Message {
    /// `system`, `user`, `assistant` …
    role: String,
    /// The text.
    #[serde(default)]
    content: Option<Content>,
}

/// The content of a message.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Content {
    /// A text.
    Text(String),
    /// A text in parts.
    Parts(Vec<Part>),
}

/// A part of a content.
#[derive(Debug, Deserialize, JsonSchema)]
struct Part {
    /// The text, if it is one.
    #[serde(default)]
    text: Option<String>,
}

impl Message {
    fn text(&self) -> String {
        match &self.content {
            None => String::new(),
            Some(Content::Text(text)) => text.trim().to_owned(),
            Some(Content::Parts(parts)) => {
                let texts: Vec<&str> = parts
                    .iter()
                    .filter_map(|part| part.text.as_deref())
                    .collect();
                texts.join("\n").trim().to_owned()
            }
        }
    }
}

/// A model.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Model {
    /// Its name.
    id: &'static str,
    /// `model`.
    object: &'static str,
    /// 0.
    created: u64,
    /// `research`.
    owned_by: &'static str,
}

/// The models.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Models {
    /// `list`.
    object: &'static str,
    /// The models.
    data: Vec<Model>,
}

impl Model {
    fn named(id: &'static str) -> Self {
        Self {
            id,
            object: "model",
            created: 0,
            owned_by: "research",
        }
    }
}

/// `GET /v1/models`.
pub(super) async fn models(_: Tenant) -> Json<Models> {
    let data = MODELS.iter().map(|(id, _)| Model::named(id)).collect();
    Json(Models {
        object: "list",
        data,
    })
}

/// `GET /v1/models/{model}`.
pub(super) async fn model(_: Tenant, Path(model): Path<String>) -> Result<Json<Model>, Problem> {
    let (id, _) = known(&model)?;
    Ok(Json(Model::named(id)))
}

fn known(model: &str) -> Result<(&'static str, Depth), Problem> {
    let own = MODELS.iter().find(|(id, _)| *id == model);
    own.copied().ok_or_else(|| {
        let detail = format!("there is no model {model:?}; GET /v1/models lists them");
        Problem::new(StatusCode::NOT_FOUND, detail)
    })
}

/// `POST /v1/chat/completions`.
pub(super) async fn complete(
    app: Tenant,
    JsonBody(request): JsonBody<ChatRequest>,
) -> Result<Response, Problem> {
    let (model, depth) = known(&request.model)?;
    let is_streamed = request.stream == Some(true);
    if let Some(text) = answer_to_task(&request.messages) {
        let completion = Completion::new("task", model, &app);
        if !is_streamed {
            return Ok(completion.whole(&text));
        }
        let chunks = [
            completion.begin(),
            completion.content(&text),
            completion.end(),
        ];
        return Ok(events(stream::iter(chunks)));
    }
    let starting = app.clone();
    let started = blocking(move || start(&starting, &request.messages, depth)).await?;
    let completion = Completion::new(&started.id, model, &app);
    if is_streamed {
        return Ok(streamed(&app, completion, started));
    }
    Ok(completion.whole(&text_of(started).await?))
}

/// The answer to a prompt of Open WebUI, whatever it asks for: each takes the member that it knows.
/// The title is the first question.
fn answer_to_task(messages: &[Message]) -> Option<String> {
    let prompt = messages.iter().rfind(|message| message.role == "user")?;
    let prompt = prompt.text();
    if !prompt.starts_with(TASK) {
        return None;
    }
    let mut lines = prompt.lines().map(str::trim);
    let question = lines.find_map(|line| line.strip_prefix("USER:"));
    let title = question.unwrap_or("Research").trim();
    let title: String = title.chars().take(TITLE_CHARACTERS).collect();
    let answer = json!({"title": title, "tags": [], "follow_ups": [], "queries": [], "text": ""});
    Some(answer.to_string())
}

/// Starts the session that a conversation asks for, or goes on with the one that waits for it.
fn start(app: &Tenant, messages: &[Message], depth: Depth) -> Result<Started, Problem> {
    let questions = messages.iter().filter(|message| message.role == "user");
    let mut questions: Vec<String> = questions.map(Message::text).collect();
    let last = questions.pop().unwrap_or_default();
    if last.is_empty() {
        let detail = "the last message of the user is empty; ask something";
        return Err(Problem::of_field("messages", detail));
    }
    let ask = |topic: &str, follow: Option<String>| Ask {
        topic: topic.to_owned(),
        depth: Some(depth),
        follow,
        ..Ask::default()
    };
    let mut earlier = None;
    for question in &questions {
        let prepared = app.prepare(&ask(question, earlier.clone()))?;
        let path = prepared.location.path;
        // An answer to questions back, or a question of a conversation with somebody else.
        if !prepared.location.exists {
            continue;
        }
        earlier = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
    }
    if let Some(id) = &earlier {
        let (path, session) = app.session(id)?;
        if run::questions(&path).is_some() {
            write_answer(app, &path, &last)?;
            let terms = RunTerms::of_session(&session, &app.settings);
            return app.resume(path, session, terms);
        }
    }
    app.start(&ask(&last, earlier))
}

/// The report of a run, or the questions that it waits with.
async fn text_of(started: Started) -> Result<String, Problem> {
    let ended = wait(started.ended).await;
    blocking(move || {
        if let Some(questions) = run::questions(&started.path) {
            return Ok(questions.join("\n"));
        }
        ended?;
        linked_report(&started.path)
    })
    .await
}

/// What all parts of an answer have in common.
#[derive(Clone)]
struct Completion {
    id: String,
    model: &'static str,
    created: i64,
}

impl Completion {
    fn new(id: &str, model: &'static str, app: &Tenant) -> Self {
        Self {
            id: format!("chatcmpl-{id}"),
            model,
            created: app.clock.now().timestamp(),
        }
    }

    /// The answer in one piece.
    fn whole(&self, text: &str) -> Response {
        let message = json!({"role": "assistant", "content": text});
        let choice =
            json!({"index": 0, "message": message, "finish_reason": "stop", "logprobs": null});
        let mut body = self.object("chat.completion", choice);
        // What the models of a session take is in `GET /v1/sessions/{id}/calls`.
        body["usage"] = json!({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0});
        Json(body).into_response()
    }

    fn begin(&self) -> Value {
        self.chunk(json!({"role": "assistant", "content": ""}), None)
    }

    fn content(&self, text: &str) -> Value {
        self.chunk(json!({"content": text}), None)
    }

    fn end(&self) -> Value {
        self.chunk(json!({}), Some("stop"))
    }

    fn object(&self, kind: &str, choice: Value) -> Value {
        json!({
            "id": self.id,
            "object": kind,
            "created": self.created,
            "model": self.model,
            "choices": [choice],
        })
    }

    fn chunk(&self, delta: Value, finish: Option<&str>) -> Value {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
        self.object("chat.completion.chunk", choice)
    }
}

/// An answer as server-sent events.
fn streamed(app: &Tenant, completion: Completion, started: Started) -> Response {
    let begin = completion.begin();
    let follower = app.follower(started.path.clone(), started.position);
    let run = (follower, started.ended.clone(), completion.clone());
    let progress = stream::unfold(run, async |(mut follower, mut ended, completion)| {
        let event = follower.next_of_run(&mut ended).await?;
        let chunk = completion.chunk(json!({"reasoning_content": format!("{event}\n")}), None);
        Some((chunk, (follower, ended, completion)))
    });
    let end = async move {
        match text_of(started).await {
            Ok(text) => vec![completion.content(&text), completion.end()],
            // The status is sent already: clients look for this member.
            Err(problem) => {
                vec![json!({"error": {"message": problem.detail, "code": problem.status}})]
            }
        }
    };
    let end = stream::once(end).flat_map(stream::iter);
    events(stream::iter([begin]).chain(progress).chain(end))
}

/// Chunks as server-sent events.
fn events(chunks: impl Stream<Item = Value> + Send + 'static) -> Response {
    let lines = chunks.map(|chunk| chunk.to_string());
    let lines = lines.chain(stream::iter(["[DONE]".to_owned()]));
    let events = lines.map(|line| Ok::<_, Infallible>(SseEvent::default().data(line)));
    Sse::new(events)
        .keep_alive(KeepAlive::default())
        .into_response()
}
