//! The forecast of a session: calls, tokens and cost by agent, computed from the expected calls
//! alone.

use schemars::JsonSchema;
use serde::Serialize;

use super::request::Usage;
use super::{Amount, Models, Phase, Price, Tier};

/// The calls that one agent is expected to make in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallEstimate {
    /// The number of calls.
    pub calls: usize,
    /// Tokens that the model reads in one call.
    pub input_tokens: usize,
    /// Tokens that the model writes in one call.
    pub output_tokens: usize,
}

/// The estimate for one agent, with everything that its price depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedCalls {
    /// The agent.
    pub agent: &'static str,
    /// The tier of the model that answers for it.
    pub tier: Tier,
    /// The budget phase of its calls.
    pub phase: Phase,
    /// The limit of a reply in tokens, thinking aside.
    pub max_output_tokens: u32,
    /// The estimate.
    pub estimate: CallEstimate,
}

/// A forecast.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Forecast {
    /// By agent, in the order of their first calls.
    pub agents: Vec<ForecastLine>,
    /// All calls.
    pub calls: usize,
    /// All tokens read by models.
    pub input_tokens: u64,
    /// All tokens written by models.
    pub output_tokens: u64,
    /// The cost in US dollars; `None` if a price is missing.
    pub cost_usd: Option<f64>,
    /// The tokens that a budget must allow: research as expected, and the reserve for finishing.
    pub needed_tokens: u64,
    /// The cost in US dollars that a budget must allow; `None` if a price is missing.
    pub needed_usd: Option<f64>,
}

/// The part of an agent in a forecast.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ForecastLine {
    /// The agent.
    pub agent: &'static str,
    /// The model that serves it: `provider:name`.
    pub model: String,
    /// Calls.
    pub calls: usize,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// The cost in US dollars; `None` if there is no price.
    pub cost_usd: Option<f64>,
}

impl Forecast {
    /// The forecast for one round.
    pub fn of(
        expected: &[ExpectedCalls],
        serves: impl Fn(Tier) -> Option<(String, Price)>,
    ) -> Self {
        let needed: Vec<(Usage, Option<Price>)> = expected
            .iter()
            .map(|agent| {
                let price = serves(agent.tier).map(|(_, price)| price);
                let thinking_tokens = price.map_or(0, |price| price.thinking_tokens);
                let usage = match agent.phase {
                    Phase::Gathering => agent.usage(agent.estimate.output_tokens),
                    Phase::Finishing => agent.upper_bound(thinking_tokens),
                };
                (usage, price.filter(|price| price.is_known))
            })
            .collect();
        let agents: Vec<ForecastLine> = expected
            .iter()
            .map(|agent| {
                // The expected tokens, unlike in `reserve`: a forecast is not an upper bound.
                let usage = agent.usage(agent.estimate.output_tokens);
                let serving = serves(agent.tier);
                let price = serving.as_ref().map(|(_, price)| *price);
                ForecastLine {
                    agent: agent.agent,
                    model: serving.map_or_else(String::new, |(name, _)| name),
                    calls: agent.estimate.calls,
                    input_tokens: usage.input,
                    output_tokens: usage.output,
                    cost_usd: price
                        .filter(|price| price.is_known)
                        .map(|price| price.cost(&usage)),
                }
            })
            .collect();
        Self {
            calls: agents.iter().map(|line| line.calls).sum(),
            input_tokens: agents.iter().map(|line| line.input_tokens).sum(),
            output_tokens: agents.iter().map(|line| line.output_tokens).sum(),
            // `None` if a price is missing: a partial sum would look like a total.
            cost_usd: agents.iter().map(|line| line.cost_usd).sum(),
            needed_tokens: needed
                .iter()
                .map(|(usage, _)| usage.input + usage.output)
                .sum(),
            needed_usd: needed
                .iter()
                .map(|(usage, price)| Some(price.as_ref()?.cost(usage)))
                .sum(),
            agents,
        }
    }

    /// The amount to reserve for the calls that finish a report, so that what is gathered can be
    /// analyzed, written and reviewed.
    pub fn reserve(expected: &[ExpectedCalls], models: &Models) -> Amount {
        let mut reserve = Amount::default();
        let finishing = expected
            .iter()
            .filter(|agent| agent.phase == Phase::Finishing);
        for agent in finishing {
            let Some(model) = models.for_tier(agent.tier) else {
                continue;
            };
            let usage = agent.upper_bound(model.price.thinking_tokens);
            reserve.tokens += usage.input + usage.output;
            reserve.usd += model.price.cost(&usage);
        }
        reserve
    }
}

impl ExpectedCalls {
    /// The tokens of all its calls, with replies at their limit: a reserve that is too small loses
    /// the report.
    fn upper_bound(&self, thinking_tokens: u32) -> Usage {
        self.usage(self.max_output_tokens.saturating_add(thinking_tokens) as usize)
    }

    /// The tokens of all its calls, with this many output tokens in each.
    fn usage(&self, output_tokens: usize) -> Usage {
        let CallEstimate {
            calls,
            input_tokens,
            ..
        } = self.estimate;
        Usage {
            input: (calls * input_tokens) as u64,
            output: (calls * output_tokens) as u64,
            ..Usage::default()
        }
    }
}
