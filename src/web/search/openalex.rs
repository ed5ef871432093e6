//! OpenAlex: <https://docs.openalex.org/api-entities/works/search-works>; without a key it answers
//! few searches a day.

use serde_json::Value;

use super::provider::{Defaults, SearchProvider, ServiceConfig};
use super::query;
use super::reply::{authors, json, list, optional, text};
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// OpenAlex: with a free key it answers a thousand searches a day, without one a few.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    defaults: Defaults {
        key_variable: "OPENALEX_API_KEY",
        queries: 4,
        suits: &["*"],
        ..Defaults::NONE
    },
    remedy: |status| match status {
        403 | 429 => Some(
            "its rate limit is reached; set OPENALEX_API_KEY to a free key of openalex.org, \
             or try again later",
        ),
        _ => None,
    },
    ..SearchProvider::new("openalex", request, |reply| hits(&json(reply)?))
};

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let count = limit.clamp(1, 100).to_string();
    let words = query::words(query).join(" ");
    let parameters = [("search", words.as_str()), ("per-page", count.as_str())];
    let request = config.get("https://api.openalex.org", "/works", &parameters)?;
    Some(request.with_key("api_key", config.key.as_ref()))
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["results"], |work| {
        // A page that is free to read, then the publisher's, then the record itself.
        let addresses = [
            &work["best_oa_location"]["landing_page_url"],
            &work["primary_location"]["landing_page_url"],
            &work["doi"],
            &work["id"],
        ];
        WebHit {
            url: addresses.into_iter().find_map(optional).unwrap_or_default(),
            title: text(&work["display_name"]),
            date: optional(&work["publication_date"]),
            author: authors(&work["authorships"], |one| {
                text(&one["author"]["display_name"])
            }),
            ..WebHit::default()
        }
    })
}
