//! The options of commands that use the queue.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::Args;

use super::Program;
use crate::queue::{Connection, QueueSettings};

/// The options of commands that use the queue.
#[derive(Debug, Args)]
pub(super) struct QueueArgs {
    /// Address of the queue, a NATS server with JetStream, such as nats://HOST:4222; by default
    /// `queue.url` of the settings
    #[arg(long, value_name = "URL")]
    pub(super) queue: Option<String>,
}

/// Connects to the queue that the options or the settings name.
pub(super) fn connect(program: &Program<'_>, url: Option<&str>) -> Result<Connection> {
    let settings = &program.settings.queue;
    Connection::open(&QueueSettings {
        url: url.unwrap_or(&settings.url).to_owned(),
        credentials: Some(PathBuf::from(&settings.credentials))
            .filter(|path| !path.as_os_str().is_empty()),
        replicas: settings.replicas,
        lease: Duration::from_secs(settings.lease_seconds),
    })
}
