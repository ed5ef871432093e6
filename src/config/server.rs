//! `[server]`: the settings of `research serve`.

use std::net::SocketAddr;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// Settings of the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    /// The address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The names under which clients may reach it besides those of this machine, separated by
    /// commas.
    pub hosts: String,
    /// The maximum number of sessions that run at once.
    pub max_runs: usize,
    /// The maximum number of sessions that wait for a run.
    pub max_queued: usize,
    /// The maximum size of a request, in KiB.
    pub max_kibibytes: usize,
    /// The maximum number of requests that are answered at once; streams of events count.
    pub max_requests: usize,
}

impl ServerSettings {
    pub(super) fn check(&self) -> Result<()> {
        // The upper limits were chosen by hand, to catch typing errors.
        ensure!(
            (1..=1000).contains(&self.max_runs),
            "server.max_runs must be between 1 and 1000"
        );
        ensure!(
            (1..=65_536).contains(&self.max_kibibytes),
            "server.max_kibibytes must be between 1 and 65536, 64 MiB"
        );
        ensure!(
            self.max_requests > 0,
            "server.max_requests must be at least 1"
        );
        Ok(())
    }
}
