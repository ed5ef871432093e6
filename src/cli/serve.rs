//! `research serve`: the HTTP server.

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::args::ModelArgs;
use super::exit::{self, Exit};
use super::help::{self, Group};
use super::resolve::{backend, interruption, with_model_args};
use super::{Action, Command, Program, arguments};
use crate::read::{self, Kinds};
use crate::server::{self, Options};
use crate::session;

/// `research serve`.
pub(super) const COMMAND: Command = Command {
    name: "serve",
    about: "Serve the sessions over HTTP, for programs and for a browser",
    group: Group::Research,
    examples: &[(
        "Serve the sessions on this machine, with documents for all questions",
        "research serve --docs notes",
    )],
    define: |command, _| help::with_settings(ServeArgs::augment_args(command)),
    action: Action::WithSettings(|program, matches| serve(program, arguments(matches)?)),
};

/// The heading of the server's own options.
const SERVER: &str = "Server";

#[derive(Debug, Args)]
struct ServeArgs {
    /// Address to listen on; port 0 takes a free one
    #[arg(help_heading = SERVER, long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,

    /// File or directory of documents that questions are answered from; may be repeated
    #[arg(help_heading = SERVER, long, value_name = "PATH")]
    docs: Vec<PathBuf>,

    /// Go on with the sessions whose last run was interrupted
    #[arg(help_heading = SERVER, long)]
    resume_interrupted: bool,

    #[command(flatten)]
    model_args: ModelArgs,
}

/// The address, for other programs.
#[derive(Serialize)]
struct Listening {
    url: String,
}

fn serve(program: &Program<'_>, arguments: ServeArgs) -> Result<Exit> {
    let mut program = with_model_args(program, &arguments.model_args)?;
    if let Some(listen) = arguments.listen {
        program.settings.server.listen = listen;
    }
    session::name_documents(program.output_dir(), &arguments.docs).map_err(exit::usage)?;
    read::require_documents(&arguments.docs, &Kinds::built_in())
        .map_err(|error| exit::usage(error.into()))?;
    let options = Options {
        settings: program.settings.clone(),
        clock: program.clock,
        backend: backend(&program)?,
        documents: arguments.docs,
        resume_interrupted: arguments.resume_interrupted,
    };
    options.check().map_err(exit::usage)?;
    // The server stops at the first Ctrl-C; this ends the program at the second.
    let resume = "start the server again".to_owned();
    let _interrupted = interruption(*program.output, resume)?;
    server::serve(options, |address| announce(&program, address))?;
    Ok(Exit::Complete)
}

/// Prints the address on one line.
fn announce(program: &Program<'_>, address: SocketAddr) -> Result<()> {
    let url = format!("http://{address}");
    if program.output.json {
        program.output.line(&Listening { url })?;
    } else {
        program.output.text(&format!("listening on {url}\n"))?;
    }
    Ok(())
}
