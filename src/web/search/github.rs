//! GitHub: <https://docs.github.com/en/rest/search/search>. Repositories are searched, by name,
//! description and topics, and neither code nor issues.

use serde_json::Value;

use super::provider::{Defaults, SearchProvider, ServiceConfig};
use super::query;
use super::reply::{json, list, optional, text};
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// GitHub: without a token, ten searches a minute.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    longest_query: 256,
    defaults: Defaults {
        key_variable: "GITHUB_TOKEN",
        queries: 5,
        suits: &[
            "library",
            "libraries",
            "open-source",
            "repository",
            "framework",
            "crate",
        ],
        ..Defaults::NONE
    },
    ..SearchProvider::new("github", request, |reply| hits(&json(reply)?))
};

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let count = limit.clamp(1, 100).to_string();
    // It wants every word of a query in a repository's few words.
    let words = query::content_words(query).join(" ");
    let parameters = [("q", words.as_str()), ("per_page", count.as_str())];
    let base = "https://api.github.com";
    let request = config
        .get(base, "/search/repositories", &parameters)?
        .with_header("Accept", "application/vnd.github+json");
    Some(match &config.key {
        Some(key) => request.with_header("Authorization", format!("Bearer {key}")),
        None => request,
    })
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["items"], |repository| WebHit {
        url: text(&repository["html_url"]),
        title: text(&repository["full_name"]),
        snippet: optional(&repository["description"]),
        date: optional(&repository["pushed_at"]),
        author: optional(&repository["owner"]["login"]),
        points: repository["stargazers_count"].as_i64(),
        ..WebHit::default()
    })
}
