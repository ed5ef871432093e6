//! `research man`: manual pages, generated from the definition of the command line.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::{self, Stdio};

use anyhow::{Context as _, Result};
use clap::Args;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

use super::exit;
use super::help::{self, Example, Group};
use super::{Action, Cli, Command, Exit, Output, arguments, pager};
use crate::pipeline::Disk;

/// `research man`.
pub(super) const COMMAND: Command = Command {
    name: "man",
    about: "Print a manual page, or write one for every command",
    group: Group::Setup,
    examples: &[
        ("Read the manual page of the program", "research man"),
        ("Read that of a command", "research man run"),
        (
            "Write all pages into a directory",
            "research man -o ~/.local/share/man/man1",
        ),
    ],
    results: &[("man", || schema_for!(Vec<Page>))],
    define: |command, _| ManArgs::augment_args(command),
    action: Action::Standalone(|cli, output, matches| man(cli, output, &arguments(matches)?)),
};

#[derive(Debug, Args)]
#[command(
    after_help = "On a terminal, man shows the page. Elsewhere its source is printed, in the \
language of man (roff); to read that: research man run | man -l -"
)]
struct ManArgs {
    /// Command whose page is printed, instead of that of the program
    command: Option<String>,

    /// Write the page into this directory; without a command all pages
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// A manual page.
#[derive(Debug, Serialize, JsonSchema)]
struct Page {
    /// Its name: `research`, `research-run` …
    name: String,
    /// Its text, in the language of `man` (roff).
    roff: String,
}

fn man(cli: &Cli<'_>, output: &Output, arguments: &ManArgs) -> Result<Exit> {
    let mut program = cli.definition().disable_help_subcommand(true);
    program.build();
    let pages = match (&arguments.command, &arguments.output) {
        (Some(name), _) => vec![page_of(cli, &program, command(&program, name)?)?],
        (None, None) => vec![page_of(cli, &program, &program)?],
        (None, Some(_)) => all(cli, &program)?,
    };
    if let Some(directory) = &arguments.output {
        let disk = Disk::by_umask();
        disk.create_directory(directory)?;
        for page in &pages {
            let path = directory.join(format!("{}.1", page.name));
            disk.write(&path, page.roff.as_bytes())?;
            output.remark(&format!("wrote {}", path.display()));
        }
        return Ok(Exit::Complete);
    }
    if output.json {
        return output.value(&pages);
    }
    let text: String = pages.into_iter().map(|page| page.roff).collect();
    if io::stdout().is_terminal() {
        if is_shown(&text, output.no_pager) {
            return Ok(Exit::Complete);
        }
        output.remark("there is no `man -l -` to show the page, which is roff, as a text");
    }
    output.bytes(text.as_bytes())
}

/// Shows a page by `man`, in its pager; `false` if that cannot be done.
fn is_shown(roff: &str, no_pager: bool) -> bool {
    let mut command = process::Command::new("man");
    command.args(["-l", "-"]).stdin(Stdio::piped());
    if no_pager {
        command.env("MANPAGER", "cat");
    }
    pager::feed(command, roff).is_some_and(|status| status.success())
}

/// The pages of the program and of its commands.
fn all(cli: &Cli<'_>, program: &clap::Command) -> Result<Vec<Page>> {
    // Hidden commands are called by the program itself, and have no page.
    let commands = program
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    let commands = [program].into_iter().chain(commands);
    commands
        .map(|command| page_of(cli, program, command))
        .collect()
}

/// The command of a name.
fn command<'a>(program: &'a clap::Command, name: &str) -> Result<&'a clap::Command> {
    let command = program.find_subcommand(name);
    command
        .filter(|command| !command.is_hide_set())
        .with_context(|| {
            format!(
                "there is no command {name:?}; `research man -o {name}` writes all pages into the \
                 directory {name}"
            )
        })
        .map_err(exit::usage)
}

/// The page of the program, or of a command.
fn page_of(cli: &Cli<'_>, program: &clap::Command, command: &clap::Command) -> Result<Page> {
    // `build` has set the display name of the command `run` to `research-run`.
    let name = command.get_display_name().unwrap_or(command.get_name());
    let mut table = cli.commands.iter();
    let entry = table.find(|entry| entry.name == command.get_name());
    let (examples, others) = match entry.filter(|_| command.get_name() != program.get_name()) {
        Some(entry) => (entry.examples, "research(1)"),
        None => (help::EXAMPLES, "research-run(1)"),
    };
    let roff = String::from_utf8(roff(command, examples, others)?)?;
    let name = name.to_owned();
    Ok(Page { name, roff })
}

/// The text of a page: the sections that clap knows, then those that are conventional.
fn roff(command: &clap::Command, examples: &[Example], see_also: &str) -> Result<Vec<u8>> {
    let notes = command.get_after_help().map(ToString::to_string);
    let usage = command.clone().render_usage().to_string();
    let version = command.get_version().map(str::to_owned);
    let has_visible_subcommands = command
        .get_subcommands()
        .any(|command| !command.is_hide_set());
    // What is after the help stands in sections of its own.
    let command = command.clone().after_help("").after_long_help("");
    let man = Man::new(command).source(concat!("research ", env!("CARGO_PKG_VERSION")));
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
    if has_visible_subcommands {
        man.render_subcommands_section(&mut page)?;
    }
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
