//! Search services: a query into addresses worth reading. One file each: how it is asked, and how
//! its reply is read.
//!
//! A provider knows the shape of its service and nothing else: limits, repetition and errors are
//! those of all fetching. To add one is a file here, a line in [`Provider::ALL`] and an arm in each
//! of the two functions below it.

mod arxiv;
mod brave;
mod crossref;
mod exa;
mod github;
mod google;
mod hacker_news;
mod openalex;
mod pubmed;
mod query;
pub mod reddit;
mod searxng;
mod semantic_scholar;
mod serper;
mod stack_exchange;
mod tavily;
mod wikipedia;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde_json::Value;
use url::Url;

use super::{Fetcher, WebError};
use crate::pipeline::Digest;

/// Something that a search service found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WebHit {
    /// Where it is.
    pub url: String,
    /// Its title.
    pub title: String,
    /// What the service quotes of it; empty if nothing.
    pub snippet: String,
    /// When it was published, as the service says it.
    pub date: Option<String>,
    /// Who wrote it, as the service says it.
    pub author: Option<String>,
    /// What its readers gave it: points, votes, stars.
    pub score: Option<i64>,
    /// How many comments or answers it has.
    pub comments: Option<u64>,
}

/// What a service answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// What it found, best first.
    pub hits: Vec<WebHit>,
    /// Whether the answer was kept from an earlier time, and so cost nothing.
    pub from_cache: bool,
}

/// A request to a service.
#[derive(Clone, PartialEq)]
pub struct Asked {
    /// The address, with the query in it where it is one of GET.
    pub url: Url,
    /// Headers that the service wants.
    pub headers: Vec<(&'static str, String)>,
    /// What is posted; nothing for GET.
    pub body: Option<Body>,
    /// A parameter that is added to the address when it is sent: a key, which stands in nothing
    /// that is written.
    pub key: Option<(&'static str, String)>,
    /// The least time since the last request to the service.
    pub gap: Duration,
}

/// What is posted.
#[derive(Clone, PartialEq)]
pub enum Body {
    /// JSON.
    Json(Value),
    /// The fields of a form, encoded.
    Form(&'static str),
}

impl Body {
    /// Its media type.
    pub fn media_type(&self) -> &'static str {
        match self {
            Self::Json(_) => "application/json",
            Self::Form(_) => "application/x-www-form-urlencoded",
        }
    }

    /// Its bytes.
    pub fn text(&self) -> String {
        match self {
            Self::Json(value) => value.to_string(),
            Self::Form(fields) => (*fields).to_owned(),
        }
    }
}

/// What a service is asked with.
#[derive(Clone, Default)]
pub struct Setup {
    /// Where it is, if not where its documentation says.
    pub base: Option<String>,
    /// Its key, for those that want one.
    pub key: Option<String>,
    /// Google's search engine id, Tavily's topic, Reddit's client id: what else the service wants
    /// to be told.
    pub extra: Option<String>,
    /// What the service gave against its key, to be asked with instead.
    pub pass: Option<String>,
    /// The least time between two requests to it.
    pub gap: Duration,
}

impl Setup {
    /// The same with a pass that was given against its key.
    #[must_use]
    pub fn with_pass(self, pass: String) -> Self {
        Self {
            pass: Some(pass),
            ..self
        }
    }
}

/// Without the key.
impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup")
            .field("base", &self.base)
            .field("extra", &self.extra)
            .finish_non_exhaustive()
    }
}

/// Without the query and the headers, either of which may hold a key.
impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asked")
            .field("url", &bare(self.url.clone()))
            .finish_non_exhaustive()
    }
}

/// The services.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Provider {
    /// [SearXNG](https://docs.searxng.org/dev/search_api.html).
    Searxng,
    /// [Brave](https://api-dashboard.search.brave.com/app/documentation/web-search).
    Brave,
    /// [Tavily](https://docs.tavily.com/documentation/api-reference/endpoint/search).
    Tavily,
    /// [Google](https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list).
    Google,
    /// [Serper](https://serper.dev/playground).
    Serper,
    /// [Exa](https://docs.exa.ai/reference/search).
    Exa,
    /// [Wikipedia](https://www.mediawiki.org/wiki/API:Search).
    Wikipedia,
    /// [arXiv](https://info.arxiv.org/help/api/user-manual.html).
    Arxiv,
    /// [OpenAlex](https://docs.openalex.org/api-entities/works/search-works).
    Openalex,
    /// [Crossref](https://api.crossref.org/swagger-ui/index.html).
    Crossref,
    /// [Semantic Scholar](https://api.semanticscholar.org/api-docs/graph).
    SemanticScholar,
    /// [PubMed](https://www.ncbi.nlm.nih.gov/books/NBK25499/), by way of Europe PMC.
    Pubmed,
    /// [Hacker News](https://hn.algolia.com/api).
    HackerNews,
    /// [Stack Exchange](https://api.stackexchange.com/docs/advanced-search).
    StackExchange,
    /// [GitHub](https://docs.github.com/en/rest/search/search).
    Github,
    /// [Reddit](https://www.reddit.com/dev/api/#GET_search).
    Reddit,
}

impl Provider {
    /// All of them, in the order in which they are told.
    pub const ALL: [(&'static str, Provider); 16] = [
        ("searxng", Self::Searxng),
        ("brave", Self::Brave),
        ("tavily", Self::Tavily),
        ("google", Self::Google),
        ("serper", Self::Serper),
        ("exa", Self::Exa),
        ("wikipedia", Self::Wikipedia),
        ("arxiv", Self::Arxiv),
        ("openalex", Self::Openalex),
        ("crossref", Self::Crossref),
        ("semantic-scholar", Self::SemanticScholar),
        ("pubmed", Self::Pubmed),
        ("hacker-news", Self::HackerNews),
        ("stack-exchange", Self::StackExchange),
        ("github", Self::Github),
        ("reddit", Self::Reddit),
    ];

    /// The name it is asked for by.
    pub fn name(self) -> &'static str {
        let named = Self::ALL.iter().find(|(_, one)| *one == self);
        named.map_or("", |(name, _)| name)
    }

    /// The provider of a name.
    pub fn of(name: &str) -> Option<Self> {
        let named = Self::ALL.iter().find(|(one, _)| *one == name);
        named.map(|(_, provider)| *provider)
    }

    /// The request for a query; nothing where the service lacks its address or its key.
    pub fn request(self, setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
        let query = &query::shortened(query, self.longest_query());
        let asked = self.request_for(setup, query, limit)?;
        Some(Asked {
            gap: setup.gap,
            ..asked
        })
    }

    /// The characters of the longest query that it takes: Wikipedia and GitHub say so, and 400 are
    /// Tavily's and Brave's.
    fn longest_query(self) -> usize {
        match self {
            Self::Github => 256,
            Self::Wikipedia => 300,
            _ => 400,
        }
    }

    /// How a pass is asked for, where the service gives one against its key.
    pub(super) fn login(self, setup: &Setup) -> Option<Asked> {
        match self {
            Self::Reddit => reddit::login(setup),
            _ => None,
        }
    }

    fn request_for(self, setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
        match self {
            Self::Searxng => searxng::request(setup, query),
            Self::Brave => brave::request(setup, query, limit),
            Self::Tavily => tavily::request(setup, query, limit),
            Self::Google => google::request(setup, query, limit),
            Self::Serper => serper::request(setup, query, limit),
            Self::Exa => exa::request(setup, query, limit),
            Self::Wikipedia => wikipedia::request(setup, query, limit),
            Self::Arxiv => arxiv::request(setup, query, limit),
            Self::Openalex => openalex::request(setup, query, limit),
            Self::Crossref => crossref::request(setup, query, limit),
            Self::SemanticScholar => semantic_scholar::request(setup, query, limit),
            Self::Pubmed => pubmed::request(setup, query, limit),
            Self::HackerNews => hacker_news::request(setup, query, limit),
            Self::StackExchange => stack_exchange::request(setup, query, limit),
            Self::Github => github::request(setup, query, limit),
            Self::Reddit => reddit::request(setup, query, limit),
        }
    }

    /// The hits in a reply; nothing where it is none of this service.
    pub fn hits(self, reply: &[u8]) -> Option<Vec<WebHit>> {
        if self == Self::Arxiv {
            return arxiv::hits(reply);
        }
        let reply: Value = serde_json::from_slice(reply).ok()?;
        let hits = match self {
            Self::Searxng => searxng::hits(&reply),
            Self::Brave => brave::hits(&reply),
            Self::Tavily => tavily::hits(&reply),
            Self::Google => google::hits(&reply),
            Self::Serper => serper::hits(&reply),
            Self::Exa => exa::hits(&reply),
            Self::Wikipedia => wikipedia::hits(&reply),
            Self::Arxiv => None,
            Self::Openalex => openalex::hits(&reply),
            Self::Crossref => crossref::hits(&reply),
            Self::SemanticScholar => semantic_scholar::hits(&reply),
            Self::Pubmed => pubmed::hits(&reply),
            Self::HackerNews => hacker_news::hits(&reply),
            Self::StackExchange => stack_exchange::hits(&reply),
            Self::Github => github::hits(&reply),
            Self::Reddit => reddit::hits(&reply),
        }?;
        // A hit without an address of the web is none.
        let mut hits = hits;
        hits.retain(|hit| hit.url.starts_with("http://") || hit.url.starts_with("https://"));
        Some(hits)
    }

    /// Asks the service.
    ///
    /// # Errors
    /// When it cannot be reached, says no, or answers what is no reply of its.
    pub async fn search(
        self,
        fetcher: &Fetcher,
        setup: &Setup,
        query: &str,
        limit: usize,
    ) -> Result<Answered, WebError> {
        let name = self.name();
        let asked = self.request(setup, query, limit);
        let asked = asked.ok_or_else(|| WebError::Address {
            url: name.to_owned(),
            problem: "its address or its key is not set".to_owned(),
        })?;
        let reply = fetcher.ask(&asked).await;
        let reply = reply.map_err(|error| error.of_service(name))?;
        let mut hits = self.hits(&reply.body).ok_or_else(|| {
            fetcher.forget(&asked);
            WebError::Unreadable {
                url: bare(asked.url),
                problem: format!("it is no reply of {name}; check its address in the settings"),
            }
        })?;
        hits.truncate(limit);
        Ok(Answered {
            hits,
            from_cache: reply.from_cache,
        })
    }
}

/// An address without what may hold a key: its query, and a name and password.
pub(super) fn bare(mut url: Url) -> String {
    url.set_query(None);
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

/// The length from which a word of a header may be a key.
const SECRET_BYTES: usize = 8;

/// The constant of reciprocal rank fusion; from Cormack, Clarke and Büttcher, SIGIR 2009.
const FUSION: f64 = 60.0;

/// Rankings of several services as one: the more of them rank an address high, the higher it
/// stands. One address in two notations counts once; of equals, the one named first stays first.
pub fn fused(rankings: &[Vec<WebHit>]) -> Vec<WebHit> {
    let mut found: Vec<(f64, WebHit)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for ranking in rankings {
        for (rank, hit) in ranking.iter().enumerate() {
            let score = 1.0 / (FUSION + rank as f64 + 1.0);
            let place = *places.entry(identity(&hit.url)).or_insert(found.len());
            match found.get_mut(place) {
                Some((sum, _)) => *sum += score,
                None => found.push((score, hit.clone())),
            }
        }
    }
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    found.into_iter().map(|(_, hit)| hit).collect()
}

/// What makes two addresses the same page: host without `www.`, path without its last slash, query
/// without what only counts visitors.
pub fn identity(address: &str) -> String {
    let Ok(url) = Url::parse(address) else {
        return address.to_owned();
    };
    let host = url.host_str().unwrap_or_default();
    let counts = |name: &str| {
        name.starts_with("utm_") || ["fbclid", "gclid", "msclkid", "ref"].contains(&name)
    };
    let mut query: Vec<String> = url
        .query_pairs()
        .filter(|(name, _)| !counts(name))
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

/// The service that a page belongs to, if it has the page for programs.
pub(super) fn of_page(page: &Url) -> Option<Provider> {
    reddit::thread_id(page).map(|_| Provider::Reddit)
}

/// How a page is read for programs by the service that it belongs to.
pub(super) fn reading(setup: &Setup, page: &Url) -> Option<Asked> {
    let asked = reddit::reading(setup, page)?;
    Some(Asked {
        gap: setup.gap,
        ..asked
    })
}

/// A request by GET with these parameters.
fn get(setup: &Setup, default: &str, path: &str, parameters: &[(&str, &str)]) -> Option<Asked> {
    let mut url = address(setup, default, path)?;
    url.query_pairs_mut().extend_pairs(parameters);
    Some(Asked::get(url))
}

/// A request that posts a body.
fn post(setup: &Setup, default: &str, path: &str, body: Value) -> Option<Asked> {
    Some(Asked {
        body: Some(Body::Json(body)),
        ..Asked::get(address(setup, default, path)?)
    })
}

impl Asked {
    /// A request by GET.
    pub(super) fn get(url: Url) -> Self {
        Self {
            url,
            headers: Vec::new(),
            body: None,
            key: None,
            gap: Duration::ZERO,
        }
    }

    /// The address to which it is sent, with the key.
    pub(super) fn sent_to(&self) -> Url {
        let mut url = self.url.clone();
        if let Some((name, key)) = &self.key {
            url.query_pairs_mut().append_pair(name, key);
        }
        url
    }

    /// What the same request is recognised by: method, address and body, without headers and so
    /// without a key.
    pub(super) fn digest(&self) -> Digest {
        let mut url = self.url.clone();
        let _ = url.set_username("");
        let _ = url.set_password(None);
        match &self.body {
            None => Digest::of(format!("GET {url}")),
            Some(body) => Digest::of(format!("POST {url}\n{}", body.text())),
        }
    }

    /// Whether a reply repeats something secret that was sent with the request.
    pub(super) fn is_told_by(&self, reply: &[u8]) -> bool {
        let words = self.headers.iter().flat_map(|(_, value)| value.split(' '));
        let key = self.key.iter().map(|(_, key)| key.as_str());
        let secrets = words.chain(self.url.password()).chain(key);
        let mut long = secrets.filter(|word| word.len() >= SECRET_BYTES);
        long.any(|word| reply.windows(word.len()).any(|at| at == word.as_bytes()))
    }

    fn with_key(self, name: &'static str, key: Option<&String>) -> Self {
        let key = key.map(|key| (name, key.clone()));
        Self { key, ..self }
    }

    fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// The address of a path below a service's base, which may have a path of its own.
fn address(setup: &Setup, default: &str, path: &str) -> Option<Url> {
    let base = setup.base.as_deref().unwrap_or(default);
    Url::parse(&format!("{}{path}", base.trim_end_matches('/'))).ok()
}

/// A text of a reply; empty if it is not there.
fn text(value: &Value) -> String {
    plain(value.as_str().unwrap_or_default())
}

fn optional(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(plain(text)),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The list of hits in a reply, each read by `read`.
fn list(value: &Value, read: impl Fn(&Value) -> WebHit) -> Option<Vec<WebHit>> {
    Some(value.as_array()?.iter().map(read).collect())
}

/// Text without the tags that services set around the words of the query, on one line.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // What follows the last of these holds no tag.
    let last = text.rfind('>').map_or(0, |last| text.len() - last);
    while let Some(at) = rest
        .find('<')
        .filter(|at| rest.len() - at > last && last > 0)
    {
        out.push_str(&rest[..at]);
        let tag = rest[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        match rest[at..].find('>').filter(|_| tag) {
            Some(end) => rest = &rest[at + end + 1..],
            None => {
                out.push('<');
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    let out = unescaped(&out);
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text with the characters that services escape as in HTML.
fn unescaped(text: &str) -> String {
    text.replace("&quot;", "\"")
        .replace("&#039;", "'")
        .replace("&#39;", "'")
        .replace("&#x27;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

/// The day of a moment in seconds since 1970.
fn day(seconds: &Value) -> Option<String> {
    let seconds = seconds
        .as_i64()
        .or_else(|| seconds.as_f64().map(|s| s as i64))?;
    let moment = chrono::DateTime::from_timestamp(seconds, 0)?;
    // Longer is a year beyond 9999, which nothing is from.
    Some(moment.format("%Y-%m-%d").to_string()).filter(|day| day.len() == 10)
}
