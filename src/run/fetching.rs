//! The settings as a page fetcher, a web client and a page cache.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use super::reader::reader;
use crate::config::Settings;
use crate::pipeline::Clock;
use crate::quota::SharedQuotas;
use crate::web::{Cache, Fetcher, Limits, ProviderTable, SystemLookup, WebClient};

/// The directory of the page cache within the cache directory.
const DIRECTORY: &str = "web";

/// The page fetcher with the limits of `[network]`.
///
/// # Errors
/// When a setting names an invalid host, or there are no root certificates.
pub fn fetcher(settings: &Settings, clock: Clock) -> Result<Fetcher> {
    let network = &settings.network;
    let mut limits = Limits {
        allow: comma_separated(&network.allow),
        obey_robots: network.obey_robots,
        max_bytes: network.max_mebibytes.saturating_mul(1 << 20),
        max_redirects: network.max_redirects,
        timeout: Duration::from_secs(network.timeout_seconds),
        per_host: network.per_host,
        gap: Duration::from_millis(network.gap_milliseconds),
        archive: network.archive.clone(),
        reply_age: Duration::from_secs(network.reply_hours.saturating_mul(3600)),
        ..Limits::default()
    };
    if !network.user_agent.is_empty() {
        limits.user_agent.clone_from(&network.user_agent);
    }
    let fetcher = Fetcher::new(limits, Arc::new(SystemLookup), cache(settings), clock)?;
    #[cfg(feature = "browser")]
    let fetcher = fetcher.with_browser(crate::web::Browser::find(&network.browser));
    Ok(fetcher)
}

/// The web client of sessions: the page fetcher with the quotas of hosts, the table of search
/// services and the reader.
///
/// # Errors
/// When a setting or a table cannot be used.
pub fn web_client(
    settings: &Settings,
    clock: Clock,
    quotas: &SharedQuotas,
) -> Result<Arc<WebClient>> {
    let fetcher = fetcher(settings, clock)?.with_quotas(quotas);
    let client = WebClient::new(fetcher, ProviderTable::load()?, reader(settings)?)?;
    Ok(Arc::new(client))
}

/// The page cache; `None` if the user has no cache directory.
pub fn cache(settings: &Settings) -> Option<Cache> {
    let network = &settings.network;
    let max_age = Duration::from_secs(network.cache_days.saturating_mul(24 * 3600));
    let max_age = match network.max_age_seconds {
        0 => max_age,
        seconds => max_age.min(Duration::from_secs(seconds)),
    };
    let max_bytes = network.cache_mebibytes.saturating_mul(1 << 20);
    let directory = settings.cache_dir()?.join(DIRECTORY);
    Some(Cache::new(directory, max_age).with_max_bytes(max_bytes))
}

/// The non-empty items of a comma-separated list.
pub fn comma_separated(text: &str) -> Vec<String> {
    text.split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .map(str::to_owned)
        .collect()
}
