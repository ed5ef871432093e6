//! Tavily: <https://docs.tavily.com/documentation/api-reference/endpoint/search>. Its topics are
//! `general`, `news` and `finance`.

use serde_json::Value;

use super::provider::{Defaults, SearchProvider, ServiceConfig};
use super::reply::{json, list, optional, text};
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// Tavily, whose extra parameter is the topic.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    defaults: Defaults {
        base_url_variable: "TAVILY_BASE_URL",
        key_variable: "TAVILY_API_KEY",
        extra: "general",
        usd_per_thousand: 8.0,
        ..Defaults::NONE
    },
    ..SearchProvider::new("tavily", request, |reply| hits(&json(reply)?))
};

/// The most hits that it gives in one reply.
const MAX_HITS: usize = 20;

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let key = config.key.as_ref()?;
    let topic = config.extra_param.as_deref().unwrap_or("general");
    let body = serde_json::json!({
        "query": query, "topic": topic, "max_results": limit.clamp(1, MAX_HITS),
    });
    let request = config.post("https://api.tavily.com", "/search", body)?;
    Some(request.with_header("Authorization", format!("Bearer {key}")))
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["results"], |hit| WebHit {
        url: text(&hit["url"]),
        title: text(&hit["title"]),
        snippet: optional(&hit["content"]),
        date: optional(&hit["published_date"]),
        ..WebHit::default()
    })
}
