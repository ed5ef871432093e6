//! Settings into a fetcher of pages.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use super::reader::reader;
use crate::config::Settings;
use crate::pipeline::Clock;
use crate::web::{Cache, Fetcher, Limits, ProviderTable, SystemLookup, WebClient};

/// The folder of kept answers in the cache directory.
const FOLDER: &str = "web";

/// A fetcher under the settings of `[network]`.
///
/// # Errors
/// When a setting names what is no host, or no certificates are found.
pub fn fetcher(settings: &Settings, clock: Clock) -> Result<Fetcher> {
    let network = &settings.network;
    let mut limits = Limits {
        allow: list(&network.allow),
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

/// The web for sessions: searched by the services that there are, read under the settings.
///
/// # Errors
/// When a setting or a table cannot be used.
pub fn online(settings: &Settings, clock: Clock) -> Result<Arc<WebClient>> {
    let fetcher = fetcher(settings, clock)?;
    let online = WebClient::new(fetcher, ProviderTable::load()?, reader(settings)?)?;
    Ok(Arc::new(online))
}

/// The answers that are kept between runs; none if the user has no cache.
pub fn cache(settings: &Settings) -> Option<Cache> {
    let network = &settings.network;
    let days = network.cache_days;
    let age = Duration::from_secs(days.saturating_mul(24 * 3600));
    let folder = settings.cache_dir()?.join(FOLDER);
    let most = network.cache_mebibytes.saturating_mul(1 << 20);
    Some(Cache::new(folder, age).with_max_bytes(most))
}

fn list(text: &str) -> Vec<String> {
    let parts = text.split(',').map(str::trim);
    parts
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}
