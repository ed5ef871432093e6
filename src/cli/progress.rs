//! Progress: a line that moves on a terminal, plain lines elsewhere when asked for.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::output::complain;
use crate::pipeline::{Event, Observer};

/// How often the line moves.
const TICK: Duration = Duration::from_millis(100);

/// Shows events as they happen.
pub(super) struct Progress {
    bar: ProgressBar,
    lines: bool,
}

impl Progress {
    /// Progress on standard error: a moving line on a terminal, every event as a line if `verbose`.
    pub(super) fn new(quiet: bool, verbose: bool) -> Self {
        let bar = if quiet || verbose || !std::io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(TICK);
            bar
        };
        Self {
            bar,
            lines: verbose,
        }
    }

    /// What the engine tells.
    pub(super) fn observer(&self) -> Observer {
        let (bar, lines) = (self.bar.clone(), self.lines);
        Arc::new(move |event| {
            let text = describe(event);
            if matches!(event, Event::LogLost { .. }) {
                bar.suspend(|| complain(&text));
            } else if lines {
                use std::io::Write;
                let _ = writeln!(anstream::stderr().lock(), "{text}");
            } else {
                bar.set_message(text);
            }
        })
    }

    /// Takes the line away.
    pub(super) fn finish(&self) {
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
        Event::SetAside { to, reason, files } => {
            format!("moved {} to {to}: {reason}", files.join(", "))
        }
        Event::Published { file, round, .. } => format!("published {file} from round {round}"),
        Event::PossiblyBilled { file } => {
            format!(
                "{file} was in flight when a run died: it may have been billed, and is asked again"
            )
        }
        Event::Interrupted => "interrupted".to_owned(),
        Event::RunFinished => "finished".to_owned(),
        Event::LogLost { problem } => {
            format!("{problem}; the run goes on, but its log is not complete")
        }
    }
}
