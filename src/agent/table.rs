//! The table of the agents.

use super::{AgentInfo, Analyst, Coordinator, Planner, Reflector, Researcher, Reviewer, Writer};

/// All agents, in the order of their first calls.
pub const AGENTS: &[AgentInfo] = &[
    AgentInfo::of::<Coordinator>(),
    AgentInfo::of::<Planner>(),
    AgentInfo::of::<Researcher>(),
    AgentInfo::of::<Reflector>(),
    AgentInfo::of::<Analyst>(),
    AgentInfo::of::<Writer>(),
    AgentInfo::of::<Reviewer>(),
];
