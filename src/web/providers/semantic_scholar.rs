//! Semantic Scholar: <https://api.semanticscholar.org/api-docs/graph>.

use serde_json::Value;

use super::{Asked, Setup, WebHit, get, list, optional, text};

pub(super) fn request(setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
    let count = limit.clamp(1, 100).to_string();
    // A hyphen finds nothing, says its documentation.
    let words = query.replace('-', " ");
    let parameters = [
        ("query", words.as_str()),
        ("limit", count.as_str()),
        (
            "fields",
            "title,abstract,url,year,publicationDate,authors,openAccessPdf",
        ),
    ];
    let base = "https://api.semanticscholar.org";
    let asked = get(setup, base, "/graph/v1/paper/search", &parameters)?;
    Some(match &setup.key {
        Some(key) => asked.with("x-api-key", key),
        None => asked,
    })
}

pub(super) fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    // Without a hit the list is left out.
    if reply["data"].is_null() && reply["total"] == 0 {
        return Some(Vec::new());
    }
    list(&reply["data"], |paper| {
        let authors = paper["authors"].as_array().into_iter().flatten();
        let authors: Vec<String> = authors.map(|one| text(&one["name"])).collect();
        WebHit {
            url: optional(&paper["openAccessPdf"]["url"]).unwrap_or_else(|| text(&paper["url"])),
            title: text(&paper["title"]),
            snippet: text(&paper["abstract"]),
            date: optional(&paper["publicationDate"]).or_else(|| optional(&paper["year"])),
            author: (!authors.is_empty()).then(|| authors.join(", ")),
            ..WebHit::default()
        }
    })
}
