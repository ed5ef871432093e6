//! Hacker News, by Algolia's interface: <https://hn.algolia.com/api>.

use serde_json::Value;

use super::{Asked, Setup, WebHit, get, list, optional, text};

pub(super) fn request(setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
    let count = limit.clamp(1, 100).to_string();
    let parameters = [
        ("query", query),
        ("tags", "story"),
        ("hitsPerPage", count.as_str()),
    ];
    get(
        setup,
        "https://hn.algolia.com",
        "/api/v1/search",
        &parameters,
    )
}

pub(super) fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["hits"], |story| {
        // A story without an address is a question; its thread is what there is to read.
        let thread = format!(
            "https://news.ycombinator.com/item?id={}",
            text(&story["objectID"])
        );
        WebHit {
            url: optional(&story["url"]).unwrap_or(thread),
            title: text(&story["title"]),
            snippet: text(&story["story_text"]),
            date: optional(&story["created_at"]),
            author: optional(&story["author"]),
            score: story["points"].as_i64(),
            comments: story["num_comments"].as_u64(),
        }
    })
}
