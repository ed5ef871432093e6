//! The settings as a reader of documents.

use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::config::Settings;
use crate::read::Reader;

/// The reader of documents within the limits of `[read]`.
///
/// # Errors
/// When the path of this program, which reads PDFs as a child process, is unknown.
pub fn reader(settings: &Settings) -> Result<Reader> {
    let program = std::env::current_exe().context("failed to find this program's own path")?;
    Ok(Reader {
        max_bytes: settings.read.max_mebibytes.saturating_mul(1 << 20),
        pdf_timeout: Duration::from_secs(settings.read.pdf_timeout_seconds),
        ..Reader::new(program)
    })
}
