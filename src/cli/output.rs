//! Prints: results to standard output, everything else to standard error.

use std::io::{self, IsTerminal as _, Write};

use anstream::AutoStream;
use anyhow::{Context as _, Error, Result};
use serde::Serialize;

use super::exit::{self, Exit};
use super::failure::Failure;
use super::logging::{LogFormat, MESSAGES};
use super::{pager, terminal};
use crate::text::without_controls;

/// The version of the schemas of results: within a version fields are added, never changed or
/// removed.
pub(super) const VERSION: u8 = 1;

/// The output of a command: results on standard output, messages on standard error.
#[derive(Debug, Clone, Copy, Default)]
pub struct Output {
    /// Results and errors as JSON.
    pub json: bool,
    /// No remarks.
    pub quiet: bool,
    /// No pager for long reports.
    pub no_pager: bool,
    /// The format of messages on standard error.
    pub log_format: LogFormat,
}

impl Output {
    /// Prints a result as text, without control characters.
    pub fn text(&self, text: &str) -> Result<Exit> {
        self.bytes(without_controls(text).as_bytes())
    }

    /// Prints a report, which is Markdown: on a terminal rendered, and in a pager if it is longer
    /// than the screen; elsewhere as it is.
    pub fn report(&self, markdown: &str) -> Result<Exit> {
        if !pager::is_wanted() {
            return self.text(markdown);
        }
        let page = pager::rendered(markdown);
        if !self.no_pager && pager::show(&page) {
            return Ok(Exit::Complete);
        }
        self.write(page.as_bytes())
    }

    /// Prints a result with styles of our own, which only a terminal gets. Its words must be
    /// without control characters.
    pub(super) fn styled(&self, text: &str) -> Result<Exit> {
        // Adapted in memory first: without colors `anstream` writes each line by itself.
        let colors = AutoStream::choice(&io::stdout());
        let mut adapted = AutoStream::new(Vec::with_capacity(text.len()), colors);
        adapted.write_all(text.as_bytes())?;
        self.write(&adapted.into_inner())
    }

    /// Prints the bytes of a result, to a terminal without control characters: what is sent there
    /// may act, and files of a session may be somebody else's.
    pub fn bytes(&self, bytes: &[u8]) -> Result<Exit> {
        if !io::stdout().is_terminal() {
            return self.write(bytes);
        }
        let text = String::from_utf8_lossy(bytes);
        self.write(without_controls(&text).as_bytes())
    }

    fn write(&self, bytes: &[u8]) -> Result<Exit> {
        // `print!` would panic on a closed pipe; here it is an error, and the exit code 0. Flushed
        // now, since an error at the end of the process would be lost.
        let mut stdout = io::stdout().lock();
        stdout
            .write_all(bytes)
            .and_then(|()| stdout.flush())
            .context("failed to write to standard output")?;
        Ok(Exit::Complete)
    }

    /// Prints a result as JSON: an object has the version of its schema as its first field.
    pub fn value(&self, value: &impl Serialize) -> Result<Exit> {
        let text = serde_json::to_string_pretty(value)?;
        match text.strip_prefix("{\n") {
            Some(fields) => self.json(&format!("{{\n  \"version\": {VERSION},\n{fields}")),
            None => self.json(&text),
        }
    }

    /// Prints a document as JSON whose format is a standard of others.
    pub(super) fn document(&self, value: &impl Serialize) -> Result<Exit> {
        self.json(&serde_json::to_string_pretty(value)?)
    }

    fn json(&self, text: &str) -> Result<Exit> {
        let mut text = terminal::escaped_json(text);
        text.push('\n');
        self.bytes(text.as_bytes())
    }

    /// Prints a value as one line of JSON.
    pub fn line(&self, value: &impl Serialize) -> Result<Exit> {
        let mut text = terminal::escaped_json(&serde_json::to_string(value)?);
        text.push('\n');
        self.bytes(text.as_bytes())
    }

    /// Prints a remark to standard error, unless `--quiet` is given.
    pub fn remark(&self, text: &str) {
        if self.quiet {
            return;
        }
        match self.log_format {
            LogFormat::Text => terminal::write_line(text),
            LogFormat::Json => tracing::info!(target: MESSAGES, "{text}"),
        }
    }

    /// Prints an error and the command that resumes, if there is one, and returns the exit code
    /// for it. With `--json`, standard output gets both as JSON.
    pub(super) fn error(&self, error: &Error, resume: Option<String>) -> Exit {
        self.error_with(error, resume.iter().map(|own| resume_tip(own)).collect())
    }

    /// Prints an error and what to do, as [`Self::error`] does.
    pub(super) fn error_with(&self, error: &Error, tips: Vec<String>) -> Exit {
        let exit = exit::of_error(error);
        // An error with the exit code of success is a closed pipe: nobody reads a message.
        if exit == Exit::Complete {
            return exit;
        }
        // The errors of some parsers end with an empty line.
        let message = format!("{error:#}").trim_end().to_owned();
        self.complaint(&message);
        for tip in &tips {
            self.remark(tip);
        }
        if self.json {
            // A failure to print is ignored: there is nowhere to report it.
            let _ = self.line(&Failure::new(exit, message, tips));
        }
        exit
    }

    /// Prints a warning or an error to standard error.
    pub fn complaint(&self, text: &str) {
        match self.log_format {
            LogFormat::Text => terminal::write_complaint(text),
            LogFormat::Json => tracing::error!(target: MESSAGES, "{text}"),
        }
    }
}

/// The advice that a command resumes what was stopped.
pub(super) fn resume_tip(command: &str) -> String {
    format!("to resume: {command}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::is_deceptive;

    #[test]
    fn deceptive_characters_are_escapes_in_json() {
        let text = "a\u{9b}31m\u{202e}b\u{e0041} ü\n";
        let json = terminal::escaped_json(&serde_json::to_string_pretty(&[text]).unwrap());
        assert!(!json.contains(is_deceptive), "{json}");
        assert!(json.contains("ü"));
        let parsed: Vec<String> = serde_json::from_str(&json).unwrap();
        assert_eq!(parsed, [text]);
    }
}
