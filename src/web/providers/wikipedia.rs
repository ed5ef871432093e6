//! Wikipedia: <https://www.mediawiki.org/wiki/API:Search>, as a generator, so that each page's own
//! address comes with it.

use serde_json::Value;

use super::{Asked, Setup, WebHit, get, optional, text};

pub(super) fn request(setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
    let count = limit.clamp(1, 50).to_string();
    let parameters = [
        ("action", "query"),
        ("format", "json"),
        ("formatversion", "2"),
        ("generator", "search"),
        ("gsrsearch", query),
        ("gsrlimit", count.as_str()),
        ("prop", "info|extracts"),
        ("inprop", "url"),
        ("exintro", "1"),
        ("explaintext", "1"),
        ("exsentences", "2"),
    ];
    get(setup, "https://en.wikipedia.org", "/w/api.php", &parameters)
}

pub(super) fn hits(reply: &Value) -> Option<Vec<WebHit>> {
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
    let hit = |page: &&Value| WebHit {
        url: text(&page["fullurl"]),
        title: text(&page["title"]),
        snippet: text(&page["extract"]),
        date: optional(&page["touched"]),
        author: None,
        ..WebHit::default()
    };
    Some(pages.iter().map(hit).collect())
}
