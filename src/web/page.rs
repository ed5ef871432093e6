//! What was fetched as a document: its kind from what the server and the bytes say, its text by the
//! readers of files.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use url::Url;

use super::providers::reddit;
use super::suspicion::addresses_a_model;
use super::{Fetched, WebError};
use crate::read::{Document, Kind, ReadError, Reader};

/// A page that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// Where it was found.
    pub url: Url,
    /// Its clean text and what it says about itself.
    pub document: Document,
    /// Whether it was kept from an earlier time.
    pub from_cache: bool,
    /// When its server last gave it.
    pub given_at: DateTime<Utc>,
    /// What in it gives orders to a language model, if something does.
    pub speaks_to_models: Option<String>,
    /// Whether a browser wrote its text.
    pub rendering: Rendering,
}

/// Whether a browser ran a page's scripts for its text.
#[derive(Debug, Clone, PartialEq)]
pub enum Rendering {
    /// The page as it was sent has its text, or there is no browser.
    None,
    /// Its text is what the browser shows.
    Done,
    /// The browser could not; the text is that of the page as it was sent, next to none.
    Failed(WebError),
}

/// The longest title, in characters; what is longer is no title.
const TITLE_CHARACTERS: usize = 300;

/// Reads what was fetched. This may take as long as the reader's limits let it, so it is not called
/// where others wait.
///
/// # Errors
/// When there is no text in it, or it is of no kind that can be read.
pub fn page(reader: &Reader, fetched: Fetched) -> Result<Page, WebError> {
    let mut document = match reddit::thread(&fetched.body) {
        Some(thread) => thread,
        None => document(reader, &fetched)?,
    };
    document.title = shortened(&document.title, TITLE_CHARACTERS);
    document.author = document
        .author
        .map(|author| shortened(&author, TITLE_CHARACTERS));
    Ok(Page {
        url: fetched.url.clone(),
        speaks_to_models: addresses_a_model(&document.title)
            .or_else(|| addresses_a_model(&document.text)),
        document,
        from_cache: fetched.from_cache,
        given_at: fetched.given_at,
        rendering: Rendering::None,
    })
}

/// The document of what was fetched, by the reader of its kind.
fn document(reader: &Reader, fetched: &Fetched) -> Result<Document, WebError> {
    let unreadable = |problem: String| WebError::Unreadable {
        url: fetched.url.to_string(),
        problem,
    };
    let kind = kind(reader, fetched).ok_or_else(|| {
        let kinds = reader.kinds.labels();
        unreadable(format!(
            "it is neither a page nor another kind of document that can be read ({kinds}); \
             save it as one of these and give it with --docs"
        ))
    })?;
    let name = name(&fetched.url);
    let charset = charset(fetched.media_type.as_deref().unwrap_or_default());
    let read = reader.read_bytes(&name, kind, &fetched.body, charset);
    read.map_err(|error| match error {
        ReadError::Empty { .. } => WebError::Empty {
            url: fetched.url.to_string(),
        },
        error => unreadable(problem(&error, &name)),
    })
}

/// The kind of a body: by its bytes, by the server's media type and by its address.
pub(super) fn kind(reader: &Reader, fetched: &Fetched) -> Option<Kind> {
    let media_type = fetched.media_type.as_deref().unwrap_or_default();
    let name = Path::new(fetched.url.path());
    reader.kinds.detect(name, media_type, &fetched.body)
}

/// A file name for an address: its last part, with nothing in it that means anything to a file
/// system.
fn name(url: &Url) -> PathBuf {
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

/// What went wrong, without the name of a file that there is not.
fn problem(error: &ReadError, name: &Path) -> String {
    let (told, name) = (error.to_string(), name.display().to_string());
    if let Some(rest) = told.strip_prefix(&name) {
        return format!("it{rest}");
    }
    let named = told.split_once(&format!(" {name}: "));
    named.map_or(told.clone(), |(_, problem)| problem.to_owned())
}

fn shortened(text: &str, limit: usize) -> String {
    let mut short: String = text.chars().take(limit).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fetched(address: &str, media_type: Option<&str>, body: &[u8]) -> Fetched {
        Fetched {
            url: Url::parse(address).unwrap(),
            media_type: media_type.map(str::to_owned),
            body: body.to_vec(),
            from_cache: false,
            given_at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn names_mean_nothing_to_a_file_system() {
        for (address, wanted) in [
            ("http://e.org/a/b.html", "b.html"),
            ("http://e.org/", "e.org"),
            ("http://e.org/..%2f..%2fetc%2fpasswd", "2f.._2fetc_2fpasswd"),
            ("http://e.org/a/%2e%2e/%00/", "_00"),
        ] {
            let name = name(&Url::parse(address).unwrap());
            let parts = name.components().count();
            assert!(
                parts == 1 && !name.to_string_lossy().contains('/'),
                "{address}: {wanted} {name:?}"
            );
        }
    }

    #[test]
    fn the_server_names_a_character_set() {
        assert_eq!(
            charset("text/html; Charset=\"iso-8859-1\""),
            Some("iso-8859-1")
        );
        assert_eq!(charset("text/html"), None);
        let page = fetched(
            "http://e.org/a",
            Some("text/plain; charset=iso-8859-2"),
            b"\xb1 to jest tekst",
        );
        let read = super::page(&Reader::new("/nonexistent"), page).unwrap();
        assert_eq!(read.document.text, "ą to jest tekst\n");
    }
}
