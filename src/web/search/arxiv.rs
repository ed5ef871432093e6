//! arXiv: <https://info.arxiv.org/help/api/user-manual.html>. The reply is an Atom feed.

use super::provider::{Defaults, SearchProvider, ServiceConfig};
use super::query;
use super::reply::plain;
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// arXiv, which asks for three seconds between requests.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    defaults: Defaults {
        gap_milliseconds: 3000,
        queries: 4,
        suits: &[
            "algorithm",
            "learning",
            "neural",
            "model",
            "models",
            "quantum",
            "physics",
            "mathematics",
            "theorem",
            "astronomy",
        ],
        ..Defaults::NONE
    },
    ..SearchProvider::new("arxiv", request, hits)
};

/// The number of words up to which a paper must hold all of them; chosen by hand.
const ALL_WORDS: usize = 3;

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let words = query::content_words(&query.replace('-', " "));
    // Few words say together what is sought; of many, the papers come first that hold most.
    let operator = if words.len() <= ALL_WORDS {
        " AND "
    } else {
        " OR "
    };
    let words: Vec<String> = words.iter().map(|word| format!("all:{word}")).collect();
    let words = words.join(operator);
    let count = limit.clamp(1, 100).to_string();
    let parameters = [
        ("search_query", words.as_str()),
        ("max_results", count.as_str()),
        ("sortBy", "relevance"),
    ];
    config.get("https://export.arxiv.org", "/api/query", &parameters)
}

fn hits(reply: &[u8]) -> Option<Vec<WebHit>> {
    let feed = feed_rs::parser::parse(reply).ok()?;
    // An error comes as an entry too.
    let is_error = |entry: &feed_rs::model::Entry| entry.id.contains("/api/errors");
    if feed.entries.iter().any(is_error) {
        return None;
    }
    Some(feed.entries.into_iter().map(hit).collect())
}

fn hit(entry: feed_rs::model::Entry) -> WebHit {
    let names = entry.authors.iter().filter_map(|one| one.name.as_deref());
    let authors: Vec<String> = names.map(plain).collect();
    WebHit {
        url: entry.id.replacen("http://", "https://", 1),
        title: entry
            .title
            .map(|title| plain(&title.content))
            .unwrap_or_default(),
        snippet: entry.summary.map(|summary| plain(&summary.content)),
        date: entry
            .published
            .map(|date| date.format("%Y-%m-%d").to_string()),
        author: (!authors.is_empty()).then(|| authors.join(", ")),
        ..WebHit::default()
    }
}
