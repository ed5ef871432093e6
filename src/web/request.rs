//! A request to a service: address, headers, body and key, with what may be said of it in errors,
//! logs and the cache.
//!
//! Keys never stand in the address that is kept here: [`ServiceRequest::sent_to`] adds them when
//! the request is sent, so that no error, trace or cache file can repeat one.

use std::fmt;
use std::time::Duration;

use serde_json::Value;
use url::Url;

use crate::pipeline::Digest;

/// The length from which a word of a header may be a key. Shorter ones, as `Bearer`, occur in every
/// reply; keys of all services here have at least 20 characters.
const SECRET_BYTES: usize = 8;

/// A request to a service.
#[derive(Clone, PartialEq)]
pub struct ServiceRequest {
    /// The address, with the query in it where it is one of GET.
    pub url: Url,
    /// The headers that the service requires.
    pub headers: Vec<(&'static str, String)>,
    /// The body of a POST request; `None` for GET.
    pub body: Option<Body>,
    /// A query parameter with the key, which is added to the address when the request is sent and
    /// is written nowhere.
    pub key: Option<(&'static str, String)>,
    /// The least time since the last request to the service.
    pub gap: Duration,
}

/// The body of a POST request.
#[derive(Clone, PartialEq)]
pub enum Body {
    /// JSON.
    Json(Value),
    /// The fields of a form, percent-encoded.
    Form(&'static str),
}

impl Body {
    /// The media type of the body.
    pub fn media_type(&self) -> &'static str {
        match self {
            Self::Json(_) => "application/json",
            Self::Form(_) => "application/x-www-form-urlencoded",
        }
    }

    /// The body as it is sent.
    pub fn text(&self) -> String {
        match self {
            Self::Json(value) => value.to_string(),
            Self::Form(fields) => (*fields).to_owned(),
        }
    }
}

/// Without the query and the headers, either of which may hold a key.
impl fmt::Debug for ServiceRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceRequest")
            .field("url", &redacted(&self.url).as_str())
            .finish_non_exhaustive()
    }
}

impl ServiceRequest {
    /// A GET request.
    pub fn get(url: Url) -> Self {
        Self {
            url,
            headers: Vec::new(),
            body: None,
            key: None,
            gap: Duration::ZERO,
        }
    }

    /// A POST request.
    pub fn post(url: Url, body: Body) -> Self {
        Self {
            body: Some(body),
            ..Self::get(url)
        }
    }

    /// The same request with its key as a query parameter, if there is a key.
    #[must_use]
    pub fn with_key(self, name: &'static str, key: Option<&String>) -> Self {
        let key = key.map(|key| (name, key.clone()));
        Self { key, ..self }
    }

    /// The same request with one more header.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The address to which it is sent, with the key.
    pub(super) fn sent_to(&self) -> Url {
        let mut url = self.url.clone();
        if let Some((name, key)) = &self.key {
            url.query_pairs_mut().append_pair(name, key);
        }
        url
    }

    /// The cache key: a digest of method, address and body, without headers and so without the
    /// service's key.
    pub(super) fn digest(&self) -> Digest {
        // Reddit's id and secret are sent as user name and password.
        let mut url = self.url.clone();
        strip_credentials(&mut url);
        match &self.body {
            None => Digest::of(format!("GET {url}")),
            Some(body) => Digest::of(format!("POST {url}\n{}", body.text())),
        }
    }

    /// `true` if a reply repeats a secret that was sent with the request.
    pub(super) fn is_leaked_by(&self, reply: &[u8]) -> bool {
        // Word by word: of `Bearer KEY`, the key alone is a secret.
        let header_words = self.headers.iter().flat_map(|(_, value)| value.split(' '));
        let key = self.key.iter().map(|(_, key)| key.as_str());
        header_words
            .chain(self.url.password())
            .chain(key)
            .filter(|word| word.len() >= SECRET_BYTES)
            .any(|word| {
                reply
                    .windows(word.len())
                    .any(|part| part == word.as_bytes())
            })
    }
}

/// An address without what may hold a secret: its query, user name, password and fragment.
pub(super) fn redacted(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    strip_credentials(&mut url);
    url
}

/// Removes user name and password. Both fail only for addresses that cannot have them.
pub(super) fn strip_credentials(url: &mut Url) {
    let _ = url.set_username("");
    let _ = url.set_password(None);
}
