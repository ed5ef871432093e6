//! Names into addresses, of which only those are handed on that may be connected to.
//!
//! The connection is made to the very addresses that were checked, so a name that changes its addresses between the check
//! and the connection gains nothing.

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

/// A resolver for the HTTP client.
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

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let (guard, lookup) = (self.guard.clone(), self.lookup.clone());
        Box::pin(async move {
            let host = name.as_str();
            let found = lookup.lookup(host).await?;
            let allowed = |address: &&IpAddr| guard.allows(host, **address);
            let open: Vec<SocketAddr> = found
                .iter()
                .filter(allowed)
                .map(|address| SocketAddr::new(*address, 0))
                .collect();
            if let (true, Some(first)) = (open.is_empty(), found.first()) {
                let target = format!("{host} ({first})");
                return Err(Refused { target }.into());
            }
            let open: Addrs = Box::new(open.into_iter());
            Ok(open)
        })
    }
}
