//! The stages, one file or folder each: what they read, and in which order they ask the agents.
//!
//! A stage reads gates, asks agents, and writes its own gate last. Inner work is written as
//! checkpoints, each a small gate of its own, so that what was done before a crash is not done
//! again. [`STAGES`] is the one place to register a stage: the pipeline, the graph, the names that
//! `--from` and `--until` take and the state of a session derive from it.

mod analysis;
mod context;
mod definition;
mod past_rounds;
mod publish;
mod research;
mod review;
mod table;
mod write;

use anyhow::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::artifact::{self, Artifact};
use crate::pipeline::{Decision, Header, Stage, Unreadable, Workspace};

pub use context::Context;
pub use definition::{COMPLETE, Edge, SendsBack, StageInfo, edges, names, state};
pub use publish::PUBLICATION;
pub use research::libraries::Libraries;
pub use research::web::SearchForecast;
pub use table::{STAGES, pipeline};

/// Reads a gate for the engine.
fn header<T: DeserializeOwned>(
    bytes: &[u8],
    judgement: impl Fn(&T) -> (Option<Decision>, Option<f64>),
) -> Result<Header, serde_json::Error> {
    let artifact: Artifact<T> = artifact::parse(bytes)?;
    let (decision, score) = judgement(&artifact.content);
    Ok(Header {
        provenance: artifact.provenance,
        decision,
        score,
    })
}

/// Reads the content of a file that an earlier stage wrote.
fn load<T: DeserializeOwned>(workspace: &Workspace, stage: &str, name: &str) -> Result<T> {
    let bytes = workspace.read_required(name)?;
    let artifact: Artifact<T> = artifact::parse(&bytes)
        .map_err(|error| Unreadable::new(workspace.root().join(name), stage, &error))?;
    Ok(artifact.content)
}

/// Writes a stage's gate.
fn write_gate<T: Serialize>(workspace: &Workspace, stage: &dyn Stage, content: T) -> Result<()> {
    let artifact = Artifact::new(workspace.provenance(stage)?, workspace.now(), content);
    workspace.write(stage.gate(), &artifact::to_bytes(&artifact)?)
}

/// A piece of inner work: kept if it is there and what it was made from has not changed, else made
/// from `inputs`.
async fn inner<T, F>(
    workspace: &Workspace,
    stage: &dyn Stage,
    name: &str,
    inputs: &[String],
    make: F,
) -> Result<T>
where
    T: Serialize + DeserializeOwned,
    F: AsyncFnOnce() -> Result<T>,
{
    if let Some(kept) = kept(workspace, stage, name)? {
        return Ok(kept);
    }
    let content = make().await?;
    write_inner(workspace, stage, name, inputs, &content)?;
    Ok(content)
}

/// Writes a piece of inner work that was made from `inputs`.
fn write_inner<T: Serialize>(
    workspace: &Workspace,
    stage: &dyn Stage,
    name: &str,
    inputs: &[String],
    content: &T,
) -> Result<()> {
    let provenance = workspace.provenance_of(stage, inputs)?;
    let artifact = Artifact::new(provenance, workspace.now(), content);
    workspace.write(name, &artifact::to_bytes(&artifact)?)
}

fn kept<T: DeserializeOwned>(
    workspace: &Workspace,
    stage: &dyn Stage,
    name: &str,
) -> Result<Option<T>> {
    let Some(bytes) = workspace.read(name)? else {
        return Ok(None);
    };
    let artifact: Artifact<T> = artifact::parse(&bytes)
        .map_err(|error| Unreadable::new(workspace.root().join(name), stage.name(), &error))?;
    if workspace.is_fresh(&artifact.provenance)? {
        return Ok(Some(artifact.content));
    }
    workspace.supersede(name, &format!("{name}: what it was made from has changed"))?;
    Ok(None)
}
