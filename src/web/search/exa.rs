//! Exa: <https://docs.exa.ai/reference/search>.

use serde_json::Value;

use super::provider::{Defaults, SearchProvider, ServiceConfig};
use super::reply::{json, list, optional, text};
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// Exa.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    defaults: Defaults {
        key_variable: "EXA_API_KEY",
        usd_per_thousand: 7.0,
        ..Defaults::NONE
    },
    ..SearchProvider::new("exa", request, |reply| hits(&json(reply)?))
};

/// The most hits that one request's price covers.
const MAX_HITS: usize = 10;

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let key = config.key.as_ref()?;
    let body = serde_json::json!({"query": query, "numResults": limit.clamp(1, MAX_HITS)});
    let request = config.post("https://api.exa.ai", "/search", body)?;
    Some(request.with_header("x-api-key", key))
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["results"], |hit| WebHit {
        url: text(&hit["url"]),
        title: text(&hit["title"]),
        snippet: optional(&hit["summary"]).or_else(|| optional(&hit["text"])),
        date: optional(&hit["publishedDate"]),
        author: optional(&hit["author"]),
        ..WebHit::default()
    })
}
