//! `[server]`: the settings of `research serve`.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use super::{BudgetSettings, check_cost};

/// Settings of the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    /// The address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The names under which clients may reach it besides those of this machine, separated by
    /// commas.
    pub hosts: String,
    /// The address of the keys with which tokens are signed (JWKS); empty for none.
    pub jwks: String,
    /// The audience that tokens have to name; empty for any.
    pub audience: String,
    /// The issuer that tokens have to name; empty for any.
    pub issuer: String,
    /// The owners who may read the metrics, which count the sessions of all, separated by commas.
    pub operators: String,
    /// The cost in US dollars that the sessions of an owner begun within 30 days may have; 0 is no
    /// limit.
    pub owner_max_cost_usd: f64,
    /// The tokens that the sessions of an owner begun within 30 days may take; 0 is no limit.
    pub owner_max_tokens: u64,
    /// The maximum number of sessions that run at once.
    pub max_runs: usize,
    /// The maximum number of sessions that wait for a run.
    pub max_queued: usize,
    /// The maximum size of a request, in KiB.
    pub max_kibibytes: usize,
    /// The maximum number of requests that are answered at once, and of streams that are open at
    /// once.
    pub max_requests: usize,
    /// The time in seconds that a client has to send the head of a request, and again its body.
    pub read_timeout_seconds: u64,
    /// The maximum number of requests of one client in a minute; 0 is no limit.
    pub max_requests_per_minute: u32,
}

impl ServerSettings {
    /// The budget that the sessions of an owner share; `None` without one.
    pub fn owner_budget(&self) -> Option<BudgetSettings> {
        let (max_cost_usd, max_tokens) = (self.owner_max_cost_usd, self.owner_max_tokens);
        let budget = BudgetSettings {
            max_cost_usd,
            max_tokens,
            timeout_seconds: 0,
            components: BTreeMap::new(),
            has_timeout_flag: false,
        };
        Some(budget).filter(|_| max_cost_usd > 0.0 || max_tokens > 0)
    }

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
        check_cost(self.owner_max_cost_usd).context("server.owner_max_cost_usd")?;
        ensure!(
            self.max_requests > 0,
            "server.max_requests must be at least 1"
        );
        ensure!(
            (1..=3600).contains(&self.read_timeout_seconds),
            "server.read_timeout_seconds must be between 1 and 3600, an hour"
        );
        Ok(())
    }
}
