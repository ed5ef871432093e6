//! Wikipedia: <https://www.mediawiki.org/wiki/API:Search>, as a generator, so that each page's own
//! address comes with it.

use serde_json::Value;

use super::provider::{Defaults, SearchProvider, ServiceConfig};
use super::reply::{json, text};
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// The English Wikipedia.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    longest_query: 300,
    defaults: Defaults {
        suits: &["*"],
        ..Defaults::NONE
    },
    ..SearchProvider::new("wikipedia", request, |reply| hits(&json(reply)?))
};

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let count = limit.clamp(1, 50).to_string();
    let parameters = [
        ("action", "query"),
        ("format", "json"),
        ("formatversion", "2"),
        ("generator", "search"),
        ("gsrsearch", query),
        ("gsrlimit", count.as_str()),
        ("prop", "info"),
        ("inprop", "url"),
    ];
    config.get("https://en.wikipedia.org", "/w/api.php", &parameters)
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    if !reply["error"].is_null() {
        return None;
    }
    // Without a hit there is no `query`.
    let Some(pages) = reply["query"]["pages"].as_array() else {
        return (reply["batchcomplete"] == true).then(Vec::new);
    };
    // Pages come by number; `index` is their rank.
    let mut pages: Vec<&Value> = pages.iter().collect();
    pages.sort_by_key(|page| page["index"].as_i64());
    let hits = pages.into_iter().map(|page| WebHit {
        url: text(&page["fullurl"]),
        title: text(&page["title"]),
        ..WebHit::default()
    });
    Some(hits.collect())
}
