//! Google Programmable Search:
//! <https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list>.

use serde_json::Value;

use super::{Asked, Setup, WebHit, get, list, text};

/// The most it gives in one reply.
const MOST: usize = 10;

pub(super) fn request(setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
    let (key, engine) = (setup.key.as_deref()?, setup.extra.as_deref()?);
    let number = limit.clamp(1, MOST).to_string();
    let parameters = [("q", query), ("cx", engine), ("num", number.as_str())];
    let asked = get(
        setup,
        "https://www.googleapis.com",
        "/customsearch/v1",
        &parameters,
    )?;
    // In a header and not in the address, so that no error and no log repeats it.
    Some(asked.with("X-Goog-Api-Key", key))
}

pub(super) fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    // Without a hit the list is left out.
    if reply["items"].is_null() && reply["kind"] == "customsearch#search" {
        return Some(Vec::new());
    }
    list(&reply["items"], |hit| WebHit {
        url: text(&hit["link"]),
        title: text(&hit["title"]),
        snippet: text(&hit["snippet"]),
        ..WebHit::default()
    })
}
