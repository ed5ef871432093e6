//! Pages that are missing or damaged are read again.

use anyhow::{Context as _, Result, bail};

use super::pages::{PAGES, PageStore};
use crate::artifact::Session;
use crate::artifact::collected::{Collected, PageRecord};
use crate::extension::is_locator;
use crate::stage::stage_run::StageRun;
use crate::text::counted;
use crate::web::{Page, WebError};

/// Returns the pages of an earlier run, with missing and damaged ones read again; `None` if nothing
/// has changed.
///
/// The files of pages are written without a flush, so that a loss of power may have damaged them,
/// and a damaged text must not be quoted.
pub(super) async fn repair(
    run: StageRun<'_>,
    session: &Session,
    collected: &Collected,
    earlier: &[PageRecord],
) -> Result<Option<Collected>> {
    let store = PageStore::new(run);
    let mut unusable = Vec::new();
    for (index, page) in collected.pages.iter().enumerate() {
        if store.supersede_damaged(page)? {
            unusable.push(index);
        }
    }
    let mut lost = unusable.iter().map(|index| &collected.pages[*index].url);
    if let Some(lost) = lost.find(|address| is_locator(address)) {
        bail!(
            "what {lost} returned is missing or damaged in {PAGES}; start over with \
             --from research"
        );
    }
    let read = read_again(run, session, collected, &unusable).await?;
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
                store.failed(&old.url, &problem)
            }
            Ok(page) => store.store(&page, old.points, old.comments)?,
            Err(error) => store.failed_by(&old.url, &error),
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
    run: StageRun<'_>,
    session: &Session,
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
    let Some(client) = &run.context.web_client else {
        bail!(
            "the saved copy of {first} in {PAGES} is missing or damaged; run without --offline \
                 to read it again"
        );
    };
    let count = counted(addresses.len(), "page");
    run.progress(format!("reading {count} again"))?;
    let read = client.read(&addresses, &session.domains).await;
    run.workspace.stop_if_interrupted()?;
    let mut failures = read.iter().filter_map(|read| read.as_ref().err());
    match failures.find(|failure| failure.is_transient()) {
        Some(failure) => Err(failure.clone()).context(format!(
            "saved pages in {PAGES} are missing or damaged; run again later, or start over \
                 with --from research"
        )),
        None => Ok(read),
    }
}
