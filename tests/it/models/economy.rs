//! The economy of a session: what each agent sends and gets is bounded.

use std::collections::BTreeMap;
use std::time::Duration;

use research::model::{calls, estimate_tokens};

use super::run;
use super::server::Server;
use crate::harness::Scratch;

/// The most tokens of each agent at depth quick, over three steps, by the estimate that is an upper
/// bound: schemas count where they are sent beside the prompt, which has their shape already.
const LIMITS: [(&str, usize); 8] = [
    ("coordinator", 2_200),
    ("background", 900),
    ("planner", 3_300),
    ("researcher", 9_500),
    ("reflector", 1_700),
    ("analyst", 4_000),
    ("writer", 2_200),
    ("reviewer", 2_500),
];

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
    run(&scratch, &server, &arguments).assert_ended(0, "quick");
    let mut tokens: BTreeMap<String, usize> = BTreeMap::new();
    for call in calls(&scratch.session()).unwrap() {
        let request = call.to_request().input_tokens();
        let reply = call.reply.map_or(0, |reply| estimate_tokens(&reply.text));
        *tokens.entry(call.agent).or_default() += request + reply;
    }
    for (agent, limit) in LIMITS {
        let spent = tokens.remove(agent).unwrap_or_default();
        assert!((1..=limit).contains(&spent), "{agent}: {spent} of {limit}");
    }
    assert!(tokens.is_empty(), "{tokens:?}");
}
