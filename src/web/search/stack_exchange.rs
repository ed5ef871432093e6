//! Stack Exchange: <https://api.stackexchange.com/docs/advanced-search>.

use serde_json::Value;

use super::provider::{Defaults, SearchProvider, ServiceConfig};
use super::reply::{date_of, json, list, optional, text};
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// Stack Exchange, whose extra parameter is the site.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    defaults: Defaults {
        key_variable: "STACK_EXCHANGE_KEY",
        queries: 6,
        suits: &[
            "programming",
            "code",
            "compiler",
            "library",
            "python",
            "rust",
            "java",
            "javascript",
            "sql",
            "linux",
            "error",
        ],
        ..Defaults::NONE
    },
    remedy: |status| match status {
        400 => Some(
            "it rejects the request, or its rate limit is reached; ask less at once, \
             or check its key",
        ),
        _ => None,
    },
    ..SearchProvider::new("stack-exchange", request, |reply| hits(&json(reply)?))
};

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let count = limit.clamp(1, 100).to_string();
    let site = config.extra_param.as_deref().unwrap_or("stackoverflow");
    let parameters = [
        ("q", query),
        ("site", site),
        ("order", "desc"),
        ("sort", "relevance"),
        ("pagesize", count.as_str()),
    ];
    let base = "https://api.stackexchange.com";
    let request = config.get(base, "/2.3/search/advanced", &parameters)?;
    Some(request.with_key("key", config.key.as_ref()))
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["items"], |question| WebHit {
        url: text(&question["link"]),
        title: text(&question["title"]),
        snippet: None,
        date: date_of(&question["creation_date"]),
        author: optional(&question["owner"]["display_name"]),
        points: question["score"].as_i64(),
        comments: question["answer_count"].as_u64(),
    })
}
