//! arXiv: <https://info.arxiv.org/help/api/user-manual.html>. The reply is an Atom feed.

use super::{Asked, Setup, WebHit, get, plain, query};

/// Words that a paper must hold all of.
const ALL: usize = 3;

pub(super) fn request(setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
    let words = query::telling(&query.replace('-', " "));
    // Few words say together what is sought; of many, the papers come first that hold most.
    let between = if words.len() <= ALL { " AND " } else { " OR " };
    let words: Vec<String> = words.iter().map(|word| format!("all:{word}")).collect();
    let words = words.join(between);
    let count = limit.clamp(1, 100).to_string();
    let parameters = [
        ("search_query", words.as_str()),
        ("max_results", count.as_str()),
        ("sortBy", "relevance"),
    ];
    get(setup, "https://export.arxiv.org", "/api/query", &parameters)
}

pub(super) fn hits(reply: &[u8]) -> Option<Vec<WebHit>> {
    let feed = feed_rs::parser::parse(reply).ok()?;
    let hit = |entry: feed_rs::model::Entry| {
        let names = entry.authors.iter().filter_map(|one| one.name.as_deref());
        let authors: Vec<String> = names.map(plain).collect();
        WebHit {
            url: entry.id.replacen("http://", "https://", 1),
            title: entry
                .title
                .map(|title| plain(&title.content))
                .unwrap_or_default(),
            snippet: entry
                .summary
                .map(|text| plain(&text.content))
                .unwrap_or_default(),
            date: entry
                .published
                .map(|date| date.format("%Y-%m-%d").to_string()),
            author: (!authors.is_empty()).then(|| authors.join(", ")),
            ..WebHit::default()
        }
    };
    // An error comes as an entry too.
    let mut ids = feed.entries.iter().map(|entry| &entry.id);
    if ids.any(|id| id.contains("/api/errors")) {
        return None;
    }
    Some(feed.entries.into_iter().map(hit).collect())
}
