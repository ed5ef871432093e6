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

use url::Url;

use crate::read::Document;

pub use config::{AUTO, ProviderTable};
pub use provider::{Defaults, PageApi, PageSetup, SearchProvider, SearchResponse, ServiceConfig};
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

/// `true` for the name of a service of people's posts.
pub fn is_social(service: &str) -> bool {
    let mut social = PROVIDERS.iter().filter(|own| own.is_social);
    social.any(|own| own.name == service)
}

/// `true` for the address of a thread of such a service.
pub fn is_thread(address: &str) -> bool {
    let Ok(page) = Url::parse(address) else {
        return false;
    };
    let mut apis = page_apis();
    apis.any(|api| (api.owns)(&page))
}

/// The thread in the reply of a page API, by its bytes alone; `None` where it is none.
pub(super) fn parse_thread(bytes: &[u8]) -> Option<Document> {
    page_apis().find_map(|api| (api.parse)(bytes))
}

fn page_apis() -> impl Iterator<Item = &'static PageApi> {
    PROVIDERS.iter().filter_map(|own| own.page_api.as_ref())
}
