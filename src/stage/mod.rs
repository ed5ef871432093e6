//! The four stages: what they need, and in which order they ask the agents.
//!
//! A stage reads gates, asks agents, and writes its own gate last. Inner work is kept file by file,
//! each a small gate of its own (`inner`), so that what was done before a kill is not done again.

mod analysis;
mod publish;
mod research;
mod review;
mod write;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::agent::{AgentInfo, Backend};
use crate::artifact::review::Note;
use crate::artifact::{self, Artifact, Review};
use crate::config::Settings;
use crate::pipeline::{Decision, Header, Pipeline, Stage, Unreadable, Workspace};
use crate::read::Reader;
use crate::web::Online;

pub use research::libraries::Libraries;
pub use research::web::SearchForecast;

/// The name of the published report.
pub const PUBLICATION: &str = "final_report.md";

/// What the stages work with, besides the session's files.
pub struct Context {
    /// All settings.
    pub settings: Settings,
    /// The score from which a round is accepted in this run.
    pub threshold: f64,
    /// Rounds at most in this run.
    pub max_rounds: u32,
    /// Whether the coordinator may ask back in this run.
    pub clarify: bool,
    /// The documents to search: files and directories.
    pub documents: Vec<PathBuf>,
    /// Reads them.
    pub reader: Reader,
    /// Those that were read already.
    pub libraries: Libraries,
    /// The web; nothing where it is not to be used.
    pub online: Option<Arc<Online>>,
    /// Who answers for the agents.
    pub judge: Backend,
}

/// The pipeline from a topic to a published report.
pub fn pipeline(context: Context) -> Pipeline {
    let context = Arc::new(context);
    Pipeline {
        stages: vec![
            Box::new(research::ResearchStage(context.clone())),
            Box::new(analysis::AnalysisStage(context.clone())),
            Box::new(write::WriteStage(context.clone())),
            Box::new(review::ReviewStage(context.clone())),
        ],
        first_of_round: 1,
        max_rounds: context.max_rounds,
        publication: PUBLICATION,
        publish: Box::new(publish::publish),
    }
}

/// Each stage's name and the agents that it asks, in order.
pub fn agents() -> [(&'static str, Vec<AgentInfo>); 4] {
    [
        ("research", research::AGENTS.to_vec()),
        ("analysis", analysis::AGENTS.to_vec()),
        ("write", write::AGENTS.to_vec()),
        ("review", review::AGENTS.to_vec()),
    ]
}

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
    let bytes = workspace.need(name)?;
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
    workspace.set_aside(name, &format!("{name}: what it was made from has changed"))?;
    Ok(None)
}

/// What the reviews of all earlier rounds asked for, oldest first.
fn notes(workspace: &Workspace) -> Result<Vec<Note>> {
    let mut notes = Vec::new();
    for round in workspace.past() {
        let review: Review = load(workspace, "review", &round.decision)
            .with_context(|| format!("round {} cannot be read", round.number))?;
        notes.extend(review.notes);
    }
    Ok(notes)
}

/// The reviews of all earlier rounds, by path.
fn past_reviews(past: &[crate::pipeline::PastRound]) -> impl Iterator<Item = String> {
    past.iter().map(|round| round.decision.clone())
}
