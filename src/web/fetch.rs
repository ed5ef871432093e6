//! One address into the bytes that are there: checked, paced, limited, kept.

use std::error::Error as _;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::Result;
use chrono::{DateTime, Utc};
use http_cache_semantics::{AfterResponse, BeforeRequest, CacheOptions, CachePolicy};
use reqwest::header::{CONTENT_TYPE, LOCATION, RETRY_AFTER};
use reqwest::{Client, Request, Response};
use url::Url;

use super::cache::{Cache, Kept};
use super::connections::Connections;
use super::error::innermost;
use super::pace::Pace;
use super::resolver::{Guarded, Lookup, Refused};
use super::robots::{self, Answer, Rules};
use super::{Asked, Guard, Limits, WebError};
use crate::pipeline::Clock;

/// What was found at an address.
#[derive(Debug, Clone, PartialEq)]
pub struct Fetched {
    /// Where it was found, after all redirects.
    pub url: Url,
    /// What the server calls it: `text/html; charset=utf-8`.
    pub media_type: Option<String>,
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// Whether it was kept from an earlier time.
    pub from_cache: bool,
    /// When its server last gave it.
    pub given_at: DateTime<Utc>,
}

/// The reply of a service.
#[derive(Debug, Clone, PartialEq)]
pub struct Replied {
    /// As it came, decompressed.
    pub body: Vec<u8>,
    /// Whether it was kept from an earlier time, and so cost nothing.
    pub from_cache: bool,
}

/// Fetches what is at addresses, with manners and within limits. Cheap to share behind an [`Arc`].
pub struct Fetcher {
    connections: Connections,
    limits: Limits,
    pub(super) resolver: Arc<Guarded>,
    pub(super) pace: Pace,
    rules: Rules,
    cache: Option<Cache>,
    pub(super) clock: Clock,
    #[cfg(feature = "browser")]
    pub(super) browser: Option<super::Browser>,
}

/// One step of a fetch.
enum Step<T = Fetched> {
    Done(T),
    Moved(Url),
}

impl Fetcher {
    /// A fetcher with these limits, whose names are resolved by `lookup`, and which keeps what it
    /// may in `cache`.
    ///
    /// # Errors
    /// When the limits name something that is no host.
    pub fn new(
        limits: Limits,
        lookup: Arc<dyn Lookup>,
        cache: Option<Cache>,
        clock: Clock,
    ) -> Result<Self> {
        let guard = Arc::new(Guard::new(&limits.allow)?);
        let resolver = Arc::new(Guarded { guard, lookup });
        Ok(Self {
            connections: Connections::new(limits.clone(), resolver.clone())?,
            resolver,
            pace: Pace::new(limits.per_host, limits.at_once, limits.gap),
            rules: Rules::default(),
            limits,
            cache,
            clock,
            #[cfg(feature = "browser")]
            browser: None,
        })
    }

    /// The limits it keeps to.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Where it keeps answers.
    pub fn cache(&self) -> Option<&Cache> {
        self.cache.as_ref()
    }

    /// What is at an address, after redirects.
    ///
    /// # Errors
    /// A [`WebError`] that says what went wrong with which address, and what to do.
    pub async fn fetch(&self, address: &str) -> Result<Fetched, WebError> {
        let mut url = parsed(address)?;
        for _ in 0..=self.limits.max_redirects {
            self.allow(&url).await?;
            match self.step(&url, self.limits.max_bytes).await? {
                Step::Done(fetched) => return Ok(fetched),
                Step::Moved(next) => url = next,
            }
        }
        Err(self.led_on(address))
    }

    /// Refuses an address that the guard or its site refuses.
    pub(super) async fn allow(&self, url: &Url) -> Result<(), WebError> {
        self.resolver.guard.check(url)?;
        if self.limits.obey_robots && !self.may_read(url).await? {
            let url = url.to_string();
            return Err(WebError::Robots { url });
        }
        Ok(())
    }

    fn led_on(&self, address: &str) -> WebError {
        WebError::Redirects {
            url: address.trim().to_owned(),
            limit: self.limits.max_redirects,
        }
    }

    /// Whether something is at an address now, whatever is kept of it: asked for, after redirects,
    /// but not read.
    ///
    /// # Errors
    /// As of [`Fetcher::fetch`].
    pub async fn look(&self, address: &str) -> Result<(), WebError> {
        let mut url = parsed(address)?;
        for _ in 0..=self.limits.max_redirects {
            self.allow(&url).await?;
            let mut seen = self.glance(&url).await;
            if matches!(seen, Err(WebError::Connection { .. })) {
                // Once may be chance.
                tokio::time::sleep(self.limits.retry_wait).await;
                seen = self.glance(&url).await;
            }
            match seen? {
                Step::Done(()) => return Ok(()),
                Step::Moved(next) => url = next,
            }
        }
        Err(self.led_on(address))
    }

    /// The head of the answer at an address.
    async fn glance(&self, url: &Url) -> Result<Step<()>, WebError> {
        let client = self.connections.to(url)?;
        let _permit = self.pace.turn(&authority(url)).await;
        let asked = tokio::time::timeout(self.limits.timeout, client.get(url.clone()).send());
        let answered = asked.await.map_err(|_| WebError::TimedOut {
            url: url.to_string(),
            seconds: self.limits.timeout,
        })?;
        let response = answered.map_err(|error| self.told(url, &error))?;
        if let Some(next) = moved(url, &response) {
            return next.map(Step::Moved);
        }
        match response.status() {
            status if status.is_success() => Ok(Step::Done(())),
            status => Err(WebError::Status {
                url: url.to_string(),
                status: status.as_u16(),
            }),
        }
    }

    /// The reply of a service to a request, sent or kept. The rules for programs that read pages do
    /// not hold for services made for programs.
    ///
    /// # Errors
    /// A [`WebError`], as of [`Fetcher::fetch`]; its address is without the query.
    pub async fn ask(&self, asked: &Asked) -> Result<Replied, WebError> {
        let named = self.named(asked)?;
        let (age, now) = (self.limits.reply_age, self.clock.now().into());
        let most = self.limits.max_bytes;
        let kept = |cache: &Cache| cache.find_reply(asked, age, now, most);
        if let Some(body) = self.cache.as_ref().and_then(kept) {
            return Ok(Replied {
                body,
                from_cache: true,
            });
        }
        let reply = self.ask_now(asked, &named).await?;
        if let Some(cache) = &self.cache {
            cache.keep_reply(asked, age, &reply, now);
        }
        Ok(Replied {
            body: reply,
            from_cache: false,
        })
    }

    /// The reply to a request that is sent whatever is kept, and kept nowhere.
    ///
    /// # Errors
    /// As of [`Fetcher::ask`].
    pub(super) async fn ask_anew(&self, asked: &Asked) -> Result<Vec<u8>, WebError> {
        self.ask_now(asked, &self.named(asked)?).await
    }

    /// The address of a request as it may be told, if it may be asked.
    fn named(&self, asked: &Asked) -> Result<Url, WebError> {
        let mut named = bare(asked.url.clone());
        named.set_query(None);
        self.resolver.guard.check(&named)?;
        Ok(named)
    }

    /// The reply of a service as what is at the address of a page.
    pub(super) fn as_page(&self, address: &str, reply: Replied) -> Result<Fetched, WebError> {
        Ok(Fetched {
            url: parsed(address)?,
            media_type: Some("application/json".to_owned()),
            from_cache: reply.from_cache,
            given_at: self.clock.now(),
            body: reply.body,
        })
    }

    /// Drops the kept reply to a request, because it is no reply of its service.
    pub fn forget(&self, asked: &Asked) {
        if let Some(cache) = &self.cache {
            cache.forget_reply(asked);
        }
    }

    /// The reply to a request that is sent, again where the failure may pass.
    async fn ask_now(&self, asked: &Asked, named: &Url) -> Result<Vec<u8>, WebError> {
        let mut wait = self.limits.retry_wait;
        let mut left = self.limits.retries;
        loop {
            let (error, told) = match self.ask_once(asked, named).await {
                Ok(reply) => return Ok(reply),
                Err(failure) => failure,
            };
            if left == 0 || !error.is_passing() {
                return Err(error);
            }
            left -= 1;
            tokio::time::sleep(told.unwrap_or(wait).min(self.limits.max_wait)).await;
            wait *= 2;
        }
    }

    async fn ask_once(
        &self,
        asked: &Asked,
        named: &Url,
    ) -> Result<Vec<u8>, (WebError, Option<Duration>)> {
        let client = self.connections.to(&asked.url);
        let client = client.map_err(|error| (error.at(named), None))?;
        let mut request = match &asked.body {
            None => client.get(asked.sent_to()),
            Some(body) => client
                .post(asked.sent_to())
                .header(CONTENT_TYPE, body.media_type())
                .body(body.text()),
        };
        for (name, value) in &asked.headers {
            request = request.header(*name, value);
        }
        let _permit = self.pace.turn_after(&authority(named), asked.gap).await;
        let reply = async {
            let response = request
                .send()
                .await
                .map_err(|error| (self.told(named, &error), None))?;
            if !response.status().is_success() {
                let (url, status) = (named.to_string(), service_status(&response));
                return Err((WebError::Status { url, status }, asked_wait(&response)));
            }
            let body = self.body(named, response, self.limits.max_bytes).await;
            body.map_err(|error| (error, None))
        };
        let reply = tokio::time::timeout(self.limits.timeout, reply).await;
        reply.unwrap_or_else(|_| {
            let (url, seconds) = (named.to_string(), self.limits.timeout);
            Err((WebError::TimedOut { url, seconds }, None))
        })
    }

    /// Whether the rules of a site let us read an address. They are asked for once in this
    /// fetcher's life.
    async fn may_read(&self, url: &Url) -> Result<bool, WebError> {
        let site = self.rules.site(url);
        let found = site.get_or_try_init(async || {
            let answer = self.robots(robots::address(url)).await?;
            Ok(robots::rules(&answer, self.limits.product()))
        });
        let mut path = url.path().to_owned();
        if let Some(query) = url.query() {
            path = format!("{path}?{query}");
        }
        let found = found.await.map_err(|error: WebError| error.at(url));
        Ok(found?.is_allowed(&path))
    }

    async fn robots(&self, mut url: Url) -> Result<Answer, WebError> {
        // RFC 9309, section 2.3.1.2: at least five redirects are followed.
        for _ in 0..5 {
            self.resolver.guard.check(&url)?;
            match self.step(&url, robots::MAX_BYTES).await {
                Ok(Step::Done(fetched)) => return Ok(Answer::Text(fetched.body)),
                Ok(Step::Moved(next)) => url = next,
                Err(WebError::Status { status, .. })
                    if (400..500).contains(&status) && status != 429 =>
                {
                    return Ok(Answer::None);
                }
                Err(WebError::Status { .. }) => return Ok(Answer::Unknown),
                Err(WebError::TooLarge { .. }) => return Ok(Answer::Unknown),
                // Of a site that cannot be reached at all, the error is more use than a refusal.
                Err(error) => return Err(error),
            }
        }
        Ok(Answer::None)
    }

    /// One address without its redirects, repeated while the failure may pass.
    async fn step(&self, url: &Url, max_bytes: u64) -> Result<Step, WebError> {
        let now: SystemTime = self.clock.now().into();
        let kept = self
            .cache
            .as_ref()
            .and_then(|cache| cache.find(url, now, max_bytes));
        let mut wait = self.limits.retry_wait;
        for _ in 0..self.limits.retries {
            match self.request(url, max_bytes, kept.as_ref(), now).await {
                Err((error, asked)) if error.is_passing() => {
                    tokio::time::sleep(asked.unwrap_or(wait).min(self.limits.max_wait)).await;
                    wait *= 2;
                }
                done => return done.map_err(|(error, _)| error),
            }
        }
        let last = self.request(url, max_bytes, kept.as_ref(), now).await;
        last.map_err(|(error, _)| error)
    }

    /// One request; with an error, the wait that the server asks for.
    async fn request(
        &self,
        url: &Url,
        max_bytes: u64,
        kept: Option<&Kept>,
        now: SystemTime,
    ) -> Result<Step, (WebError, Option<Duration>)> {
        let failed = |error| (self.told(url, &error), None);
        let client = self.connections.to(url).map_err(|error| (error, None))?;
        let mut request = client.get(url.clone()).build().map_err(failed)?;
        if let Some(kept) = kept {
            match kept.policy.before_request(&request, now) {
                BeforeRequest::Fresh(_) => return Ok(Step::Done(reused(url, kept))),
                BeforeRequest::Stale {
                    request: asking,
                    matches: true,
                } => {
                    *request.headers_mut() = asking.headers;
                }
                BeforeRequest::Stale { .. } => {}
            }
        }
        let permit = self.pace.turn(&authority(url)).await;
        let answer = tokio::time::timeout(
            self.limits.timeout,
            self.answer(url, (client, request), max_bytes, kept, now),
        );
        let answer = answer.await.unwrap_or_else(|_| {
            let url = url.to_string();
            let seconds = self.limits.timeout;
            Err((WebError::TimedOut { url, seconds }, None))
        });
        drop(permit);
        answer
    }

    async fn answer(
        &self,
        url: &Url,
        (client, request): (&Client, Request),
        max_bytes: u64,
        kept: Option<&Kept>,
        now: SystemTime,
    ) -> Result<Step, (WebError, Option<Duration>)> {
        let sent = request.try_clone();
        let response = client.execute(request).await;
        let response = response.map_err(|error| (self.told(url, &error), None))?;
        let status = response.status();
        if status.as_u16() == 304
            && let (Some(kept), Some(sent)) = (kept, &sent)
        {
            if let AfterResponse::NotModified(policy, _) =
                kept.policy.after_response(sent, &response, now)
            {
                self.keep(url, policy, kept.media_type.clone(), &kept.body, now);
            }
            return Ok(Step::Done(Fetched {
                given_at: now.into(),
                ..reused(url, kept)
            }));
        }
        if let Some(next) = moved(url, &response) {
            return next.map(Step::Moved).map_err(|error| (error, None));
        }
        if !status.is_success() {
            let url = url.to_string();
            let status = status.as_u16();
            return Err((WebError::Status { url, status }, asked_wait(&response)));
        }
        let media_type = response.headers().get(CONTENT_TYPE);
        let media_type =
            media_type.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let options = CacheOptions {
            shared: false,
            ..CacheOptions::default()
        };
        let policy = sent.map(|sent| CachePolicy::new_options(&sent, &response, now, options));
        let body = self
            .body(url, response, max_bytes)
            .await
            .map_err(|error| (error, None))?;
        if let Some(policy) = policy.filter(CachePolicy::is_storable) {
            self.keep(url, policy, media_type.clone(), &body, now);
        }
        Ok(Step::Done(Fetched {
            url: url.clone(),
            media_type,
            body,
            from_cache: false,
            given_at: now.into(),
        }))
    }

    /// A body as it comes, decompressed, given up as soon as it is larger than the limit.
    async fn body(
        &self,
        url: &Url,
        mut response: Response,
        limit: u64,
    ) -> Result<Vec<u8>, WebError> {
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
        let mut body = Vec::new();
        loop {
            let chunk = response
                .chunk()
                .await
                .map_err(|error| self.told(url, &error))?;
            let Some(chunk) = chunk else {
                return Ok(body);
            };
            if (body.len() + chunk.len()) as u64 > limit {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
    }

    fn keep(
        &self,
        url: &Url,
        policy: CachePolicy,
        media_type: Option<String>,
        body: &[u8],
        now: SystemTime,
    ) {
        if let Some(cache) = &self.cache {
            let kept = Kept {
                policy,
                media_type,
                body: body.to_vec(),
                given_at: now,
            };
            cache.keep(url, &kept, now);
        }
    }

    /// An error of the HTTP client for people.
    fn told(&self, url: &Url, error: &reqwest::Error) -> WebError {
        let url = url.to_string();
        if error.is_timeout() {
            let seconds = self.limits.connect_timeout;
            return WebError::TimedOut { url, seconds };
        }
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

/// Host and port: what is paced as one.
fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let port = url.port_or_known_default().unwrap_or_default();
    format!("{host}:{port}")
}

/// Where an answer sends us, if it does.
fn moved(url: &Url, response: &Response) -> Option<Result<Url, WebError>> {
    let next = response.headers().get(LOCATION)?;
    if !response.status().is_redirection() {
        return None;
    }
    let next = String::from_utf8_lossy(next.as_bytes()).into_owned();
    let joined = url.join(&next).map(bare);
    Some(joined.map_err(|error| address_error(&next, error)))
}

fn reused(url: &Url, kept: &Kept) -> Fetched {
    Fetched {
        url: url.clone(),
        media_type: kept.media_type.clone(),
        body: kept.body.clone(),
        from_cache: true,
        given_at: kept.given_at.into(),
    }
}

fn parsed(address: &str) -> Result<Url, WebError> {
    let address = address.trim();
    let url = Url::parse(address).map_err(|error| address_error(address, error))?;
    Ok(bare(url))
}

/// The longest part of an address that is repeated in an error.
const ADDRESS_CHARACTERS: usize = 200;

fn address_error(address: &str, error: url::ParseError) -> WebError {
    WebError::Address {
        url: address.chars().take(ADDRESS_CHARACTERS).collect(),
        problem: error.to_string(),
    }
}

/// An address without its fragment and without a name and password, which are nobody's business
/// here.
fn bare(mut url: Url) -> Url {
    url.set_fragment(None);
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

/// A service's status; GitHub and others say 403 where 429 is meant, and say so in a header.
fn service_status(response: &Response) -> u16 {
    let headers = response.headers();
    let is_spent = headers
        .get("x-ratelimit-remaining")
        .is_some_and(|left| left == "0");
    match response.status().as_u16() {
        403 if is_spent || headers.contains_key(RETRY_AFTER) => 429,
        status => status,
    }
}

/// The wait in seconds that a server asks for; a date is not believed.
fn asked_wait(response: &Response) -> Option<Duration> {
    let value = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    value.trim().parse().ok().map(Duration::from_secs)
}
