//! `research graph`: prints the pipeline as a graph of stages, or the knowledge of a session as a
//! graph of entities.

use std::path::Path;

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use schemars::schema_for;
use serde::de::DeserializeOwned;

use super::command::SESSION_HELP;
use super::help::Group;
use super::{Action, Command, Exit, Program, arguments, exit};
use crate::artifact::analysis::KnowledgeGraph;
use crate::artifact::stored::read_inside;
use crate::artifact::{Analysis, Research};
use crate::export::diagram::{Diagram, DiagramEdge, DiagramNode};
use crate::export::knowledge;
use crate::inspect::{self, Edge, Graph, Node};
use crate::run::artifacts::parsed_content;

/// `research graph`.
pub(super) const COMMAND: Command = Command {
    name: "graph",
    about: "Print the pipeline as a graph, with the state of a session, or its knowledge",
    group: Group::Sessions,
    examples: &[
        (
            "Draw the pipeline with Graphviz",
            "research graph last --format dot",
        ),
        (
            "Draw what the passages relate",
            "research graph last --knowledge",
        ),
    ],
    results: &[
        ("graph", || schema_for!(Graph)),
        ("knowledge_graph", || schema_for!(KnowledgeGraph)),
    ],
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

fn graph(program: &Program<'_>, arguments: &GraphArgs) -> Result<Exit> {
    let reference = arguments.session.as_deref();
    if let Some(reference) = reference.filter(|_| arguments.knowledge) {
        return print_knowledge(program, &program.find(reference)?, arguments.format);
    }
    let path = reference.map(|reference| program.find(reference));
    let graph = inspect::graph(path.transpose()?.as_deref(), &program.settings)?;
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
    if graph.entities.is_empty() {
        let remark = "the graph is empty: no passage of this session names an entity";
        program.output.remark(remark);
    }
    if program.output.json && format != GraphFormat::JsonLd {
        return program.output.value(&graph);
    }
    match format {
        GraphFormat::Mermaid => program.output.text(&knowledge::diagram(&graph).mermaid()),
        GraphFormat::Dot => program.output.text(&knowledge::diagram(&graph).dot()),
        GraphFormat::JsonLd => {
            let research: Research = content(path, "research.json")?;
            program
                .output
                .document(&knowledge::json_ld(&graph, &research))
        }
    }
}

/// The content of a file of the session at `path`.
fn content<T: DeserializeOwned>(path: &Path, name: &str) -> Result<T> {
    let Some(bytes) = read_inside(path, name)? else {
        return Err(anyhow!(
            "{} does not exist yet; to resume the session: research run --resume {}",
            path.join(name).display(),
            path.display()
        ));
    };
    parsed_content(path, name, &bytes)
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
