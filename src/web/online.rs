//! The web for a session: many queries to many services at once, and many pages at once, each in
//! its turn.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use url::Url;

use super::access::Access;
use super::providers::{Provider, WebHit};
use super::visit::view;
use super::{Fetched, Fetcher, Page, Services, WebError, archive, providers};
use crate::read::Reader;

/// Pages that are fetched or read at once, over all hosts and sessions; each host has limits of its
/// own.
const AT_ONCE: usize = 32;

/// Threads that parse or wait for the system to find a name, at most: one name whose server is
/// silent holds one for long.
const BLOCKING: usize = 16;

/// Searches and reads; shared by all sessions of a process, and so are its limits.
pub struct Online {
    fetcher: Arc<Fetcher>,
    access: Arc<Access>,
    reader: Reader,
    turns: Arc<Semaphore>,
    runtime: Runtime,
}

/// What one service said to one query.
#[derive(Debug)]
pub struct Searched {
    /// The service.
    pub service: Provider,
    /// The query.
    pub query: String,
    /// What it found, best first.
    pub found: Result<Vec<WebHit>, WebError>,
    /// What that cost, in US dollars, by the table of services: nothing if it was kept from an
    /// earlier time.
    pub cost_usd: f64,
}

impl Online {
    /// Searches by these services and reads by this reader.
    ///
    /// # Errors
    /// When no thread can be started that waits for the network.
    pub fn new(fetcher: Fetcher, services: Services, reader: Reader) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(BLOCKING)
            .thread_name("web")
            .enable_all()
            .build()
            .context("failed to start the thread that waits for the web")?;
        let fetcher = Arc::new(fetcher);
        Ok(Self {
            access: Arc::new(Access::new(fetcher.clone(), services)),
            fetcher,
            reader,
            turns: Arc::new(Semaphore::new(AT_ONCE)),
            runtime,
        })
    }

    /// The services that there are.
    pub fn services(&self) -> &Services {
        self.access.services()
    }

    /// Asks every service every query, or the first ones that it takes, all at once; in the order
    /// of the services, then of the queries.
    pub async fn search(
        &self,
        services: &[Provider],
        queries: &[String],
        limit: usize,
    ) -> Vec<Searched> {
        let mut asked = Vec::new();
        for service in services {
            for query in queries.iter().take(self.services().queries(*service)) {
                let (service, query) = (*service, query.clone());
                let (fetcher, access) = (self.fetcher.clone(), self.access.clone());
                let words = query.clone();
                let search = async move {
                    let setup = access.setup(service).await?;
                    service.search(&fetcher, &setup, &words, limit).await
                };
                asked.push((service, query, self.runtime.spawn(search)));
            }
        }
        let mut searched = Vec::new();
        for (service, query, answer) in asked {
            let found = answer
                .await
                .unwrap_or_else(|error| Err(WebError::of_fault(service.name(), &error)));
            let is_new = found.as_ref().is_ok_and(|answered| !answered.from_cache);
            searched.push(Searched {
                service,
                query,
                cost_usd: if is_new {
                    self.services().price(service)
                } else {
                    0.0
                },
                found: found.map(|answered| answered.hits),
            });
        }
        searched
    }

    /// Whether there is something at these addresses now, many asked at once, in their order.
    pub async fn look(&self, addresses: &[String]) -> Vec<Result<(), WebError>> {
        let mut asked = Vec::new();
        for address in addresses {
            let (address, fetcher) = (address.clone(), self.fetcher.clone());
            let look = async move { fetcher.look(&address).await };
            asked.push(self.runtime.spawn(look));
        }
        let mut found = Vec::new();
        for (address, answer) in addresses.iter().zip(asked) {
            let answer = answer.await;
            found.push(answer.unwrap_or_else(|error| Err(WebError::of_fault(address, &error))));
        }
        found
    }

    /// Where an archive has a copy of a page, if one is known.
    pub async fn archived(&self, address: &str) -> Option<String> {
        let (address, fetcher) = (address.to_owned(), self.fetcher.clone());
        let asked = async move { archive::copy(&fetcher, &address).await };
        self.runtime.spawn(asked).await.ok().flatten()
    }

    /// Reads pages, many at once, in their order.
    pub async fn read(&self, addresses: &[String]) -> Vec<Result<Page, WebError>> {
        let mut asked = Vec::new();
        for address in addresses {
            let (address, fetcher) = (address.clone(), self.fetcher.clone());
            let (reader, turns) = (self.reader.clone(), self.turns.clone());
            let access = self.access.clone();
            let read = async move {
                // It is never closed.
                let _turn = turns.acquire().await.ok();
                let fetched = fetched(&fetcher, &access, &address).await?;
                view(&fetcher, &reader, fetched).await
            };
            asked.push(self.runtime.spawn(read));
        }
        let mut pages = Vec::new();
        for (address, answer) in addresses.iter().zip(asked) {
            pages.push(
                answer
                    .await
                    .unwrap_or_else(|error| Err(WebError::of_fault(address, &error))),
            );
        }
        pages
    }
}

/// What is at an address: by way of its own service where that has it for programs.
async fn fetched(fetcher: &Fetcher, access: &Access, address: &str) -> Result<Fetched, WebError> {
    let page = Url::parse(address).ok();
    let place = page.and_then(|page| Some((providers::of_page(&page)?, page)));
    let Some((service, page)) = place else {
        return fetcher.fetch(address).await;
    };
    let setup = access.setup(service).await?;
    let Some(asked) = providers::reading(&setup, &page) else {
        return fetcher.fetch(address).await;
    };
    let reply = fetcher.ask(&asked).await;
    let reply = reply.map_err(|error| error.of_service(service.name()))?;
    fetcher.as_page(address, reply)
}
