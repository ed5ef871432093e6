//! Hits of search services, and the fusion of several rankings into one by reciprocal rank fusion.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::Url;

/// A result of a search service.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WebHit {
    /// The address of the page.
    pub url: String,
    /// The title; empty if the service gives none. It stands in for the title of a page that has
    /// none itself.
    pub title: String,
    /// The excerpt that the service shows, as plain text. It helps to decide what to read, and is
    /// never quoted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    /// The date of publication or last change, as the service writes it, for a page that states
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The authors, as the service writes them, for a page that names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The points that readers gave: votes, stars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i64>,
    /// The number of comments or answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments: Option<u64>,
    /// The address of the thread in which readers discuss the page, if it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discussion: Option<String>,
    /// `true` if a service of the public internet gives it: its address must not lead into the
    /// networks that the user allowed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_public: bool,
}

/// The constant of reciprocal rank fusion; from Cormack, Clarke and Büttcher, SIGIR 2009.
const FUSION: f64 = 60.0;

/// Merges the rankings of several services by reciprocal rank fusion (RRF): the more of them rank
/// an address high, the higher it stands. Two notations of one address count as one page; of
/// equals, the one that was named first stays first.
pub fn fuse(rankings: &[Vec<WebHit>]) -> Vec<WebHit> {
    let mut scored: Vec<(f64, WebHit)> = Vec::new();
    let mut index_of: BTreeMap<String, usize> = BTreeMap::new();
    for ranking in rankings {
        for (rank, hit) in ranking.iter().enumerate() {
            // RRF: the sum of 1 / (k + rank) over all rankings, with ranks from 1.
            let score = 1.0 / (FUSION + rank as f64 + 1.0);
            let index = *index_of
                .entry(page_identity(&hit.url))
                .or_insert(scored.len());
            match scored.get_mut(index) {
                Some((sum, own)) => {
                    *sum += score;
                    own.is_public &= hit.is_public;
                }
                None => scored.push((score, hit.clone())),
            }
        }
    }
    // The sort is stable, so equals keep the order of first mention.
    scored.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    scored.into_iter().map(|(_, hit)| hit).collect()
}

/// The canonical form of an address, equal for two addresses of the same page: host without `www.`,
/// path without its last slash, query sorted and without parameters that only count visitors.
pub fn page_identity(address: &str) -> String {
    let Ok(url) = Url::parse(address) else {
        return address.to_owned();
    };
    let host = url.host_str().unwrap_or_default();
    let mut query: Vec<String> = url
        .query_pairs()
        .filter(|(name, _)| !is_tracking_parameter(name))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    query.sort();
    format!(
        "{}{}?{}",
        host.strip_prefix("www.").unwrap_or(host),
        url.path().trim_end_matches('/'),
        query.join("&")
    )
}

fn is_tracking_parameter(name: &str) -> bool {
    name.starts_with("utm_") || ["fbclid", "gclid", "msclkid", "ref"].contains(&name)
}
