//! `research completions`: shell completions. The script asks the program for candidates, which so
//! are those of today: sessions, search services, models.

use std::ffi::OsString;

use anyhow::{Context as _, Result, anyhow};
use clap::Args;
use clap_complete::Shell;
use clap_complete::env::Shells;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

use super::help::Group;
use super::{Action, Cli, Command, Exit, Output, arguments};

/// The variable by which the script asks for candidates: the name of the shell.
const VARIABLE: &str = "RESEARCH_COMPLETE";

/// The name of the program.
const PROGRAM: &str = "research";

/// `research completions`.
pub(super) const COMMAND: Command = Command {
    name: "completions",
    about: "Print shell completions",
    group: Group::Setup,
    examples: &[
        (
            "In bash, for the present shell",
            "research completions bash",
        ),
        (
            "In fish, for all shells: write it to ~/.config/fish/completions/research.fish",
            "research completions fish",
        ),
    ],
    results: &[("completions", || schema_for!(Script))],
    define: |command, _| CompletionsArgs::augment_args(command),
    action: Action::Standalone(|_, output, matches| completions(output, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct CompletionsArgs {
    /// Shell to complete for
    shell: Shell,
}

/// The script of a shell.
#[derive(Debug, Serialize, JsonSchema)]
struct Script {
    shell: String,
    script: String,
}

/// Prints the script, which is to be sourced.
fn completions(output: &Output, arguments: &CompletionsArgs) -> Result<Exit> {
    let name = arguments.shell.to_string();
    let shells = Shells::builtins();
    let shell = shells.completer(&name).context("the shell is not known")?;
    // Into memory first, so that a closed pipe is an error here and not there.
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut script)?;
    if output.json {
        let script = String::from_utf8(script)?;
        return output.value(&Script {
            shell: name,
            script,
        });
    }
    output.bytes(&script)
}

/// Prints the candidates for the words after `--`, if a script asks for them.
pub(super) fn complete(cli: &Cli<'_>, arguments: &[OsString], output: &Output) -> Option<Exit> {
    let shell = std::env::var(VARIABLE).ok()?;
    let start = arguments.iter().position(|word| word == "--")? + 1;
    let words = arguments.get(start..)?.to_vec();
    let printed = candidates(cli, &shell, words).and_then(|lines| output.bytes(&lines));
    // Complaints would garble the command line that is being typed.
    Some(printed.unwrap_or(Exit::Failed))
}

fn candidates(cli: &Cli<'_>, shell: &str, words: Vec<OsString>) -> Result<Vec<u8>> {
    let shells = Shells::builtins();
    let shell = shells.completer(shell);
    let shell = shell.ok_or_else(|| anyhow!("{VARIABLE} names no shell"))?;
    let mut definition = cli.definition();
    definition.build();
    let mut lines = Vec::new();
    let directory = std::env::current_dir().ok();
    shell.write_complete(&mut definition, words, directory.as_deref(), &mut lines)?;
    Ok(lines)
}
