//! `[queue]`: the settings of `research submit` and `research worker`.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// Settings of the queue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueueSettings {
    /// The addresses of its servers, separated by commas; empty for none.
    pub url: String,
    /// The path of the file with the user's credentials; empty for none.
    pub credentials: String,
    /// The number of servers that hold each topic.
    pub replicas: usize,
    /// The time after which a topic whose worker does not answer is given to another, in seconds.
    pub lease_seconds: u64,
}

impl QueueSettings {
    pub(super) fn check(&self) -> Result<()> {
        // An upper limit chosen by hand, to catch typing errors.
        ensure!(
            (1..=86_400).contains(&self.lease_seconds),
            "queue.lease_seconds must be between 1 and 86400, a day"
        );
        // The limit of the server.
        ensure!(
            [1, 3, 5].contains(&self.replicas),
            "queue.replicas must be 1, 3 or 5"
        );
        Ok(())
    }
}
