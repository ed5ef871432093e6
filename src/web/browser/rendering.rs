//! Selects the pages that a browser renders, and reads what it renders.

use std::sync::Arc;

use url::Url;

use super::chromium::Browser;
use super::proxy::Proxy;
use crate::read::{Reader, html};
use crate::web::error::WebError;
use crate::web::fetch::{FetchResponse, Fetcher, authority};
use crate::web::page::{Page, Rendering, kind, on_parser, read_page};
use crate::web::request::redacted;

/// A page with scripts and fewer characters of text than this is rendered by a browser. It is the
/// length below which the reader of HTML doubts its result: a notice that scripts are needed, or a
/// menu.
const BARE_CHARACTERS: usize = 200;

/// The share of a page's timeout in which it may fetch; in the rest it is rendered as far as it has
/// come. Chosen by hand.
const FETCHING_SHARE: f64 = 0.5;

impl Fetcher {
    /// This fetcher, with a browser for pages that are written by scripts.
    #[must_use]
    pub fn with_browser(mut self, browser: Option<Browser>) -> Self {
        self.browser = browser.map(Arc::new);
        self
    }

    /// The browser for pages that are written by scripts.
    pub fn browser(&self) -> Option<&Browser> {
        self.browser.as_deref()
    }

    /// A proxy for a browser that renders a page.
    ///
    /// # Errors
    /// When the page's own server may not be reached.
    pub async fn proxy(&self, page: &Url) -> Result<Proxy, WebError> {
        let lifetime = self.limits().timeout.mul_f64(FETCHING_SHARE);
        Proxy::start(page, &self.resolver(page), self.limits(), lifetime).await
    }

    /// The response of a page, with the body as the browser renders it.
    async fn render(&self, browser: &Browser, page: &Url) -> Result<FetchResponse, WebError> {
        let _slot = browser.acquire().await;
        // To the rate limiter, the browser is one request more to the page's server.
        let _permit = self.rate_limiter.acquire(&authority(page)).await;
        let proxy = self.proxy(page).await?;
        let rendered = browser
            .render(page.as_str(), proxy.address(), self.limits())
            .await
            .map_err(|error| WebError::of_rendering(page, format!("{error:#}")))?;
        let mut url = page.clone();
        for next in rendered.navigations {
            if next.origin() != page.origin() {
                let problem = format!("it leads to {next}, which is another site; ask for that");
                return Err(WebError::of_rendering(page, problem));
            }
            url = next;
        }
        // A script may redirect within its site to where robots.txt forbids.
        url.set_fragment(None);
        if url != *page {
            self.allow_rendered(&url).await?;
        }
        Ok(FetchResponse {
            url,
            media_type: Some("text/html; charset=utf-8".to_owned()),
            body: rendered.html.into(),
            from_cache: false,
            confirmed_at: self.clock.now(),
        })
    }
}

/// `true` if a response is a page with scripts, which may write what is not in it.
pub(in crate::web) async fn has_scripts(reader: &Reader, response: &FetchResponse) -> bool {
    let (reader, response) = (reader.clone(), response.clone());
    let url = response.url.to_string();
    let has_scripts = on_parser(&url, move || Ok(is_scripted(&reader, &response)));
    has_scripts.await.unwrap_or(false)
}

/// `true` if the body of a response is of a page, and has a script.
fn is_scripted(reader: &Reader, response: &FetchResponse) -> bool {
    const SCRIPT: &[u8] = b"<script";
    let _reserved = reader.reserve(response.body.length());
    let Ok(body) = response.body.bytes() else {
        return false;
    };
    let mut parts = body.windows(SCRIPT.len());
    kind(reader, response, &body) == Some(&html::KIND)
        && parts.any(|part| part.eq_ignore_ascii_case(SCRIPT))
}

/// A page as a browser renders it, if it was read to next to no text and the browser renders more.
pub(in crate::web) async fn render_if_bare(
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
    tracing::debug!(url = %redacted(url), characters = length, "rendering a bare page");
    let rendered = match fetcher.render(browser, url).await {
        Ok(response) => read_page(reader, response).await,
        Err(error) => Err(error),
    };
    match (rendered, page) {
        (Ok(rendered), _) if characters(&rendered) > length => Ok(Page {
            rendering: Rendering::Done,
            ..rendered
        }),
        // The browser renders no more than was sent: the page has no more text.
        (Ok(_) | Err(WebError::Empty { .. }), page) => page,
        (Err(error), Ok(page)) => Ok(Page {
            rendering: Rendering::Failed(error),
            ..page
        }),
        (Err(error), Err(_)) => Err(error),
    }
}

/// The number of characters of a page's text without white space.
fn characters(page: &Page) -> usize {
    let text = page.document.text.chars();
    text.filter(|c| !c.is_whitespace()).count()
}
