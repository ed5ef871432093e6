//! Google Programmable Search:
//! <https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list>.

use serde_json::Value;

use super::provider::{Defaults, SearchProvider, ServiceConfig};
use super::reply::{json, list, optional, text};
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// Google, whose extra parameter is the id of the search engine.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    defaults: Defaults {
        key_variable: "GOOGLE_API_KEY",
        extra_variable: "GOOGLE_CSE_ID",
        usd_per_thousand: 5.0,
        ..Defaults::NONE
    },
    ..SearchProvider::new("google", request, |reply| hits(&json(reply)?))
};

/// The most hits that it gives in one reply.
const MAX_HITS: usize = 10;

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let (key, engine) = (config.key.as_deref()?, config.extra_param.as_deref()?);
    let number = limit.clamp(1, MAX_HITS).to_string();
    let request = config.get(
        "https://www.googleapis.com",
        "/customsearch/v1",
        &[("q", query), ("cx", engine), ("num", number.as_str())],
    )?;
    // In a header and not in the address, so that no error and no log repeats it.
    Some(request.with_header("X-Goog-Api-Key", key))
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    // Without a hit the list is left out.
    if reply["items"].is_null() && reply["kind"] == "customsearch#search" {
        return Some(Vec::new());
    }
    list(&reply["items"], |hit| WebHit {
        url: text(&hit["link"]),
        title: text(&hit["title"]),
        snippet: optional(&hit["snippet"]),
        ..WebHit::default()
    })
}
