//! Search services: a query into addresses worth reading. One file each defines how the service is
//! asked and how its reply is parsed.
//!
//! To add one: a file here with its [`SearchProvider`], and its line in [`PROVIDERS`]. Its name in
//! `--search`, its settings, `research doctor` and the texts of its errors derive from that.

mod config;
mod provider;
mod query;
mod reddit_thread;
pub mod reply;
mod token;

mod arxiv;
mod brave;
mod crossref;
mod exa;
mod github;
mod google;
mod hacker_news;
mod openalex;
mod pubmed;
mod reddit;
mod searxng;
mod semantic_scholar;
mod serper;
mod stack_exchange;
mod tavily;
mod wikipedia;

pub use config::{AUTO, ProviderTable};
pub use provider::{Defaults, PageApi, SearchProvider, SearchResponse, ServiceConfig};
pub use reddit_thread::parse_thread;
pub(super) use token::TokenCache;

/// All search services, in the order in which they are listed and asked.
pub const PROVIDERS: &[&SearchProvider] = &[
    &searxng::PROVIDER,
    &brave::PROVIDER,
    &tavily::PROVIDER,
    &google::PROVIDER,
    &serper::PROVIDER,
    &exa::PROVIDER,
    &wikipedia::PROVIDER,
    &arxiv::PROVIDER,
    &openalex::PROVIDER,
    &crossref::PROVIDER,
    &semantic_scholar::PROVIDER,
    &pubmed::PROVIDER,
    &hacker_news::PROVIDER,
    &stack_exchange::PROVIDER,
    &github::PROVIDER,
    &reddit::PROVIDER,
];
