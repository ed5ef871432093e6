//! SearXNG: <https://docs.searxng.org/dev/search_api.html>. JSON must be among the `search.formats`
//! of its settings.

use serde_json::Value;

use super::provider::{Defaults, SearchProvider, ServiceConfig};
use super::reply::{json, list, optional, text};
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// SearXNG, at an address of the user's.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    defaults: Defaults {
        base_url_variable: "SEARXNG_URL",
        ..Defaults::NONE
    },
    remedy: |status| match status {
        403 => Some("it gives no JSON; add json to search.formats in its settings"),
        _ => None,
    },
    ..SearchProvider::new("searxng", request, |reply| hits(&json(reply)?))
};

fn request(config: &ServiceConfig, query: &str, _limit: usize) -> Option<ServiceRequest> {
    // There is no public address to fall back to.
    config.base_url.as_ref()?;
    config.get("", "/search", &[("q", query), ("format", "json")])
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["results"], |hit| WebHit {
        url: text(&hit["url"]),
        title: text(&hit["title"]),
        snippet: optional(&hit["content"]),
        date: optional(&hit["publishedDate"]),
        ..WebHit::default()
    })
}
