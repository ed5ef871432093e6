//! A prompt as it would be rendered for a session, from what its files hold by now.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::json;

use crate::agent::backend::Prompts;
use crate::agent::{AgentInfo, SessionView};
use crate::config::Settings;
use crate::model::calls;
use crate::pipeline::read_file;
use crate::session;

/// Renders the prompt `name` for the session at `path`, which is one of these agents' or shared.
///
/// # Errors
/// When the files that it is made from are not there yet.
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
        read: &|file| read_file(&path.join(file)).ok(),
    };
    let context = match name {
        "workflow" => json!({"date": session.started_at.split('T').next()}),
        "delegation" => json!({}),
        _ => {
            let Some(agent) = agents.iter().find(|agent| agent.name == name) else {
                bail!("there is no such prompt");
            };
            match (agent.preview)(&view)? {
                Some(context) => context,
                None => return journalled(path, name),
            }
        }
    };
    prompts.render(name, context)
}

/// What an agent that sees searches was told first, as the journal keeps it.
fn journalled(path: &Path, name: &str) -> Result<String> {
    let mut calls = calls(path)?.into_iter().filter(|call| call.agent == name);
    let first = calls.next().with_context(|| {
        format!("the {name} is told what searches found, which only the journal of a session keeps that a model answered")
    })?;
    let message = first.messages.into_iter().nth(1);
    Ok(message.map(|message| message.text).unwrap_or_default())
}
