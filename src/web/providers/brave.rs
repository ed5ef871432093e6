//! Brave: <https://api-dashboard.search.brave.com/app/documentation/web-search>.

use serde_json::Value;

use super::{Asked, Setup, WebHit, get, list, optional, text};

/// The most it gives in one reply.
const MOST: usize = 20;

pub(super) fn request(setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
    let key = setup.key.as_ref()?;
    let count = limit.clamp(1, MOST).to_string();
    let parameters = [("q", query), ("count", count.as_str())];
    let asked = get(
        setup,
        "https://api.search.brave.com",
        "/res/v1/web/search",
        &parameters,
    )?;
    Some(asked.with("X-Subscription-Token", key))
}

pub(super) fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    // A reply without the part on the web is one that found nothing there.
    if reply["type"] == "search" && reply["web"].is_null() {
        return Some(Vec::new());
    }
    list(&reply["web"]["results"], |hit| WebHit {
        url: text(&hit["url"]),
        title: text(&hit["title"]),
        snippet: text(&hit["description"]),
        date: optional(&hit["page_age"]),
        author: None,
        ..WebHit::default()
    })
}
