//! Connections to servers, under the limits: those with TLS are prepared when one is first wanted,
//! because reading the system's certificates takes longer than reading a page.

use std::sync::{Arc, OnceLock};

use anyhow::{Context as _, Result};
use reqwest::{Client, ClientBuilder, redirect};
use url::Url;

use super::error::innermost;
use super::resolver::Guarded;
use super::{Limits, WebError};

/// Who sends requests.
pub(super) struct Connections {
    plain: Client,
    secure: OnceLock<Client>,
    limits: Limits,
    resolver: Arc<Guarded>,
}

impl Connections {
    pub(super) fn new(limits: Limits, resolver: Arc<Guarded>) -> Result<Self> {
        install_cryptography();
        let plain = builder(&limits, &resolver)
            // None is trusted, none is read.
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

    /// Who sends requests to an address.
    pub(super) fn to(&self, url: &Url) -> Result<&Client, WebError> {
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

fn builder(limits: &Limits, resolver: &Arc<Guarded>) -> ClientBuilder {
    Client::builder()
        .user_agent(&limits.user_agent)
        // A proxy would resolve names out of our sight; redirects are followed here, each checked.
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
        // An error says that another part of the program was first, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
