//! `research push`: copies sessions to an object store.

use anyhow::{Result, anyhow};
use clap::Args;
use schemars::schema_for;

use super::command::SESSION_HELP;
use super::help::Group;
use super::store_args::{StoreArgs, print};
use super::{Action, Command, Exit, Program, arguments};
use crate::pipeline::Disk;
use crate::store::{Diverged, Transfer};

/// `research push`.
pub(super) const COMMAND: Command = Command {
    name: "push",
    about: "Copy sessions to an object store",
    group: Group::Sessions,
    examples: &[(
        "Give workers a session to go on with",
        "research push 3fa9c1 --store s3://BUCKET/research",
    )],
    results: &[("push", || schema_for!(Vec<Transfer>))],
    define: |command, _| PushArgs::augment_args(command).after_help(HELP),
    action: Action::WithSettings(|program, matches| push(program, &arguments(matches)?)),
};

const HELP: &str = "If the store has gone on with a session since it was pulled, it is not \
    pushed, unless --force is given; the earlier commits stay in the store. Keys, region and \
    endpoint are those of the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, \
    AWS_ENDPOINT_URL.";

#[derive(Debug, Args)]
struct PushArgs {
    #[arg(value_name = "SESSION", required = true, help = SESSION_HELP)]
    sessions: Vec<String>,

    /// Push also what the store has otherwise
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    store_args: StoreArgs,
}

fn push(program: &Program<'_>, arguments: &PushArgs) -> Result<Exit> {
    let store = arguments.store_args.open(program)?;
    store.check()?;
    let (disk, since) = (Disk::default(), program.clock.timestamp());
    let mut pushed = Vec::new();
    for reference in &arguments.sessions {
        let session = program.find(reference)?;
        let result = store.push(&session, arguments.force, &disk, &since);
        pushed.push(result.map_err(|error| {
            if error.is::<Diverged>() {
                anyhow!("{error}; pull it first, or push it with --force")
            } else {
                error
            }
        })?);
    }
    print(program, &pushed, "pushed")?;
    Ok(Exit::Complete)
}
