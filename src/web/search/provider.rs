//! The search provider: the name of a search service, how it is asked and how its replies are
//! parsed. Each service is a constant of this type in a file beside this one.
//!
//! A provider knows the shape of its service and nothing else: limits, rate limiting, retries and
//! errors are those of all fetching.

use std::fmt;
use std::time::Duration;

use serde_json::Value;
use url::Url;

use super::query;
use crate::read::Document;
use crate::web::error::WebError;
use crate::web::fetch::Fetcher;
use crate::web::hit::WebHit;
use crate::web::request::{Body, ServiceRequest, redacted};

/// A search service.
pub struct SearchProvider {
    /// The name in `--search`, in `services.toml`, in sessions and in errors.
    pub name: &'static str,
    /// The number of characters of the longest query that it accepts.
    pub longest_query: usize,
    /// The settings that apply unless a `services.toml` has an entry of the same name.
    pub defaults: Defaults,
    /// Makes the request for a query and a number of hits; `None` where the service lacks its
    /// address or its key.
    pub request: fn(&ServiceConfig, &str, usize) -> Option<ServiceRequest>,
    /// Parses the hits of a reply; `None` where it is no reply of this service.
    pub parse: fn(&[u8]) -> Option<Vec<WebHit>>,
    /// Makes the request for an access token, for a service that grants one against its key (OAuth
    /// client credentials); `None` where no key is configured.
    pub login: Option<fn(&ServiceConfig) -> Option<ServiceRequest>>,
    /// The interface by which the service gives its own pages to programs.
    pub page_api: Option<PageApi>,
    /// `true` for a service of people's posts, which social research asks.
    pub is_social: bool,
    /// The remedy for an HTTP status that means something else here than at other services.
    pub remedy: fn(u16) -> Option<&'static str>,
}

/// An interface by which a service gives its own pages to programs.
pub struct PageApi {
    /// `true` for the address of such a page.
    pub owns: fn(&Url) -> bool,
    /// The request whose reply names what the request for a page needs, and the parser of that
    /// name, which becomes the configuration's access token.
    pub setup: Option<PageSetup>,
    /// Makes the request for such a page.
    pub request: fn(&ServiceConfig, &Url) -> Option<ServiceRequest>,
    /// Reads a reply as a thread; `None` where it is none of this service.
    pub parse: fn(&[u8]) -> Option<Document>,
}

/// What a page API needs before its first page.
pub struct PageSetup {
    /// Makes the request.
    pub request: fn(&ServiceConfig) -> Option<ServiceRequest>,
    /// Parses its reply.
    pub parse: fn(&[u8]) -> Option<String>,
}

/// The settings of a service, as an entry of `services.toml` has them: see `config/services.toml`.
#[derive(Debug, Clone, Copy)]
pub struct Defaults {
    /// The base address, if not that of the service's documentation.
    pub base_url: &'static str,
    /// The environment variable of the base address.
    pub base_url_variable: &'static str,
    /// The environment variable of the key.
    pub key_variable: &'static str,
    /// The extra parameter: Google's search engine, Tavily's topic, Reddit's client id.
    pub extra: &'static str,
    /// The environment variable of the extra parameter.
    pub extra_variable: &'static str,
    /// The words of a topic by which `auto` selects the service without its being configured; `*`
    /// selects it for every topic.
    pub suits: &'static [&'static str],
    /// The price of a thousand queries in US dollars.
    pub usd_per_thousand: f64,
    /// The least time between two requests, in milliseconds.
    pub gap_milliseconds: u64,
    /// The limit of queries per plan; 0 for none.
    pub queries: usize,
}

impl Defaults {
    /// No settings: a service without key, price and limits, selected by name alone.
    pub const NONE: Self = Self {
        base_url: "",
        base_url_variable: "",
        key_variable: "",
        extra: "",
        extra_variable: "",
        suits: &[],
        usd_per_thousand: 0.0,
        gap_milliseconds: 0,
        queries: 0,
    };
}

/// The configuration with which a service is asked: its address, its secrets and its pace.
#[derive(Clone, Default)]
pub struct ServiceConfig {
    /// The base address, if not that of the service's documentation.
    pub base_url: Option<String>,
    /// The key, for services that have one.
    pub key: Option<String>,
    /// The extra parameter: Google's search engine, Tavily's topic, Reddit's client id.
    pub extra_param: Option<String>,
    /// The access token that the service granted against its key.
    pub access_token: Option<String>,
    /// The least time between two requests.
    pub gap: Duration,
}

/// Without key and access token.
impl fmt::Debug for ServiceConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceConfig")
            .field("base_url", &self.base_url)
            .field("extra_param", &self.extra_param)
            .finish_non_exhaustive()
    }
}

impl ServiceConfig {
    /// The same configuration with an access token.
    #[must_use]
    pub fn with_access_token(self, token: String) -> Self {
        Self {
            access_token: Some(token),
            ..self
        }
    }

    /// The address of a path below the base address, which may have a path of its own.
    pub fn address(&self, default_base: &str, path: &str) -> Option<Url> {
        // Joined as text: `Url::join` would drop the last part of a base with a path.
        let base = self.base_url.as_deref().unwrap_or(default_base);
        Url::parse(&format!("{}{path}", base.trim_end_matches('/'))).ok()
    }

    /// A GET request with these parameters.
    pub fn get(
        &self,
        default_base: &str,
        path: &str,
        parameters: &[(&str, &str)],
    ) -> Option<ServiceRequest> {
        let mut url = self.address(default_base, path)?;
        url.query_pairs_mut().extend_pairs(parameters);
        Some(ServiceRequest::get(url))
    }

    /// A POST request with a JSON body.
    pub fn post(&self, default_base: &str, path: &str, body: Value) -> Option<ServiceRequest> {
        let url = self.address(default_base, path)?;
        Some(ServiceRequest::post(url, Body::Json(body)))
    }
}

/// The response of a service to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResponse {
    /// The hits, best first.
    pub hits: Vec<WebHit>,
    /// `true` for a cache hit, which costs nothing.
    pub from_cache: bool,
}

/// By name: two providers of one name are the same service.
impl PartialEq for SearchProvider {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for SearchProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SearchProvider({})", self.name)
    }
}

impl SearchProvider {
    /// The longest query that Tavily and Brave accept, in characters; other services take as much
    /// unless their files say otherwise.
    pub const LONGEST_QUERY: usize = 400;

    /// A service with a name, a request and a parser, and nothing special besides.
    pub const fn new(
        name: &'static str,
        request: fn(&ServiceConfig, &str, usize) -> Option<ServiceRequest>,
        parse: fn(&[u8]) -> Option<Vec<WebHit>>,
    ) -> Self {
        Self {
            name,
            longest_query: Self::LONGEST_QUERY,
            defaults: Defaults::NONE,
            request,
            parse,
            login: None,
            page_api: None,
            is_social: false,
            remedy: |_| None,
        }
    }

    /// The request for a query, which is cut to the length that the service accepts; `None` where
    /// the service lacks its address or its key.
    pub fn request_for(
        &self,
        config: &ServiceConfig,
        query: &str,
        limit: usize,
    ) -> Option<ServiceRequest> {
        // A query that is too long is refused by most services, and silently cut by others.
        let query = query::truncated(query, self.longest_query);
        let request = (self.request)(config, &query, limit)?;
        Some(ServiceRequest {
            gap: config.gap,
            ..request
        })
    }

    /// The hits in a reply; `None` where it is no reply of this service.
    pub fn hits(&self, reply: &[u8]) -> Option<Vec<WebHit>> {
        let mut hits = (self.parse)(reply)?;
        // A hit without an address of the web cannot be fetched.
        hits.retain(|hit| hit.url.starts_with("http://") || hit.url.starts_with("https://"));
        Some(hits)
    }

    /// Asks the service.
    ///
    /// # Errors
    /// When it cannot be reached, refuses, or answers with what is no reply of its own.
    pub async fn search(
        &self,
        fetcher: &Fetcher,
        config: &ServiceConfig,
        query: &str,
        limit: usize,
    ) -> Result<SearchResponse, WebError> {
        let request = self
            .request_for(config, query, limit)
            .ok_or_else(|| WebError::Address {
                url: self.name.to_owned(),
                problem: "its address or its key is not set".to_owned(),
            })?;
        let response = fetcher
            .ask(&request)
            .await
            .map_err(|error| self.error(error))?;
        let mut hits = self.hits(&response.body).ok_or_else(|| {
            // A reply that is none must not be a cache hit next time.
            fetcher.forget(&request);
            WebError::Unreadable {
                url: redacted(&request.url).into(),
                problem: format!(
                    "it is no reply of {}; check its address in the settings",
                    self.name
                ),
            }
        })?;
        // Some services take no limit, and some give more than they were asked for.
        hits.truncate(limit);
        Ok(SearchResponse {
            hits,
            from_cache: response.from_cache,
        })
    }

    /// An error of a request to this service: a status gets the service's name and remedy.
    pub(in crate::web) fn error(&self, error: WebError) -> WebError {
        match error {
            WebError::Status { url, status } => WebError::Service {
                service: self.name.to_owned(),
                url,
                status,
                remedy: (self.remedy)(status).unwrap_or_else(|| general_remedy(status)),
            },
            other => other,
        }
    }
}

/// The remedy for a service's status; Brave and Google call a wrong key a wrong request, and 432
/// and 433 are Tavily's.
fn general_remedy(status: u16) -> &'static str {
    match status {
        400 | 422 => "it rejects the request; check its key and its other settings",
        401 | 403 => "its key is missing, wrong or used up; check the key in the settings",
        402 | 432 | 433 => "the quota of its plan is used up; extend it or use another service",
        429 => "its rate limit is reached; try again later or ask less at once",
        500.. => "it is out of order; try again later or use another service",
        _ => "check its address in the settings",
    }
}
