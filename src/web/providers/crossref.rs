//! Crossref: <https://api.crossref.org/swagger-ui/index.html>.

use serde_json::Value;

use super::{Asked, Setup, WebHit, get, list, text};

pub(super) fn request(setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
    let count = limit.clamp(1, 100).to_string();
    let parameters = [("query", query), ("rows", count.as_str())];
    get(setup, "https://api.crossref.org", "/works", &parameters)
}

pub(super) fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["message"]["items"], |work| {
        let authors = work["author"].as_array().into_iter().flatten();
        let authors: Vec<String> = authors
            .map(|one| format!("{} {}", text(&one["given"]), text(&one["family"])))
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty())
            .collect();
        WebHit {
            url: text(&work["URL"]),
            title: text(&work["title"][0]),
            snippet: text(&work["abstract"]),
            date: date(&work["issued"]["date-parts"][0]),
            author: (!authors.is_empty()).then(|| authors.join(", ")),
            ..WebHit::default()
        }
    })
}

/// `[2020, 5, 6]` as `2020-05-06`, as far as it goes.
fn date(parts: &Value) -> Option<String> {
    let parts = parts.as_array()?.iter().map_while(Value::as_u64);
    let parts: Vec<String> = parts.map(|part| format!("{part:02}")).collect();
    (!parts.is_empty()).then(|| parts.join("-"))
}
