//! What users add without compiling: tools, which are programs that a researcher may run or tools
//! of an MCP server, and sub-agents, which are researchers with instructions and tools of their
//! own.
//!
//! Each is a file, `tools/NAME.toml` or `agents/NAME.toml`, beside the user's settings or beside
//! the file that `RESEARCH_CONFIG` names, never in the working directory, whose files may be
//! somebody else's. A model chooses a tool by its name and gives it arguments, which are checked
//! against their types and reach the program as JSON on its standard input, never as words of a
//! command.

mod argument;
mod mcp;
mod process;
mod sub_agent;
mod tool;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Error, Result, anyhow, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::config;
use crate::pipeline::{Version, read_text};

pub use argument::{Argument, ArgumentType, Arguments};
pub use mcp::McpTool;
pub use sub_agent::SubAgent;
pub use tool::{Tool, ToolInterface, is_locator, locator};

/// The built-in actions that a sub-agent can be granted.
pub const BUILT_IN: [&str; 4] = ["search", "read", "open", "think"];

/// The folders of tools and of sub-agents.
const TOOLS: &str = "tools";
const AGENTS: &str = "agents";

/// The maximum length of a name, in characters (chosen by hand).
const NAME: usize = 40;

/// The tools and sub-agents of a user.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Extensions {
    /// The tools, by name.
    pub tools: Vec<Tool>,
    /// The sub-agents, by name.
    pub agents: Vec<SubAgent>,
}

/// The tools and sub-agents as the models of a session see them. They are recorded in the session,
/// so that it sends the same prompts whenever it is resumed or replayed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offered {
    version: Version<1>,
    /// The tools.
    pub tools: Vec<ToolInterface>,
    /// The sub-agents.
    pub agents: Vec<SubAgent>,
}

impl Offered {
    /// `true` if there is nothing to offer.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.agents.is_empty()
    }

    /// The tools of a researcher: all of them, or those of a sub-agent.
    pub fn tools_of(&self, agent: Option<&SubAgent>) -> Vec<ToolInterface> {
        let is_granted =
            |tool: &&ToolInterface| agent.is_none_or(|agent| agent.may_use(&tool.name));
        self.tools.iter().filter(is_granted).cloned().collect()
    }
}

impl Extensions {
    /// The tools and sub-agents in the user's configuration.
    ///
    /// # Errors
    /// When a file cannot be used, with its line.
    pub fn load() -> Result<Self> {
        let (extensions, problems) = Self::load_usable()?;
        problems.into_iter().next().map_or(Ok(extensions), Err)
    }

    /// The tools and sub-agents that can be used, and for each other file the reason why not.
    ///
    /// # Errors
    /// When a folder cannot be listed.
    pub fn load_usable() -> Result<(Self, Vec<Error>)> {
        let mut problems = Vec::new();
        let tools = definitions(TOOLS, &mut problems, |name, path, tool: Tool| {
            tool.checked(name, path)
        })?;
        let names: Vec<String> = tools.keys().cloned().collect();
        let agents = definitions(AGENTS, &mut problems, |name, _, agent: SubAgent| {
            agent.checked(name, &names)
        })?;
        let extensions = Self {
            tools: tools.into_values().collect(),
            agents: agents.into_values().collect(),
        };
        Ok((extensions, problems))
    }

    /// The tools and sub-agents as models see them.
    pub fn offered(&self) -> Offered {
        Offered {
            version: Version,
            tools: self.tools.iter().map(Tool::interface).collect(),
            agents: self.agents.clone(),
        }
    }

    /// The tool of this name.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// The folders of tools and sub-agents in the working directory, of which nothing is used.
    pub fn untrusted_folders() -> Vec<PathBuf> {
        let folders = [TOOLS, AGENTS].into_iter();
        folders.flat_map(config::untrusted_folders).collect()
    }
}

/// The definitions in the trusted files of a folder, by name, and the problems of those that cannot
/// be used. A file in a folder that is read later replaces one of the same name.
fn definitions<T: DeserializeOwned>(
    folder: &str,
    problems: &mut Vec<Error>,
    check: impl Fn(String, &Path, T) -> Result<T>,
) -> Result<BTreeMap<String, T>> {
    let mut usable = BTreeMap::new();
    for path in config::trusted_files(folder)? {
        match definition(&path, &check) {
            Ok((name, definition)) => drop(usable.insert(name, definition)),
            Err(problem) => problems.push(problem),
        }
    }
    Ok(usable)
}

/// The checked definition in a file, and its name, which is that of the file.
fn definition<T: DeserializeOwned>(
    path: &Path,
    check: impl Fn(String, &Path, T) -> Result<T>,
) -> Result<(String, T)> {
    let text = read_text(path).with_context(|| format!("failed to read {}", path.display()))?;
    let at = |line: usize, problem: &str| {
        let path = path.display();
        anyhow!("{path}:{line}: {problem}; correct the file or move it away")
    };
    let definition = toml::from_str(&text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        at(line, error.message())
    })?;
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let name = stem.unwrap_or_default().to_owned();
    let checked = check_name(&name).and_then(|()| check(name.clone(), path, definition));
    let definition = checked.map_err(|error| {
        let key = error.downcast_ref().map_or("", |fault: &Fault| fault.key);
        at(line_of(&text, key), &format!("{error:#}"))
    })?;
    Ok((name, definition))
}

/// The line of a key, or of the first table of its name, from 1; the first line if there is none.
fn line_of(text: &str, key: &str) -> usize {
    let is_key = |line: &str| {
        let line = line.trim_start_matches(['[', ' ']);
        let rest = line.strip_prefix(key).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with(['=', ']']))
    };
    text.lines().position(is_key).map_or(1, |index| index + 1)
}

/// The fault of a definition.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
struct Fault {
    /// The key that is at fault.
    key: &'static str,
    /// The reason.
    problem: String,
}

fn fault(key: &'static str, problem: impl Into<String>) -> Fault {
    let problem = problem.into();
    Fault { key, problem }
}

/// Checks that a name can stand in a prompt, in an address and in a file.
fn check_name(name: &str) -> Result<()> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-".contains(c);
    ensure!(
        (1..=NAME).contains(&name.len()) && name.chars().all(is_plain),
        "the name {name:?} must be made of at most {NAME} lower-case letters, digits, - and _"
    );
    ensure!(
        !BUILT_IN.contains(&name) && !["tool", "finish"].contains(&name),
        "the name {name:?} is that of a built-in action; choose another"
    );
    Ok(())
}

/// Checks that a name in a definition, which may be left out, is that of its file.
fn check_same_name(written: &str, name: &str) -> Result<()> {
    ensure!(
        written.is_empty() || written == name,
        fault(
            "name",
            format!("the name {written:?} is not that of the file")
        )
    );
    Ok(())
}
