//! The limits of fetching: sizes, timeouts, retries, and the politeness towards servers.

use std::time::Duration;

/// Limits of all fetching. Each has a default that suits reading single pages of strangers.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// The user agent; the part before `/` is the product name in robots.txt.
    pub user_agent: String,
    /// Hosts, addresses (`localhost:8080`) and networks (`10.0.0.0/8`) that may be read although
    /// they are private.
    pub allow: Vec<String>,
    /// `true` to fetch robots.txt and obey it.
    pub obey_robots: bool,
    /// The largest body, decompressed, in bytes.
    pub max_bytes: u64,
    /// The number of redirects that are followed for one page.
    pub max_redirects: usize,
    /// The timeout of one request, from its first byte to the last of its response.
    pub timeout: Duration,
    /// The timeout of a connection.
    pub connect_timeout: Duration,
    /// The number of requests at a time to one host.
    pub per_host: usize,
    /// The number of requests at a time to all hosts.
    pub at_once: usize,
    /// The least time between the beginnings of two requests to one host.
    pub gap: Duration,
    /// The number of retries of a request that was rate limited or found no connection.
    pub retries: u32,
    /// The back-off before the first retry; each further one doubles it. A server that sends
    /// `Retry-After` is given that time.
    pub retry_wait: Duration,
    /// The longest wait between two attempts, whatever a server asks for.
    pub max_wait: Duration,
    /// The address of the archive that is asked for copies of dead pages; empty for none.
    pub archive: String,
    /// The time for which the reply of a service is a cache hit for the same request; zero caches
    /// none.
    pub reply_age: Duration,
}

impl Default for Limits {
    /// Chosen by hand: two requests at a time, a tenth of a second apart, are what a browser does
    /// without harm; 10 MiB hold the longest single-page standards; more than 10 redirects are a
    /// loop. The results of a service change from day to day.
    fn default() -> Self {
        Self {
            user_agent: concat!("research/", env!("CARGO_PKG_VERSION")).to_owned(),
            allow: Vec::new(),
            obey_robots: true,
            max_bytes: 10 * 1024 * 1024,
            max_redirects: 10,
            timeout: Duration::from_secs(20),
            connect_timeout: Duration::from_secs(10),
            per_host: 2,
            at_once: 32,
            gap: Duration::from_millis(100),
            retries: 2,
            retry_wait: Duration::from_secs(1),
            max_wait: Duration::from_secs(30),
            archive: "https://archive.org/wayback/available".to_owned(),
            reply_age: Duration::from_secs(24 * 3600),
        }
    }
}

impl Limits {
    /// The product name in robots.txt.
    pub fn product(&self) -> &str {
        let end = self.user_agent.find(['/', ' ']);
        &self.user_agent[..end.unwrap_or(self.user_agent.len())]
    }
}
