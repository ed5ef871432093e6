//! Stack Exchange: <https://api.stackexchange.com/docs/advanced-search>.

use serde_json::Value;

use super::{Asked, Setup, WebHit, day, get, list, optional, text};

pub(super) fn request(setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
    let count = limit.clamp(1, 100).to_string();
    let site = setup.extra.as_deref().unwrap_or("stackoverflow");
    let parameters = [
        ("q", query),
        ("site", site),
        ("order", "desc"),
        ("sort", "relevance"),
        ("pagesize", count.as_str()),
    ];
    let asked = get(
        setup,
        "https://api.stackexchange.com",
        "/2.3/search/advanced",
        &parameters,
    )?;
    Some(asked.with_key("key", setup.key.as_ref()))
}

pub(super) fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["items"], |question| WebHit {
        url: text(&question["link"]),
        title: text(&question["title"]),
        snippet: String::new(),
        date: day(&question["creation_date"]),
        author: optional(&question["owner"]["display_name"]),
        score: question["score"].as_i64(),
        comments: question["answer_count"].as_u64(),
    })
}
