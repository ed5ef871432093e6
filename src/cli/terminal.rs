//! Standard error, which messages, log lines and progress bars share: the bars are suspended while
//! a line is written, so that they do not garble each other.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use indicatif::MultiProgress;

use crate::text::without_controls;

/// The bars that are drawn on standard error now.
static BARS: Mutex<Option<MultiProgress>> = Mutex::new(None);

/// Sets the bars that have to be suspended while something is written, or `None` after they were
/// removed.
pub(super) fn set_bars(bars: Option<MultiProgress>) {
    *BARS.lock().unwrap_or_else(PoisonError::into_inner) = bars;
}

/// Runs `write` while the progress bars are suspended.
pub(super) fn suspended<T>(write: impl FnOnce() -> T) -> T {
    // The lock is released before the bars are suspended, since they have a lock of their own.
    let bars = BARS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match bars {
        None => write(),
        Some(bars) => bars.suspend(write),
    }
}

/// Writes a line to standard error, without control characters: names and texts in it may come from
/// documents. A failure is ignored: there is nowhere to report it.
pub(super) fn write_line(line: &str) {
    let _ = suspended(|| writeln!(anstream::stderr().lock(), "{}", without_controls(line)));
}

/// The writer of log lines. A subscriber formats an event into a buffer and writes it at once.
pub(super) struct LogWriter;

impl Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // `write_all`, so that no line is cut off.
        suspended(|| anstream::stderr().lock().write_all(line))?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
