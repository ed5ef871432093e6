//! The Model Context Protocol: the same sessions as tools and resources, for agents of other
//! programs, over standard input and output or by [`super::mcp_http`].
//!
//! A tool that runs a session waits for its end, reports each event as progress, and cancels the
//! run if the client cancels the request; the session can be resumed.

use std::sync::Arc;

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
use tokio::sync::watch;

use super::app::{App, blocking, wait};
use super::ask::{Ask, RunTerms};
use super::evidence::{Claim, Search, passages, verdict};
use super::export::format_of;
use super::files;
use super::forecast::forecast_of;
use super::list::{Latest, ListParams, page};
use super::problem::Problem;
use super::queue::Ended;
use super::sessions::{SessionView, waits_with_plan, write_answer};
use super::stream::Follower;
use super::tenant::{Started, Tenant};
use crate::artifact::Session;
use crate::inspect::{self, ExportOptions};
use crate::platform::termination_signal;
use crate::run;

/// The beginning of the address of every resource.
const SCHEME: &str = "research://sessions/";

/// The maximum number of sessions that are listed as resources.
const RESOURCES: usize = 100;

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
    let handler = Handler::of(Tenant::local(app));
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
pub(super) struct Handler {
    app: Tenant,
}

impl Handler {
    /// The answers to the clients of a tenant.
    pub(super) fn of(app: Tenant) -> Self {
        Self { app }
    }
}

/// An answer on its way.
type Answering = BoxFuture<'static, Result<Reply, Problem>>;

/// A tool: its name, what it is for, the schema of its arguments, and what it does.
struct ToolInfo {
    name: &'static str,
    about: &'static str,
    schema: fn() -> JsonObject,
    reads_only: bool,
    call: fn(Tenant, Value, Caller) -> Answering,
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
        schema: schema::<Claim>,
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
    /// The answer of the user to questions; `None` if the client cannot ask or the user does not
    /// answer.
    async fn ask(&self, questions: &[String]) -> Option<String> {
        let elicitation = self.context.peer.elicit::<UserAnswer>(questions.join("\n"));
        elicitation.await.ok()?.map(|answer| answer.answer)
    }
}

/// What the user is asked for.
#[derive(Debug, Deserialize, JsonSchema)]
struct UserAnswer {
    /// The answer to the questions.
    answer: String,
}

rmcp::elicit_safe!(UserAnswer);

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

/// A report that was made or read.
#[derive(Serialize)]
struct Answered {
    session: String,
    /// The number of claims, and of those that the sources support.
    #[serde(skip_serializing_if = "Option::is_none")]
    claims: Option<[usize; 2]>,
    status: inspect::Status,
}

/// The arguments of a tool.
fn parsed<T: serde::de::DeserializeOwned>(arguments: Value) -> Result<T, Problem> {
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        // "." is the arguments as a whole.
        let field = error.path().to_string();
        Problem::of_field(field.trim_matches('.'), error.into_inner())
    })
}

async fn plan(app: Tenant, arguments: Value) -> Result<Reply, Problem> {
    let ask: Ask = parsed(arguments)?;
    blocking(move || Reply::json(&forecast_of(&app, &ask)?)).await
}

async fn research(app: Tenant, arguments: Value, caller: Caller) -> Result<Reply, Problem> {
    let ask: Ask = parsed(arguments)?;
    let starting = app.clone();
    let started = blocking(move || starting.start(&ask)).await?;
    finished(app, started, caller).await
}

async fn resume(app: Tenant, arguments: Value, caller: Caller) -> Result<Reply, Problem> {
    let Resume {
        session: id,
        answer,
    } = parsed(arguments)?;
    let starting = app.clone();
    let started = blocking(move || {
        let (path, session) = starting.session(&id)?;
        if let Some(answer) = answer {
            write_answer(&starting, &path, &answer)?;
        }
        let mut terms = RunTerms::of_session(&session, &starting.settings);
        if waits_with_plan(&starting, &path)? {
            terms = terms.approved();
        }
        starting.resume(path, session, terms)
    })
    .await?;
    finished(app, started, caller).await
}

/// Waits for the end of a run, and returns its report. Questions back go to the user, if the client
/// can ask.
async fn finished(app: Tenant, mut started: Started, caller: Caller) -> Result<Reply, Problem> {
    loop {
        let (id, path) = (started.id.clone(), started.path.clone());
        let ended = end_of(&app, started, &caller).await;
        let Some(questions) = run::questions(&path) else {
            ended?;
            return blocking(move || answered(&app, &id, None)).await;
        };
        let Some(answer) = caller.ask(&questions).await else {
            let ask = "call `resume` with this session and the answer";
            let problem = ended.err().unwrap_or_else(Problem::no_session);
            let detail = format!("{}\n{}\n{ask}: {id}", problem.detail, questions.join("\n"));
            return Err(Problem { detail, ..problem });
        };
        let resuming = app.clone();
        started = blocking(move || {
            let (path, session) = resuming.session(&id)?;
            write_answer(&resuming, &path, &answer)?;
            let terms = RunTerms::of_session(&session, &resuming.settings);
            resuming.resume(path, session, terms)
        })
        .await?;
    }
}

/// Waits for the end of a run, and tells the client how far it is; cancels it with the request.
async fn end_of(app: &Tenant, started: Started, caller: &Caller) -> Result<(), Problem> {
    let follower = app.follower(started.path.clone(), started.position);
    let ended = async {
        // All progress is sent before the answer: a client is told of a short run too.
        if let Some(token) = caller.context.meta.get_progress_token() {
            let peer = &caller.context.peer;
            report_progress(follower, started.ended.clone(), token, peer).await;
        }
        wait(started.ended).await
    };
    tokio::select! {
        ended = ended => ended,
        () = caller.context.ct.cancelled() => {
            app.queue.cancel(&started.path);
            Err(anyhow::Error::from(crate::pipeline::Interrupted).into())
        }
    }
}

/// Tells a client how far a run is, event by event.
async fn report_progress(
    mut follower: Follower,
    mut ended: watch::Receiver<Ended>,
    token: ProgressToken,
    peer: &Peer<RoleServer>,
) {
    let mut count = 0.0;
    while let Some(event) = follower.next_of_run(&mut ended).await {
        count += 1.0;
        let progress =
            ProgressNotificationParam::new(token.clone(), count).with_message(event.to_string());
        if peer.notify_progress(progress).await.is_err() {
            return;
        }
    }
}

async fn list_sessions(app: Tenant, arguments: Value) -> Result<Reply, Problem> {
    let params: ListParams = parsed(arguments)?;
    blocking(move || Reply::json(&page(&app, &params)?)).await
}

async fn session_status(app: Tenant, arguments: Value) -> Result<Reply, Problem> {
    let Named { session } = parsed(arguments)?;
    blocking(move || Reply::json(&SessionView::of(&app, &app.session(&session)?.0)?)).await
}

async fn read_report(app: Tenant, arguments: Value) -> Result<Reply, Problem> {
    let ReadReport { session, format } = parsed(arguments)?;
    blocking(move || answered(&app, &session, format.as_deref())).await
}

/// The report of a session, with its state.
fn answered(app: &Tenant, id: &str, format: Option<&str>) -> Result<Reply, Problem> {
    let (path, _) = app.session(id)?;
    let format = format_of(format)?;
    let options = ExportOptions {
        base: format!("{SCHEME}{id}/files/"),
        ..ExportOptions::default()
    };
    let exported = inspect::export(&path, &app.settings, format, options)?;
    let text = String::from_utf8(exported.bytes).map_err(|_| {
        let detail = format!("{} is no text; read the report as markdown", format.name);
        Problem::of_field("format", detail)
    })?;
    let report = inspect::report(&path, "");
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

async fn search_documents(app: Tenant, arguments: Value) -> Result<Reply, Problem> {
    let search: Search = parsed(arguments)?;
    blocking(move || Reply::json(&passages(&app, search)?)).await
}

async fn check_claim(arguments: Value) -> Result<Reply, Problem> {
    let claim: Claim = parsed(arguments)?;
    blocking(move || Reply::json(&verdict(&claim)?)).await
}

async fn verify_session(app: Tenant, arguments: Value) -> Result<Reply, Problem> {
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
            let sessions = Latest::read(&app)?.sessions.into_iter();
            let reports = sessions.map(|(_, Session { id, topic, .. })| {
                Resource::new(format!("{SCHEME}{id}/report"), id)
                    .with_title(topic)
                    .with_mime_type("text/markdown")
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
fn resource(app: &Tenant, uri: &str) -> Result<(String, &'static str), Problem> {
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
