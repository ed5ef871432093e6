//! The table of the agents.

use super::{
    AgentInfo, Analyst, Background, Coordinator, Planner, Reflector, Researcher, Reviewer, Reviser,
    Social, Verifier, Writer,
};

use crate::artifact::session::Mode;

/// All agents, in the order of their first calls.
pub const AGENTS: &[AgentInfo] = &[
    AgentInfo::of::<Coordinator>(),
    AgentInfo::of::<Background>(),
    AgentInfo::of::<Planner>(),
    AgentInfo::of::<Researcher>(),
    AgentInfo::of::<Reflector>(),
    AgentInfo::of::<Social>(),
    AgentInfo::of::<Analyst>(),
    AgentInfo::of::<Writer>(),
    AgentInfo::of::<Verifier>(),
    AgentInfo::of::<Reviser>(),
    AgentInfo::of::<Reviewer>(),
];

/// The agents of mode simple: the others follow their rules.
const SIMPLE: &[AgentInfo] = &[AgentInfo::of::<Coordinator>(), AgentInfo::of::<Writer>()];

/// The agents of mode web_search: one plan of one step needs neither planner nor reflector.
const WEB_SEARCH: &[AgentInfo] = &[
    AgentInfo::of::<Coordinator>(),
    AgentInfo::of::<Researcher>(),
    AgentInfo::of::<Writer>(),
];

/// The agents that a model answers for in a mode.
pub const fn agents_of(mode: Mode) -> &'static [AgentInfo] {
    match mode {
        Mode::Simple => SIMPLE,
        Mode::WebSearch => WEB_SEARCH,
        Mode::DeepResearch => AGENTS,
    }
}
