//! The progress of a batch: a line per finished topic, a table of workers on a terminal, and the
//! paths of the reports on standard output, in the order of the list.

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal, Write as _};
use std::mem;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result};
use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use super::logging::LogFormat;
use super::step_tree::Totals;
use super::words::truncated;
use super::{Output, Program, terminal};
use crate::batch::{Batch, Entry, Outcome};
use crate::pipeline::{Event, Report, score_text};
use crate::stage::PUBLICATION;

/// The longest topic that a line shows, in characters.
pub(super) const TOPIC_CHARACTERS: usize = 100;

/// The longest reason that a line shows, in characters.
const REASON_CHARACTERS: usize = 400;

/// The width of a topic in the table of workers.
const COLUMN_CHARACTERS: usize = 40;

/// The size at which buffered results are printed, in bytes. Finished topics come by the thousand
/// if there is nothing to do, and each print costs a system call.
const MAX_BUFFERED_BYTES: usize = 1 << 16;

/// The maximum number of workers in the table: more than a terminal has lines.
const MAX_BARS: usize = 64;

/// The interval at which the table is redrawn.
const TICK: Duration = Duration::from_millis(100);

/// Reports the events of a batch.
pub(super) struct BatchProgress {
    bars: Option<Bars>,
    total: Option<u64>,
    /// The results for standard output; `None` with `--json`.
    results: Option<Mutex<Results>>,
    /// The topics in order, with `--dry-run --json`.
    topics: Option<Mutex<Vec<Entry>>>,
    /// The prefix of the path of every report.
    prefix: String,
    dry_run: bool,
    output: Output,
    verbose: bool,
}

/// A bar for the batch, and a line per worker.
struct Bars {
    table: MultiProgress,
    batch: ProgressBar,
    workers: Vec<ProgressBar>,
    /// What all sessions have spent so far.
    totals: Mutex<Totals>,
}

impl Bars {
    fn new(total: Option<u64>, workers: usize) -> Self {
        let table = MultiProgress::new();
        let batch = table.add(match total {
            Some(total) => ProgressBar::new(total),
            None => ProgressBar::no_length(),
        });
        let style = |template: &str| {
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
        };
        let bar = style("{wide_bar} {pos}/{len}  {rate}  {elapsed_precise}  {msg}");
        let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
            // Only a formatter of the bar could refuse it.
            let _ = out.write_str(&rate(state.per_sec()));
        };
        batch.set_style(bar.with_key("rate", rate));
        let workers = (0..workers)
            .map(|_| {
                let bar = table.add(ProgressBar::new_spinner());
                bar.set_style(style("{spinner} {prefix:40!} {wide_msg}"));
                bar.enable_steady_tick(TICK);
                bar
            })
            .collect();
        // From now on, every write to standard error suspends the table.
        terminal::set_bars(Some(table.clone()));
        Self {
            table,
            batch,
            workers,
            totals: Mutex::default(),
        }
    }

    /// Counts what an event spends.
    fn spend(&self, event: &Event) {
        if matches!(event, Event::Searched { .. } | Event::Called { .. }) {
            // A poisoned lock is taken over: a sum is valid at any point.
            let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
            totals.add(event);
            self.batch.set_message(totals.spent());
        }
    }

    fn finish(&self) {
        terminal::set_bars(None);
        for bar in self.workers.iter().chain([&self.batch]) {
            bar.finish_and_clear();
        }
        // A failure is ignored: there is nowhere to report it.
        let _ = self.table.clear();
    }
}

impl BatchProgress {
    pub(super) fn new(program: &Program<'_>, batch: &Batch) -> Self {
        let output = *program.output;
        let is_text = output.log_format == LogFormat::Text && !output.quiet;
        let total = batch.topics;
        // A list on standard input is not counted: then every worker may get a topic.
        let topics = total.and_then(|total| usize::try_from(total).ok());
        let topics = topics.unwrap_or(usize::MAX);
        let workers = batch.jobs.min(topics).min(MAX_BARS);
        Self {
            bars: (is_text && io::stderr().is_terminal()).then(|| Bars::new(total, workers)),
            total,
            results: (!output.json).then(Mutex::default),
            topics: (output.json && batch.dry_run).then(Mutex::default),
            prefix: program.output_dir().join("").display().to_string(),
            dry_run: batch.dry_run,
            output,
            verbose: program.verbose,
        }
    }

    /// Shows a report.
    pub(super) fn show(&self, report: Report<'_, Entry>) {
        match report {
            Report::JobStarted { worker, name } => {
                if let Some(bar) = self.bar(worker) {
                    bar.set_prefix(truncated(name, COLUMN_CHARACTERS));
                    bar.set_message("");
                }
            }
            Report::Session {
                event: event @ Event::LogLost { .. },
                ..
            } => self.output.complaint(&event.to_string()),
            Report::Session { worker, event } => {
                if let Some(bars) = &self.bars {
                    bars.spend(event);
                }
                if let Some(bar) = worker.and_then(|worker| self.bar(worker)) {
                    bar.set_message(event.to_string());
                }
            }
            Report::JobFinished {
                worker,
                finished,
                job,
            } => {
                if let Some(bars) = &self.bars {
                    bars.batch.set_position(finished);
                }
                if let Some(bar) = worker.and_then(|worker| self.bar(worker)) {
                    bar.set_prefix("");
                    bar.set_message("");
                }
                if self.is_news(job) {
                    self.output.remark(&self.line(finished, job));
                }
            }
            Report::JobInOrder(entry) => {
                if let Some(topics) = &self.topics {
                    let mut topics = topics.lock().unwrap_or_else(PoisonError::into_inner);
                    topics.push(entry.clone());
                }
                self.print_result(entry);
            }
        }
    }

    fn bar(&self, worker: usize) -> Option<&ProgressBar> {
        self.bars.as_ref()?.workers.get(worker)
    }

    /// `true` if a line is printed for the topic: as in make, not if it was up to date.
    fn is_news(&self, entry: &Entry) -> bool {
        // A dry run prints these topics to standard output.
        let is_quiet = matches!(entry.outcome, Outcome::Stopped | Outcome::WouldRun)
            || entry.outcome.is_published();
        !self.output.quiet && (self.verbose || entry.made || !is_quiet)
    }

    fn line(&self, count: u64, entry: &Entry) -> String {
        let total = self
            .total
            .map_or(String::new(), |total| format!("/{total}"));
        let mut line = format!("[{count}{total}] {:<15}", entry.outcome.description());
        if let Some(session) = &entry.session {
            let _ = write!(line, "  {session}");
        }
        if let Some(score) = entry.score {
            let _ = write!(line, "  score {}", score_text(score));
        }
        let _ = write!(line, "  {}", truncated(&entry.topic, TOPIC_CHARACTERS));
        if let Some(reason) = &entry.reason {
            let _ = write!(line, ": {}", truncated(reason, REASON_CHARACTERS));
        }
        line
    }

    /// Prints the path of a report, or what would run, to standard output. A reader that closes the
    /// pipe does not stop the batch.
    fn print_result(&self, entry: &Entry) {
        let Some(results) = &self.results else {
            return;
        };
        // A poisoned lock is taken over: the buffer is valid at any point.
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = entry.session.as_ref().filter(|_| !self.dry_run)
            && entry.outcome.is_published()
        {
            for part in [&self.prefix, session, "/", PUBLICATION, "\n"] {
                results.buffer.extend_from_slice(part.as_bytes());
            }
        }
        if self.dry_run && entry.outcome == Outcome::WouldRun {
            let session = entry.session.as_deref().unwrap_or_default();
            let reason = entry.reason.as_deref().unwrap_or_default();
            let topic = truncated(&entry.topic, TOPIC_CHARACTERS);
            let _ = writeln!(results.buffer, "{session}  {topic}: {reason}");
        }
        // The result of a topic that was worked on is shown at once, and any where the next one may
        // be long in coming; others are buffered.
        if entry.made || self.total.is_none() || results.buffer.len() > MAX_BUFFERED_BYTES {
            terminal::suspended(|| results.flush());
        }
    }

    /// Returns the topics in order, with `--dry-run --json`; none otherwise.
    pub(super) fn take_topics(&self) -> Vec<Entry> {
        let topics = self.topics.as_ref().map(Mutex::lock);
        let topics = topics.map(|topics| topics.unwrap_or_else(PoisonError::into_inner));
        topics.map_or_else(Vec::new, |mut topics| mem::take(&mut *topics))
    }

    /// Removes the table and prints the remaining results.
    ///
    /// # Errors
    /// When results could not be printed, unless the reader closed the pipe.
    pub(super) fn finish(&self) -> Result<()> {
        if let Some(bars) = &self.bars {
            bars.finish();
        }
        let Some(results) = &self.results else {
            return Ok(());
        };
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        results.flush();
        match results.error.take() {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(error).context("failed to write to standard output")
            }
            _ => Ok(()),
        }
    }
}

/// A number of topics a second, or where that is less than one, a minute; of two digits.
fn rate(per_second: f64) -> String {
    let (rate, unit) = match per_second {
        fast if fast >= 1.0 => (fast, "s"),
        slow => (slow * 60.0, "min"),
    };
    let decimals = usize::from(rate < 9.95);
    format!("{rate:.decimals$}/{unit}")
}

/// The buffer of standard output. After an error, nothing more is printed.
#[derive(Default)]
struct Results {
    buffer: Vec<u8>,
    error: Option<io::Error>,
}

impl Results {
    fn flush(&mut self) {
        if self.error.is_none() && !self.buffer.is_empty() {
            let mut stdout = io::stdout().lock();
            let written = stdout.write_all(&self.buffer);
            self.error = written.and_then(|()| stdout.flush()).err();
        }
        self.buffer.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_two_digits() {
        for (per_second, shown) in [
            (0.3263, "20/min"),
            (0.0213, "1.3/min"),
            (0.0, "0.0/min"),
            (1.26, "1.3/s"),
            (9.97, "10/s"),
            (134.2, "134/s"),
        ] {
            assert_eq!(rate(per_second), shown);
        }
    }
}
