//! DNS resolution under the SSRF guard: of a name's addresses, only those are returned that may be
//! connected to.
//!
//! This is the defence against DNS rebinding: the connection is made to the very addresses that
//! were checked, so a name that changes its addresses between the check and the connection gains
//! nothing.

use std::error::Error;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::guard::SsrfGuard;

/// The addresses of a name, once they are resolved.
pub type AddressFuture = Pin<Box<dyn Future<Output = std::io::Result<Vec<IpAddr>>> + Send>>;

/// A source of addresses: the system, or a table in a test.
pub trait Lookup: Send + Sync {
    /// The addresses of a host.
    fn lookup(&self, host: &str) -> AddressFuture;
}

/// The system's own resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn lookup(&self, host: &str) -> AddressFuture {
        let host = host.to_owned();
        Box::pin(async move {
            let addresses = tokio::net::lookup_host((host.as_str(), 0)).await?;
            Ok(addresses.map(|address| address.ip()).collect())
        })
    }
}

/// A resolver that returns only addresses that the guard allows.
#[derive(Clone)]
pub(super) struct GuardedResolver {
    pub(super) guard: SsrfGuard,
    pub(super) lookup: Arc<dyn Lookup>,
}

/// The error of a host all of whose addresses were refused.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) target: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} is not public", self.target)
    }
}

impl Error for Refused {}

impl GuardedResolver {
    /// The addresses of a name that may be connected to.
    pub(super) async fn addresses(
        &self,
        host: &str,
    ) -> Result<Vec<IpAddr>, Box<dyn Error + Send + Sync>> {
        let resolved = self.lookup.lookup(host).await?;
        let allowed: Vec<IpAddr> = resolved
            .iter()
            .filter(|address| self.guard.allows(host, **address))
            .copied()
            .collect();
        // A name with public and private addresses stays reachable at the public ones. One without
        // any address is an error of the connection, and not a refusal.
        if let (true, Some(first)) = (allowed.is_empty(), resolved.first()) {
            tracing::debug!(host, address = %first, "SSRF guard refused all addresses of a host");
            let target = format!("{host} ({first})");
            return Err(Refused { target }.into());
        }
        Ok(allowed)
    }
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            let addresses = resolver.addresses(name.as_str()).await?;
            // Port 0 stands for the port of the address that is fetched.
            let sockets = addresses
                .into_iter()
                .map(|address| SocketAddr::new(address, 0));
            let sockets: Addrs = Box::new(sockets);
            Ok(sockets)
        })
    }
}
