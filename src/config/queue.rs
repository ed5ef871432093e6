//! `[queue]`: the settings of `research submit` and `research worker`.

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use super::check_cost;

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
    /// The maximum number of requests to each model in a minute, of all workers; 0 is no limit.
    pub requests_per_minute: u64,
    /// The maximum number of tokens of each model in a minute, of all workers; 0 is no limit.
    pub tokens_per_minute: u64,
    /// The minimum time between two requests to one host, of all workers, in milliseconds; 0 is
    /// none.
    pub gap_milliseconds: u64,
    /// The maximum cost of what all workers do in a day, in US dollars; 0 is no limit.
    pub max_cost_usd_per_day: f64,
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
        ensure!(
            self.gap_milliseconds <= 3_600_000,
            "queue.gap_milliseconds must be at most 3600000, an hour"
        );
        check_cost(self.max_cost_usd_per_day).context("queue.max_cost_usd_per_day")
    }
}
