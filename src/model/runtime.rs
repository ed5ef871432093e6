//! The tokio runtime on which requests to models are sent.

use std::cell::OnceCell;

use anyhow::{Context as _, Result};
use tokio::runtime::Runtime;

/// The runtime for network calls to models, whose thread starts at the first use.
#[derive(Default)]
pub(super) struct LazyRuntime(OnceCell<Runtime>);

impl LazyRuntime {
    /// Returns the runtime, started if it has not been used yet.
    pub(super) fn get(&self) -> Result<&Runtime> {
        if let Some(runtime) = self.0.get() {
            return Ok(runtime);
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("models")
            .enable_all()
            .build()
            .context("failed to start the thread that waits for models")?;
        Ok(self.0.get_or_init(|| runtime))
    }
    /// Returns the runtime itself; `None` if it was never started.
    pub(super) fn into_inner(self) -> Option<Runtime> {
        self.0.into_inner()
    }
}
