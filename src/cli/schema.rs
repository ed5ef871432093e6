//! `research schema`: the JSON Schemas of session files, exports, events and errors.

use anyhow::{Result, anyhow};
use clap::Args;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use schemars::{Schema, schema_for};

use super::exit::{self, Exit};
use super::help::Group;
use super::{Action, Command, Output, arguments, failure, settings};
use crate::artifact;
use crate::export::json;
use crate::pipeline::LogEntry;

/// The name of a schema and the function that makes it.
type NamedSchema = (&'static str, fn() -> Schema);

/// The schemas of what is not a file of a session.
const OTHERS: [NamedSchema; 4] = [
    (json::NAME, json::schema),
    (EVENT, || schema_for!(LogEntry)),
    (failure::NAME, failure::schema),
    ("config", || schema_for!(settings::Listing)),
];

/// The name of the schema of a line of `events.jsonl` and of `run --events`.
const EVENT: &str = "event";

/// `research schema`.
pub(super) const COMMAND: Command = Command {
    name: "schema",
    about: "Print the JSON Schema of a session file, an event or an error, or list the schemas",
    group: Group::Setup,
    examples: &[
        ("List the schemas", "research schema"),
        ("Print one", "research schema report"),
    ],
    define: |command, _| SchemaArgs::augment_args(command),
    action: Action::Standalone(|_, output, matches| schema(output, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct SchemaArgs {
    /// Name of the file without `.json`; or `event`, a line of `run --events`, `error`, what
    /// commands print with --json when they fail; or `config`, what `research config --json` prints
    #[arg(value_name = "SCHEMA", add = ArgValueCandidates::new(candidates))]
    name: Option<String>,
}

/// The names of the schemas.
fn names() -> impl Iterator<Item = &'static str> {
    artifact::names().chain(OTHERS.iter().map(|(name, _)| *name))
}

fn candidates() -> Vec<CompletionCandidate> {
    names().map(CompletionCandidate::new).collect()
}

fn schema(output: &Output, arguments: &SchemaArgs) -> Result<Exit> {
    let names = names().collect::<Vec<_>>();
    let Some(name) = arguments.name.as_deref() else {
        if output.json {
            return output.value(&names);
        }
        return output.text(&format!("{}\n", names.join("\n")));
    };
    let other = OTHERS.iter().find(|(other, _)| *other == name);
    let other = other.map(|(_, schema)| schema());
    let schema = artifact::schema(name).or(other).ok_or_else(|| {
        let names = names.join(", ");
        exit::usage(anyhow!("there is no schema {name:?}; available: {names}"))
    })?;
    output.value(&schema)
}
