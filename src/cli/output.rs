//! Prints: results to standard output, everything else to standard error.

use std::io::{self, Write};

use anyhow::{Error, Result};
use serde::Serialize;

use super::exit::{self, Exit};

/// Where results and remarks go.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    /// Results as JSON.
    pub json: bool,
    /// No remarks.
    pub quiet: bool,
}

impl Output {
    /// A result as text.
    pub fn text(&self, text: &str) -> Result<Exit> {
        self.bytes(text.as_bytes())
    }

    /// A result as it is.
    pub fn bytes(&self, bytes: &[u8]) -> Result<Exit> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()?;
        Ok(Exit::Complete)
    }

    /// A result as JSON.
    pub fn value(&self, value: &impl Serialize) -> Result<Exit> {
        let mut text = serde_json::to_string_pretty(value)?;
        text.push('\n');
        self.text(&text)
    }

    /// A remark. If it cannot be printed, nobody is listening.
    pub fn remark(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(anstream::stderr().lock(), "{text}");
        }
    }

    /// Prints an error, once, and returns the exit code for it.
    pub(super) fn error(&self, error: &Error) -> Exit {
        let exit = exit::of_error(error);
        if exit != Exit::Complete {
            self.complaint(&format!("{error:#}"));
        }
        exit
    }

    /// Something that is wrong, though the program goes on.
    pub fn complaint(&self, text: &str) {
        complain(text);
    }
}

/// The same where there is no output at hand.
pub(super) fn complain(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "research: {text}");
}

/// Text on one line, cut after `limit` characters with an ellipsis.
pub(super) fn truncated(text: &str, limit: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= limit {
        return line;
    }
    let start: String = line.chars().take(limit - 1).collect();
    format!("{start}…")
}
