//! `research mcp`: the Model Context Protocol on standard input and output.

use anyhow::Result;
use clap::Args;

use super::exit::Exit;
use super::help::{self, Group};
use super::resolve::interruption;
use super::serve::Served;
use super::{Action, Command, Program, arguments};
use crate::server;

/// `research mcp`.
pub(super) const COMMAND: Command = Command {
    name: "mcp",
    about: "Serve the sessions to agents over the Model Context Protocol (standard input, output)",
    group: Group::Research,
    examples: &[(
        "Answer an agent's questions from documents",
        "research mcp --docs notes",
    )],
    results: &[],
    define: |command, _| help::with_settings(Served::augment_args(command)),
    action: Action::WithSettings(|program, matches| mcp(program, arguments(matches)?)),
};

fn mcp(program: &Program<'_>, served: Served) -> Result<Exit> {
    let options = served.options(program)?;
    // The server stops at the first Ctrl-C; this ends the program at the second.
    let resume = "start the server again".to_owned();
    let _interrupted = interruption(*program.output, resume)?;
    server::serve_mcp(options)?;
    Ok(Exit::Complete)
}
