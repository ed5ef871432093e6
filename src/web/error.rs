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
    /// Nobody can be trusted to be who they say.
    #[error(
        "cannot fetch {url}: the system's certificates cannot be used: {problem}; install a package of CA certificates"
    )]
    Certificates {
        /// The address.
        url: String,
        /// What is wrong with them.
        problem: String,
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
    /// A search service says no.
    #[error("failed to ask {service} at {url}: it answers {status}; {}", service_remedy(service, *status))]
    Service {
        /// Its name.
        service: String,
        /// Its address, without what was asked.
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
    /// What came has no text.
    #[error(
        "fetched {url}, but cannot read it: it holds no text; if it is a scan, run text recognition on it first"
    )]
    Empty {
        /// The address.
        url: String,
    },
    /// A browser could not show it.
    #[error("fetched {url}, but could not run its scripts in a browser: {problem}")]
    Rendering {
        /// The address.
        url: String,
        /// Why, and what to do.
        problem: String,
    },
}

/// What caused an error in the first place: of an HTTP client's, it says most.
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

/// What to do about a service's status; Brave and Google call a wrong key a wrong request, and 432
/// and 433 are Tavily's.
fn service_remedy(service: &str, status: u16) -> &'static str {
    match (service, status) {
        ("searxng", 403) => return "it gives no JSON; add json to search.formats in its settings",
        ("reddit", 401 | 403 | 429) => {
            return "it answers registered programs; set REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET, and check the key";
        }
        ("stack-exchange", 400) => {
            return "it does not take the request, or its limit is reached; ask less at once, or check its key";
        }
        ("openalex", 403 | 429) => {
            return "its limit is reached; set OPENALEX_API_KEY to a free key of openalex.org, or try again later";
        }
        _ => {}
    }
    match status {
        400 | 422 => "it does not take the request; check its key and what else it is set up with",
        401 | 403 => "its key is missing, wrong or used up; check the key in the settings",
        402 | 432 | 433 => "what its plan allows is used up; extend it or use another service",
        429 => "its limit is reached; try again later or ask less at once",
        500.. => "it is out of order; try again later or use another service",
        _ => "check its address in the settings",
    }
}

impl WebError {
    /// The address that was asked for.
    pub fn url(&self) -> &str {
        match self {
            Self::Address { url, .. }
            | Self::Private { url, .. }
            | Self::Certificates { url, .. }
            | Self::Robots { url }
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
    pub(super) fn of_fault(url: &str, error: &tokio::task::JoinError) -> Self {
        Self::Unreadable {
            url: url.to_owned(),
            problem: format!("the program has a fault: {error}"),
        }
    }

    /// The same of an address for whose sake another was asked.
    pub(super) fn at(self, address: &Url) -> Self {
        let url = address.to_string();
        match self {
            Self::Connection { problem, .. } => Self::Connection { url, problem },
            Self::Certificates { problem, .. } => Self::Certificates { url, problem },
            Self::TimedOut { seconds, .. } => Self::TimedOut { url, seconds },
            Self::Private { target, .. } => Self::Private { url, target },
            other => other,
        }
    }

    /// The same, if it is a status, as that of a search service.
    pub(super) fn of_service(self, name: &str) -> Self {
        match self {
            Self::Status { url, status } => Self::Service {
                service: name.to_owned(),
                url,
                status,
            },
            other => other,
        }
    }

    /// Whether the same request may succeed at another time: nothing is said of what is there.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Connection { .. }
            | Self::TimedOut { .. }
            | Self::Certificates { .. }
            | Self::Robots { .. } => true,
            Self::Status { status, .. } | Self::Service { status, .. } => {
                matches!(status, 408 | 425 | 429 | 500..)
            }
            _ => false,
        }
    }

    /// Whether the same request may well succeed when it is sent again soon.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Connection { .. } => true,
            Self::Status { status, .. } | Self::Service { status, .. } => {
                matches!(status, 429 | 502 | 503 | 504)
            }
            _ => false,
        }
    }
}
