//! `research graph`: prints the pipeline as a graph of stages, or the knowledge of a session as a
//! graph of entities.

use std::path::Path;

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::command::SESSION_HELP;
use super::{Action, Command, Exit, Program, arguments, exit};
use crate::agent::Tier;
use crate::artifact::analysis::KnowledgeGraph;
use crate::artifact::{Analysis, Research};
use crate::export::diagram::{Diagram, DiagramEdge, DiagramNode};
use crate::export::knowledge;
use crate::inspect;
use crate::pipeline::{Engine, Plan, Request};
use crate::run::artifacts::parsed_content;
use crate::run::{self, BackendConfig, Overrides, Shared};
use crate::session;
use crate::stage::{self, COMPLETE, STAGES};

/// `research graph`.
pub(super) const COMMAND: Command = Command {
    name: "graph",
    about: "Print the pipeline as a graph, with the state of a session, or its knowledge",
    define: |command, _| GraphArgs::augment_args(command),
    action: Action::WithSettings(|program, matches| graph(program, &arguments(matches)?)),
};

#[derive(Debug, Args)]
struct GraphArgs {
    #[arg(help = SESSION_HELP)]
    session: Option<String>,

    /// Print the entities that the session's passages name, and the relations between them
    #[arg(long, requires = "session")]
    knowledge: bool,

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
    /// JSON-LD, for knowledge only
    JsonLd,
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
    if let Some(reference) = reference.filter(|_| arguments.knowledge) {
        return print_knowledge(program, &program.find(reference)?, arguments.format);
    }
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
    let diagram = diagram(&graph);
    match arguments.format {
        GraphFormat::Mermaid => program.output.text(&diagram.mermaid()),
        GraphFormat::Dot => program.output.text(&diagram.dot()),
        GraphFormat::JsonLd => Err(exit::usage(anyhow!(
            "the pipeline is no knowledge: add --knowledge, or use --format dot"
        ))),
    }
}

/// Prints the graph of entities of the session at `path`.
fn print_knowledge(program: &Program<'_>, path: &Path, format: GraphFormat) -> Result<Exit> {
    let analysis: Analysis = content(path, "analysis.json")?;
    let graph: KnowledgeGraph = analysis.knowledge_graph;
    if graph.entities.is_empty() && !graph.nodes.is_empty() {
        return Err(anyhow!(
            "{} is of an older version and has no entities; to make it again: research run \
             --resume {} --from analysis",
            path.join("analysis.json").display(),
            path.display()
        ));
    }
    if program.output.json && format != GraphFormat::JsonLd {
        return program.output.value(&graph);
    }
    match format {
        GraphFormat::Mermaid => program.output.text(&knowledge::diagram(&graph).mermaid()),
        GraphFormat::Dot => program.output.text(&knowledge::diagram(&graph).dot()),
        GraphFormat::JsonLd => {
            let research: Research = content(path, "research.json")?;
            program.output.value(&knowledge::json_ld(&graph, &research))
        }
    }
}

/// The content of a file of the session at `path`.
fn content<T: DeserializeOwned>(path: &Path, name: &str) -> Result<T> {
    let Some(bytes) = inspect::read_inside(path, name)? else {
        return Err(anyhow!(
            "{} does not exist yet; to resume the session: research run --resume {}",
            path.join(name).display(),
            path.display()
        ));
    };
    parsed_content(path, name, &bytes)
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

/// The pipeline as a diagram: each stage with its agents and its state.
fn diagram(graph: &Graph) -> Diagram {
    let lines = |node: &Node| {
        let agents: Vec<_> = node.agents.iter().map(|agent| agent.name).collect();
        let parts = [
            node.id.clone(),
            agents.join(", "),
            node.state.clone().unwrap_or_default(),
        ];
        parts.into_iter().filter(|part| !part.is_empty()).collect()
    };
    Diagram {
        nodes: graph
            .nodes
            .iter()
            .map(|node| DiagramNode {
                id: node.id.clone(),
                lines: lines(node),
            })
            .collect(),
        edges: graph
            .edges
            .iter()
            .map(|Edge { from, to, when }| DiagramEdge {
                from: (*from).to_owned(),
                label: (*when).to_owned(),
                to: (*to).to_owned(),
            })
            .collect(),
    }
}
