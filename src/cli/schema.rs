//! `research schema`: the JSON Schemas of session files, exports, results, events and errors.

use anyhow::{Result, anyhow};
use clap::Args;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use schemars::{Schema, schema_for};
use serde_json::{Value, json};

use super::command::NamedSchema;
use super::exit::{self, Exit};
use super::help::Group;
use super::output::VERSION;
use super::{Action, Cli, Command, Output, arguments, failure};
use crate::artifact;
use crate::export::json as exported;
use crate::pipeline::LogEntry;

/// The schemas of what is neither a file of a session nor the result of a command.
const OTHERS: [NamedSchema; 3] = [
    (exported::NAME, exported::schema),
    (EVENT, || schema_for!(LogEntry)),
    (failure::NAME, failure::schema),
];

/// The name of the schema of a line of `events.jsonl` and of `run --events`.
const EVENT: &str = "event";

/// `research schema`.
pub(super) const COMMAND: Command = Command {
    name: "schema",
    about: "Print the JSON Schema of a session file, a result or an event, or list the schemas",
    group: Group::Setup,
    examples: &[
        ("List the schemas", "research schema"),
        ("Print that of report.json", "research schema report"),
        (
            "Print that of what `research list --json` prints",
            "research schema list",
        ),
    ],
    results: &[],
    define,
    action: Action::Standalone(|cli, output, matches| schema(cli, output, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct SchemaArgs {
    /// Name of a session file without `.json`; of a command, for what it prints with --json;
    /// `event`, a line of `run --events`; or `error`, what a command that fails prints with --json
    #[arg(value_name = "SCHEMA")]
    name: Option<String>,
}

fn define(command: clap::Command, cli: &Cli<'_>) -> clap::Command {
    let names: Vec<_> = names(cli).collect();
    let candidates = move || names.iter().map(CompletionCandidate::new).collect();
    SchemaArgs::augment_args(command)
        .mut_arg("name", |name| name.add(ArgValueCandidates::new(candidates)))
}

/// The names of the schemas.
fn names(cli: &Cli<'_>) -> impl Iterator<Item = &'static str> {
    let results = cli.commands.iter().flat_map(|command| command.results);
    artifact::names().chain(OTHERS.iter().chain(results).map(|(name, _)| *name))
}

fn schema(cli: &Cli<'_>, output: &Output, arguments: &SchemaArgs) -> Result<Exit> {
    let names = names(cli).collect::<Vec<_>>();
    let Some(name) = arguments.name.as_deref() else {
        if output.json {
            return output.value(&names);
        }
        return output.text(&format!("{}\n", names.join("\n")));
    };
    let of_name = |table: &[NamedSchema]| {
        let named = table.iter().find(|(other, _)| *other == name);
        named.map(|(_, schema)| schema())
    };
    let mut results = cli.commands.iter().map(|command| command.results);
    let result = results.find_map(of_name).map(with_version);
    let other = artifact::schema(name).or_else(|| of_name(&OTHERS));
    let schema = other.or(result).ok_or_else(|| {
        let names = names.join(", ");
        exit::usage(anyhow!("there is no schema {name:?}; available: {names}"))
    })?;
    output.document(&schema)
}

/// The schema of a result with the version that [`Output::value`] prints, if it is an object.
fn with_version(mut schema: Schema) -> Schema {
    let object = schema.as_object_mut();
    let properties = object.and_then(|object| object.get_mut("properties"));
    if let Some(properties) = properties.and_then(Value::as_object_mut) {
        let version = json!({
            "description": "The version of this schema, absent from the lines of a stream.",
            "const": VERSION
        });
        properties.insert("version".to_owned(), version);
    }
    schema
}
