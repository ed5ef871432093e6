//! The command line: flags, terminal, exit codes. The only module that prints.
//!
//! Results go to standard output, everything else to standard error. [`COMMANDS`] registers every
//! command; [`Cli`] turns this table and that of the export formats into the definition of the
//! command line, from which help, manual pages, completions and the dispatch derive.

mod age;
mod args;
mod batch;
mod batch_events;
mod batch_progress;
mod cache;
mod calls;
mod candidates;
mod check;
mod command;
mod completions;
mod diff;
mod doctor;
mod durations;
mod exit;
mod explain;
mod export;
mod failure;
mod gc;
mod graph;
mod help;
mod links;
mod list;
mod logging;
mod man;
mod markdown;
mod mcp;
mod output;
mod pager;
mod progress;
mod prompts;
#[cfg(feature = "s3")]
mod pull;
#[cfg(feature = "s3")]
mod push;
mod questions;
#[cfg(feature = "nats")]
mod queue_args;
#[cfg(feature = "nats")]
mod queue_status;
mod read;
mod rename;
mod resolve;
mod rm;
mod run;
mod schema;
mod search;
mod serve;
mod settings;
mod show;
mod status;
mod step_tree;
#[cfg(feature = "s3")]
mod store_args;
#[cfg(feature = "nats")]
mod submit;
mod target;
mod terminal;
#[cfg(feature = "otel")]
mod traces;
mod tree_lines;
mod trust;
mod update;
mod usage_error;
mod verify;
mod watch;
mod words;
#[cfg(feature = "nats")]
mod worker;

use std::ffi::OsString;

use anyhow::{Context as _, Result, anyhow};
use clap::{ArgMatches, FromArgMatches as _};

use crate::config::{self, Loaded, Origin};
use crate::export::FORMATS;
use crate::quota::SharedQuotas;
use crate::read::{CHILD_COMMAND, serve_documents};
use args::GlobalArgs;
pub use command::{Action, Cli, Command, Program, arguments};
pub use exit::Exit;
pub use help::{Example, Group};
pub use logging::LogFormat;
pub use output::Output;

/// The option of commands that print events as lines of JSON.
const EVENTS: &str = "events";

/// Every command, in the order of the help.
pub const COMMANDS: &[Command] = &[
    run::COMMAND,
    batch::COMMAND,
    #[cfg(feature = "nats")]
    submit::COMMAND,
    #[cfg(feature = "nats")]
    worker::COMMAND,
    update::COMMAND,
    explain::COMMAND,
    status::COMMAND,
    calls::COMMAND,
    list::COMMAND,
    rename::COMMAND,
    rm::COMMAND,
    gc::COMMAND,
    #[cfg(feature = "s3")]
    push::COMMAND,
    #[cfg(feature = "s3")]
    pull::COMMAND,
    show::COMMAND,
    verify::COMMAND,
    check::COMMAND,
    export::COMMAND,
    diff::COMMAND,
    graph::COMMAND,
    search::COMMAND,
    read::COMMAND,
    serve::COMMAND,
    mcp::COMMAND,
    prompts::COMMAND,
    cache::COMMAND,
    settings::COMMAND,
    doctor::COMMAND,
    schema::COMMAND,
    completions::COMMAND,
    man::COMMAND,
];

impl Default for Cli<'_> {
    fn default() -> Self {
        Self {
            commands: COMMANDS,
            formats: FORMATS,
        }
    }
}

/// Runs the program with the arguments of the process and returns its exit code.
pub fn main() -> Exit {
    // Not in the table of commands: it is not for users, and its start is paid for by documents.
    if std::env::args_os()
        .nth(1)
        .is_some_and(|first| first == CHILD_COMMAND)
    {
        return serve_documents()
            .map(|()| Exit::Complete)
            .unwrap_or_else(|error| Output::default().error(&error.into(), None));
    }
    let exit = Cli::default().run(std::env::args_os());
    crate::run::end_children();
    exit
}

impl Cli<'_> {
    /// Runs the program with these arguments, the first being its name, and returns its exit code.
    pub fn run(&self, arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Exit {
        let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
        terminal::choose_color(&arguments);
        if let Some(exit) = completions::complete(self, &arguments, &Output::default()) {
            return exit;
        }
        let parsed = self.parse(&arguments);
        let parsed =
            parsed.and_then(|matches| Ok((GlobalArgs::from_arg_matches(&matches)?, matches)));
        let (global, matches) = match parsed {
            Ok(parsed) => parsed,
            Err(error) => return usage_error::print(error, &arguments, self),
        };
        let output = Output {
            // A stream of events ends in JSON, whatever its end.
            json: global.json || is_stream(&matches),
            quiet: global.quiet,
            log_format: global.log_format,
            no_pager: global.no_pager,
        };
        let exit = logging::install(global.log_format, global.verbose, global.quiet)
            .map_err(exit::usage)
            .and_then(|()| self.dispatch(&global, &matches, &output))
            .unwrap_or_else(|error| output.error(&error, None));
        #[cfg(feature = "otel")]
        traces::flush();
        exit
    }

    fn dispatch(&self, global: &GlobalArgs, matches: &ArgMatches, output: &Output) -> Result<Exit> {
        // First of all: the project's settings and relative paths depend on the working directory.
        if let Some(directory) = &global.directory {
            std::env::set_current_dir(directory)
                .with_context(|| format!("failed to change to {}", directory.display()))
                .map_err(exit::usage)?;
        }
        let (name, matches) = matches.subcommand().context("no command was given")?;
        let command = self.commands.iter().find(|command| command.name == name);
        let command = command.with_context(|| format!("{name} is not a command"))?;
        // The settings are read on demand: commands that need none work where these are broken.
        command.run(matches, self, output, || self.program(global, output))
    }

    /// Reads the settings.
    fn program<'b>(&'b self, global: &GlobalArgs, output: &'b Output) -> Result<Program<'b>> {
        let mut loaded = Loaded::read().map_err(exit::usage)?;
        warn_of_ignored(output);
        // A flag is the last layer of the settings, over files and environment.
        if let Some(directory) = &global.output_dir {
            let name = "--output-dir".to_owned();
            let origin = Origin::Option { name };
            loaded.settings.run.output_dir.clone_from(directory);
            loaded.origins.insert("run.output_dir".to_owned(), origin);
        }
        let directory = loaded.settings.run.output_dir.to_string_lossy();
        if directory.contains("://") {
            return Err(exit::usage(anyhow!(
                "{directory} is an address: sessions are in a directory of this machine; to copy \
                 one to a store: research push SESSION --store {directory}"
            )));
        }
        loaded.check_output_dir().map_err(exit::usage)?;
        Ok(Program {
            settings: loaded.settings,
            origins: loaded.origins,
            clock: config::clock().map_err(exit::usage)?,
            quotas: SharedQuotas::default(),
            output,
            cli: self,
            verbose: global.verbose > 0,
        })
    }
}

/// Warns of variables that look like settings and are none, unless with `--quiet`.
fn warn_of_ignored(output: &Output) {
    let ignored = config::ignored_variables().into_iter();
    for name in ignored.filter(|_| !output.quiet) {
        let meant = config::nearest_variable(&name);
        let meant = meant.map_or(String::new(), |meant| format!("; did you mean {meant}?"));
        output.complaint(&format!(
            "the variable {name} is not a setting; those are named RESEARCH_SECTION__KEY{meant}"
        ));
    }
}

/// `true` if the command prints events as lines of JSON, as `run --events` does.
fn is_stream(matches: &ArgMatches) -> bool {
    let events = matches.subcommand().map(|(_, matches)| {
        let events = matches.try_get_one::<bool>(EVENTS);
        events.ok().flatten().copied().unwrap_or(false)
    });
    events.unwrap_or(false)
}
