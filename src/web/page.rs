//! A fetched response as a document: its kind by the bytes, the server and the address, its text by
//! the readers of files.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use tokio::runtime::{self, Runtime};
use url::Url;

use super::error::WebError;
use super::fetch::{FetchResponse, contents};
use super::hit::WebHit;
use super::prompt_injection::detect_prompt_injection;
use super::request::redacted;
use super::search::{is_thread, parse_thread};
use crate::read::{Document, Kind, ReadError, Reader, metadata};
use crate::text::{is_deceptive, truncate_with_ellipsis};

/// A page that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The address, after all redirects.
    pub url: Url,
    /// The clean text, and the title, author and date that the page states.
    pub document: Document,
    /// `true` for a cache hit.
    pub from_cache: bool,
    /// The time at which the server last sent or confirmed it.
    pub confirmed_at: DateTime<Utc>,
    /// The sentence in it that gives orders to a language model, if there is one.
    pub prompt_injection: Option<String>,
    /// The part that a browser had in its text.
    pub rendering: Rendering,
    /// `true` for a thread: posts of people.
    pub is_thread: bool,
}

/// The part that a browser had in a page's text.
#[derive(Debug, Clone, PartialEq)]
pub enum Rendering {
    /// None: the page as it was sent has its text, or there is no browser.
    None,
    /// Its text is that of the page as rendered by the browser.
    Done,
    /// The browser could not render it; its text is that of the page as it was sent, next to none.
    Failed(WebError),
}

impl Page {
    /// Fills in what the page does not state by what a search service says of it: title, author and
    /// date. What the page states goes first, since a service may mean another edition.
    #[must_use]
    pub fn with_fallbacks(mut self, hit: &WebHit) -> Self {
        let document = &mut self.document;
        // A reader that finds no title makes one of the file's name.
        let stands_in = metadata::name_as_title(&file_name(&self.url));
        if document.title == stands_in && !hit.title.is_empty() {
            document.title = truncated(&hit.title);
        }
        if document.author.is_none() {
            document.author = hit.author.as_deref().map(truncated);
        }
        if document.date.is_none() {
            document.date = hit.date.clone().filter(|date| is_absolute(date));
        }
        self
    }
}

/// `true` for a date that begins with a year, as `2020` or `2020-05-06T07:08:09Z`. Services also
/// write relative ones, as `3 days ago`, which say nothing once they are stored.
fn is_absolute(date: &str) -> bool {
    let (year, rest) = date.split_at_checked(4).unwrap_or((date, ""));
    year.len() == 4
        && year.bytes().all(|byte| byte.is_ascii_digit())
        && (rest.is_empty() || rest.starts_with('-'))
}

/// The longest title or author, in characters; what is longer is neither.
const TITLE_CHARACTERS: usize = 300;

/// The pages that a process parses at once: parsing is processor time, so more would only hold each
/// other up.
const PARSERS: usize = 2;

/// Reads a response as a page, on a thread where blocking holds nobody up.
pub(super) async fn read_page(reader: &Reader, response: FetchResponse) -> Result<Page, WebError> {
    let (reader, url) = (reader.clone(), response.url.to_string());
    on_parser(&url, move || page(&reader, response)).await
}

/// Does some work with the bytes of a page on one of [`PARSERS`] threads, which do nothing else: an
/// allocator keeps memory for each thread that has had a large page, so that pages of megabytes on
/// any of many threads would take some for all of them.
///
/// # Errors
/// Those of the work, and when there is no thread for it.
pub(super) async fn on_parser<T: Send + 'static>(
    url: &str,
    work: impl FnOnce() -> Result<T, WebError> + Send + 'static,
) -> Result<T, WebError> {
    static RUNTIME: LazyLock<io::Result<Runtime>> = LazyLock::new(|| {
        let mut runtime = runtime::Builder::new_current_thread();
        let runtime = runtime.max_blocking_threads(PARSERS);
        runtime.thread_name("page").build()
    });
    let runtime = RUNTIME.as_ref().map_err(|error| WebError::Unreadable {
        url: url.to_owned(),
        problem: format!("there is no thread to read it: {error}"),
    })?;
    let done = runtime.spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(WebError::of_panic(url, &error)))
}

/// Reads a response as a page. This blocks for as long as the reader's limits let it.
///
/// # Errors
/// When there is no text in it, or it is of no kind that can be read.
pub fn page(reader: &Reader, response: FetchResponse) -> Result<Page, WebError> {
    // By its bytes alone: a thread is JSON, which no other reader takes for a page.
    let _reserved = reader.reserve(response.body.length());
    let body = contents(&response.url, &response.body)?;
    let thread = parse_thread(&body);
    // Also what cannot be parsed: it is of people, whatever it looks like.
    let is_thread = thread.is_some() || is_thread(response.url.as_str());
    let mut document = match thread {
        Some(thread) => thread,
        None => document(reader, &response, &body)?,
    };
    document.title = truncated(&document.title);
    document.author = document.author.map(|author| truncated(&author));
    let prompt_injection = detect_prompt_injection(&document.title)
        .or_else(|| detect_prompt_injection(&document.text));
    if prompt_injection.is_some() {
        tracing::debug!(url = %redacted(&response.url), "prompt injection detected in a page");
    }
    Ok(Page {
        url: response.url,
        prompt_injection,
        document,
        from_cache: response.from_cache,
        confirmed_at: response.confirmed_at,
        rendering: Rendering::None,
        is_thread,
    })
}

/// The document in a response, by the reader of its kind.
fn document(reader: &Reader, response: &FetchResponse, body: &[u8]) -> Result<Document, WebError> {
    let unreadable = |problem: String| WebError::Unreadable {
        url: response.url.to_string(),
        problem,
    };
    let kind = kind(reader, response, body).ok_or_else(|| {
        let kinds = reader.kinds.labels();
        unreadable(format!(
            "it is neither a page nor another kind of document that can be read ({kinds}); \
             save it as one of these and give it with --docs"
        ))
    })?;
    let name = file_name(&response.url);
    let charset = charset(response.media_type.as_deref().unwrap_or_default());
    let read = reader.read_bytes(&name, kind, body, charset);
    read.map_err(|error| match error {
        ReadError::Empty { .. } => WebError::Empty {
            url: response.url.to_string(),
        },
        error => unreadable(problem(&error, &name)),
    })
}

/// The kind of a body: by its bytes, by the server's media type and by its address.
pub(super) fn kind(reader: &Reader, response: &FetchResponse, body: &[u8]) -> Option<Kind> {
    let media_type = response.media_type.as_deref().unwrap_or_default();
    let name = Path::new(response.url.path());
    reader.kinds.detect(name, media_type, body)
}

/// A file name for an address: its last part, with nothing in it that means anything to a file
/// system.
fn file_name(url: &Url) -> PathBuf {
    let last = url
        .path_segments()
        .and_then(|mut parts| parts.rfind(|part| !part.is_empty()));
    let plain: String = last
        .unwrap_or_default()
        .chars()
        .take(100)
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') {
                c
            } else {
                '_'
            }
        })
        .collect();
    let plain = plain.trim_matches('.');
    if plain.is_empty() {
        return PathBuf::from(url.host_str().unwrap_or("page"));
    }
    PathBuf::from(plain)
}

/// The character set that a server names.
fn charset(media_type: &str) -> Option<&str> {
    let parameters = media_type.split(';').skip(1);
    let mut named = parameters.filter_map(|one| one.split_once('='));
    let (_, value) = named.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    Some(value.trim().trim_matches('"'))
}

/// The problem of a reader's error, without the name of a file, since there is none.
fn problem(error: &ReadError, name: &Path) -> String {
    let (text, name) = (error.to_string(), name.display().to_string());
    if let Some(rest) = text.strip_prefix(&name) {
        return format!("it{rest}");
    }
    match text.split_once(&format!(" {name}: ")) {
        Some((_, problem)) => problem.to_owned(),
        None => text,
    }
}

/// A title or an author, cut, without characters that hide or reorder it.
fn truncated(text: &str) -> String {
    let plain = text.replace(is_deceptive, "");
    truncate_with_ellipsis(&plain, TITLE_CHARACTERS).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(address: &str, media_type: Option<&str>, body: &[u8]) -> FetchResponse {
        FetchResponse {
            url: Url::parse(address).unwrap(),
            media_type: media_type.map(str::to_owned),
            body: body.to_vec().into(),
            from_cache: false,
            confirmed_at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn file_names_of_addresses_mean_nothing_to_a_file_system() {
        for (address, wanted) in [
            ("http://e.org/a/b.html", "b.html"),
            ("http://e.org/", "e.org"),
            ("http://e.org/..%2f..%2fetc%2fpasswd", "2f.._2fetc_2fpasswd"),
            ("http://e.org/a/%2e%2e/%00/", "_00"),
        ] {
            let name = file_name(&Url::parse(address).unwrap());
            let parts = name.components().count();
            assert!(
                parts == 1 && !name.to_string_lossy().contains('/'),
                "{address}: {wanted} {name:?}"
            );
        }
    }

    #[test]
    fn charset_is_read_from_the_media_type() {
        assert_eq!(
            charset("text/html; Charset=\"iso-8859-1\""),
            Some("iso-8859-1")
        );
        assert_eq!(charset("text/html"), None);
        let page = response(
            "http://e.org/a",
            Some("text/plain; charset=iso-8859-2"),
            b"\xb1 to jest tekst",
        );
        let read = super::page(&Reader::in_process(), page).unwrap();
        assert_eq!(read.document.text, "ą to jest tekst\n");
    }

    #[test]
    fn titles_and_authors_hide_and_reorder_nothing() {
        let html = "<title>On&#x202e; heat&#xe0041;</title>\
            <meta name=author content='Ann&#x2066; B&#x9b;'><p>Heat pumps are quiet.";
        let response = response("http://e.org/x", Some("text/html"), html.as_bytes());
        let document = page(&Reader::in_process(), response).unwrap().document;
        assert_eq!(document.title, "On heat");
        // A reference to a C1 control is one to a character of windows-1252 in HTML.
        assert_eq!(document.author.as_deref(), Some("Ann B›"));
    }

    #[test]
    fn a_hit_fills_in_what_its_page_does_not_state() {
        let read = |html: &str| {
            let response = response("http://e.org/my-page", Some("text/html"), html.as_bytes());
            page(&Reader::in_process(), response).unwrap()
        };
        let hit = WebHit {
            title: "On heat".to_owned(),
            author: Some("Ann B".to_owned()),
            date: Some("2020-05".to_owned()),
            ..WebHit::default()
        };
        let stated = |page: Page| {
            let document = page.document;
            (document.title, document.author, document.date)
        };
        let bare = read("<p>Heat pumps are quiet.");
        let filled = (
            "On heat".to_owned(),
            Some("Ann B".to_owned()),
            Some("2020-05".to_owned()),
        );
        assert_eq!(stated(bare.clone().with_fallbacks(&hit)), filled);
        let relative = WebHit {
            date: Some("3 days ago".to_owned()),
            ..WebHit::default()
        };
        assert_eq!(bare.clone().with_fallbacks(&relative), bare);
        let full = read(
            "<title>Noise</title><meta name=author content='Cid D'>\
             <meta property=article:published_time content=2019-01-02><p>Heat pumps are quiet.",
        );
        assert_eq!(full.clone().with_fallbacks(&hit), full);
    }
}
