//! `research __pdf-text`: the child process in which a PDF is read, so that a file that crashes the
//! parser does not crash the program, which starts it itself. Hidden from the help.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::help::Group;
use super::{Action, Command, Exit, Output, arguments};
use crate::read::pdf;

/// `research __pdf-text`.
pub(super) const COMMAND: Command = Command {
    name: pdf::CHILD_COMMAND,
    about: "Print the text of a PDF (the program calls this on itself)",
    group: Group::Internal,
    examples: &[],
    define: |command, _| PdfTextArgs::augment_args(command),
    action: Action::Standalone(|_, output, matches| pdf_text(output, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct PdfTextArgs {
    /// The PDF; `-` for standard input
    file: PathBuf,
}

fn pdf_text(output: &Output, arguments: &PdfTextArgs) -> Result<Exit> {
    // No limit here: the parent has checked the file's size and bounds what it reads from the pipe.
    output.bytes(pdf::text_in_this_process(&arguments.file, u64::MAX)?.as_bytes())
}
