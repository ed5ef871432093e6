//! The forecast of a session: calls, tokens and cost by agent, computed from the expected calls
//! alone.

use schemars::JsonSchema;
use serde::Serialize;

use super::request::Usage;
use super::{Amount, Needs, Phase, Price, Tier};

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
    /// The tokens that a budget must allow, what was spent so far included: upper bounds.
    pub needed_tokens: u64,
    /// The cost in US dollars that a budget must allow, what was spent so far included; `None` if a
    /// price is missing.
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
    /// The amount that a budget must allow, what was spent so far included.
    pub fn needed(&self) -> Amount {
        Amount {
            tokens: self.needed_tokens,
            usd: self.needed_usd.unwrap_or(0.0),
        }
    }

    /// The forecast for one round of a session that has spent this much.
    pub fn of(
        expected: &[ExpectedCalls],
        spent: Amount,
        serves: impl Fn(Tier) -> Option<(String, Price)>,
    ) -> Self {
        let price_of = |tier| serves(tier).map(|(_, price)| price);
        let enough = Needs::of(expected, price_of).enough(spent);
        let agents: Vec<ForecastLine> = expected
            .iter()
            .map(|agent| {
                // The expected tokens, unlike in `reserve`: a forecast is not an upper bound.
                let usage = agent.usage(agent.estimate.calls, agent.estimate.output_tokens);
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
            needed_tokens: enough.tokens,
            needed_usd: expected
                .iter()
                .all(|agent| price_of(agent.tier).is_some_and(|price| price.is_known))
                .then_some(enough.usd),
            agents,
        }
    }
}

impl Needs {
    /// What the expected calls may need at most, by the prices of the tiers. A call without a price
    /// costs nothing, as in a budget.
    pub fn of(expected: &[ExpectedCalls], price_of: impl Fn(Tier) -> Option<Price>) -> Self {
        let mut needs = Self::default();
        for agent in expected {
            let Some(price) = price_of(agent.tier) else {
                continue;
            };
            let all = agent.upper_bound(agent.estimate.calls, &price);
            needs.round = needs.round.plus(all);
            if agent.phase == Phase::Finishing {
                needs.finishing = needs.finishing.plus(all);
            }
            let single = agent.upper_bound(agent.estimate.calls.min(1), &price);
            needs.call = needs.call.max(single);
        }
        needs
    }
}

impl ExpectedCalls {
    /// The amount of this many of its calls, with replies at their limit: a reserve that is too
    /// small loses the report.
    fn upper_bound(&self, calls: usize, price: &Price) -> Amount {
        let output = self.max_output_tokens.saturating_add(price.thinking_tokens);
        let usage = self.usage(calls, output as usize);
        Amount {
            tokens: usage.input + usage.output,
            usd: price.cost(&usage),
        }
    }

    /// The tokens of this many of its calls, with so many output tokens in each.
    fn usage(&self, calls: usize, output_tokens: usize) -> Usage {
        Usage {
            input: (calls * self.estimate.input_tokens) as u64,
            output: (calls * output_tokens) as u64,
            ..Usage::default()
        }
    }
}
