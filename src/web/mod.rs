//! Addresses into bytes and pages: fetched politely, within limits, and never from where the SSRF
//! guard refuses; queries into hits of search services.
//!
//! Everything that comes from outside is hostile: a server may answer for ever, inflate a page to
//! gigabytes, or redirect us to an address of this machine. Nothing is fetched because a page says
//! so but by a redirect, which is checked like the first address; what a page's own scripts request
//! in a browser is checked likewise.

#[cfg(feature = "browser")]
mod browser;
mod cache;
mod client;
mod connections;
mod domains;
mod error;
mod fetch;
mod guard;
mod hit;
mod limits;
mod page;
mod prompt_injection;
mod rate_limiter;
mod request;
mod resolver;
mod response_body;
mod retry;
pub mod robots;
pub mod search;
mod visit;
mod wayback;

#[cfg(feature = "browser")]
pub use browser::{Browser, Proxy};
pub use cache::{Cache, CacheContents};
pub use client::{ServiceSearch, WebClient};
pub use domains::{check_domain, matches_domain};
pub use error::WebError;
pub use fetch::{FetchResponse, Fetcher, ServiceResponse};
pub use guard::SsrfGuard;
pub use hit::{WebHit, fuse, page_identity};
pub use limits::Limits;
pub use page::{Page, Rendering, page};
pub use prompt_injection::detect_prompt_injection;
pub use request::{Body, ServiceRequest};
pub use resolver::{AddressFuture, Lookup, SystemLookup};
pub use response_body::ResponseBody;
pub use retry::retry_after;
pub use search::{
    AUTO, Defaults, PROVIDERS, ProviderTable, SearchProvider, ServiceConfig, is_social, is_thread,
};
pub use visit::visit;
