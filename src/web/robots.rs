//! robots.txt by RFC 9309, cached for each site: the politeness rules that a site sets for
//! programs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use robotxt::{AccessResult, Robots};
use tokio::sync::OnceCell;
use url::Url;

/// The largest robots.txt that is read, in bytes; RFC 9309 (section 2.5) requires at least 500 KiB.
pub(super) const MAX_BYTES: u64 = 512 * 1024;

/// The rules of the sites that were visited, each fetched once in a process.
#[derive(Debug, Default)]
pub(super) struct RobotsCache {
    sites: Mutex<HashMap<String, Arc<OnceCell<Robots>>>>,
}

/// The outcome of a request for a robots.txt.
pub enum RobotsResponse {
    /// The file.
    Text(Vec<u8>),
    /// The site has none (4xx): everything is allowed.
    None,
    /// The site is in error (5xx): nothing is allowed.
    Unknown,
}

impl RobotsCache {
    /// The cell of a site's rules; whoever comes first fills it, and the others wait.
    pub(super) fn site(&self, url: &Url) -> Arc<OnceCell<Robots>> {
        // RFC 9309, section 2.3: a robots.txt holds for one scheme, host and port.
        let origin = url.origin().ascii_serialization();
        let mut sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        sites.entry(origin).or_default().clone()
    }
}

/// The address of a site's robots.txt.
pub(super) fn address(url: &Url) -> Url {
    let mut address = url.clone();
    address.set_path("/robots.txt");
    address.set_query(None);
    address.set_fragment(None);
    address
}

/// The rules for a program of this name in a response.
pub fn rules(response: &RobotsResponse, product: &str) -> Robots {
    // The library decides by RFC 9309 what each outcome means: allow all, or disallow all.
    let access = match response {
        RobotsResponse::Text(text) => AccessResult::Successful(text),
        RobotsResponse::None => AccessResult::Unavailable,
        RobotsResponse::Unknown => AccessResult::Unreachable,
    };
    Robots::from_access(access, product)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn robots_rules_apply_by_product_name_or_to_all() {
        let text = b"User-agent: *\nDisallow: /private\n\nUser-agent: other\nDisallow: /\n";
        let robots = rules(&RobotsResponse::Text(text.to_vec()), "research");
        assert!(robots.is_allowed("/open") && !robots.is_allowed("/private/x"));
        assert!(rules(&RobotsResponse::None, "research").is_allowed("/"));
        assert!(!rules(&RobotsResponse::Unknown, "research").is_allowed("/"));
        let url = Url::parse("https://e.org:8443/a?b#c").unwrap();
        assert_eq!(address(&url).as_str(), "https://e.org:8443/robots.txt");
    }
}
