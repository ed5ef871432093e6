//! Sub-agents: researchers with instructions and tools of their own, to whom the planner may
//! delegate steps.

use anyhow::{Context as _, Result, ensure};
use minijinja::{Environment, UndefinedBehavior, context};
use serde::{Deserialize, Serialize};

use super::{BUILT_IN, check_same_name, fault};

/// A sub-agent: a file `agents/NAME.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubAgent {
    /// The name, which is that of the file.
    #[serde(default)]
    pub name: String,
    /// What it is good at, as the planner reads it.
    pub description: String,
    /// Its instructions, a template of `date` and `topic`, which follow those of the researcher.
    pub prompt: String,
    /// The built-in actions and the tools that it may use; `finish` is everybody's.
    pub tools: Vec<String>,
    /// The places that it searches; empty for all of the session.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<String>,
}

impl SubAgent {
    /// The definition in a file of this name, checked; `tools` are the names of all tools.
    pub(super) fn checked(mut self, name: String, tools: &[String]) -> Result<Self> {
        check_same_name(&self.name, &name)?;
        self.name = name;
        for (key, text) in [("description", &self.description), ("prompt", &self.prompt)] {
            ensure!(
                !text.trim().is_empty(),
                fault(key, format!("the {key} is empty"))
            );
        }
        for tool in &self.tools {
            let own = tools.iter().map(String::as_str);
            let known = Vec::from_iter(BUILT_IN.into_iter().chain(own));
            ensure!(
                known.contains(&tool.as_str()),
                fault(
                    "tools",
                    format!(
                        "there is no usable tool {tool:?}; there are {}",
                        known.join(", ")
                    )
                )
            );
        }
        let rendered = self.instructions("", "");
        rendered.map_err(|error| fault("prompt", format!("{error:#}")))?;
        Ok(self)
    }

    /// Its instructions on a topic, at a date.
    ///
    /// # Errors
    /// When the prompt is not a valid template, or uses another value.
    pub fn instructions(&self, date: &str, topic: &str) -> Result<String> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        let rendered = environment.render_str(&self.prompt, context! { date, topic });
        rendered.context("the prompt is a template in which date and topic can be used")
    }

    /// `true` if it may use a tool, built-in or not.
    pub fn may_use(&self, tool: &str) -> bool {
        self.tools.iter().any(|own| own == tool)
    }

    /// `true` if it searches this place.
    pub fn searches(&self, service: &str) -> bool {
        self.services.is_empty() || self.services.iter().any(|own| own == service)
    }
}
