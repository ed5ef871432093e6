//! The Model Context Protocol: the same sessions as tools and resources, for agents of other
//! programs, over standard input and output.
//!
//! A tool that runs a session waits for its end, reports each event as progress, and cancels the
//! run if the client cancels the request; the session can be resumed.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use futures::future::BoxFuture;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    JsonObject, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ProgressToken, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
    ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, Peer, RoleServer, ServerHandler, ServiceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::app::{App, blocking, wait};
use super::ask::{Ask, RunTerms};
use super::files;
use super::forecast::forecast_of;
use super::problem::Problem;
use super::sessions::{ListParams, SessionView, page};
use crate::artifact::report::Report;
use crate::cite;
use crate::export::FORMATS;
use crate::inspect::{self, ExportOptions};
use crate::pipeline::read_events;
use crate::platform::termination_signal;
use crate::run;
use crate::run::artifacts::content;
use crate::search::{Hit, Library};
use crate::session;

/// The beginning of the address of every resource.
const SCHEME: &str = "research://sessions/";

/// The interval at which the events of a run are looked at (chosen by hand: a person sees no
/// delay).
const POLL: Duration = Duration::from_millis(250);

/// The maximum number of sessions that are listed as resources, and of passages that are found.
const RESOURCES: usize = 100;
const PASSAGES: usize = 10;

const INSTRUCTIONS: &str = "Researches questions in local documents and on the web, and answers \
    with a report in which every sentence cites the words of its sources. Use `plan` to see what a \
    question would take, `research` to answer it, `read_report` to read a report again, and \
    `check_claim` to check a sentence of your own against passages. A session that was interrupted \
    or waits for an answer goes on with `resume`.";

/// Serves the protocol on standard input and output until the input ends, or the first SIGINT or
/// SIGTERM.
///
/// # Errors
/// When the first messages are not those of the protocol.
pub(super) async fn serve(app: Arc<App>) -> Result<()> {
    let signal = termination_signal().context("failed to listen for signals")?;
    let handler = Handler { app };
    let serving = handler.serve(rmcp::transport::stdio());
    let running = serving
        .await
        .context("failed to open the Model Context Protocol on standard input")?;
    tokio::select! {
        ended = running.waiting() => { ended?; }
        () = signal => {}
    }
    Ok(())
}

/// The answers to a client.
struct Handler {
    app: Arc<App>,
}

/// An answer on its way.
type Answering = BoxFuture<'static, Result<Reply, Problem>>;

/// A tool: its name, what it is for, the schema of its arguments, and what it does.
struct ToolInfo {
    name: &'static str,
    about: &'static str,
    schema: fn() -> JsonObject,
    reads_only: bool,
    call: fn(Arc<App>, Value, Caller) -> Answering,
}

/// The tools, in the order of their use.
const TOOLS: &[ToolInfo] = &[
    ToolInfo {
        name: "plan",
        about: "Shows what researching a question would take: stages, model calls, searches, cost. \
                Nothing is spent or written.",
        schema: schema::<Ask>,
        reads_only: true,
        call: |app, arguments, _| Box::pin(plan(app, arguments)),
    },
    ToolInfo {
        name: "research",
        about: "Researches a question and returns the report as Markdown, with its citations. The \
                same question is the same session, which is finished if it was interrupted.",
        schema: schema::<Ask>,
        reads_only: false,
        call: |app, arguments, caller| Box::pin(research(app, arguments, caller)),
    },
    ToolInfo {
        name: "resume",
        about: "Goes on with a session: one that was interrupted, that waits for the approval of \
                its plan, or, with `answer`, for the answer to its questions.",
        schema: schema::<Resume>,
        reads_only: false,
        call: |app, arguments, caller| Box::pin(resume(app, arguments, caller)),
    },
    ToolInfo {
        name: "list_sessions",
        about: "Lists the sessions with their topics and states, the latest first.",
        schema: schema::<ListParams>,
        reads_only: true,
        call: |app, arguments, _| Box::pin(list_sessions(app, arguments)),
    },
    ToolInfo {
        name: "session_status",
        about: "Shows the state of a session: its round, score, and the questions it waits with.",
        schema: schema::<Named>,
        reads_only: true,
        call: |app, arguments, _| Box::pin(session_status(app, arguments)),
    },
    ToolInfo {
        name: "read_report",
        about: "Returns the report of a session in a text format: markdown, json, csv, bibtex …",
        schema: schema::<ReadReport>,
        reads_only: true,
        call: |app, arguments, _| Box::pin(read_report(app, arguments)),
    },
    ToolInfo {
        name: "search_documents",
        about: "Finds the passages of the local documents that answer a query best.",
        schema: schema::<Search>,
        reads_only: true,
        call: |app, arguments, _| Box::pin(search_documents(app, arguments)),
    },
    ToolInfo {
        name: "check_claim",
        about: "Checks whether passages support a claim: the verdict, a score, what is missing. \
                Without a model.",
        schema: schema::<CheckClaim>,
        reads_only: true,
        call: |_, arguments, _| Box::pin(check_claim(arguments)),
    },
    ToolInfo {
        name: "verify_session",
        about: "Checks every quotation of a session against the stored texts of its sources.",
        schema: schema::<Named>,
        reads_only: true,
        call: |app, arguments, _| Box::pin(verify_session(app, arguments)),
    },
];

/// The JSON schema of the arguments of a tool.
fn schema<T: JsonSchema>() -> JsonObject {
    match schemars::schema_for!(T).to_value() {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    }
}

/// The result of a tool: text for a model, and the same or more for programs.
struct Reply {
    text: String,
    structured: Value,
}

impl Reply {
    /// A value as JSON.
    fn json(value: &impl Serialize) -> Result<Self, Problem> {
        let structured = serde_json::to_value(value).map_err(anyhow::Error::from)?;
        let text = serde_json::to_string_pretty(&structured).map_err(anyhow::Error::from)?;
        Ok(Self { text, structured })
    }
}

/// Who called a tool, and wants to know how far it is.
struct Caller {
    context: RequestContext<RoleServer>,
}

impl Caller {
    /// Waits until the client cancels its request.
    async fn cancelled(&self) {
        self.context.ct.cancelled().await;
    }

    fn progress_token(&self) -> Option<ProgressToken> {
        self.context.meta.get_progress_token()
    }
}

/// The arguments of tools on one session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Named {
    /// The name of the session.
    session: String,
}

/// The arguments of `resume`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Resume {
    /// The name of the session.
    session: String,
    /// The answer to the questions that it waits with.
    #[serde(default)]
    answer: Option<String>,
}

/// The arguments of `read_report`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReadReport {
    /// The name of the session.
    session: String,
    /// The format; by default `markdown`.
    #[serde(default)]
    format: Option<String>,
}

/// The arguments of `search_documents`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Search {
    /// A question or keywords.
    query: String,
    /// The maximum number of passages; by default 10.
    #[serde(default)]
    limit: Option<usize>,
}

/// The arguments of `check_claim`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CheckClaim {
    /// The sentence to check.
    claim: String,
    /// The passages that may support it together.
    passages: Vec<String>,
}

/// A report that was made or read.
#[derive(Serialize)]
struct Answered {
    session: String,
    /// The number of claims, and of those that the sources support.
    #[serde(skip_serializing_if = "Option::is_none")]
    claims: Option<[usize; 2]>,
    status: inspect::Status,
}

/// A passage of a document.
#[derive(Serialize)]
struct Passage {
    file: String,
    title: String,
    headings: Vec<String>,
    start: usize,
    end: usize,
    text: String,
}

/// The verdict on a claim.
#[derive(Serialize)]
struct Checked {
    verdict: &'static str,
    score: f64,
    reasons: Vec<String>,
    /// The words of the claim that no passage says.
    unsupported: Vec<String>,
}

/// The arguments of a tool.
fn parsed<T: serde::de::DeserializeOwned>(arguments: Value) -> Result<T, Problem> {
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        // "." is the arguments as a whole.
        let field = error.path().to_string();
        Problem::of_field(field.trim_matches('.'), error.into_inner())
    })
}

async fn plan(app: Arc<App>, arguments: Value) -> Result<Reply, Problem> {
    let ask: Ask = parsed(arguments)?;
    blocking(move || Reply::json(&forecast_of(&app, &ask)?)).await
}

async fn research(app: Arc<App>, arguments: Value, caller: Caller) -> Result<Reply, Problem> {
    let ask: Ask = parsed(arguments)?;
    let starting = app.clone();
    let started = blocking(move || {
        let prepared = starting.prepare(&ask)?;
        let session = starting.open(&prepared)?;
        let id = session.id.clone();
        let ended = starting.enqueue(prepared.location.path, session, prepared.terms)?;
        Ok(Started { id, ended })
    })
    .await?;
    finished(app, started, caller).await
}

async fn resume(app: Arc<App>, arguments: Value, caller: Caller) -> Result<Reply, Problem> {
    let Resume {
        session: id,
        answer,
    } = parsed(arguments)?;
    let starting = app.clone();
    let started = blocking(move || {
        let (path, session) = starting.session(&id)?;
        if let Some(answer) = answer
            .as_deref()
            .map(str::trim)
            .filter(|own| !own.is_empty())
        {
            run::answer(&path, answer, starting.clock)?;
        }
        let ended = starting.enqueue(path, session, RunTerms::default())?;
        Ok(Started { id, ended })
    })
    .await?;
    finished(app, started, caller).await
}

/// A run that was put into the queue.
struct Started {
    id: String,
    ended: tokio::sync::watch::Receiver<super::queue::Ended>,
}

/// Waits for the end of a run, and returns its report.
async fn finished(app: Arc<App>, started: Started, caller: Caller) -> Result<Reply, Problem> {
    let Started { id, ended } = started;
    let progress = caller.progress_token().map(|token| {
        tokio::spawn(report_progress(
            app.clone(),
            id.clone(),
            token,
            caller.context.peer.clone(),
        ))
    });
    let ended = tokio::select! {
        ended = wait(ended) => ended,
        () = caller.cancelled() => {
            app.queue.cancel(&id);
            Err(anyhow::Error::from(crate::pipeline::Interrupted).into())
        }
    };
    if let Some(progress) = progress {
        progress.abort();
    }
    let questions = app
        .session(&id)
        .ok()
        .and_then(|(path, _)| run::questions(&path));
    if let (Err(problem), Some(questions)) = (&ended, questions) {
        let ask = "call `resume` with this session and the answer";
        let detail = format!("{}\n{}\n{ask}: {id}", problem.detail, questions.join("\n"));
        return Err(Problem {
            detail,
            ..problem.clone()
        });
    }
    ended?;
    blocking(move || answered(&app, &id, None)).await
}

/// Tells a client how far a run is, event by event.
async fn report_progress(app: Arc<App>, id: String, token: ProgressToken, peer: Peer<RoleServer>) {
    let mut seen = 0;
    loop {
        tokio::time::sleep(POLL).await;
        let path = app.output_dir().join(&id);
        let read = tokio::task::spawn_blocking(move || read_events(&path));
        let Ok(events) = read.await else { return };
        let Some(last) = events.last().filter(|_| events.len() > seen) else {
            continue;
        };
        seen = events.len();
        let message = serde_json::to_value(&last.event).unwrap_or_default();
        let message = match &message {
            Value::String(name) => name.clone(),
            Value::Object(event) => event.keys().next().cloned().unwrap_or_default(),
            _ => String::new(),
        };
        let progress = ProgressNotificationParam::new(token.clone(), seen as f64)
            .with_message(message.replace('_', " "));
        if peer.notify_progress(progress).await.is_err() {
            return;
        }
    }
}

fn passage(library: &Library, hit: &Hit) -> Result<Passage> {
    let document = &library.documents[hit.document];
    let content = library.content(hit.document)?;
    Ok(Passage {
        file: document.locator.clone(),
        title: document.title.clone(),
        headings: content.blocks[hit.block].headings.to_vec(),
        start: hit.start,
        end: hit.end,
        text: content.text[hit.start..hit.end].to_owned(),
    })
}

async fn list_sessions(app: Arc<App>, arguments: Value) -> Result<Reply, Problem> {
    let params: ListParams = parsed(arguments)?;
    blocking(move || Reply::json(&page(&app, &params)?)).await
}

async fn session_status(app: Arc<App>, arguments: Value) -> Result<Reply, Problem> {
    let Named { session } = parsed(arguments)?;
    blocking(move || Reply::json(&SessionView::of(&app, &app.session(&session)?.0)?)).await
}

async fn read_report(app: Arc<App>, arguments: Value) -> Result<Reply, Problem> {
    let ReadReport { session, format } = parsed(arguments)?;
    blocking(move || answered(&app, &session, format.as_deref())).await
}

/// The report of a session, with its state.
fn answered(app: &App, id: &str, format: Option<&str>) -> Result<Reply, Problem> {
    let (path, _) = app.session(id)?;
    let format = format.unwrap_or(FORMATS[0].name);
    let mut formats = FORMATS.iter().filter(|own| own.missing.is_none());
    let Some(format) = formats.find(|own| own.name == format) else {
        let detail = format!("there is no format {format:?}");
        return Err(Problem::of_field("format", detail));
    };
    let options = ExportOptions {
        base: format!("{SCHEME}{id}/files/"),
        ..ExportOptions::default()
    };
    let exported = inspect::export(&path, &app.settings, format, options)?;
    let text = String::from_utf8(exported.bytes).map_err(|_| {
        let detail = format!("{} is no text; read the report as markdown", format.name);
        Problem::of_field("format", detail)
    })?;
    let report: Option<Report> = content(&path, "report.json");
    let claims = report.map(|own| [own.verification.claims, own.verification.supported]);
    let status = inspect::status(&path, &app.settings)?;
    let session = id.to_owned();
    let answered = Answered {
        session,
        claims,
        status,
    };
    Ok(Reply {
        text,
        ..Reply::json(&answered)?
    })
}

async fn search_documents(app: Arc<App>, arguments: Value) -> Result<Reply, Problem> {
    let Search { query, limit } = parsed(arguments)?;
    blocking(move || {
        let reader = run::reader(&app.settings)?;
        let cache = app.settings.cache_dir();
        let library = Library::open(&app.documents, &reader, cache.as_deref())?;
        let hits = library.results(&query, limit.unwrap_or(PASSAGES).clamp(1, RESOURCES))?;
        let passages = hits.iter().map(|hit| passage(&library, hit));
        let passages = passages.collect::<Result<Vec<_>>>()?;
        Reply::json(&serde_json::json!({ "query": query, "passages": passages }))
    })
    .await
}

async fn check_claim(arguments: Value) -> Result<Reply, Problem> {
    let CheckClaim { claim, passages } = parsed(arguments)?;
    blocking(move || {
        let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
        let support = cite::support_by(&claim, &passages);
        let unsupported = support
            .unsupported
            .iter()
            .filter_map(|range| claim.get(range.clone()));
        Reply::json(&Checked {
            verdict: support.verdict.name(),
            score: (support.score * 1000.0).round() / 1000.0,
            unsupported: unsupported.map(str::to_owned).collect(),
            reasons: support.reasons,
        })
    })
    .await
}

async fn verify_session(app: Arc<App>, arguments: Value) -> Result<Reply, Problem> {
    let Named { session } = parsed(arguments)?;
    blocking(move || Reply::json(&inspect::verify(&app.session(&session)?.0)?)).await
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources();
        ServerConfig::new(capabilities.build())
            .with_server_info(Implementation::new("research", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = |info: &ToolInfo| {
            Tool::new(info.name, info.about, Arc::new((info.schema)()))
                .with_annotations(ToolAnnotations::new().read_only(info.reads_only))
        };
        Ok(ListToolsResult::with_all_items(
            TOOLS.iter().map(tool).collect(),
        ))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == request.name) else {
            let message = format!("there is no tool {:?}", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let result = match (tool.call)(self.app.clone(), arguments, Caller { context }).await {
            Ok(reply) => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(reply.text)]);
                result.structured_content = Some(reply.structured);
                result
            }
            Err(problem) => {
                let text = described(problem);
                CallToolResult::error(vec![ContentBlock::text(text)])
            }
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let app = self.app.clone();
        let resources = blocking(move || {
            let mut ids = session::ids(app.output_dir())?;
            ids.reverse();
            let reports = ids.iter().filter_map(|id| {
                let (_, session) = app.session(id).ok()?;
                let resource = Resource::new(format!("{SCHEME}{id}/report"), id.clone())
                    .with_title(session.topic)
                    .with_mime_type("text/markdown");
                Some(resource)
            });
            Ok(reports.take(RESOURCES).collect::<Vec<_>>())
        });
        let resources = resources.await.map_err(refused)?;
        Ok(ListResourcesResult::with_all_items(resources))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = vec![
            ResourceTemplate::new(format!("{SCHEME}{{session}}/report"), "report")
                .with_description("The report of a session, as Markdown"),
            ResourceTemplate::new(format!("{SCHEME}{{session}}/files/{{+file}}"), "file")
                .with_description("A file of a session: sources/S1.md, plan.json, events.jsonl …"),
        ];
        Ok(ListResourceTemplatesResult::with_all_items(templates))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (app, uri) = (self.app.clone(), request.uri);
        let address = uri.clone();
        let read = blocking(move || resource(&app, &address));
        let (text, kind) = read.await.map_err(refused)?;
        let contents = ResourceContents::text(text, uri).with_mime_type(kind);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}

/// The text and the type of the resource at an address.
fn resource(app: &App, uri: &str) -> Result<(String, &'static str), Problem> {
    let (id, name) = uri
        .strip_prefix(SCHEME)
        .and_then(|rest| rest.split_once('/'))
        .ok_or_else(Problem::no_session)?;
    let Some(name) = name.strip_prefix("files/") else {
        return Ok((answered(app, id, None)?.text, "text/markdown"));
    };
    let (path, _) = app.session(id)?;
    let bytes = files::file(&path, name)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok((text, files::media_type(name)))
}

/// A problem in words for a model, which knows no addresses of the server.
fn described(problem: Problem) -> String {
    if problem == Problem::no_session() {
        return "there is no such session; list_sessions names them".to_owned();
    }
    let field = problem.pointer.unwrap_or_default();
    match field.trim_start_matches('/') {
        "" => problem.detail,
        field => format!("{field}: {}", problem.detail),
    }
}

/// The error of a resource that cannot be read.
fn refused(problem: Problem) -> ErrorData {
    ErrorData::resource_not_found(described(problem), None)
}
