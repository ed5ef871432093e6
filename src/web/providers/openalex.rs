//! OpenAlex: <https://docs.openalex.org/api-entities/works/search-works>; without a key it answers
//! few searches a day.

use serde_json::Value;

use super::{Asked, Setup, WebHit, get, list, optional, query, text};

pub(super) fn request(setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
    let count = limit.clamp(1, 100).to_string();
    let words = query::words(query).join(" ");
    let parameters = [("search", words.as_str()), ("per-page", count.as_str())];
    let asked = get(setup, "https://api.openalex.org", "/works", &parameters)?;
    Some(asked.with_key("api_key", setup.key.as_ref()))
}

pub(super) fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["results"], |work| {
        let places = [
            &work["best_oa_location"]["landing_page_url"],
            &work["primary_location"]["landing_page_url"],
            &work["doi"],
            &work["id"],
        ];
        let authors = work["authorships"].as_array().into_iter().flatten();
        let authors: Vec<String> = authors
            .map(|one| text(&one["author"]["display_name"]))
            .collect();
        WebHit {
            url: places.into_iter().find_map(optional).unwrap_or_default(),
            title: text(&work["display_name"]),
            snippet: in_order(&work["abstract_inverted_index"]),
            date: optional(&work["publication_date"]),
            author: (!authors.is_empty()).then(|| authors.join(", ")),
            ..WebHit::default()
        }
    })
}

/// Abstracts come as the places of each word.
fn in_order(index: &Value) -> String {
    let mut words: Vec<(u64, &str)> = Vec::new();
    for (word, places) in index.as_object().into_iter().flatten() {
        let places = places.as_array().into_iter().flatten();
        words.extend(
            places
                .filter_map(Value::as_u64)
                .map(|place| (place, word.as_str())),
        );
    }
    words.sort_unstable();
    words
        .iter()
        .map(|(_, word)| *word)
        .collect::<Vec<_>>()
        .join(" ")
}
