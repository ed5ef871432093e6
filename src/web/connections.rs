//! The HTTP clients, with connection pools under the limits: one for each guard, since a resolver
//! knows names and no ports, and with TLS or without. Each is built when it is first needed,
//! because reading the system's certificates takes longer than reading a page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use reqwest::{Client, ClientBuilder, redirect};
use url::Url;

use super::error::{WebError, innermost};
use super::guard::SsrfGuard;
use super::limits::Limits;
use super::resolver::{GuardedResolver, Lookup};

/// The HTTP clients by their use of TLS and by the guard of their connections.
pub(super) struct Connections {
    clients: Mutex<HashMap<(bool, SsrfGuard), Client>>,
    limits: Limits,
    lookup: Arc<dyn Lookup>,
}

impl Connections {
    pub(super) fn new(limits: Limits, lookup: Arc<dyn Lookup>) -> Self {
        install_cryptography();
        Self {
            clients: Mutex::default(),
            limits,
            lookup,
        }
    }

    /// The same without any connection.
    pub(super) fn none_yet(&self) -> Self {
        Self::new(self.limits.clone(), self.lookup.clone())
    }

    /// The client for an address under a guard: a connection is never reused under another one.
    pub(super) fn client(&self, url: &Url, guard: &SsrfGuard) -> Result<Client, WebError> {
        let (is_secure, guard) = (url.scheme() == "https", guard.at(url));
        let clients = || self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (is_secure, guard.clone());
        if let Some(client) = clients().get(&key) {
            return Ok(client.clone());
        }
        let mut builder = builder(&self.limits, self.resolver(guard));
        if !is_secure {
            // No certificate is trusted, so none is read from the system.
            builder = builder.tls_certs_only([]);
        }
        let client = builder.build().map_err(|error| WebError::Certificates {
            url: url.to_string(),
            problem: innermost(&error),
        })?;
        Ok(clients().entry(key).or_insert(client).clone())
    }

    /// The resolver under a guard.
    pub(super) fn resolver(&self, guard: SsrfGuard) -> GuardedResolver {
        let lookup = self.lookup.clone();
        GuardedResolver { guard, lookup }
    }
}

fn builder(limits: &Limits, resolver: GuardedResolver) -> ClientBuilder {
    Client::builder()
        .user_agent(&limits.user_agent)
        // A proxy would resolve names past the SSRF guard; redirects are followed by the fetcher,
        // which checks each.
        .no_proxy()
        .redirect(redirect::Policy::none())
        .referer(false)
        .dns_resolver(Arc::new(resolver))
        .connect_timeout(limits.connect_timeout)
        .pool_max_idle_per_host(limits.per_host)
}

/// The HTTP client takes the process's cryptography and panics without one.
fn install_cryptography() {
    static INSTALLED: OnceLock<()> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        // An error says that another part of the process was first, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
