//! `research prompts`: lists the prompts of the agents, prints one, or renders it for a session.

use std::fmt::Write;

use anyhow::{Context as _, Result, anyhow};
use clap::Args;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

use super::command::SESSION_HELP;
use super::exit::{self, Exit};
use super::help::Group;
use super::words::truncated;
use super::{Action, Command, Program, arguments};
use crate::agent::AGENTS;
use crate::run;

/// `research prompts`.
pub(super) const COMMAND: Command = Command {
    name: "prompts",
    about: "List the prompts of the agents, print one, or render it for a session",
    group: Group::Setup,
    examples: &[
        ("List the prompts", "research prompts"),
        (
            "Render one as a session would send it",
            "research prompts writer last",
        ),
    ],
    results: &[
        ("prompts", || schema_for!(Vec<ListedPrompt>)),
        ("prompt", || schema_for!(PrintedPrompt<'_>)),
    ],
    define: |command, _| PromptsArgs::augment_args(command),
    action: Action::WithSettings(|program, matches| prompts(program, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct PromptsArgs {
    /// Name of a prompt, such as `planner`
    #[arg(value_name = "PROMPT")]
    name: Option<String>,

    #[arg(help = SESSION_HELP)]
    session: Option<String>,
}

/// One prompt, for programs.
#[derive(Serialize, JsonSchema)]
struct PrintedPrompt<'a> {
    name: &'a str,
    /// The template, or what it renders to for a session.
    text: &'a str,
}

/// A line of the list of prompts.
#[derive(Serialize, JsonSchema)]
struct ListedPrompt {
    name: String,
    /// `true` if it comes from the directory in the settings.
    overridden: bool,
    /// Its first line of text.
    #[serde(rename = "begins")]
    first_line: String,
}

fn prompts(program: &Program<'_>, arguments: &PromptsArgs) -> Result<Exit> {
    let prompts = run::prompts(&program.settings).map_err(exit::usage)?;
    let Some(name) = arguments.name.as_deref() else {
        let listed: Vec<ListedPrompt> = prompts
            .names()
            .map(|(name, overridden)| ListedPrompt {
                name: name.to_owned(),
                overridden,
                first_line: first_line(prompts.source(name).unwrap_or_default()),
            })
            .collect();
        return list(program, &listed);
    };
    let source = prompts.source(name).ok_or_else(|| {
        let names: Vec<&str> = prompts.names().map(|(name, _)| name).collect();
        exit::usage(anyhow!(
            "there is no prompt {name:?}; available: {}",
            names.join(", ")
        ))
    })?;
    // Without a session, the template itself, with its placeholders.
    let Some(session) = &arguments.session else {
        return print(program, name, source);
    };
    let path = program.find(session)?;
    let rendered = run::render_prompt(&path, &program.settings, &prompts, AGENTS, name)
        .with_context(|| {
            format!(
                "the prompt {name} cannot be rendered for {}",
                path.display()
            )
        })?;
    print(program, name, &format!("{rendered}\n"))
}

fn print(program: &Program<'_>, name: &str, text: &str) -> Result<Exit> {
    if program.output.json {
        return program.output.value(&PrintedPrompt { name, text });
    }
    program.output.text(text)
}

fn list(program: &Program<'_>, listed: &[ListedPrompt]) -> Result<Exit> {
    if program.output.json {
        return program.output.value(&listed);
    }
    let mut text = String::new();
    for prompt in listed {
        let mark = if prompt.overridden { "custom" } else { "" };
        let _ = writeln!(text, "{:<12} {mark:<6} {}", prompt.name, prompt.first_line);
    }
    program.output.text(&text)
}

fn first_line(source: &str) -> String {
    let is_text = |line: &&str| !line.trim().is_empty() && !line.starts_with("{%");
    let first = source.lines().find(is_text);
    truncated(first.unwrap_or_default(), 90)
}
