//! Tools of MCP servers (Model Context Protocol): a session with a server that is a program, spoken
//! to over its standard input and output, or that listens at an address (streamable HTTP).
//!
//! The user's file says which tool with which arguments. What a server says of its tools is looked
//! at by the check of the settings alone, so that it puts no words into a prompt.

use std::fmt::Display;
use std::io::{PipeWriter, Read as _};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use futures::channel::oneshot;
use rmcp::ServiceExt as _;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ContentBlock, PaginatedRequestParams, ResourceContents,
    Tool as ListedTool,
};
use rmcp::service::{ClientInitializeError, Peer, RoleClient, RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde::Deserialize;
use serde_json::Value;
use tempfile::{NamedTempFile, TempDir};
use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::time::{sleep, timeout};
use url::Url;

use super::argument::{Argument, Arguments};
use super::fault;
use super::process::{ERROR_BYTES, Program, last_line};
use crate::config;
use crate::model::{http_client, is_on_this_machine};
use crate::platform::{conversing_command, has_exited, kill_process_group, pipes_of};
use crate::text::{one_line, truncate_with_ellipsis};

/// The room for what the protocol adds to the output of a tool, in bytes: an introduction, and each
/// text as JSON, perhaps a second time as structured content (chosen by hand).
const PROTOCOL_BYTES: u64 = 256 * 1024;
const PROTOCOL_FACTOR: u64 = 4;

/// The maximum number of pages of a server's list of tools.
const PAGES: usize = 20;

/// The time in which a server may end by itself when its input ends, and the interval at which it
/// is polled (chosen by hand).
const GRACE: Duration = Duration::from_millis(500);
const POLL: Duration = Duration::from_millis(2);

/// The maximum length of a server's problem that is shown, in characters.
const PROBLEM_CHARACTERS: usize = 200;

/// The part of a tool's file that makes it one of an MCP server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct McpTool {
    /// Its name on the server; empty for that of the file.
    #[serde(default)]
    pub tool: String,
    /// The address of a server that listens; else the command is the server.
    #[serde(default)]
    pub url: Option<String>,
    /// The environment variable with the bearer token for that address.
    #[serde(default)]
    pub token_variable: Option<String>,
}

impl McpTool {
    /// Checks the definition.
    pub(super) fn check(&self) -> Result<()> {
        let Some(url) = &self.url else {
            ensure!(
                self.token_variable.is_none(),
                fault("token_variable", "a token is for a server with a url")
            );
            return Ok(());
        };
        let scheme = Url::parse(url).map(|url| url.scheme().to_owned());
        ensure!(
            matches!(scheme.as_deref(), Ok("http" | "https")),
            fault("url", format!("{url:?} is no address of http or https"))
        );
        ensure!(
            self.token_variable.is_none() || url.starts_with("https:") || is_on_this_machine(url),
            fault("url", "a token is sent by https only, or to this machine")
        );
        Ok(())
    }

    /// The server at the address, with its token; `None` if the command is the server.
    pub(super) fn listening(&self) -> Result<Option<Server>, String> {
        let Some(url) = self.url.clone() else {
            return Ok(None);
        };
        let token = |name: &String| {
            config::variable(name)
                .ok_or_else(|| format!("needs a token in {name}, which is not set"))
        };
        let token = self.token_variable.as_ref().map(token).transpose()?;
        Ok(Some(Server::Address { url, token }))
    }
}

/// A server.
pub(super) enum Server {
    /// A program with its limits.
    Program(Program),
    /// An address, with a bearer token if it wants one.
    Address { url: String, token: Option<String> },
}

/// A client for one session with a server.
pub(super) struct Client {
    pub(super) server: Server,
    /// The time limit of the session.
    pub(super) timeout: Duration,
    /// The limit of the output of a tool, in bytes.
    pub(super) max_bytes: u64,
}

impl Client {
    /// Calls a tool; returns the texts of its result.
    pub(super) async fn call(self, tool: &str, arguments: Arguments) -> Result<Vec<u8>, String> {
        let max_bytes = self.max_bytes;
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        self.session(async move |server: &Peer<RoleClient>| {
            let result = server.call_tool(request).await;
            text(&result.map_err(failure)?, max_bytes)
        })
        .await
    }

    /// Checks that the server lists a tool that takes these arguments.
    pub(super) async fn check(self, tool: &str, arguments: &[Argument]) -> Result<(), String> {
        let listed = self.session(async |server: &Peer<RoleClient>| list(server).await);
        check_listed(&listed.await?, tool, arguments)
    }

    /// Holds a session with the server on a thread of its own, which may take its time.
    async fn session<T: Send + 'static>(
        self,
        ask: impl AsyncFnOnce(&Peer<RoleClient>) -> Result<T, String> + Send + 'static,
    ) -> Result<T, String> {
        let (sender, result) = oneshot::channel();
        thread::spawn(move || sender.send(self.session_blocking(ask)));
        let ended = result.await;
        ended.unwrap_or_else(|_| Err("was abandoned".to_owned()))
    }

    fn session_blocking<T>(
        self,
        ask: impl AsyncFnOnce(&Peer<RoleClient>) -> Result<T, String>,
    ) -> Result<T, String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(unprepared)?;
        let limit = self.timeout;
        let ended = runtime.block_on(async { timeout(limit, self.connect_and_ask(ask)).await });
        // A look-up of a name that goes on and on is not waited for.
        runtime.shutdown_background();
        let seconds = limit.as_secs();
        ended.unwrap_or_else(|_| Err(format!("took longer than {seconds} s and was stopped")))
    }

    async fn connect_and_ask<T>(
        self,
        ask: impl AsyncFnOnce(&Peer<RoleClient>) -> Result<T, String>,
    ) -> Result<T, String> {
        let limit = self.max_bytes.saturating_mul(PROTOCOL_FACTOR) + PROTOCOL_BYTES;
        match self.server {
            Server::Program(program) => {
                let (running, input, output) = Running::start(&program)?;
                let transport = (output.take(limit), input);
                let answered = ask_and_close(().serve(transport).await, ask).await;
                let answered = answered.map_err(|problem| running.explain(problem));
                running.end().await;
                answered
            }
            Server::Address { url, token } => {
                let client = http_client(&url, None).map_err(unprepared)?;
                let mut config = StreamableHttpClientTransportConfig::with_uri(url);
                config.auth_header = token;
                let limit = usize::try_from(limit).unwrap_or(usize::MAX);
                config.max_json_response_size = limit;
                config.max_sse_event_size = limit;
                let transport = StreamableHttpClientTransport::with_client(client, config);
                ask_and_close(().serve(transport).await, ask).await
            }
        }
    }
}

/// Asks a server, if the session could be opened, and closes the session.
async fn ask_and_close<T>(
    service: Result<RunningService<RoleClient, ()>, ClientInitializeError>,
    ask: impl AsyncFnOnce(&Peer<RoleClient>) -> Result<T, String>,
) -> Result<T, String> {
    let problem = |error: ClientInitializeError| {
        let error = shown(&error.to_string());
        format!("does not answer as an MCP server: {error}")
    };
    let service = service.map_err(problem)?;
    let answered = ask(service.peer()).await;
    // What the server says to its end changes nothing.
    let _ = service.cancel().await;
    answered
}

/// A server that is a program; it ends, with all that it started, when this is dropped.
struct Running {
    child: Child,
    /// What it writes on standard error.
    errors: NamedTempFile,
    /// The server ends when this is closed.
    _alive: PipeWriter,
    /// Its working directory, which is removed.
    _directory: TempDir,
}

impl Running {
    /// Starts a program, which gets the environment that the tool names; returns its input and
    /// output besides.
    fn start(program: &Program) -> Result<(Self, Sender, Receiver), String> {
        let directory = TempDir::new().map_err(unprepared)?;
        let errors = NamedTempFile::new().map_err(unprepared)?;
        let (mut command, alive) =
            conversing_command(&program.program, errors.path().as_os_str()).map_err(unprepared)?;
        let mut child = program
            .prepared(&mut command, directory.path())
            .spawn()
            .map_err(|error| format!("does not start: {error}"))?;
        let pipes = pipes_of(&mut child);
        let running = Self {
            child,
            errors,
            _alive: alive,
            _directory: directory,
        };
        let (input, output) = pipes.map_err(unprepared)?;
        Ok((running, input, output))
    }

    /// The problem, with the last line that the server wrote on standard error.
    fn explain(&self, problem: String) -> String {
        let mut written = Vec::new();
        let read = self.errors.reopen().and_then(|file| {
            let mut beginning = file.take(ERROR_BYTES);
            beginning.read_to_end(&mut written)
        });
        match read.ok().and_then(|_| last_line(&written)) {
            Some(line) => format!("{problem}; it wrote: {line}"),
            None => problem,
        }
    }

    /// Waits for the server to end by itself, since its input has ended.
    async fn end(self) {
        let deadline = Instant::now() + GRACE;
        while !has_exited(self.child.id()) && Instant::now() < deadline {
            sleep(POLL).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        kill_process_group(self.child.id());
        // It was killed: there is nothing to learn from its status.
        let _ = self.child.wait();
    }
}

/// The tools that a server lists.
async fn list(server: &Peer<RoleClient>) -> Result<Vec<ListedTool>, String> {
    let mut tools = Vec::new();
    let mut cursor = None;
    for _ in 0..PAGES {
        let page = PaginatedRequestParams::default().with_cursor(cursor.take());
        let listed = server.list_tools(Some(page)).await.map_err(failure)?;
        tools.extend(listed.tools);
        cursor = listed.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    Ok(tools)
}

/// Checks that a tool is listed, and that its schema agrees with the arguments of the file.
fn check_listed(listed: &[ListedTool], name: &str, arguments: &[Argument]) -> Result<(), String> {
    let Some(tool) = listed.iter().find(|tool| tool.name == name) else {
        let names: Vec<&str> = listed.iter().map(|tool| &*tool.name).collect();
        let names = shown(&names.join(", "));
        return Err(format!("is {name:?} on a server that has only: {names}"));
    };
    let required = tool.input_schema.get("required").and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    let is_defined = |name: &&str| arguments.iter().any(|argument| argument.name == **name);
    if let Some(missing) = required.into_iter().find(|name| !is_defined(name)) {
        let missing = shown(missing);
        return Err(format!(
            "needs the argument {missing:?}, which its file does not define"
        ));
    }
    let properties = tool
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let is_unknown = |argument: &&Argument| {
        properties.is_some_and(|properties| !properties.contains_key(&argument.name))
    };
    match arguments.iter().find(is_unknown) {
        Some(unknown) => Err(format!(
            "takes no argument {:?} on its server",
            unknown.name
        )),
        None => Ok(()),
    }
}

/// The texts of a result, or else its structured value.
fn text(result: &CallToolResult, max_bytes: u64) -> Result<Vec<u8>, String> {
    let texts: Vec<&str> = result.content.iter().filter_map(text_of).collect();
    let text = match &result.structured_content {
        Some(value) if texts.is_empty() => value.to_string(),
        _ => texts.join("\n\n"),
    };
    if result.is_error == Some(true) {
        return Err(format!("failed: {}", shown(&text)));
    }
    if text.len() as u64 > max_bytes {
        return Err(format!("said more than {} KiB", max_bytes / 1024));
    }
    Ok(text.into_bytes())
}

/// The text of a block of a result; pictures and sounds have none, and links are not followed.
fn text_of(block: &ContentBlock) -> Option<&str> {
    match block {
        ContentBlock::Text(block) => Some(&block.text),
        ContentBlock::Resource(block) => match &block.resource {
            ResourceContents::TextResourceContents { text, .. } => Some(text),
            _ => None,
        },
        _ => None,
    }
}

fn failure(error: ServiceError) -> String {
    match error {
        ServiceError::McpError(error) => format!("failed: {}", shown(&error.message)),
        ServiceError::TransportClosed => "ended the session, or said far too much".to_owned(),
        error => format!("failed: {}", shown(&error.to_string())),
    }
}

fn unprepared(error: impl Display) -> String {
    format!("could not be prepared: {error}")
}

fn shown(problem: &str) -> String {
    let plain = problem.replace(|c: char| c.is_control(), " ");
    truncate_with_ellipsis(&one_line(&plain), PROBLEM_CHARACTERS).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::extension::ArgumentType;

    fn mcp(url: &str, token: Option<&str>) -> Result<()> {
        let (url, token_variable) = (Some(url.to_owned()), token.map(str::to_owned));
        let tool = String::new();
        McpTool {
            tool,
            url,
            token_variable,
        }
        .check()
    }

    #[test]
    fn tokens_go_to_this_machine_or_by_https() {
        for (url, token, is_good) in [
            ("https://example.org/mcp", Some("TOKEN"), true),
            ("http://127.0.0.1:1/mcp", Some("TOKEN"), true),
            ("http://example.org/mcp", None, true),
            ("http://example.org/mcp", Some("TOKEN"), false),
            ("file:///etc/passwd", None, false),
            ("no address", None, false),
        ] {
            assert_eq!(mcp(url, token).is_ok(), is_good, "{url}");
        }
    }

    #[test]
    fn arguments_of_a_file_are_those_of_the_schema() {
        let schema = json!({
            "type": "object", "properties": {"query": {}, "limit": {}}, "required": ["query"],
        });
        let schema = schema.as_object().unwrap().clone();
        let listed = [ListedTool::new("search", "Searches.", schema)];
        let check = |tool: &str, names: &[&str]| {
            let argument = |name: &&str| Argument {
                name: (*name).to_owned(),
                argument_type: ArgumentType::Text,
                description: String::new(),
                required: false,
                values: Vec::new(),
            };
            let arguments: Vec<Argument> = names.iter().map(argument).collect();
            check_listed(&listed, tool, &arguments)
        };
        assert_eq!(check("search", &["query", "limit"]), Ok(()));
        for (tool, names, problem) in [
            (
                "find",
                &["query"][..],
                "is \"find\" on a server that has only: search",
            ),
            (
                "search",
                &["limit"],
                "needs the argument \"query\", which its file does not define",
            ),
            (
                "search",
                &["query", "q"],
                "takes no argument \"q\" on its server",
            ),
        ] {
            assert_eq!(check(tool, names), Err(problem.to_owned()));
        }
    }

    #[test]
    fn texts_of_a_result_are_its_output() {
        let result = |value| serde_json::from_value::<CallToolResult>(value).unwrap();
        let texts = json!([
            {"type": "text", "text": "One."},
            {"type": "image", "data": "", "mimeType": "image/png"},
            {"type": "resource", "resource": {"uri": "a:b", "text": "Two."}},
        ]);
        let read = text(&result(json!({"content": texts})), 20).unwrap();
        assert_eq!(String::from_utf8_lossy(&read), "One.\n\nTwo.");
        let structured = result(json!({"content": [], "structuredContent": {"a": 1}}));
        assert_eq!(text(&structured, 20).unwrap(), b"{\"a\":1}");
        assert_eq!(
            text(&result(json!({"content": texts})), 5).unwrap_err(),
            "said more than 0 KiB"
        );
        let failed =
            result(json!({"content": [{"type": "text", "text": "a\nb"}], "isError": true}));
        assert_eq!(text(&failed, 20).unwrap_err(), "failed: a b");
    }
}
