//! How much a server may take of us, and we of it.

use std::time::Duration;

/// Limits of all fetching. Each has a default that suits reading single pages of strangers.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Who we say we are; the part before `/` is the name that robots.txt knows us by.
    pub user_agent: String,
    /// Hosts, addresses and networks (`10.0.0.0/8`) that may be read although they are private.
    pub allow: Vec<String>,
    /// Whether robots.txt is asked and obeyed.
    pub obey_robots: bool,
    /// The largest body, decompressed, in bytes.
    pub max_bytes: u64,
    /// Redirects that are followed for one page.
    pub max_redirects: usize,
    /// How long one request may take, from its first byte to the last of its answer.
    pub timeout: Duration,
    /// How long a connection may take.
    pub connect_timeout: Duration,
    /// Requests at a time to one host.
    pub per_host: usize,
    /// Requests at a time to all hosts.
    pub at_once: usize,
    /// The least time between the beginnings of two requests to one host.
    pub gap: Duration,
    /// How often a request is sent again that was told to wait or found no connection.
    pub retries: u32,
    /// The wait before the first repetition; each further one doubles it. A server that names a
    /// time is given that.
    pub retry_wait: Duration,
    /// The longest wait that a server may ask for.
    pub max_wait: Duration,
    /// Where an archive is asked for copies of pages that are gone; empty for nowhere.
    pub archive: String,
    /// How long the reply of a service is good for the same question; zero keeps none.
    pub reply_age: Duration,
}

impl Default for Limits {
    /// One request at a time and a tenth of a second between them is what a fast reader does; 10
    /// MiB hold the longest single-page standards; more than 10 redirects are a loop. What a
    /// service finds changes from day to day.
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
    /// The name that robots.txt knows us by.
    pub fn product(&self) -> &str {
        let end = self.user_agent.find(['/', ' ']);
        &self.user_agent[..end.unwrap_or(self.user_agent.len())]
    }
}
