//! Which pages a browser shows, and what is made of what it shows.

use url::Url;

use super::page::kind;
use super::visit::read;
use super::{Browser, Fetched, Fetcher, Page, Proxy, Rendering, WebError};
use crate::read::{Reader, html};

/// A page with scripts and fewer characters of text than this is shown by a browser. It is the
/// length below which the reader of pages doubts what it has found: a notice that scripts are
/// needed, or a menu.
const BARE_CHARACTERS: usize = 200;

/// The share of a page's time in which it may fetch; in the rest it is shown as far as it has come.
const FETCHING_SHARE: f64 = 0.5;

impl Fetcher {
    /// This fetcher, with a browser for pages that are written by scripts.
    #[must_use]
    pub fn with_browser(mut self, browser: Option<Browser>) -> Self {
        self.browser = browser;
        self
    }

    /// The browser for pages that are written by scripts.
    pub fn browser(&self) -> Option<&Browser> {
        self.browser.as_ref()
    }

    /// A proxy for a browser that shows a page.
    ///
    /// # Errors
    /// When the page's own server may not be reached.
    pub async fn proxy(&self, page: &Url) -> Result<Proxy, WebError> {
        let lasting = self.limits().timeout.mul_f64(FETCHING_SHARE);
        Proxy::of_page(page, &self.resolver, self.limits(), lasting).await
    }

    /// A page that was fetched, as the browser shows it.
    async fn shown(&self, browser: &Browser, page: &Url) -> Result<Fetched, WebError> {
        let _turn = browser.turn().await;
        // It is one reader more for the page's server.
        let host = page.host_str().unwrap_or_default();
        let port = page.port_or_known_default().unwrap_or_default();
        let _permit = self.pace.turn(&format!("{host}:{port}")).await;
        let proxy = self.proxy(page).await?;
        let shown = browser.shown(page.as_str(), proxy.address(), self.limits());
        let shown = shown
            .await
            .map_err(|error| failed(page, format!("{error:#}")))?;
        let mut url = page.clone();
        for place in shown.places {
            if place.origin() != page.origin() {
                let problem = format!("it leads to {place}, which is another site; ask for that");
                return Err(failed(page, problem));
            }
            url = place;
        }
        url.set_fragment(None);
        if url != *page {
            self.allow(&url).await?;
        }
        Ok(Fetched {
            url,
            media_type: Some("text/html; charset=utf-8".to_owned()),
            body: shown.html,
            from_cache: false,
            given_at: self.clock.now(),
        })
    }
}

/// Why a page cannot be shown.
pub(super) fn failed(page: &Url, problem: String) -> WebError {
    let url = page.to_string();
    WebError::Rendering { url, problem }
}

/// Whether what was fetched is a page, and scripts may write what is not in it.
pub(super) fn has_scripts(reader: &Reader, fetched: &Fetched) -> bool {
    const SCRIPT: &[u8] = b"<script";
    let mut parts = fetched.body.windows(SCRIPT.len());
    kind(reader, fetched) == Some(&html::KIND)
        && parts.any(|part| part.eq_ignore_ascii_case(SCRIPT))
}

/// A page as a browser shows it, if it was read to next to no text and the browser shows more.
pub(super) async fn rendered(
    fetcher: &Fetcher,
    reader: &Reader,
    url: &Url,
    page: Result<Page, WebError>,
) -> Result<Page, WebError> {
    let length = match &page {
        Ok(page) => characters(page),
        Err(WebError::Empty { .. }) => 0,
        Err(_) => return page,
    };
    let Some(browser) = fetcher.browser().filter(|_| length < BARE_CHARACTERS) else {
        return page;
    };
    let shown = match fetcher.shown(browser, url).await {
        Ok(shown) => read(reader, shown).await,
        Err(error) => Err(error),
    };
    match (shown, page) {
        (Ok(shown), _) if characters(&shown) > length => Ok(Page {
            rendering: Rendering::Done,
            ..shown
        }),
        (Ok(_) | Err(WebError::Empty { .. }), page) => page,
        (Err(error), Ok(page)) => Ok(Page {
            rendering: Rendering::Failed(error),
            ..page
        }),
        (Err(error), Err(_)) => Err(error),
    }
}

/// The characters of a page's text that are not white.
fn characters(page: &Page) -> usize {
    let text = page.document.text.chars();
    text.filter(|c| !c.is_whitespace()).count()
}
