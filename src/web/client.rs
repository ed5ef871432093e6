//! The web client of all sessions of a process: many queries to many services at once, and many
//! pages at once, on a runtime of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use futures::future::{Either, select};
use futures::stream::{FuturesUnordered, Stream, StreamExt as _};
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use url::Url;

use super::error::WebError;
use super::fetch::{FetchResponse, Fetcher};
use super::guard::SsrfGuard;
use super::hit::WebHit;
use super::page::Page;
use super::search::{ProviderTable, SearchProvider, TokenCache};
use super::visit::read_or_render;
use super::wayback;
use crate::read::Reader;

/// The number of pages that are fetched or read at once, over all hosts and sessions; each host has
/// its own rate limit.
const PAGES_AT_ONCE: usize = 32;

/// The number of threads that parse, or wait for the system to resolve a name: one name whose
/// server is silent blocks one for long.
const BLOCKING_THREADS: usize = 16;

/// The interval at which a page on its way looks for an interruption (chosen by hand: a person sees
/// no delay).
const INTERRUPTION_POLL: Duration = Duration::from_millis(100);

/// The web client; shared by all sessions of a process, and so are its limits. Each session may
/// have a handle of its own with its deadline.
#[derive(Clone)]
pub struct WebClient {
    fetcher: Arc<Fetcher>,
    tokens: Arc<TokenCache>,
    reader: Reader,
    permits: Arc<Semaphore>,
    runtime: Arc<Runtime>,
    /// The moment at which searches and pages that are under way are abandoned.
    deadline: Option<Instant>,
    /// The flag at which pages that are under way are abandoned.
    interrupted: Arc<AtomicBool>,
}

/// The result of one query to one service.
#[derive(Debug)]
pub struct ServiceSearch {
    /// The service.
    pub service: &'static SearchProvider,
    /// The query.
    pub query: String,
    /// The hits, best first.
    pub hits: Result<Vec<WebHit>, WebError>,
    /// The cost in US dollars, by the table of services: zero for a cache hit.
    pub cost_usd: f64,
}

impl WebClient {
    /// A client that searches by these services and reads by this reader.
    ///
    /// # Errors
    /// When no thread can be started that waits for the network.
    pub fn new(fetcher: Fetcher, providers: ProviderTable, reader: Reader) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(BLOCKING_THREADS)
            .thread_name("web")
            .enable_all()
            .build()
            .context("failed to start the thread that waits for the web")?;
        let fetcher = Arc::new(fetcher.with_services(&providers.addresses()));
        Ok(Self {
            tokens: Arc::new(TokenCache::new(fetcher.clone(), providers)),
            fetcher,
            reader,
            permits: Arc::new(Semaphore::new(PAGES_AT_ONCE)),
            runtime: Arc::new(runtime),
            deadline: None,
            interrupted: Arc::default(),
        })
    }

    /// The client of an owner, whose pages and replies of services nobody else is shown: neither
    /// comes from what others have fetched, nor faster.
    #[must_use]
    pub fn of_owner(&self, owner: &str) -> Self {
        Self {
            fetcher: Arc::new(self.fetcher.of_owner(owner)),
            ..self.clone()
        }
    }

    /// The same client, in which searches and pages that are under way at the deadline are
    /// abandoned, and later ones are not begun.
    #[must_use]
    pub fn until(&self, deadline: Option<Instant>) -> Self {
        Self {
            deadline,
            ..self.clone()
        }
    }

    /// The same client, in which pages that are under way are abandoned once this flag is set.
    /// Searches are not: they may be paid for.
    #[must_use]
    pub fn stopped_by(&self, interrupted: &Arc<AtomicBool>) -> Self {
        Self {
            interrupted: Arc::clone(interrupted),
            ..self.clone()
        }
    }

    /// Runs a task on the runtime, up to the deadline; `address` names it in the error.
    fn spawn<T: Send + 'static>(
        &self,
        address: &str,
        task: impl Future<Output = Result<T, WebError>> + Send + 'static,
    ) -> Task<T> {
        let (deadline, url) = (self.deadline, address.to_owned());
        self.runtime.spawn(async move {
            let Some(deadline) = deadline else {
                return task.await;
            };
            // A future is polled before its timeout is looked at: at the deadline none begins.
            if Instant::now() >= deadline {
                return Err(WebError::OutOfTime { url });
            }
            let ended = tokio::time::timeout_at(deadline.into(), task).await;
            ended.unwrap_or(Err(WebError::OutOfTime { url }))
        })
    }

    /// The services that there are.
    pub fn providers(&self) -> &ProviderTable {
        self.tokens.providers()
    }

    /// Sends every query, up to each service's limit, to every service, all at once. The results
    /// are in the order of the services, then of the queries.
    pub async fn search(
        &self,
        services: &[&'static SearchProvider],
        queries: &[String],
        limit: usize,
    ) -> Vec<ServiceSearch> {
        // All tasks run at once; the rate limiter and each service's gap put them in order.
        let mut tasks = Vec::new();
        for &service in services {
            for query in queries.iter().take(self.providers().max_queries(service)) {
                let (fetcher, tokens) = (self.fetcher.clone(), self.tokens.clone());
                let words = query.clone();
                let task = self.spawn(service.name, async move {
                    let config = tokens.config(service).await?;
                    let mut response = service.search(&fetcher, &config, &words, limit).await?;
                    let configured = config.base_url.as_deref().map(Url::parse);
                    let is_public = match configured {
                        Some(Ok(address)) => fetcher.is_public(&address).await,
                        _ => true,
                    };
                    for hit in &mut response.hits {
                        hit.is_public = is_public;
                    }
                    Ok(response)
                });
                tasks.push((service, query.clone(), task));
            }
        }
        let mut searches = Vec::new();
        for (service, query, task) in tasks {
            let response = joined(task, service.name).await;
            let is_paid = response.as_ref().is_ok_and(|response| !response.from_cache);
            let price = self.providers().usd_per_query(service);
            searches.push(ServiceSearch {
                service,
                query,
                cost_usd: if is_paid { price } else { 0.0 },
                hits: response.map(|response| response.hits),
            });
        }
        searches
    }

    /// Probes addresses, all at once: `Ok` for each that answers with a page now, in their order.
    pub async fn probe(&self, addresses: &[String]) -> Vec<Result<(), WebError>> {
        let tasks = addresses.iter().map(|address| {
            let (address, fetcher) = (address.clone(), self.fetcher.clone());
            self.runtime
                .spawn(async move { fetcher.probe(&address).await })
        });
        joined_all(addresses, tasks.collect()).await
    }

    /// The address of an archived copy of a page, if one is known.
    pub async fn archived(&self, address: &str) -> Option<String> {
        let (address, fetcher) = (address.to_owned(), self.fetcher.clone());
        let copy = async move { wayback::newest_copy(&fetcher, &address).await };
        self.runtime.spawn(copy).await.ok().flatten()
    }

    /// Fetches and reads pages, many at once; in their order. Neither they nor what they redirect
    /// to are read where the patterns of hosts do not admit them.
    pub async fn read(
        &self,
        addresses: &[String],
        domains: &[String],
    ) -> Vec<Result<Page, WebError>> {
        let addresses = addresses.iter().map(|address| (address.clone(), false));
        let pages = self.read_unordered(addresses.collect(), domains);
        let mut pages: Vec<_> = pages.collect().await;
        pages.sort_by_key(|(index, _)| *index);
        pages.into_iter().map(|(_, page)| page).collect()
    }

    /// The pages of hits, as [`WebClient::read`] reads them, with the numbers of the hits, each as
    /// soon as it is read: who stores them at once holds no more than one in memory.
    pub fn read_hits(
        &self,
        hits: &[WebHit],
        domains: &[String],
    ) -> impl Stream<Item = (usize, Result<Page, WebError>)> + use<> {
        let addresses = hits.iter().map(|hit| (hit.url.clone(), hit.is_public));
        self.read_unordered(addresses.collect(), domains)
    }

    /// The pages at addresses; `true` beside one that must not lead into private networks.
    fn read_unordered(
        &self,
        addresses: Vec<(String, bool)>,
        domains: &[String],
    ) -> impl Stream<Item = (usize, Result<Page, WebError>)> + use<> {
        let addresses = addresses.into_iter().enumerate();
        let tasks = addresses.map(|(index, (address, is_public))| {
            let task = self.read_page(&address, domains, is_public);
            async move { (index, joined(task, &address).await) }
        });
        tasks.collect::<FuturesUnordered<_>>()
    }

    fn read_page(&self, address: &str, domains: &[String], is_public: bool) -> Task<Page> {
        let (address, fetcher) = (address.to_owned(), self.fetcher.clone());
        let (reader, permits) = (self.reader.clone(), self.permits.clone());
        let (tokens, domains) = (self.tokens.clone(), domains.to_vec());
        let (interrupted, url) = (self.interrupted.clone(), address.clone());
        self.spawn(&address.clone(), async move {
            let read = async move {
                // The semaphore is never closed.
                let _permit = permits.acquire().await.ok();
                let guard = fetcher.guard_of_hit(is_public);
                let response = fetch(&fetcher, &tokens, &address, (&domains, guard)).await?;
                read_or_render(&fetcher, &reader, response).await
            };
            match select(Box::pin(read), Box::pin(is_set(interrupted))).await {
                Either::Left((page, _)) => page,
                Either::Right(_) => Err(WebError::Interrupted { url }),
            }
        })
    }
}

type Task<T> = JoinHandle<Result<T, WebError>>;

/// Waits until a flag is set.
async fn is_set(flag: Arc<AtomicBool>) {
    while !flag.load(Ordering::SeqCst) {
        tokio::time::sleep(INTERRUPTION_POLL).await;
    }
}

/// The result of a task; a panic in it is an error of its address.
async fn joined<T>(task: Task<T>, address: &str) -> Result<T, WebError> {
    task.await
        .unwrap_or_else(|error| Err(WebError::of_panic(address, &error)))
}

/// The results of tasks that run already, in the order of their addresses.
async fn joined_all<T>(addresses: &[String], tasks: Vec<Task<T>>) -> Vec<Result<T, WebError>> {
    let mut results = Vec::new();
    for (address, task) in addresses.iter().zip(tasks) {
        results.push(joined(task, address).await);
    }
    results
}

/// Fetches an address: through the service that it belongs to, where that gives its pages to
/// programs.
async fn fetch(
    fetcher: &Fetcher,
    tokens: &TokenCache,
    address: &str,
    (domains, guard): (&[String], SsrfGuard),
) -> Result<FetchResponse, WebError> {
    let page = Url::parse(address).ok();
    // A site that refuses programs its pages may give them by an interface of its own.
    let owner = page.and_then(|page| Some((tokens.providers().owner_of(&page)?, page)));
    let Some(((service, api), page)) = owner else {
        return fetcher.fetch_within(address, domains, guard).await;
    };
    let mut config = tokens.config(service).await?;
    if let Some(setup) = &api.setup
        && let Some(request) = (setup.request)(&config)
    {
        let reply = fetcher.ask(&request).await;
        let reply = reply.map_err(|error| service.error(error))?;
        if let Some(name) = (setup.parse)(&reply.body) {
            config = config.with_access_token(name);
        }
    }
    let Some(mut request) = (api.request)(&config, &page) else {
        return fetcher.fetch_within(address, domains, guard).await;
    };
    request.gap = config.gap;
    let reply = fetcher
        .ask(&request)
        .await
        .map_err(|error| service.error(error))?;
    fetcher.as_page(address, reply)
}
