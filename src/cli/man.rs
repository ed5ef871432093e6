//! `research man`: manual pages, generated from the definition of the command line.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use clap_mangen::Man;

use super::{Action, Cli, Command, Exit, Output, arguments};
use crate::pipeline::Disk;

/// `research man`.
pub(super) const COMMAND: Command = Command {
    name: "man",
    about: "Print the manual page, or write one for every command",
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
    let mut command = cli.definition().disable_help_subcommand(true);
    command.build();
    let Some(directory) = &arguments.pages else {
        return output.bytes(&page(command)?);
    };
    let disk = Disk::default();
    disk.create_directory(directory)?;
    // Hidden commands are called by the program itself, and have no page.
    let visible = command
        .get_subcommands()
        .filter(|child| !child.is_hide_set());
    let pages: Vec<clap::Command> = visible.chain([&command]).cloned().collect();
    for command in pages {
        // `build` has set the display name of the command `run` to `research-run`.
        let name = command.get_display_name().unwrap_or(command.get_name());
        let path = directory.join(format!("{name}.1"));
        disk.write(&path, &page(command)?)?;
        output.remark(&format!("wrote {}", path.display()));
    }
    Ok(Exit::Complete)
}

fn page(command: clap::Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}
