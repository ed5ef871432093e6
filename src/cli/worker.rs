//! `research worker`: researches topics from the queue.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::Args;
use schemars::schema_for;

use super::args::{TopicArgs, jobs};
use super::batch::{prepare, text};
use super::batch_progress::BatchProgress;
use super::help::Group;
use super::queue_args::{QueueArgs, connect};
use super::resolve::{check_limit, with_age_args, with_model_args};
use super::{Action, Command, Exit, Output, Program, arguments, exit};
use crate::batch::{Batch, Entry, Summary};
use crate::pipeline::Reporter;
use crate::platform::watch_termination_signals;
use crate::queue::{Connection, FleetLimits, QueueSource};
use crate::quota::SharedQuotas;

const HELP: &str = "A topic is acknowledged when its session is finished. One whose session \
another process works on is handed back; one that fails for the fifth time, or can never succeed, \
becomes a dead letter (research status --queue lists them, research submit --dead queues them \
again). At SIGTERM or Ctrl-C, no new topics are taken; what runs may finish within the time of \
grace, and is handed back otherwise. Give workers the options that the topics were submitted with.";

/// `research worker`.
pub(super) const COMMAND: Command = Command {
    name: "worker",
    about: "Research topics from the queue",
    group: Group::Research,
    examples: &[
        (
            "Research topics as they are submitted",
            "research worker --queue nats://HOST:4222",
        ),
        (
            "Research what is there",
            "research worker --until-empty --jobs 4",
        ),
    ],
    results: &[("worker", || schema_for!(Summary))],
    define: |command, _| WorkerArgs::augment_args(command).after_help(HELP),
    action: Action::WithSettings(|program, matches| worker(program, arguments(matches)?)),
};

#[derive(Debug, Args)]
struct WorkerArgs {
    /// Number of topics at a time; by default eight per processor, up to 64
    #[arg(short, long, value_name = "N", value_parser = |text: &str| jobs(text, 20_000))]
    jobs: Option<u16>,

    /// End when no topic waits in the queue, nor is with any worker
    #[arg(long)]
    until_empty: bool,

    /// Time in which running topics may finish after SIGTERM
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    grace: u64,

    #[command(flatten)]
    queue_args: QueueArgs,

    #[cfg(feature = "s3")]
    #[command(flatten)]
    store_args: super::store_args::StoreArgs,

    #[command(flatten)]
    topic_args: TopicArgs,
}

fn worker(program: &Program<'_>, arguments: WorkerArgs) -> Result<Exit> {
    let program = &with_model_args(program, &arguments.topic_args.model_args)?;
    let program = &with_age_args(program, &arguments.topic_args.age_args)?;
    let mut connection = connect(program, arguments.queue_args.queue.as_deref())?;
    let program = &with_quotas(program, &mut connection)?;
    let interrupted = Arc::new(AtomicBool::new(false));
    let mut batch = prepare(program, arguments.topic_args, arguments.jobs, interrupted)?;
    let usd = program.settings.queue.max_cost_usd_per_day;
    check_limit(&batch.backend, "queue.max_cost_usd_per_day", usd).map_err(exit::usage)?;
    batch.keep_going = true;
    #[cfg(feature = "s3")]
    {
        batch.replicas = arguments.store_args.replicas(program)?;
    }
    drain_at_signal(
        *program.output,
        &batch,
        Duration::from_secs(arguments.grace),
    )?;
    let progress = Arc::new(BatchProgress::new(program, &batch));
    let reporter: Reporter<Entry> = {
        let progress = progress.clone();
        Arc::new(move |report| progress.show(*report))
    };
    let is_over = || batch.is_stopped();
    let source = QueueSource::new(&connection, batch.jobs, arguments.until_empty, is_over);
    let summary = batch.run(&source, &reporter);
    source.finish();
    let printed = progress.finish();
    // A queue has no rest that was not started.
    let summary = Summary {
        reached_end: true,
        ..summary?
    };
    program.output.remark(&text(&summary));
    if program.output.json {
        program.output.value(&summary)?;
    }
    // What failed is a matter of the queue, not of the worker.
    printed.map(|()| Exit::Complete)
}

/// The program with the quotas of all workers, if the settings limit anything.
fn with_quotas<'a>(program: &Program<'a>, connection: &mut Connection) -> Result<Program<'a>> {
    let settings = &program.settings.queue;
    let limits = FleetLimits {
        requests_per_minute: settings.requests_per_minute,
        tokens_per_minute: settings.tokens_per_minute,
        gap: Duration::from_millis(settings.gap_milliseconds),
        usd_per_day: settings.max_cost_usd_per_day,
    };
    let quotas = if limits == FleetLimits::default() {
        SharedQuotas::default()
    } else {
        let output = *program.output;
        let notice = Box::new(move |text: &str| output.complaint(text));
        SharedQuotas::new(connection.share_quotas(&limits, notice)?)
    };
    Ok(Program {
        settings: program.settings.clone(),
        origins: program.origins.clone(),
        quotas,
        ..*program
    })
}

/// Lets the batch end at the first signal: at once for topics that have not begun, and after the
/// time of grace for those that run.
fn drain_at_signal(output: Output, batch: &Batch, grace: Duration) -> Result<()> {
    let interrupted = batch.interrupted.clone();
    let on_signal = move |is_first| {
        if is_first {
            let seconds = grace.as_secs();
            output.remark(&format!(
                "stopping: topics that run have {seconds} seconds; a second signal stops now"
            ));
            let interrupted = interrupted.clone();
            thread::spawn(move || {
                thread::sleep(grace);
                interrupted.store(true, Ordering::SeqCst);
            });
        }
    };
    watch_termination_signals(&batch.stopped, Exit::Interrupted as i32, on_signal)
        .context("failed to listen for SIGTERM")
}
