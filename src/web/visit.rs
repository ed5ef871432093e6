//! One address into a page: fetched and read, and rendered by a browser where its text is written
//! by scripts.

use super::error::WebError;
use super::fetch::{FetchResponse, Fetcher};
use super::page::{Page, read_page};
use crate::read::Reader;

/// Fetches an address and reads it as a page. With the feature `browser`, and a browser that the
/// fetcher has, a page with next to no text is rendered by that; if this fails, the page stays as
/// it was sent.
///
/// # Errors
/// When it cannot be fetched, holds no text even in a browser, or is of no kind that can be read.
pub async fn visit(fetcher: &Fetcher, reader: &Reader, address: &str) -> Result<Page, WebError> {
    let response = fetcher.fetch(address).await?;
    read_or_render(fetcher, reader, response).await
}

/// A response as a page, as [`visit`] reads it.
#[cfg_attr(
    not(feature = "browser"),
    expect(unused_variables, reason = "only the browser needs the fetcher")
)]
pub(super) async fn read_or_render(
    fetcher: &Fetcher,
    reader: &Reader,
    response: FetchResponse,
) -> Result<Page, WebError> {
    // Read first: most pages with scripts have their text without them, and a browser costs
    // seconds.
    #[cfg(feature = "browser")]
    if super::browser::has_scripts(reader, &response).await {
        let url = response.url.clone();
        let page = read_page(reader, response).await;
        return super::browser::render_if_bare(fetcher, reader, &url, page).await;
    }
    read_page(reader, response).await
}
