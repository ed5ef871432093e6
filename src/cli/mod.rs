//! Flags, terminal, exit codes. The only room that prints.
//!
//! Results go to standard output, everything else to standard error.

mod args;
mod batch;
mod cache;
mod calls;
mod diff;
mod doctor;
mod exit;
mod explain;
mod export;
mod graph;
mod man;
mod output;
mod progress;
mod prompts;
mod read;
mod round;
mod run;
mod search;
mod sessions;
mod verify;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::{CommandFactory, Parser};

use crate::artifact;
use crate::config::{self, Settings};
use crate::export::json;
use crate::pipeline::Clock;
use crate::read::pdf;
use crate::session;
use args::{Arguments, Command};
pub use exit::Exit;
use output::Output;

/// The command line of this program, for completions and manual pages.
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Runs the program with the process's arguments and says how it ended.
pub fn main() -> Exit {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return exit::of_usage(&error),
    };
    let output = Output {
        json: arguments.json,
        quiet: arguments.quiet,
    };
    match dispatch(arguments, &output) {
        Ok(exit) => exit,
        Err(error) => output.error(&error),
    }
}

fn dispatch(arguments: Arguments, output: &Output) -> Result<Exit> {
    if let Some(directory) = &arguments.directory {
        std::env::set_current_dir(directory)
            .with_context(|| format!("failed to change to {}", directory.display()))
            .map_err(exit::usage)?;
    }
    // What needs neither settings nor sessions comes first.
    match &arguments.command {
        Command::PdfText { file } => return pdf_text(file, output),
        Command::Schema { name } => return schema(name.as_deref(), output),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut command(), "research", &mut script);
            return output.bytes(&script);
        }
        Command::Man { pages } => return man::man(pages.as_deref(), output),
        _ => {}
    }
    let mut settings = Settings::load().map_err(exit::usage)?;
    if let Some(directory) = arguments.output_dir {
        settings.run.output_dir = directory;
    }
    let program = Program {
        settings,
        clock: config::clock().map_err(exit::usage)?,
        output,
        verbose: arguments.verbose,
    };
    match arguments.command {
        Command::Run(run) => run::run(&program, run),
        Command::Batch(batch) => batch::batch(&program, batch),
        Command::Explain { session } => explain::explain(&program, &session),
        Command::Status { session } => sessions::status(&program, session.as_deref()),
        Command::Calls { session } => calls::calls(&program, &session),
        Command::List => sessions::list(&program),
        Command::Show { session, file } => sessions::show(&program, &session, file.as_deref()),
        Command::Verify { session } => verify::verify(&program, &session),
        Command::Graph { session, format } => graph::graph(&program, session.as_deref(), format),
        Command::Export(export) => export::export(&program, &export),
        Command::Diff(diff) => diff::diff(&program, &diff),
        Command::Search(search) => search::search(&program, &search),
        Command::Read { file } => read::read(&program, &file),
        Command::Prompts { name, session } => {
            prompts::prompts(&program, name.as_deref(), session.as_deref())
        }
        Command::Cache { clear } => cache::cache(&program, clear),
        Command::Doctor => doctor::doctor(&program),
        Command::PdfText { .. }
        | Command::Schema { .. }
        | Command::Completions { .. }
        | Command::Man { .. } => {
            bail!("this command was answered before")
        }
    }
}

/// What every command works with.
struct Program<'a> {
    settings: Settings,
    clock: Clock,
    output: &'a Output,
    verbose: bool,
}

impl Program<'_> {
    fn output_dir(&self) -> &Path {
        &self.settings.run.output_dir
    }

    fn find(&self, reference: &str) -> Result<PathBuf> {
        session::find(self.output_dir(), reference).map_err(exit::usage)
    }
}

/// The child that reads a PDF within limits, so that what crashes it crashes nothing else.
fn pdf_text(file: &Path, output: &Output) -> Result<Exit> {
    // The parent has checked the file's size and limits what it takes from here.
    output.bytes(pdf::text_in_this_process(file, u64::MAX)?.as_bytes())
}

fn schema(name: Option<&str>, output: &Output) -> Result<Exit> {
    let names = [&artifact::NAMES[..], &[json::NAME]].concat().join("\n");
    let Some(name) = name else {
        return output.text(&format!("{names}\n"));
    };
    if name == json::NAME {
        return output.value(&json::schema());
    }
    match artifact::schema(name) {
        Some(schema) => output.value(&schema),
        None => Err(exit::usage(anyhow::anyhow!(
            "there is no schema {name:?}; there are: {}",
            names.replace('\n', ", ")
        ))),
    }
}
