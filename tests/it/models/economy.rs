//! The economy of a session: what each agent sends and gets is bounded.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::Duration;

use research::model::{calls, estimate_tokens};

use super::server::Server;
use super::{ALL_AGENTS, command};
use crate::harness::{Ran, Scratch, parsed};

/// The most tokens of each agent at depth quick, by the estimate that is an upper bound.
const LIMITS: [(&str, usize); 6] = [
    ("coordinator", 1_250),
    ("planner", 1_000),
    ("researcher", 1_750),
    ("analyst", 2_250),
    ("writer", 2_400),
    ("reviewer", 1_450),
];

/// The most tokens of all agents together.
const LIMIT: usize = 10_000;

/// The share of the estimate that real tokens are, as [`research::agent::INSTRUCTION_TOKENS`] says.
const REAL: f64 = 0.75;

const RUN: [&str; 8] = [
    "run",
    "Do heat pumps work in old houses?",
    "--docs",
    concat!(env!("CARGO_MANIFEST_DIR"), "/examples/heat-pumps"),
    "--session",
    "s",
    "--depth",
    "quick",
];

/// The program at depth quick as it is by default.
fn quick(scratch: &Scratch, server: &Server, arguments: &[&str]) -> Command {
    let mut command = command(scratch, server, arguments);
    for (variable, _) in ALL_AGENTS {
        command.env_remove(variable);
    }
    command
}

/// The tokens of each agent in session `s`, by the estimate, read and written.
fn tokens(scratch: &Scratch) -> BTreeMap<String, (usize, usize)> {
    let mut tokens: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for call in calls(&scratch.session()).unwrap() {
        let (read, written) = tokens.entry(call.agent.clone()).or_default();
        *read += call.to_request().input_tokens();
        *written += call.reply.map_or(0, |reply| estimate_tokens(&reply.text));
    }
    tokens
}

#[test]
fn no_agent_takes_more_tokens_than_it_should() {
    let server = Server::sound(Duration::ZERO);
    let scratch = Scratch::with_few();
    let ran: Ran = quick(&scratch, &server, &RUN).output().unwrap().into();
    ran.assert_ended(0, "quick");
    let mut tokens = tokens(&scratch);
    let all: usize = tokens.values().map(|(read, written)| read + written).sum();
    assert!(all <= LIMIT, "{all} tokens: {tokens:?}");
    for (agent, limit) in LIMITS {
        let (read, written) = tokens.remove(agent).unwrap_or_default();
        let spent = read + written;
        assert!((1..=limit).contains(&spent), "{agent}: {spent} of {limit}");
    }
    assert!(tokens.is_empty(), "{tokens:?}");
}

/// The agents that are not compared: what the writer takes depends on how much there is to say, and
/// what the reflector takes on whether steps are worked on together, as this planner wants it.
const NOT_COMPARED: [&str; 2] = ["writer", "reflector"];

#[test]
fn the_forecast_is_near_what_calls_take() {
    for by_default in [true, false] {
        let server = Server::sound(Duration::ZERO);
        let scratch = Scratch::with_few();
        let program = if by_default { quick } else { command };
        let dry = [&RUN[..], &["--dry-run", "--json"]].concat();
        let dry: Ran = program(&scratch, &server, &dry).output().unwrap().into();
        let ran: Ran = program(&scratch, &server, &RUN).output().unwrap().into();
        ran.assert_ended(0, "quick");
        let tokens = tokens(&scratch);
        let forecast = parsed(&dry.stdout)["forecast"]["agents"].clone();
        for line in forecast.as_array().unwrap() {
            let agent = line["agent"].as_str().unwrap();
            let is_compared = !NOT_COMPARED.contains(&agent);
            let Some((read, _)) = tokens.get(agent).filter(|_| is_compared) else {
                continue;
            };
            let ratio = line["input_tokens"].as_f64().unwrap() / (REAL * *read as f64);
            assert!((0.6..1.7).contains(&ratio), "{agent}: {ratio:.2} of {read}");
        }
        let called: BTreeSet<&String> = tokens.keys().collect();
        for agent in called {
            let lines = forecast.as_array().unwrap().iter();
            let calls: u64 = lines
                .filter(|line| line["agent"] == agent.as_str())
                .map(|line| line["calls"].as_u64().unwrap())
                .sum();
            assert!(calls > 0, "{agent} is called and not forecast");
        }
    }
}
