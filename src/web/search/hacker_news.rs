//! Hacker News, by Algolia's interface: <https://hn.algolia.com/api>.

use serde_json::Value;

use super::provider::{Defaults, SearchProvider, ServiceConfig};
use super::reply::{json, list, optional, text};
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// Hacker News.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    defaults: Defaults {
        suits: &[
            "startup",
            "startups",
            "software",
            "programming",
            "open-source",
        ],
        ..Defaults::NONE
    },
    ..SearchProvider::new("hacker-news", request, |reply| hits(&json(reply)?))
};

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let count = limit.clamp(1, 100).to_string();
    let parameters = [
        ("query", query),
        ("tags", "story"),
        ("hitsPerPage", count.as_str()),
    ];
    config.get("https://hn.algolia.com", "/api/v1/search", &parameters)
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["hits"], |story| {
        let address = optional(&story["url"]);
        // A story with an address links to somebody else's page, of which its submitter and the
        // day of submission say nothing. One without is a question, and its thread is the page.
        let own = address.is_none();
        WebHit {
            title: text(&story["title"]),
            snippet: optional(&story["story_text"]),
            date: optional(&story["created_at"]).filter(|_| own),
            author: optional(&story["author"]).filter(|_| own),
            points: story["points"].as_i64(),
            comments: story["num_comments"].as_u64(),
            url: address.unwrap_or_else(|| thread(&text(&story["objectID"]))),
        }
    })
}

fn thread(id: &str) -> String {
    format!("https://news.ycombinator.com/item?id={id}")
}
