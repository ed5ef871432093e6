//! Reddit: <https://www.reddit.com/dev/api/#GET_search>, and its threads:
//! <https://www.reddit.com/dev/api/#GET_comments_{article}>.

use serde_json::Value;
use url::Url;

use super::provider::{Defaults, PageApi, SearchProvider, ServiceConfig};
use super::reddit_thread::{parse_thread, thread_address};
use super::reply::{date_of, json, list, verbatim};
use crate::web::hit::WebHit;
use crate::web::request::{Body, ServiceRequest};

/// Reddit, which answers registered programs: reddit.com/prefs/apps gives an id, the extra
/// parameter, and a secret, the key.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    defaults: Defaults {
        key_variable: "REDDIT_CLIENT_SECRET",
        extra_variable: "REDDIT_CLIENT_ID",
        queries: 6,
        ..Defaults::NONE
    },
    login: Some(login),
    page_api: Some(PageApi {
        owns: |page| thread_id(page).is_some(),
        setup: None,
        request: thread_request,
        parse: parse_thread,
    }),
    is_social: true,
    remedy: |status| match status {
        401 | 403 | 429 => Some(
            "it answers registered programs; set REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET, \
             and check the key",
        ),
        _ => None,
    },
    ..SearchProvider::new("reddit", request, |reply| hits(&json(reply)?))
};

/// Without it, texts come escaped as HTML; with it, as their authors wrote them, so nothing here is
/// to be unescaped.
const RAW: (&str, &str) = ("raw_json", "1");

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let count = limit.clamp(1, 100).to_string();
    let parameters = [
        ("q", query),
        ("limit", count.as_str()),
        ("sort", "relevance"),
        RAW,
    ];
    // An id without its secret is none, and neither is a secret without its id.
    if config.key.is_some() != config.extra_param.is_some() {
        return None;
    }
    api_request(config, "/search", "/search.json", &parameters)
}

/// A request to the interface of registered programs with an access token, or without one to that
/// of anybody.
fn api_request(
    config: &ServiceConfig,
    registered_path: &str,
    open_path: &str,
    parameters: &[(&str, &str)],
) -> Option<ServiceRequest> {
    let Some(token) = &config.access_token else {
        return config.get("https://www.reddit.com", open_path, parameters);
    };
    let request = config.get("https://oauth.reddit.com", registered_path, parameters)?;
    Some(request.with_header("Authorization", format!("Bearer {token}")))
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["data"]["children"], |thread| {
        let thread = &thread["data"];
        WebHit {
            url: thread_address(thread).unwrap_or_default(),
            title: verbatim(&thread["title"]).unwrap_or_default(),
            snippet: verbatim(&thread["selftext"]),
            date: date_of(&thread["created_utc"]),
            author: verbatim(&thread["author"]),
            points: thread["score"].as_i64(),
            comments: thread["num_comments"].as_u64(),
            ..WebHit::default()
        }
    })
}

/// The request for an access token by OAuth 2 client credentials: a registered program's id, and
/// its secret.
/// <https://github.com/reddit-archive/reddit/wiki/OAuth2#application-only-oauth>
fn login(config: &ServiceConfig) -> Option<ServiceRequest> {
    let (id, secret) = (config.extra_param.as_deref()?, config.key.as_deref()?);
    let mut url = config.address("https://www.reddit.com", "/api/v1/access_token")?;
    url.set_username(id).ok()?;
    url.set_password(Some(secret)).ok()?;
    let body = Body::Form("grant_type=client_credentials");
    Some(ServiceRequest::post(url, body))
}

/// The id of the thread at an address, if it is one.
fn thread_id(page: &Url) -> Option<&str> {
    let host = page.host_str()?;
    let is_reddit = host == "reddit.com" || host.ends_with(".reddit.com");
    let mut parts = page.path_segments()?;
    let id = parts.find(|part| *part == "comments").and(parts.next())?;
    let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_reddit && is_id).then_some(id)
}

/// The request for the thread at an address, if it is one: the site's pages are for people alone.
fn thread_request(config: &ServiceConfig, page: &Url) -> Option<ServiceRequest> {
    let path = format!("/comments/{}", thread_id(page)?);
    let open_path = format!("{path}.json");
    api_request(config, &path, &open_path, &[RAW, ("sort", "top")])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reddit_threads_are_requested_from_the_interface_for_programs() {
        let address = |config: &ServiceConfig, page: &str| {
            thread_request(config, &Url::parse(page).unwrap())
                .map(|request| request.url.to_string())
        };
        let open = ServiceConfig::default();
        let keyed = ServiceConfig::default().with_access_token("a-pass".to_owned());
        let half = ServiceConfig {
            key: Some("a-secret".to_owned()),
            ..ServiceConfig::default()
        };
        assert_eq!(request(&half, "q", 5), None);
        let page = "https://www.reddit.com/r/x/comments/abc1/is_it_quiet/";
        assert_eq!(
            address(&open, page).as_deref(),
            Some("https://www.reddit.com/comments/abc1.json?raw_json=1&sort=top")
        );
        assert_eq!(
            address(&keyed, page).as_deref(),
            Some("https://oauth.reddit.com/comments/abc1?raw_json=1&sort=top")
        );
        for page in [
            "https://www.reddit.com/r/x/",
            "https://reddit.com.evil.example/r/x/comments/abc1/",
            "https://evilreddit.com/comments/abc1/",
            "https://www.reddit.com/comments/a%2fb/",
        ] {
            assert_eq!(address(&open, page), None, "{page}");
        }
    }
}
