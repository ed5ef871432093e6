//! The newest archived copy of a dead page, by the Wayback Machine:
//! <https://archive.org/help/wayback_api.php>.

use serde_json::Value;
use url::Url;

use super::fetch::Fetcher;
use super::request::ServiceRequest;

/// The address of the newest copy of a page, if the archive has one. On any error, no copy is
/// known.
pub(super) async fn newest_copy(fetcher: &Fetcher, page: &str) -> Option<String> {
    let mut url = Url::parse(&fetcher.limits().archive).ok()?;
    url.query_pairs_mut().append_pair("url", page);
    let reply = fetcher.ask(&ServiceRequest::get(url)).await.ok()?;
    let reply: Value = serde_json::from_slice(&reply.body).ok()?;
    let closest = &reply["archived_snapshots"]["closest"];
    // The archive also has copies of error pages, by the status that it once got.
    let is_available = closest["available"] == true && closest["status"] == "200";
    let address = closest["url"].as_str().filter(|_| is_available)?;
    let address = Url::parse(address).ok()?;
    matches!(address.scheme(), "http" | "https").then(|| address.to_string())
}
