//! What users add without compiling: tools, which are programs that a researcher may run, and
//! sub-agents, which are researchers with instructions and tools of their own.
//!
//! Each is a file, `tools/NAME.toml` or `agents/NAME.toml`, beside the user's settings or beside
//! the file that `RESEARCH_CONFIG` names, never in the working directory, whose files may be
//! somebody else's. A model chooses a tool by its name and gives it arguments, which are checked
//! against their types and reach the program as JSON on its standard input, never as words of a
//! command.

mod argument;
mod process;
mod sub_agent;
mod tool;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::config;
use crate::pipeline::{Version, read_text};

pub use argument::{Argument, ArgumentType, Arguments};
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
        let mut extensions = Self::default();
        for path in config::trusted_files(TOOLS)? {
            let (name, tool) = parsed::<Tool>(&path)?;
            let tool = tool.checked(name, &path).with_context(|| shown(&path))?;
            extensions.tools.retain(|other| other.name != tool.name);
            extensions.tools.push(tool);
        }
        extensions.tools.sort_by(|a, b| a.name.cmp(&b.name));
        let names: Vec<&str> = extensions
            .tools
            .iter()
            .map(|own| own.name.as_str())
            .collect();
        for path in config::trusted_files(AGENTS)? {
            let (name, agent) = parsed::<SubAgent>(&path)?;
            let agent = agent.checked(name, &names).with_context(|| shown(&path))?;
            extensions.agents.retain(|other| other.name != agent.name);
            extensions.agents.push(agent);
        }
        extensions.agents.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(extensions)
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

/// The definition in a file, and its name, which is that of the file.
fn parsed<T: DeserializeOwned>(path: &Path) -> Result<(String, T)> {
    let text = read_text(path).with_context(|| format!("failed to read {}", path.display()))?;
    let definition = toml::from_str(&text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        anyhow!("{}:{line}: {}", path.display(), error.message())
    })?;
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let name = stem.unwrap_or_default().to_owned();
    check_name(&name).with_context(|| shown(path))?;
    Ok((name, definition))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
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
        "the name {written:?} is not that of the file; rename one of them"
    );
    Ok(())
}
