//! What a session will take: calls, tokens and money by agent, from its depth alone.

use serde::Serialize;

use super::request::Usage;
use super::{Amount, Models, Price, Tier};

/// The figures of a depth that a forecast is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Steps at most.
    pub steps: usize,
    /// Steps that are worked on together.
    pub at_once: usize,
    /// Passages that a step keeps.
    pub passages: usize,
    /// Sentences that the researcher is shown.
    pub candidates: usize,
}

/// A forecast.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Forecast {
    /// By agent, in the order in which they are asked first.
    pub agents: Vec<ForecastLine>,
    /// All calls.
    pub calls: usize,
    /// All tokens read by models.
    pub input_tokens: u64,
    /// All tokens written by models.
    pub output_tokens: u64,
    /// What they cost, in US dollars; `None` if a price is not known.
    pub cost_usd: Option<f64>,
}

/// The part of one agent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ForecastLine {
    /// The agent.
    pub agent: &'static str,
    /// Which model serves it: `provider:name`.
    pub model: String,
    /// Calls.
    pub calls: usize,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// What they cost, in US dollars; `None` if the price is not known.
    pub cost_usd: Option<f64>,
}

/// Tokens of the instructions of one call, and of a sentence of a document with its fence and
/// headings; measured over the shipped example with a tokeniser of 150,000 words.
const INSTRUCTIONS: usize = 700;
const SENTENCE: usize = 55;

/// What one agent reads and writes: its name, tier, calls, tokens in and out of one call.
type Expected = (&'static str, Tier, usize, usize, usize);

impl Shape {
    /// What the researcher reads for one step.
    pub fn step_tokens(self) -> usize {
        INSTRUCTIONS + SENTENCE * self.candidates
    }

    fn expected(self) -> [Expected; 7] {
        let all = self.steps * self.passages;
        let batches = self.steps.div_ceil(self.at_once.max(1));
        [
            ("coordinator", Tier::Simple, 1, INSTRUCTIONS, 150),
            (
                "planner",
                Tier::Analytical,
                1,
                INSTRUCTIONS,
                90 * self.steps,
            ),
            (
                "researcher",
                Tier::Analytical,
                self.steps,
                self.step_tokens(),
                40 + 20 * self.passages,
            ),
            ("reflector", Tier::Simple, batches, INSTRUCTIONS, 80),
            (
                "analyst",
                Tier::Analytical,
                1,
                INSTRUCTIONS + SENTENCE * all,
                100 + 45 * all,
            ),
            (
                "writer",
                Tier::Complex,
                1,
                INSTRUCTIONS + SENTENCE * all,
                100 + 60 * all,
            ),
            (
                "reviewer",
                Tier::Analytical,
                1,
                INSTRUCTIONS + SENTENCE * all,
                400,
            ),
        ]
    }
}

impl Forecast {
    /// The forecast for one round at a depth.
    pub fn of(shape: Shape, serves: impl Fn(Tier) -> Option<(String, Price)>) -> Self {
        let agents: Vec<ForecastLine> = shape
            .expected()
            .into_iter()
            .map(|(agent, tier, calls, input, output)| {
                let usage = Usage {
                    input: (calls * input) as u64,
                    output: (calls * output) as u64,
                    ..Usage::default()
                };
                let serving = serves(tier);
                let price = serving.as_ref().map(|(_, price)| *price);
                ForecastLine {
                    agent,
                    model: serving.map_or_else(String::new, |(name, _)| name),
                    calls,
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
            cost_usd: agents.iter().map(|line| line.cost_usd).sum(),
            agents,
        }
    }

    /// What to keep back so that what is gathered can be analysed, written and reviewed.
    pub fn reserve(shape: Shape, models: &Models, output_tokens: impl Fn(&str) -> u32) -> Amount {
        let mut reserve = Amount::default();
        let finishing = ["analyst", "writer", "reviewer"];
        for (agent, tier, calls, input, _) in shape.expected() {
            let Some(model) = models.for_tier(tier).filter(|_| finishing.contains(&agent)) else {
                continue;
            };
            let most = output_tokens(agent).saturating_add(model.price.thinking_tokens);
            let usage = Usage {
                input: (calls * input) as u64,
                output: calls as u64 * u64::from(most),
                ..Usage::default()
            };
            reserve.tokens += usage.input + usage.output;
            reserve.usd += model.price.cost(&usage);
        }
        reserve
    }
}
