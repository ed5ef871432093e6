//! Renders a prompt as it would be sent for a session, from its current files.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::json;

use crate::agent::backend::Prompts;
use crate::agent::{AgentInfo, SessionView};
use crate::config::Settings;
use crate::model::calls;
use crate::pipeline::read_file;
use crate::session;

/// Renders the prompt `name` for the session at `path`: the prompt of one of `agents`, or a prompt
/// that all agents share.
///
/// # Errors
/// When there is no such prompt, or the files that it is made from do not exist yet.
pub fn render_prompt(
    path: &Path,
    settings: &Settings,
    prompts: &Prompts,
    agents: &[AgentInfo],
    name: &str,
) -> Result<String> {
    let session = session::read(path)?;
    let view = SessionView {
        session: &session,
        settings,
        read: &|file| read_file(&path.join(file)),
    };
    let context = match name {
        // The shared prompts: the system prompt of every call, and the parts that other prompts
        // include.
        "workflow" => json!({"date": session.started_at.split('T').next()}),
        "delegation" => json!({}),
        _ if name.starts_with("reports/") => json!({}),
        "observation" => bail!("it is part of the researcher's: research prompts researcher"),
        _ => {
            let Some(agent) = agents.iter().find(|agent| agent.name == name) else {
                bail!("there is no such prompt");
            };
            match (agent.preview)(&view)? {
                Some(context) => context,
                // Its input is made from search results, which are in no file of the session.
                None => return first_recorded(path, name),
            }
        }
    };
    prompts.render(name, context)
}

/// The prompt of an agent's first call, as the journal of the session recorded it.
fn first_recorded(path: &Path, name: &str) -> Result<String> {
    let first = calls(path)?
        .into_iter()
        .find(|call| call.agent == name)
        .with_context(|| {
            format!(
                "the prompt of the {name} holds search results, which are only recorded in the \
                 journal of a session in which a model answered"
            )
        })?;
    // The first message is the system prompt, the second the prompt of the agent.
    let message = first.messages.into_iter().nth(1);
    Ok(message.map(|message| message.text).unwrap_or_default())
}
