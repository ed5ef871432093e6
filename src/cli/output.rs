//! Prints: results to standard output, everything else to standard error.

use std::io::{self, Write};

use anyhow::{Error, Result};
use serde::Serialize;

use super::exit::{self, Exit};

/// Where results and remarks go.
pub(super) struct Output {
    /// Results as JSON.
    pub(super) json: bool,
    /// No remarks.
    pub(super) quiet: bool,
}

impl Output {
    /// A result as text.
    pub(super) fn text(&self, text: &str) -> Result<Exit> {
        self.bytes(text.as_bytes())
    }

    /// A result as it is.
    pub(super) fn bytes(&self, bytes: &[u8]) -> Result<Exit> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()?;
        Ok(Exit::Complete)
    }

    /// A result as JSON.
    pub(super) fn value(&self, value: &impl Serialize) -> Result<Exit> {
        let mut text = serde_json::to_string_pretty(value)?;
        text.push('\n');
        self.text(&text)
    }

    /// A remark. If it cannot be printed, nobody is listening.
    pub(super) fn remark(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(anstream::stderr().lock(), "{text}");
        }
    }

    /// Prints an error once and says what the program ends with.
    pub(super) fn error(&self, error: &Error) -> Exit {
        let exit = exit::of_error(error);
        if exit != Exit::Complete {
            self.complaint(&format!("{error:#}"));
        }
        exit
    }

    /// Something that is wrong, though the program goes on.
    pub(super) fn complaint(&self, text: &str) {
        complain(text);
    }
}

/// The same where there is no output at hand.
pub(super) fn complain(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "research: {text}");
}
