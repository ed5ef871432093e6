//! Tools: programs that a researcher may run, or tools of MCP servers, each with typed arguments.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use url::Url;

use super::argument::{Argument, Arguments, checked};
use super::mcp::{Client, McpTool, Server};
use super::process::Program;
use super::{check_same_name, fault};

/// The longest time limit of a tool, in seconds, and its largest output, in KiB (chosen by hand).
const MAX_SECONDS: u64 = 600;
const MAX_KIBIBYTES: u64 = 1024;

/// The environment variables that every tool gets.
const ENVIRONMENT: [&str; 3] = ["PATH", "HOME", "LANG"];

/// The scheme of a tool's results as sources: `tool:NAME?argument=value`.
const SCHEME: &str = "tool";

/// A tool: a file `tools/NAME.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The name, which is that of the file.
    #[serde(default)]
    pub name: String,
    /// What it answers, as the model reads it.
    pub description: String,
    /// The arguments.
    #[serde(default)]
    pub arguments: Vec<Argument>,
    /// The program and its arguments; a word that begins with `./` is a path beside the file. Empty
    /// for a server that listens at an address.
    #[serde(default)]
    pub command: Vec<String>,
    /// The tool of an MCP server, if it is one.
    #[serde(default)]
    pub mcp: Option<McpTool>,
    /// The environment variables that it gets besides `PATH`, `HOME` and `LANG`.
    #[serde(default)]
    pub environment: Vec<String>,
    /// The time limit, in seconds.
    #[serde(default = "default_seconds")]
    pub timeout_seconds: u64,
    /// The limit of its output, in KiB.
    #[serde(default = "default_kibibytes")]
    pub max_kibibytes: u64,
}

fn default_seconds() -> u64 {
    10
}

fn default_kibibytes() -> u64 {
    64
}

/// A tool as models see it, and as it is recorded in a session: without its command, which comes
/// from the user's configuration alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolInterface {
    /// The name.
    pub name: String,
    /// What it answers.
    pub description: String,
    /// The arguments.
    pub arguments: Vec<Argument>,
}

impl Tool {
    /// The definition in the file at `path`, checked, with absolute paths.
    pub(super) fn checked(mut self, name: String, path: &Path) -> Result<Self> {
        check_same_name(&self.name, &name)?;
        self.name = name;
        ensure!(
            !self.description.trim().is_empty(),
            fault("description", "the description is empty")
        );
        self.check_server()?;
        for (key, value, limit) in [
            ("timeout_seconds", self.timeout_seconds, MAX_SECONDS),
            ("max_kibibytes", self.max_kibibytes, MAX_KIBIBYTES),
        ] {
            ensure!(
                (1..=limit).contains(&value),
                fault(key, format!("{key} must be 1 to {limit}"))
            );
        }
        for (index, argument) in self.arguments.iter().enumerate() {
            let checked = argument.check();
            checked.map_err(|error| fault("arguments", format!("{error:#}")))?;
            let mut others = self.arguments[..index].iter();
            ensure!(
                others.all(|other| other.name != argument.name),
                fault(
                    "arguments",
                    format!("the argument {:?} is defined twice", argument.name)
                )
            );
        }
        let directory = path.parent().unwrap_or(Path::new("."));
        let directory = std::path::absolute(directory)?;
        for word in &mut self.command {
            if let Some(rest) = word.strip_prefix("./") {
                *word = directory.join(rest).display().to_string();
            }
        }
        Ok(self)
    }

    /// Checks that there is either a program or the address of a server.
    fn check_server(&self) -> Result<()> {
        if self.url().is_some() {
            let problem = "an MCP server has either a command, with its environment, or a url";
            ensure!(self.command.is_empty(), fault("command", problem));
            ensure!(self.environment.is_empty(), fault("environment", problem));
        } else {
            let problem = "the command names no program";
            ensure!(!self.command.is_empty(), fault("command", problem));
        }
        self.mcp.as_ref().map_or(Ok(()), McpTool::check)
    }

    /// The address of its server, if it has one.
    fn url(&self) -> Option<&str> {
        self.mcp.as_ref()?.url.as_deref()
    }

    /// The tool as models see it.
    pub fn interface(&self) -> ToolInterface {
        ToolInterface {
            name: self.name.clone(),
            description: self.description.clone(),
            arguments: self.arguments.clone(),
        }
    }

    /// The program, looked up in `PATH` if it is no path.
    ///
    /// # Errors
    /// When there is no such file.
    pub fn program(&self) -> Result<PathBuf> {
        let name = self.command.first().map(Path::new).unwrap_or(Path::new(""));
        let path = env::var_os("PATH").unwrap_or_default();
        let program = if name.is_absolute() {
            Some(name.to_owned()).filter(|path| path.is_file())
        } else {
            // As the shell does, but for empty entries, which mean the working directory.
            env::split_paths(&path)
                .filter(|directory| directory.is_absolute() && name.components().count() == 1)
                .map(|directory| directory.join(name))
                .find(|path| path.is_file())
        };
        program.with_context(|| {
            format!(
                "tools/{}.toml: there is no program {:?}; install it, or name its path in command",
                self.name,
                name.display().to_string()
            )
        })
    }

    /// Checks that the program is there, or that the server answers and has the tool; returns what
    /// is run, for people.
    ///
    /// # Errors
    /// When it cannot be run.
    pub async fn check(&self) -> Result<String> {
        let Some(mcp) = &self.mcp else {
            return Ok(format!("{} runs {}", self.name, self.program()?.display()));
        };
        let tool = self.tool_of(mcp);
        let server = match self.url() {
            Some(url) => url.to_owned(),
            None => self.program()?.display().to_string(),
        };
        let client = self.client(mcp);
        let checked = match client {
            Ok(client) => client.check(tool, &self.arguments).await,
            Err(problem) => Err(problem),
        };
        checked.map_err(|problem| anyhow!("tools/{}.toml: the tool {problem}", self.name))?;
        Ok(format!(
            "{} is {tool} of the MCP server {server}",
            self.name
        ))
    }

    /// Runs the tool with arguments, which are checked again; returns its output.
    ///
    /// # Errors
    /// The problem in words for the model and the report.
    pub async fn run(&self, arguments: &Arguments) -> Result<Vec<u8>, String> {
        let arguments = checked(&self.arguments, arguments)?;
        let run = match &self.mcp {
            Some(mcp) => match self.client(mcp) {
                Ok(client) => client.call(self.tool_of(mcp), arguments).await,
                Err(problem) => Err(problem),
            },
            None => {
                let input = Value::Object(arguments).to_string();
                self.limited_program()?.run(input).await
            }
        };
        run.map_err(|problem| format!("the tool {} {problem}", self.name))
    }

    /// The name of the tool on its server.
    fn tool_of<'t>(&'t self, mcp: &'t McpTool) -> &'t str {
        Some(mcp.tool.as_str())
            .filter(|name| !name.is_empty())
            .unwrap_or(&self.name)
    }

    /// The client for a session with its server.
    fn client(&self, mcp: &McpTool) -> Result<Client, String> {
        let server = match mcp.listening()? {
            Some(server) => server,
            None => Server::Program(self.limited_program()?),
        };
        Ok(Client {
            server,
            timeout: Duration::from_secs(self.timeout_seconds),
            max_bytes: self.max_kibibytes * 1024,
        })
    }

    /// The program with its limits.
    fn limited_program(&self) -> Result<Program, String> {
        let program = self.program().map_err(|error| error.to_string())?;
        let names = self.environment.iter().map(String::as_str);
        Ok(Program {
            program,
            words: self.command[1..].to_vec(),
            environment: ENVIRONMENT
                .into_iter()
                .chain(names)
                .filter_map(|name| Some((name.to_owned(), env::var_os(name)?)))
                .collect(),
            timeout: Duration::from_secs(self.timeout_seconds),
            max_bytes: self.max_kibibytes * 1024,
        })
    }
}

impl ToolInterface {
    /// The arguments of a call, checked against their types, in the order of the definition.
    ///
    /// # Errors
    /// The reason in words that a model can act on.
    pub fn checked(&self, given: &Map<String, Value>) -> Result<Arguments, String> {
        checked(&self.arguments, given)
    }
}

/// The locator of what a tool returned as a source: `tool:NAME?argument=value`.
///
/// # Errors
/// When the name is not that of a tool.
pub fn locator(name: &str, arguments: &Arguments) -> Result<Url> {
    let mut url = Url::parse(&format!("{SCHEME}:{name}"))
        .with_context(|| format!("{name:?} is no name of a tool"))?;
    for (name, value) in arguments {
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        url.query_pairs_mut().append_pair(name, &text);
    }
    Ok(url)
}

/// `true` for the locator of what a tool returned.
pub fn is_locator(address: &str) -> bool {
    address
        .split_once(':')
        .is_some_and(|(scheme, _)| scheme == SCHEME)
}
