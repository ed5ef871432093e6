//! Semantic Scholar: <https://api.semanticscholar.org/api-docs/graph>.

use serde_json::Value;

use super::provider::{Defaults, SearchProvider, ServiceConfig};
use super::reply::{authors, json, list, optional, text};
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// Semantic Scholar, which allows one request a second.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    defaults: Defaults {
        key_variable: "SEMANTIC_SCHOLAR_API_KEY",
        gap_milliseconds: 1000,
        queries: 6,
        ..Defaults::NONE
    },
    ..SearchProvider::new("semantic-scholar", request, |reply| hits(&json(reply)?))
};

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let count = limit.clamp(1, 100).to_string();
    // A hyphen finds nothing, says its documentation.
    let words = query.replace('-', " ");
    let parameters = [
        ("query", words.as_str()),
        ("limit", count.as_str()),
        (
            "fields",
            "title,url,year,publicationDate,authors,openAccessPdf",
        ),
    ];
    let base = "https://api.semanticscholar.org";
    let request = config.get(base, "/graph/v1/paper/search", &parameters)?;
    Some(match &config.key {
        Some(key) => request.with_header("x-api-key", key),
        None => request,
    })
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    // Without a hit the list is left out.
    if reply["data"].is_null() && reply["total"] == 0 {
        return Some(Vec::new());
    }
    list(&reply["data"], |paper| WebHit {
        url: optional(&paper["openAccessPdf"]["url"]).unwrap_or_else(|| text(&paper["url"])),
        title: text(&paper["title"]),
        snippet: optional(&paper["abstract"]),
        date: optional(&paper["publicationDate"]).or_else(|| optional(&paper["year"])),
        author: authors(&paper["authors"], |one| text(&one["name"])),
        ..WebHit::default()
    })
}
