//! The program with a language model behind its agents: a fake one on loopback.

pub(crate) mod answers;
pub(crate) mod server;

mod budget;
mod commands;
mod economy;
mod extensions;
mod faults;
mod interrupted;
mod journal;
mod many_sessions;
mod mcp;
mod modes;
mod planning;
mod planted_faults;
mod prose;
mod protocols;
mod random_answers;
mod replies;
mod secrets;
mod turns;
mod wide;

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::harness::{Ran, Scratch, TOPIC};
use server::Server;

/// Settings under which every agent is asked at depth `quick`: it has three steps, a look around
/// before them and a reflection after them.
pub(crate) const ALL_AGENTS: [(&str, &str); 3] = [
    ("RESEARCH_DEPTH__QUICK__MODEL_STEPS", "3"),
    ("RESEARCH_DEPTH__QUICK__BACKGROUND", "true"),
    ("RESEARCH_DEPTH__QUICK__REFLECTION", "true"),
];

/// The agents, in the order in which a run first calls them.
const AGENTS: [&str; 8] = [
    "coordinator",
    "background",
    "planner",
    "researcher",
    "reflector",
    "analyst",
    "writer",
    "reviewer",
];

/// The program asking a provider for every agent.
pub(crate) fn command(scratch: &Scratch, server: &Server, arguments: &[&str]) -> Command {
    let mut command = scratch.command(arguments);
    command
        .env_remove("RESEARCH_MODEL")
        .envs(ALL_AGENTS)
        .env("OPENAI_BASE_URL", server.url())
        .env("RESEARCH_MODELS__FIRST_WAIT_SECONDS", "0.01")
        .env("RESEARCH_MODELS__LONGEST_WAIT_SECONDS", "0.05");
    command
}

/// Runs it.
pub(crate) fn run(scratch: &Scratch, server: &Server, arguments: &[&str]) -> Ran {
    command(scratch, server, arguments).output().unwrap().into()
}

/// Runs a replay of session `s`, without a provider.
pub(crate) fn replay(scratch: &Scratch, arguments: &[&str]) -> Ran {
    let arguments = [&["run", "--replay", "s"], arguments].concat();
    let mut command = scratch.command(&arguments);
    command.envs(ALL_AGENTS).output().unwrap().into()
}

/// Arguments that research the example's topic in session `s`.
pub(crate) const RUN_ARGUMENTS: [&str; 8] = [
    "run",
    TOPIC,
    "--docs",
    "docs",
    "--session",
    "s",
    "--depth",
    "quick",
];

/// A provider that acts as told until this call, from 0, and then says nothing any more.
pub(crate) fn hanging_from(
    call: usize,
    act: impl Fn(u64, &server::ChatRequest) -> server::Act + Send + Sync + 'static,
) -> Server {
    let plan = move |number: u64, request: &server::ChatRequest| {
        if number < call as u64 {
            act(number, request)
        } else {
            server::Act::Hang
        }
    };
    Server::start(Duration::ZERO, Box::new(plan))
}

/// Starts a run, and kills it once a provider that hangs has got this call.
pub(crate) fn kill_during(call: usize, mut command: Command, hanging: &Server) {
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    hanging.wait_for(call + 1);
    child.kill().unwrap();
    child.wait().unwrap();
}
