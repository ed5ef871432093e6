//! Addresses into bytes and pages: fetched with manners, within limits, and never from where nobody
//! asked to go.
//!
//! Everything that comes from outside is hostile: a server may answer for ever, inflate a page to
//! gigabytes, or send us on to an address of this machine. Refuses to know what a page is wanted
//! for, and to go anywhere a page tells it to but by an announced redirect, which is checked like
//! the first address; what a page's own scripts ask for in a browser is checked likewise.

mod access;
mod archive;
#[cfg(feature = "browser")]
mod browser;
mod cache;
mod connections;
mod domains;
mod error;
mod fetch;
mod guard;
mod limits;
mod online;
mod pace;
mod page;
pub mod providers;
#[cfg(feature = "browser")]
mod proxy;
#[cfg(feature = "browser")]
mod rendering;
mod resolver;
mod robots;
mod services;
mod suspicion;
mod visit;

#[cfg(feature = "browser")]
pub use browser::Browser;
pub use cache::{Cache, Contents};
pub use domains::{check_domain, matches_domain};
pub use error::WebError;
pub use fetch::{Fetched, Fetcher, Replied};
pub use guard::Guard;
pub use limits::Limits;
pub use online::{Online, Searched};
pub use page::{Page, Rendering, page};
pub use providers::{Asked, Body, Provider, Setup, WebHit};
#[cfg(feature = "browser")]
pub use proxy::Proxy;
pub use resolver::{Found, Lookup, System};
pub use services::{AUTO, Services};
pub use suspicion::addresses_a_model;
pub use visit::visit;
