//! The economy of a session: what each agent sends and gets is bounded.

use std::collections::BTreeMap;
use std::time::Duration;

use research::model::{calls, estimate_tokens};

use super::server::Server;
use super::{ALL_AGENTS, command};
use crate::harness::{Ran, Scratch};

/// The most tokens of each agent at depth quick, by the estimate that is an upper bound.
const LIMITS: [(&str, usize); 6] = [
    ("coordinator", 1_250),
    ("planner", 1_000),
    ("researcher", 1_750),
    ("analyst", 2_150),
    ("writer", 2_400),
    ("reviewer", 1_400),
];

/// The most tokens of all agents together.
const LIMIT: usize = 10_000;

#[test]
fn no_agent_takes_more_tokens_than_it_should() {
    let server = Server::sound(Duration::ZERO);
    let scratch = Scratch::with_few();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/heat-pumps");
    let topic = "Do heat pumps work in old houses?";
    let arguments = [
        "run",
        topic,
        "--docs",
        examples,
        "--session",
        "s",
        "--depth",
        "quick",
    ];
    let mut quick = command(&scratch, &server, &arguments);
    for (variable, _) in ALL_AGENTS {
        quick.env_remove(variable);
    }
    Ran::from(quick.output().unwrap()).assert_ended(0, "quick");
    let mut tokens: BTreeMap<String, usize> = BTreeMap::new();
    for call in calls(&scratch.session()).unwrap() {
        let request = call.to_request().input_tokens();
        let reply = call.reply.map_or(0, |reply| estimate_tokens(&reply.text));
        *tokens.entry(call.agent).or_default() += request + reply;
    }
    let all: usize = tokens.values().sum();
    assert!(all <= LIMIT, "{all} tokens: {tokens:?}");
    for (agent, limit) in LIMITS {
        let spent = tokens.remove(agent).unwrap_or_default();
        assert!((1..=limit).contains(&spent), "{agent}: {spent} of {limit}");
    }
    assert!(tokens.is_empty(), "{tokens:?}");
}
