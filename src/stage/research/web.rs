//! Brings in the web: a plan's queries to the search services, and what they find as documents of
//! the session.
//!
//! A page becomes a Markdown file in the session, with where it is from in its first lines; from
//! there on it is a document like any other. What could not be searched or read is written down and
//! told in the report.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail};
use chrono::SecondsFormat;
use serde::Serialize;

use crate::artifact::collected::{Collected, PageRecord, WebSearch};
use crate::artifact::{self, Paid, Plan, Session};
use crate::model::Amount;
use crate::pipeline::{Digest, Stage, Version, Workspace};
use crate::stage::{Context, inner, kept, write_inner};
use crate::text::one_line;
use crate::web::{
    Page, ProviderTable, Rendering, SearchProvider, ServiceSearch, WebError, matches_domain,
};
use crate::web::{WebHit, fuse, page_identity};

/// Where the pages of a session lie.
pub(super) const PAGES: &str = "research/pages";

/// Queries of one plan that go to the web, at most: the first of each step come first.
const QUERIES: usize = 12;

/// Hits that one service is asked for.
const HITS: usize = 20;

/// Digits of the hash of an address in the name of its file.
const DIGITS: usize = 12;

/// What searching the web for one plan will take at most.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchForecast {
    /// The services that will be asked.
    pub services: Vec<&'static str>,
    /// How many queries to each, at most.
    pub queries: usize,
    /// What all of them cost at most, in US dollars, by the table of services.
    pub cost_usd: f64,
}

impl SearchForecast {
    /// That of a session; nothing if it does not search the web.
    ///
    /// # Errors
    /// When a service that it names cannot be asked.
    pub fn of(session: &Session, services: &ProviderTable) -> Result<Option<Self>> {
        let chosen = services.select(&session.search, &session.topic)?;
        let most = chosen
            .iter()
            .map(|service| most_of(services, service, QUERIES));
        let forecast = Self {
            services: chosen.iter().map(|service| service.name).collect(),
            queries: QUERIES,
            cost_usd: most.sum(),
        };
        Ok((!chosen.is_empty()).then_some(forecast))
    }
}

/// What so many queries to a service cost at most.
fn most_of(services: &ProviderTable, service: &SearchProvider, queries: usize) -> f64 {
    services.usd_per_query(service) * queries.min(services.max_queries(service)) as f64
}

/// What a plan's queries find on the web, kept or looked for; pages in `known` are not read again.
pub(super) async fn collect(
    stage: &dyn Stage,
    context: &Context,
    workspace: &Workspace,
    session: &Session,
    plan: &Plan,
    known: &[PageRecord],
) -> Result<Collected> {
    let collecting = Collecting {
        stage,
        context,
        workspace,
        session,
    };
    let file = Collected::file(plan.iteration);
    let inputs = [format!("research/plan-{}.json", plan.iteration)];
    if let Some(collected) = kept(workspace, stage, &file)? {
        let Some(mended) = collecting.mended(&collected, known).await? else {
            return Ok(collected);
        };
        // In its place: the searches stay what they were, and only pages have changed.
        write_inner(workspace, stage, &file, &inputs, &mended)?;
        return Ok(mended);
    }
    let make = async || collecting.run(plan, known).await;
    inner(workspace, stage, &file, &inputs, make).await
}

struct Collecting<'a> {
    stage: &'a dyn Stage,
    context: &'a Context,
    workspace: &'a Workspace,
    session: &'a Session,
}

impl Collecting<'_> {
    async fn run(&self, plan: &Plan, known: &[PageRecord]) -> Result<Collected> {
        let services = self.session.search.join(", ");
        let Some(online) = &self.context.online else {
            bail!("this session searches the web ({services}); run it without --offline");
        };
        let chosen = online
            .providers()
            .select(&self.session.search, &self.session.topic)?;
        let queries = queries(plan);
        self.tell(format!("{} queries to the web", queries.len()))?;
        let services = online.providers();
        let most: f64 = chosen
            .iter()
            .map(|service| most_of(services, service, queries.len()))
            .sum();
        let held = self.context.judge.reserve_search(self.workspace, most)?;
        let searched = online.search(&chosen, &queries, HITS).await;
        let cost: f64 = searched.iter().map(|one| one.cost_usd).sum();
        held.commit(Amount {
            tokens: 0,
            usd: cost,
        });
        if cost > 0.0 {
            self.write_down(cost)?;
            self.tell(format!("searched for ${cost:.3}"))?;
        }
        let has_documents = !self.context.documents.is_empty();
        if searched.iter().all(|one| one.hits.is_err()) && !has_documents {
            let problem = searched.into_iter().find_map(|one| one.hits.err());
            let problem = problem.context("no service suits the topic; name one with --search")?;
            return Err(problem).context("no search service could be asked");
        }
        let hits = self.worth_reading(&searched, known);
        self.tell(format!("{} pages", hits.len()))?;
        let addresses: Vec<String> = hits.iter().map(|hit| hit.url.clone()).collect();
        let read = online.read(&addresses).await;
        let mut collected = Collected {
            searches: searched.iter().map(record).collect(),
            pages: Vec::new(),
        };
        let mut seen: BTreeSet<String> = known.iter().map(|page| page.url.clone()).collect();
        for (hit, read) in hits.iter().zip(read) {
            let url = read
                .as_ref()
                .map_or(hit.url.as_str(), |page| page.url.as_str());
            // Two addresses may lead to one page.
            if !seen.insert(url.to_owned()) {
                continue;
            }
            collected.pages.push(match read {
                Ok(page) => self.keep(&page, hit.score, hit.comments)?,
                Err(error) => self.lost(&hit.url, &error.to_string()),
            });
        }
        Ok(collected)
    }

    /// Adds to what was paid, before anything else can go wrong.
    fn write_down(&self, cost: f64) -> Result<()> {
        let paid = Paid {
            version: Version,
            searches_usd: Paid::by(self.workspace.root())? + cost,
        };
        self.workspace
            .write(Paid::NAME, &artifact::to_bytes(&paid)?)
    }

    /// What an earlier run collected, if it has to be told otherwise. A page whose file is missing,
    /// or is not what was read, is read again: the files are copies, which a loss of power may have
    /// damaged, and words that their authors did not write are no source.
    async fn mended(
        &self,
        collected: &Collected,
        known: &[PageRecord],
    ) -> Result<Option<Collected>> {
        let mut broken = Vec::new();
        for (place, page) in collected.pages.iter().enumerate() {
            if self.is_broken(page)? {
                broken.push(place);
            }
        }
        let read = self.read_again(collected, &broken).await?;
        let mut mended = collected.clone();
        for (place, read) in broken.into_iter().zip(read) {
            let old = &collected.pages[place];
            let others = known.iter().chain(&mended.pages);
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
                    self.lost(&old.url, &problem)
                }
                Ok(page) => self.keep(&page, old.points, old.comments)?,
                Err(error) => self.lost(&old.url, &error.to_string()),
            };
            if page.digest != old.digest || page.digest.is_none() {
                mended.pages[place] = page;
            }
        }
        Ok((mended != *collected).then_some(mended))
    }

    /// Reads these pages again; what they were is not given up for a failure that may pass.
    async fn read_again(
        &self,
        collected: &Collected,
        broken: &[usize],
    ) -> Result<Vec<Result<Page, WebError>>> {
        let url = |place: &usize| collected.pages[*place].url.clone();
        let addresses: Vec<String> = broken.iter().map(url).collect();
        let Some(first) = addresses.first() else {
            return Ok(Vec::new());
        };
        let damage = format!("{PAGES} does not hold what was read at {first}");
        let Some(online) = &self.context.online else {
            bail!("{damage}; run without --offline to read it again");
        };
        self.tell(format!("{} pages again", addresses.len()))?;
        let read = online.read(&addresses).await;
        let mut failures = read.iter().filter_map(|read| read.as_ref().err());
        match failures.find(|failure| failure.is_temporary()) {
            Some(failure) => Err(failure.clone()).context(format!(
                "{PAGES} does not hold all that was read; run again later, or begin anew with --from research"
            )),
            None => Ok(read),
        }
    }

    /// Whether the file of a page that was read is missing or another one; that one is set aside.
    fn is_broken(&self, page: &PageRecord) -> Result<bool> {
        let Some(file) = &page.file else {
            return Ok(false);
        };
        let file = format!("{PAGES}/{file}");
        let Some(bytes) = self.workspace.read(&file)? else {
            return Ok(true);
        };
        let digest = Digest::of(bytes);
        let is_broken = page.digest.as_ref().is_some_and(|known| *known != digest);
        if is_broken {
            let reason = format!("{file} is not what was read");
            self.workspace.supersede(&file, &reason)?;
        }
        Ok(is_broken)
    }

    fn tell(&self, message: String) -> Result<()> {
        self.workspace.report_progress(self.stage, message)
    }

    /// The hits worth reading, best first.
    fn worth_reading(&self, searched: &[ServiceSearch], known: &[PageRecord]) -> Vec<WebHit> {
        let rankings = searched.iter().filter_map(|one| one.hits.as_ref().ok());
        let rankings: Vec<Vec<WebHit>> = rankings.cloned().collect();
        let known: BTreeSet<String> = known.iter().map(|page| page_identity(&page.url)).collect();
        let is_wanted = |hit: &WebHit| {
            matches_domain(&self.session.domains, &hit.url)
                && !known.contains(&page_identity(&hit.url))
        };
        let hits = fuse(&rankings).into_iter().filter(is_wanted);
        let most = self.context.settings.search.max_pages;
        hits.take(most).collect()
    }

    /// Writes a page that was read, and its record.
    fn keep(&self, page: &Page, points: Option<i64>, comments: Option<u64>) -> Result<PageRecord> {
        if let Rendering::Failed(error) = &page.rendering {
            self.tell(error.to_string())?;
        }
        let (file, text) = (file_of(page), document(page));
        self.workspace
            .write_unflushed(&format!("{PAGES}/{file}"), text.as_bytes())?;
        Ok(PageRecord {
            points,
            comments,
            url: page.url.to_string(),
            file: Some(file),
            digest: Some(Digest::of(text)),
            kind: Some(page.document.kind.name.to_owned()),
            read_at: page.given_at.to_rfc3339_opts(SecondsFormat::Secs, true),
            speaks_to_models: page.prompt_injection.clone(),
            rendered: page.rendering == Rendering::Done,
            problem: None,
        })
    }

    fn lost(&self, address: &str, problem: &str) -> PageRecord {
        PageRecord {
            url: address.to_owned(),
            points: None,
            comments: None,
            file: None,
            digest: None,
            kind: None,
            read_at: self.workspace.now(),
            speaks_to_models: None,
            rendered: false,
            problem: Some(problem.to_owned()),
        }
    }
}

/// The queries of a plan's steps: the first of each, then the second of each, and so on.
fn queries(plan: &Plan) -> Vec<String> {
    let most = plan.steps.iter().map(|step| step.queries.len()).max();
    let mut queries: Vec<String> = Vec::new();
    for place in 0..most.unwrap_or(0) {
        for query in plan.steps.iter().filter_map(|step| step.queries.get(place)) {
            if !queries.contains(query) && queries.len() < QUERIES {
                queries.push(query.clone());
            }
        }
    }
    queries
}

fn record(searched: &ServiceSearch) -> WebSearch {
    WebSearch {
        service: searched.service.name.to_owned(),
        query: searched.query.clone(),
        hits: searched.hits.as_ref().map_or(0, Vec::len),
        problem: searched.hits.as_ref().err().map(ToString::to_string),
        cost_usd: searched.cost_usd,
    }
}

/// The name of a page's file.
fn file_of(page: &Page) -> String {
    let hash = Digest::of(page.url.as_str());
    format!("{}.md", &hash.as_str()[..DIGITS])
}

/// A page as a file: where it is from, and its clean text.
fn document(page: &Page) -> String {
    let own = &page.document;
    let is_rendered = page.rendering == Rendering::Done;
    let mut text = String::from("---\n");
    let fields = [
        ("title", Some(own.title.as_str())),
        ("url", Some(page.url.as_str())),
        ("author", own.author.as_deref()),
        ("date", own.date.as_deref()),
        ("rendered", is_rendered.then_some("by a browser")),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            text.push_str(&format!("{name}: \"{}\"\n", quotable(value)));
        }
    }
    text.push_str("---\n\n");
    text.push_str(&own.text);
    text
}

/// A value that ends neither its quotes nor its line.
fn quotable(value: &str) -> String {
    one_line(value).replace(['"', '\\'], "'")
}
