//! The upper bounds of what a plan's search of the web may cost.

use anyhow::Result;
use serde::Serialize;

use crate::artifact::Session;
use crate::web::{ProviderTable, SearchProvider};

/// The maximum number of queries of a plan that go to the web (chosen by hand).
pub(super) const MAX_QUERIES: usize = 12;

/// The upper bounds of the web search of a plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchForecast {
    /// The services that will be searched.
    pub services: Vec<&'static str>,
    /// The maximum number of queries to each.
    pub queries: usize,
    /// The maximum cost of all of them, in US dollars, by the table of services.
    pub cost_usd: f64,
}

impl SearchForecast {
    /// The forecast for a session; `None` if it does not search the web.
    ///
    /// # Errors
    /// When a service that it names cannot be used.
    pub fn of(session: &Session, services: &ProviderTable) -> Result<Option<Self>> {
        let chosen = services.select(&session.search, &session.topic)?;
        let forecast = Self {
            services: chosen.iter().map(|service| service.name).collect(),
            queries: MAX_QUERIES,
            cost_usd: upper_bound(services, &chosen, MAX_QUERIES),
        };
        Ok((!chosen.is_empty()).then_some(forecast))
    }
}

/// Returns the maximum cost of this many queries to each of these services, in US dollars.
pub(super) fn upper_bound(
    services: &ProviderTable,
    chosen: &[&SearchProvider],
    queries: usize,
) -> f64 {
    let each = chosen.iter().map(|service| {
        let queries = queries.min(services.max_queries(service));
        services.usd_per_query(service) * queries as f64
    });
    each.sum()
}
