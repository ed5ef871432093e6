//! The settings as a reader of documents.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::config::Settings;
use crate::platform;
use crate::read::{Pool, Reader};

/// The reader of documents within the limits of `[read]`.
///
/// # Errors
/// When the path of this program, whose child processes read documents, is unknown.
pub fn reader(settings: &Settings) -> Result<Reader> {
    Ok(Reader {
        max_bytes: settings.read.max_mebibytes.saturating_mul(1 << 20),
        memory_bytes: settings.read.memory_mebibytes.saturating_mul(1 << 20),
        timeout: Duration::from_secs(settings.read.timeout_seconds),
        children: Some(children()?),
        ..Reader::in_process()
    })
}

/// The child processes that read documents, for all sessions of this process.
static CHILDREN: OnceLock<Arc<Pool>> = OnceLock::new();

/// The child processes that read documents, for all sessions of this process.
///
/// # Errors
/// As [`reader`]'s.
pub fn children() -> Result<Arc<Pool>> {
    let program = platform::this_program().context("failed to find this program's own path")?;
    let children = CHILDREN.get_or_init(|| Arc::new(Pool::new(program)));
    Ok(Arc::clone(children))
}

/// Ends these child processes, which would else outlive this one for a moment, and their processor
/// time be nobody's.
pub fn end_children() {
    if let Some(children) = CHILDREN.get() {
        children.end_idle();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Loaded;

    #[test]
    fn default_limits_of_the_settings_are_those_of_the_reader() {
        let settings = Loaded::defaults().unwrap().settings;
        let reader = reader(&settings).unwrap();
        assert_eq!(reader.max_bytes, Reader::MAX_BYTES);
        assert_eq!(reader.memory_bytes, Reader::MEMORY_BYTES);
        assert_eq!(reader.timeout, Reader::TIMEOUT);
    }
}
