//! What a site asks of programs: its robots.txt, by RFC 9309.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use robotxt::{AccessResult, Robots};
use tokio::sync::OnceCell;
use url::Url;

/// The most of a robots.txt that is read; RFC 9309 (section 2.5) asks for at least 500 KiB.
pub(super) const MAX_BYTES: u64 = 512 * 1024;

/// The rules of the sites that were visited.
#[derive(Debug, Default)]
pub(super) struct Rules {
    sites: Mutex<HashMap<String, Arc<OnceCell<Robots>>>>,
}

/// How asking for a robots.txt ended.
pub(super) enum Answer {
    /// It is there.
    Text(Vec<u8>),
    /// There is none (4xx): everything is allowed.
    None,
    /// The site cannot say (5xx, no connection): nothing is allowed.
    Unknown,
}

impl Rules {
    /// The place of a site's rules; whoever comes first fills it, and the others wait.
    pub(super) fn site(&self, url: &Url) -> Arc<OnceCell<Robots>> {
        let origin = url.origin().ascii_serialization();
        let mut sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        sites.entry(origin).or_default().clone()
    }
}

/// Where a site's rules are.
pub(super) fn address(url: &Url) -> Url {
    let mut address = url.clone();
    address.set_path("/robots.txt");
    address.set_query(None);
    address.set_fragment(None);
    address
}

/// The rules for a program of this name in an answer.
pub(super) fn rules(answer: &Answer, product: &str) -> Robots {
    let access = match answer {
        Answer::Text(text) => AccessResult::Successful(text),
        Answer::None => AccessResult::Unavailable,
        Answer::Unknown => AccessResult::Unreachable,
    };
    Robots::from_access(access, product)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_for_our_name_or_for_all() {
        let text = b"User-agent: *\nDisallow: /private\n\nUser-agent: other\nDisallow: /\n";
        let found = rules(&Answer::Text(text.to_vec()), "research");
        assert!(found.is_allowed("/open") && !found.is_allowed("/private/x"));
        assert!(rules(&Answer::None, "research").is_allowed("/"));
        assert!(!rules(&Answer::Unknown, "research").is_allowed("/"));
        let url = Url::parse("https://e.org:8443/a?b#c").unwrap();
        assert_eq!(address(&url).as_str(), "https://e.org:8443/robots.txt");
    }
}
