//! The spending of a session: its model calls, with totals by stage, round and agent.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::agent::backend::Spent;
use crate::agent::{AGENTS, AgentInfo, agents_of, expected_calls};
use crate::artifact::{Paid, Research, Session};
use crate::config::Settings;
use crate::model::{Call, Catalogue, Forecast, Tier, calls};
use crate::pipeline::{Event, read_events};
use crate::run::depth_shape;
use crate::stage::STAGES;

/// The spending of a session.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Spending {
    /// Every call, in the order of stages, rounds and agents.
    pub calls: Vec<CallSummary>,
    /// The totals by stage, round and agent, in the same order.
    pub agents: Vec<Totals>,
    /// The totals by agent, over all stages and rounds.
    pub components: Vec<Totals>,
    /// The total of all calls.
    pub total: Totals,
    /// The cost of web searches, which is not in the totals, in US dollars.
    pub searches_usd: f64,
    /// The number of calls whose reply was lost when a run died, and of tries that broke off: they
    /// may have been billed besides.
    pub possibly_billed: usize,
}

/// A model call.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CallSummary {
    /// Its file in the journal.
    pub file: String,
    /// The stage that made it.
    pub stage: String,
    /// The round in which it was made.
    pub round: u32,
    /// The agent that made it.
    pub agent: String,
    /// The subject, such as a step of the plan.
    pub about: String,
    /// The attempt, from 1: an unusable reply leads to a second attempt.
    pub attempt: u32,
    /// The number of tries, those without a reply included.
    pub tries: usize,
    /// The model.
    pub model: String,
    /// `true` if there is a reply.
    pub answered: bool,
    /// The number of tokens sent.
    pub input_tokens: u64,
    /// Of these, read from the provider's cache.
    pub cached_tokens: u64,
    /// The number of tokens generated.
    pub output_tokens: u64,
    /// The cost in US dollars; `None` if the price is unknown.
    pub cost_usd: Option<f64>,
    /// The time until the reply.
    pub latency_milliseconds: u64,
    /// The repairs that the reply needed to be parsed.
    pub repairs: Vec<String>,
    /// The reason why the reply could not be used, if so.
    pub problem: Option<String>,
}

/// Totals of calls.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Totals {
    /// The stage; empty for the total of all.
    pub stage: String,
    /// The round; 0 for the total of all.
    pub round: u32,
    /// The agent; empty for the total of all.
    pub agent: String,
    /// The number of calls with a reply.
    pub calls: usize,
    /// The number of all calls that have ended, with a reply or without one: those that are
    /// unusable are a part of it.
    pub made: usize,
    /// The number of tokens sent.
    pub input_tokens: u64,
    /// Of these, read from the provider's cache.
    pub cached_tokens: u64,
    /// The number of tokens generated.
    pub output_tokens: u64,
    /// The cost in US dollars; `None` if a price is unknown.
    pub cost_usd: Option<f64>,
    /// The sum of the times until the replies.
    pub latency_milliseconds: u64,
    /// The number of replies that had to be repaired.
    pub repaired: usize,
    /// The number of calls without a usable reply.
    pub unusable: usize,
}

impl Totals {
    fn add(&mut self, call: &CallSummary) {
        // No calls cost 0; a single unknown price makes the total unknown.
        if self.calls == 0 && self.unusable == 0 {
            self.cost_usd = Some(0.0);
        }
        if call.answered {
            self.calls += 1;
            self.cost_usd = self
                .cost_usd
                .zip(call.cost_usd)
                .map(|(total, cost)| total + cost);
        }
        self.input_tokens += call.input_tokens;
        self.cached_tokens += call.cached_tokens;
        self.output_tokens += call.output_tokens;
        self.latency_milliseconds += call.latency_milliseconds;
        self.repaired += usize::from(!call.repairs.is_empty());
        self.unusable += usize::from(call.problem.is_some());
        self.made += usize::from(call.answered || call.problem.is_some());
    }
}

/// Reads the journal of the session at `path` and adds up its calls.
///
/// # Errors
/// When the journal cannot be read.
pub fn spending(path: &Path) -> Result<Spending> {
    let journal = calls(path)?;
    let possibly_billed = possibly_billed(path, &journal);
    let mut calls: Vec<CallSummary> = journal.into_iter().map(summary).collect();
    calls.sort_by_key(order);
    let mut total = Totals::default();
    calls.iter().for_each(|call| total.add(call));
    // The calls are sorted, so those of the same stage, round and agent are adjacent.
    let agents = calls
        .chunk_by(|call, next| group(call) == group(next))
        .map(totals)
        .collect();
    let of_agent = |agent: &AgentInfo| {
        let own = calls.iter().filter(|call| call.agent == agent.name);
        let mut totals = Totals {
            agent: agent.name.to_owned(),
            ..Totals::default()
        };
        own.for_each(|call| totals.add(call));
        totals
    };
    let components = AGENTS.iter().map(of_agent);
    Ok(Spending {
        components: components
            .filter(|totals| totals.calls + totals.unusable > 0)
            .collect(),
        calls,
        agents,
        total,
        searches_usd: Paid::searches_usd(path)?,
        possibly_billed,
    })
}

/// The number of requests that may have been billed without a reply in the journal: runs that died
/// while a call was in flight, tries that broke off after sending, and calls that are in flight
/// now.
fn possibly_billed(path: &Path, journal: &[Call]) -> usize {
    let lost = read_events(path)
        .iter()
        .filter(|entry| matches!(entry.event, Event::PossiblyBilled { .. }))
        .count();
    let broken_off = journal
        .iter()
        .flat_map(|call| &call.failed_tries)
        .filter(|failed| failed.possibly_billed)
        .count();
    let in_flight = journal
        .iter()
        .filter(|call| call.reply.is_none() && call.rejection.is_none())
        .count();
    lost + broken_off + in_flight
}

fn group(call: &CallSummary) -> (&str, u32, &str) {
    (&call.stage, call.round, &call.agent)
}

/// The totals of the calls of a stage, round and agent.
fn totals(calls: &[CallSummary]) -> Totals {
    let mut totals = Totals::default();
    for call in calls {
        totals.add(call);
        (totals.stage, totals.agent) = (call.stage.clone(), call.agent.clone());
        totals.round = call.round;
    }
    totals
}

fn summary(call: Call) -> CallSummary {
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
        cached_tokens: usage.cached,
        output_tokens: usage.output,
        cost_usd: reply.as_ref().and_then(|reply| reply.cost_usd),
        latency_milliseconds: reply.as_ref().map_or(0, |reply| reply.latency_milliseconds),
        repairs: call.repairs,
        problem: call.rejection.map(|rejection| rejection.problem),
    }
}

/// The sort key of a call: stages and agents in the order of the pipeline, then the subject.
/// Unknown names, of a newer program, come last.
fn order(call: &CallSummary) -> (usize, u32, usize, String, u32, String) {
    let stage = STAGES.iter().position(|stage| stage.name == call.stage);
    let agent = AGENTS.iter().position(|agent| agent.name == call.agent);
    (
        stage.unwrap_or(usize::MAX),
        call.round,
        agent.unwrap_or(usize::MAX),
        call.about.clone(),
        call.attempt,
        call.file.clone(),
    )
}

/// The forecast of a round of a session, for the models that answered in it; `None` if none did.
pub(super) fn forecast(
    path: &Path,
    session: &Session,
    research: Option<&Research>,
    spending: &Spending,
    settings: &Settings,
) -> Option<Forecast> {
    let mut names: BTreeMap<Tier, &str> = BTreeMap::new();
    for call in &spending.calls {
        let agent = AGENTS.iter().find(|agent| agent.name == call.agent)?;
        names.insert(agent.tier, &call.model);
    }
    // A tier without calls so far is forecast with the model of another tier.
    let any = *names.values().next()?;
    let prices = Catalogue::load().ok()?.prices;
    let depth = research.map_or(session.depth, |research| research.depth);
    let shape = depth_shape(settings, session, depth);
    let expected = expected_calls(agents_of(session.mode), shape);
    let spent = Spent::read(path, |name| Some(prices.price_of(name))).ok()?;
    Some(Forecast::of(&expected, spent.total, |tier| {
        let name = names.get(&tier).copied().unwrap_or(any);
        Some((name.to_owned(), prices.price_of(name)))
    }))
}
