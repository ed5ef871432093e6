//! Addresses into bytes and pages: fetched with manners, within limits, and never from where nobody asked to go.
//!
//! Everything that comes from outside is hostile: a server may answer for ever, inflate a page to gigabytes, or send us on
//! to an address of this machine. Refuses to know what a page is wanted for, and to go anywhere a page tells it to but by
//! an announced redirect, which is checked like the first address.

mod archive;
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
mod resolver;
mod robots;
mod services;
mod suspicion;

pub use cache::{Cache, Contents};
pub use domains::{check_domain, matches_domain};
pub use error::WebError;
pub use fetch::{Fetched, Fetcher, Replied};
pub use guard::Guard;
pub use limits::Limits;
pub use online::{Online, Searched};
pub use page::{Page, page};
pub use providers::{Asked, Provider, Setup, WebHit};
pub use resolver::{Found, Lookup, System};
pub use services::{AUTO, Services};
pub use suspicion::addresses_a_model;
