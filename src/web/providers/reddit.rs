//! Reddit: <https://www.reddit.com/dev/api/#GET_search>.

use serde_json::Value;

use super::{Asked, Setup, WebHit, day, get, list, optional, text};

pub(super) fn request(setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
    let count = limit.clamp(1, 100).to_string();
    let parameters = [
        ("q", query),
        ("limit", count.as_str()),
        ("sort", "relevance"),
        ("raw_json", "1"),
    ];
    match &setup.key {
        Some(token) => {
            let asked = get(setup, "https://oauth.reddit.com", "/search", &parameters)?;
            Some(asked.with("Authorization", format!("Bearer {token}")))
        }
        None => get(setup, "https://www.reddit.com", "/search.json", &parameters),
    }
}

pub(super) fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["data"]["children"], |thread| {
        let thread = &thread["data"];
        WebHit {
            url: format!("https://www.reddit.com{}", text(&thread["permalink"])),
            title: text(&thread["title"]),
            snippet: text(&thread["selftext"]),
            date: day(&thread["created_utc"]),
            author: optional(&thread["author"]),
        }
    })
}
