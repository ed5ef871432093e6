//! `research man`: the manual pages, made from the definition of the command line.

use std::path::Path;

use anyhow::Result;
use clap::Command;
use clap_mangen::Man;

use super::exit::Exit;
use super::output::Output;
use crate::pipeline::Disk;

/// Prints the main page, or writes one page for every command into a directory.
pub(super) fn man(directory: Option<&Path>, output: &Output) -> Result<Exit> {
    let mut command = super::command().disable_help_subcommand(true);
    command.build();
    let Some(directory) = directory else {
        return output.bytes(&page(command)?);
    };
    let disk = Disk::default();
    disk.create_directory(directory)?;
    let visible = command
        .get_subcommands()
        .filter(|child| !child.is_hide_set());
    let pages: Vec<Command> = visible.chain([&command]).cloned().collect();
    for command in pages {
        // Building named a command `run` of `research` `research-run` for display.
        let name = command.get_display_name().unwrap_or(command.get_name());
        let path = directory.join(format!("{name}.1"));
        disk.write(&path, &page(command)?)?;
        output.remark(&format!("wrote {}", path.display()));
    }
    Ok(Exit::Complete)
}

fn page(command: Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}
