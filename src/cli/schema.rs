//! `research schema`: the JSON Schemas of session files and exports.

use anyhow::{Result, anyhow};
use clap::Args;

use super::exit::{self, Exit};
use super::{Action, Command, Output, arguments};
use crate::artifact;
use crate::export::json;

/// `research schema`.
pub(super) const COMMAND: Command = Command {
    name: "schema",
    about: "Print the JSON Schema of a session file, or list the files that have one",
    define: |command, _| SchemaArgs::augment_args(command),
    action: Action::Standalone(|_, output, matches| schema(output, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct SchemaArgs {
    /// Name of the file without `.json`
    name: Option<String>,
}

fn schema(output: &Output, arguments: &SchemaArgs) -> Result<Exit> {
    let names = artifact::names().chain([json::NAME]).collect::<Vec<_>>();
    let Some(name) = arguments.name.as_deref() else {
        if output.json {
            return output.value(&names);
        }
        return output.text(&format!("{}\n", names.join("\n")));
    };
    // An export is not a file of the session, so it is not in the table of artifacts.
    if name == json::NAME {
        return output.value(&json::schema());
    }
    let schema = artifact::schema(name).ok_or_else(|| {
        let names = names.join(", ");
        exit::usage(anyhow!("there is no schema {name:?}; available: {names}"))
    })?;
    output.value(&schema)
}
