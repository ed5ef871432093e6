//! `research batch`: a list of topics. One line a finished topic, or a table that moves on a
//! terminal; a summary in the end.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Write as _};
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::Args as _;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use serde::Serialize;

use super::args::BatchArgs;
use super::exit::{self, Exit};
use super::logging::LogFormat;
use super::output::truncated;
use super::progress::describe;
use super::run::{answering, answers, interruption, online, web};
use super::terminal;
use super::{Action, Command, Output, Program, arguments};
use crate::batch::{Batch, Entry, Outcome, Summary, each_entry};
use crate::pipeline::{Disk, Event, Report, Reporter};
use crate::session;
use crate::stage::PUBLICATION;

/// Characters of a topic that a line shows.
const SHOWN: usize = 100;

/// Bytes of results that wait at most, if no topic takes any time.
const MOST_WAITING: usize = 1 << 16;

/// Topics at once for each processor, and in all unless there are more processors.
const JOBS_EACH: usize = 8;
const MOST_JOBS: usize = 64;

/// How often the table moves.
const TICK: Duration = Duration::from_millis(100);

/// `research batch`.
pub(super) const COMMAND: Command = Command {
    name: "batch",
    about: "Research a list of topics, several at a time",
    define: |command, _| BatchArgs::augment_args(command),
    action: Action::WithSettings(|program, matches| batch(program, arguments(matches)?)),
};

fn batch(program: &Program<'_>, arguments: BatchArgs) -> Result<Exit> {
    let (list, strict) = (arguments.list.clone(), arguments.topic_args.strict);
    let program = &answering(program, &arguments.topic_args.model_args)?;
    let mut batch = prepared(program, arguments)?;
    let is_stdin = list.as_os_str() == "-";
    if !is_stdin {
        batch.topics = Some(count(&batch, &list)?);
    }
    let board = Arc::new(Board::new(program, &batch));
    let reporter: Reporter<Entry> = {
        let board = board.clone();
        Arc::new(move |report| board.show(*report))
    };
    let summary = match is_stdin {
        true => batch.run(io::stdin().lock(), &reporter),
        false => batch.run(open(&list)?, &reporter),
    };
    let printed = board.finish();
    let summary = summary?;
    let is_interrupted = batch.interrupted.load(std::sync::atomic::Ordering::SeqCst);
    let exit = match is_interrupted && !summary.whole_list || summary.interrupted > 0 {
        true => Exit::Interrupted,
        false => ended(&summary, strict),
    };
    report(program, &batch, &list, &summary)?;
    printed.map(|()| exit)
}

fn prepared(program: &Program<'_>, arguments: BatchArgs) -> Result<Batch> {
    let terms = arguments.topic_args;
    let (overrides, request) = (terms.overrides().map_err(exit::usage)?, terms.request(None));
    let output_dir = program.output_dir();
    session::name_documents(output_dir, &terms.docs).map_err(exit::usage)?;
    let run = &program.settings.run;
    let backend = answers(program)?.with_shared_budget(&program.settings.budget);
    let web = web(program, &terms)?;
    let online = online(program, &web.search, terms.model_args.offline)?;
    Ok(Batch {
        backend,
        settings: program.settings.clone(),
        clock: program.clock,
        disk: Disk::default(),
        interrupted: interruption()?,
        jobs: arguments.jobs.map_or_else(default_jobs, usize::from),
        keep_going: arguments.keep_going,
        shard: arguments.shard,
        wait: terms.wait,
        dry_run: terms.dry_run,
        topics: None,
        web,
        web_for_all: terms.search.is_some(),
        web_client: online,
        documents: terms.docs,
        depth: terms.depth.map_or(run.depth, Into::into),
        overrides,
        request,
    })
}

/// Topics at once unless said otherwise. Most of a topic's time is spent waiting for the disk to
/// flush, and flushes that are asked for together are done together: on two processors, 16 at once
/// take a quarter of the time of two.
fn default_jobs() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    (JOBS_EACH * processors).min(MOST_JOBS).max(processors)
}

fn open(list: &Path) -> Result<BufReader<File>> {
    let file = File::open(list);
    let file = file.with_context(|| format!("failed to read {}", list.display()));
    Ok(BufReader::new(file.map_err(exit::usage)?))
}

/// Counts the topics of a list that can be read twice, and checks them before the first is begun.
fn count(batch: &Batch, list: &Path) -> Result<u64> {
    let counted = batch.count(open(list)?);
    counted
        .with_context(|| list.display().to_string())
        .map_err(exit::usage)
}

/// What the program ends with, as `make -k` does: any failure counts most.
fn ended(summary: &Summary, strict: bool) -> Exit {
    match summary {
        Summary { failed: 1.., .. } => Exit::Failed,
        Summary {
            needs_clarification: 1..,
            ..
        } => Exit::NeedsClarification,
        Summary { exhausted: 1.., .. } => Exit::Exhausted,
        Summary { in_use: 1.., .. } => Exit::InUse,
        Summary {
            below_threshold: 1..,
            ..
        } if strict => Exit::BelowThreshold,
        Summary {
            no_evidence: 1..,
            topics,
            duplicate,
            ..
        } if summary.no_evidence + duplicate == *topics => Exit::NoEvidence,
        _ => Exit::Complete,
    }
}

/// Shows topics as they end.
struct Board {
    bars: Option<Bars>,
    total: Option<u64>,
    /// The paths of reports, on their way to standard output.
    results: Option<Mutex<Results>>,
    /// What the path of every report begins with.
    prefix: String,
    dry_run: bool,
    output: Output,
    verbose: bool,
}

/// A line for all, and one for each worker.
struct Bars {
    table: MultiProgress,
    all: ProgressBar,
    workers: Vec<ProgressBar>,
}

impl Bars {
    fn new(total: Option<u64>, workers: usize) -> Self {
        let table = MultiProgress::new();
        let all = table.add(match total {
            Some(total) => ProgressBar::new(total),
            None => ProgressBar::no_length(),
        });
        let style = |template: &str| {
            let style = ProgressStyle::with_template(template);
            style.unwrap_or_else(|_| ProgressStyle::default_bar())
        };
        all.set_style(style("{wide_bar} {pos}/{len}  {elapsed_precise}"));
        let worker = |_| {
            let bar = table.add(ProgressBar::new_spinner());
            bar.set_style(style("{spinner} {prefix:40!} {wide_msg}"));
            bar.enable_steady_tick(TICK);
            bar
        };
        terminal::set_bars(Some(terminal::Bars::Table(table.clone())));
        Self {
            workers: (0..workers).map(worker).collect(),
            table,
            all,
        }
    }

    fn finish(&self) {
        terminal::set_bars(None);
        for bar in self.workers.iter().chain([&self.all]) {
            bar.finish_and_clear();
        }
        // If it cannot be cleared, there is nobody to see it.
        let _ = self.table.clear();
    }
}

impl Board {
    fn new(program: &Program<'_>, batch: &Batch) -> Self {
        let output = *program.output;
        let is_text = output.log_format == LogFormat::Text && !output.quiet;
        let moves = is_text && io::stderr().is_terminal();
        let total = batch.topics;
        let workers = batch.jobs.min(total.map_or(usize::MAX, |total| {
            usize::try_from(total).unwrap_or(usize::MAX)
        }));
        Self {
            bars: moves.then(|| Bars::new(total, workers)),
            total,
            results: (!output.json).then(Mutex::default),
            prefix: program.output_dir().join("").display().to_string(),
            dry_run: batch.dry_run,
            output,
            verbose: program.verbose,
        }
    }

    fn show(&self, report: Report<'_, Entry>) {
        match report {
            Report::JobStarted { worker, name } => {
                if let Some(bar) = self.bar(worker) {
                    bar.set_prefix(truncated(name, 40));
                    bar.set_message("");
                }
            }
            Report::Session {
                event: event @ Event::LogLost { .. },
                ..
            } => self.output.complaint(&describe(event)),
            Report::Session { worker, event } => {
                if let Some(bar) = worker.and_then(|worker| self.bar(worker)) {
                    bar.set_message(describe(event));
                }
            }
            Report::JobFinished {
                worker,
                finished,
                job,
            } => {
                if let Some(bars) = &self.bars {
                    bars.all.set_position(finished);
                }
                if let Some(bar) = worker.and_then(|worker| self.bar(worker)) {
                    bar.set_prefix("");
                    bar.set_message("");
                }
                if self.is_news(job) {
                    self.output.remark(&self.line(finished, job));
                }
            }
            Report::JobInOrder(entry) => self.result(entry),
        }
    }

    fn bar(&self, worker: usize) -> Option<&ProgressBar> {
        self.bars.as_ref()?.workers.get(worker)
    }

    /// A topic for which there was nothing to do is none, as in make.
    fn is_news(&self, entry: &Entry) -> bool {
        // What would run stands on standard output.
        let stands = matches!(entry.outcome, Outcome::Stopped | Outcome::WouldRun)
            || entry.outcome.is_published();
        !self.output.quiet && (self.verbose || entry.made || !stands)
    }

    fn line(&self, count: u64, entry: &Entry) -> String {
        let total = self
            .total
            .map_or(String::new(), |total| format!("/{total}"));
        let mut line = format!("[{count}{total}] {:<15}", words(entry));
        if let Some(session) = &entry.session {
            let _ = write!(line, "  {session}");
        }
        if let Some(score) = entry.score {
            let _ = write!(line, "  score {score:.2}");
        }
        let _ = write!(line, "  {}", truncated(&entry.topic, SHOWN));
        if let Some(reason) = &entry.reason {
            let _ = write!(line, ": {}", truncated(reason, 4 * SHOWN));
        }
        line
    }

    /// The path of a report, or what would run, to standard output. Whoever stops reading does not
    /// stop the batch.
    fn result(&self, entry: &Entry) {
        let Some(results) = &self.results else {
            return;
        };
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = entry.session.as_ref().filter(|_| !self.dry_run)
            && entry.outcome.is_published()
        {
            for part in [&self.prefix, session, "/", PUBLICATION, "\n"] {
                results.waiting.extend_from_slice(part.as_bytes());
            }
        }
        if self.dry_run && entry.outcome == Outcome::WouldRun {
            let session = entry.session.as_deref().unwrap_or_default();
            let reason = entry.reason.as_deref().unwrap_or_default();
            let topic = truncated(&entry.topic, SHOWN);
            let _ = writeln!(results.waiting, "{session}  {topic}: {reason}");
        }
        if entry.made || results.waiting.len() > MOST_WAITING {
            terminal::suspended(|| results.print());
        }
    }

    /// Takes the table away, and says if results could not be printed though somebody listens.
    fn finish(&self) -> Result<()> {
        if let Some(bars) = &self.bars {
            bars.finish();
        }
        let Some(results) = &self.results else {
            return Ok(());
        };
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        results.print();
        match results.problem.take() {
            Some(problem) if problem.kind() != io::ErrorKind::BrokenPipe => {
                Err(problem).context("failed to write to standard output")
            }
            _ => Ok(()),
        }
    }
}

/// What waits to be printed on standard output, and why no more is.
#[derive(Default)]
struct Results {
    waiting: Vec<u8>,
    problem: Option<io::Error>,
}

impl Results {
    fn print(&mut self) {
        if self.problem.is_none() && !self.waiting.is_empty() {
            let mut stdout = io::stdout().lock();
            let written = stdout.write_all(&self.waiting);
            self.problem = written.and_then(|()| stdout.flush()).err();
        }
        self.waiting.clear();
    }
}

fn words(entry: &Entry) -> &'static str {
    entry.outcome.description()
}

/// What a batch came to, for other programs.
#[derive(Serialize)]
struct Came<'a> {
    summary: &'a Summary,
    /// Where it is written down topic by topic.
    record: Option<String>,
}

fn report(program: &Program<'_>, batch: &Batch, list: &Path, summary: &Summary) -> Result<()> {
    let record = Some(batch.record()).filter(|_| !batch.dry_run);
    if let Some(record) = &record
        && summary.failed + summary.needs_clarification > 0
    {
        each_entry(record, |entry| {
            if matches!(entry.outcome, Outcome::Failed | Outcome::NeedsClarification) {
                complain(program, list, entry);
            }
        })?;
    }
    program.output.remark(&text(summary));
    if program.output.json {
        program.output.value(&Came {
            summary,
            record: record.map(|record| record.display().to_string()),
        })?;
    }
    Ok(())
}

/// A failure, whole, and how it goes on.
fn complain(program: &Program<'_>, list: &Path, entry: &Entry) {
    let (ending, topic) = (words(entry), truncated(&entry.topic, SHOWN));
    let reason = entry.reason.as_deref().unwrap_or_default();
    let place = format!("{}:{}", list.display(), entry.line);
    program
        .output
        .complaint(&format!("{place}: {ending}: {topic}: {reason}"));
    if let Some(session) = &entry.session {
        let path = program.output_dir().join(session);
        program.output.remark(&format!(
            "  go on with: research run --resume {}",
            path.display()
        ));
    }
}

fn text(summary: &Summary) -> String {
    let counts = [
        (summary.complete, Outcome::Complete),
        (summary.below_threshold, Outcome::BelowThreshold),
        (summary.no_evidence, Outcome::NoEvidence),
        (summary.stopped, Outcome::Stopped),
        (summary.would_run, Outcome::WouldRun),
        (summary.duplicate, Outcome::Duplicate),
        (summary.in_use, Outcome::InUse),
        (summary.needs_clarification, Outcome::NeedsClarification),
        (summary.exhausted, Outcome::Exhausted),
        (summary.interrupted, Outcome::Interrupted),
        (summary.failed, Outcome::Failed),
    ];
    let counts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, outcome)| format!("{count} {}", outcome.description()))
        .collect();
    let topics = match summary.topics {
        1 => "1 topic".to_owned(),
        topics => format!("{topics} topics"),
    };
    let mut text = match counts.is_empty() {
        true => topics,
        false => format!("{topics}: {}", counts.join(", ")),
    };
    if summary.nothing_to_do > 0 {
        let _ = write!(text, "; nothing to do for {}", summary.nothing_to_do);
    }
    if !summary.whole_list {
        text.push_str("; the rest of the list was not begun");
    }
    text
}
