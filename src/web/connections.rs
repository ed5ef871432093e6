//! The HTTP clients, with connection pools under the limits: the one with TLS is built when it is
//! first needed, because reading the system's certificates takes longer than reading a page.

use std::sync::{Arc, OnceLock};

use anyhow::{Context as _, Result};
use reqwest::{Client, ClientBuilder, redirect};
use url::Url;

use super::error::{WebError, innermost};
use super::limits::Limits;
use super::resolver::GuardedResolver;

/// The HTTP clients: one without TLS and one with it.
pub(super) struct Connections {
    plain: Client,
    secure: OnceLock<Client>,
    limits: Limits,
    resolver: Arc<GuardedResolver>,
}

impl Connections {
    pub(super) fn new(limits: Limits, resolver: Arc<GuardedResolver>) -> Result<Self> {
        install_cryptography();
        let plain = builder(&limits, &resolver)
            // No certificate is trusted, so none is read from the system.
            .tls_certs_only([])
            .build()
            .context("failed to prepare for fetching pages")?;
        Ok(Self {
            plain,
            secure: OnceLock::new(),
            limits,
            resolver,
        })
    }

    /// The client for an address.
    pub(super) fn client(&self, url: &Url) -> Result<&Client, WebError> {
        if url.scheme() != "https" {
            return Ok(&self.plain);
        }
        if let Some(client) = self.secure.get() {
            return Ok(client);
        }
        let client = builder(&self.limits, &self.resolver).build();
        let client = client.map_err(|error| WebError::Certificates {
            url: url.to_string(),
            problem: innermost(&error),
        })?;
        Ok(self.secure.get_or_init(|| client))
    }
}

fn builder(limits: &Limits, resolver: &Arc<GuardedResolver>) -> ClientBuilder {
    Client::builder()
        .user_agent(&limits.user_agent)
        // A proxy would resolve names past the SSRF guard; redirects are followed by the fetcher,
        // which checks each.
        .no_proxy()
        .redirect(redirect::Policy::none())
        .referer(false)
        .dns_resolver(resolver.clone())
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
