//! `research batch`: researches a list of topics, several at a time.

use std::fmt::Write as _;
use std::fs::{File, Metadata};
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, anyhow, ensure};
use clap::Args;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;

use super::args::{TopicArgs, jobs};
use super::batch_events::{BatchEvent, BatchEvents};
use super::batch_progress::{BatchProgress, TOPIC_CHARACTERS};
use super::exit::{self, Exit};
use super::help::{self, Group};
use super::resolve::{
    backend, fetched_since, interruption, remark_unused, web_client, with_age_args, with_model_args,
};
use super::run::to_resume;
use super::status::EndOfStream;
use super::words::{count, truncated};
use super::{Action, Command, Program, arguments, trust};
use crate::batch::{
    Batch, Entry, Growing, ListSource, Outcome, Shard, Stream, Summary, TopicSource, each_entry,
    is_header_of_table,
};
use crate::pipeline::{Disk, Reporter};
use crate::platform::raise_descriptor_limit;
use crate::session;
use crate::{read, run};

/// The default number of concurrent topics per processor …
const JOBS_PER_PROCESSOR: usize = 8;
/// … and in total, unless there are more processors.
const MAX_DEFAULT_JOBS: usize = 64;

/// The open files of a process besides the locks of its sessions: connections, caches and children.
/// Chosen by hand; three a call of a model, of which a provider bears a few dozen at once.
const OTHER_DESCRIPTORS: usize = 512;

/// The way to go on after an interruption.
const RESUME: &str = "run the same command again; what is complete is not done again";

const LIST_HELP: &str = "The list has one topic per line; empty lines and lines that start with # \
are ignored. A line that starts with { is JSON: {\"topic\": …, \"docs\": […], \"mode\": …, \
\"depth\": …, \
\"threshold\": …, \"max_rounds\": …, \"session\": …}; for missing fields, the options apply. The \
paths of the reports are printed to standard output, in the order of the list.

Exit codes: 1 if a topic failed; else 4 if one needs clarification; else 6 if the budget was \
exhausted before one; else 7 if one is in use by another process; else 3 if one is below the \
threshold, not answered or changed by hand (with --strict); 5 if there is no evidence for any of \
them; else 0. Interrupted: 130.";

/// `research batch`.
pub(super) const COMMAND: Command = Command {
    name: "batch",
    about: "Research a list of topics, several at a time",
    group: Group::Research,
    examples: &[
        (
            "Research a list of topics over documents",
            "research batch topics.txt --docs notes --keep-going",
        ),
        (
            "See what there is to do",
            "research batch topics.txt --docs notes --dry-run",
        ),
        (
            "One of four machines that share a directory",
            "research batch topics.txt --docs notes --shard 1/4",
        ),
        (
            "Follow what happens, for a program",
            "research batch topics.txt --docs notes --events",
        ),
        (
            "Go on as lines are appended",
            "research batch topics.txt --docs notes --watch",
        ),
    ],
    results: &[
        ("batch", || schema_for!(BatchResult<'_>)),
        ("batch-event", || schema_for!(BatchEvent<'_>)),
    ],
    define: |command, _| {
        help::with_settings(BatchArgs::augment_args(command)).after_help(LIST_HELP)
    },
    action: Action::WithSettings(|program, matches| batch(program, arguments(matches)?)),
};

#[derive(Debug, Args)]
struct BatchArgs {
    /// File or pipe with one topic per line; `-` for standard input
    list: PathBuf,

    /// Number of topics at a time; by default eight per processor, up to 64
    #[arg(short, long, value_name = "N", value_parser = |text: &str| jobs(text, 20_000))]
    jobs: Option<u16>,

    /// Start new topics after one has failed
    #[arg(short, long)]
    keep_going: bool,

    /// Work only on this part of the list, selected by the hashes of the topics
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Go on as lines are appended to the list, until interrupted; implies --keep-going
    #[arg(long, conflicts_with = "dry_run")]
    watch: bool,

    /// Print the events of all topics as lines of JSON as they happen, and the result last
    #[arg(long, conflicts_with = "dry_run")]
    events: bool,

    #[cfg(feature = "s3")]
    #[command(flatten)]
    store_args: super::store_args::StoreArgs,

    #[command(flatten)]
    topic_args: TopicArgs,
}

fn batch(program: &Program<'_>, arguments: BatchArgs) -> Result<Exit> {
    let (list, strict) = (arguments.list.clone(), arguments.topic_args.strict);
    let (is_watched, as_events) = (arguments.watch, arguments.events);
    let program = &with_model_args(program, &arguments.topic_args.model_args)?;
    let program = &with_age_args(program, &arguments.topic_args.age_args)?;
    let jobs = arguments.jobs;
    let interrupted = interruption(*program.output, RESUME.to_owned())?;
    let documents = arguments.topic_args.docs.clone();
    let mut batch = prepare(program, arguments.topic_args, jobs, interrupted)?;
    batch.keep_going = arguments.keep_going || is_watched;
    batch.shard = arguments.shard;
    #[cfg(feature = "s3")]
    {
        batch.replicas = arguments.store_args.replicas(program)?;
    }
    // A file is read twice, to count its topics and to run them; a stream only once, and a list
    // that grows has no number of topics.
    let is_stream = is_stream(&list);
    if !is_stream && !is_watched {
        batch.topics = Some(count_topics(&batch, &list)?);
    }
    let progress = (!as_events).then(|| Arc::new(BatchProgress::new(program, &batch)));
    let reporter: Reporter<Entry> = match progress.clone() {
        Some(progress) => Arc::new(move |report| progress.show(*report)),
        None => {
            let events = BatchEvents::new(program);
            Arc::new(move |report| events.show(*report))
        }
    };
    let is_over = || batch.is_stopped();
    let source: Box<dyn TopicSource + '_> = if is_stream {
        let stream = stream(&list, is_over);
        Box::new(ListSource::new(BufReader::new(stream), batch.shard))
    } else if is_watched {
        let growing = Growing::new(open(&list)?, is_over);
        Box::new(ListSource::new(BufReader::new(growing), batch.shard))
    } else {
        Box::new(ListSource::new(BufReader::new(open(&list)?), batch.shard))
    };
    let summary = batch.run(&*source, &reporter);
    if !batch.dry_run {
        trust::note_named(program, &documents);
    }
    let topics = progress
        .as_ref()
        .map_or_else(Vec::new, |own| own.take_topics());
    let printed = progress.map_or(Ok(()), |progress| progress.finish());
    // The table is removed by now, so that an error is not printed into it.
    let summary = summary?;
    // An interruption after the end of the list has changed nothing.
    let is_interrupted = batch.interrupted.load(Ordering::SeqCst);
    let exit = if is_interrupted && !summary.reached_end || summary.interrupted > 0 {
        Exit::Interrupted
    } else {
        exit_code(&summary, strict)
    };
    report(
        program,
        &batch,
        (&list, as_events),
        (&summary, exit, topics),
    )?;
    if exit == Exit::Interrupted {
        program.output.remark(&format!("to resume: {RESUME}"));
    }
    printed.map(|()| exit)
}

/// A batch of the whole of its source, which ends at the first failure.
pub(super) fn prepare(
    program: &Program<'_>,
    topic_args: TopicArgs,
    jobs: Option<u16>,
    interrupted: Arc<AtomicBool>,
) -> Result<Batch> {
    let overrides = topic_args.overrides().map_err(exit::usage)?;
    let request = topic_args.request(None, fetched_since(program));
    if !topic_args.dry_run {
        program.lay_out()?;
    }
    // A document that a session cannot name is a usage error, before the first topic.
    session::name_documents(program.output_dir(), &topic_args.docs).map_err(exit::usage)?;
    let reader = run::reader(&program.settings)?;
    read::require_text(&topic_args.docs, &reader).map_err(|error| exit::usage(error.into()))?;
    // All topics of the batch share a budget.
    let budget = &program.settings.budget;
    let backend = backend(program)?.with_shared_budget(budget, &program.quotas);
    if backend.models().is_none() {
        remark_unused(program.output, &topic_args.style_args);
    }
    let question = topic_args.question("", &program.settings);
    let (mode, depth) = question.mode_and_depth(&program.settings)?;
    let web = question.web_scope(&program.settings, mode)?;
    let is_offline = topic_args.model_args.offline;
    let web_client = web_client(program, &web.search, is_offline, &interrupted)?;
    let settings = program.settings.clone();
    let style = Arc::new(question.report_style(&settings)?);
    Ok(Batch {
        backend,
        settings,
        clock: program.clock,
        disk: Disk::default(),
        replicas: None,
        interrupted,
        jobs: checked_jobs(jobs)?,
        stopped: Arc::default(),
        keep_going: false,
        shard: None,
        wait: topic_args.wait,
        dry_run: topic_args.dry_run,
        topics: None,
        web: Arc::new(web),
        web_for_all: topic_args.search.is_some(),
        web_client,
        documents: topic_args.docs,
        mode,
        depth,
        style,
        overrides,
        request,
    })
}

/// The number of concurrent topics, each of which holds the lock of its session: an open file.
fn checked_jobs(jobs: Option<u16>) -> Result<usize> {
    let jobs = jobs.map_or_else(default_jobs, usize::from);
    if jobs <= MAX_DEFAULT_JOBS {
        return Ok(jobs);
    }
    let (needed, allowed) = (jobs + OTHER_DESCRIPTORS, raise_descriptor_limit());
    if needed > allowed {
        return Err(exit::usage(anyhow!(
            "--jobs {jobs} needs {needed} open files, and this process may have {allowed}; raise \
             the limit (ulimit -n), or give fewer jobs"
        )));
    }
    Ok(jobs)
}

/// The default number of concurrent topics.
pub(super) fn default_jobs() -> usize {
    // A topic mostly waits for the disk to flush, and concurrent flushes are merged: on two
    // processors, 16 concurrent topics take a quarter of the time of two.
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    (JOBS_PER_PROCESSOR * processors)
        .min(MAX_DEFAULT_JOBS)
        .max(processors)
}

pub(super) fn open(list: &Path) -> Result<File> {
    let missing = "a list has one topic or one JSON object a line, and - is standard input";
    if list.is_dir() {
        let shown = list.display();
        return Err(exit::usage(anyhow!("{shown} is a directory: {missing}")));
    }
    let file = File::open(list);
    let file = file.map_err(|error| exit::of_file(error, missing));
    let file = file.with_context(|| format!("failed to read {}", list.display()));
    file.map_err(exit::usage)
}

/// `true` for standard input, a pipe or a device, which can be read once.
fn is_stream(list: &Path) -> bool {
    let is_other = |metadata: Metadata| !metadata.is_file() && !metadata.is_dir();
    is_stdin(list) || list.metadata().is_ok_and(is_other)
}

fn is_stdin(list: &Path) -> bool {
    list.as_os_str() == "-"
}

/// Reads a stream; a pipe that has a name is opened only when somebody writes into it.
fn stream<F: Fn() -> bool>(list: &Path, is_over: F) -> Stream<F> {
    if is_stdin(list) {
        return Stream::new(|| Ok(io::stdin()), is_over);
    }
    let list = list.to_owned();
    Stream::new(|| File::open(list), is_over)
}

/// Counts the topics of a list file, and checks them before the first one is started.
pub(super) fn count_topics(batch: &Batch, list: &Path) -> Result<u64> {
    refuse_table(list).map_err(exit::usage)?;
    batch
        .count(BufReader::new(open(list)?))
        .with_context(|| list.display().to_string())
        .map_err(exit::usage)
}

/// Refuses a table with a header, whose rows would be taken for topics as they are.
fn refuse_table(list: &Path) -> Result<()> {
    let extension = list.extension().unwrap_or_default();
    let is_table = ["csv", "tsv"]
        .iter()
        .any(|own| extension.eq_ignore_ascii_case(own));
    let mut first = String::new();
    if is_table {
        let start = open(list)?.take(HEADER_BYTES);
        // What is no text is refused with the number of its line.
        let _ = BufReader::new(start).read_line(&mut first);
    }
    ensure!(
        !is_header_of_table(&first),
        "{} is a table with the columns {}; a list has no columns: write one topic a line, or one \
         JSON object a line, {{\"topic\": …, \"depth\": …}}",
        list.display(),
        first.trim().trim_start_matches('\u{feff}')
    );
    Ok(())
}

/// The number of bytes in which the header of a table is looked for.
const HEADER_BYTES: u64 = 4096;

/// The exit code of a batch. As with `make -k`, a failure takes precedence.
fn exit_code(summary: &Summary, strict: bool) -> Exit {
    // The order of the arms is the precedence of the exit codes.
    match summary {
        Summary { failed: 1.., .. } => Exit::Failed,
        Summary {
            needs_clarification: 1..,
            ..
        } => Exit::NeedsClarification,
        Summary { exhausted: 1.., .. } => Exit::Exhausted,
        Summary { in_use: 1.., .. } => Exit::InUse,
        Summary {
            below_threshold,
            not_answered,
            altered,
            ..
        } if strict && below_threshold + not_answered + altered > 0 => Exit::BelowThreshold,
        Summary {
            no_evidence: 1..,
            topics,
            duplicate,
            ..
        } if summary.no_evidence + duplicate == *topics => Exit::NoEvidence,
        _ => Exit::Complete,
    }
}

/// The outcome of a batch, for other programs.
#[derive(Serialize, JsonSchema)]
struct BatchResult<'a> {
    summary: &'a Summary,
    /// The path of the record of all topics.
    record: Option<String>,
    /// The topics in the order of the list, with `--dry-run`, which makes no record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    topics: Vec<Entry>,
}

fn report(
    program: &Program<'_>,
    batch: &Batch,
    (list, as_events): (&Path, bool),
    (summary, exit, topics): (&Summary, Exit, Vec<Entry>),
) -> Result<()> {
    let record = Some(batch.record()).filter(|_| !batch.dry_run);
    if let Some(record) = &record
        && summary.failed + summary.needs_clarification + summary.altered > 0
    {
        // Failures are read again from the record: a long list is never in memory.
        each_entry(record, |entry| {
            let is_named = matches!(
                entry.outcome,
                Outcome::Failed | Outcome::NeedsClarification | Outcome::Altered
            );
            if is_named {
                report_failure(program, list, entry);
            }
        })?;
    }
    let record = record.map(|record| record.display().to_string());
    // A shard may have none; a whole list without any is mostly the wrong file.
    let is_empty = summary.topics == 0 && summary.reached_end && batch.shard.is_none();
    if is_empty && exit == Exit::Complete {
        let name = if is_stdin(list) {
            "standard input".into()
        } else {
            list.display().to_string()
        };
        program.output.complaint(&format!("{name} has no topics"));
    } else {
        print_summary(program, summary, exit, record.as_deref());
    }
    let result = BatchResult {
        summary,
        record,
        topics,
    };
    if as_events {
        program.output.line(&EndOfStream { result: &result })?;
    } else if program.output.json {
        program.output.value(&result)?;
    }
    Ok(())
}

/// Prints the outcomes in a line; with `--quiet` only those of failures that are not named one by
/// one.
fn print_summary(program: &Program<'_>, summary: &Summary, exit: Exit, record: Option<&str>) {
    let text = text(summary);
    let is_unnamed = matches!(
        exit,
        Exit::BelowThreshold | Exit::NoEvidence | Exit::Exhausted | Exit::InUse
    );
    if !program.output.quiet || !is_unnamed {
        return program.output.remark(&text);
    }
    let which = record.map_or(String::new(), |record| format!("; {record} says which"));
    program.output.complaint(&format!("{text}{which}"));
}

/// Prints a failure in full, and the command that resumes its session.
fn report_failure(program: &Program<'_>, list: &Path, entry: &Entry) {
    let topic = truncated(&entry.topic, TOPIC_CHARACTERS);
    program.output.complaint(&format!(
        "{}:{}: {}: {topic}: {}",
        list.display(),
        entry.line,
        entry.outcome.description(),
        entry.reason.as_deref().unwrap_or_default()
    ));
    if let Some(session) = &entry.session {
        let path = session::path(program.output_dir(), session);
        if let Some(command) = to_resume(program, &path, None) {
            program.output.remark(&format!("  to resume: {command}"));
        }
    }
}

/// The outcomes of a batch in words.
pub(super) fn text(summary: &Summary) -> String {
    let outcomes = [
        (summary.complete, Outcome::Complete),
        (summary.below_threshold, Outcome::BelowThreshold),
        (summary.not_answered, Outcome::NotAnswered),
        (summary.altered, Outcome::Altered),
        (summary.no_evidence, Outcome::NoEvidence),
        (summary.stopped, Outcome::Stopped),
        (summary.would_run, Outcome::WouldRun),
        (summary.duplicate, Outcome::Duplicate),
        (summary.in_use, Outcome::InUse),
        (summary.needs_clarification, Outcome::NeedsClarification),
        (summary.exhausted, Outcome::Exhausted),
        (summary.interrupted, Outcome::Interrupted),
        (summary.failed, Outcome::Failed),
    ]
    .iter()
    .filter(|(topics, _)| *topics > 0)
    .map(|(topics, outcome)| format!("{topics} {}", outcome.description()))
    .collect::<Vec<_>>();
    let mut text = count(summary.topics, "topic");
    if !outcomes.is_empty() {
        let _ = write!(text, ": {}", outcomes.join(", "));
    }
    if summary.nothing_to_do > 0 {
        let _ = write!(text, "; nothing to do for {}", summary.nothing_to_do);
    }
    if !summary.reached_end {
        text.push_str("; the rest of the list was not started");
    }
    text
}
