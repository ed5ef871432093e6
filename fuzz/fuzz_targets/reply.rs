//! Replies of models: each agent's answer is parsed, and validated against what the agent was asked
//! where a finished session says that. The first byte chooses the agent.

#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use research::agent::{
    Analyst, Background, Coordinator, ModelAgent, Planner, Reflector, Researcher, Reviewer, Reviser,
    SessionView, Social, Verifier, Writer,
};
use research::artifact::Session;
use research::config::Settings;
use research::session;

static SETTINGS: LazyLock<Settings> = LazyLock::new(|| Settings::load().expect("no settings"));

static SESSION: LazyLock<Session> =
    LazyLock::new(|| session::read(Path::new(research_fuzz::SESSION)).expect("a session"));

const AGENTS: &[fn(&str)] = &[
    answer::<Coordinator>,
    answer::<Background>,
    answer::<Planner>,
    answer::<Researcher>,
    answer::<Reflector>,
    answer::<Social>,
    answer::<Analyst>,
    answer::<Writer>,
    answer::<Verifier>,
    answer::<Reviser>,
    answer::<Reviewer>,
];

fuzz_target!(|bytes: &[u8]| {
    if let Some((answer, reply)) = research_fuzz::choice(bytes, AGENTS) {
        answer(&String::from_utf8_lossy(reply));
    }
});

fn answer<A: ModelAgent>(reply: &str) {
    let Ok(parsed) = A::parse(reply) else {
        return;
    };
    let view = SessionView {
        session: &SESSION,
        settings: &SETTINGS,
        read: &|file| std::fs::read(Path::new(research_fuzz::SESSION).join(file)),
    };
    if let Ok(Some(input)) = A::preview(&view) {
        let _ = A::validate(&input, A::items(&input), parsed.answer, &mut Vec::new());
    }
}
