//! GitHub: <https://docs.github.com/en/rest/search/search>. Repositories are searched, by name,
//! description and topics, and neither code nor issues.

use serde_json::Value;

use super::{Asked, Setup, WebHit, get, list, optional, query, text};

pub(super) fn request(setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
    let count = limit.clamp(1, 100).to_string();
    let words = query::telling(query).join(" ");
    let parameters = [("q", words.as_str()), ("per_page", count.as_str())];
    let asked = get(
        setup,
        "https://api.github.com",
        "/search/repositories",
        &parameters,
    )?;
    let asked = asked.with("Accept", "application/vnd.github+json");
    Some(match &setup.key {
        Some(key) => asked.with("Authorization", format!("Bearer {key}")),
        None => asked,
    })
}

pub(super) fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["items"], |repository| WebHit {
        url: text(&repository["html_url"]),
        title: text(&repository["full_name"]),
        snippet: text(&repository["description"]),
        date: optional(&repository["pushed_at"]),
        author: optional(&repository["owner"]["login"]),
        score: repository["stargazers_count"].as_i64(),
        comments: None,
    })
}
