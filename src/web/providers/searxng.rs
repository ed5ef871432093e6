//! SearXNG: <https://docs.searxng.org/dev/search_api.html>. JSON must be among the `search.formats`
//! of its settings.

use serde_json::Value;

use super::{Asked, Setup, WebHit, get, list, optional, text};

pub(super) fn request(setup: &Setup, query: &str) -> Option<Asked> {
    // There is no public address to fall back to.
    setup.base.as_ref()?;
    get(setup, "", "/search", &[("q", query), ("format", "json")])
}

pub(super) fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["results"], |hit| WebHit {
        url: text(&hit["url"]),
        title: text(&hit["title"]),
        snippet: text(&hit["content"]),
        date: optional(&hit["publishedDate"]),
        author: None,
        ..WebHit::default()
    })
}
