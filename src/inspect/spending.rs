//! What a session's calls came to: by stage and agent, and in all.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use crate::agent::{AGENTS, expected_calls};
use crate::artifact::{Paid, Research, Session};
use crate::config::Settings;
use crate::model::{Call, Catalogue, Forecast, Tier, calls};
use crate::pipeline::{Event, read_events};
use crate::run::depth_shape;
use crate::stage::STAGES;

/// The calls of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spending {
    /// Every call, in the order of stages, rounds and agents.
    pub calls: Vec<CallSummary>,
    /// Sums by stage, round and agent, in the same order.
    pub agents: Vec<Totals>,
    /// The sum of all.
    pub total: Totals,
    /// What searching the web cost besides, in US dollars.
    pub searches_usd: f64,
    /// Calls whose answer was lost when a run died, and tries that broke off: they may have been
    /// billed besides.
    pub possibly_billed: usize,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallSummary {
    /// Its file.
    pub file: String,
    /// The stage that asked.
    pub stage: String,
    /// The round in which it asked.
    pub round: u32,
    /// The agent that asked.
    pub agent: String,
    /// What it was asked about.
    pub about: String,
    /// 1 for the first question.
    pub attempt: u32,
    /// Tries, those that brought no reply among them.
    pub tries: usize,
    /// Which model answered.
    pub model: String,
    /// Whether there is an answer.
    pub answered: bool,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// What it cost, in US dollars, if the price is known.
    pub cost_usd: Option<f64>,
    /// How long it took.
    pub latency_milliseconds: u64,
    /// What had to be repaired.
    pub repairs: Vec<String>,
    /// Why the answer could not be used, if so.
    pub problem: Option<String>,
}

/// A sum.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Totals {
    /// The stage; empty for the sum of all.
    pub stage: String,
    /// The round; 0 for the sum of all.
    pub round: u32,
    /// The agent; empty for the sum of all.
    pub agent: String,
    /// Calls that were answered.
    pub calls: usize,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// What they cost, in US dollars; `None` if a price is not known.
    pub cost_usd: Option<f64>,
    /// How long they took together.
    pub latency_milliseconds: u64,
    /// Answers that had to be repaired.
    pub repaired: usize,
    /// Answers that could not be used.
    pub unusable: usize,
}

impl Totals {
    fn add(&mut self, spent: &CallSummary) {
        if self.calls == 0 && self.unusable == 0 {
            self.cost_usd = Some(0.0);
        }
        if spent.answered {
            self.calls += 1;
            self.cost_usd = self
                .cost_usd
                .zip(spent.cost_usd)
                .map(|(all, one)| all + one);
        }
        self.input_tokens += spent.input_tokens;
        self.output_tokens += spent.output_tokens;
        self.latency_milliseconds += spent.latency_milliseconds;
        self.repaired += usize::from(!spent.repairs.is_empty());
        self.unusable += usize::from(spent.problem.is_some());
    }
}

/// What the calls of the session at `path` came to.
///
/// # Errors
/// When the journal cannot be read.
pub fn spending(path: &Path) -> Result<Spending> {
    let journal = calls(path)?;
    let mut possibly_billed = read_events(path)
        .iter()
        .filter(|entry| matches!(entry.event, Event::PossiblyBilled { .. }))
        .count();
    for call in &journal {
        let tries = call.failed_tries.iter();
        possibly_billed += tries.filter(|failed| failed.possibly_billed).count();
        let is_open = call.reply.is_none() && call.rejection.is_none();
        possibly_billed += usize::from(is_open);
    }
    let mut spent: Vec<CallSummary> = journal.into_iter().map(spent).collect();
    spent.sort_by_key(order);
    let mut agents: Vec<Totals> = Vec::new();
    let mut total = Totals::default();
    for one in &spent {
        let is_same = |sum: &&mut Totals| {
            (&sum.stage, sum.round, &sum.agent) == (&one.stage, one.round, &one.agent)
        };
        match agents.last_mut().filter(is_same) {
            Some(sum) => sum.add(one),
            None => {
                let mut sum = Totals {
                    stage: one.stage.clone(),
                    round: one.round,
                    agent: one.agent.clone(),
                    ..Totals::default()
                };
                sum.add(one);
                agents.push(sum);
            }
        }
        total.add(one);
    }
    Ok(Spending {
        calls: spent,
        agents,
        total,
        searches_usd: Paid::by(path)?,
        possibly_billed,
    })
}

fn spent(call: Call) -> CallSummary {
    let file = call.file();
    let reply = call.reply;
    let usage = reply.as_ref().map(|reply| reply.usage).unwrap_or_default();
    CallSummary {
        file,
        stage: call.stage,
        round: call.round,
        agent: call.agent,
        about: call.about,
        attempt: call.attempt,
        tries: call.failed_tries.len() + usize::from(reply.is_some()),
        model: call.model,
        answered: reply.is_some(),
        input_tokens: usage.input,
        output_tokens: usage.output,
        cost_usd: reply.as_ref().and_then(|reply| reply.cost_usd),
        latency_milliseconds: reply.as_ref().map_or(0, |reply| reply.latency_milliseconds),
        repairs: call.repairs,
        problem: call.rejection.map(|slip| slip.problem),
    }
}

/// Stages and agents in the order in which they are asked; then what they were asked about.
fn order(spent: &CallSummary) -> (usize, u32, usize, String, u32, String) {
    let place = |found: Option<usize>| found.unwrap_or(usize::MAX);
    let stage = STAGES.iter().position(|stage| stage.name == spent.stage);
    let agent = AGENTS.iter().position(|card| card.name == spent.agent);
    (
        place(stage),
        spent.round,
        place(agent),
        spent.about.clone(),
        spent.attempt,
        spent.file.clone(),
    )
}

/// What one round of a session was to take, by the models that answered in it; `None` if none did.
pub(super) fn forecast(
    session: &Session,
    research: Option<&Research>,
    spending: &Spending,
    settings: &Settings,
) -> Option<Forecast> {
    let mut names: BTreeMap<Tier, &str> = BTreeMap::new();
    for spent in &spending.calls {
        let card = AGENTS.iter().find(|card| card.name == spent.agent)?;
        names.insert(card.tier, &spent.model);
    }
    let any = *names.values().next()?;
    let prices = Catalogue::load().ok()?.prices;
    let depth = research.map_or(session.depth, |research| research.depth);
    let expected = expected_calls(AGENTS, depth_shape(settings, depth));
    Some(Forecast::of(&expected, |tier| {
        let name = names.get(&tier).copied().unwrap_or(any);
        Some((name.to_owned(), prices.price_of(name)))
    }))
}
