//! The web search of a plan: its queries go to the search services, and the pages that they list
//! become documents of the session.
//!
//! A page is stored as a Markdown file with its address in the front matter, and is then searched
//! like any other document. Failed searches and pages are recorded, and named in the report.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail};
use chrono::SecondsFormat;
use serde::Serialize;

use crate::artifact::collected::{Collected, PageRecord, WebSearch};
use crate::artifact::{self, Paid, Plan, Session};
use crate::model::Amount;
use crate::pipeline::{Digest, Version};
use crate::stage::stage_run::StageRun;
use crate::text::{counted, one_line};
use crate::web::{
    Page, ProviderTable, Rendering, SearchProvider, ServiceSearch, WebClient, WebError, WebHit,
    fuse, matches_domain, page_identity,
};

/// The directory of the web pages that were read for a session.
pub(super) const PAGES: &str = "research/pages";

/// The maximum number of queries of a plan that go to the web (chosen by hand).
const MAX_QUERIES: usize = 12;

/// The number of hits requested from a service (chosen by hand).
const HITS: usize = 20;

/// The number of hexadecimal digits of an address's hash that name its file. With 48 bits, two of
/// ten thousand pages share a name with a probability below one in five million.
const FILE_NAME_DIGITS: usize = 12;

/// The upper bounds of the web search of a plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchForecast {
    /// The services that will be searched.
    pub services: Vec<&'static str>,
    /// The maximum number of queries to each.
    pub queries: usize,
    /// The maximum cost of all of them, in US dollars, by the table of services.
    pub cost_usd: f64,
}

impl SearchForecast {
    /// The forecast for a session; `None` if it does not search the web.
    ///
    /// # Errors
    /// When a service that it names cannot be used.
    pub fn of(session: &Session, services: &ProviderTable) -> Result<Option<Self>> {
        let chosen = services.select(&session.search, &session.topic)?;
        let forecast = Self {
            services: chosen.iter().map(|service| service.name).collect(),
            queries: MAX_QUERIES,
            cost_usd: upper_bound(services, &chosen, MAX_QUERIES),
        };
        Ok((!chosen.is_empty()).then_some(forecast))
    }
}

/// Returns the maximum cost of this many queries to each of these services, in US dollars.
fn upper_bound(services: &ProviderTable, chosen: &[&SearchProvider], queries: usize) -> f64 {
    let each = chosen.iter().map(|service| {
        let queries = queries.min(services.max_queries(service));
        services.usd_per_query(service) * queries as f64
    });
    each.sum()
}

/// Returns the results of a plan's queries on the web, from the checkpoint or a new search. Pages
/// in `earlier` are not read again.
pub(super) async fn collect(
    run: StageRun<'_>,
    session: &Session,
    plan: &Plan,
    earlier: &[PageRecord],
) -> Result<Collected> {
    let search = WebSearchRun { run, session };
    let file = Collected::file(plan.iteration);
    let inputs = [format!("research/plan-{}.json", plan.iteration)];
    let Some(collected) = run.read_checkpoint(&file)? else {
        let collected = search.search(plan, earlier).await?;
        run.write_checkpoint(&file, &inputs, &collected)?;
        return Ok(collected);
    };
    let Some(repaired) = search.repair(&collected, earlier).await? else {
        return Ok(collected);
    };
    // The file is overwritten, not superseded: the searches are the same, only pages have changed.
    run.write_checkpoint(&file, &inputs, &repaired)?;
    Ok(repaired)
}

/// Searches without reading what is found.
pub(super) async fn search_services(
    run: StageRun<'_>,
    session: &Session,
    queries: &[String],
) -> Result<Vec<ServiceSearch>> {
    let search = WebSearchRun { run, session };
    match &run.context.web_client {
        Some(client) => search.query_services(client, queries).await,
        None => Ok(Vec::new()),
    }
}

/// Returns sentences for the report about searches and pages that failed, and about prompt
/// injection.
pub(super) fn limits(collected: &Collected) -> Vec<String> {
    let mut limits: Vec<String> = Vec::new();
    // Only the first problem of each service: the others mostly repeat it.
    let mut failed = BTreeSet::new();
    for search in &collected.searches {
        if let Some(problem) = &search.problem
            && failed.insert(&search.service)
        {
            limits.push(format!(
                "A search with {} failed: {problem}.",
                search.service
            ));
        }
    }
    for page in &collected.pages {
        if let Some(problem) = &page.problem {
            limits.push(format!("Not read: {problem}."));
        }
        if let Some(words) = &page.prompt_injection {
            limits.push(format!(
                "{} gives orders to language models (“{words}”); they were taken as text.",
                page.url
            ));
        }
    }
    limits
}

/// A web search for a plan.
struct WebSearchRun<'a> {
    run: StageRun<'a>,
    session: &'a Session,
}

impl WebSearchRun<'_> {
    /// Searches, and reads the best hits.
    async fn search(&self, plan: &Plan, earlier: &[PageRecord]) -> Result<Collected> {
        let context = self.run.context;
        let Some(client) = &context.web_client else {
            let services = self.session.search.join(", ");
            bail!("this session searches the web ({services}); run it without --offline");
        };
        let searched = self.query_services(client, &queries(plan)).await?;
        let has_documents = !context.documents.is_empty();
        if searched.iter().all(|search| search.hits.is_err()) && !has_documents {
            let problem = searched.into_iter().find_map(|search| search.hits.err());
            let problem = problem.context("no service suits the topic; name one with --search")?;
            return Err(problem).context("the web search failed");
        }
        let hits = self.new_hits(&searched, earlier);
        self.run.progress(counted(hits.len(), "page"))?;
        let addresses: Vec<String> = hits.iter().map(|hit| hit.url.clone()).collect();
        let read = client.read(&addresses, &self.session.domains).await;
        let mut collected = Collected {
            searches: searched.iter().map(record).collect(),
            pages: Vec::new(),
        };
        let mut seen: BTreeSet<String> = earlier.iter().map(|page| page.url.clone()).collect();
        for (hit, read) in hits.iter().zip(read) {
            let url = match &read {
                Ok(page) => page.url.as_str(),
                Err(_) => hit.url.as_str(),
            };
            // After redirects two addresses may lead to one page.
            if !seen.insert(url.to_owned()) {
                continue;
            }
            collected.pages.push(match read {
                Ok(page) => self.store(&page.with_fallbacks(hit), hit.points, hit.comments)?,
                Err(error) => self.failed(&hit.url, &error.to_string()),
            });
        }
        Ok(collected)
    }

    /// Sends queries to the services, within the budget, and records what they cost.
    async fn query_services(
        &self,
        client: &WebClient,
        queries: &[String],
    ) -> Result<Vec<ServiceSearch>> {
        let services = client.providers();
        let chosen = services.select(&self.session.search, &self.session.topic)?;
        let count = counted(queries.len(), "query");
        self.run.progress(format!("{count} to the web"))?;
        // The upper bound is reserved first, so that concurrent sessions of a batch cannot
        // overspend together; what is not used is released by the commit.
        let upper_bound = upper_bound(services, &chosen, queries.len());
        let backend = &self.run.context.backend;
        let reservation = backend.reserve_search(self.run.workspace, upper_bound)?;
        let searched = client.search(&chosen, queries, HITS).await;
        let usd: f64 = searched.iter().map(|search| search.cost_usd).sum();
        reservation.commit(Amount { tokens: 0, usd });
        if usd > 0.0 {
            self.add_to_paid(usd)?;
            self.run.progress(format!("searched for ${usd:.3}"))?;
        }
        Ok(searched)
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

    /// Returns the pages of an earlier run, with missing and damaged ones read again; `None` if
    /// nothing has changed.
    ///
    /// The files of pages are written without a flush, so that a loss of power may have damaged
    /// them, and a damaged text must not be quoted.
    async fn repair(
        &self,
        collected: &Collected,
        earlier: &[PageRecord],
    ) -> Result<Option<Collected>> {
        let mut unusable = Vec::new();
        for (index, page) in collected.pages.iter().enumerate() {
            if self.supersede_damaged(page)? {
                unusable.push(index);
            }
        }
        let read = self.read_again(collected, &unusable).await?;
        let mut repaired = collected.clone();
        for (index, read) in unusable.into_iter().zip(read) {
            let old = &collected.pages[index];
            let others = earlier.iter().chain(&repaired.pages);
            let is_read = |url: &str| {
                others
                    .clone()
                    .any(|other| *other != *old && other.url == url)
            };
            let page = match read {
                Ok(page) if is_read(page.url.as_str()) => {
                    let problem = format!(
                        "{} now leads to {}, which was read as well",
                        old.url, page.url
                    );
                    self.failed(&old.url, &problem)
                }
                Ok(page) => self.store(&page, old.points, old.comments)?,
                Err(error) => self.failed(&old.url, &error.to_string()),
            };
            // An unchanged page keeps its record, although it was read at another time.
            if page.digest != old.digest || page.digest.is_none() {
                repaired.pages[index] = page;
            }
        }
        Ok((repaired != *collected).then_some(repaired))
    }

    /// Reads these pages again. A transient error fails the run instead of losing a page.
    async fn read_again(
        &self,
        collected: &Collected,
        unusable: &[usize],
    ) -> Result<Vec<Result<Page, WebError>>> {
        let addresses: Vec<String> = unusable
            .iter()
            .map(|index| collected.pages[*index].url.clone())
            .collect();
        // Checked before the web client: a session with all its pages intact needs no network.
        let Some(first) = addresses.first() else {
            return Ok(Vec::new());
        };
        let Some(client) = &self.run.context.web_client else {
            bail!(
                "the saved copy of {first} in {PAGES} is missing or damaged; run without --offline \
                 to read it again"
            );
        };
        let count = counted(addresses.len(), "page");
        self.run.progress(format!("reading {count} again"))?;
        let read = client.read(&addresses, &self.session.domains).await;
        let mut failures = read.iter().filter_map(|read| read.as_ref().err());
        match failures.find(|failure| failure.is_transient()) {
            Some(failure) => Err(failure.clone()).context(format!(
                "saved pages in {PAGES} are missing or damaged; run again later, or start over \
                 with --from research"
            )),
            None => Ok(read),
        }
    }

    /// Returns `true` if the file of a page is missing or damaged, that is, does not match its
    /// digest. A damaged file is superseded.
    fn supersede_damaged(&self, page: &PageRecord) -> Result<bool> {
        let Some(file) = &page.file else {
            return Ok(false);
        };
        let file = format!("{PAGES}/{file}");
        let workspace = self.run.workspace;
        let Some(bytes) = workspace.read(&file)? else {
            return Ok(true);
        };
        let digest = Digest::of(bytes);
        let is_damaged = page.digest.as_ref().is_some_and(|read| *read != digest);
        if is_damaged {
            workspace.supersede(&file, &format!("{file} is not what was read"))?;
        }
        Ok(is_damaged)
    }

    /// Returns the hits to read, best first: the rankings of all services fused into one, without
    /// pages that were already read and hosts that are not allowed.
    fn new_hits(&self, searched: &[ServiceSearch], earlier: &[PageRecord]) -> Vec<WebHit> {
        let rankings: Vec<Vec<WebHit>> = searched
            .iter()
            .filter_map(|search| search.hits.as_ref().ok())
            .cloned()
            .collect();
        // By identity, not by address: the same page is listed with and without `www.`, and so on.
        let read: BTreeSet<String> = earlier
            .iter()
            .map(|page| page_identity(&page.url))
            .collect();
        fuse(&rankings)
            .into_iter()
            .filter(|hit| matches_domain(&self.session.domains, &hit.url))
            .filter(|hit| !read.contains(&page_identity(&hit.url)))
            .take(self.run.context.settings.search.max_pages)
            .collect()
    }

    /// Writes a page that was read, and returns its record.
    fn store(&self, page: &Page, points: Option<i64>, comments: Option<u64>) -> Result<PageRecord> {
        // If the browser fails, the text without scripts is used.
        if let Rendering::Failed(error) = &page.rendering {
            self.run.progress(error.to_string())?;
        }
        let (file, text) = (file_of(page), document(page));
        self.run
            .workspace
            .write_unflushed(&format!("{PAGES}/{file}"), text.as_bytes())?;
        Ok(PageRecord {
            points,
            comments,
            url: page.url.to_string(),
            file: Some(file),
            digest: Some(Digest::of(text)),
            kind: Some(page.document.kind.name.to_owned()),
            read_at: page.confirmed_at.to_rfc3339_opts(SecondsFormat::Secs, true),
            prompt_injection: page.prompt_injection.clone(),
            rendered: page.rendering == Rendering::Done,
            problem: None,
        })
    }

    /// Returns the record of a page that could not be read.
    fn failed(&self, address: &str, problem: &str) -> PageRecord {
        PageRecord {
            url: address.to_owned(),
            points: None,
            comments: None,
            file: None,
            digest: None,
            kind: None,
            read_at: self.run.workspace.now(),
            prompt_injection: None,
            rendered: false,
            problem: Some(problem.to_owned()),
        }
    }
}

/// Returns the queries of a plan's steps, round-robin: the first of each step, then the second of
/// each, and so on, so that every step is searched for before the limit is reached.
fn queries(plan: &Plan) -> Vec<String> {
    let longest = plan.steps.iter().map(|step| step.queries.len()).max();
    let mut queries: Vec<String> = Vec::new();
    for turn in 0..longest.unwrap_or(0) {
        for query in plan.steps.iter().filter_map(|step| step.queries.get(turn)) {
            if !queries.contains(query) && queries.len() < MAX_QUERIES {
                queries.push(query.clone());
            }
        }
    }
    queries
}

/// Returns the record of a query to a service.
fn record(searched: &ServiceSearch) -> WebSearch {
    WebSearch {
        service: searched.service.name.to_owned(),
        query: searched.query.clone(),
        hits: searched.hits.as_ref().map_or(0, Vec::len),
        problem: searched.hits.as_ref().err().map(ToString::to_string),
        cost_usd: searched.cost_usd,
    }
}

/// Returns the name of a page's file.
fn file_of(page: &Page) -> String {
    let hash = Digest::of(page.url.as_str());
    format!("{}.md", &hash.as_str()[..FILE_NAME_DIGITS])
}

/// Returns a page as a file: front matter, and the clean text.
fn document(page: &Page) -> String {
    let read = &page.document;
    let is_rendered = page.rendering == Rendering::Done;
    let fields = [
        ("title", Some(read.title.as_str())),
        ("url", Some(page.url.as_str())),
        ("author", read.author.as_deref()),
        ("date", read.date.as_deref()),
        ("rendered", is_rendered.then_some("by a browser")),
    ];
    let mut text = String::from("---\n");
    for (name, value) in fields {
        if let Some(value) = value {
            text.push_str(&format!("{name}: \"{}\"\n", quotable(value)));
        }
    }
    text.push_str("---\n\n");
    text.push_str(&read.text);
    text
}

/// Returns a value for the front matter, without quotes and line breaks.
fn quotable(value: &str) -> String {
    one_line(value).replace(['"', '\\'], "'")
}
