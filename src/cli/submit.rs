//! `research submit`: puts topics into the queue, for workers on any machine.

use std::io::{self, BufReader, Read};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

use super::args::TopicArgs;
use super::batch::{count_topics, open, prepare};
use super::help::Group;
use super::queue_args::{QueueArgs, connect};
use super::resolve::with_model_args;
use super::words::count;
use super::{Action, Command, Exit, Program, arguments};
use crate::batch::{ListSource, TopicSource as _};
use crate::queue::{Lane, Priority, Submission, Tenant};

const HELP: &str = "The list is that of `research batch`, and the options are those of its topics. \
A topic that waits in the queue, or that a worker has, is not queued a second time. Workers read \
documents by the same paths: start them in the same directory, or name absolute paths.";

/// `research submit`.
pub(super) const COMMAND: Command = Command {
    name: "submit",
    about: "Put a list of topics into the queue, for workers on any machine",
    group: Group::Research,
    examples: &[
        (
            "Queue a list of topics over documents",
            "research submit topics.txt --docs notes --queue nats://HOST:4222",
        ),
        (
            "Queue again what failed for the last time",
            "research submit --dead",
        ),
    ],
    results: &[("submit", || schema_for!(SubmitResult))],
    define: |command, _| SubmitArgs::augment_args(command).after_help(HELP),
    action: Action::WithSettings(|program, matches| submit(program, arguments(matches)?)),
};

#[derive(Debug, Args)]
struct SubmitArgs {
    /// File with one topic per line; `-` for standard input
    #[arg(required_unless_present = "dead")]
    list: Option<PathBuf>,

    /// Queue the dead letters again: topics that failed for the last time
    #[arg(long, conflicts_with = "list")]
    dead: bool,

    /// Share of the workers' turns while other priorities wait, too
    #[arg(long, value_enum, default_value = "normal")]
    priority: Priority,

    /// Name under which topics wait in a lane of their own, which others cannot fill
    #[arg(long, value_name = "NAME", default_value = "default")]
    tenant: Tenant,

    #[command(flatten)]
    queue_args: QueueArgs,

    #[command(flatten)]
    topic_args: TopicArgs,
}

/// The topics that were submitted, for other programs.
#[derive(Serialize, JsonSchema)]
struct SubmitResult {
    /// The number of topics that were queued.
    queued: u64,
    /// The number of topics that were in the queue already.
    waiting: u64,
}

fn submit(program: &Program<'_>, arguments: SubmitArgs) -> Result<Exit> {
    let program = &with_model_args(program, &arguments.topic_args.model_args)?;
    let lane = Lane {
        priority: arguments.priority,
        tenant: arguments.tenant,
    };
    let url = arguments.queue_args.queue.as_deref();
    let Some(list) = arguments.list else {
        return report(program, connect(program, url)?.submit_dead()?);
    };
    let batch = prepare(program, arguments.topic_args, None, Arc::default())?;
    let reader: Box<dyn Read + Send> = if list.as_os_str() == "-" {
        Box::new(io::stdin())
    } else {
        // A mistake is reported before the first topic is queued.
        count_topics(&batch, &list)?;
        Box::new(open(&list)?)
    };
    let source = ListSource::new(BufReader::new(reader), None);
    let lines = std::iter::from_fn(|| source.next_topic().transpose());
    let topics = lines.map(|line| batch.resolve(line?.spec?));
    let submission = connect(program, url)?.submit(&lane, topics)?;
    report(program, submission)
}

fn report(program: &Program<'_>, submission: Submission) -> Result<Exit> {
    let Submission { queued, waiting } = submission;
    if program.output.json {
        return program.output.value(&SubmitResult { queued, waiting });
    }
    let mut text = format!("{} queued", count(queued, "topic"));
    if waiting > 0 {
        text.push_str(&format!("; {waiting} were in the queue already"));
    }
    program.output.remark(&text);
    Ok(Exit::Complete)
}
