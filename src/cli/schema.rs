//! `research schema`: the JSON Schemas of session files, exports, results, events and errors.

use anyhow::{Result, anyhow};
use clap::Args;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use schemars::schema_for;

use super::command::NamedSchema;
use super::exit::{self, Exit};
use super::help::Group;
use super::{Action, Cli, Command, Output, arguments, failure};
use crate::artifact;
use crate::export::json;
use crate::pipeline::LogEntry;

/// The schemas of what is neither a file of a session nor the result of a command.
const OTHERS: [NamedSchema; 3] = [
    (json::NAME, json::schema),
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

/// The schemas of the results of commands, and of other output.
fn of_output<'a>(cli: &'a Cli<'_>) -> impl Iterator<Item = &'a NamedSchema> {
    let results = cli.commands.iter().flat_map(|command| command.results);
    OTHERS.iter().chain(results)
}

/// The names of the schemas.
fn names(cli: &Cli<'_>) -> impl Iterator<Item = &'static str> {
    artifact::names().chain(of_output(cli).map(|(name, _)| *name))
}

fn schema(cli: &Cli<'_>, output: &Output, arguments: &SchemaArgs) -> Result<Exit> {
    let names = names(cli).collect::<Vec<_>>();
    let Some(name) = arguments.name.as_deref() else {
        if output.json {
            return output.value(&names);
        }
        return output.text(&format!("{}\n", names.join("\n")));
    };
    let of_output = of_output(cli).find(|(other, _)| *other == name);
    let of_output = of_output.map(|(_, schema)| schema());
    let schema = artifact::schema(name).or(of_output).ok_or_else(|| {
        let names = names.join(", ");
        exit::usage(anyhow!("there is no schema {name:?}; available: {names}"))
    })?;
    output.value(&schema)
}
