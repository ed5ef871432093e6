//! The progress of a run: a tree of steps that is redrawn on a terminal, a line for each event with
//! `--verbose`, and a line for each milestone elsewhere.

use std::fmt;
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::Output;
use super::durations::Durations;
use super::logging::LogFormat;
use super::step_tree::StepTree;
use super::terminal;
use super::tree_lines::TreeLines;
use crate::pipeline::{Clock, Event, Report, Reporter};

/// The interval at which the spinner moves and the time is redrawn.
const TICK: Duration = Duration::from_millis(200);

/// The maximum number of times a second that the tree is drawn (chosen by hand: it can be read).
const DRAWS_PER_SECOND: u8 = 5;

/// Reports the events of a run.
pub(super) struct Progress {
    shown: Arc<Shown>,
}

/// The way in which events are shown.
enum Shown {
    /// A tree on a terminal.
    Tree(Mutex<TreeBars>),
    /// Lines: one for each event, or for milestones only.
    Lines {
        output: Output,
        all: bool,
        /// The ids of the plan's steps.
        steps: Mutex<Vec<String>>,
    },
}

impl Progress {
    /// Progress on standard error: a tree on a terminal; lines elsewhere, and if `verbose`.
    pub(super) fn new(output: Output, verbose: bool) -> Self {
        Self::since(output, verbose, Duration::ZERO)
    }

    /// The progress of a run that began some time ago.
    pub(super) fn since(output: Output, verbose: bool, elapsed: Duration) -> Self {
        // A tree that is redrawn would break up JSON lines.
        let is_plain = output.log_format == LogFormat::Text && !output.quiet && !verbose;
        let shown = if is_plain && std::io::stderr().is_terminal() {
            Shown::Tree(Mutex::new(TreeBars::new(elapsed)))
        } else {
            Shown::Lines {
                output,
                all: verbose,
                steps: Mutex::default(),
            }
        };
        Self {
            shown: Arc::new(shown),
        }
    }

    /// The reporter of the engine's events.
    pub(super) fn reporter(&self, clock: Clock) -> Reporter {
        let shown = Arc::clone(&self.shown);
        let durations = Mutex::new(Durations::default());
        Arc::new(move |report| {
            if let Report::Session { event, .. } = *report {
                // A poisoned lock is taken over: the times are only for display.
                let mut durations = durations.lock().unwrap_or_else(PoisonError::into_inner);
                shown.show(event, durations.at(event, clock.now()));
            }
        })
    }

    /// Shows an event that may be long past.
    pub(super) fn show(&self, event: &Event) {
        self.shown.show(event, None);
    }

    /// Removes the tree.
    pub(super) fn finish(&self) {
        terminal::set_bars(None);
        if let Shown::Tree(bars) = &*self.shown {
            let bars = bars.lock().unwrap_or_else(PoisonError::into_inner);
            // A failure is ignored: there is nowhere to report it.
            let _ = bars.table.clear();
            bars.table.set_draw_target(ProgressDrawTarget::hidden());
        }
    }
}

impl Shown {
    /// Shows an event, with the time that what it ends took.
    fn show(&self, event: &Event, took: Option<Duration>) {
        match self {
            Self::Tree(bars) => {
                // A poisoned lock is taken over: the tree is only for display.
                let mut bars = bars.lock().unwrap_or_else(PoisonError::into_inner);
                bars.tree.apply(event);
                let lines = bars.tree.lines();
                bars.draw(&lines);
            }
            // The loss of the event log is shown at any verbosity, even with --quiet.
            Self::Lines { output, .. } if matches!(event, Event::LogLost { .. }) => {
                output.complaint(&event.to_string());
            }
            Self::Lines { output, all, steps } => {
                // As above, the numbers are only for display.
                let mut steps = steps.lock().unwrap_or_else(PoisonError::into_inner);
                let line = numbered(event, &mut steps);
                match took.filter(|_| *all) {
                    Some(took) => output.remark(&format!("{line} ({:.1} s)", took.as_secs_f64())),
                    None if *all || is_milestone(event) => output.remark(&line),
                    None => {}
                }
            }
        }
    }
}

/// The event as a line, in which a step of the plan has its number: `step 3-costs (3 of 6): done`.
fn numbered(event: &Event, steps: &mut Vec<String>) -> String {
    if let Event::Planned { steps: planned, .. } = event {
        *steps = planned.iter().map(|step| step.step.clone()).collect();
    }
    let text = event.to_string();
    let position = |id: &str| steps.iter().position(|step| step == id);
    match event.step().and_then(|id| Some((id, position(id)?))) {
        None => text,
        Some((id, index)) => {
            let step = format!("step {id}");
            let number = format!("{step} ({} of {})", index + 1, steps.len());
            text.replacen(&step, &number, 1)
        }
    }
}

/// `true` for the few events that are worth a line where nothing can be redrawn.
fn is_milestone(event: &Event) -> bool {
    match event {
        Event::StepFinished { reused, .. } => !reused,
        Event::Planned { .. }
        | Event::StepFailed { .. }
        | Event::DocumentCut { .. }
        | Event::DocumentsSkipped { .. }
        | Event::Reflected { .. }
        | Event::Analyzed { .. }
        | Event::ClaimsVerified { .. }
        | Event::Reviewed { .. } => true,
        _ => false,
    }
}

/// The tree, and the bar that draws it as a whole: so that all of it fits a window whose width has
/// changed.
struct TreeBars {
    tree: StepTree,
    table: MultiProgress,
    /// The bar, which is drawn as long as it is owned.
    _bar: ProgressBar,
    drawn: Arc<Mutex<TreeLines>>,
}

impl TreeBars {
    fn new(elapsed: Duration) -> Self {
        let table =
            MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(DRAWS_PER_SECOND));
        // From now on, every write to standard error suspends the tree.
        terminal::set_bars(Some(table.clone()));
        let drawn = Arc::new(Mutex::new(TreeLines::default()));
        let lines = Arc::clone(&drawn);
        let tree = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
            let text = lines.text(state.elapsed(), terminal::stderr_width());
            // Only a formatter of the bar could refuse it.
            let _ = out.write_str(&text);
        };
        let style = ProgressStyle::with_template("{spinner} {tree}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = ProgressBar::new_spinner().with_elapsed(elapsed);
        bar.set_style(style.with_key("tree", tree));
        let bar = table.add(bar);
        bar.enable_steady_tick(TICK);
        Self {
            tree: StepTree::default(),
            table,
            _bar: bar,
            drawn,
        }
    }

    /// Draws these lines in place of those before, at the next tick.
    fn draw(&mut self, lines: &[String]) {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.lines = lines.to_vec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::PlannedStep;

    #[test]
    fn lines_of_steps_say_which_of_how_many() {
        let skipped = |step: &str| Event::StepSkipped {
            step: step.to_owned(),
        };
        let plan = ["1-costs", "2-noise"].map(|step| PlannedStep {
            step: step.to_owned(),
            title: step.to_owned(),
        });
        let plan = Event::Planned {
            plan: 1,
            steps: plan.to_vec(),
        };
        let mut steps = Vec::new();
        let mut line = |event: &Event| numbered(event, &mut steps);
        assert_eq!(line(&skipped("2-noise")), "step 2-noise: skipped");
        assert_eq!(line(&plan), "plan 1: 2 steps");
        assert_eq!(line(&skipped("2-noise")), "step 2-noise (2 of 2): skipped");
        assert_eq!(line(&skipped("3-else")), "step 3-else: skipped");
    }
}
