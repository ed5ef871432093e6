//! `research man`: manual pages, generated from the definition of the command line.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::help::{self, Example, Group};
use super::{Action, Cli, Command, Exit, Output, arguments};
use crate::pipeline::Disk;

/// `research man`.
pub(super) const COMMAND: Command = Command {
    name: "man",
    about: "Print the manual page, or write one for every command",
    group: Group::Setup,
    examples: &[
        ("Read the manual page of the program", "research man"),
        (
            "Write all pages, to be read with `man -l man/research-run.1`",
            "research man man",
        ),
    ],
    results: &[],
    define: |command, _| ManArgs::augment_args(command),
    action: Action::Standalone(|cli, output, matches| man(cli, output, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct ManArgs {
    /// Write the pages to this directory
    #[arg(value_name = "DIR")]
    pages: Option<PathBuf>,
}

fn man(cli: &Cli<'_>, output: &Output, arguments: &ManArgs) -> Result<Exit> {
    let mut program = cli.definition().disable_help_subcommand(true);
    program.build();
    let Some(directory) = &arguments.pages else {
        return output.bytes(&page(&program, help::EXAMPLES, "research-run(1)")?);
    };
    let disk = Disk::default();
    disk.create_directory(directory)?;
    let mut pages = vec![page_of(cli, &program, &program)?];
    // Hidden commands are called by the program itself, and have no page.
    for command in program
        .get_subcommands()
        .filter(|child| !child.is_hide_set())
    {
        pages.push(page_of(cli, &program, command)?);
    }
    for (name, page) in pages {
        let path = directory.join(format!("{name}.1"));
        disk.write(&path, &page)?;
        output.remark(&format!("wrote {}", path.display()));
    }
    Ok(Exit::Complete)
}

/// The name of a page and its text.
fn page_of(
    cli: &Cli<'_>,
    program: &clap::Command,
    command: &clap::Command,
) -> Result<(String, Vec<u8>)> {
    // `build` has set the display name of the command `run` to `research-run`.
    let name = command.get_display_name().unwrap_or(command.get_name());
    let mut table = cli.commands.iter();
    let entry = table.find(|entry| entry.name == command.get_name());
    let (examples, others) = match entry.filter(|_| command.get_name() != program.get_name()) {
        Some(entry) => (entry.examples, "research(1)"),
        None => (help::EXAMPLES, "research-run(1)"),
    };
    Ok((name.to_owned(), page(command, examples, others)?))
}

/// A page: the sections that clap knows, then those that are conventional.
fn page(command: &clap::Command, examples: &[Example], see_also: &str) -> Result<Vec<u8>> {
    let notes = command.get_after_help().map(ToString::to_string);
    let usage = command.clone().render_usage().to_string();
    let version = command.get_version().map(str::to_owned);
    // What is after the help stands in sections of its own.
    let command = command.clone().after_help("").after_long_help("");
    let man = Man::new(command);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    let synopsis = usage.trim_start_matches("Usage: ");
    section("SYNOPSIS", [synopsis.to_owned()]).to_writer(&mut page)?;
    man.render_description_section(&mut page)?;
    if let Some(notes) = notes.filter(|notes| !notes.starts_with("Exit codes")) {
        let paragraphs = notes.split("\n\n").map(str::to_owned);
        section("NOTES", paragraphs).to_writer(&mut page)?;
    }
    man.render_options_section(&mut page)?;
    man.render_subcommands_section(&mut page)?;
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLES"]);
    for (about, line) in examples {
        roff.control("PP", []).text([roman(format!("{about}:"))]);
        roff.control("RS", ["4"])
            .text([bold(*line)])
            .control("RE", []);
    }
    list(&mut roff, "ENVIRONMENT", &help::VARIABLES);
    list(&mut roff, "FILES", &help::FILES);
    list(&mut roff, "EXIT STATUS", &help::EXIT_CODES);
    roff.control("SH", ["SEE ALSO"]).text([roman(see_also)]);
    roff.to_writer(&mut page)?;
    if version.is_some() {
        man.render_version_section(&mut page)?;
    }
    Ok(page)
}

/// A section of paragraphs.
fn section(title: &str, paragraphs: impl IntoIterator<Item = String>) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", [title]);
    for paragraph in paragraphs {
        roff.control("PP", []).text([roman(paragraph)]);
    }
    roff
}

/// A section of terms and their meanings.
fn list(roff: &mut Roff, title: &str, entries: &[(&str, &str)]) {
    roff.control("SH", [title]);
    for (name, about) in entries {
        roff.control("TP", []);
        roff.text([bold(*name)]).text([roman(*about)]);
    }
}
