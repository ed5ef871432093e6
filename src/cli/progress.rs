//! The progress of a run: a line that changes on a terminal, or with `--verbose` a line per event.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::Output;
use super::logging::LogFormat;
use super::terminal::{self, Bars};
use crate::pipeline::{Event, Report, Reporter};

/// The interval at which the line is redrawn.
const TICK: Duration = Duration::from_millis(100);

/// Reports the events of a run.
pub(super) struct Progress {
    bar: ProgressBar,
    output: Output,
    /// `true` if events are printed line by line instead.
    lines: bool,
}

impl Progress {
    /// Progress on standard error: one line that changes on a terminal, a line per event if
    /// `verbose`.
    pub(super) fn new(output: Output, verbose: bool) -> Self {
        // A line that is redrawn would break up JSON lines.
        let is_plain = output.log_format == LogFormat::Text && !output.quiet && !verbose;
        let bar = if is_plain && std::io::stderr().is_terminal() {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(TICK);
            terminal::set_bars(Some(Bars::Line(bar.clone())));
            bar
        } else {
            // It takes messages and draws nothing, which saves the reporter a case.
            ProgressBar::hidden()
        };
        Self {
            bar,
            output,
            lines: verbose,
        }
    }

    /// The reporter of the engine's events.
    pub(super) fn reporter(&self) -> Reporter {
        let (bar, output, lines) = (self.bar.clone(), self.output, self.lines);
        Arc::new(move |report| {
            let Report::Session { event, .. } = *report else {
                return;
            };
            let text = describe(event);
            // The loss of the event log is shown at any verbosity, even with --quiet.
            if matches!(event, Event::LogLost { .. }) {
                output.complaint(&text);
            } else if lines {
                output.remark(&text);
            } else {
                bar.set_message(text);
            }
        })
    }

    /// Removes the line.
    pub(super) fn finish(&self) {
        terminal::set_bars(None);
        self.bar.finish_and_clear();
    }
}

/// An event as a line for people.
pub(super) fn describe(event: &Event) -> String {
    match event {
        Event::RunStarted { .. } => "starting".to_owned(),
        Event::StageStarted {
            stage,
            round,
            reason,
        } => format!("{stage} (round {round}): {reason}"),
        Event::Progress { stage, message } => format!("{stage}: {message}"),
        Event::StageFinished { stage, digest, .. } => format!("{stage}: done, {}", digest.short()),
        Event::StageFailed { stage, problem } => format!("{stage}: failed: {problem}"),
        Event::StageWaits { stage, message } => format!("{stage}: {message}"),
        Event::Superseded { to, reason, files } => {
            format!("moved {} to {to}: {reason}", files.join(", "))
        }
        Event::Published { file, round, .. } => format!("published {file} from round {round}"),
        Event::PossiblyBilled { file } => {
            format!(
                "{file} was in flight when a run was killed: \
                it may have been billed, and is sent again"
            )
        }
        Event::Interrupted => "interrupted".to_owned(),
        Event::RunFinished => "finished".to_owned(),
        Event::LogLost { problem } => {
            format!("{problem}; the run continues, but its event log is incomplete")
        }
    }
}
