//! Brave: <https://api-dashboard.search.brave.com/app/documentation/web-search>.

use serde_json::Value;

use super::provider::{Defaults, SearchProvider, ServiceConfig};
use super::reply::{json, list, optional, text};
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// Brave Search.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    defaults: Defaults {
        base_url_variable: "BRAVE_BASE_URL",
        key_variable: "BRAVE_API_KEY",
        usd_per_thousand: 5.0,
        ..Defaults::NONE
    },
    ..SearchProvider::new("brave", request, |reply| hits(&json(reply)?))
};

/// The most hits that it gives in one reply.
const MAX_HITS: usize = 20;

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let key = config.key.as_ref()?;
    let count = limit.clamp(1, MAX_HITS).to_string();
    let request = config.get(
        "https://api.search.brave.com",
        "/res/v1/web/search",
        &[("q", query), ("count", count.as_str())],
    )?;
    Some(request.with_header("X-Subscription-Token", key))
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    // A reply without the part on the web is one that found nothing there.
    if reply["type"] == "search" && reply["web"].is_null() {
        return Some(Vec::new());
    }
    list(&reply["web"]["results"], |hit| WebHit {
        url: text(&hit["url"]),
        title: text(&hit["title"]),
        snippet: optional(&hit["description"]),
        date: optional(&hit["page_age"]),
        ..WebHit::default()
    })
}
