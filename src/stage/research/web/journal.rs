//! The journal of the web: each reply of a search service and each page is written into the session
//! before it is used, so that a killed step repeats nothing but what was in flight, and a replay
//! needs no network.
//!
//! A search is identified by its service and its query, a page by the address that was asked for.
//! What failed is recorded as well, since a replay must see it; a failure that may have passed by
//! now is tried again by a resumed run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, bail, ensure};
use futures::StreamExt as _;
use futures::future::join_all;
use futures::lock::{Mutex as AsyncMutex, OwnedMutexGuard};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use walkdir::WalkDir;

use super::forecast::upper_bound;
use super::output::document_of;
use super::pages::{PAGES, PageStore, omission_of};
use crate::artifact::collected::PageRecord;
use crate::artifact::{self, Paid, Session};
use crate::config::Settings;
use crate::extension::{Arguments, Offered, locator};
use crate::model::Amount;
use crate::pipeline::{Digest, Event, Version, read_file};
use crate::stage::event_text::event_text;
use crate::stage::stage_run::StageRun;
use crate::text::truncate_with_ellipsis;
use crate::web::{PROVIDERS, Page, SearchProvider, ServiceSearch, WebClient, WebError, WebHit};

/// The directory of the journal in a session.
pub(super) const DIRECTORY: &str = "research/web";

/// The user's tools and sub-agents as they are offered to models.
const OFFERED: &str = "research/web/offered.json";

/// The beginning of the names of recorded replies.
const SEARCHES: &str = "research/web/search-";

/// The number of hits requested from a service (chosen by hand).
const HITS: usize = 20;

/// The maximum length of a recorded snippet, in characters (chosen by hand: two sentences).
const SNIPPET: usize = 400;

/// The number of hexadecimal digits of a digest in the name of a file. With 48 bits, two of ten
/// thousand entries share a name with a probability below one in five million; the entry itself
/// says what it is of.
const NAME_DIGITS: usize = 12;

/// A session of the web that is run without it; these are its services.
#[derive(Debug, thiserror::Error)]
#[error("this session searches the web ({0}); run it without --offline")]
pub struct Offline(String);

/// The reply of a service to a query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedSearch {
    version: Version<1>,
    /// The service.
    pub(crate) service: String,
    /// The query.
    pub(crate) query: String,
    /// The hits, best first.
    pub(crate) hits: Vec<WebHit>,
    /// The error, if it failed.
    pub(crate) problem: Option<String>,
    /// `true` if the error may pass.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_transient: bool,
    /// Its price in US dollars.
    pub(crate) cost_usd: f64,
}

impl RecordedSearch {
    /// The event of the reply.
    fn event(&self) -> Event {
        Event::Searched {
            service: self.service.clone(),
            query: event_text(&self.query),
            hits: self.hits.len(),
            cost_usd: self.cost_usd,
            problem: self.problem.as_deref().map(event_text),
        }
    }
}

/// The event of a page that was read, or could not be read.
fn page_read(hit: &WebHit, page: &PageRecord) -> Event {
    let title = if hit.title.trim().is_empty() {
        &hit.url
    } else {
        &hit.title
    };
    Event::PageRead {
        page: event_text(title),
        problem: page.problem.as_deref().map(event_text),
    }
}

/// A page that was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedPage {
    version: Version<1>,
    /// The address that was asked for.
    address: String,
    /// What came of it.
    page: PageRecord,
    /// `true` if it failed for a reason that may pass.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_transient: bool,
}

/// The journal of the web of a session, and behind it the web itself, or the journal of the session
/// that is replayed.
pub(crate) struct WebJournal<'a> {
    run: StageRun<'a>,
    session: Session,
    /// The entries that are being made: steps that ask for the same at once ask once.
    in_flight: Mutex<BTreeMap<String, Arc<AsyncMutex<()>>>>,
    /// The failures of this run, by entry: what failed is not tried again in it.
    failures: Mutex<BTreeMap<String, WebError>>,
}

impl<'a> WebJournal<'a> {
    pub(crate) fn new(run: StageRun<'a>, session: Session) -> Self {
        Self {
            run,
            session,
            in_flight: Mutex::default(),
            failures: Mutex::default(),
        }
    }

    /// The session.
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// The settings of the run.
    pub(crate) fn settings(&self) -> &'a Settings {
        &self.run.context.settings
    }

    /// The names of the services that the session searches.
    pub(crate) fn services(&self) -> Result<Vec<String>> {
        if self.session.search.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(recorded) = &self.run.context.replay {
            return self.recorded_services(recorded);
        }
        let chosen = self.chosen(self.client()?)?;
        Ok(chosen.iter().map(|own| own.name.to_owned()).collect())
    }

    /// Sends queries to the services of these names, but for those whose replies are recorded; in
    /// the order of the services, then of the queries.
    ///
    /// # Errors
    /// When the budget does not allow it, a file cannot be written, or a replay has no reply.
    pub(crate) async fn search(
        &self,
        services: &[String],
        queries: &[String],
    ) -> Result<Vec<RecordedSearch>> {
        let searches = services
            .iter()
            .map(|service| self.search_service(service, queries));
        let mut all = Vec::new();
        for searched in join_all(searches).await {
            all.extend(searched?);
        }
        Ok(all)
    }

    async fn search_service(
        &self,
        service: &str,
        queries: &[String],
    ) -> Result<Vec<RecordedSearch>> {
        let files = queries.iter().map(|query| search_file(service, query));
        let _alone = self.lock(files.collect()).await;
        let queries = self.within_limit(service, queries)?;
        let mut missing = Vec::new();
        for query in queries {
            if self.recorded_search(service, query)?.is_none() {
                missing.push(query.clone());
            }
        }
        self.ask(service, &missing).await?;
        let mut searches = Vec::new();
        for query in queries {
            searches.extend(self.recorded_search(service, query)?);
        }
        Ok(searches)
    }

    /// Returns the queries that a service may be sent at once, or was sent in the session that is
    /// replayed.
    fn within_limit<'q>(&self, service: &str, queries: &'q [String]) -> Result<&'q [String]> {
        if self.run.context.replay.is_some() {
            let mut sent = 0;
            while sent < queries.len() && self.recorded_search(service, &queries[sent])?.is_some() {
                sent += 1;
            }
            // Without the first reply this is another search, which is an error.
            return Ok(&queries[..queries.len().min(sent.max(1))]);
        }
        let client = self.client()?;
        let limit = self
            .provider(client, service)?
            .map_or(0, |provider| client.providers().max_queries(provider));
        Ok(&queries[..queries.len().min(limit)])
    }

    /// Sends queries to a service, and records its replies and their price.
    async fn ask(&self, service: &str, queries: &[String]) -> Result<()> {
        let Some(first) = queries.first() else {
            return Ok(());
        };
        if let Some(recorded) = &self.run.context.replay {
            bail!(
                "{} holds no reply of {service} to {first:?}: what is searched for has changed",
                recorded.join(DIRECTORY).display()
            );
        }
        let client = self.client()?;
        let Some(provider) = self.provider(client, service)? else {
            return Ok(());
        };
        // The upper bound is reserved first, so that concurrent sessions of a batch cannot
        // overspend together; what is not used is released by the commit.
        let bound = upper_bound(client.providers(), &[provider], queries.len());
        let backend = &self.run.context.backend;
        let reservation = backend.reserve_search(self.run.workspace, bound)?;
        let searched = client.search(&[provider], queries, HITS).await;
        let usd: f64 = searched.iter().map(|search| search.cost_usd).sum();
        reservation.commit(Amount { tokens: 0, usd });
        if usd > 0.0 {
            self.add_to_paid(usd)?;
        }
        for search in searched {
            let name = search_file(search.service.name, &search.query);
            if let Err(error) = &search.hits {
                self.note_failure(&name, error);
            }
            let entry = RecordedSearch::of(search);
            let bytes = artifact::to_bytes(&entry)?;
            self.run.workspace.write(&name, &bytes)?;
            self.run.workspace.log(entry.event());
        }
        Ok(())
    }

    /// Adds to the session's record of payments, before anything else can fail.
    fn add_to_paid(&self, usd: f64) -> Result<()> {
        let workspace = self.run.workspace;
        let paid = Paid {
            version: Version,
            searches_usd: Paid::searches_usd(workspace.root())? + usd,
        };
        workspace.write(Paid::NAME, &artifact::to_bytes(&paid)?)
    }

    /// Returns a recorded reply, of this session or of the one that is replayed.
    pub(crate) fn recorded_search(
        &self,
        service: &str,
        query: &str,
    ) -> Result<Option<RecordedSearch>> {
        let name = search_file(service, query);
        let entry: Option<RecordedSearch> = self.recorded(&name)?;
        Ok(entry
            .filter(|entry| entry.service == service && entry.query == query)
            .filter(|entry| !entry.is_transient || self.is_final(&name)))
    }

    /// The first failure of a search in this run.
    pub(crate) fn first_failure(&self) -> Option<WebError> {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let mut searches = failures
            .iter()
            .filter(|(entry, _)| entry.starts_with(SEARCHES));
        searches.next().map(|(_, error)| error.clone())
    }

    fn note_failure(&self, name: &str, error: &WebError) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.insert(name.to_owned(), error.clone());
    }

    /// `true` if a failure that may pass stands all the same: it is of this run, or replayed.
    fn is_final(&self, name: &str) -> bool {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        self.run.context.replay.is_some() || failures.contains_key(name)
    }

    /// Reads the pages of hits, but for those that are recorded; in their order.
    ///
    /// # Errors
    /// When a file cannot be written, or a replay has no such page.
    pub(crate) async fn read(&self, hits: &[WebHit]) -> Result<Vec<PageRecord>> {
        let files = hits.iter().map(|hit| page_file(&hit.url));
        let _alone = self.lock(files.collect()).await;
        let store = PageStore::new(self.run);
        let mut missing = Vec::new();
        for hit in hits {
            if self.recorded_page(&hit.url, &store)?.is_none() {
                missing.push(hit.clone());
            }
        }
        self.fetch(&missing, &store).await?;
        let mut pages = Vec::new();
        for hit in hits {
            let page = self.recorded_page(&hit.url, &store)?;
            pages.push(page.with_context(|| format!("{} was not recorded", hit.url))?);
        }
        Ok(pages)
    }

    /// Fetches pages, and records what came of them.
    async fn fetch(&self, hits: &[WebHit], store: &PageStore<'_>) -> Result<()> {
        let Some(first) = hits.first() else {
            return Ok(());
        };
        if let Some(recorded) = &self.run.context.replay {
            bail!(
                "{} holds no copy of {}: what is read has changed",
                recorded.join(DIRECTORY).display(),
                first.url
            );
        }
        let mut pages = self.client()?.read_hits(hits, &self.session.domains);
        while let Some((index, read)) = pages.next().await {
            // What an interruption has dropped is no failure: the resumed run reads it.
            if !matches!(read, Err(WebError::Interrupted { .. })) {
                self.record_page(&hits[index], read, store)?;
            }
        }
        self.run.workspace.stop_if_interrupted()
    }

    /// Records what came of a page.
    fn record_page(
        &self,
        hit: &WebHit,
        read: Result<Page, WebError>,
        store: &PageStore<'_>,
    ) -> Result<()> {
        let name = page_file(&hit.url);
        if let Err(error) = &read {
            self.note_failure(&name, error);
        }
        let entry = RecordedPage {
            version: Version,
            address: hit.url.clone(),
            is_transient: read.as_ref().is_err_and(WebError::is_transient),
            page: match read {
                Ok(page) => store.store(&page.with_fallbacks(hit), hit.points, hit.comments)?,
                Err(error) => store.failed_by(&hit.url, &error),
            },
        };
        // Not flushed, as the page itself: both can be fetched again.
        let bytes = artifact::to_bytes(&entry)?;
        self.run.workspace.write_unflushed(&name, &bytes)?;
        self.run.workspace.log(page_read(hit, &entry.page));
        if let Some(omission) = omission_of(&entry.page) {
            self.run.report(Event::DocumentCut {
                omission: event_text(&omission),
            })?;
        }
        Ok(())
    }

    /// Returns the user's tools and sub-agents as this session offers them to its models. They are
    /// recorded before they are first used.
    pub(crate) fn offered(&self) -> Result<Offered> {
        if let Some(recorded) = self.recorded(OFFERED)? {
            return Ok(recorded);
        }
        let offered = self.run.context.extensions.offered();
        if !offered.is_empty() {
            let bytes = artifact::to_bytes(&offered)?;
            self.run.workspace.write(OFFERED, &bytes)?;
        }
        Ok(offered)
    }

    /// Runs a tool of the user's, unless what it returned is recorded; what it returned, or why it
    /// failed, is a page of this session.
    ///
    /// # Errors
    /// When a file cannot be written, or a replay has no such result.
    pub(crate) async fn run_tool(&self, name: &str, arguments: &Arguments) -> Result<PageRecord> {
        let url = locator(name, arguments)?;
        let _alone = self.lock(BTreeSet::from([page_file(url.as_str())])).await;
        let store = PageStore::new(self.run);
        if let Some(page) = self.recorded_page(url.as_str(), &store)? {
            return Ok(page);
        }
        if let Some(recorded) = &self.run.context.replay {
            bail!(
                "{} holds no result of {url}: what is asked for has changed",
                recorded.join(DIRECTORY).display()
            );
        }
        self.run.workspace.stop_if_interrupted()?;
        let context = self.run.context;
        let ran = match context.extensions.tool(name) {
            Some(tool) => tool.run(arguments).await,
            None => Err(format!("the tool {name} is not in your configuration")),
        };
        let document = ran.and_then(|bytes| document_of(&context.reader, name, arguments, bytes));
        let entry = RecordedPage {
            version: Version,
            address: url.to_string(),
            is_transient: false,
            page: match document {
                Ok(document) => store.store_output(&url, &document)?,
                Err(problem) => store.failed(url.as_str(), &problem),
            },
        };
        let bytes = artifact::to_bytes(&entry)?;
        self.run.workspace.write(&page_file(url.as_str()), &bytes)?;
        Ok(entry.page)
    }

    /// Returns a recorded page whose text is intact.
    fn recorded_page(&self, address: &str, store: &PageStore<'_>) -> Result<Option<PageRecord>> {
        let name = page_file(address);
        let entry: Option<RecordedPage> = self.recorded(&name)?;
        let is_usable = |entry: &RecordedPage| {
            entry.address == address && (!entry.is_transient || self.is_final(&name))
        };
        let Some(entry) = entry.filter(is_usable) else {
            return Ok(None);
        };
        if let (Some(file), Some(replayed)) = (&entry.page.file, &self.run.context.replay) {
            self.copy(replayed, &format!("{PAGES}/{file}"))?;
        }
        Ok((!store.supersede_damaged(&entry.page)?).then_some(entry.page))
    }

    /// Returns an entry of the journal; one of the replayed session is copied first.
    fn recorded<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        if let Some(replayed) = &self.run.context.replay {
            self.copy(replayed, name)?;
        }
        let Some(bytes) = self.run.workspace.read(name)? else {
            return Ok(None);
        };
        // A torn entry is that of a run that lost power: it is asked for again.
        Ok(serde_json::from_slice(&bytes).ok())
    }

    /// Copies a file of the replayed session, if that has it and this session does not.
    fn copy(&self, replayed: &Path, name: &str) -> Result<()> {
        let workspace = self.run.workspace;
        if workspace.read(name)?.is_some() {
            return Ok(());
        }
        match read_file(&replayed.join(name)) {
            Ok(bytes) => workspace.write_unflushed(name, &bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error)
                .with_context(|| format!("failed to read {}", replayed.join(name).display())),
        }
    }

    /// Waits until no other step asks for one of these entries. They are locked in order, so that
    /// no two steps wait for each other.
    async fn lock(&self, entries: BTreeSet<String>) -> Vec<OwnedMutexGuard<()>> {
        let mut guards = Vec::with_capacity(entries.len());
        for entry in entries {
            let mutex = {
                let mut all = self
                    .in_flight
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                all.entry(entry).or_default().clone()
            };
            guards.push(mutex.lock_owned().await);
        }
        guards
    }

    /// Returns the services whose replies the session at `path` has recorded, in the order in which
    /// they were asked: as they are named, then as they are listed.
    fn recorded_services(&self, path: &Path) -> Result<Vec<String>> {
        let directory = path.join(DIRECTORY);
        let mut services = BTreeSet::new();
        for entry in WalkDir::new(&directory).max_depth(1) {
            let entry = entry.with_context(|| format!("failed to list {}", directory.display()))?;
            let name = format!("{DIRECTORY}/{}", entry.file_name().to_string_lossy());
            let service = name
                .strip_prefix(SEARCHES)
                .and_then(|rest| rest.rsplit_once('-'));
            services.extend(service.map(|(service, _)| service.to_owned()));
        }
        ensure!(
            !services.is_empty(),
            "{} holds no reply of a search service: there is nothing to replay",
            directory.display()
        );
        let mut services = Vec::from_iter(services);
        services.sort_by_key(|service| {
            let named = self.session.search.iter().position(|name| name == service);
            let listed = PROVIDERS.iter().position(|own| own.name == service);
            (named.unwrap_or(usize::MAX), listed)
        });
        Ok(services)
    }

    /// `true` if neither the web nor its recorded replies can be read.
    pub(crate) fn is_offline(&self) -> bool {
        self.run.context.replay.is_none() && self.run.context.web_client.is_none()
    }

    fn client(&self) -> Result<&WebClient> {
        let client = self.run.context.web_client.as_deref();
        Ok(client.ok_or_else(|| Offline(self.session.search.join(", ")))?)
    }

    fn chosen(&self, client: &WebClient) -> Result<Vec<&'static SearchProvider>> {
        client
            .providers()
            .select(&self.session.search, &self.session.topic)
    }

    fn provider(
        &self,
        client: &WebClient,
        service: &str,
    ) -> Result<Option<&'static SearchProvider>> {
        let chosen = self.chosen(client)?;
        Ok(chosen.into_iter().find(|own| own.name == service))
    }
}

impl RecordedSearch {
    fn of(search: ServiceSearch) -> Self {
        let error = search.hits.as_ref().err();
        let is_transient = error.is_some_and(WebError::is_transient);
        let problem = error.map(ToString::to_string);
        let shortened = |hit: WebHit| WebHit {
            snippet: hit
                .snippet
                .map(|text| truncate_with_ellipsis(&text, SNIPPET).into_owned()),
            ..hit
        };
        let hits = search.hits.unwrap_or_default();
        Self {
            version: Version,
            service: search.service.name.to_owned(),
            query: search.query,
            hits: hits.into_iter().map(shortened).collect(),
            problem,
            is_transient,
            cost_usd: search.cost_usd,
        }
    }
}

fn search_file(service: &str, query: &str) -> String {
    let digest = Digest::of_value(&(service, query, HITS));
    format!("{SEARCHES}{service}-{}.json", short(&digest))
}

fn page_file(address: &str) -> String {
    format!("{DIRECTORY}/page-{}.json", short(&Digest::of(address)))
}

fn short(digest: &Digest) -> &str {
    &digest.as_str()[..NAME_DIGITS]
}
