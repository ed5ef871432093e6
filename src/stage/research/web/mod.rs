//! The web search of a plan: its queries go to the search services, and the best hits of each step
//! become documents of the session.
//!
//! A page is stored as a Markdown file with its address in the front matter, and is then searched
//! like any other document. Failed searches and pages are recorded, and named in the report.

mod age;
mod forecast;
mod journal;
mod output;
mod pages;
mod repair;

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};

use crate::artifact::collected::{Collected, PageRecord, WebSearch};
use crate::artifact::plan::PlanStep;
use crate::artifact::{Plan, Session};
use crate::stage::stage_run::StageRun;
use crate::web::{WebHit, fuse, is_social, is_thread, matches_domain, page_identity};
use forecast::MAX_QUERIES;

pub(super) use age::fetched;
pub use forecast::{ExpectedSearches, SearchForecast};
pub use journal::Offline;
pub(super) use journal::{RecordedSearch, WebJournal};
pub(super) use pages::{PAGES, pages_of, text_of};

/// A search that failed in an earlier run for a reason that does not pass.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct SearchFailed(String);

/// Returns the results of a plan's queries on the web, from the checkpoint or a new search. Pages
/// in `earlier` are not read again. With `reads_threads`, threads answer the topic like pages.
pub(super) async fn collect(
    run: StageRun<'_>,
    journal: &WebJournal<'_>,
    plan: &Plan,
    earlier: &[PageRecord],
    reads_threads: bool,
) -> Result<Collected> {
    let session = journal.session();
    let file = Collected::file(plan.iteration);
    let inputs = [format!("research/plan-{}.json", plan.iteration)];
    if let Some(collected) = restore(run, session, &file, &inputs, earlier).await? {
        return Ok(collected);
    }
    let services = services_for(journal, plan, reads_threads)?;
    let queries = queries(plan);
    let searched = journal.search(&services, &queries).await?;
    if searched.iter().all(|search| search.problem.is_some()) && run.context.documents.is_empty() {
        let problem = searched.into_iter().find_map(|search| search.problem);
        let problem = problem.context("no service suits the topic; name one with --search")?;
        let error = journal.first_failure().map(anyhow::Error::new);
        let error = error.unwrap_or_else(|| SearchFailed(problem).into());
        let tip = "the web search failed (documents of your own are named with --docs DIR)";
        return Err(error.context(tip));
    }
    let hits = hits_to_read(run, session, plan, &searched, earlier, reads_threads);
    let read = journal.read(&hits).await?;
    let collected = Collected {
        searches: searched.iter().map(record).collect(),
        pages: distinct(read, earlier),
    };
    run.write_checkpoint(&file, &inputs, &collected)?;
    Ok(collected)
}

/// Returns the searches and pages of a checkpoint, with damaged pages read again; `None` if there
/// is no fresh one, or one of pages for which there was no time.
pub(super) async fn restore(
    run: StageRun<'_>,
    session: &Session,
    file: &str,
    inputs: &[String],
    earlier: &[PageRecord],
) -> Result<Option<Collected>> {
    let collected: Option<Collected> = run.read_checkpoint(file)?;
    let Some(collected) = collected else {
        return Ok(None);
    };
    // What was found and read of them is in the journal.
    let is_late = |page: &PageRecord| page.is_out_of_time;
    if run.context.web_client.is_some() && collected.pages.iter().any(is_late) {
        return Ok(None);
    }
    let Some(repaired) = repair::repair(run, session, &collected, earlier).await? else {
        return Ok(Some(collected));
    };
    // The file is overwritten, not superseded: the searches are the same, only pages have changed.
    run.write_checkpoint(file, inputs, &repaired)?;
    Ok(Some(repaired))
}

/// Returns `true` if pages were found, and there was no time to read any of them.
pub(super) fn none_in_time(pages: &[PageRecord]) -> bool {
    pages.iter().any(|page| page.is_out_of_time) && pages.iter().all(|page| page.file.is_none())
}

/// Returns the pages, each once: after redirects two addresses may lead to one page.
pub(super) fn distinct(read: Vec<PageRecord>, earlier: &[PageRecord]) -> Vec<PageRecord> {
    let mut seen: BTreeSet<String> = earlier.iter().map(|page| page.url.clone()).collect();
    read.into_iter()
        .filter(|page| seen.insert(page.url.clone()))
        .collect()
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
        if let Some(omission) = pages::omission_of(page) {
            limits.push(format!("Not read: {omission}."));
        }
        if let Some(words) = &page.prompt_injection {
            limits.push(orders_limit(&page.url, words));
        }
    }
    limits
}

/// A sentence for the report about a document with a prompt injection.
pub(super) fn orders_limit(document: &str, words: &str) -> String {
    format!("{document} gives orders to language models (“{words}”); they were taken as text.")
}

/// Returns the hits to read for a plan: the best new ones of each step, as many as a step may read,
/// and of all steps together as many as a plan may.
fn hits_to_read(
    run: StageRun<'_>,
    session: &Session,
    plan: &Plan,
    searched: &[RecordedSearch],
    earlier: &[PageRecord],
    reads_threads: bool,
) -> Vec<WebHit> {
    let settings = &run.context.settings;
    let mut read = identities(earlier);
    let mut hits = Vec::new();
    let leaves_threads = !reads_threads && has_social_step(plan);
    for step in web_steps(plan) {
        let rankings = rankings_of(step, searched);
        let new = new_hits(session, &rankings, &read);
        for hit in new
            .into_iter()
            .filter(|hit| !leaves_threads || !is_thread(&hit.url))
            .take(settings.agents.researcher.max_urls_to_crawl)
        {
            read.insert(page_identity(&hit.url));
            hits.push(hit);
        }
    }
    hits.truncate(settings.search.max_pages);
    hits
}

/// Returns the services that the web steps of a plan ask. The social ones are left to a social
/// step if there are others, unless posts answer the topic.
fn services_for(journal: &WebJournal<'_>, plan: &Plan, reads_threads: bool) -> Result<Vec<String>> {
    let mut services = journal.services()?;
    let has_others = services.iter().any(|service| !is_social(service));
    if has_others && !reads_threads && has_social_step(plan) {
        services.retain(|service| !is_social(service));
    }
    Ok(services)
}

fn has_social_step(plan: &Plan) -> bool {
    plan.steps.iter().any(|step| !step.task.is_web())
}

/// Returns the steps that search the documents and the web.
fn web_steps(plan: &Plan) -> impl Iterator<Item = &PlanStep> {
    plan.steps.iter().filter(|step| step.task.is_web())
}

/// Returns the rankings of the searches of a step.
fn rankings_of(step: &PlanStep, searched: &[RecordedSearch]) -> Vec<Vec<WebHit>> {
    searched
        .iter()
        .filter(|search| step.queries.contains(&search.query))
        .map(|search| search.hits.clone())
        .collect()
}

/// Returns the identities of pages. A page is known by its identity, not by its address: the same
/// page is listed with and without `www.`, and so on.
pub(super) fn identities(pages: &[PageRecord]) -> BTreeSet<String> {
    pages.iter().map(|page| page_identity(&page.url)).collect()
}

/// Returns the hits of several rankings, best first, without pages that are known and hosts that
/// are not allowed.
pub(super) fn new_hits(
    session: &Session,
    rankings: &[Vec<WebHit>],
    known: &BTreeSet<String>,
) -> Vec<WebHit> {
    fuse(rankings)
        .into_iter()
        .filter(|hit| matches_domain(&session.domains, &hit.url))
        .filter(|hit| !known.contains(&page_identity(&hit.url)))
        .collect()
}

/// Returns the queries of a plan's steps, round-robin: the first of each step, then the second of
/// each, and so on, so that every step is searched for before the limit is reached.
fn queries(plan: &Plan) -> Vec<String> {
    let longest = web_steps(plan).map(|step| step.queries.len()).max();
    let mut queries: Vec<String> = Vec::new();
    for turn in 0..longest.unwrap_or(0) {
        for query in web_steps(plan).filter_map(|step| step.queries.get(turn)) {
            if !queries.contains(query) && queries.len() < MAX_QUERIES {
                queries.push(query.clone());
            }
        }
    }
    queries
}

/// Returns the record of a query to a service.
pub(super) fn record(search: &RecordedSearch) -> WebSearch {
    WebSearch {
        service: search.service.clone(),
        query: search.query.clone(),
        hits: search.hits.len(),
        problem: search.problem.clone(),
        cost_usd: search.cost_usd,
    }
}
