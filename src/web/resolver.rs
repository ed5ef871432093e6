//! Names into addresses, of which only those are handed on that may be connected to.
//!
//! The connection is made to the very addresses that were checked, so a name that changes its
//! addresses between the check and the connection gains nothing.

use std::error::Error;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::Guard;

/// Addresses of a name, some time later.
pub type Found = Pin<Box<dyn Future<Output = std::io::Result<Vec<IpAddr>>> + Send>>;

/// Where a name's addresses come from: the system, or a table in a test.
pub trait Lookup: Send + Sync {
    /// The addresses of a host.
    fn lookup(&self, host: &str) -> Found;
}

/// The system's own resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct System;

impl Lookup for System {
    fn lookup(&self, host: &str) -> Found {
        let host = host.to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((host.as_str(), 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// A resolver that hands on what a guard allows.
#[derive(Clone)]
pub(super) struct Guarded {
    pub(super) guard: Arc<Guard>,
    pub(super) lookup: Arc<dyn Lookup>,
}

/// All addresses of a host were refused.
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

impl Guarded {
    /// The addresses of a name that may be connected to.
    pub(super) async fn addresses(
        &self,
        host: &str,
    ) -> Result<Vec<IpAddr>, Box<dyn Error + Send + Sync>> {
        let found = self.lookup.lookup(host).await?;
        let allowed = |address: &&IpAddr| self.guard.allows(host, **address);
        let open: Vec<IpAddr> = found.iter().filter(allowed).copied().collect();
        if let (true, Some(first)) = (open.is_empty(), found.first()) {
            let target = format!("{host} ({first})");
            return Err(Refused { target }.into());
        }
        Ok(open)
    }
}

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let guarded = self.clone();
        Box::pin(async move {
            let open = guarded.addresses(name.as_str()).await?;
            let open = open.into_iter().map(|address| SocketAddr::new(address, 0));
            let open: Addrs = Box::new(open);
            Ok(open)
        })
    }
}
