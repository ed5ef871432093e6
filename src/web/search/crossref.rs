//! Crossref: <https://api.crossref.org/swagger-ui/index.html>.

use serde_json::Value;

use super::provider::{Defaults, SearchProvider, ServiceConfig};
use super::reply::{authors, json, list, optional, text};
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// Crossref.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    defaults: Defaults {
        gap_milliseconds: 200,
        queries: 6,
        ..Defaults::NONE
    },
    ..SearchProvider::new("crossref", request, |reply| hits(&json(reply)?))
};

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let count = limit.clamp(1, 100).to_string();
    let parameters = [("query", query), ("rows", count.as_str())];
    config.get("https://api.crossref.org", "/works", &parameters)
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["message"]["items"], |work| WebHit {
        url: text(&work["URL"]),
        title: text(&work["title"][0]),
        snippet: optional(&work["abstract"]),
        date: date(&work["issued"]["date-parts"][0]),
        author: authors(&work["author"], |one| {
            let name = format!("{} {}", text(&one["given"]), text(&one["family"]));
            name.trim().to_owned()
        }),
        ..WebHit::default()
    })
}

/// `[2020, 5, 6]` as `2020-05-06`, as far as it goes.
fn date(parts: &Value) -> Option<String> {
    // An unknown date comes as `[null]`, and an unknown day or month is left out.
    let parts = parts.as_array()?.iter().map_while(Value::as_u64);
    let parts: Vec<String> = parts.map(|part| format!("{part:02}")).collect();
    (!parts.is_empty()).then(|| parts.join("-"))
}
