//! Exa: <https://docs.exa.ai/reference/search>.

use serde_json::{Value, json};

use super::{Asked, Setup, WebHit, list, optional, post, text};

/// More results cost more.
const MOST: usize = 10;

pub(super) fn request(setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
    let key = setup.key.as_ref()?;
    let body = json!({"query": query, "numResults": limit.clamp(1, MOST)});
    let asked = post(setup, "https://api.exa.ai", "/search", body)?;
    Some(asked.with("x-api-key", key))
}

pub(super) fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["results"], |hit| WebHit {
        url: text(&hit["url"]),
        title: text(&hit["title"]),
        snippet: text(&hit["text"]),
        date: optional(&hit["publishedDate"]),
        author: optional(&hit["author"]),
        ..WebHit::default()
    })
}
