//! `research graph`: prints the pipeline as a graph of stages.

use std::fmt::Write;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::command::SESSION_HELP;
use super::{Action, Command, Exit, Program, arguments};
use crate::agent::Tier;
use crate::pipeline::{Engine, Plan, Request};
use crate::run::{self, BackendConfig, Overrides, Shared};
use crate::session;
use crate::stage::{self, COMPLETE, STAGES};

/// `research graph`.
pub(super) const COMMAND: Command = Command {
    name: "graph",
    about: "Print the pipeline as a graph, optionally with the state of a session",
    define: |command, _| GraphArgs::augment_args(command),
    action: Action::WithSettings(|program, matches| graph(program, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct GraphArgs {
    #[arg(help = SESSION_HELP)]
    session: Option<String>,

    /// Language of the graph
    #[arg(long, value_enum, default_value_t = GraphFormat::Mermaid)]
    format: GraphFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GraphFormat {
    /// Mermaid, for Markdown
    Mermaid,
    /// Graphviz
    Dot,
}

/// The pipeline, for other programs.
#[derive(Serialize)]
struct Graph {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

#[derive(Serialize)]
struct Node {
    id: String,
    agents: Vec<AgentNode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
}

#[derive(Serialize)]
struct AgentNode {
    name: &'static str,
    tier: Tier,
}

#[derive(Serialize)]
struct Edge {
    from: &'static str,
    to: &'static str,
    when: &'static str,
}

fn graph(program: &Program<'_>, arguments: &GraphArgs) -> Result<Exit> {
    let reference = arguments.session.as_deref();
    let graph = Graph {
        nodes: nodes(
            reference
                .map(|reference| plan(program, reference))
                .transpose()?
                .as_ref(),
        ),
        edges: edges(),
    };
    if program.output.json {
        return program.output.value(&graph);
    }
    program.output.text(&match arguments.format {
        GraphFormat::Mermaid => mermaid(&graph),
        GraphFormat::Dot => dot(&graph),
    })
}

fn plan(program: &Program<'_>, reference: &str) -> Result<Plan> {
    let path = program.find(reference)?;
    let session = session::read(&path)?;
    let (overrides, backend) = (Overrides::default(), BackendConfig::default());
    let settings = &program.settings;
    let shared = Shared::default();
    let pipeline = run::pipeline(&path, &session, settings, overrides, &backend, shared)?;
    Engine::default().plan(&path, &pipeline, &Request::default())
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

fn edges() -> Vec<Edge> {
    stage::edges(STAGES)
        .into_iter()
        .map(|stage::Edge { from, to, when }| Edge { from, to, when })
        .collect()
}

fn label(node: &Node, line_break: &str) -> String {
    let agents: Vec<_> = node.agents.iter().map(|agent| agent.name).collect();
    let parts = [
        node.id.clone(),
        agents.join(", "),
        node.state.clone().unwrap_or_default(),
    ];
    // The two languages escape quotation marks in labels differently.
    parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(line_break)
        .replace('"', "'")
}

fn mermaid(graph: &Graph) -> String {
    let mut text = "flowchart TD\n".to_owned();
    for node in &graph.nodes {
        let _ = writeln!(text, "    {}[\"{}\"]", node.id, label(node, "<br>"));
    }
    for Edge { from, to, when } in &graph.edges {
        let arrow = if when.is_empty() {
            String::new()
        } else {
            format!("|{when}|")
        };
        let _ = writeln!(text, "    {from} -->{arrow} {to}");
    }
    text
}

fn dot(graph: &Graph) -> String {
    let mut text = "digraph research {\n    node [shape=box];\n".to_owned();
    // `\n` reaches the output as two characters: the line break of the DOT language.
    for node in &graph.nodes {
        let _ = writeln!(text, "    {} [label=\"{}\"];", node.id, label(node, "\\n"));
    }
    for Edge { from, to, when } in &graph.edges {
        let _ = writeln!(text, "    {from} -> {to} [label=\"{when}\"];");
    }
    text.push_str("}\n");
    text
}
