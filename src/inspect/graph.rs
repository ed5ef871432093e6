//! The pipeline as a graph of stages, with the state of a session.

use std::path::Path;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::status::plan;
use crate::agent::Tier;
use crate::config::Settings;
use crate::pipeline::Plan;
use crate::session;
use crate::stage::{self, COMPLETE, STAGES};

/// The pipeline as a graph.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Graph {
    /// The stages, and last the end.
    pub nodes: Vec<Node>,
    /// The transitions between them.
    pub edges: Vec<Edge>,
}

/// A stage, or the end.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Node {
    /// The name.
    pub id: String,
    /// The agents that it asks.
    pub agents: Vec<AgentNode>,
    /// The state in a session, if the graph is that of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
}

/// An agent of a stage.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AgentNode {
    /// The name.
    pub name: &'static str,
    /// The tier of its model.
    pub tier: Tier,
}

/// A transition.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Edge {
    /// The stage that it leaves.
    pub from: &'static str,
    /// The stage that it enters.
    pub to: &'static str,
    /// The condition.
    pub when: &'static str,
}

/// The graph of the pipeline; with a session, also its state there.
///
/// # Errors
/// When the session cannot be read.
pub fn graph(session: Option<&Path>, settings: &Settings) -> Result<Graph> {
    let planned = |path: &Path| plan(path, &session::read(path)?, settings);
    let plan = session.map(planned).transpose()?;
    let edges = stage::edges(STAGES).into_iter();
    Ok(Graph {
        nodes: nodes(plan.as_ref()),
        edges: edges
            .map(|stage::Edge { from, to, when }| Edge { from, to, when })
            .collect(),
    })
}

fn nodes(plan: Option<&Plan>) -> Vec<Node> {
    let mut nodes: Vec<Node> = STAGES
        .iter()
        .map(|stage| Node {
            id: stage.name.to_owned(),
            agents: stage
                .agents
                .iter()
                .map(|agent| AgentNode {
                    name: agent.name,
                    tier: agent.tier,
                })
                .collect(),
            // Looked up by name: without a session there is neither a plan nor a state.
            state: plan.and_then(|plan| {
                let line = plan.stages.iter().find(|line| line.stage == stage.name)?;
                Some(line.reason.to_string())
            }),
        })
        .collect();
    nodes.push(Node {
        id: COMPLETE.to_owned(),
        agents: Vec::new(),
        state: plan.map(|plan| if plan.complete { "up to date" } else { "open" }.to_owned()),
    });
    nodes
}
