//! `research serve`: the HTTP server.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::args::ModelArgs;
use super::exit::{self, Exit};
use super::help::{self, Group};
use super::output::resume_tip;
use super::resolve::{backend, check_limit, interruption, with_model_args};
use super::{Action, Command, Output, Program, arguments};
use crate::read::{self, Kinds};
use crate::server::{self, Options, Warn};
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
    results: &[],
    define: |command, _| help::with_settings(ServeArgs::augment_args(command)),
    action: Action::WithSettings(|program, matches| serve(program, arguments(matches)?)),
};

/// The heading of the server's own options.
const SERVER: &str = "Server";

/// The way to go on after an interruption.
const RESUME: &str = "start the server again; with --resume-interrupted it goes on with the \
    sessions that were running or waiting";

#[derive(Debug, Args)]
struct ServeArgs {
    /// Address to listen on; port 0 takes a free one
    #[arg(help_heading = SERVER, long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,

    /// Port of this machine to listen on, instead of --listen
    #[arg(help_heading = SERVER, long, conflicts_with = "listen")]
    port: Option<u16>,

    #[command(flatten)]
    served: Served,

    /// Go on with the sessions whose last run was interrupted
    #[arg(help_heading = SERVER, long)]
    resume_interrupted: bool,
}

/// What a server answers from, over whatever protocol.
#[derive(Debug, Args)]
pub(super) struct Served {
    /// File or directory of documents that questions are answered from; may be repeated
    #[arg(help_heading = SERVER, long, value_name = "PATH")]
    docs: Vec<PathBuf>,

    #[command(flatten)]
    model_args: ModelArgs,
}

impl Served {
    /// The options of a server under the settings.
    pub(super) fn options(self, program: &Program<'_>) -> Result<Options> {
        let program = with_model_args(program, &self.model_args)?;
        program.lay_out()?;
        session::name_documents(program.output_dir(), &self.docs).map_err(exit::usage)?;
        read::require_documents(&self.docs, &Kinds::built_in())
            .map_err(|error| exit::usage(error.into()))?;
        let backend = backend(&program)?;
        let usd = program.settings.server.owner_max_cost_usd;
        check_limit(&backend, "server.owner_max_cost_usd", usd).map_err(exit::usage)?;
        Ok(Options {
            settings: program.settings.clone(),
            clock: program.clock,
            backend,
            documents: self.docs,
            resume_interrupted: false,
            warn: warnings(*program.output),
        })
    }
}

/// Prints warnings of a server to standard error.
fn warnings(output: Output) -> Warn {
    Arc::new(move |warning| output.complaint(warning))
}

/// The address, for other programs.
#[derive(Serialize)]
struct Listening {
    url: String,
}

fn serve(program: &Program<'_>, arguments: ServeArgs) -> Result<Exit> {
    let mut options = Options {
        resume_interrupted: arguments.resume_interrupted,
        ..arguments.served.options(program)?
    };
    let port = arguments
        .port
        .map(|port| (Ipv4Addr::LOCALHOST, port).into());
    if let Some(listen) = arguments.listen.or(port) {
        options.settings.server.listen = listen;
    }
    options.check().map_err(exit::usage)?;
    // The server stops at the first Ctrl-C; this ends the program at the second.
    let interrupted = interruption(*program.output, RESUME.to_owned())?;
    server::serve(options, |address| announce(program, address))?;
    if interrupted.load(Ordering::SeqCst) {
        program.output.remark(&resume_tip(RESUME));
    }
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
