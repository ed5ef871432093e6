//! Standard error, which messages, log lines and progress bars share: the bars are suspended while
//! a line is written, so that they do not garble each other.

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use anstream::ColorChoice;
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use indicatif::{MultiProgress, ProgressDrawTarget};

use crate::artifact::session::State;
use crate::platform::QuietControls;
use crate::text::{is_deceptive, without_controls};

/// The bars that are drawn on standard error now.
static BARS: Mutex<Option<Bars>> = Mutex::new(None);

/// Bars, and the terminal that echoes no control characters as long as they are drawn.
struct Bars {
    table: MultiProgress,
    _controls: Option<QuietControls<io::Stderr>>,
}

/// Sets the bars that have to be suspended while something is written, or `None` after they were
/// removed.
pub(super) fn set_bars(bars: Option<MultiProgress>) {
    *BARS.lock().unwrap_or_else(PoisonError::into_inner) = bars.map(|table| Bars {
        table,
        _controls: QuietControls::new(io::stderr()),
    });
}

/// Removes the bars for good, because the program ends.
pub(super) fn clear_bars() {
    let bars = BARS.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(bars) = bars {
        // A failure is ignored: there is nowhere to report it.
        let _ = bars.table.clear();
        bars.table.set_draw_target(ProgressDrawTarget::hidden());
    }
}

/// Runs `write` while the progress bars are suspended.
pub(super) fn suspended<T>(write: impl FnOnce() -> T) -> T {
    // The lock is released before the bars are suspended, since they have a lock of their own.
    let bars = BARS.lock().unwrap_or_else(PoisonError::into_inner);
    let table = bars.as_ref().map(|bars| bars.table.clone());
    drop(bars);
    match table {
        None => write(),
        Some(table) => table.suspend(write),
    }
}

/// Writes a line to standard error, without control characters: names and texts in it may come from
/// documents. A failure is ignored: there is nowhere to report it.
pub(super) fn write_line(line: &str) {
    let _ = suspended(|| writeln!(anstream::stderr().lock(), "{}", without_controls(line)));
}

/// Writes a warning or an error as a line to standard error, after the name of the program.
pub(super) fn write_complaint(text: &str) {
    let (program, text) = (colored("research:", AnsiColor::Red), without_controls(text));
    let write = || writeln!(anstream::stderr().lock(), "{program} {text}");
    let _ = suspended(write);
}

/// The option `--color`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless the environment says otherwise (NO_COLOR, CLICOLOR)
    #[default]
    Auto,
    /// Also where no terminal is
    Always,
    /// Nowhere
    Never,
}

/// Chooses when to use colors by the option in the arguments, before they are parsed: errors of
/// the parser and the help have colors too.
pub(super) fn choose_color(arguments: &[OsString]) {
    let words = arguments.iter().map(|word| word.to_string_lossy());
    let words: Vec<_> = words.take_while(|word| *word != "--").collect();
    let has = |value: &str| {
        let mut pairs = words.windows(2);
        let is_joined = words.iter().any(|word| *word == format!("--color={value}"));
        is_joined || pairs.any(|pair| pair[0] == "--color" && pair[1] == value)
    };
    let choice = if has("always") {
        ColorChoice::Always
    } else if has("never") {
        ColorChoice::Never
    } else {
        ColorChoice::Auto
    };
    choice.write_global();
}

/// Text in bold and in a color, for [`Output::styled`](super::Output::styled), which leaves the
/// color out where none is wanted.
pub(super) fn colored(text: &str, color: AnsiColor) -> String {
    let style = Style::new().bold().fg_color(Some(color.into()));
    format!("{style}{text}{style:#}")
}

/// The name of a state, filled up to a width and in its color: green with a report, red after a
/// failure, yellow where the user is to do something, none while work is left or being done.
pub(super) fn colored_state(state: State, width: usize) -> String {
    let text = format!("{:<width$}", state.name());
    let color = match state {
        State::Complete => AnsiColor::Green,
        State::Broken | State::Failed => AnsiColor::Red,
        State::NoEvidence
        | State::Outdated
        | State::Waiting
        | State::Interrupted
        | State::BudgetEnded => AnsiColor::Yellow,
        State::Pending
        | State::Researching
        | State::Analyzing
        | State::Writing
        | State::Reviewing => return text,
    };
    colored(&text, color)
}

/// The writer of log lines. A subscriber formats an event into a buffer and writes it at once.
pub(super) struct LogWriter {
    /// `true` for lines of JSON, in which deceptive characters can be escaped.
    pub(super) is_json: bool,
}

impl Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let escaped = std::str::from_utf8(line).ok().filter(|_| self.is_json);
        let escaped = escaped.map(escaped_json);
        let shown = escaped.as_ref().map_or(line, |line| line.as_bytes());
        // `write_all`, so that no line is cut off.
        suspended(|| anstream::stderr().lock().write_all(shown))?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// JSON with its deceptive characters escaped (RFC 8259, section 7): a pipe may end at a terminal.
pub(super) fn escaped_json(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    for c in line.chars() {
        if is_deceptive(c) {
            let units = c.encode_utf16(&mut [0; 2]).to_vec();
            escaped.extend(units.iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// The width of the terminal that standard output is; `None` if it is none.
pub(super) fn width() -> Option<usize> {
    let (terminal_size::Width(width), _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(usize::from(width))
}

/// The width of the terminal that standard error is.
pub(super) fn stderr_width() -> usize {
    let size = terminal_size::terminal_size_of(io::stderr());
    size.map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0))
}

/// The width of a terminal that does not tell it.
const DEFAULT_WIDTH: usize = 80;
