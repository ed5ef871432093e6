//! Serper: <https://serper.dev/playground>.

use serde_json::{Value, json};

use super::{Asked, Setup, WebHit, list, optional, post, text};

/// More results cost more.
const MOST: usize = 10;

pub(super) fn request(setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
    let key = setup.key.as_ref()?;
    let body = json!({"q": query, "num": limit.clamp(1, MOST)});
    let asked = post(setup, "https://google.serper.dev", "/search", body)?;
    Some(asked.with("X-API-KEY", key))
}

pub(super) fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["organic"], |hit| WebHit {
        url: text(&hit["link"]),
        title: text(&hit["title"]),
        snippet: text(&hit["snippet"]),
        date: optional(&hit["date"]),
        author: None,
        ..WebHit::default()
    })
}
