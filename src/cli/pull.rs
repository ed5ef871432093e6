//! `research pull`: copies sessions from an object store.

use anyhow::Result;
use clap::Args;
use schemars::schema_for;

use super::help::Group;
use super::store_args::{StoreArgs, print};
use super::{Action, Command, Exit, Program, arguments, exit};
use crate::pipeline::Disk;
use crate::session;
use crate::store::{Diverged, SessionStore, Transfer};

/// `research pull`.
pub(super) const COMMAND: Command = Command {
    name: "pull",
    about: "Copy sessions from an object store",
    group: Group::Sessions,
    examples: &[
        (
            "Read a report that a worker has made",
            "research pull do-heat-pumps-work-3fa9c1 --store s3://BUCKET/research",
        ),
        (
            "Copy all sessions that workers have made",
            "research pull --all",
        ),
    ],
    results: &[("pull", || schema_for!(Vec<Transfer>))],
    define: |command, _| PullArgs::augment_args(command).after_help(HELP),
    action: Action::WithSettings(|program, matches| pull(program, &arguments(matches)?)),
};

const HELP: &str = "A session that was changed here since it was pulled is left as it is, unless \
    --force is given; what is replaced then moves to .replaced/ beside the sessions. Keys, region \
    and endpoint are those of the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, \
    AWS_REGION, AWS_ENDPOINT_URL.";

#[derive(Debug, Args)]
struct PullArgs {
    /// Names of sessions in the store
    #[arg(
        value_name = "SESSION",
        required_unless_present = "all",
        conflicts_with = "all"
    )]
    sessions: Vec<String>,

    /// Pull all sessions of the store
    #[arg(long)]
    all: bool,

    /// Replace what was changed here
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    store_args: StoreArgs,
}

fn pull(program: &Program<'_>, arguments: &PullArgs) -> Result<Exit> {
    let store = arguments.store_args.open(program)?;
    let heads = heads(&store, arguments)?;
    let (disk, since) = (Disk::default(), program.clock.timestamp());
    let (mut pulled, mut exit) = (Vec::new(), Exit::Complete);
    for (name, head) in &heads {
        let session = session::path(program.output_dir(), name);
        match store.pull(&session, *head, arguments.force, &disk, &since) {
            Ok(session) => pulled.push(session),
            // The others are pulled all the same.
            Err(error) if error.is::<Diverged>() => {
                let hint = "it was changed here, and --force replaces it";
                program.output.complaint(&format!("{error}; {hint}"));
                exit = Exit::Failed;
            }
            Err(error) => return Err(error),
        }
    }
    if heads.is_empty() {
        // A misspelt address, or nothing yet: which of both, only its reader knows.
        program.output.remark("there is no session in the store");
    }
    print(program, &pulled, "pulled")?;
    Ok(exit)
}

/// The sessions that are named, or all, with the numbers of their last commits.
fn heads(store: &SessionStore, arguments: &PullArgs) -> Result<Vec<(String, u64)>> {
    let check = |name: &str| session::check_name(name).map_err(exit::usage);
    if arguments.all {
        let heads = store.heads()?;
        heads.keys().try_for_each(|name| check(name))?;
        return Ok(heads.into_iter().collect());
    }
    let named = arguments.sessions.iter().map(|name| {
        check(name)?;
        Ok((name.clone(), store.head(name)?))
    });
    named.collect()
}
