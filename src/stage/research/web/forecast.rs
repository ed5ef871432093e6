//! The upper bounds of what the web searches of a plan may cost.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::artifact::Session;
use crate::web::{ProviderTable, SearchProvider};

/// The maximum number of queries of a plan that go to the web (chosen by hand).
pub(super) const MAX_QUERIES: usize = 12;

/// The upper bounds of the web searches of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SearchForecast {
    /// The services that will be searched.
    pub services: Vec<&'static str>,
    /// The maximum number of queries to each, by their reason.
    #[serde(flatten)]
    pub queries: ExpectedSearches,
    /// The maximum cost of all of them, in US dollars, by the table of services.
    pub cost_usd: f64,
}

/// The maximum numbers of queries to a service.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExpectedSearches {
    /// The queries of the plan's steps.
    pub queries: usize,
    /// The queries of the background agent, before the plan.
    pub background: usize,
    /// The queries that researchers make in their turns.
    pub turns: usize,
    /// The queries of the step that searches posts, to social services alone.
    pub posts: usize,
}

impl SearchForecast {
    /// The forecast for a session; `None` if it does not search the web.
    ///
    /// # Errors
    /// When a service that it names cannot be used.
    pub fn of(
        session: &Session,
        services: &ProviderTable,
        expected: ExpectedSearches,
    ) -> Result<Option<Self>> {
        let chosen = services.select(&session.search, &session.topic)?;
        let queries = ExpectedSearches {
            queries: expected.queries.min(MAX_QUERIES),
            ..expected
        };
        let of_posts = |service: &&&SearchProvider| service.is_social;
        let social: Vec<&SearchProvider> = chosen.iter().filter(of_posts).copied().collect();
        let all = queries.queries + queries.background + queries.turns;
        let forecast = Self {
            services: chosen.iter().map(|service| service.name).collect(),
            queries,
            cost_usd: upper_bound(services, &chosen, all)
                + upper_bound(services, &social, queries.posts),
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
