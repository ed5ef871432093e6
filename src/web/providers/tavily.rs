//! Tavily: <https://docs.tavily.com/documentation/api-reference/endpoint/search>. Its topics are
//! `general`, `news` and `finance`.

use serde_json::{Value, json};

use super::{Asked, Setup, WebHit, list, optional, post, text};

/// The most it gives in one reply.
const MOST: usize = 20;

pub(super) fn request(setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
    let key = setup.key.as_ref()?;
    let topic = setup.extra.as_deref().unwrap_or("general");
    let body = json!({"query": query, "topic": topic, "max_results": limit.clamp(1, MOST)});
    let asked = post(setup, "https://api.tavily.com", "/search", body)?;
    Some(asked.with("Authorization", format!("Bearer {key}")))
}

pub(super) fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["results"], |hit| WebHit {
        url: text(&hit["url"]),
        title: text(&hit["title"]),
        snippet: text(&hit["content"]),
        date: optional(&hit["published_date"]),
        author: None,
        ..WebHit::default()
    })
}
