//! Errors of the web: each names the address, the cause and the remedy, for the person who asked.

use std::time::Duration;

use url::Url;

/// An error of fetching, searching or reading. Addresses in it are without credentials, and those
/// of services without their queries.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WebError {
    /// The address is malformed, or its protocol is neither http nor https.
    #[error("cannot fetch {url}: {problem}; give an address that begins with http:// or https://")]
    Address {
        /// The address as it was given.
        url: String,
        /// The reason.
        problem: String,
    },
    /// The SSRF guard refuses the address: it leads to a private network or to this machine.
    #[error(
        "refused to fetch {url}: {target} is not a public address; \
         if you trust it, add it to network.allow, which redirects of public pages do not use"
    )]
    Private {
        /// The address, or the one that was redirected to.
        url: String,
        /// The host or number that is not public.
        target: String,
    },
    /// Certificates of servers cannot be verified.
    #[error(
        "cannot fetch {url}: the system's certificates cannot be used: {problem}; \
         install a package of CA certificates"
    )]
    Certificates {
        /// The address.
        url: String,
        /// The reason.
        problem: String,
    },
    /// The site does not want to be read by programs.
    #[error(
        "did not fetch {url}: its site's robots.txt asks programs not to; \
         read it yourself and give it with --docs"
    )]
    Robots {
        /// The address.
        url: String,
    },
    /// The session's domains leave the host out.
    #[error("did not fetch {url}: its host is not among --domains, by which this session reads")]
    Domain {
        /// The address, or the one that was redirected to.
        url: String,
    },
    /// No connection, or one that broke.
    #[error("failed to fetch {url}: {problem}; check the address and your connection")]
    Connection {
        /// The address.
        url: String,
        /// The cause.
        problem: String,
    },
    /// The request timed out.
    #[error(
        "failed to fetch {url}: no complete response within {} s; \
         try again, or raise network.timeout_seconds",
        seconds.as_secs_f64()
    )]
    TimedOut {
        /// The address.
        url: String,
        /// The limit.
        seconds: Duration,
    },
    /// The time of the run was over.
    #[error("did not get {url}: the time for gathering was over; raise --timeout")]
    OutOfTime {
        /// The address, or the name of the service.
        url: String,
    },
    /// The run was interrupted before the page came.
    #[error("dropped {url}: the run was interrupted")]
    Interrupted {
        /// The address.
        url: String,
    },
    /// The body is larger than the limit.
    #[error(
        "stopped fetching {url}: it holds more than {limit} bytes; \
         raise network.max_mebibytes to read it"
    )]
    TooLarge {
        /// The address.
        url: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// There are too many redirects.
    #[error(
        "gave up on {url}: it redirects more than {limit} times; \
         open it in a browser to see where it leads"
    )]
    Redirects {
        /// The first address.
        url: String,
        /// The limit.
        limit: usize,
    },
    /// The server answers with an error status.
    #[error("failed to fetch {url}: the server answers {status}; {}", remedy(*status))]
    Status {
        /// The address.
        url: String,
        /// Its HTTP status.
        status: u16,
    },
    /// A search service answers with an error status.
    #[error("failed to ask {service} at {url}: it answers {status}; {remedy}")]
    Service {
        /// Its name.
        service: String,
        /// Its address, without the query.
        url: String,
        /// Its HTTP status.
        status: u16,
        /// The remedy.
        remedy: &'static str,
    },
    /// The body cannot be read.
    #[error("fetched {url}, but cannot read it: {problem}")]
    Unreadable {
        /// The address.
        url: String,
        /// The cause and the remedy.
        problem: String,
    },
    /// The body has no text.
    #[error(
        "fetched {url}, but cannot read it: it holds no text; \
         if it is a scan, run text recognition on it first"
    )]
    Empty {
        /// The address.
        url: String,
    },
    /// A browser could not render the page.
    #[error("fetched {url}, but could not run its scripts in a browser: {problem}")]
    Rendering {
        /// The address.
        url: String,
        /// The cause and the remedy.
        problem: String,
    },
}

/// The innermost cause of an error: of an HTTP client's errors, it says most.
pub(super) fn innermost(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(cause) = innermost.source() {
        innermost = cause;
    }
    innermost.to_string()
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
    /// The address.
    pub fn url(&self) -> &str {
        match self {
            Self::Address { url, .. }
            | Self::Private { url, .. }
            | Self::Certificates { url, .. }
            | Self::Robots { url }
            | Self::Domain { url }
            | Self::OutOfTime { url }
            | Self::Interrupted { url }
            | Self::Connection { url, .. }
            | Self::TimedOut { url, .. }
            | Self::TooLarge { url, .. }
            | Self::Redirects { url, .. }
            | Self::Status { url, .. }
            | Self::Service { url, .. }
            | Self::Unreadable { url, .. }
            | Self::Empty { url }
            | Self::Rendering { url, .. } => url,
        }
    }

    /// A task that panicked: a fault of this program, which takes one page and nothing else.
    pub(super) fn of_panic(url: &str, error: &tokio::task::JoinError) -> Self {
        // One page is lost, as one that cannot be read; all others go on.
        Self::Unreadable {
            url: url.to_owned(),
            problem: format!("the program has a fault: {error}"),
        }
    }

    /// The same error for another address, on whose behalf this one was fetched.
    pub(super) fn with_url(self, address: &Url) -> Self {
        let url = address.to_string();
        match self {
            Self::Connection { problem, .. } => Self::Connection { url, problem },
            Self::Certificates { problem, .. } => Self::Certificates { url, problem },
            Self::TimedOut { seconds, .. } => Self::TimedOut { url, seconds },
            Self::Private { target, .. } => Self::Private { url, target },
            other => other,
        }
    }

    /// The error of a page that a browser could not render.
    #[cfg(feature = "browser")]
    pub(super) fn of_rendering(page: &Url, problem: String) -> Self {
        let url = page.to_string();
        Self::Rendering { url, problem }
    }

    /// `true` if the same request may succeed at another time: it says nothing about the page.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Connection { .. }
            | Self::TimedOut { .. }
            | Self::OutOfTime { .. }
            | Self::Interrupted { .. }
            | Self::Certificates { .. }
            | Self::Robots { .. } => true,
            // 408 Request Timeout, 425 Too Early (RFC 8470), 429 Too Many Requests (RFC 6585), and
            // all faults of the server's own.
            Self::Status { status, .. } | Self::Service { status, .. } => {
                matches!(status, 408 | 425 | 429 | 500..)
            }
            _ => false,
        }
    }

    /// `true` if the same request is worth a retry within seconds.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Connection { .. } => true,
            // The server is busy, or a gateway before it is. After 500 the same request fails
            // again, and after a timeout there is no time for another.
            Self::Status { status, .. } | Self::Service { status, .. } => {
                matches!(status, 429 | 502 | 503 | 504)
            }
            _ => false,
        }
    }
}
