//! Serper: <https://serper.dev/playground>.

use serde_json::Value;

use super::provider::{Defaults, SearchProvider, ServiceConfig};
use super::reply::{json, list, optional, text};
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// Serper, which gives Google's results.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    defaults: Defaults {
        key_variable: "SERPER_API_KEY",
        usd_per_thousand: 1.0,
        ..Defaults::NONE
    },
    ..SearchProvider::new("serper", request, |reply| hits(&json(reply)?))
};

/// The most hits that one request's price covers.
const MAX_HITS: usize = 10;

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let key = config.key.as_ref()?;
    let body = serde_json::json!({"q": query, "num": limit.clamp(1, MAX_HITS)});
    let request = config.post("https://google.serper.dev", "/search", body)?;
    Some(request.with_header("X-API-KEY", key))
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["organic"], |hit| WebHit {
        url: text(&hit["link"]),
        title: text(&hit["title"]),
        snippet: optional(&hit["snippet"]),
        date: optional(&hit["date"]),
        ..WebHit::default()
    })
}
