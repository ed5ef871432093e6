//! One address into a page: fetched and read, and shown by a browser where its text is written by
//! scripts.

use tokio::sync::Semaphore;

use super::{Fetched, Fetcher, Page, WebError, page};
use crate::read::Reader;

/// Pages that a process parses at once.
static PARSING: Semaphore = Semaphore::const_new(2);

/// Fetches a page and reads it. With the feature `browser`, and a browser that the fetcher knows
/// of, a page of next to no text is shown by that; if this fails, the page is what it was.
///
/// # Errors
/// When it cannot be fetched, there is no text in it or none that a browser could show, or it is of
/// no kind that can be read.
pub async fn visit(fetcher: &Fetcher, reader: &Reader, address: &str) -> Result<Page, WebError> {
    let fetched = fetcher.fetch(address).await?;
    view(fetcher, reader, fetched).await
}

/// What was fetched as a page, as [`visit`] reads it.
#[cfg_attr(
    not(feature = "browser"),
    expect(unused_variables, reason = "it knows the browser")
)]
pub(super) async fn view(
    fetcher: &Fetcher,
    reader: &Reader,
    fetched: Fetched,
) -> Result<Page, WebError> {
    #[cfg(feature = "browser")]
    if super::rendering::has_scripts(reader, &fetched) {
        let url = fetched.url.clone();
        let page = read(reader, fetched).await;
        return super::rendering::rendered(fetcher, reader, &url, page).await;
    }
    read(reader, fetched).await
}

/// What was fetched as a page, read where nobody waits.
pub(super) async fn read(reader: &Reader, fetched: Fetched) -> Result<Page, WebError> {
    let (reader, url) = (reader.clone(), fetched.url.to_string());
    // It is never closed.
    let _turn = PARSING.acquire().await.ok();
    let read = tokio::task::spawn_blocking(move || page(&reader, fetched));
    read.await
        .unwrap_or_else(|error| Err(WebError::of_fault(&url, &error)))
}
