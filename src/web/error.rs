//! Why something could not be had from the web, for the person who asked for it.

use std::time::Duration;

use url::Url;

/// Why something could not be had from the web.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WebError {
    /// The address is none, or not of the web.
    #[error("cannot fetch {url}: {problem}; give an address that begins with http:// or https://")]
    Address {
        /// What was given.
        url: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The address leads to a private network or to this machine.
    #[error(
        "refused to fetch {url}: {target} is not a public address; if you trust it, add it to network.allow"
    )]
    Private {
        /// The address, or the one that was redirected to.
        url: String,
        /// The host or number that is not public.
        target: String,
    },
    /// The site does not want to be read by programs.
    #[error(
        "did not fetch {url}: its site's robots.txt asks programs not to; read it yourself and give it with --docs"
    )]
    Robots {
        /// The address.
        url: String,
    },
    /// No connection, or one that broke.
    #[error("failed to fetch {url}: {problem}; check the address and your connection")]
    Connection {
        /// The address.
        url: String,
        /// What went wrong.
        problem: String,
    },
    /// It took too long.
    #[error("failed to fetch {url}: no whole answer within {} s; try again, or raise network.timeout_seconds", seconds.as_secs_f64())]
    TimedOut {
        /// The address.
        url: String,
        /// The limit.
        seconds: Duration,
    },
    /// The body is larger than the limit.
    #[error(
        "stopped fetching {url}: it holds more than {limit} bytes; raise network.max_mebibytes to read it"
    )]
    TooLarge {
        /// The address.
        url: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// It was sent on and on.
    #[error(
        "gave up on {url}: it redirects more than {limit} times; open it in a browser to see where it leads"
    )]
    Redirects {
        /// The first address.
        url: String,
        /// The limit.
        limit: usize,
    },
    /// The server says no.
    #[error("failed to fetch {url}: the server answers {status}; {}", remedy(*status))]
    Status {
        /// The address.
        url: String,
        /// Its HTTP status.
        status: u16,
    },
    /// What came cannot be read.
    #[error("fetched {url}, but cannot read it: {problem}")]
    Unreadable {
        /// The address.
        url: String,
        /// Why, and what to do.
        problem: String,
    },
}

fn remedy(status: u16) -> &'static str {
    match status {
        401 | 403 => "it wants a login or no programs; read it yourself and give it with --docs",
        404 | 410 => "the page is gone; look for it in an archive",
        429 | 503 => "it is busy; try again later",
        _ => "try again later or check the address",
    }
}

impl WebError {
    /// The address that was asked for.
    pub fn url(&self) -> &str {
        match self {
            Self::Address { url, .. }
            | Self::Private { url, .. }
            | Self::Robots { url }
            | Self::Connection { url, .. }
            | Self::TimedOut { url, .. }
            | Self::TooLarge { url, .. }
            | Self::Redirects { url, .. }
            | Self::Status { url, .. }
            | Self::Unreadable { url, .. } => url,
        }
    }

    /// The same of an address for whose sake another was asked.
    pub(super) fn at(self, address: &Url) -> Self {
        let url = address.to_string();
        match self {
            Self::Connection { problem, .. } => Self::Connection { url, problem },
            Self::TimedOut { seconds, .. } => Self::TimedOut { url, seconds },
            Self::Private { target, .. } => Self::Private { url, target },
            other => other,
        }
    }

    /// Whether the same request may well succeed when it is sent again soon.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Connection { .. } => true,
            Self::Status { status, .. } => matches!(status, 429 | 502 | 503 | 504),
            _ => false,
        }
    }
}
