//! The fetcher: one address into the bytes at it, through SSRF guard, robots.txt, rate limiter,
//! HTTP cache and retry policy, within limits.

use std::error::Error as _;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::Result;
use chrono::{DateTime, Utc};
use http_cache_semantics::{AfterResponse, BeforeRequest, CacheOptions, CachePolicy};
use reqwest::header::{CONTENT_TYPE, LOCATION, RETRY_AFTER, SET_COOKIE};
use reqwest::{Client, Request, Response};
use tracing::Instrument as _;
use url::Url;

use super::cache::{Cache, CachedResponse};
use super::connections::Connections;
use super::domains::matches_domain;
use super::error::{WebError, innermost};
use super::guard::SsrfGuard;
use super::limits::Limits;
use super::rate_limiter::RateLimiter;
use super::request::{ServiceRequest, redacted, strip_credentials};
#[cfg(feature = "browser")]
use super::resolver::GuardedResolver;
use super::resolver::{Lookup, Refused};
use super::response_body::ResponseBody;
use super::retry::{Failure, retry_after, with_backoff};
use super::robots::{self, RobotsCache, RobotsResponse};
use crate::pipeline::Clock;
use crate::quota::SharedQuotas;
use crate::text::truncate;

/// The number of redirects that are followed to a robots.txt: RFC 9309 (section 2.3.1.2) requires
/// at least five.
const ROBOTS_REDIRECTS: usize = 5;

/// The longest part of an address that is repeated in an error.
const ADDRESS_CHARACTERS: usize = 200;

/// The response at an address.
#[derive(Debug, Clone)]
pub struct FetchResponse {
    /// The address, after all redirects.
    pub url: Url,
    /// The `Content-Type` header: `text/html; charset=utf-8`.
    pub media_type: Option<String>,
    /// The body, decompressed.
    pub body: ResponseBody,
    /// `true` for a cache hit.
    pub from_cache: bool,
    /// The time at which the server last sent or confirmed it.
    pub confirmed_at: DateTime<Utc>,
}

/// The reply of a service.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceResponse {
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// `true` for a cache hit, which costs nothing.
    pub from_cache: bool,
}

/// The fetcher. Cheap to share behind an [`Arc`].
pub struct Fetcher {
    connections: Connections,
    limits: Limits,
    /// The guard of pages.
    guard: SsrfGuard,
    /// The guard of search services, which opens those that are configured.
    service_guard: SsrfGuard,
    pub(super) rate_limiter: RateLimiter,
    robots: RobotsCache,
    cache: Option<Cache>,
    pub(super) clock: Clock,
    #[cfg(feature = "browser")]
    pub(super) browser: Option<Arc<super::browser::Browser>>,
}

/// The outcome of one request: a response, or a redirect to another address.
enum Step<T = FetchResponse> {
    Response(T),
    /// The target, and the guard that applies to it.
    Redirect(Url, SsrfGuard),
}

/// One request and what it is judged by.
struct Attempt<'a> {
    url: &'a Url,
    guard: &'a SsrfGuard,
    max_bytes: u64,
    cached: Option<&'a CachedResponse>,
    now: SystemTime,
}

impl Fetcher {
    /// A fetcher with these limits, which resolves names by `lookup` and caches responses in
    /// `cache`.
    ///
    /// # Errors
    /// When the limits name something that is no host.
    pub fn new(
        limits: Limits,
        lookup: Arc<dyn Lookup>,
        cache: Option<Cache>,
        clock: Clock,
    ) -> Result<Self> {
        let guard = SsrfGuard::new(&limits.allow)?;
        Ok(Self {
            connections: Connections::new(limits.clone(), lookup),
            service_guard: guard.clone(),
            guard,
            rate_limiter: RateLimiter::new(limits.per_host, limits.at_once, limits.gap),
            robots: RobotsCache::default(),
            limits,
            cache,
            clock,
            #[cfg(feature = "browser")]
            browser: None,
        })
    }

    /// The same fetcher, whose requests wait for these quotas besides its own limits of hosts.
    #[must_use]
    pub fn with_quotas(mut self, quotas: &SharedQuotas) -> Self {
        self.rate_limiter.quotas = quotas.clone();
        self
    }

    /// The same fetcher with search services at these addresses, which may be asked even if they
    /// are private: the user configured them. Their hits are pages like all others.
    #[must_use]
    pub fn with_services<'a>(mut self, addresses: impl IntoIterator<Item = &'a Url>) -> Self {
        let addresses = addresses.into_iter();
        self.service_guard = addresses.fold(self.service_guard, SsrfGuard::with_server);
        self
    }

    /// The fetcher of an owner: what others have fetched shows neither in its cache nor in an open
    /// connection. The limits of hosts and of all requests hold for all owners together.
    pub(super) fn of_owner(&self, owner: &str) -> Self {
        let cache = self.cache.clone();
        Self {
            connections: self.connections.none_yet(),
            limits: self.limits.clone(),
            guard: self.guard.clone(),
            service_guard: self.service_guard.clone(),
            rate_limiter: self.rate_limiter.clone(),
            robots: RobotsCache::default(),
            cache: cache.map(|cache| cache.of_owner(owner)),
            clock: self.clock,
            #[cfg(feature = "browser")]
            browser: self.browser.clone(),
        }
    }

    /// The resolver for what is asked of the server of an address.
    #[cfg(feature = "browser")]
    pub(super) fn resolver(&self, url: &Url) -> GuardedResolver {
        self.connections.resolver(self.guard.at(url))
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The HTTP cache.
    pub fn cache(&self) -> Option<&Cache> {
        self.cache.as_ref()
    }

    /// Fetches an address, following redirects.
    ///
    /// # Errors
    /// A [`WebError`] that names the address, the cause and the remedy.
    pub async fn fetch(&self, address: &str) -> Result<FetchResponse, WebError> {
        self.fetch_within(address, &[], self.guard.clone()).await
    }

    /// The guard of the address of a hit: that of a service of the public internet, like a
    /// redirect, may only lead to the public internet.
    pub(super) fn guard_of_hit(&self, is_public: bool) -> SsrfGuard {
        if is_public {
            SsrfGuard::default()
        } else {
            self.guard.clone()
        }
    }

    /// `true` if the address of a service, as it is configured, leads to the public internet.
    pub(super) async fn is_public(&self, service: &Url) -> bool {
        let port = service.port_or_known_default().unwrap_or_default();
        let host = service.host_str().unwrap_or_default();
        let host = host.trim_matches(['[', ']']);
        let is_public = |address: SocketAddr| SsrfGuard::default().allows("", address.ip());
        // A name that leads nowhere has no hits either.
        let addresses = tokio::net::lookup_host((host, port)).await;
        addresses.is_ok_and(|mut addresses| addresses.all(is_public))
    }

    /// Fetches an address, following redirects, as far as these patterns of hosts admit them: see
    /// [`matches_domain`]; the first address as far as the guard does.
    ///
    /// # Errors
    /// As of [`Fetcher::fetch`].
    pub(super) async fn fetch_within(
        &self,
        address: &str,
        domains: &[String],
        guard: SsrfGuard,
    ) -> Result<FetchResponse, WebError> {
        let url = parsed(address)?;
        let span = tracing::debug_span!("fetch", url = %redacted(&url));
        let follow = async {
            let (mut url, mut guard) = (url, guard);
            // Every redirect is checked like the first address: this is where SSRF by redirect
            // ends.
            for _ in 0..=self.limits.max_redirects {
                if !matches_domain(domains, url.as_str()) {
                    let url = url.to_string();
                    return Err(WebError::Domain { url });
                }
                self.allow(&url, &guard).await?;
                let step = self.request_step(&url, &guard, self.limits.max_bytes);
                match step.await? {
                    Step::Response(response) => return Ok(response),
                    Step::Redirect(next, after) => (url, guard) = (next, after),
                }
            }
            Err(self.too_many_redirects(address))
        };
        follow.instrument(span).await
    }

    /// Checks an address of the site of a page that was rendered.
    #[cfg(feature = "browser")]
    pub(super) async fn allow_rendered(&self, url: &Url) -> Result<(), WebError> {
        self.allow(url, &self.guard).await
    }

    /// Checks an address by the SSRF guard and by the robots.txt of its site.
    async fn allow(&self, url: &Url, guard: &SsrfGuard) -> Result<(), WebError> {
        guard.check(url)?;
        if self.limits.obey_robots && !self.robots_allow(url, guard).await? {
            tracing::debug!(url = %redacted(url), "robots.txt disallows the address");
            let url = url.to_string();
            return Err(WebError::Robots { url });
        }
        Ok(())
    }

    fn too_many_redirects(&self, address: &str) -> WebError {
        WebError::Redirects {
            url: address.trim().to_owned(),
            limit: self.limits.max_redirects,
        }
    }

    /// Probes an address: requests it past the cache, following redirects, and reads no body. It is
    /// no HEAD request, which many servers answer wrongly.
    ///
    /// # Errors
    /// As of [`Fetcher::fetch`].
    pub async fn probe(&self, address: &str) -> Result<(), WebError> {
        let url = parsed(address)?;
        let span = tracing::debug_span!("fetch", url = %redacted(&url), probe = true);
        let follow = async {
            let (mut url, mut guard) = (url, self.guard.clone());
            for _ in 0..=self.limits.max_redirects {
                self.allow(&url, &guard).await?;
                // One broken connection may be chance. A status is an answer and not retried.
                let is_broken = |error: &WebError| matches!(error, WebError::Connection { .. });
                let probe = || async { Ok(self.probe_step(&url, &guard).await?) };
                let step = with_backoff(&self.limits, 1, is_broken, probe).await?;
                match step {
                    Step::Response(()) => return Ok(()),
                    Step::Redirect(next, after) => (url, guard) = (next, after),
                }
            }
            Err(self.too_many_redirects(address))
        };
        follow.instrument(span).await
    }

    /// One request of a probe.
    async fn probe_step(&self, url: &Url, guard: &SsrfGuard) -> Result<Step<()>, WebError> {
        let client = self.connections.client(url, guard)?;
        let _permit = self.rate_limiter.acquire(&authority(url)).await;
        let send = tokio::time::timeout(self.limits.timeout, client.get(url.clone()).send());
        let response = send
            .await
            .map_err(|_| self.timed_out(url))?
            .map_err(|error| self.client_error(url, &error))?;
        if let Some(next) = redirect(url, &response) {
            return Ok(Step::Redirect(next?, guard_after(guard, &response)));
        }
        if response.status().is_success() {
            return Ok(Step::Response(()));
        }
        Err(WebError::Status {
            url: url.to_string(),
            status: response.status().as_u16(),
        })
    }

    /// The reply of a service to a request, from the cache or the network. robots.txt, which is for
    /// programs that read pages, does not apply to services made for programs.
    ///
    /// # Errors
    /// A [`WebError`], as of [`Fetcher::fetch`]; its address is without the query.
    pub async fn ask(&self, request: &ServiceRequest) -> Result<ServiceResponse, WebError> {
        let url = self.checked_redacted(request)?;
        // Whatever headers for caches a service sends: the limits alone say how long a reply is
        // good for the same query, and what is paid for is not paid twice.
        let (max_age, now) = (self.limits.reply_age, self.clock.now().into());
        let cached = self
            .cache
            .as_ref()
            .and_then(|cache| cache.reply(request, max_age, now, self.limits.max_bytes));
        if let Some(body) = cached {
            tracing::debug!(%url, "cache hit");
            return Ok(ServiceResponse {
                body,
                from_cache: true,
            });
        }
        let body = self.send(request, &url).await?;
        if let Some(cache) = &self.cache {
            cache.store_reply(request, max_age, &body, now);
        }
        Ok(ServiceResponse {
            body,
            from_cache: false,
        })
    }

    /// The reply to a request that neither uses nor fills the cache.
    ///
    /// # Errors
    /// As of [`Fetcher::ask`].
    pub(super) async fn ask_uncached(&self, request: &ServiceRequest) -> Result<Vec<u8>, WebError> {
        self.send(request, &self.checked_redacted(request)?).await
    }

    /// The address of a request as errors may repeat it, checked by the SSRF guard.
    fn checked_redacted(&self, request: &ServiceRequest) -> Result<Url, WebError> {
        let url = redacted(&request.url);
        self.service_guard.check(&url)?;
        Ok(url)
    }

    /// The reply of a service as the response at the address of a page.
    pub(super) fn as_page(
        &self,
        address: &str,
        reply: ServiceResponse,
    ) -> Result<FetchResponse, WebError> {
        Ok(FetchResponse {
            url: parsed(address)?,
            media_type: Some("application/json".to_owned()),
            from_cache: reply.from_cache,
            confirmed_at: self.clock.now(),
            body: reply.body.into(),
        })
    }

    /// Removes the cached reply to a request, because it is no reply of its service.
    pub fn forget(&self, request: &ServiceRequest) {
        if let Some(cache) = &self.cache {
            cache.remove_reply(request);
        }
    }

    /// The reply to a request that is sent, with retries.
    async fn send(&self, request: &ServiceRequest, url: &Url) -> Result<Vec<u8>, WebError> {
        let span = tracing::debug_span!("fetch", %url);
        let send = || self.send_once(request, url);
        with_backoff(
            &self.limits,
            self.limits.retries,
            WebError::is_retryable,
            send,
        )
        .instrument(span)
        .await
    }

    async fn send_once(&self, request: &ServiceRequest, url: &Url) -> Result<Vec<u8>, Failure> {
        let client = self.connections.client(&request.url, &self.service_guard);
        let client = client.map_err(|error| error.with_url(url))?;
        let mut builder = match &request.body {
            None => client.get(request.sent_to()),
            Some(body) => client
                .post(request.sent_to())
                .header(CONTENT_TYPE, body.media_type())
                .body(body.text()),
        };
        for (name, value) in &request.headers {
            builder = builder.header(*name, value);
        }
        let host = authority(url);
        let _permit = self.rate_limiter.acquire_after(&host, request.gap).await;
        let reply = async {
            let response = builder
                .send()
                .await
                .map_err(|error| self.client_error(url, &error))?;
            if !response.status().is_success() {
                return Err(self.refusal(url, service_status(&response), &response));
            }
            let body = self.body(url, response, self.limits.max_bytes).await?;
            Ok(contents(url, &body)?)
        };
        tokio::time::timeout(self.limits.timeout, reply)
            .await
            .unwrap_or_else(|_| Err(self.timed_out(url).into()))
    }

    /// `true` if the robots.txt of a site lets us read an address. It is fetched once in this
    /// fetcher's life.
    async fn robots_allow(&self, url: &Url, guard: &SsrfGuard) -> Result<bool, WebError> {
        let site = self.robots.site(url);
        let rules = site.get_or_try_init(async || {
            let response = self.fetch_robots(robots::address(url), guard).await?;
            Ok(robots::rules(&response, self.limits.product()))
        });
        let mut path = url.path().to_owned();
        if let Some(query) = url.query() {
            path = format!("{path}?{query}");
        }
        let rules = rules.await.map_err(|error: WebError| error.with_url(url))?;
        Ok(rules.is_allowed(&path))
    }

    async fn fetch_robots(
        &self,
        mut url: Url,
        guard: &SsrfGuard,
    ) -> Result<RobotsResponse, WebError> {
        let mut guard = guard.clone();
        for _ in 0..ROBOTS_REDIRECTS {
            guard.check(&url)?;
            // RFC 9309, section 2.3.1: with 4xx there are no rules, with 5xx nothing is allowed.
            // 429 says that the site is busy, and so belongs to the latter.
            match self.request_step(&url, &guard, robots::MAX_BYTES).await {
                Ok(Step::Response(response)) => {
                    return Ok(RobotsResponse::Text(contents(&url, &response.body)?));
                }
                Ok(Step::Redirect(next, after)) => (url, guard) = (next, after),
                Err(WebError::Status { status, .. })
                    if (400..500).contains(&status) && status != 429 =>
                {
                    return Ok(RobotsResponse::None);
                }
                Err(WebError::Status { .. } | WebError::TooLarge { .. }) => {
                    return Ok(RobotsResponse::Unknown);
                }
                // Of a site that cannot be reached at all, the error is more use than a refusal.
                Err(error) => return Err(error),
            }
        }
        Ok(RobotsResponse::None)
    }

    /// One address without its redirects, with retries.
    async fn request_step(
        &self,
        url: &Url,
        guard: &SsrfGuard,
        max_bytes: u64,
    ) -> Result<Step, WebError> {
        let now: SystemTime = self.clock.now().into();
        // A public page must not lead to what was cached of a private one, either.
        let cache = self.cache.as_ref().filter(|_| *guard == self.guard);
        let cached = cache.and_then(|cache| cache.page(url, now, max_bytes));
        let attempt = Attempt {
            url,
            guard,
            max_bytes,
            cached: cached.as_ref(),
            now,
        };
        with_backoff(
            &self.limits,
            self.limits.retries,
            WebError::is_retryable,
            || self.request(&attempt),
        )
        .await
    }

    /// One request, answered from the cache where that is fresh.
    async fn request(&self, attempt: &Attempt<'_>) -> Result<Step, Failure> {
        let url = attempt.url;
        let client = self.connections.client(url, attempt.guard)?;
        let mut request = client
            .get(url.clone())
            .build()
            .map_err(|error| self.client_error(url, &error))?;
        match attempt.cached {
            None => tracing::debug!("cache miss"),
            Some(cached) => match cached.policy.before_request(&request, attempt.now) {
                BeforeRequest::Fresh(_) => {
                    tracing::debug!("cache hit");
                    return Ok(Step::Response(reused(url, cached)));
                }
                // Stale, but of the same request: asked for under the condition that it changed.
                BeforeRequest::Stale {
                    request: conditional,
                    matches: true,
                } => *request.headers_mut() = conditional.headers,
                BeforeRequest::Stale { .. } => {}
            },
        }
        // The timeout begins when the request may be sent: waiting for one's turn does not count.
        let permit = self.rate_limiter.acquire(&authority(url)).await;
        let response =
            tokio::time::timeout(self.limits.timeout, self.execute(attempt, &client, request))
                .await;
        drop(permit);
        response.unwrap_or_else(|_| Err(self.timed_out(url).into()))
    }

    async fn execute(
        &self,
        attempt: &Attempt<'_>,
        client: &Client,
        request: Request,
    ) -> Result<Step, Failure> {
        let (url, now) = (attempt.url, attempt.now);
        // The policy of the cache is made of the request as it was sent and its response.
        let sent = request.try_clone();
        let mut response = client
            .execute(request)
            .await
            .map_err(|error| self.client_error(url, &error))?;
        // No cookie is sent back, and none is stored with the policy.
        response.headers_mut().remove(SET_COOKIE);
        let status = response.status();
        if status.as_u16() == 304
            && let (Some(cached), Some(sent)) = (attempt.cached, &sent)
        {
            return Ok(Step::Response(
                self.revalidated(attempt, cached, sent, &response),
            ));
        }
        if let Some(next) = redirect(url, &response) {
            return Ok(Step::Redirect(next?, guard_after(attempt.guard, &response)));
        }
        if !status.is_success() {
            return Err(self.refusal(url, status.as_u16(), &response));
        }
        let media_type = response.headers().get(CONTENT_TYPE);
        let media_type =
            media_type.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        // The cache of one user: what a server calls private may be stored.
        let options = CacheOptions {
            shared: false,
            ..CacheOptions::default()
        };
        let policy = sent.map(|sent| CachePolicy::new_options(&sent, &response, now, options));
        let body = self.body(url, response, attempt.max_bytes).await?;
        if let Some(policy) = policy.filter(CachePolicy::is_storable) {
            self.store(attempt, policy, media_type.clone(), body.clone());
        }
        Ok(Step::Response(FetchResponse {
            url: url.clone(),
            media_type,
            body,
            from_cache: false,
            confirmed_at: now.into(),
        }))
    }

    /// A cached response that its server has confirmed by 304 Not Modified.
    fn revalidated(
        &self,
        attempt: &Attempt<'_>,
        cached: &CachedResponse,
        sent: &Request,
        response: &Response,
    ) -> FetchResponse {
        tracing::debug!("cache entry revalidated");
        if let AfterResponse::NotModified(policy, _) =
            cached.policy.after_response(sent, response, attempt.now)
        {
            let (media_type, body) = (cached.media_type.clone(), cached.body.clone());
            self.store(attempt, policy, media_type, body);
        }
        FetchResponse {
            confirmed_at: attempt.now.into(),
            ..reused(attempt.url, cached)
        }
    }

    /// Reads a body, decompressed, until it is larger than the limit.
    async fn body(
        &self,
        url: &Url,
        mut response: Response,
        limit: u64,
    ) -> Result<ResponseBody, WebError> {
        let too_large = || WebError::TooLarge {
            url: url.to_string(),
            limit,
        };
        if response
            .content_length()
            .is_some_and(|length| length > limit)
        {
            return Err(too_large());
        }
        // The announced length may be missing or wrong, and says nothing of what is compressed, so
        // every chunk is counted.
        let body = ResponseBody::default();
        loop {
            let chunk = response
                .chunk()
                .await
                .map_err(|error| self.client_error(url, &error))?;
            let Some(chunk) = chunk else {
                return Ok(body);
            };
            if body.length() + chunk.len() as u64 > limit {
                return Err(too_large());
            }
            body.push(&chunk).map_err(|error| lost(url, &error))?;
        }
    }

    fn store(
        &self,
        attempt: &Attempt<'_>,
        policy: CachePolicy,
        media_type: Option<String>,
        body: ResponseBody,
    ) {
        if let Some(cache) = &self.cache {
            let response = CachedResponse {
                policy,
                media_type,
                body,
                confirmed_at: attempt.now,
            };
            cache.store_page(attempt.url, &response, attempt.now);
        }
    }

    /// The failure of a response with an error status, with the wait that its server asks for.
    fn refusal(&self, url: &Url, status: u16, response: &Response) -> Failure {
        let url = url.to_string();
        Failure {
            error: WebError::Status { url, status },
            retry_after: retry_after(response.headers(), self.clock.now()),
        }
    }

    fn timed_out(&self, url: &Url) -> WebError {
        WebError::TimedOut {
            url: url.to_string(),
            seconds: self.limits.timeout,
        }
    }

    /// An error of the HTTP client as an error for people.
    fn client_error(&self, url: &Url, error: &reqwest::Error) -> WebError {
        let url = url.to_string();
        if error.is_timeout() {
            let seconds = self.limits.connect_timeout;
            return WebError::TimedOut { url, seconds };
        }
        // A refusal of the SSRF guard comes wrapped in errors of the resolver and the connector.
        let mut cause = error.source();
        while let Some(inner) = cause {
            if let Some(refused) = inner.downcast_ref::<Refused>() {
                let target = refused.target.clone();
                return WebError::Private { url, target };
            }
            cause = inner.source();
        }
        let problem = innermost(error);
        WebError::Connection { url, problem }
    }
}

/// Host and port, the unit of the rate limiter.
pub(super) fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let port = url.port_or_known_default().unwrap_or_default();
    format!("{host}:{port}")
}

/// The guard of what a response redirects to.
fn guard_after(guard: &SsrfGuard, response: &Response) -> SsrfGuard {
    let responded = response.remote_addr().map(|server| server.ip());
    guard.clone().after(responded)
}

/// The target of a redirect, if the response is one.
fn redirect(url: &Url, response: &Response) -> Option<Result<Url, WebError>> {
    let location = response.headers().get(LOCATION)?;
    if !response.status().is_redirection() {
        return None;
    }
    let location = String::from_utf8_lossy(location.as_bytes()).into_owned();
    let next = url
        .join(&location)
        .map(without_fragment)
        .map_err(|error| address_error(&location, error));
    if let Ok(next) = &next {
        tracing::debug!(to = %redacted(next), "redirect");
    }
    Some(next)
}

fn reused(url: &Url, cached: &CachedResponse) -> FetchResponse {
    FetchResponse {
        url: url.clone(),
        media_type: cached.media_type.clone(),
        body: cached.body.clone(),
        from_cache: true,
        confirmed_at: cached.confirmed_at.into(),
    }
}

/// The bytes of a body.
pub(super) fn contents(url: &Url, body: &ResponseBody) -> Result<Vec<u8>, WebError> {
    body.bytes().map_err(|error| lost(url, &error))
}

/// The error of a body whose temporary file cannot be written or read.
fn lost(url: &Url, error: &io::Error) -> WebError {
    WebError::Unreadable {
        url: url.to_string(),
        problem: format!("its temporary file is lost: {error}; check the disk"),
    }
}

fn parsed(address: &str) -> Result<Url, WebError> {
    let address = address.trim();
    Url::parse(address)
        .map(without_fragment)
        .map_err(|error| address_error(address, error))
}

fn address_error(address: &str, error: url::ParseError) -> WebError {
    WebError::Address {
        url: truncate(address, ADDRESS_CHARACTERS).to_owned(),
        problem: error.to_string(),
    }
}

/// An address without its fragment, which is not sent, and without user name and password, which
/// are not to be sent or repeated.
fn without_fragment(mut url: Url) -> Url {
    url.set_fragment(None);
    strip_credentials(&mut url);
    url
}

/// The status of a service; GitHub and others send 403 where they mean 429, and say so in a header.
fn service_status(response: &Response) -> u16 {
    let headers = response.headers();
    let is_rate_limited = headers
        .get("x-ratelimit-remaining")
        .is_some_and(|left| left == "0");
    match response.status().as_u16() {
        403 if is_rate_limited || headers.contains_key(RETRY_AFTER) => 429,
        status => status,
    }
}
