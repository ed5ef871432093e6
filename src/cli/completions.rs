//! `research completions`: shell completions, generated from the definition of the command line.

use anyhow::Result;
use clap::Args;
use clap_complete::Shell;

use super::{Action, Cli, Command, Exit, Output, arguments};

/// `research completions`.
pub(super) const COMMAND: Command = Command {
    name: "completions",
    about: "Print shell completions",
    define: |command, _| CompletionsArgs::augment_args(command),
    action: Action::Standalone(|cli, output, matches| {
        completions(cli, output, arguments(matches)?)
    }),
};

#[derive(Debug, Args)]
struct CompletionsArgs {
    /// Shell to complete for
    shell: Shell,
}

fn completions(cli: &Cli<'_>, output: &Output, arguments: CompletionsArgs) -> Result<Exit> {
    // Into memory first: `generate` panics if it cannot write, for example into a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut cli.definition(),
        "research",
        &mut script,
    );
    output.bytes(&script)
}
